"""A client for the language server that editors use for YAML, driven over its standard input and output."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, BinaryIO

from rulespec.model.schema import modeline
from tests.language.structure.cases import PROJECT, SCHEMA
from tests.processes import PATIENCE

SETTINGS = {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False}}
MODELINE = modeline(SCHEMA.as_uri()) + "\n"


def server_script() -> Path | None:
    """The server's script: RULESPEC_YAML_LS, or the copy that the project's scripts install."""
    named = os.environ.get("RULESPEC_YAML_LS")
    package = Path("node_modules", "yaml-language-server", "bin", "yaml-language-server")
    script = Path(named) if named else PROJECT / ".cache" / "node" / package
    return script if script.is_file() else None


def missing() -> str | None:
    """Why the server cannot run here, or None."""
    if shutil.which("node") is None:
        return "Node.js is not installed"
    if server_script() is None:
        return "the npm package yaml-language-server is not installed (RULESPEC_YAML_LS names its script)"
    return None


class Editor:
    """One running server. Documents are numbered; each is opened once."""

    def __init__(self) -> None:
        script = server_script()
        assert script is not None
        self._process = subprocess.Popen(
            ["node", str(script), "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self._number = 0
        self._diagnostics: dict[str, list[dict[str, Any]]] = {}
        self._start()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def open(self, text: str) -> str:
        """Open a document with the schema's modeline before its text; gives its address."""
        self._number += 1
        return self._open(f"file:///content/case_{self._number}.yaml", MODELINE + text)

    def open_file(self, path: Path) -> str:
        """Open a file as it is, with its own modeline; gives its address."""
        return self._open(path.as_uri(), path.read_text("utf-8"))

    def _open(self, uri: str, text: str) -> str:
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        return uri

    def problems(self, text: str) -> list[str]:
        """What the server says about a document: each message with its line in `text`."""
        return self.said_of(self.open(text))

    def said_of(self, uri: str) -> list[str]:
        """What the server says about an open document, waiting for it."""
        while uri not in self._diagnostics:
            self._answer(self._messages.get(timeout=PATIENCE))
        return [f"{item['range']['start']['line']}: {item['message']}" for item in self._diagnostics[uri]]

    def request(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._messages.get(timeout=PATIENCE)
            if message.get("id") == number and "method" not in message:
                return message["result"]
            self._answer(message)

    def at(self, method: str, uri: str, line: int, column: int) -> Any:
        """Ask about a place of an open document; line 0 is the modeline."""
        place = {"line": line, "character": column}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})

    def _start(self) -> None:
        capabilities = {
            "workspace": {"configuration": True},
            "textDocument": {"hover": {"contentFormat": ["markdown"]}},
        }
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self._send({"method": "initialized", "params": {}})
        changed = {"settings": {"yaml": SETTINGS}}
        self._send({"method": "workspace/didChangeConfiguration", "params": changed})

    def _answer(self, message: dict[str, Any]) -> None:
        """Take note of a notification; answer what the server asks."""
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self._diagnostics[params["uri"]] = params["diagnostics"]
        elif "method" in message and "id" in message:
            result: Any = None
            if message["method"] == "workspace/configuration":
                items = message["params"]["items"]
                result = [SETTINGS if item.get("section") == "yaml" else {} for item in items]
            self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self, stream: BinaryIO) -> None:
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                return
            self._messages.put(json.loads(stream.read(length)))
