"""A client of a language server over standard input and output, as far as these tests need one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any


class LanguageServer:
    """A running server; texts are opened, and what it says of them is kept."""

    def __init__(self, command: list[str], settings: dict[str, Any], folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.asked = 0
        self.said: dict[str, list[dict[str, Any]]] = {}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        document = {
            "hover": {"contentFormat": ["markdown"]},
            "completion": {"completionItem": {"snippetSupport": True}},
        }
        self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "capabilities": {"textDocument": document, "workspace": {"configuration": True}},
            },
        )
        self.tell("initialized", {})

    def __enter__(self) -> LanguageServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the language server ended"
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message

    def tell(self, method: str, params: Any) -> None:
        """Notify the server."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The answer to a request; what the server asks in between is answered."""
        self.asked += 1
        self._send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self.asked and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]
            self._answer(message)

    def _answer(self, message: dict[str, Any]) -> None:
        if message.get("method") == "workspace/configuration":
            found = [self.settings.get(item.get("section", ""), {}) for item in message["params"]["items"]]
            self._send({"id": message["id"], "result": found})
        elif message.get("method") == "textDocument/publishDiagnostics":
            self.said[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message:
            self._send({"id": message["id"], "result": None})

    def open(self, name: str, text: str) -> str:
        """Open a text under a name of the folder; gives its address once it has been looked at."""
        address = (self.folder / name).as_uri()
        document = {"uri": address, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        while address not in self.said:
            self._answer(self._receive())
        return address

    def diagnostics(self, address: str) -> list[tuple[int, str]]:
        """Line (from 1) and message of everything that it complains of."""
        return [(each["range"]["start"]["line"] + 1, each["message"]) for each in self.said[address]]

    def _at(self, address: str, line: int, column: int) -> dict[str, Any]:
        return {"textDocument": {"uri": address}, "position": {"line": line - 1, "character": column - 1}}

    def hover(self, address: str, line: int, column: int) -> str:
        """The text beside a place; line and column count from 1."""
        answer = self.ask("textDocument/hover", self._at(address, line, column))
        return str(answer["contents"]["value"]) if answer else ""

    def completions(self, address: str, line: int, column: int) -> dict[str, dict[str, Any]]:
        """What it offers at a place, by label."""
        answer = self.ask("textDocument/completion", self._at(address, line, column))
        return {item["label"]: item for item in answer["items"]}
