"""A plain client of the Language Server Protocol, over the pipes of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

#: How long an answer may take on a machine with much to do; no test says that it takes less.
LONGEST = 120.0


class Client:
    """A server in a process of its own. `diagnostics` are the newest ones, by address."""

    def __init__(self, root: Path, **capabilities: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter.cli.main", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.progress: dict[str, list[Any]] = {}  #: what came in parts, by its token
        self.published: Queue[str] = Queue()
        self._answers: Queue[dict[str, Any]] = Queue()
        self._number = 0
        Thread(target=self._read, daemon=True).start()
        self.about = self.ask("initialize", processId=None, rootUri=root.as_uri(), capabilities=capabilities)
        self.tell("initialized")

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
                self.published.put(message["params"]["uri"])
            elif message.get("method") == "$/progress":
                self.progress.setdefault(message["params"]["token"], []).append(message["params"]["value"])
            elif "method" in message and "id" in message:
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif "id" in message:
                self._answers.put(message)

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method: str, **params: Any) -> int:
        """Sends a request; its number."""
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def answer(self) -> dict[str, Any]:
        """Waits for the next answer to any request."""
        return self._answers.get(timeout=LONGEST)

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
