from __future__ import annotations

import io
from pathlib import Path

import pytest

from kernelindex_schema.findings import Severity
from kernelindex_schema.identity import digest
from kernelindex_schema.sources.imported import Imported, import_file, import_stream
from kernelindex_schema.sources.liger import LigerSource, import_csv
from kernelindex_schema.sources.liger_row import COLUMNS
from kernelindex_schema.v1alpha1 import Record, Submission

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "sources" / "liger.csv"

SOUND = {
    "kernel_name": "rms_norm",
    "kernel_provider": "liger",
    "kernel_operation_mode": "forward",
    "metric_name": "speed",
    "metric_unit": "ms",
    "x_name": "H",
    "x_label": "hidden size",
    "x_value": "1024",
    "y_value_50": "0.0625",
    "y_value_20": "0.0615",
    "y_value_80": "0.0655",
    "extra_benchmark_config_str": '{"M": 2048, "dtype": "torch.bfloat16", "eps": 1e-06}',
    "gpu_name": "NVIDIA H100 PCIe",
    "timestamp": "2026-02-03 04:05:06",
    "liger_version": "9.9.1",
}


def line(**changes: str) -> str:
    return ",".join('"' + (SOUND | changes)[name].replace('"', '""') + '"' for name in COLUMNS) + "\n"


def read(*lines: str, header: str = ",".join(COLUMNS) + "\n") -> Imported:
    data = (header + "".join(lines)).encode("utf-8", "surrogateescape")
    return import_stream(LigerSource(), io.BytesIO(data), "made-up.csv")


def only_run(imported: Imported):
    assert len(imported.runs) == 1, imported.skipped
    return imported.runs[0].run


def test_fixture_rows_are_counted_and_told():
    imported = import_file(FIXTURE)
    assert imported.source == "liger"
    assert imported.counts["rows"] == 22
    assert [record.run.metadata.name[:40] for record in imported.runs] == [
        "liger-rms-norm-forward-liger-nvidia-h100",
        "liger-rms-norm-forward-torch-nvidia-h100",
        "liger-megatron-rms-norm-forward-torch-nv",
        "liger-megatron-rms-norm-forward-megatron",
        "liger-rms-norm-forward-liger-nvidia-h100",
        "liger-softmax-forward-liger-nvidia-h100-",
    ]
    assert [(each.line, each.reason, each.column) for each in imported.skipped] == [
        (4, "not-speed", "metric_name"),
        (7, "unknown-kernel", "kernel_name"),
        (8, "unknown-provider", "kernel_provider"),
        (9, "unknown-mode", "kernel_operation_mode"),
        (10, "bad-config", "extra_benchmark_config_str"),
        (11, "bad-x-value", "x_value"),
        (12, "unsupported-config", "extra_benchmark_config_str"),
        (13, "unknown-gpu", "gpu_name"),
        (14, "unit-not-ms", "metric_unit"),
        (15, "bad-median", "y_value_50"),
        (16, "bad-quantile", "y_value_20"),
        (17, "bad-timestamp", "timestamp"),
        (18, "scalars-differ", "extra_benchmark_config_str"),
        (19, "duplicate", None),
        (20, "damaged", None),
        (22, "damaged", "extra_benchmark_config_str"),
    ]
    assert [(each.rule, each.line, each.column, each.end_column) for each in imported.findings] == [
        ("KIX402", 5, 60, 60),
        ("KIX105", 10, 73, 77),
        ("KIX106", 11, 47, 50),
        ("KIX201", 14, 30, 32),
        ("KIX107", 15, 52, 53),
        ("KIX304", 16, 59, 65),
        ("KIX106", 17, 153, 172),
        ("KIX506", 18, 73, 135),
        ("KIX004", 20, None, None),
        ("KIX004", 22, 73, 89),
    ]
    for finding in imported.findings:
        assert finding.file == str(FIXTURE)
    # layer_norm and warp_drive appear only in rows that were skipped.
    assert [each.metadata.name for each in imported.operations] == [
        "liger-rms-norm",
        "liger-megatron-rms-norm",
        "liger-softmax",
    ]


def test_traps_of_the_fixture():
    imported = import_file(FIXTURE)
    (group,) = imported.indistinct
    assert group.lines == (5, 6)
    assert group.differ == "provider"
    (finding,) = imported.trap_findings
    assert (finding.rule, finding.line, finding.severity) == ("KIX507", 6, Severity.WARNING)
    assert [each.line for each in finding.related] == [5, 6]
    assert [each.rule for each in imported.brief_report.findings].count("KIX507") == 1


def test_shapes_of_the_result():
    imported = import_file(FIXTURE)
    submission = imported.submission()
    assert isinstance(submission, Submission)
    assert len(submission.runs) == 6
    slugs = {each.metadata.name for each in submission.projects}
    assert {each.project_slug for each in submission.implementations} <= slugs
    documents = list(imported.documents())
    assert len(documents) == 3 + 3 + 4 + 5 + 6
    assert all(isinstance(each, Record) for each in documents[-6:])
    paths = [path for path, _ in imported.files(".yaml")]
    assert paths[0] == "projects/liger-kernel.yaml"
    assert paths[-1].startswith("runs/liger-softmax-forward-liger-nvidia-h100-pcie-hidden8192-rows2048-fp16-")
    assert len(set(paths)) == len(paths)


def test_quantiles_that_are_absent_leave_no_measurements():
    for text in ("", "nan", "NaN", "-inf", "fast", "0x1p-4", "1e-2", " 0.06"):
        imported = read(line(y_value_20=text))
        spec = only_run(imported).spec
        assert not spec.measurements
        assert set(spec.source_native.metrics) == {"ms_50"}
        (finding,) = imported.findings
        assert finding.rule == "KIX402"
        assert "y_value_20" in finding.message


@pytest.mark.parametrize(
    ("column", "text", "reason", "rule"),
    [
        ("y_value_50", "", "bad-median", "KIX106"),
        ("y_value_50", "NaN", "bad-median", "KIX009"),
        ("y_value_50", "-Infinity", "bad-median", "KIX009"),
        ("y_value_50", "0.0", "bad-median", "KIX107"),
        ("y_value_50", "-0.5", "bad-median", "KIX107"),
        ("y_value_50", "1" + "0" * 400, "bad-median", "KIX107"),
        ("y_value_50", "٣", "bad-median", "KIX106"),
        ("y_value_20", "-0.1", "bad-quantile", "KIX107"),
        ("y_value_20", "0.0626", "bad-quantile", "KIX304"),
        ("y_value_80", "0.0624", "bad-quantile", "KIX304"),
        ("metric_unit", "MB", "unit-not-ms", "KIX201"),
        ("metric_unit", "", "unit-not-ms", "KIX201"),
        ("x_value", "1024.0", "bad-x-value", "KIX106"),
        ("x_value", "0x400", "bad-x-value", "KIX106"),
        ("x_value", " 1024", "bad-x-value", "KIX106"),
        ("x_value", "+1024", "bad-x-value", "KIX106"),
        ("x_value", "", "bad-x-value", "KIX106"),
        ("x_value", "0", "bad-x-value", "KIX107"),
        ("x_value", "9007199254740992", "bad-x-value", "KIX107"),
        ("x_value", "9" * 5000, "bad-x-value", "KIX106"),
        ("extra_benchmark_config_str", "", "bad-config", "KIX004"),
        ("extra_benchmark_config_str", "[" * 100_000, "bad-config", "KIX004"),
        ("extra_benchmark_config_str", '{"eps": ' + "9" * 5000 + "}", "bad-config", "KIX004"),
        ("extra_benchmark_config_str", "null", "bad-config", "KIX105"),
        ("extra_benchmark_config_str", "[]", "bad-config", "KIX105"),
        ("extra_benchmark_config_str", '{"M": 1, "M": 2048}', "bad-config", "KIX005"),
        ("extra_benchmark_config_str", '{"M": NaN}', "bad-config", "KIX009"),
        ("timestamp", "2026-02-03", "bad-timestamp", "KIX106"),
        ("timestamp", "2025-02-30 04:05:06", "bad-timestamp", "KIX106"),
        ("timestamp", "2026-02-03 24:00:00", "bad-timestamp", "KIX106"),
        ("timestamp", "2026-02-03 04:05:60", "bad-timestamp", "KIX106"),
        ("timestamp", "2026-02-03 04:05.5", "bad-timestamp", "KIX106"),
        ("timestamp", "0001-01-01 00:00:00+01:00", "bad-timestamp", "KIX106"),
        ("timestamp", "yesterday", "bad-timestamp", "KIX106"),
    ],
)
def test_a_row_at_fault_is_left_out_and_becomes_a_finding(column, text, reason, rule):
    imported = read(line(**{column: text}), line(x_value="2048"))
    assert [(each.reason, each.line, each.column) for each in imported.skipped] == [(reason, 2, column)]
    (finding,) = imported.findings
    assert (finding.rule, finding.line, finding.severity) == (rule, 2, Severity.ERROR)
    assert column in finding.message
    assert "\n" not in finding.message
    assert len(finding.message) < 300
    assert len(imported.runs) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"metric_name": "memory", "metric_unit": "MB"}, "not-speed"),
        ({"metric_name": "Speed"}, "not-speed"),
        ({"kernel_name": "__proto__"}, "unknown-kernel"),
        ({"kernel_provider": "constructor"}, "unknown-provider"),
        ({"kernel_operation_mode": "toString"}, "unknown-mode"),
        ({"gpu_name": "hasOwnProperty"}, "unknown-gpu"),
        ({"x_name": "Q"}, "unsupported-config"),
        ({"extra_benchmark_config_str": "{}"}, "unsupported-config"),
        (
            {"extra_benchmark_config_str": '{"M": "2048", "dtype": "torch.bfloat16", "eps": 1e-06}'},
            "unsupported-config",
        ),
        ({"extra_benchmark_config_str": '{"M": true, "dtype": "torch.bfloat16", "eps": 1e-06}'}, "unsupported-config"),
        ({"extra_benchmark_config_str": '{"M": 2.5, "dtype": "torch.bfloat16", "eps": 1e-06}'}, "unsupported-config"),
        ({"extra_benchmark_config_str": '{"M": 2048, "dtype": "torch.bfloat16", "eps": true}'}, "unsupported-config"),
        ({"extra_benchmark_config_str": '{"M": 2048, "dtype": "torch.bfloat16", "eps": 0}'}, "unsupported-config"),
        (
            {"extra_benchmark_config_str": '{"M": 2048, "dtype": "torch.bfloat16", "eps": 1e400}'},
            "unsupported-config",
        ),
        ({"extra_benchmark_config_str": '{"M": 2048, "dtype": "bfloat16", "eps": 1e-06}'}, "unsupported-config"),
        ({"extra_benchmark_config_str": '{"M": 2048, "dtype": ["x"], "eps": 1e-06}'}, "unsupported-config"),
    ],
)
def test_a_row_that_the_table_does_not_cover_is_counted_and_nothing_else(changes, reason):
    imported = read(line(**changes))
    assert [(each.reason, each.line) for each in imported.skipped] == [(reason, 2)]
    assert imported.findings == ()
    assert list(imported.documents()) == []


def kernel(name: str, x_name: str, x_value: str, config: str) -> str:
    return line(kernel_name=name, x_name=x_name, x_value=x_value, extra_benchmark_config_str=config)


def axes(*lines: str) -> dict[str, int]:
    (workload,) = read(*lines).workloads
    return workload.spec.axes


ROPE = '"num_q_heads": 32, "num_kv_heads": 8, "dtype": "torch.bfloat16"'


def test_guards_compare_without_conversion():
    silu = '{"B": 4, "hidden_size": 8, "intermediate_size": 16, "dtype": "torch.float32", "hidden_act": %s}'
    assert len(read(kernel("swiglu", "T", "16", silu % '"silu"')).runs) == 1
    assert read(kernel("swiglu", "T", "16", silu % '"gelu"')).runs == ()
    mta = '{"B": 2, "C_in": 4, "C_out": 4, "K": 3, "dtype": "torch.bfloat16", "groups": %s, "bias": %s}'
    assert len(read(kernel("multi_token_attention", "L", "16", mta % ("1.0", "true"))).runs) == 1
    assert read(kernel("multi_token_attention", "L", "16", mta % ("true", "true"))).runs == ()
    assert read(kernel("multi_token_attention", "L", "16", mta % ("1", "1"))).runs == ()


def test_divisibility_is_a_guard():
    assert axes(kernel("rope", "T", "128", '{"hidden_size": 64, ' + ROPE + "}"))["hidden"] == 64
    assert read(kernel("rope", "T", "128", '{"hidden_size": 65, ' + ROPE + "}")).runs == ()


def test_a_fixed_float_type_ignores_the_config():
    (workload,) = read(kernel("cross_entropy", "V", "512", '{"B": 8.0, "T": 16, "dtype": "torch.bfloat16"}')).workloads
    assert workload.spec.axes == {"tokens": 128, "vocab": 512}
    assert workload.spec.tensors["logits"].dtype == "fp32"
    assert workload.spec.tensors["target"].dtype == "int64"


def test_rope_binds_by_the_swept_variable():
    both = '{"seq_len": 64, "hidden_size": 96, ' + ROPE + "}"
    assert axes(kernel("rope", "T", "128", both)) == {"seq": 128, "hidden": 96, "q_heads": 32, "kv_heads": 8}
    assert axes(kernel("rope", "H", "128", both)) == {"seq": 64, "hidden": 128, "q_heads": 32, "kv_heads": 8}
    assert axes(kernel("rope", "D", "128", both)) == {"seq": 64, "hidden": 96, "q_heads": 32, "kv_heads": 8}
    assert read(kernel("rope", "D", "128", '{"seq_len": 64, ' + ROPE + "}")).runs == ()


def test_products_and_derived_axes_stay_within_the_safe_integers():
    big = '{"B": 9007199254740991, "T": 2}'
    assert read(kernel("kl_div", "V", "512", big)).runs == ()
    grpo = '{"T": 9007199254740991, "V": 2, "importance_sampling_level": "token", "dtype": "torch.bfloat16"}'
    assert read(kernel("fused_linear_grpo_loss_token", "B", "2", grpo)).runs == ()


def test_constant_scalars():
    (workload,) = read(kernel("megatron_rms_norm", "H", "512", '{"S": 64, "B": 2}')).workloads
    assert workload.spec.scalars["eps"].value == 1e-06
    assert workload.metadata.title == "RMSNorm, Megatron layout · seq=64, batch=2, hidden=512 · bf16"


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-02-03 04:05:06", "2026-02-03T04:05:06.000Z"),
        ("2026-02-03T04:05:06Z", "2026-02-03T04:05:06.000Z"),
        ("2026-02-03 04:05", "2026-02-03T04:05:00.000Z"),
        ("2026-02-03 04:05:06.9999", "2026-02-03T04:05:06.999Z"),
        ("2026-02-03 04:05:06.7", "2026-02-03T04:05:06.700Z"),
        ("2026-02-03 04:05:06+05:30", "2026-02-02T22:35:06.000Z"),
        ("0099-12-31 23:30:00-01:00", "0100-01-01T00:30:00.000Z"),
    ],
)
def test_timestamps(text, instant):
    assert only_run(read(line(timestamp=text))).spec.observed_at == instant


def test_names_are_cut_last_and_may_end_in_a_hyphen():
    name = only_run(read(line(kernel_provider="torch", timestamp="2026-02-03 04:05:06"))).metadata.name
    assert len(name) <= 100
    run = only_run(
        read(
            kernel(
                "fused_neighborhood_attention",
                "seq_len",
                "1024",
                '{"batch_size": 2, "hidden_size": 512, "num_heads": 8, "kernel_size": 7, "dilation": 1, "bias": true, '
                '"dtype": "torch.float32"}',
            )
        )
    )
    assert len(run.metadata.name) == 100


def test_a_repeated_case_with_other_scalars_is_told():
    other = '{"M": 2048, "dtype": "torch.bfloat16", "eps": 1e-05}'
    imported = read(line(), line(extra_benchmark_config_str=other, timestamp="2026-03-03 04:05:06"))
    assert [each.reason for each in imported.skipped] == ["scalars-differ"]
    # A row that is left out for another reason does not claim the case.
    imported = read(line(y_value_50="0"), line(extra_benchmark_config_str=other))
    assert only_run(imported)


def test_a_text_too_long_for_the_contract():
    imported = read(line(liger_version="9" * 201), line())
    assert [(each.reason, each.line) for each in imported.skipped] == [("invalid", 2)]
    assert imported.findings[0].line == 2
    assert len(imported.runs) == 1


def test_runs_without_a_source_of_doubt_have_no_traps():
    imported = read(line(), line(x_value="2048"))
    assert imported.trap_summary() == []
    assert imported.brief_report.ok


def test_repeats_are_no_trap_but_counted():
    imported = read(line(), line(timestamp="2026-02-04 04:05:06"))
    (group,) = imported.indistinct
    assert group.differ is None
    assert imported.trap_findings == ()
    assert [each.severity for each in imported.brief_report.findings] == [Severity.NOTE]


def test_progress_is_told():
    told = []
    data = ",".join(COLUMNS) + "\n" + line(metric_name="memory") * 450
    import_stream(LigerSource(), io.BytesIO(data.encode()), "x.csv", progress=told.append)
    assert told == [200, 400]


def test_digests_chain():
    imported = import_csv(FIXTURE)
    known = {digest(each) for each in imported.manifests()}
    for record in imported.runs:
        spec = record.run.spec
        assert {
            spec.protocol_digest,
            spec.environment_digest,
            spec.workload_digest,
            spec.implementation_digest,
        } <= known
    operations = {digest(each) for each in imported.operations}
    assert {each.spec.operation_spec_digest for each in imported.workloads} <= operations
