"""Connections in which nothing is asked for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the studio is an extra")
pytest.importorskip("websockets", reason="the studio is an extra")

import uvicorn
from uvicorn.server import ServerState

from interpreter.studio import serving
from interpreter.studio.serving import Prompt
from tests.processes import ANSWER

SECONDS = 0.2
HEAD = b"GET / HTTP/1.1\r\nHost: here\r\n"
UPGRADE = (
    HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
REFUSED = b"POST /no HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n"


async def slow(scope: Any, receive: Any, send: Any) -> None:
    """Answers later than a client may keep silent; what goes to `/no` it refuses at once."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.sleep(3 * SECONDS)
        await send({"type": "websocket.send", "text": "late"})
        return
    if scope["path"] != "/no":
        await asyncio.sleep(3 * SECONDS)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"late"})


@pytest.mark.parametrize(
    ("sent", "again", "answer"),
    [
        (b"", b"", b""),
        (HEAD, b"", b""),
        (HEAD, b"X: y\r\n", b""),
        (HEAD + b"\r\n", b"", b"late"),
        (HEAD + b"\r\n", HEAD, b"late"),
        (UPGRADE, b"", b"\x81\x04late"),
        (REFUSED, b"x", b"late"),
    ],
)
def test_who_asks_for_nothing_is_left(
    sent: bytes, again: bytes, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever does not ask is left; whoever has asked is answered, and left after that, though more trickles in."""
    monkeypatch.setattr(serving, "SECONDS_TO_ASK", SECONDS)

    async def talk() -> bytes:
        config = uvicorn.Config(slow, ws="websockets-sansio", log_config=None, timeout_keep_alive=1)
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        at = await loop.create_server(lambda: Prompt(config, state, {}), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*at.sockets[0].getsockname())
        writer.write(sent)
        trickling = asyncio.create_task(trickle(writer))
        try:
            async with asyncio.timeout(ANSWER):
                found = await reader.read()
        finally:
            trickling.cancel()
            writer.close()
            at.close()
        assert not state.connections
        return found

    async def trickle(writer: asyncio.StreamWriter) -> None:
        while again:
            await asyncio.sleep(SECONDS / 4)
            writer.write(again)

    found = asyncio.run(talk())
    assert found.endswith(answer) if answer else found == b""
