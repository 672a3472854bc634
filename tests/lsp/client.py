"""A plain client of the Language Server Protocol, over the pipes of a process."""

from __future__ import annotations

import subprocess
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from bench.editor_pipe import EditorPipe

#: How long an answer may take on a machine with much to do; no test says that it takes less.
LONGEST = 120.0


class Client(EditorPipe):
    """A server in a process of its own. `diagnostics` are the newest ones, by address."""

    def __init__(self, root: Path, **capabilities: Any) -> None:
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.progress: dict[str, list[Any]] = {}  #: what came in parts, by its token
        self.published: Queue[str] = Queue()
        super().__init__(subprocess.PIPE)
        self.about = self.ask("initialize", processId=None, rootUri=root.as_uri(), capabilities=capabilities)
        self.tell("initialized")

    def told(self, method: str, params: Any) -> None:
        """Keeps problems, and answers that come in parts."""
        if method == "textDocument/publishDiagnostics":
            self.diagnostics[params["uri"]] = params["diagnostics"]
            self.published.put(params["uri"])
        elif method == "$/progress":
            self.progress.setdefault(params["token"], []).append(params["value"])

    def answer(self, seconds: float = LONGEST) -> dict[str, Any]:
        """Waits for the next answer to any request."""
        return super().answer(seconds)

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a request, and waits for what it gives."""
        number = self.send(method, **params)
        answer = self.answer()
        assert answer["id"] == number
        assert "error" not in answer, answer["error"]
        return answer["result"]

    # ---- documents ----

    def open(self, path: Path, text: str | None = None) -> str:
        """Opens a file, with the text on disk or another one; its address."""
        text = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return path.as_uri()

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        """Sends changes of an open file."""
        self.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=list(changes))

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        """Asks something at a position."""
        position = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, position=position)

    def codes(self, uri: str, wanted: set[str]) -> set[str]:
        """Waits until a file has just these problems, by their codes; what it has in the end."""
        found: set[str] | None = None
        while found != wanted:
            try:
                self.published.get(timeout=LONGEST)
            except Empty:
                break
            found = {each["code"] for each in self.diagnostics.get(uri, [])}
        return found or set()

    def end(self) -> tuple[int, bytes]:
        """Ends the server as editors do; its exit status, and what it said of faults."""
        self.ask("shutdown")
        self.tell("exit")
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait(timeout=LONGEST)
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        self.process.stderr.close()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status, said
