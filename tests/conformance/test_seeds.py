"""The two seed records: one small change, one finding, at its line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from packing import PACKINGS

from kernelindex_schema import Settings, check, check_data, digest, encode, iter_documents, read
from kernelindex_schema.codecs.formats import FORMATS

EXAMPLES = Path(__file__).parents[2] / "examples" / "valid"
SEEDS = {
    "liger-rope-backward": "sha256:f32ed190b0d77ac4527ab39684daae3a0c0cd160528b4c71b0558aac388fbe1e",
    "transformers-embedding-full": "sha256:1116650233510376110d383ae035b8d537e053d7ab67b0ec5d79b627f877bc0b",
}


def page(name: str) -> str:
    return (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")


def changed(text: str, pattern: str, new: str, nth: int = 0) -> tuple[str, int]:
    """The text with the n-th match of a pattern replaced, and the line of it."""
    found = list(re.finditer(pattern, text))[nth]
    assert found[0] != new
    return text[: found.start()] + new + text[found.end() :], text.count("\n", 0, found.start()) + 1


def told(text: str) -> list[tuple[str, int | None]]:
    return [(finding.rule, finding.line) for finding in check_data(text, "page").findings]


def test_the_committed_seeds_are_the_shared_ones(shared: Path) -> None:
    given = {path.read_bytes() for path in (shared / "seeds").glob("*.txt")}
    assert {(EXAMPLES / f"{name}.txt").read_bytes() for name in SEEDS} == given


@pytest.mark.parametrize("name", SEEDS)
def test_a_seed_is_without_findings(name: str) -> None:
    report = check(EXAMPLES / f"{name}.txt")
    assert (report.findings, report.documents, report.manifests) == ((), 1, 3)
    assert digest(read(EXAMPLES / f"{name}.txt").run) == SEEDS[name]


@pytest.mark.parametrize("name", SEEDS)
def test_one_digit_of_the_median(name: str) -> None:
    median = re.search(r'"median": (\d+)', page(name))
    assert median
    digits = median[1]
    for place, digit in enumerate(digits):
        # Half of the digits further, since one nanosecond may be the source's own rounding.
        other = digits[:place] + str((int(digit) + 5) % 10) + digits[place + 1 :]
        if other.startswith("0"):
            continue
        text, line = changed(page(name), r'(?<="median": )\d+', other)
        assert told(text) == [("KIX401", line)], (digits, other)


@pytest.mark.parametrize("name", SEEDS)
def test_one_unit(name: str) -> None:
    units = len(re.findall(r'(?<="unit": )"ns"', page(name)))
    assert units
    for nth in range(units):
        for unit in ('"us"', '"ms"'):
            text, line = changed(page(name), r'(?<="unit": )"ns"', unit, nth)
            assert told(text) == [("KIX201", line)]


@pytest.mark.parametrize("name", SEEDS)
def test_one_primary_statistic(name: str) -> None:
    statistics = list(re.finditer(r'(?<="primaryStatistic": )"median"', page(name)))
    assert len(statistics) == 2
    for nth in range(2):
        text, line = changed(page(name), r'(?<="primaryStatistic": )"median"', '"mean"', nth)
        assert told(text) == [("KIX301", line)]


@pytest.mark.parametrize("name", SEEDS)
def test_one_letter_of_the_notes_of_the_protocol(name: str) -> None:
    notes = re.search(r'"notes": "(\w)', page(name))
    assert notes
    text, _ = changed(page(name), r'(?<="notes": ")\w', "X" if notes[1] != "X" else "Y")
    line = page(name)[: page(name).index('"protocolDigest"')].count("\n") + 1
    assert told(text) == [("KIX501", line)]


@pytest.mark.parametrize("name", SEEDS)
def test_one_letter_of_the_environment(name: str) -> None:
    text, _ = changed(page(name), r'(?<="product": ")\w', "X")
    line = page(name)[: page(name).index('"environmentDigest"')].count("\n") + 1
    assert told(text) == [("KIX502", line)]


@pytest.mark.parametrize("packing", [None, *PACKINGS])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", SEEDS)
def test_a_seed_keeps_its_digests_in_every_format(name: str, format: str, packing: str | None, tmp_path: Path) -> None:
    record = read(EXAMPLES / f"{name}.txt")
    data = encode(record, format=format, title="A title")
    path = tmp_path / f"seed{FORMATS[format].suffixes[0]}"
    if packing is not None:
        data, path = PACKINGS[packing](data), path.with_name(f"{path.name}.{packing}")
    path.write_bytes(data)
    ((_, again),) = iter_documents(path)
    assert again == record
    assert [digest(each) for each in (again.run, again.protocol, again.environment)] == [
        SEEDS[name],
        record.run.spec.protocol_digest,
        record.run.spec.environment_digest,
    ]
    assert check(path).findings == ()


def test_other_statistics_can_be_allowed() -> None:
    settings = Settings(primary_statistics=("median", "mean"))
    text = page("liger-rope-backward").replace('"primaryStatistic": "median"', '"primaryStatistic": "mean"')
    rules = [finding.rule for finding in check_data(text, "page", settings=settings).findings]
    assert "KIX301" not in rules


def plain(name: str) -> Any:
    return json.loads(page(name).split("\n\n", 1)[1])


@pytest.mark.parametrize("name", SEEDS)
def test_the_yaml_of_a_seed_is_the_same_record(name: str) -> None:
    assert read(EXAMPLES / f"{name}.yaml") == read(EXAMPLES / f"{name}.txt")
    assert set(plain(name)) == {"run", "protocol", "environment"}
