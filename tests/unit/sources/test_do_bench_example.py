"""The example's own script with torch, triton and the driver played: what it writes must check and assemble."""

from __future__ import annotations

import runpy
import sys
import types
from pathlib import Path

import pytest

from kernelindex_schema import check, read
from kernelindex_schema.assembly import assemble
from kernelindex_schema.identity import digest
from kernelindex_schema.sources.latency import nanoseconds
from kernelindex_schema.sources.liger import known_operation

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "do_bench" / "rms_norm.py"


class Number(float):
    def item(self):
        return float(self)


class Tensor:
    """Every result is exact here: only shapes and element types matter."""

    grad = property(lambda self: self)

    def __init__(self, *shape: int, dtype: str = "torch.float32") -> None:
        self.shape, self.dtype, self.nbytes = shape, dtype, 1 << 20

    def __len__(self) -> int:
        return self.shape[0]

    def numel(self) -> int:
        return 1

    def is_contiguous(self) -> bool:
        return True

    def stride(self, dimension: int) -> int:
        return self.shape[1]

    def bfloat16(self) -> Tensor:
        return Tensor(*self.shape, dtype="torch.bfloat16")

    def to(self, dtype: str) -> Tensor:
        return Tensor(*self.shape, dtype=dtype)

    def max(self) -> Number:
        return Number(0.0)

    def sum(self, *dimensions: int) -> Tensor | Number:
        return Tensor(*self.shape[1:]) if dimensions else Number(1.0)

    def __le__(self, other: object) -> Tensor:
        return self

    def _same(self, *arguments: object, **options: object) -> Tensor:
        return self

    double = requires_grad_ = square = mean = backward = detach = abs = _same
    __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = _same


@pytest.fixture
def played(monkeypatch):
    properties = types.SimpleNamespace(multi_processor_count=132)
    torch = types.SimpleNamespace(
        __version__="2.11.0+cu130",
        version=types.SimpleNamespace(cuda="13.0"),
        manual_seed=lambda seed: None,
        randn=lambda *shape, device: Tensor(*shape),
        full=lambda shape, value, device: Tensor(*shape),
        full_like=lambda tensor, value: Tensor(*tensor.shape, dtype=tensor.dtype),
        rsqrt=lambda tensor: tensor,
        cuda=types.SimpleNamespace(
            get_device_properties=lambda device: properties, get_device_name=lambda device: "NVIDIA H200"
        ),
    )

    class Kernel:
        def __init__(self, function):
            self.name = function.__name__

        def __getitem__(self, grid):
            return lambda *arguments, **options: launched.append((self.name, grid, options["block"]))

    launched: list[tuple[str, tuple[int, ...], int]] = []
    language = types.SimpleNamespace(constexpr=int)
    triton = types.SimpleNamespace(
        __version__="3.6.0", jit=Kernel, language=language, next_power_of_2=lambda size: 1 << (size - 1).bit_length()
    )

    def do_bench(call, *, warmup, rep, quantiles):
        call()
        assert (warmup, rep, quantiles) == (25, 100, [0.5, 0.2, 0.8])
        return [0.1311, 0.1302, 0.1325]

    nvml = types.SimpleNamespace(
        NVMLError=OSError,
        nvmlInit=lambda: None,
        nvmlShutdown=lambda: None,
        nvmlSystemGetDriverVersion=lambda: "580.159.03",
        nvmlDeviceGetCount=lambda: 1,
        nvmlDeviceGetHandleByIndex=lambda index: index,
        nvmlDeviceGetName=lambda handle: "NVIDIA H200",
        nvmlDeviceGetCudaComputeCapability=lambda handle: (9, 0),
        nvmlDeviceGetMemoryInfo=lambda handle: types.SimpleNamespace(total=150754820096),
        nvmlDeviceGetEnforcedPowerLimit=lambda handle: 700000,
        nvmlDeviceGetPersistenceMode=lambda handle: 1,
        nvmlDeviceGetEccMode=lambda handle: [1, 1],
    )
    for name, module in {
        "torch": torch,
        "triton": triton,
        "triton.language": language,
        "triton.testing": types.SimpleNamespace(do_bench=do_bench),
        "pynvml": nvml,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    return launched


def test_it_writes_a_record_of_each_pass(played, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(sys, "argv", ["rms_norm.py", "--rows", "512", "--hidden", "1000", "--output", str(tmp_path)])
    from kernelindex_schema import loading

    written = {}
    monkeypatch.setattr(loading, "write", lambda record, path: written.update({Path(path).name: record}))
    runpy.run_path(str(SCRIPT), run_name="__main__")
    assert set(written) == {"rms-norm-forward.json", "rms-norm-backward.json"}
    assert played[0] == ("forward_kernel", (512,), 1024)
    assert played[1] == ("backward_kernel", (132,), 1024)
    submissions = {name: assemble(record) for name, record in written.items()}
    for submission in submissions.values():
        (record,) = submission.runs
        assert record.run.spec.timing.latency_ns.median == 131_100
        (workload,) = submission.workloads
        assert workload.spec.operation_spec_digest == digest(known_operation("liger-rms-norm"))
        assert workload.spec.axes == {"rows": 512, "hidden": 1000}
    digests = {digest(each.runs[0].protocol) for each in submissions.values()}
    assert len(digests) == 2
    assert "512 rows of 1000" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["forward", "backward"])
def test_the_records_that_were_measured_still_assemble_to_their_submissions(name):
    measured = SCRIPT.parent / "h200"
    record = read(measured / f"rms-norm-{name}.json")
    assert assemble(record) == read(measured / f"submission-{name}.json")
    assert check(measured / f"submission-{name}.json").findings == ()
    timing = record.run.timing.latency_ns.median
    assert timing == nanoseconds(record.run.source_native.metrics["ms_50"])
