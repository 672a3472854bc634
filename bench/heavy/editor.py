"""An editor with a content: the server is sent what an editor sends while files are opened, looked at and typed in.

told = session(folder)        # what it took, as the last line of a command
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from rulespec.service.positions import Lines

MOST_FILES = 3  #: that are open at once
LETTERS = 8  #: typed into each
SECONDS = 300  #: on the clock, of the longest answer
CHECKED = 10.0  #: on the clock, without anything told of problems
QUESTIONS = 13  #: about each file
_PEAK = "VmHWM:"


class Session:
    """A server in a process of its own, and the conversation with it."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter.cli.main", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._told: Queue[str] = Queue()  #: addresses of files whose problems were told
        self._answers: Queue[dict[str, Any]] = Queue()
        self._number = 0
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities={})
        self.tell("initialized")

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            found = json.loads(stream.read(length))
            if found.get("method") == "textDocument/publishDiagnostics":
                self._told.put(found["params"]["uri"])
            elif "method" in found and "id" in found:
                self._write({"id": found["id"], "result": None})
            elif "id" in found:
                self._answers.put(found)

    def tell(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._write({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a request, and waits for its answer."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        found: dict[str, Any] = self._answers.get(timeout=SECONDS)
        return found

    def wait_for_check(self, seconds: float) -> None:
        """Waits until problems were told, and so many seconds for those of the whole game."""
        with suppress(Empty):
            while True:
                self._told.get(timeout=seconds)

    def close(self) -> None:
        """Ends the server."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()

    def held(self) -> int:
        """The bytes that the server held at most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii", errors="replace")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(_PEAK))


def session(folder: Path, checked: float = CHECKED) -> tuple[int, int]:
    """Opens some files, asks everything about them, types, and ends: how many answers came, and the bytes held."""
    editor = Session(folder)
    try:
        answers = sum(_opened(editor, path, checked) for path in sorted(folder.rglob("*.yaml"))[:MOST_FILES])
        editor.ask("shutdown")
        return answers, editor.held()
    finally:
        editor.close()


def _opened(editor: Session, path: Path, checked: float) -> int:
    """One file: opened, looked at, typed in at its middle."""
    text, uri = path.read_text(encoding="utf-8"), path.as_uri()
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", textDocument=document)
    editor.wait_for_check(checked)
    place = Lines(text).position(len(text) // 2)
    at = {"line": place.line, "character": place.column}
    answers = 0
    for method, params in _asked(uri, at):
        answers += "result" in editor.ask(method, **params)
    for number in range(LETTERS):
        change = {"range": {"start": at, "end": at}, "text": "x"}
        editor.tell("textDocument/didChange", textDocument={"uri": uri, "version": number + 2}, contentChanges=[change])
        answers += "result" in editor.ask("textDocument/completion", textDocument={"uri": uri}, position=at)
    editor.wait_for_check(checked)
    return answers


def _asked(uri: str, at: dict[str, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    document = {"textDocument": {"uri": uri}}
    window = {"start": at, "end": {"line": at["line"] + 60, "character": 0}}
    for name in ("documentSymbol", "foldingRange", "documentLink", "codeLens"):
        yield f"textDocument/{name}", document
    for name in ("semanticTokens/range", "inlayHint"):
        yield f"textDocument/{name}", document | {"range": window}
    for name in ("hover", "completion", "definition", "documentHighlight", "signatureHelp"):
        yield f"textDocument/{name}", document | {"position": at}
    yield "textDocument/references", document | {"position": at, "context": {"includeDeclaration": True}}
    yield "workspace/symbol", {"query": "a"}
