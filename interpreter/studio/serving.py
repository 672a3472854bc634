"""Runs the server in this process, until it is ended."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from interpreter.studio.bounds import LONGEST_SOCKET_MESSAGE, MOST_CONNECTIONS, SECONDS_TO_ASK
from interpreter.studio.hall import Hall
from interpreter.studio.server import make_app


class Prompt(H11Protocol):
    """A connection that is closed where nothing is asked for: the server waits for nobody's first words for ever.

    Once it has become a WebSocket this is over.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody has connected."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request; what comes after the answer, such as a body that was refused, is none."""
        super().data_received(data)
        is_answered = getattr(self.cycle, "response_complete", True)  # before the first request there is no cycle
        if not is_answered or self.transport.get_protocol() is not self:
            self._stop()
        else:
            self._wait()

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(SECONDS_TO_ASK, self.transport.close)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def serve(
    hall: Hall,
    listening: socket.socket,
    key: str,
    names: tuple[str, ...],
    ready: Callable[[], None],
    once: str | None = None,
) -> None:
    """Serves at a socket that listens already; `ready` is called when connections are answered."""
    config = uvicorn.Config(
        make_app(hall, key, names, once),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Prompt,
        ws="websockets-sansio",
        ws_max_size=LONGEST_SOCKET_MESSAGE,
        ws_per_message_deflate=True,
        limit_concurrency=MOST_CONNECTIONS + 100,
        timeout_graceful_shutdown=3,
    )
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(uvicorn.Server(config), listening, ready))


async def _serve(server: uvicorn.Server, listening: socket.socket, ready: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        ready()
    await serving
