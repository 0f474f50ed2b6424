"""Records as a catalog holds them, made from a seed: any number of them, the same ones each time."""

from __future__ import annotations

import hashlib
import random
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


def _digest(*words: object) -> str:
    return "sha256:" + hashlib.sha256(repr(words).encode()).hexdigest()


def _identity(manifest: dict[str, Any]) -> str:
    import rfc8785

    body = {key: manifest[key] for key in ("apiVersion", "kind", "spec")}
    return "sha256:" + hashlib.sha256(rfc8785.dumps(body)).hexdigest()


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
    """Records that differ in kernel, provider, shape, GPU, time and figures, as those of a real sweep do."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._protocols = {mode: _protocol(mode) for mode in MODES}
        self._environments = [_environment(*gpu) for gpu in GPUS]
        self._digests = {id(each): _identity(each) for each in (*self._protocols.values(), *self._environments)}

    def record(self, number: int) -> dict[str, Any]:
        """The record of this number."""
        pick = self._random
        kernel, provider, mode = pick.choice(KERNELS), pick.choice(PROVIDERS), pick.choice(MODES)
        environment = pick.choice(self._environments)
        rows, hidden = 2 ** pick.randint(8, 16), 2 ** pick.randint(9, 14)
        median = pick.lognormvariate(0, 1.5)
        low, high = median * pick.uniform(0.97, 0.9999), median * pick.uniform(1.0001, 1.03)
        day, second = number // 86_400 % 28 + 1, number % 86_400
        clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        case = f"hidden{hidden}-rows{rows}-bf16"
        moment = f"2025-{number // 2_419_200 % 12 + 1:02}-{day:02}"
        name = f"{kernel}-{mode}-{provider}-{environment['metadata']['name']}-{case}-{number}".replace("_", "-")
        protocol = self._protocols[mode]
        run = {
            "kind": "BenchmarkRun",
            "spec": {
                "status": "passed",
                "timing": {"latencyNs": {"median": round(median * 1e6)}, "primaryStatistic": "median"},
                "observedAt": f"{moment}T{clock}.000Z",
                "measurements": [
                    {"unit": "ns", "value": round(low * 1e6), "metric": "latency", "statistic": "p20"},
                    {"unit": "ns", "value": round(high * 1e6), "metric": "latency", "statistic": "p80"},
                ],
                "sourceNative": {
                    "source": "kernel-bench",
                    "metrics": {"ms_20": low, "ms_50": median, "ms_80": high},
                    "benchmark": f"{kernel}/{mode}",
                    "externalId": f"{kernel}/{mode}/{provider}/gpu/{case}/{moment}-{clock.replace(':', '-')}",
                },
                "protocolDigest": self._digests[id(protocol)],
                "workloadDigest": _digest(kernel, rows, hidden),
                "environmentDigest": self._digests[id(environment)],
                "implementationDigest": _digest(kernel, provider, number % 1000),
            },
            "metadata": {
                "name": name[:100],
                "title": f"{kernel} · {provider} · {mode}",
                "labels": {"release": f"0.{number % 9}.1"},
            },
            "apiVersion": API,
        }
        return {"run": run, "protocol": protocol, "environment": environment}

    def lines(self, count: int) -> Iterator[bytes]:
        """So many records as lines of JSON."""
        for number in range(count):
            yield msgspec.json.encode(self.record(number)) + b"\n"
