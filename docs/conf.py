"""How the site is built: ``python -m sphinx -W -b html docs docs/_build/html``, from the root of a checkout."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from kernelindex_schema import __version__
from kernelindex_schema._generate.try_it import page_data
from kernelindex_schema.rules import RULES

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

project = "kernelindex-schema"
author = "The kernelindex-schema authors"
version = release = __version__
language = "en"

extensions = ["myst_parser"]
smartquotes = False  # would make one dash of the two before an option
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "try-it/node_modules"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

# The bad examples of some rules are no JSON or YAML: that is their point.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "kernelindex-schema"
html_static_path = ["_static"]
# The schemas are served where their $id says, below the site's own address.
html_extra_path = ["../schemas"]
html_favicon = "_static/favicon.svg"
html_css_files = ["kix.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False


def _moved_pages(app: Any) -> Iterator[tuple[str, dict[str, str], str]]:
    """Reports link to ``rules/ID``; the pages stand in the reference."""
    for rule_id in RULES:
        yield f"rules/{rule_id}", {"target": f"../reference/rules/{rule_id}.html"}, "moved.html"


def _write_try_it_data(app: Any, error: Exception | None) -> None:
    """The schemas as a script, so that the page works without a server."""
    if error is None and app.builder.format == "html":
        path = os.path.join(app.outdir, "_static", "try-it-data.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write("window.kixData = " + json.dumps(page_data(ROOT), separators=(",", ":")) + ";\n")


def setup(app: Any) -> None:
    """Connect the two."""
    app.connect("html-collect-pages", _moved_pages)
    app.connect("build-finished", _write_try_it_data)
