"""Valid manifests as plain values, built from the annotations of the structs; and what is wrong with changed ones.

Nothing here is written field by field: a field that is added to a struct is generated, rewritten and mutated too.
"""

from __future__ import annotations

import copy
import datetime
import functools
import types
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from kernelindex_schema.v1alpha1 import KINDS
from kernelindex_schema.v1alpha1 import scalars as s
from kernelindex_schema.v1alpha1.operation import Argument, Axis
from kernelindex_schema.v1alpha1.run import Latency

Path = tuple[str | int, ...]

HEX = "0123456789abcdef"

# Characters that readers, writers and sort orders get wrong.
ODD_CHARACTERS = (
    "\"\\/'`#:,-?[]{}&*!|>%@=~ \t\n"
    "\x00\x01\x07\x08\x0b\x0c\x1b\x1f\x7f\x80\x85\x9f\xa0\xad"
    "éµμ\u0301\u2028\u2029\ufeff\ufffd\ufffe\uffff\ue000\uf8ff\ufb00"
    "\U00010000\U0001f99c\U0010ffff"
)
ODD_TEXTS = (
    *("", " ", "null", "~", "true", "no", "y", "1", "1.0", "0x1F", "1e3", ".inf", "NaN", "-", "---", "...", "<<", "="),
    *("2026-01-31", "12:00:00", "a: b", "a #b", "- a", "[a", "{a", "'", '"', "\\", "\\u0041", "a\n", "\na", " a", "a "),
    *("{{a}}", "%a", "@a", "`a", "!a", "&a", "*a", "?", "? a", "#", "# a", "\r\n", "a\tb", "__proto__x", "constructor"),
)


def texts(maximum: int) -> st.SearchStrategy[str]:
    """Text of at most this many UTF-16 units, rich in what is hard to write."""
    # An astral character takes two units. (The characters that Hypothesis offers take it two seconds to gather.)
    anywhere = st.integers(0x20, 0x10FFFF - 0x800).map(lambda code: chr(code if code < 0xD800 else code + 0x800))
    characters = st.sampled_from(ODD_CHARACTERS) | anywhere
    some = st.text(characters, max_size=min(maximum // 2, 12))
    full = st.sampled_from(["x" * maximum, "é" * maximum, "\U0001f99c" * (maximum // 2)])
    return st.one_of(some, st.sampled_from([each for each in ODD_TEXTS if len(each) <= maximum]), some, full)


@st.composite
def instants(draw: st.DrawFn) -> str:
    day = draw(st.dates(min_value=datetime.date(1, 1, 1)) | st.sampled_from([datetime.date(2024, 2, 29)]))
    text = day.isoformat() + draw(st.sampled_from(["T00:00", "T23:59", "T12:30"]))
    if draw(st.booleans()):
        text += draw(st.sampled_from([":00", ":59"]))
        if draw(st.booleans()):
            text += "." + draw(st.text("0123456789", min_size=1, max_size=12))
    return text + "Z"


def _words(first: str, rest: str, maximum: int) -> st.SearchStrategy[str]:
    return st.builds(str.__add__, st.sampled_from(first), st.text(rest, max_size=min(maximum - 1, 8)))


_LOWER = "abcdefghijklmnopqrstuvwxyz"
_GRAMMARS: dict[s.Grammar, Callable[[int], st.SearchStrategy[str]]] = {
    s.TOKEN: lambda most: _words(_LOWER, _LOWER + "0123456789_", most) | st.sampled_from(["constructor", "length"]),
    s.SLUG: lambda most: _words(_LOWER + "0123456789", _LOWER + "0123456789-", most),
    s.MANIFEST_NAME: lambda most: _words(_LOWER + "0123456789", _LOWER + "0123456789._-", most),
    s.DIGEST: lambda most: st.text(HEX, min_size=64, max_size=64).map("sha256:".__add__),
    s.GIT_COMMIT: lambda most: st.text(HEX, min_size=40, max_size=40),
    s.INSTANT: lambda most: instants(),
    s.AXIS_EXPRESSION: lambda most: st.text("abz019_+-*%/() ", min_size=1, max_size=12),
    s.OPEN_KEY: lambda most: texts(min(most, 200)),
}

URLS = (
    "https://example.com",
    "https://example.com/a/b?c=d&e#f",
    "https://user:pass@example.com:8443/",
    "https://xn--bcher-kva.example/",
    "https://bücher.example/ü",
    "https://[2001:db8::1]/",
    "https://192.0.2.1/",
    "HTTPS://EXAMPLE.COM/",
    "https:example.com",
    "  https://example.com/ ",
    "https://example.com/🦜",
    "https://ex\tample.com/",
)


class Traits(msgspec.Struct, frozen=True):
    """What the annotations of a value say besides its type."""

    grammar: s.Grammar | None = None
    is_url: bool = False
    is_duration: bool = False
    is_set: bool = False
    meta: msgspec.Meta | None = None


def traits_of(hint: Any) -> tuple[Any, Traits]:
    """The bare type of an annotation, and the rest."""
    if get_origin(hint) is not Annotated:
        return hint, Traits()
    inner, *marks = get_args(hint)
    found: dict[str, Any] = {}
    for mark in marks:
        if isinstance(mark, s.Grammar):
            found["grammar"] = mark
        elif isinstance(mark, msgspec.Meta):
            found["meta"] = mark
        else:
            found[{s.Url: "is_url", s.Duration: "is_duration", s.SetOf: "is_set"}[type(mark)]] = True
    return inner, Traits(**found)


def members_of(hint: Any) -> list[Any]:
    """The alternatives of a union but UNSET; one alone where it is no union."""
    if get_origin(hint) in (Union, types.UnionType):
        return [each for each in get_args(hint) if each is not msgspec.UnsetType]
    return [hint]


def _bounds(meta: msgspec.Meta | None) -> tuple[Any, Any]:
    return (meta.ge, meta.le) if meta else (None, None)


def _integers(meta: msgspec.Meta | None) -> st.SearchStrategy[int]:
    low, high = _bounds(meta)
    edges = [each for each in (low, high, 0, 1, 2**31, 2**32) if each is not None]
    edges = [each for each in edges if (low is None or low <= each) and (high is None or each <= high)]
    return st.integers(low, high) | st.sampled_from(edges)


def _floats(meta: msgspec.Meta | None) -> st.SearchStrategy[float]:
    low, high = _bounds(meta)
    above = meta.gt if meta else None
    edges = [0.0, -0.0, 1.0, 1.5, 1e-7, 5e-324, 1e16, 1e21, 1e22, 123456789012345680.0, 1.7976931348623157e308, 0.1]
    edges = [each for each in edges if (low is None or low <= each) and (high is None or each <= high)]
    edges = [each for each in edges if above is None or each > above]
    least = low if low is not None else above
    drawn = st.floats(least, high, allow_nan=False, allow_infinity=False, exclude_min=above is not None)
    return drawn | st.sampled_from(edges)


@functools.cache
def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Valid values of an annotation, as plain ones, in canonical form but for the order of sets."""
    members = members_of(hint)
    if len(members) > 1:
        return st.one_of(*map(values_of, members))
    bare, traits = traits_of(members[0])
    meta = traits.meta
    most = meta.max_length if meta and meta.max_length is not None else None
    least = meta.min_length if meta and meta.min_length is not None else 0
    origin = get_origin(bare)
    if origin in (Union, types.UnionType):
        return values_of(bare)
    if origin is Literal:
        return st.sampled_from(get_args(bare))
    if origin is tuple:
        item, *others = get_args(bare)
        if others and others[0] is not Ellipsis:
            return st.tuples(*map(values_of, get_args(bare))).map(list)
        return st.lists(values_of(item), min_size=least, max_size=min(most or 3, 3))
    if origin is dict:
        key, item = get_args(bare)
        return st.dictionaries(values_of(key), values_of(item), max_size=3)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return objects(bare)
    if bare is bool:
        return st.booleans()
    if bare is int:
        return _integers(meta)
    if bare is float:
        return _floats(meta)
    assert bare is str, hint
    if traits.is_url:
        return st.sampled_from(URLS)
    if traits.grammar is not None:
        return _GRAMMARS[traits.grammar](most or 1000)
    assert most is not None, "a text without a bound"
    return texts(most)


@functools.cache
def fields_of(cls: type[msgspec.Struct]) -> list[tuple[str, Any, bool]]:
    """Wire name, annotation, and whether it must be there, of each field of a struct."""
    hints = get_type_hints(cls, include_extras=True)
    return [(field.encode_name, hints[field.name], field.required) for field in msgspec.structs.fields(cls)]


@st.composite
def objects(draw: st.DrawFn, cls: type[msgspec.Struct]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    wanted = draw(st.sampled_from(["all", "none", "some", "some"]))
    for name, hint, required in fields_of(cls):
        if required or name == "apiVersion" or wanted == "all" or (wanted == "some" and draw(st.booleans())):
            value[name] = draw(values_of(hint))
    if cls.__struct_config__.tag_field is not None:
        value = {"apiVersion": value["apiVersion"], cls.__struct_config__.tag_field: cls.__struct_config__.tag} | value
    hints = {name: hint for name, hint, _ in fields_of(cls)}
    if cls is Axis:
        wanting = {"constant": "value", "derived": "expression"}.get(value["role"])
        if wanting is not None and wanting not in value:
            value[wanting] = draw(values_of(hints[wanting]))
    elif cls is Argument:
        if "tensor" in value:
            value.pop("scalar", None)
        elif "scalar" not in value:
            value["tensor"] = draw(values_of(hints["tensor"]))
    elif cls is Latency and "median" not in value and "mean" not in value:
        value["mean"] = draw(values_of(hints["mean"]))
    return value


def manifests(kind: str | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Valid manifests of one kind, or of any."""
    names = [kind] if kind else list(KINDS)
    return st.one_of(*[values_of(KINDS[name].manifest) for name in names])


class Spot(msgspec.Struct, frozen=True):
    """A value inside a manifest, with the annotation that holds for it."""

    path: Path
    hint: Any
    value: Any
    is_key: bool = False


def spots(hint: Any, value: Any, path: Path = ()) -> Iterator[Spot]:
    """Every value inside a valid one, the keys of maps included, each with its annotation; parents first."""
    members = members_of(hint)
    bare, _ = traits_of(members[0])
    yield Spot(path, hint, value)
    if len(members) > 1:
        return
    origin = get_origin(bare)
    if origin is tuple and isinstance(value, list):
        items = get_args(bare)
        for index, each in enumerate(value):
            item = items[0] if len(items) < 2 or items[1] is Ellipsis else items[min(index, len(items) - 1)]
            yield from spots(item, each, (*path, index))
    elif origin is dict and isinstance(value, dict):
        for key, each in value.items():
            yield Spot((*path, key), get_args(bare)[0], key, is_key=True)
            yield from spots(get_args(bare)[1], each, (*path, key))
    elif isinstance(bare, type) and issubclass(bare, msgspec.Struct) and isinstance(value, dict):
        for name, inner, _ in fields_of(bare):
            if name in value:
                yield from spots(inner, value[name], (*path, name))


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


def replaced(value: Any, path: Path, new: Any) -> Any:
    """A deep copy with another value at a place."""
    if not path:
        return new
    value = copy.deepcopy(value)
    at(value, path[:-1])[path[-1]] = new
    return value


def _authored_duration(draw: st.DrawFn, nanoseconds: int) -> Any:
    unit = draw(st.sampled_from([*s.DURATION_UNITS, "float", "integer"]))
    if unit == "float" and nanoseconds < 2**53:
        return float(nanoseconds)
    if unit in ("float", "integer"):
        return nanoseconds
    whole, rest = divmod(nanoseconds, s.DURATION_UNITS[unit])
    digits = len(str(s.DURATION_UNITS[unit])) - 1
    fraction = f"{rest:0{digits}}".rstrip("0") if digits else ""
    fraction += draw(st.sampled_from(["", "0", "000"])) if fraction else ""
    zeros = draw(st.sampled_from(["", "0", "00"]))
    return f"{zeros}{whole}{'.' + fraction if fraction else ''}{draw(st.sampled_from(['', ' ']))}{unit}"


@st.composite
def authored(draw: st.DrawFn, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """The same manifest in other words: durations as text, whole numbers as floats, sets and keys in another order."""
    for spot in list(spots(KINDS[kind].manifest, value)):
        if spot.is_key:
            continue
        new = spot.value
        bare, traits = traits_of(members_of(spot.hint)[0])
        if traits.is_duration:
            new = _authored_duration(draw, spot.value)
        elif traits.is_set and spot.value:
            new = draw(st.permutations([*spot.value, draw(st.sampled_from(spot.value))]))
        elif type(spot.value) is int and (bare is int or bare is float) and draw(st.booleans()):
            new = float(spot.value)
        if new is not spot.value:
            value = replaced(value, spot.path, list(new) if isinstance(new, tuple) else new)
    return reordered(draw, value)


def reordered(draw: st.DrawFn, value: Any) -> Any:
    """The same value with the keys of every mapping in another order."""
    if isinstance(value, dict):
        keys = list(value)
        if len(keys) > 1:
            keys = draw(st.permutations(keys))
        return {key: reordered(draw, value[key]) for key in keys}
    if isinstance(value, list):
        return [reordered(draw, each) for each in value]
    return value


WRONG_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.5, -0.5, 3.0, -0.0, 1e300, 5e-324, 2**53 - 1, 2**53, -(2**53), 2**63, 10**30),
    *("", "x", "X", "a b", "1", "true", "null", "sha256:" + "A" * 64, "sha256:" + "a" * 63, "0" * 40, "0" * 41),
    *("2026-01-31T12:00:00Z", "2026-02-30T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31t12:00:00z", "2026-01-31"),
    *("2026-01-31T12:00:00+00:00", "0000-02-29T00:00Z", "1900-02-29T00:00Z", "2026-01-31T12:00.5Z"),
    *("http://example.com", "https://", "https://a b/", "//example.com", "https://exa%mple.com", "https://example.com"),
    *("1 ms", "1.5 ns", "1ms ", " 1ms", "1  ms", "1\tms", "1 μs", "1 µs", "1. ms", ".5 ms", "+1 ms", "1e3 ns", "100"),
    *("9007199254740991 ns", "9007199254740992 ns", "9007199254740991.0000 ns", "64.1 ms", "1.0000000001 s", "-1 ns"),
    *("0" * 5000 + "1 ns", "1." + "0" * 5000 + " ns", "1" * 5000 + " s", "1\n", "١ ms", "１ ms"),
    *("x" * 100, "x" * 101, "x" * 200, "x" * 201, "🦜" * 50, "🦜" * 51, "🦜" * 100, "🦜" * 101, "x" * 2001, "x" * 2000),
    *([], {}, [None], [1, 2], [1, 2, 3], ["a"], [[]], {"a": 1}, {"name": "a"}, {"": ""}, ["a"] * 9, ["a"] * 65),
    *([{}], {"kind": "x"}, "SoftwareProject", "passed", "variable", "constant", "derived", "integer", "<=", "no"),
)

WRONG_KEYS = ("", "A", "a-b", "__proto__", "a\n", "é", "１", "1a", "_a", "x" * 201, "🦜" * 101, "name ", "constructor")


@st.composite
def mutated(draw: st.DrawFn, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """A manifest with one to three changes at random places; most are not valid any more."""
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        places = list(_places(value))
        path = draw(st.sampled_from(places))
        value = _changed(draw, value, path)
    return value


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in entries:
        yield from _places(each, (*path, key))


def _changed(draw: st.DrawFn, value: dict[str, Any], path: Path) -> dict[str, Any]:
    parent, last = path[:-1], path[-1]
    old = at(value, path)
    changes = ["replace", "replace", "delete", "add field", "text", "number", "repeat"]
    change = draw(st.sampled_from(changes))
    if change == "delete":
        value = copy.deepcopy(value)
        del at(value, parent)[last]
        return value
    if change == "add field":
        holder = path if isinstance(old, dict) else parent
        if isinstance(at(value, holder), dict):
            key = draw(st.sampled_from([*WRONG_KEYS, "repo", "note", "value"]))
            return replaced(value, (*holder, key), draw(st.sampled_from(WRONG_VALUES)))
    if change == "text" and isinstance(old, str):
        twists: list[Callable[[str], str]] = [
            lambda text: text + "\n",
            lambda text: text + " ",
            lambda text: " " + text,
            str.upper,
            lambda text: text[:-1],
            lambda text: text + text,
            lambda text: text.replace("0", "０").replace("1", "١"),
            lambda text: text + "🦜",
            lambda text: text * 40,
        ]
        return replaced(value, path, draw(st.sampled_from(twists))(old))
    if change == "number" and isinstance(old, int | float):
        moves = [-old, old + 1, old - 1, float(old), old + 0.5, old * 2**53, 1 / old if old else 0, str(old), bool(old)]
        return replaced(value, path, draw(st.sampled_from(moves)))
    if change == "repeat" and isinstance(old, list) and old:
        return replaced(value, path, copy.deepcopy(old * draw(st.sampled_from([2, 9, 65]))))
    return replaced(value, path, copy.deepcopy(draw(st.sampled_from(WRONG_VALUES))))
