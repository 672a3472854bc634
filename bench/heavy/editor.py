"""An editor with a content: the server is sent what an editor sends while files are opened, looked at and typed in.

told = session(folder)        # what it took, as the last line of a command
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from bench.editor_pipe import EditorPipe
from rulespec.service.positions import Lines

MOST_FILES = 3  #: that are open at once
LETTERS = 8  #: typed into each
SECONDS = 300  #: on the clock, of the longest answer
CHECKED = 10.0  #: on the clock, without anything told of problems
QUESTIONS = 13  #: about each file
_PEAK = "VmHWM:"


class Session(EditorPipe):
    """A server, and the conversation with it."""

    def __init__(self, folder: Path) -> None:
        self._told: Queue[str] = Queue()  #: addresses of files whose problems were told
        super().__init__()
        self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities={})
        self.tell("initialized")

    def told(self, method: str, params: Any) -> None:
        """Notes whose problems were told."""
        if method == "textDocument/publishDiagnostics":
            self._told.put(params["uri"])

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends a request, and waits for its answer."""
        self.send(method, **params)
        return self.answer(SECONDS)

    def wait_for_check(self, seconds: float) -> None:
        """Waits until problems were told, and so many seconds for those of the whole game."""
        with suppress(Empty):
            while True:
                self._told.get(timeout=seconds)

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
