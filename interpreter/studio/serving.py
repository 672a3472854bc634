"""Runs the server in this process, until it is ended."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from interpreter.studio.bounds import LONGEST_SOCKET_MESSAGE, MOST_CONNECTIONS
from interpreter.studio.hall import Hall
from interpreter.studio.server import make_app


def serve(hall: Hall, listening: socket.socket, key: str, names: tuple[str, ...], ready: Callable[[], None]) -> None:
    """Serves at a socket that listens already; `ready` is called when connections are answered."""
    config = uvicorn.Config(
        make_app(hall, key, names),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
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
