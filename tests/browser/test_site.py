"""The site as somebody meets it: going about, searching, both themes, a narrow screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PAGES = [
    "index.html",
    "tutorial/index.html",
    "how-to/fix-a-finding.html",
    "explanation/two-languages.html",
    "reference/kinds/index.html",
    "reference/kinds/benchmark-run.html",
    "reference/rules/index.html",
    "reference/rules/KIX401.html",
    "reference/command.html",
    "reference/api.html",
    "search.html?q=median",
    "try-it/index.html",
]

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


def test_from_the_front_page_to_a_field_and_a_rule(visit: Any) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("index.html")
    page.get_by_role("link", name="Look up a field").click()
    page.locator("article").get_by_role("link", name="BenchmarkRun", exact=True).first.click()
    assert page.title().startswith("BenchmarkRun")
    assert page.locator('[id="spec.timing.primaryStatistic"]').count() == 1
    page.locator("article").get_by_role("link", name="KIX401").click()
    assert page.locator("h1").inner_text().startswith("KIX401 source-time-disagrees")
    page.go_back()
    assert page.title().startswith("BenchmarkRun")


def test_the_address_that_reports_give_leads_to_the_rule(visit: Any) -> None:
    visitor = visit()
    visitor.go("rules/KIX401.html")
    visitor.page.wait_for_url("**/reference/rules/KIX401.html")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("primaryStatistic", "reference/kinds/benchmark-run.html"),
        ("KIX401", "reference/rules/KIX401.html"),
        ("source-time-disagrees", "reference/rules/KIX401.html"),
    ],
)
def test_search_finds(visit: Any, words: str, wanted: str) -> None:
    visitor = visit()
    visitor.go("index.html")
    box = visitor.page.get_by_role("textbox", name="Search")
    box.fill(words)
    box.press("Enter")
    visitor.page.wait_for_selector("#search-results ul.search li a")
    visitor.page.wait_for_function("!document.querySelector('#search-progress')?.innerText.includes('.')")
    found = [link.get_attribute("href") for link in visitor.page.locator("#search-results ul.search li > a").all()]
    assert any(wanted in (link or "") for link in found), found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_readable(visit: Any, theme: str) -> None:
    visitor = visit(theme=theme)
    grounds = set()
    for path in PAGES:
        visitor.go(path)
        if path.startswith("try-it"):
            visitor.page.select_option("#kix-example", label="The same with two faults")
            visitor.page.wait_for_selector("#kix-result li")
        told = visitor.page.evaluate(CONTRAST)
        assert told["seen"] > 10
        assert told["poor"] == [], path
        grounds.add(visitor.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 1


def test_the_themes_differ(visit: Any) -> None:
    found = set()
    for theme in ("light", "dark"):
        visitor = visit(theme=theme)
        visitor.go("index.html")
        found.add(visitor.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(found) == 2


def test_every_page_on_a_narrow_screen(visit: Any, site: Path) -> None:
    """None scrolls sideways at 360 pixels, none complains, none loads anything from elsewhere."""
    visitor = visit(width=360)
    paths = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    paths = [path for path in paths if not path.startswith("rules/")]
    assert len(paths) > 100
    wide = {}
    for path in paths:
        visitor.go(path)
        width = visitor.page.evaluate("document.documentElement.scrollWidth")
        if width > 360:
            wide[path] = width
    assert wide == {}


def test_the_menu_of_a_narrow_screen(visit: Any) -> None:
    visitor = visit(width=360)
    visitor.go("index.html")
    link = visitor.page.locator(".sidebar-tree").get_by_role("link", name="Try it")
    assert not link.is_visible() or link.bounding_box()["x"] < 0
    visitor.page.locator("label.nav-overlay-icon").first.click()
    link.click()
    assert visitor.page.locator("h1").inner_text().startswith("Try it")
