"""Well-known accelerators and their architectures (KIX703, KIX704).

Sources: NVIDIA's table of compute capabilities (developer.nvidia.com/cuda-gpus) and LLVM's list of AMDGPU processors.
"""

from __future__ import annotations

import functools
import re

__all__ = ["NVIDIA_NUMBERS", "architectures_of", "spelt"]

NVIDIA_NUMBERS = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121)
"""Compute capabilities without their dot, as in ``sm_90``."""

# Products by a word of their name, for names that say nothing else in any generation.
_NVIDIA_WORDS = {
    "sm_60": "P100",
    "sm_61": "P4 P40",
    "sm_70": "V100 V100S",
    "sm_75": "T4 T4G",
    "sm_80": "A100 A800 A30",
    "sm_86": "A10 A10G A10M A2 A16 A40",
    "sm_89": "L4 L40 L40S L20",
    "sm_90": "H100 H200 H800 H20 GH200",
    "sm_100": "B100 B200 GB200",
    "sm_103": "B300 GB300",
    "sm_121": "GB10",
}
_GEFORCE = {"20": "sm_75", "30": "sm_86", "40": "sm_89", "50": "sm_120"}
_AMD_WORDS = {
    "gfx908": "MI100",
    "gfx90a": "MI210 MI250 MI250X",
    "gfx942": "MI300A MI300X MI308X MI325X",
    "gfx950": "MI350X MI355X",
}

# Names of generations, each with those of the numbers above that belong to it.
_GENERATIONS = {
    "kepler": (),
    "maxwell": (50, 52, 53),
    "pascal": (60, 61, 62),
    "volta": (70, 72),
    "turing": (75,),
    "ampere": (80, 86, 87, 88),
    "ada": (89,),
    "ada_lovelace": (89,),
    "hopper": (90,),
    "blackwell": (100, 101, 103, 110, 120, 121),
    "rubin": (),
}
_CDNA = {"cdna": "gfx908", "cdna1": "gfx908", "cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950"}

_PRODUCTS = {
    vendor: {word: architecture for architecture, words in table.items() for word in words.split()}
    for vendor, table in (("nvidia", _NVIDIA_WORDS), ("amd", _AMD_WORDS))
}


@functools.lru_cache(maxsize=512)
def architectures_of(vendor: str, product: str) -> tuple[str, ...]:
    """Every accepted spelling of a product's architecture, the usual one first; empty for a product not known here."""
    table = _PRODUCTS.get(vendor)
    if table is None:
        return ()
    words = re.findall(r"[A-Z]+[0-9]+[A-Z]*|[A-Z]+|[0-9]+", product.upper())
    found = {table[word] for word in words if word in table}
    if vendor == "nvidia":
        # RTX 2050 is of the generation after its number, and RTX 4000 or 6000 are names of several generations.
        for match in re.finditer(r"RTX ?(20[6-8]0|[345]0[5-9]0)", product.upper()):
            found.add(_GEFORCE[match[1][:2]])
    if len(found) != 1:
        return ()
    (architecture,) = found
    if vendor == "amd":
        return (architecture, *(name for name, target in _CDNA.items() if target == architecture))
    number = int(architecture.removeprefix("sm_"))
    return (architecture, *(name for name, numbers in _GENERATIONS.items() if number in numbers))


@functools.lru_cache(maxsize=512)
def spelt(architecture: str) -> str | None:
    """The architecture in its usual spelling, ``sm_90`` for ``sm90a``; None where the text names none."""
    if architecture in _GENERATIONS or architecture in _CDNA:
        return architecture
    if match := re.fullmatch(r"(?:sm|compute)_?([0-9]{2,3})[af]?", architecture):
        number = int(match[1])
        return f"sm_{number}" if number in NVIDIA_NUMBERS or number > NVIDIA_NUMBERS[-1] else None
    if re.fullmatch(r"gfx[0-9]{1,2}[0-9a-f]{2}|rdna[1-9]?", architecture):
        return architecture
    return None
