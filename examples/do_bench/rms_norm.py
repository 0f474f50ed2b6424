"""Time a Triton RMSNorm, forward and backward, and write a bench record of each.

Needs a CUDA GPU, torch and triton, and ``pip install 'kernelindex-schema[measure]'``::

    python rms_norm.py --output records
    kix-schema check records
    kix-schema assemble records/rms-norm-forward.json
"""

from __future__ import annotations

import argparse
import os

import torch
import triton
import triton.language as tl
from triton.testing import do_bench

from kernelindex_schema import write
from kernelindex_schema.sources.measured import bench_record, do_bench_protocol, environment, latency_from_ms

HARNESS = "kernelindex-schema examples"
EPS = 1e-6
# What a result must meet, element by element: |result - reference| <= absolute + relative * |reference|.
BOUNDS = {"comparator": "allclose", "maxAbsoluteError": 0.01, "maxRelativeError": 0.01, "requiredMatchedRatio": 1.0}
QUANTILES = [0.5, 0.2, 0.8]


@triton.jit
def forward_kernel(x, weight, y, scales, row_stride, hidden, eps, block: tl.constexpr):
    """One program a row: y = x * weight / sqrt(mean(x^2) + eps), computed in fp32. Keeps 1/sqrt(…) of each row."""
    row = tl.program_id(0)
    start = row.to(tl.int64) * row_stride
    columns = tl.arange(0, block)
    inside = columns < hidden
    values = tl.load(x + start + columns, mask=inside, other=0.0).to(tl.float32)
    weights = tl.load(weight + columns, mask=inside, other=0.0).to(tl.float32)
    scale = 1.0 / tl.sqrt(tl.sum(values * values, axis=0) / hidden + eps)
    tl.store(scales + row, scale)
    tl.store(y + start + columns, (values * scale * weights).to(y.dtype.element_ty), mask=inside)


@triton.jit
def backward_kernel(dy, x, weight, scales, dx, partials, row_stride, rows, hidden, block: tl.constexpr):
    """Each program takes every n-th row and adds up its share of the weight's gradient: no atomics."""
    program = tl.program_id(0)
    columns = tl.arange(0, block)
    inside = columns < hidden
    weights = tl.load(weight + columns, mask=inside, other=0.0).to(tl.float32)
    share = tl.zeros((block,), dtype=tl.float32)
    start = program.to(tl.int64) * row_stride
    for row in range(program, rows, tl.num_programs(0)):
        upstream = tl.load(dy + start + columns, mask=inside, other=0.0).to(tl.float32)
        values = tl.load(x + start + columns, mask=inside, other=0.0).to(tl.float32)
        scale = tl.load(scales + row)
        normal = values * scale
        scaled = upstream * weights
        gradient = (scaled - normal * (tl.sum(scaled * normal, axis=0) / hidden)) * scale
        tl.store(dx + start + columns, gradient.to(dx.dtype.element_ty), mask=inside)
        share += upstream * normal
        start += tl.num_programs(0).to(tl.int64) * row_stride
    tl.store(partials + program.to(tl.int64) * hidden + columns, share, mask=inside)


def forward(x, weight, y, scales):
    """Fill y and scales."""
    rows, hidden = x.shape
    forward_kernel[(rows,)](
        x, weight, y, scales, x.stride(0), hidden, EPS, block=triton.next_power_of_2(hidden), num_warps=16
    )


def backward(dy, x, weight, scales, dx, partials):
    """Fill dx and return the gradient of the weight."""
    rows, hidden = x.shape
    backward_kernel[(len(partials),)](
        dy, x, weight, scales, dx, partials, x.stride(0), rows, hidden,
        block=triton.next_power_of_2(hidden), num_warps=16,
    )  # fmt: skip
    return partials.sum(0).to(weight.dtype)


def reference(x, weight, dy):
    """y, dx and the gradient of the weight in float64, by torch's own autograd."""
    x, weight = x.double().requires_grad_(), weight.double().requires_grad_()
    y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPS) * weight
    y.backward(dy.double())
    return y.detach(), x.grad, weight.grad


def compared(*pairs):
    """How near results came to their references, as a run states it; stops where they are not near enough."""
    worst, matched, count = 0.0, 0, 0
    for result, wanted in pairs:
        error = (result.double() - wanted).abs()
        bound = BOUNDS["maxAbsoluteError"] + BOUNDS["maxRelativeError"] * wanted.abs()
        worst = max(worst, error.max().item())
        matched += (error <= bound).sum().item()  # a NaN, such as in an element never written, is not
        count += error.numel()
    print(f"  largest absolute error {worst:.3g}, {matched} of {count} elements within bounds")
    if matched != count:
        raise SystemExit("the kernel is wrong: nothing is recorded")
    return {"comparator": "allclose", "maximumAbsoluteError": worst, "matchedRatio": 1.0}


def main():
    options = argparse.ArgumentParser(description="Time a Triton RMSNorm and write a bench record of each pass.")
    options.add_argument("--rows", type=int, default=16384)
    options.add_argument("--hidden", type=int, default=8192)
    options.add_argument("--output", default=".", metavar="FOLDER")
    arguments = options.parse_args()
    rows, hidden = arguments.rows, arguments.hidden

    torch.manual_seed(7)
    x, dy = (torch.randn(rows, hidden, device="cuda").bfloat16() for _ in range(2))
    weight = torch.randn(hidden, device="cuda").bfloat16()
    y, dx = (torch.full_like(x, float("nan")) for _ in range(2))
    scales = torch.full((rows,), float("nan"), device="cuda")
    processors = torch.cuda.get_device_properties(0).multi_processor_count
    partials = torch.full((processors, hidden), float("nan"), device="cuda")

    print(f"RMSNorm, {rows} rows of {hidden}, bf16, on {torch.cuda.get_device_name(0)}")
    forward(x, weight, y, scales)
    dweight = backward(dy, x, weight, scales, dx, partials)
    wanted_y, wanted_dx, wanted_dweight = reference(x, weight, dy)
    passes = {
        "forward": (
            "the forward pass, into memory allocated before",
            lambda: forward(x, weight, y, scales),
            compared((y, wanted_y)),
            2 * x.nbytes,
        ),
        "backward": (
            "the backward pass given an upstream gradient, into memory allocated before, the sum of the partial weight "
            "gradients included",
            lambda: backward(dy, x, weight, scales, dx, partials),
            compared((dx, wanted_dx), (dweight, wanted_dweight)),
            3 * x.nbytes,
        ),
    }
    del wanted_y, wanted_dx, wanted_dweight

    place = environment()
    os.makedirs(arguments.output, exist_ok=True)
    for name, (timed, call, result, moved) in passes.items():
        # Without quantiles do_bench would return the mean.
        p50, p20, p80 = do_bench(call, warmup=25, rep=100, quantiles=QUANTILES)
        record = bench_record(
            operation="liger-rms-norm",
            inputs={"x": x, "weight": weight},
            scalars={"eps": {"dtype": "fp32", "value": EPS}},
            project={"name": HARNESS},
            implementation={
                "name": f"Example RMSNorm {name}",
                "language": "triton",
                "path": "examples/do_bench/rms_norm.py",
                "symbol": name,
                "license": "Apache-2.0",
            },
            protocol=do_bench_protocol(HARNESS, timed=timed, warmup_ms=25, rep_ms=100, name=f"{HARNESS} {name}"),
            latency=latency_from_ms(
                p50, p20=p20, p80=p80, source="kernelindex-schema-examples", benchmark=f"rms_norm/{name}"
            ),
            environment=place,
            correctness=BOUNDS,
            result=result,
        )
        path = os.path.join(arguments.output, f"rms-norm-{name}.json")
        write(record, path)
        print(f"  {name}: median {p50 * 1e3:.2f} us (p20 {p20 * 1e3:.2f}, p80 {p80 * 1e3:.2f}), "
              f"{moved / p50 / 1e9:.2f} TB/s, {path}")  # fmt: skip


if __name__ == "__main__":
    main()
