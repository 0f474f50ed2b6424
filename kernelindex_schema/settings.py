"""Settings of a project: ``[tool.kix-schema]`` of a pyproject.toml, or a kix-schema.toml of its own.

The nearest folder upward that has either counts; within one folder kix-schema.toml comes first. A pyproject.toml
without the table is passed over, so that a part of a larger repository follows the settings of the whole.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from kernelindex_schema.errors import SettingsError
from kernelindex_schema.findings import Severity
from kernelindex_schema.nearest import did_you_mean

__all__ = ["DEFAULT_SETTINGS", "Settings", "find_settings", "load_settings", "read_settings", "rule_selectors"]

OWN_FILE = "kix-schema.toml"
PROJECT_FILE = "pyproject.toml"
TABLE = "kix-schema"

READING_FAULTS = "KIX0"
"""Prefix of the rules that cannot be deselected: what could not be read was not checked."""

FAIL_ON = (Severity.ERROR.value, Severity.WARNING.value)


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """What a project asks of a check.

    Globs are relative to ``folder``, with ``/`` between names: ``*`` stays within one name, ``**`` crosses folders,
    and a glob without ``/`` matches a file or folder name at any depth.
    """

    select: tuple[str, ...] = ()
    """Rule ids or their beginnings, such as ``KIX3``. Empty: every rule."""
    ignore: tuple[str, ...] = ()
    """Rule ids or their beginnings to leave out. The longest beginning wins; at equal length, ``ignore`` does."""
    fail_on: Severity = Severity.ERROR
    """The least severity that makes a check fail: error or warning."""
    exclude: tuple[str, ...] = ()
    """Globs of files and folders to pass over below a folder. A file named on the command line is always checked."""
    primary_statistics: tuple[str, ...] = ("median",)
    """Statistics that a run or protocol may rest on (KIX301)."""
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    """Globs of files, each with rule ids or their beginnings to leave out there."""
    folder: str = ""
    """The folder that globs are relative to; empty: the current one."""

    def selects(self, rule_id: str, file: str | None) -> bool:
        """Whether findings of this rule in this file are shown. Reading faults (KIX0) always are."""
        if rule_id.startswith(READING_FAULTS):
            return True
        chosen = _longest(self.select, rule_id) if self.select else 0
        if chosen < 0 or _longest(self.ignore, rule_id) >= max(chosen, 1):
            return False
        if not self.per_file_ignores or file is None:
            return True
        return not any(
            _longest(ids, rule_id) > 0 and _matches(pattern, file, self.folder)
            for pattern, ids in self.per_file_ignores.items()
        )

    def excludes(self, path: str) -> bool:
        """Whether a file or folder met below a folder is passed over."""
        return any(_matches(pattern, path, self.folder) for pattern in self.exclude)


DEFAULT_SETTINGS = Settings()


def _longest(beginnings: Iterable[str], rule_id: str) -> int:
    return max((len(start) for start in beginnings if rule_id.startswith(start)), default=-1)


def _matches(pattern: str, path: str, folder: str) -> bool:
    try:
        relative = os.path.relpath(path, folder or os.curdir)
    except ValueError:  # another drive
        return False
    return _glob(pattern)(relative.replace(os.sep, "/")) is not None


@functools.lru_cache(maxsize=256)
def _glob(pattern: str) -> Callable[[str], object]:
    import re

    names = pattern.strip("/").removeprefix("./")
    expression = r"(?:.*/)?" if "/" not in pattern.rstrip("/") else ""
    position = 0
    while position < len(names):
        if names.startswith("**/", position):
            expression += r"(?:.*/)?"
            position += 3
        elif names.startswith("**", position):
            expression += ".*"
            position += 2
        else:
            character = names[position]
            expression += {"*": "[^/]*", "?": "[^/]"}.get(character) or re.escape(character)
            position += 1
    # What matches a folder matches all that is below it.
    return re.compile(expression + r"(?:/.*)?", re.S).fullmatch


def find_settings(start: str = "") -> str | None:
    """The settings file that holds for this folder (empty: the current one), or ``None``.

    Raises:
        SettingsError: a settings file on the way up cannot be read.
    """
    folder = os.path.abspath(start or os.curdir)
    while True:
        own = os.path.join(folder, OWN_FILE)
        if os.path.isfile(own):
            return own
        project = os.path.join(folder, PROJECT_FILE)
        # Most projects have a pyproject.toml and no such table: the bytes tell without a TOML parser.
        if os.path.isfile(project) and TABLE.encode() in _bytes(project) and _table(project) is not None:
            return project
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def load_settings(config: str | None = None, *, start: str = "") -> Settings:
    """The settings of ``config``, or else of the nearest settings file upward from ``start``, or else the defaults.

    Raises:
        SettingsError: the file is missing, malformed, or names a setting or a value that does not exist.
    """
    file = find_settings(start) if config is None else config
    return DEFAULT_SETTINGS if file is None else read_settings(file)


def read_settings(file: str) -> Settings:
    """The settings that a file states; a pyproject.toml without the table states none.

    Raises:
        SettingsError: the file is missing, malformed, or names a setting or a value that does not exist.
    """
    table = _table(file)
    if table is None:
        return DEFAULT_SETTINGS
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _SETTINGS:
            meant = did_you_mean(key.replace("_", "-"), _SETTINGS)
            raise SettingsError(f"{_where(file)}: {key!r} is no setting{meant or ', only ' + ', '.join(_SETTINGS)}")
        values[key.replace("-", "_")] = _SETTINGS[key](f"{_where(file)}: {key}", value)
    return Settings(folder=os.path.dirname(os.path.abspath(file)), **values)


def rule_selectors(where: str, value: Iterable[str]) -> tuple[str, ...]:
    """Rule ids or their beginnings, each of which stands for at least one rule.

    Raises:
        SettingsError: one stands for none; names ``where``, and the nearest id.
    """
    from kernelindex_schema.rules import RULES

    selectors = tuple(value)
    by_name = {rule.name: rule.id for rule in RULES.values()}
    for selector in selectors:
        if selector and any(rule.startswith(selector) for rule in RULES):
            continue
        upper = selector.upper()
        known = by_name.get(selector) or (upper if any(rule.startswith(upper) for rule in RULES) else None)
        meant = f"; did you mean {known}?" if known else did_you_mean(upper, RULES)
        raise SettingsError(f"{where}: {selector!r} is no rule id and the beginning of none{meant}")
    return selectors


def _bytes(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise SettingsError(f"{_where(file)}: cannot be read: {error.strerror or error}") from None


def _table(file: str) -> Mapping[str, Any] | None:
    import tomllib

    try:
        root = tomllib.loads(_bytes(file).decode("utf-8"))
    except UnicodeDecodeError:
        raise SettingsError(f"{_where(file)}: not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{_where(file)}: not TOML: {error}") from None
    if os.path.basename(file) != PROJECT_FILE:
        return root
    tools = root.get("tool")
    table = tools.get(TABLE) if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{_where(file)}: tool.{TABLE} is {_seen(table)}, expected a table")
    return table


def _where(file: str) -> str:
    """The file as a reader would name it: relative where it lies below the current folder."""
    try:
        relative = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if relative.startswith(os.pardir) else relative


def _seen(value: object) -> str:
    shown = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def _texts(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        meant = f"; did you mean [{_quoted(value)}]?" if isinstance(value, str) else ""
        raise SettingsError(f"{where} is {_seen(value)}, expected a list of texts{meant}")
    for index, item in enumerate(value):
        if not isinstance(item, str):
            raise SettingsError(
                f"{where}[{index}] is {_seen(item)}, expected a text; did you mean {_quoted(str(item))}?"
            )
    return tuple(value)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _rules(where: str, value: object) -> tuple[str, ...]:
    return rule_selectors(where, _texts(where, value))


def _severity(where: str, value: object) -> Severity:
    if value not in FAIL_ON:
        meant = did_you_mean(value.lower(), FAIL_ON) if isinstance(value, str) else ""
        raise SettingsError(f"{where} is {_seen(value)}, expected 'error' or 'warning'{meant}")
    return Severity(value)


def _statistics(where: str, value: object) -> tuple[str, ...]:
    import re

    names = _texts(where, value)
    if not names:
        raise SettingsError(f"{where} is empty, expected at least one statistic; the default is ['median']")
    for name in names:
        if not re.fullmatch("[a-z][a-z0-9_]*", name):
            meant = did_you_mean(name.lower(), ("median", "mean", "minimum", "maximum", "p05", "p20", "p80", "p95"))
            raise SettingsError(f"{where}: {name!r} is no name of a statistic{meant}")
    return names


def _per_file(where: str, value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise SettingsError(f"{where} is {_seen(value)}, expected a table of globs, each with a list of rule ids")
    return {pattern: _rules(f"{where}.{_quoted(pattern)}", ids) for pattern, ids in value.items()}


_SETTINGS: dict[str, Callable[[str, object], Any]] = {
    "select": _rules,
    "ignore": _rules,
    "fail-on": _severity,
    "exclude": _texts,
    "primary-statistics": _statistics,
    "per-file-ignores": _per_file,
}
