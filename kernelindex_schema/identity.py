"""Identity: canonical bytes (RFC 8785) and digests of normalised manifests (contract, Identity).

The canonical form is made by msgspec and equals RFC 8785 under these conditions, which validated and normalised
manifests meet:

- every number is finite, and every integer is below 2^53 in magnitude (RFC 8785, section 3.2.2.3);
- every text is well-formed Unicode (section 3.2.2.2);
- keys sort by code point as they do by UTF-16 unit (section 3.2.3). That fails only where a supplementary-plane
  character meets one of U+E000 to U+FFFF, so a text with such a character goes to the rfc8785 package instead.

What msgspec writes otherwise is the notation of some floats: integral ones (``1.0``), and magnitudes below 1e-5 or from
1e16. Where a manifest holds such a float the text is rewritten; else one pass is enough.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec

from kernelindex_schema.errors import UnencodableValue
from kernelindex_schema.structure.acceptance import doubt
from kernelindex_schema.structure.conformity import PLAIN_FLOATS
from kernelindex_schema.v1alpha1 import Manifest

__all__ = ["canonical_bytes", "canonical_json", "digest", "digest_of"]

_encode = msgspec.json.Encoder(order="sorted").encode

# The lead bytes of UTF-8 sequences beyond the Basic Multilingual Plane.
_SUPPLEMENTARY = re.compile(rb"[\xf0-\xf4]")


def _ecmascript(text: str) -> msgspec.Raw:
    """A float as ECMAScript writes it (RFC 8785, section 3.2.2.3, which cites Number::toString)."""
    number = float(text)
    if number == 0:
        return msgspec.Raw(b"0")
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # The value is 0.DIGITS times ten to the power of `point`.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        body = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        body = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        body = f"0.{'0' * -point}{digits}"
    else:
        head = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        body = f"{head}e{point - 1:+d}"
    return msgspec.Raw((sign + body).encode())


_rewrite = msgspec.json.Decoder(float_hook=_ecmascript).decode


def canonical_json(value: Any) -> bytes:
    """The canonical form of a value that meets the conditions above: plain values, or structs.

    Raises:
        ValueError: an integer beyond 2^53 - 1 or a number that is not finite, where rfc8785 had to decide.
    """
    text = _encode(value)
    if not text.isascii() and _SUPPLEMENTARY.search(text):
        import rfc8785

        return rfc8785.dumps(msgspec.to_builtins(value))
    return _encode(_rewrite(text))


def _canonical_body(manifest: Manifest) -> bytes:
    kind, spec = manifest.kind, manifest.spec
    text = _encode(spec)
    if (kind in PLAIN_FLOATS and not PLAIN_FLOATS[kind](manifest)) or not text.isascii():
        text = canonical_json(spec)
    # apiVersion, kind, spec: the order that RFC 8785 asks for.
    return b'{"apiVersion":"%b","kind":"%b","spec":%b}' % (manifest.api_version.encode(), kind.encode(), text)


def digest_of(manifest: Manifest) -> str:
    """The digest of a manifest that is known to be valid and normalised, such as one that was just decoded."""
    return "sha256:" + hashlib.sha256(_canonical_body(manifest)).hexdigest()


def canonical_bytes(manifest: Manifest) -> bytes:
    """The bytes that identity is taken over: RFC 8785 of ``{apiVersion, kind, spec}``, in UTF-8.

    Raises:
        TypeError: not a manifest struct.
        UnencodableValue: a struct that was built with a wrong value.
    """
    if not isinstance(manifest, Manifest):
        raise TypeError(
            f"identity is taken of a manifest struct, not of {type(manifest).__name__}: "
            "decode the document first, so that durations and sets are normalised"
        )
    if (reason := doubt(manifest)) is not None:
        raise UnencodableValue(f"a {manifest.kind} that is not valid has no digest: {reason}")
    return _canonical_body(manifest)


def digest(manifest: Manifest) -> str:
    """``sha256:`` and 64 hexadecimal digits: the identity of a manifest. Metadata never contributes.

    Raises:
        TypeError: not a manifest struct.
        UnencodableValue: a struct that was built with a wrong value.
    """
    return "sha256:" + hashlib.sha256(canonical_bytes(manifest)).hexdigest()
