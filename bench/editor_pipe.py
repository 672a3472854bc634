"""A server of the Language Server Protocol in a process of its own, and the pipes to it: for benchmarks and tests."""

from __future__ import annotations

import json
import subprocess
import sys
from queue import Queue
from threading import Thread
from typing import IO, Any


class EditorPipe:
    """What an editor sends and receives, as messages. `told` is called with what the server tells by itself."""

    def __init__(self, errors: int | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter.cli.main", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        self._answers: Queue[dict[str, Any]] = Queue()
        self._number = 0
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def told(self, method: str, params: Any) -> None:
        """A notification of the server."""

    def tell(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._write({"method": method, "params": params})

    def send(self, method: str, **params: Any) -> int:
        """Sends a request; its number."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, seconds: float) -> dict[str, Any]:
        """Waits for the next answer to any request. Raises `queue.Empty`."""
        return self._answers.get(timeout=seconds)

    def close(self) -> None:
        """Nothing more is sent or read; the process has ended, or is ended here."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self._pipe(self.process.stdin).close()
        self._pipe(self.process.stdout).close()

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self._pipe(self.process.stdin)
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()

    def _read(self) -> None:
        stream = self._pipe(self.process.stdout)
        while line := stream.readline():
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if "id" not in message:
                self.told(message["method"], message["params"])
            elif "method" in message:  # what the server asks for is agreed to
                self._write({"id": message["id"], "result": None})
            else:
                self._answers.put(message)

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        assert stream is not None
        return stream
