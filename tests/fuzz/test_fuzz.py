"""A few hundred random and mutated inputs; ``run.py`` beside this file tries as many as one likes."""

from __future__ import annotations

import itertools
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_inputs import Input, Source, verdict

from kernelindex_schema.codecs.formats import FORMATS

COUNT = 20_000 if "KIX_EXAMPLES" in os.environ else 600


def test_whatever_comes_in_is_told_and_never_raised() -> None:
    seen: set[str] = set()
    for item in itertools.islice(Source(20_26).inputs(), COUNT):
        verdict(item)
        seen.add(item.name)
    assert len(seen) == 3 * len(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_arbitrary_bytes(format: str, data: bytes) -> None:
    verdict(Input(f"input{FORMATS[format].suffixes[0]}", data, "hypothesis"))


@pytest.mark.parametrize(
    "suffix", [".json.gz", ".jsonl.zst", ".yaml.gz", ".toml.zst", ".msgpack.gz", ".txt.zst", ".gz"]
)
@given(data=st.binary(max_size=60))
def test_arbitrary_bytes_as_an_archive(suffix: str, data: bytes) -> None:
    from kernelindex_schema import check_data

    heads = (b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"")
    for head in heads:
        report = check_data(head + data, None, f"input{suffix}")
        assert report.findings
        assert "KIX002" not in {finding.rule for finding in report.findings}
