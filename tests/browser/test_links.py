"""Every link within the site leads somewhere: to a page, a file, a place on a page."""

from __future__ import annotations

import html.parser
import re
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//")


class Page(html.parser.HTMLParser):
    """The links of a page and the places that a link can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.places |= {value for key, value in attrs if key in ("id", "name") and value}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")
        for key in ("src", "href"):
            if tag in ("script", "link", "img", "source") and found.get(key) and found.get("rel") != "canonical":
                self.loads.append(found[key] or "")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def test_every_internal_link_resolves(pages: dict[Path, Page]) -> None:
    lost, count = [], 0
    for path, page in pages.items():
        for link in page.links:
            if OUTSIDE.match(link):
                continue
            count += 1
            target, fragment = urldefrag(link)
            where = (path.parent / unquote(target)).resolve() if target else path
            if not where.is_file():
                lost.append(f"{path.name}: {link}")
            elif fragment and where in pages and unquote(fragment) not in pages[where].places:
                lost.append(f"{path.name}: {link} (no such place)")
    assert lost == []
    assert count > 5_000


def test_nothing_is_loaded_from_outside(pages: dict[Path, Page], site: Path) -> None:
    assert [load for page in pages.values() for load in page.loads if OUTSIDE.match(load)] == []
    sheets = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert [
        found for sheet in sheets for found in re.findall(r"url\(\s*['\"]?(?:https?:)?//[^)]*\)|@import[^;]*", sheet)
    ] == []


def test_there_is_a_page_for_every_kind_and_rule(site: Path) -> None:
    from kernelindex_schema.rules import RULES
    from kernelindex_schema.v1alpha1 import KINDS

    names = {path.stem for path in (site / "reference" / "kinds").glob("*.html")}
    assert len(names) == len(KINDS) + 2
    for rule in RULES.values():
        assert (site / "reference" / "rules" / f"{rule.id}.html").is_file()
        assert f"../reference/rules/{rule.id}.html" in (site / "rules" / f"{rule.id}.html").read_text(encoding="utf-8")


def test_the_schemas_lie_where_their_ids_say(site: Path) -> None:
    import json

    from kernelindex_schema.structure.published import SCHEMA_URL_BASE

    found = sorted((site / "v1alpha1").glob("*.schema.json"))
    assert len(found) >= 18
    for path in found:
        identity = json.loads(path.read_text(encoding="utf-8"))["$id"]
        assert identity == SCHEMA_URL_BASE + path.relative_to(site).as_posix()
