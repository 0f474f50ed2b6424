from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from kernelindex_schema.errors import SettingsError
from kernelindex_schema.findings import Severity
from kernelindex_schema.settings import DEFAULT_SETTINGS, Settings, find_settings, load_settings, read_settings

WHOLE = """
select = ["KIX3", "KIX401"]
ignore = ["KIX304"]
fail-on = "warning"
exclude = ["build", "old/**/*.yaml"]
primary-statistics = ["median", "mean"]
per-file-ignores = { "legacy/*" = ["KIX4"] }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, name, text):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_without_a_file_the_defaults_hold(folder):
    assert load_settings() is DEFAULT_SETTINGS
    assert DEFAULT_SETTINGS.primary_statistics == ("median",)
    assert DEFAULT_SETTINGS.fail_on is Severity.ERROR


@pytest.mark.parametrize("name", ["kix-schema.toml", "pyproject.toml"])
def test_every_setting(folder, name):
    text = WHOLE if name == "kix-schema.toml" else "[project]\nname = 'x'\n[tool.kix-schema]\n" + WHOLE
    write(folder, name, text)
    settings = load_settings()
    assert settings == Settings(
        select=("KIX3", "KIX401"),
        ignore=("KIX304",),
        fail_on=Severity.WARNING,
        exclude=("build", "old/**/*.yaml"),
        primary_statistics=("median", "mean"),
        per_file_ignores={"legacy/*": ("KIX4",)},
        folder=str(folder),
    )
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_the_nearest_folder_wins_and_the_own_file_comes_first(folder):
    outer = write(folder, "pyproject.toml", "[tool.kix-schema]\nselect = ['KIX3']\n")
    deep = folder / "a" / "b"
    deep.mkdir(parents=True)
    assert find_settings(str(deep)) == outer
    write(folder, "a/pyproject.toml", "[project]\nname = 'kix-schema'\n")
    assert find_settings(str(deep)) == outer, "a pyproject.toml without the table is passed over"
    inner = write(folder, "a/pyproject.toml", "[tool.kix-schema]\n")
    assert find_settings(str(deep)) == inner
    own = write(folder, "a/kix-schema.toml", "")
    assert find_settings(str(deep)) == own
    assert load_settings(start=str(deep)) == Settings(folder=str(folder / "a"))


def test_a_named_file_takes_the_place_of_what_is_found(folder):
    write(folder, "kix-schema.toml", "fail-on = 'error'")
    other = write(folder, "other.toml", "fail-on = 'warning'")
    assert load_settings(other).fail_on is Severity.WARNING
    named = write(folder, "x/pyproject.toml", "[project]\n")
    assert load_settings(named) == DEFAULT_SETTINGS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("selct = []", "kix-schema.toml: 'selct' is no setting; did you mean select?"),
        ("fail_on = 'error'", "'fail_on' is no setting; did you mean fail-on?"),
        ("zzzzzz = 1", "only select, ignore, fail-on, exclude, primary-statistics, per-file-ignores"),
        ("select = 'KIX3'", """select is 'KIX3', expected a list of texts; did you mean ["KIX3"]?"""),
        ("select = [3]", 'select[0] is 3, expected a text; did you mean "3"?'),
        ("select = ['KIX999']", "select: 'KIX999' is no rule id and the beginning of none; did you mean KIX"),
        ("select = ['']", "select: '' is no rule id"),
        ("ignore = ['source-time-disagrees']", "ignore: 'source-time-disagrees' is no rule id and the beginning of"
         " none; did you mean KIX401?"),
        ("ignore = ['kix3']", "ignore: 'kix3' is no rule id and the beginning of none; did you mean KIX3?"),
        ("fail-on = 'warnings'", "fail-on is 'warnings', expected 'error' or 'warning'; did you mean warning?"),
        ("fail-on = 'note'", "fail-on is 'note', expected 'error' or 'warning'"),
        ("fail-on = true", "fail-on is true, expected 'error' or 'warning'"),
        ("exclude = {a = 1}", "exclude is {'a': 1}, expected a list of texts"),
        ("primary-statistics = []", "primary-statistics is empty"),
        ("primary-statistics = ['Median']", "'Median' is no name of a statistic; did you mean median?"),
        ("per-file-ignores = ['x']", "per-file-ignores is ['x'], expected a table of globs"),
        ("[per-file-ignores]\n'a*' = 'KIX3'", """per-file-ignores."a*" is 'KIX3', expected a list of texts"""),
        ("[per-file-ignores]\n'a*' = ['KIX9']", """per-file-ignores."a*": 'KIX9' is no rule id"""),
        ("select = [", "kix-schema.toml: not TOML: "),
        ("a = " + "[" * 5000, "kix-schema.toml: not TOML: "),
    ],
)  # fmt: skip
def test_a_wrong_setting_names_file_key_and_the_nearest_right_one(folder, text, told):
    write(folder, "kix-schema.toml", text)
    with pytest.raises(SettingsError) as raised:
        load_settings()
    assert told in str(raised.value)
    assert str(raised.value).startswith("kix-schema.toml: ")


def test_files_that_cannot_be_read(folder):
    with pytest.raises(SettingsError, match=r"gone\.toml: cannot be read: No such file"):
        load_settings("gone.toml")
    (folder / "kix-schema.toml").write_bytes(b"select = ['\xff']")
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings()
    (folder / "kix-schema.toml").unlink()
    write(folder, "pyproject.toml", "[tool]\nkix-schema = 3")
    with pytest.raises(SettingsError, match="kix-schema is 3, expected a table"):
        load_settings()


def test_a_file_elsewhere_is_named_in_full(folder, tmp_path_factory):
    elsewhere = write(tmp_path_factory.mktemp("other"), "kix-schema.toml", "x = 1")
    with pytest.raises(SettingsError) as raised:
        read_settings(elsewhere)
    assert str(raised.value).startswith(f"{elsewhere}: 'x' is no setting")


@pytest.mark.parametrize(
    ("select", "ignore", "selected", "left_out"),
    [
        ((), (), ["KIX101", "KIX801"], []),
        (("KIX3",), (), ["KIX301"], ["KIX401"]),
        (("KIX3", "KIX4"), ("KIX304",), ["KIX301", "KIX401"], ["KIX304", "KIX501"]),
        (("KIX304",), ("KIX3",), ["KIX304"], ["KIX301"]),
        (("KIX304",), ("KIX304",), [], ["KIX304"]),
        ((), ("KIX",), [], ["KIX101"]),
        (("KIX3",), ("KIX",), ["KIX301"], ["KIX101"]),
    ],
)
def test_the_longest_beginning_wins(select, ignore, selected, left_out):
    settings = Settings(select=select, ignore=ignore)
    assert all(settings.selects(rule, "a.yaml") for rule in selected)
    assert not any(settings.selects(rule, None) for rule in left_out)
    assert settings.selects("KIX002", "a.yaml"), "reading faults cannot be deselected"


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.yaml", ["a.yaml", "x/y/a.yaml"], ["a.json", "a.yaml.gz"]),
        ("build", ["build/a", "x/build/a/b"], ["builds/a", "x/abuild/a"]),
        ("runs/*.yaml", ["runs/a.yaml"], ["runs/x/a.yaml", "x/runs/a.yaml"]),
        ("runs/**/*.yaml", ["runs/a.yaml", "runs/x/y/a.yaml"], ["runs/a.json"]),
        ("runs/**", ["runs/a", "runs/x/y"], ["run/a"]),
        ("runs/", ["runs/a", "x/runs/b"], ["runs2/a"]),
        ("./runs/a?.yaml", ["runs/ab.yaml"], ["runs/a/.yaml"]),
        ("**/old/*", ["old/a", "x/old/a"], ["older/a"]),
        ("[ab].yaml", ["[ab].yaml"], ["a.yaml"]),
    ],
)
def test_globs(folder, pattern, matching, others):
    ignoring = Settings(per_file_ignores={pattern: ("KIX3",)}, folder=str(folder))
    excluding = Settings(exclude=(pattern,), folder=str(folder))
    for file in matching:
        assert not ignoring.selects("KIX301", file), file
        assert ignoring.selects("KIX401", file), file
        assert excluding.excludes(os.path.join(str(folder), file)), file
    for file in others:
        assert ignoring.selects("KIX301", file), file
        assert not excluding.excludes(file), file


def test_globs_are_relative_to_the_folder_of_the_settings(folder, monkeypatch):
    write(folder, "kix-schema.toml", "[per-file-ignores]\n'runs/*' = ['KIX3']")
    (folder / "runs").mkdir()
    monkeypatch.chdir(folder / "runs")
    assert not load_settings().selects("KIX301", "a.yaml")


def test_no_toml_reader_is_loaded_without_a_file(folder):
    write(folder, "pyproject.toml", "[project]\nname = 'x'\n")
    code = "import sys, kernelindex_schema.settings as s; s.load_settings(); sys.exit('tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=folder).returncode == 0
