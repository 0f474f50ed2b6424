"""Records as a catalog holds them, made from a seed: any number of them, the same ones each time.

Two sorts come in turns. Most are taken from published sweeps: milliseconds of single precision as the source wrote
them, quantiles, an id with the instant. Some come from a harness of its own: statistics over samples, correctness,
evidence. Kernels, providers, shapes, GPUs and dates are drawn, so that tokens and many digests repeat, while names,
runs and figures do not. None is at fault, and none repeats another.
"""

from __future__ import annotations

import hashlib
import random
import struct
from collections.abc import Iterator
from typing import Any

import msgspec

API = "kernelindex.dev/v1alpha1"
KERNELS = ("rope", "rms_norm", "swiglu", "cross_entropy", "fused_linear_jsd", "embedding", "layer_norm", "kto_loss")
PROVIDERS = ("liger", "huggingface", "torch", "torch_compile", "megatron")
MODES = ("forward", "backward", "full")
GPUS = (
    ("NVIDIA A100", "sm_80", "SXM4-80GB"),
    ("NVIDIA H100", "sm_90", "80GB HBM3"),
    ("NVIDIA H100", "sm_90", "PCIe"),
    ("NVIDIA B200", "sm_100", None),
)
OWN_HARNESS = 6
"""One in so many records comes from a harness of its own."""


def _digest(*words: object) -> str:
    return "sha256:" + hashlib.sha256(repr(words).encode()).hexdigest()


def _identity(manifest: dict[str, Any]) -> str:
    import rfc8785

    body = {key: manifest[key] for key in ("apiVersion", "kind", "spec")}
    return "sha256:" + hashlib.sha256(rfc8785.dumps(body)).hexdigest()


def _single(number: float) -> float:
    """The nearest number of single precision, as timers of CUDA give them."""
    value: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return value


def _protocol(mode: str) -> dict[str, Any]:
    return {
        "kind": "BenchmarkProtocol",
        "spec": {
            "harness": {"name": "kernel benchmark scripts", "repository": "https://github.com/example-org/kernels"},
            "measurement": {"timer": "cuda_events", "primaryStatistic": "median"},
            "comparability": {
                "notes": f"Timed: the {mode} pass of the module, via do_bench with quantiles 0.5/0.2/0.8 (median with "
                "p20/p80 spread). Comparable only within one kernel, workload, timed pass and GPU.",
                "family": "kernel_bench",
            },
        },
        "metadata": {"name": f"bench-{mode}", "title": f"Benchmark harness · {mode} pass"},
        "apiVersion": API,
    }


def _environment(product: str, architecture: str, form: str | None) -> dict[str, Any]:
    hardware = {"vendor": "nvidia", "product": product, "architecture": architecture}
    if form:
        hardware["formFactor"] = form
    slug = "-".join(f"{product} {form or ''}".lower().split())
    return {
        "kind": "ExecutionEnvironment",
        "spec": {"hardware": hardware, "software": {}},
        "metadata": {"name": f"bench-{slug}", "title": f"Benchmark host · {product}"},
        "apiVersion": API,
    }


class Catalog:
    """Records that differ in kernel, provider, shape, GPU, time and figures, as those of real sweeps do."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._protocols = {mode: _protocol(mode) for mode in MODES}
        self._environments = [_environment(*gpu) for gpu in GPUS]
        self._digests = {id(each): _identity(each) for each in (*self._protocols.values(), *self._environments)}
        self._number = 0

    def record(self) -> dict[str, Any]:
        """The next record."""
        pick, number = self._random, self._number
        self._number += 1
        kernel, provider, mode = pick.choice(KERNELS), pick.choice(PROVIDERS), pick.choice(MODES)
        environment, protocol = pick.choice(self._environments), self._protocols[mode]
        rows, hidden = 2 ** pick.randint(8, 16), 2 ** pick.randint(9, 14)
        case = f"hidden{hidden}-rows{rows}-bf16"
        day, second = number // 3_000 % 336, number * 29 % 86_400
        date = f"2025-{day // 28 + 1:02}-{day % 28 + 1:02}"
        clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        name = f"{kernel}-{mode}-{provider}-{number}-{environment['metadata']['name']}-{case}".replace("_", "-")
        median = pick.lognormvariate(0, 1.5)
        spec: dict[str, Any] = {"status": "passed"}
        if number % OWN_HARNESS:
            spec |= self._of_a_sweep(median, f"{date}T{clock}.000Z")
            spec["sourceNative"]["benchmark"] = f"{kernel}/{mode}"
            moment = f"{date}-{clock.replace(':', '-')}"
            spec["sourceNative"]["externalId"] = f"{kernel}/{mode}/{provider}/gpu/{case}/{moment}"
        else:
            spec |= self._of_a_harness(median, f"{date}T{clock}Z")
        spec |= {
            "protocolDigest": self._digests[id(protocol)],
            "workloadDigest": _digest(kernel, rows, hidden),
            "environmentDigest": self._digests[id(environment)],
            "implementationDigest": _digest(kernel, provider, day),
        }
        metadata = {
            "name": name[:100].rstrip("-"),
            "title": f"{kernel} · {provider} · {mode}",
            "labels": {"release": f"0.{day}.1"},
        }
        run = {"kind": "BenchmarkRun", "spec": spec, "metadata": metadata, "apiVersion": API}
        return {"run": run, "protocol": protocol, "environment": environment}

    def _of_a_sweep(self, median: float, observed: str) -> dict[str, Any]:
        pick = self._random
        low, middle, high = (_single(median * by) for by in (pick.uniform(0.97, 0.999), 1, pick.uniform(1.001, 1.03)))
        return {
            "timing": {"latencyNs": {"median": round(middle * 1e6)}, "primaryStatistic": "median"},
            "observedAt": observed,
            "measurements": [
                {"unit": "ns", "value": round(low * 1e6), "metric": "latency", "statistic": "p20"},
                {"unit": "ns", "value": round(high * 1e6), "metric": "latency", "statistic": "p80"},
            ],
            "sourceNative": {"source": "kernel-bench", "metrics": {"ms_20": low, "ms_50": middle, "ms_80": high}},
        }

    def _of_a_harness(self, median: float, observed: str) -> dict[str, Any]:
        pick = self._random
        nanoseconds = median * 1e6
        return {
            "timing": {
                "samples": 100,
                "primaryStatistic": "median",
                "latencyNs": {
                    "minimum": int(nanoseconds * 0.9),
                    "median": int(nanoseconds),
                    "mean": int(nanoseconds * 1.01),
                    "p95": int(nanoseconds * 1.2),
                    "maximum": int(nanoseconds * 1.5) + 1,
                },
            },
            "correctness": {
                "comparator": "elementwise_close",
                # From 1e-7, which ECMAScript writes in another way than Python, to 0.01.
                "maximumAbsoluteError": _single(10 ** pick.uniform(-7, -2)),
                "maximumRelativeError": pick.uniform(0, 0.01),
                "matchedRatio": 1 if pick.random() < 0.5 else pick.uniform(0.999, 1),
            },
            "measurements": [
                {"unit": "ns", "value": nanoseconds * 0.02 + 0.5, "metric": "latency", "statistic": "std"},
                {"unit": "bytes", "value": pick.randrange(1 << 34), "metric": "peak_memory", "statistic": "maximum"},
            ],
            "evidence": {"harness": {"repository": "https://github.com/example-org/kernels", "commit": "0123abcd" * 5}},
            "observedAt": observed,
        }

    def lines(self, count: int) -> Iterator[bytes]:
        """So many more records as lines of JSON."""
        for _ in range(count):
            yield msgspec.json.encode(self.record()) + b"\n"
