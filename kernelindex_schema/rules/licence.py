"""KIX701: licences as SPDX expressions; the only user of the packaging library."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.v1alpha1 import ImplementationRevision, ServingStackRevision

_COMMON = frozenset({"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "Unlicense", "BSL-1.0"})
"""Spared the import."""

_NO_STATEMENT = frozenset({"noassertion", "none", "unknown"})
"""Words that say openly that no licence is stated; the first two are SPDX's own."""

_MEANT = {
    "apache": "Apache-2.0",
    "apache2": "Apache-2.0",
    "apache20": "Apache-2.0",
    "apachelicense20": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd3": "BSD-3-Clause",
    "bsd2": "BSD-2-Clause",
    "gpl2": "GPL-2.0-only",
    "gplv2": "GPL-2.0-only",
    "gpl3": "GPL-3.0-only",
    "gplv3": "GPL-3.0-only",
    "lgplv3": "LGPL-3.0-only",
    "mitlicense": "MIT",
    "themitlicense": "MIT",
}


@rule(
    "KIX701",
    "licence-not-spdx",
    Severity.WARNING,
    on=("ImplementationRevision", "ServingStackRevision"),
    message="{path} is {licence}, which is no SPDX licence expression{meant}",
    hint="write an id of spdx.org/licenses, an expression of several, or LicenseRef-NAME for a licence of one's own",
    source="SPDX 3.0.1, Annex B (licence expressions)",
)
def licence_not_spdx(manifest: ImplementationRevision | ServingStackRevision, context: Context) -> Iterator[Hit]:
    """The licence of an implementation or a serving stack is no SPDX licence expression.

    Why: programs choose implementations by licence and know licences by these ids. Letter case does not matter;
    ``NOASSERTION``, ``NONE`` and ``unknown`` say openly that nothing is stated. Licences of models are left alone: most
    of them have no id.

    Bad:
    ```yaml
    kind: ImplementationRevision
    spec:
      licensing: {declared: Apache 2.0}
    ```

    Good:
    ```yaml
    kind: ImplementationRevision
    spec:
      licensing: {declared: Apache-2.0}
    ```
    """
    places: tuple[tuple[Path, str | UnsetType], ...]
    if isinstance(manifest, ServingStackRevision):
        places = ((("spec", "license"), manifest.spec.license),)
    else:
        licensing = manifest.spec.licensing
        places = (
            (("spec", "licensing", "declared"), licensing.declared),
            (("spec", "licensing", "concluded"), licensing.concluded),
        )
    for path, licence in places:
        if licence is UNSET or licence in _COMMON or _is_expression(licence):
            continue
        wanted = _MEANT.get("".join(letter for letter in licence.lower() if letter.isalnum()))
        yield hit(*path, licence=f'"{licence}"', meant=f"; did you mean {wanted}?" if wanted else "")


@functools.lru_cache(maxsize=256)
def _is_expression(text: str) -> bool:
    if text.lower() in _NO_STATEMENT:
        return True
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    # packaging follows PEP 639, which has no references into another SPDX document.
    words = [word.partition(":")[2] if word.startswith("DocumentRef-") else word for word in text.split()]
    try:
        canonicalize_license_expression(" ".join(words))
    except InvalidLicenseExpression:
        return False
    return True
