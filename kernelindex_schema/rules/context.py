"""KIX7: what surrounds a figure: install recipes, products and architectures, spelling. Licences: :mod:`.licence`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.nearest import nearest
from kernelindex_schema.rules.accelerators import NVIDIA_NUMBERS, architectures_of, spelt
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.v1alpha1 import ExecutionEnvironment, ImplementationRevision, Manifest


@rule(
    "KIX702",
    "incomplete-install-recipe",
    Severity.ERROR,
    on="ImplementationRevision",
    message="{path} is a {kind} recipe without {missing}",
    hint="state what has to be installed, or leave the recipe out",
    source="contract, ImplementationRevision (buildVariants)",
)
def incomplete_install_recipe(implementation: ImplementationRevision, context: Context) -> Iterator[Hit]:
    """A ``git`` recipe lacks its repository or commit, or a ``pip`` recipe its package.

    Why: nobody can install what was measured from it.

    Bad:
    ```yaml
    kind: ImplementationRevision
    spec:
      buildVariants:
        - name: source
          install: {kind: git, repository: https://github.com/linkedin/Liger-Kernel}
    ```

    Good:
    ```yaml
    kind: ImplementationRevision
    spec:
      buildVariants:
        - name: source
          install:
            kind: git
            repository: https://github.com/linkedin/Liger-Kernel
            commit: 2120862ba532c9449e72d603ba6324310ae756e7
        - name: wheel
          install: {kind: pip, package: liger-kernel}
    ```
    """
    variants = implementation.spec.build_variants
    if variants is UNSET:
        return
    for index, variant in enumerate(variants):
        recipe = variant.install
        missing = []
        if recipe.kind == "git":
            missing = [name for name in ("repository", "commit") if getattr(recipe, name) is UNSET]
        elif recipe.kind == "pip" and recipe.package is UNSET:
            missing = ["package"]
        if missing:
            path = ("spec", "buildVariants", index, "install")
            yield hit(*path, kind=recipe.kind, missing=" and ".join(missing))


@rule(
    "KIX703",
    "architecture-contradicts-product",
    Severity.WARNING,
    on="ExecutionEnvironment",
    message="{path} is {architecture}, but {product} is {wanted}",
    hint="correct the architecture, or the product",
    source="design, Rules; the vendors' tables of compute capability and LLVM targets",
)
def architecture_contradicts_product(environment: ExecutionEnvironment, context: Context) -> Iterator[Hit]:
    """The architecture is not that of the product.

    Why: readers choose results by architecture, and one of the two is wrong. Only well-known products are looked at,
    and only where the architecture is spelt in a known way.

    Bad:
    ```yaml
    kind: ExecutionEnvironment
    spec:
      hardware: {vendor: nvidia, product: NVIDIA H100 PCIe, architecture: sm_80}
    ```

    Good:
    ```yaml
    kind: ExecutionEnvironment
    spec:
      hardware: {vendor: nvidia, product: NVIDIA H100 PCIe, architecture: sm_90}
    ```
    """
    hardware = environment.spec.hardware
    wanted = architectures_of(hardware.vendor, hardware.product)
    if not wanted or hardware.architecture in wanted:
        return
    found = spelt(hardware.architecture)
    if found is not None and found not in wanted:
        yield hit(
            *("spec", "hardware", "architecture"),
            architecture=hardware.architecture,
            product=hardware.product,
            wanted=wanted[0],
        )


_PLACEHOLDERS = frozenset(
    {"unknown", "unspecified", "none", "null", "na", "n_a", "tbd", "todo", "other", "any", "generic"}
)


@rule(
    "KIX704",
    "architecture-unknown",
    Severity.WARNING,
    on="ExecutionEnvironment",
    message="{path} is {architecture}, which names no architecture{instead}",
    hint="write the architecture that the code was compiled for, such as sm_90 or gfx942",
    source="design, Rules",
)
def architecture_unknown(environment: ExecutionEnvironment, context: Context) -> Iterator[Hit]:
    """The architecture is a placeholder such as ``unknown``, or for nvidia and amd no architecture that is known.

    Why: identity covers it, so runs on one machine split into two cohorts that cannot be compared once it is told.
    Architectures of other vendors, and numbers newer than those known here, are taken as they are.

    Bad:
    ```yaml
    kind: ExecutionEnvironment
    spec:
      hardware: {vendor: nvidia, product: NVIDIA B200, architecture: unknown}
    ```

    Good:
    ```yaml
    kind: ExecutionEnvironment
    spec:
      hardware: {vendor: nvidia, product: NVIDIA B200, architecture: sm_100}
    ```
    """
    hardware = environment.spec.hardware
    architecture = hardware.architecture
    expected = architectures_of(hardware.vendor, hardware.product)
    if architecture in expected:
        return
    known_vendor = hardware.vendor in ("nvidia", "amd")
    if architecture in _PLACEHOLDERS or (known_vendor and spelt(architecture) is None):
        candidate = expected[0] if expected else None
        if candidate is None and hardware.vendor == "nvidia":
            candidate = nearest(architecture, (f"sm_{number}" for number in NVIDIA_NUMBERS))
        instead = (
            f"; {hardware.product} is {candidate}" if expected else f"; did you mean {candidate}?" if candidate else ""
        )
        yield hit("spec", "hardware", "architecture", architecture=architecture, instead=instead)


_encode = msgspec.json.Encoder().encode


@rule(
    "KIX705",
    "text-not-nfc",
    Severity.WARNING,
    on="manifest",
    message="{path} is not in Unicode normal form C",
    hint="normalise it to NFC: the same text then has one spelling and one digest",
    source="edge cases, Text; Unicode Standard Annex 15",
)
def text_not_nfc(manifest: Manifest, context: Context) -> Iterator[Hit]:
    r"""A text in ``spec`` is not in Unicode normal form C, such as an e followed by a combining accent.

    Why: two spellings of one text look the same and give two digests, so one thing has two identities. Nothing is ever
    normalised on the way: RFC 8785 keeps text as it is written.

    Bad:
    ```yaml
    kind: SoftwareProject
    spec: {name: "Cafe\u0301 Kernels"}
    ```

    Good:
    ```yaml
    kind: SoftwareProject
    spec: {name: "Caf\u00e9 Kernels"}
    ```
    """
    spec: Any = manifest.spec
    text = _encode(spec)
    if text.isascii():
        return
    import unicodedata

    # A quotation mark stands before and after each text, and composes with nothing.
    if unicodedata.is_normalized("NFC", text.decode()):
        return
    for path, at_key in _not_normal(msgspec.to_builtins(spec), ("spec",)):
        yield hit(*path, at_key=at_key)


def _not_normal(value: Any, path: Path) -> Iterator[tuple[Path, bool]]:
    import unicodedata

    if isinstance(value, str):
        if not unicodedata.is_normalized("NFC", value):
            yield path, False
    elif isinstance(value, dict):
        for key, item in value.items():
            if not unicodedata.is_normalized("NFC", key):
                yield (*path, key), True
            yield from _not_normal(item, (*path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _not_normal(item, (*path, index))
