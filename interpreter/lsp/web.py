"""The server for editors in a browser: the protocol over WebSockets, one server for each connection.

Bounded: so many connections, messages of so many bytes. A page of any other address in the browser may try to connect
to this machine too; so the origin that the browser tells must be of this machine, or one that was named. Programs that
are no browsers tell none.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.lsp.server import Server

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

_LOG = logging.getLogger("rulespec.lsp")

#: The bounds: connections at a time, messages that wait for a slow editor, and bytes of a message.
MOST_CONNECTIONS = 8
MOST_WAITING = 1_000
MOST_BYTES = 8_000_000

_OWN_ORIGIN = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Web:
    """Where is listened, and which origins may connect besides those of this machine."""

    host: str = "localhost"
    port: int = 0
    origins: Sequence[str] = ()

    def allows(self, origin: str | None) -> bool:
        """Whether a page of an origin may connect; None for what is no browser."""
        return origin is None or origin in self.origins or _OWN_ORIGIN.fullmatch(origin) is not None


def serve_web(make: Callable[[], Server], web: Web, ready: Callable[[str], None]) -> None:
    """Serves until it is interrupted. `make` gives a server for each connection; `ready` is told the address.

    Raises OSError where the address cannot be had.
    """
    with suppress(KeyboardInterrupt):
        asyncio.run(_Serving(make, web).run(ready))


class _Serving:
    def __init__(self, make: Callable[[], Server], web: Web) -> None:
        self._make, self._web = make, web
        self._connections = 0

    async def run(self, ready: Callable[[str], None]) -> None:
        from websockets.asyncio.server import serve

        async with serve(
            self._connected,
            self._web.host,
            self._web.port,
            process_request=self._refused,
            max_size=MOST_BYTES,
            max_queue=32,
        ) as serving:
            port = next(iter(serving.sockets)).getsockname()[1]
            host = f"[{self._web.host}]" if ":" in self._web.host else self._web.host
            ready(f"ws://{host}:{port}")
            await serving.serve_forever()

    def _refused(self, connection: ServerConnection, request: Request) -> Response | None:
        origins = request.headers.get_all("Origin")
        if len(origins) > 1 or not self._web.allows(origins[0] if origins else None):
            _LOG.warning("a page of another origin was refused: %r", origins)
            return connection.respond(403, "This origin is not allowed; rulespec lsp --origin names one that is.\n")
        if self._connections >= MOST_CONNECTIONS:
            return connection.respond(503, f"There are {MOST_CONNECTIONS} connections already.\n")
        return None

    async def _connected(self, connection: ServerConnection) -> None:
        if self._connections >= MOST_CONNECTIONS:  # those that shook hands at the same time
            await connection.close(1013, "too many connections")
            return
        self._connections += 1
        server, writer = self._make(), _Writer(connection)
        server.protocol.set_writer(writer, include_headers=False)
        sending = asyncio.create_task(writer.run())
        try:
            await self._listen(connection, server)
        finally:
            self._connections -= 1
            sending.cancel()
            server.end()  # the loop is that of all connections: nothing is waited for here

    async def _listen(self, connection: ServerConnection, server: Server) -> None:
        """Hands on what comes, until the editor ends it or is gone. Its `exit` ends the connection, not the process."""
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed):
            async for data in connection:
                try:
                    message = json.loads(data, object_hook=server.protocol.structure_message)
                    if getattr(message, "method", "") == "exit":
                        return
                    server.protocol.handle_message(message)
                except Exception as fault:  # whatever somebody sends
                    await connection.close(1007, "no message of the protocol")
                    _LOG.warning("no message of the protocol: %s", fault)
                    return


class _Writer:
    """Sends messages in order; any thread may write. One that takes none for too long is cut off."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()

    def write(self, data: bytes) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._put, data)

    def _put(self, data: bytes) -> None:
        if self._waiting.qsize() >= MOST_WAITING:
            self._connection.transport.abort()
        else:
            self._waiting.put_nowait(data)

    def close(self) -> None:
        """What is written is sent by `run`; the connection is closed by whoever opened it."""

    async def run(self) -> None:
        """Sends what is written, until the connection is gone."""
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed):
            while True:
                data = await self._waiting.get()
                await self._connection.send(data.decode("utf-8"))
