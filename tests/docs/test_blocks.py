"""Every fenced block of the documentation runs, or is checked.

Blocks of a page run in their order, in one folder that holds the examples: a block under a line that names a file
(`` `run.yaml`: ``) is written to it; ``python`` runs, in one namespace a page; ``console`` runs what follows ``$`` and
compares what it prints (``…`` stands for anything); ``yaml`` and ``json`` are checked as documents unless they are
marked ``fragment``. ``sh`` is for what changes the machine: the stranger's path runs it.

``python tests/docs/test_blocks.py PAGE…`` writes what the commands print into the pages.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ROOT = Path(__file__).parents[2]
LANGUAGES = {"python", "console", "yaml", "json", "toml", "sh", "text"}

# Pages whose blocks have tests of their own: those of a rule are parts laid over a whole document, those of the source
# are a module to be written.
OWN_TESTS = ("docs/reference/rules/", "docs/how-to/add-a-source.md")


class Block(NamedTuple):
    line: int
    language: str
    marks: list[str]
    text: str
    file: str | None
    start: int


# A fenced block, an indented one too, and the line before it that names a file.
_FENCE = re.compile(
    r"(?:^ *`(?P<file>[\w./-]+)`:\n\n)?^ *(?P<marks>`{3,})(?P<info>[^`{}\n]*)\n(?P<text>.*?)^ *(?P=marks)$", re.M | re.S
)


def blocks(page: str) -> Iterator[Block]:
    for found in _FENCE.finditer(page):
        language, *marks = found["info"].split() or ["none"]
        yield Block(
            page[: found.start("text")].count("\n"),
            language,
            marks,
            textwrap.dedent(found["text"]),
            found["file"],
            found.start("text"),
        )


def pages() -> list[str]:
    found = [
        path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md") if "node_modules" not in str(path)
    ]
    found = [path for path in found if not path.startswith(("docs/_build", *OWN_TESTS))]
    return ["README.md", *sorted(found)]


class Workplace:
    """A folder with the examples, in which the blocks of one page run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "__docs__"}
        shutil.copytree(ROOT / "examples", folder / "examples")
        tools = os.path.dirname(sys.executable)
        self.environment = os.environ | {
            "PATH": tools + os.pathsep + os.environ["PATH"],
            "NO_COLOR": "1",
            "COLUMNS": "100",
        }

    def shell(self, command: str) -> str:
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
        )
        return done.stdout

    def console(self, text: str) -> str:
        """The block as it would read if its commands ran now."""
        lines = []
        for step in re.split(r"^(?=\$ )", text, flags=re.M):
            if not step.startswith("$ "):
                continue
            command = step[2:].partition("\n")[0]
            while command.endswith("\\"):
                command = command[:-1] + step.partition(command)[2].lstrip("\n").partition("\n")[0]
            lines.append("$ " + command + "\n" + self.shell(command))
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def python(self, block: Block, page: str) -> None:
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile("\n" * block.line + block.text, page, "exec"), self.names)
        finally:
            os.chdir(before)

    def write(self, block: Block) -> None:
        assert block.file is not None
        target = self.folder / block.file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text, encoding="utf-8")

    def documents(self, found: list[Block]) -> str:
        """What the command says of these documents; that a page shows one twice is no fault."""
        for block in found:
            (self.folder / f"line-{block.line}.{block.language}").write_text(block.text, encoding="utf-8")
        return self.shell("kix-schema check --quiet --ignore KIX505 line-*") if found else ""


def parse(language: str, text: str) -> None:
    if language == "yaml":
        list(yaml.safe_load_all(text))
    elif language == "json":
        json.loads(text)
    elif language == "toml":
        tomllib.loads(text)


def matches(shown: str, printed: str) -> bool:
    """Whether what a page shows is what was printed, ``…`` standing for anything."""
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", shown.strip()))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None


@pytest.mark.parametrize("page", pages())
def test_the_blocks_of_a_page(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    place = Workplace(tmp_path / "place")
    documents: list[Block] = []
    for block in blocks(text):
        where = f"{page}:{block.line}"
        assert block.language in LANGUAGES, f"{where}: no test knows what to do with {block.language!r}"
        if block.file is not None:
            place.write(block)
            parse(block.language, block.text)
        elif block.language == "python":
            place.python(block, page)
        elif block.language == "console":
            printed = place.console(block.text)
            assert matches(block.text, printed), (
                f"{where} is out of date, run: python tests/docs/test_blocks.py {page}\n{printed}"
            )
        elif "fragment" in block.marks:
            parse(block.language, block.text)
        elif block.language in ("yaml", "json", "toml"):
            documents.append(block)
    assert place.documents(documents) == "", page


def test_there_are_pages_with_blocks() -> None:
    found = [block for page in pages() for block in blocks((ROOT / page).read_text(encoding="utf-8"))]
    languages = [block.language for block in found]
    assert len(pages()) >= 30
    assert languages.count("yaml") >= 15
    assert languages.count("json") >= 13
    assert languages.count("python") >= 5
    assert languages.count("console") >= 5


def rewrite(page: str) -> None:
    """Put what the commands of a page print now into it."""
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    changes: list[tuple[Block, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(Path(folder) / "place")
        for block in blocks(text):
            if block.file is not None:
                place.write(block)
            elif block.language == "python":
                place.python(block, page)
            elif block.language == "console":
                printed = place.console(block.text)
                if not matches(block.text, printed):
                    changes.append((block, printed))
    for block, printed in reversed(changes):
        text = text[: block.start] + printed + text[block.start + len(block.text) :]
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        rewrite(each)
