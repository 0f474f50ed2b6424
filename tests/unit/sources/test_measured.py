"""Tensors, devices and drivers are played here: nothing of torch or NVML is needed."""

from __future__ import annotations

import sys
import types
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from kernelindex_schema.assembly import assemble
from kernelindex_schema.errors import InvalidDocument, KernelIndexError
from kernelindex_schema.identity import digest
from kernelindex_schema.loading import decode, encode, write
from kernelindex_schema.sources.latency import nanoseconds
from kernelindex_schema.sources.liger import known_operation
from kernelindex_schema.sources.measured import bench_record, do_bench_protocol, environment, latency_from_ms
from kernelindex_schema.sources.tensors import describe
from kernelindex_schema.v1alpha1 import BenchRecord, WorkloadTensor


class Tensor:
    """A torch tensor as far as it is asked."""

    def __init__(self, *shape: int, dtype: str = "torch.bfloat16", strides: tuple[int, ...] | None = None) -> None:
        self.shape = shape
        self.dtype = dtype
        self._strides = strides

    def is_contiguous(self) -> bool:
        return self._strides is None

    def stride(self) -> tuple[int, ...]:
        return self._strides


class Array:
    """A numpy array as far as it is asked."""

    def __init__(self, shape: tuple[int, ...], dtype: str, itemsize: int, strides: tuple[int, ...] | None) -> None:
        self.shape, self.dtype, self.itemsize, self.strides = shape, dtype, itemsize, strides
        self.flags = types.SimpleNamespace(c_contiguous=strides is None)


PLACE = {"hardware": {"vendor": "nvidia", "product": "NVIDIA H100", "architecture": "sm_90"}, "software": {}}


def given(**changes):
    """What a sound call is given, with changes; None takes an argument away."""
    arguments = {
        "operation": "liger-rms-norm",
        "inputs": {"x": Tensor(2048, 4096), "weight": Tensor(4096)},
        "scalars": {"eps": {"dtype": "fp32", "value": 1e-6}},
        "project": {"name": "Anvil"},
        "implementation": {"name": "Anvil RMSNorm", "language": "triton"},
        "protocol": do_bench_protocol("anvil-bench", timed="the forward pass"),
        "latency": latency_from_ms(0.0125, p20=0.012, p80=0.013, source="anvil-bench"),
        "environment": PLACE,
        "observed_at": "2026-05-06T07:08:09Z",
    } | changes
    return {name: value for name, value in arguments.items() if value is not None}


def faults(**changes) -> list[tuple[str, str]]:
    with pytest.raises(InvalidDocument) as caught:
        bench_record(**given(**changes))
    for finding in caught.value.report.findings:
        assert finding.message in str(caught.value)
    return [(each.rule, each.path) for each in caught.value.report.findings]


class TestLatency:
    def test_half_a_nanosecond_goes_up(self):
        assert nanoseconds(46.8328125) == 46832813
        assert nanoseconds(0.0000005) == 1
        assert nanoseconds(0.0000015) == 2
        assert nanoseconds(0.4102399945259094) == 410240
        assert nanoseconds(4503599627.370497) == 4503599627370497

    def test_three_places_agree(self):
        latency = latency_from_ms(
            0.4102399945259094,
            p20=0.40871042013168335,
            p80=0.4119040071964264,
            samples=100,
            source="anvil-bench",
            benchmark="rope/backward",
            external_id="42",
        )
        assert latency.timing.primary_statistic == "median"
        assert latency.timing.samples == 100
        assert latency.timing.latency_ns.median == 410240
        assert [(each.metric, each.unit, each.statistic, each.value) for each in latency.measurements] == [
            ("latency", "ns", "p20", 408710),
            ("latency", "ns", "p80", 411904),
        ]
        assert latency.source_native.metrics == {
            "ms_50": 0.4102399945259094,
            "ms_20": 0.40871042013168335,
            "ms_80": 0.4119040071964264,
        }
        assert (latency.source_native.benchmark, latency.source_native.external_id) == ("rope/backward", "42")

    def test_mean_alone(self):
        latency = latency_from_ms(mean_ms=0.25, source="anvil-bench")
        assert latency.timing.primary_statistic == "mean"
        assert latency.timing.latency_ns.mean == 250_000
        assert latency.timing.latency_ns.median is msgspec.UNSET
        assert latency.measurements is msgspec.UNSET
        assert latency.source_native.metrics == {"mean_ms": 0.25}

    def test_without_a_source_there_is_nothing_native(self):
        assert latency_from_ms(0.25).source_native is msgspec.UNSET

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({}, "neither median_ms nor mean_ms"),
            ({"p20": 0.1, "p80": 0.2}, "neither median_ms nor mean_ms"),
            ({"median_ms": 0.2, "p20": 0.3}, "out of order"),
            ({"median_ms": 0.2, "p80": 0.1}, "out of order"),
            ({"mean_ms": 0.2, "p20": 0.3, "p80": 0.1}, "out of order"),
            ({"median_ms": float("nan")}, "median_ms is nan ms"),
            ({"median_ms": float("inf")}, "which no latency is"),
            ({"median_ms": -0.1}, "which no latency is"),
            ({"median_ms": True}, "expected a number"),
            ({"median_ms": "0.1"}, "expected a number"),
            ({"median_ms": [0.1, 0.2]}, "expected a number"),
            ({"median_ms": 1e12}, "which no latency is"),
            ({"median_ms": 0.1, "samples": 0}, "samples is 0"),
            ({"median_ms": 0.1, "benchmark": "x"}, "name it with source"),
        ],
    )
    def test_faults(self, arguments, words):
        with pytest.raises(ValueError, match=words):
            latency_from_ms(**arguments)

    def test_faults_come_together(self):
        with pytest.raises(ValueError, match=r"neither.*; p20 is.*; samples is"):
            latency_from_ms(p20=-1, samples=0)


class TestProtocol:
    def test_what_is_timed_is_part_of_the_identity(self):
        forward = bench_record(**given())
        backward = bench_record(**given(protocol=do_bench_protocol("anvil-bench", timed="the backward pass")))
        runs = [assemble(each).runs[0] for each in (forward, backward)]
        assert digest(runs[0].protocol) != digest(runs[1].protocol)
        assert runs[0].protocol.metadata.name == "anvil-bench-do-bench-the-forward-pass"

    def test_what_it_states(self):
        protocol = do_bench_protocol({"name": "anvil-bench", "version": "2.1"}, timed="the forward pass", warmup_ms=50)
        assert protocol.harness.version == "2.1"
        assert protocol.measurement.timer == "cuda_events"
        assert protocol.measurement.warmup_duration == 50_000_000
        assert protocol.measurement.primary_statistic == "median"
        assert protocol.comparability.family == "triton_do_bench"
        assert protocol.comparability.notes == (
            "Timed: the forward pass, via triton.testing.do_bench with quantiles 0.5/0.2/0.8, rep = 100 ms; "
            "primary: median."
        )

    def test_nothing_timed(self):
        with pytest.raises(ValueError, match="timed is empty"):
            do_bench_protocol("anvil-bench", timed=" ")


class TestTensors:
    def test_contiguous_tensors_have_no_strides(self):
        assert describe(Tensor(4, 8)) == {"shape": [4, 8], "dtype": "bf16"}
        assert describe(Tensor(4, 8, strides=(1, 4))) == {"shape": [4, 8], "dtype": "bf16", "strides": [1, 4]}

    def test_numpy_strides_are_bytes(self):
        assert describe(Array((4, 8), "float32", 4, None)) == {"shape": [4, 8], "dtype": "fp32"}
        assert describe(Array((4, 8), "float32", 4, (4, 16)))["strides"] == [1, 4]

    def test_what_does_not_tell_its_layout(self):
        bare = types.SimpleNamespace(shape=(3,), dtype="torch.float8_e4m3fn")
        assert describe(bare) == {"shape": [3], "dtype": "fp8_e4m3"}

    def test_described_ones_stand(self):
        assert describe({"shape": [3], "dtype": "nf4"}) == {"shape": [3], "dtype": "nf4"}
        assert describe(WorkloadTensor(shape=(3,), dtype="nf4")) == {"shape": (3,), "dtype": "nf4"}

    @pytest.mark.parametrize("tensor", [7, "x", Tensor(dtype="torch.float32"), Tensor(3, dtype="torch.quint8"), [1, 2]])
    def test_faults(self, tensor):
        with pytest.raises(ValueError, match=r"."):
            describe(tensor)


class TestBenchRecord:
    def test_it_assembles(self):
        record = bench_record(**given())
        assert isinstance(record, BenchRecord)
        assert record.operation.spec_digest == digest(known_operation("liger-rms-norm"))
        assert record.workload.axes == {"rows": 2048, "hidden": 4096}
        (submitted,) = assemble(record).runs
        assert submitted.run.spec.timing.latency_ns.median == 12500
        assert submitted.run.spec.source_native.metrics["ms_20"] == 0.012

    @pytest.mark.parametrize("format", ["json", "yaml", "toml"])
    def test_it_is_written_and_read_again(self, format):
        record = bench_record(**given())
        assert decode(encode(record, format=format), format=format) == record

    def test_operation_by_manifest_file_or_digest(self, tmp_path):
        operation = known_operation("liger-rms-norm")
        write(operation, tmp_path / "operation.json")
        wanted = bench_record(**given())
        assert bench_record(**given(operation=operation)) == wanted
        assert bench_record(**given(operation=tmp_path / "operation.json")) == wanted
        assert bench_record(**given(operation=str(tmp_path / "operation.json"))) == wanted
        assert bench_record(**given(operation=digest(operation), axes={"rows": 2048, "hidden": 4096})) == wanted

    def test_a_file_of_something_else(self, tmp_path):
        write(bench_record(**given()), tmp_path / "bench.json")
        assert faults(operation=tmp_path / "bench.json") == [
            ("KIX104", "workload"),
            ("KIX106", "operation.specDigest"),
        ]

    def test_an_unknown_slug(self):
        assert ("KIX106", "operation.specDigest") in faults(operation="liger-rms-nrom")

    def test_a_digest_tells_no_shapes(self):
        assert faults(operation="sha256:" + "a" * 64) == [("KIX104", "workload")]

    def test_every_gap_at_once(self):
        with pytest.raises(InvalidDocument) as caught:
            bench_record()
        missing = [each.message.removesuffix(" is missing") for each in caught.value.report.findings]
        assert len(missing) == 15
        assert {"project.name", "operation.specDigest", "workload.tensors", "run.timing.latencyNs"} <= set(missing)

    def test_gaps_and_contradictions_come_together(self):
        assert faults(
            inputs={"x": Tensor(2048, 4096), "weights": Tensor(4096)}, project=None, axes={"rows": 1024, "hidden": 4096}
        ) == [
            ("KIX104", "project"),
            ("KIX608", "workload.tensors"),
            ("KIX608", "workload.tensors.weights"),
            ("KIX609", "workload.axes.rows"),
        ]

    def test_shapes_that_contradict(self):
        assert faults(inputs={"x": Tensor(2048, 4096), "weight": Tensor(4095)}) == [("KIX609", "workload.axes.hidden")]

    def test_rank_and_literal_extents(self):
        assert faults(inputs={"x": Tensor(2048, 4096), "weight": Tensor(1, 4096)}) == [
            ("KIX609", "workload.tensors.weight.shape")
        ]
        q, k = Tensor(2, 32, 128, 64), Tensor(1, 8, 128, 64)
        assert faults(operation="liger-rope", inputs={"q": q, "k": k}, axes={"hidden": 2048}) == [
            ("KIX609", "workload.tensors.q.shape[0]")
        ]

    def test_derived_axes_are_checked_and_never_inverted(self):
        heads = {"q": Tensor(1, 32, 128, 64), "k": Tensor(1, 8, 128, 64)}
        assert faults(operation="liger-rope", inputs=heads) == [("KIX606", "workload.axes")]
        assert faults(operation="liger-rope", inputs=heads, axes={"hidden": 4096}) == [
            ("KIX609", "workload.axes.head_dim")
        ]
        record = bench_record(**given(operation="liger-rope", inputs=heads, axes={"hidden": 2048}))
        assert record.workload.axes == {"q_heads": 32, "seq": 128, "kv_heads": 8, "hidden": 2048}

    def test_fixed_element_types(self):
        ids = {"input_ids": Tensor(2, 8, dtype="torch.int32"), "weight": Tensor(32, 4)}
        assert faults(operation="liger-embedding", inputs=ids) == [("KIX608", "workload.tensors.input_ids.dtype")]

    def test_tensors_that_are_none(self):
        assert faults(inputs={"x": 7, "weight": Tensor(4096)}) == [("KIX105", "workload.tensors.x")]

    def test_values_of_the_wrong_type(self):
        assert faults(axes={"rows": "2048"}) == [("KIX105", "workload.axes.rows")]
        assert faults(scalars={"eps": 1e-6}) == [("KIX105", "workload.scalars.eps")]
        assert faults(implementation={"name": "x", "language": "Triton"}) == [("KIX106", "implementation.language")]

    def test_correctness_and_result(self):
        record = bench_record(
            **given(
                correctness={"comparator": "elementwise_close", "maxAbsoluteError": 0.01},
                result={"comparator": "elementwise_close", "maximumAbsoluteError": 0.002},
            )
        )
        assert record.workload.correctness.max_absolute_error == 0.01
        assert record.run.correctness.maximum_absolute_error == 0.002
        assert bench_record(**given()).workload.correctness.comparator == "not_asserted"

    def test_the_instant(self):
        assert bench_record(**given()).run.observed_at == "2026-05-06T07:08:09Z"
        now = bench_record(**given(observed_at=None)).run.observed_at
        assert abs(datetime.now(UTC) - datetime.fromisoformat(now)) < timedelta(minutes=5)
        zoned = datetime(2026, 5, 6, 7, 8, 9, tzinfo=timezone(timedelta(hours=2)))
        assert bench_record(**given(observed_at=zoned)).run.observed_at == "2026-05-06T05:08:09Z"
        assert faults(observed_at=datetime(2026, 5, 6, 7, 8, 9)) == [("KIX106", "run.observedAt")]
        assert faults(observed_at="2026-05-06 07:08:09") == [("KIX106", "run.observedAt")]


class NVMLError(Exception):
    pass


def nvml(**changes):
    """NVML as far as it is asked, of one machine."""

    def refuse(*arguments):
        raise NVMLError("Not Supported")

    module = types.SimpleNamespace(
        NVMLError=NVMLError,
        nvmlInit=lambda: None,
        nvmlShutdown=lambda: None,
        nvmlSystemGetDriverVersion=lambda: "580.159.03",
        nvmlDeviceGetCount=lambda: 1,
        nvmlDeviceGetHandleByIndex=lambda index: f"index {index}",
        nvmlDeviceGetHandleByUUID=lambda uuid: f"uuid {uuid}",
        nvmlDeviceGetName=lambda handle: "NVIDIA H200",
        nvmlDeviceGetCudaComputeCapability=lambda handle: (9, 0),
        nvmlDeviceGetMemoryInfo=lambda handle: types.SimpleNamespace(total=150754820096),
        nvmlDeviceGetEnforcedPowerLimit=lambda handle: 700000,
        nvmlDeviceGetPersistenceMode=lambda handle: 1,
        nvmlDeviceGetEccMode=lambda handle: [1, 1],
    )
    for name, value in changes.items():
        setattr(module, name, refuse if value is None else value)
    return module


@pytest.fixture
def machine(monkeypatch):
    for name in ("torch", "triton"):
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, name)

    def play(torch=None, triton=None, **changes):
        monkeypatch.setitem(sys.modules, "pynvml", nvml(**changes))
        for name, module in (("torch", torch), ("triton", triton)):
            if module is not None:
                monkeypatch.setitem(sys.modules, name, module)

    return play


def torch_module(**properties):
    return types.SimpleNamespace(
        __version__="2.11.0+cu130",
        version=types.SimpleNamespace(cuda="13.0"),
        cuda=types.SimpleNamespace(get_device_properties=lambda device: types.SimpleNamespace(**properties)),
    )


class TestEnvironment:
    def test_what_the_driver_tells(self, machine):
        machine()
        assert msgspec.to_builtins(environment()) == {
            "hardware": {
                "vendor": "nvidia",
                "product": "NVIDIA H200",
                "architecture": "sm_90",
                "memoryBytes": 150754820096,
            },
            "software": {"driver": "580.159.03"},
            "settings": {"powerLimitWatts": 700, "persistenceMode": True, "eccEnabled": True},
        }

    def test_products_of_the_table_are_taken_apart(self, machine):
        machine(nvmlDeviceGetName=lambda handle: b"NVIDIA H100 80GB HBM3")
        hardware = environment(name="box").hardware
        assert (hardware.product, hardware.form_factor) == ("NVIDIA H100", "80GB HBM3")

    def test_what_cannot_be_read_is_left_out(self, machine):
        machine(
            nvmlSystemGetDriverVersion=None,
            nvmlDeviceGetMemoryInfo=None,
            nvmlDeviceGetEnforcedPowerLimit=None,
            nvmlDeviceGetPersistenceMode=None,
            nvmlDeviceGetEccMode=None,
        )
        assert msgspec.to_builtins(environment()) == {
            "hardware": {"vendor": "nvidia", "product": "NVIDIA H200", "architecture": "sm_90"},
            "software": {},
        }

    def test_libraries_that_are_loaded(self, machine):
        machine(torch=torch_module(), triton=types.SimpleNamespace(__version__="3.6.0"))
        assert msgspec.to_builtins(environment().software) == {
            "driver": "580.159.03",
            "cudaToolkit": "13.0",
            "framework": {"name": "pytorch", "version": "2.11.0+cu130"},
            "libraries": {"triton": "3.6.0"},
        }

    def test_a_torch_without_cuda(self, machine):
        torch = torch_module()
        torch.version.cuda = None
        machine(torch=torch)
        assert environment().software.cuda_toolkit is msgspec.UNSET

    def test_which_gpu_a_device_is(self, machine):
        seen = []
        machine(
            torch=torch_module(uuid="1f3e"),
            nvmlDeviceGetCount=lambda: 8,
            nvmlDeviceGetName=lambda handle: seen.append(handle) or "NVIDIA H200",
        )
        environment(3)
        environment("GPU-77aa")
        assert seen == ["uuid GPU-1f3e", "uuid GPU-77aa"]

    def test_a_gpu_that_is_not_certain(self, machine):
        machine(nvmlDeviceGetCount=lambda: 2)
        with pytest.raises(KernelIndexError, match="give its UUID"):
            environment()

    def test_no_gpu(self, machine):
        machine(nvmlInit=None)
        with pytest.raises(KernelIndexError, match="no NVIDIA GPU can be read: Not Supported"):
            environment()

    def test_a_gpu_that_does_not_answer(self, machine):
        machine(nvmlDeviceGetName=None)
        with pytest.raises(KernelIndexError, match="GPU 0 cannot be read"):
            environment()

    def test_without_the_package(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pynvml", None)
        with pytest.raises(ImportError, match=r"pip install 'kernelindex-schema\[measure\]'"):
            environment()
