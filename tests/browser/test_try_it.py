"""The try-it page: it refuses what the command refuses, and computes the digests that the command computes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import kernelindex_schema as kix
from kernelindex_schema._generate.try_it import CHECKED_IN_THE_PAGE
from kernelindex_schema.findings import Severity
from kernelindex_schema.rules import RULES

ROOT = Path(__file__).parents[2]
SEED = ROOT / "examples" / "valid" / "liger-rope-backward.txt"
SEED_DIGEST = "sha256:f32ed190b0d77ac4527ab39684daae3a0c0cd160528b4c71b0558aac388fbe1e"
FORMS = {".json": "json", ".jsonl": "jsonl", ".yaml": "yaml", ".txt": "page"}


@pytest.fixture
def trial(visit: Any) -> Any:
    visitor = visit()
    visitor.go("try-it/index.html")
    return visitor.page


def check(page: Any, text: str, form: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("([text, form]) => window.kixTryIt.check(text, form)", [text, form])
    return found


def documents(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in FORMS and path.name != "expected.json")


def test_the_seed_and_its_digest(trial: Any) -> None:
    trial.get_by_label("Record", exact=True).fill(SEED.read_text(encoding="utf-8"))
    trial.get_by_role("button", name="Check").click()
    trial.wait_for_selector("#kix-status[data-verdict='good']")
    assert SEED_DIGEST in trial.locator("#kix-result").inner_text()
    assert "Only the command checks the other rules" in trial.get_by_role("status").inner_text()
    trial.get_by_text("Canonical form").first.click()
    record = kix.read(SEED)
    assert (
        trial.get_by_label(re.compile("Canonical form of")).first.inner_text()
        == kix.canonical_bytes(record.run).decode()
    )


def test_a_broken_seed(trial: Any) -> None:
    broken = SEED.read_text(encoding="utf-8").replace('"median": 410240', '"median": "410.2405 us"', 1)
    trial.get_by_label("Record", exact=True).fill(broken)
    trial.get_by_role("button", name="Check").click()
    trial.wait_for_selector("#kix-status[data-verdict='bad']")
    (fault,) = trial.locator("#kix-result li").all()
    assert "run.spec.timing.latencyNs.median" in fault.inner_text()
    assert fault.get_by_role("link", name="KIX110").get_attribute("href") == "../reference/rules/KIX110.html"
    assert SEED_DIGEST not in trial.locator("#kix-result").inner_text()
    fault.get_by_role("button", name=re.compile("Go to line")).click()
    chosen = trial.evaluate(
        "(() => { const a = document.activeElement; return a.value.slice(a.selectionStart, a.selectionEnd); })()"
    )
    assert chosen == '"410.2405 us"'


def test_by_keyboard_alone(trial: Any) -> None:
    box = trial.get_by_label("Record", exact=True)
    for _ in range(60):
        trial.keyboard.press("Tab")
        if box.evaluate("each => each === document.activeElement"):
            break
    else:
        raise AssertionError("the tab key does not reach the text")
    trial.keyboard.type("kind: BenchmarkRun")
    trial.keyboard.press("Control+Enter")
    trial.wait_for_selector("#kix-status[data-verdict='bad']")
    trial.keyboard.press("Tab")
    assert trial.evaluate("document.activeElement.innerText") == "Check"
    trial.keyboard.press("Tab")
    assert trial.evaluate("document.activeElement.innerText") == "KIX104"


def test_for_a_screen_reader(trial: Any) -> None:
    """Every control has a name, and the verdict is announced."""
    nameless = """
      [...document.querySelectorAll("#kix-form :is(textarea, select, button)")]
        .filter((each) => !each.labels?.length && !each.innerText.trim() && !each.getAttribute("aria-label"))
        .map((each) => each.outerHTML)
    """
    assert trial.evaluate(nameless) == []
    status = trial.get_by_role("status")
    assert status.get_attribute("aria-live") == "polite"
    trial.get_by_label("Begin with an example").select_option(label="A submission in YAML")
    trial.wait_for_selector("#kix-status[data-verdict='good']")
    assert "submission" in status.inner_text()


def test_it_says_what_only_the_command_checks(trial: Any) -> None:
    text = trial.locator("article").inner_text()
    for rule in RULES:
        assert (rule in text) is (rule not in CHECKED_IN_THE_PAGE)


def test_the_digests_of_all_valid_documents(trial: Any) -> None:
    from kernelindex_schema.v1alpha1 import Manifest, Record, Submission

    def manifests(value: Any) -> list[Manifest]:
        if isinstance(value, Manifest):
            return [value]
        if isinstance(value, Record):
            return [value.run, value.protocol, value.environment]
        assert isinstance(value, Submission)
        found: list[Manifest] = []
        for name in ("projects", "operations", "workloads"):
            found += getattr(value, name) or ()
        found += [each.manifest for each in value.implementations or ()]
        return found + [each for record in value.runs or () for each in manifests(record)]

    paths = documents("examples/valid") + [
        path for folder in sorted((ROOT / "tests" / "fixtures" / "valid").iterdir()) for path in documents(str(folder))
    ]
    count = 0
    for path in paths:
        found = check(trial, path.read_text(encoding="utf-8"), FORMS[path.suffix])
        values = [value for _, value in kix.iter_documents(path)]
        assert len(found) == len(values)
        for document, value in zip(found, values, strict=True):
            assert [fault for fault in document["faults"] if not fault.get("warning")] == [], path
            if document["shape"] == "bench record":
                continue
            assert [each["digest"] for each in document["manifests"]] == [kix.digest(each) for each in manifests(value)]
            count += len(document["manifests"])
    assert len(paths) >= 40
    assert count >= 100


# Where nothing can be read of a document, the page gives a place in the text and no path.
WITHOUT_PATH = {"KIX003", "KIX004", "KIX006", "KIX007", "KIX011", "KIX014"}


def placed(rule: str, path: str | None) -> tuple[str, str | None]:
    """A rule and where it was found; half a surrogate pair does not pass from a browser to a test as it is."""
    if not path or rule in WITHOUT_PATH:
        return rule, None
    return rule, path.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def told(path: Path) -> set[tuple[str, str | None]]:
    """Rule and path of what the command tells of a file, as far as the page looks for it."""
    found = [each for each in kix.check(path).findings if each.rule in CHECKED_IN_THE_PAGE]
    return {placed(each.rule, each.path) for each in found}


def test_the_faults_of_all_invalid_documents(trial: Any) -> None:
    differing, count = {}, 0
    for path in documents("tests/fixtures/invalid"):
        found = check(trial, path.read_bytes().decode("utf-8", "replace"), FORMS[path.suffix])
        if any(document["shape"] == "bench record" for document in found):
            continue
        dotted = trial.evaluate(
            "(all) => all.map((path) => window.kixTryIt.dotted(path ?? []))",
            [fault["path"] for document in found for fault in document["faults"]],
        )
        rules = [fault["rule"] for document in found for fault in document["faults"]]
        mine = {placed(rule, path) for rule, path in zip(rules, dotted, strict=True)}
        expected = told(path)
        if any(rule == "KIX103" for rule, _ in expected):
            # The page does not guess which field was meant, so a misspelt one is also missing.
            mine = {(rule, path) for rule, path in mine if rule != "KIX104"} | (mine & expected)
        count += len(expected)
        if mine != expected:
            differing[str(path.relative_to(ROOT))] = (sorted(mine - expected), sorted(expected - mine))
    assert not differing, "\n".join(f"{path}: {sets}" for path, sets in differing.items())
    assert count >= 100


def test_its_rules_exist() -> None:
    assert set(CHECKED_IN_THE_PAGE) <= set(RULES)
    assert RULES["KIX203"].severity is Severity.WARNING
