"""The built site, served on loopback, and a headless Chromium that looks at it.

What is missing skips these tests with the command that brings it; with ``KIX_TEST_EVERYTHING`` it fails them.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

# As root Chromium has no sandbox; the rest keeps it from looking up hosts of its own.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


def lacking(what: str, command: str) -> None:
    """Skip, or fail where everything has to run."""
    message = f"{what} is not installed; run: {command}"
    if os.environ.get("KIX_TEST_EVERYTHING"):
        pytest.fail(message)
    pytest.skip(message)


def need(*modules: str) -> None:
    for module in modules:
        if importlib.util.find_spec(module) is None:
            lacking(module, "pip install '.[test]'")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; a warning fails the build."""
    need("sphinx", "furo", "myst_parser")
    target = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        str(ROOT / "docs"),
        str(target),
    ]
    done = subprocess.run(
        [*command, "-d", str(tmp_path_factory.mktemp("doctrees"))], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return target


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *args: Any) -> None:
        """Stay quiet."""

    def handle(self) -> None:
        """Serve, also a browser that went elsewhere in the middle."""
        with contextlib.suppress(ConnectionError):
            super().handle()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served; ends in a slash."""
    handler = functools.partial(Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless browser."""
    need("playwright")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        lacking("Chromium", "apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Visitor:
    """A page, and everything that went wrong while it was open."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.troubles: list[str] = []
        page.on("console", lambda told: self._note(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("requestfailed", self._failed)
        page.on("request", lambda request: None if request.url.startswith(self.address) else self._note(request.url))

    def _failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in str(request.failure):  # what going to the next page breaks off
            self._note(f"{request.failure}: {request.url}")

    def _note(self, text: str) -> None:
        self.troubles.append(f"{self.page.url.removeprefix(self.address)}: {text}")

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)


@pytest.fixture
def visit(chromium: Any, address: str) -> Iterator[Any]:
    """Makes visitors: ``visit(width=1280, theme="light")``. Whatever a page complained of fails the test."""
    contexts, visitors = [], []

    def make(width: int = 1280, theme: str = "light") -> Visitor:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
        context.set_default_timeout(15_000)
        contexts.append(context)
        visitors.append(Visitor(context.new_page(), address))
        return visitors[-1]

    yield make
    for context in contexts:
        context.close()
    assert [trouble for visitor in visitors for trouble in visitor.troubles] == []
