"""The server: tables by WebSocket, making and keeping them by HTTP.

app = make_app(Hall(Store(path), Library()), host_key=new_token())

A link to a seat is `/t/TABLE#TOKEN`. What stands behind `#` is sent to no server by itself: the page names it as the
second subprotocol of its WebSocket, so that it is in no log and no address of another request. Who has no secret word
of a table learns nothing of it, not even whether it is there.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from interpreter.studio.bounds import LONGEST_REQUEST, LONGEST_SOCKET_MESSAGE, MOST_TABLES, SECONDS_TO_SEND
from interpreter.studio.guard import Guard
from interpreter.studio.hall import Connection, Hall, OpenTable
from interpreter.studio.library import NoTable
from interpreter.studio.store import digest_of, new_token
from interpreter.table.protocol import Message, error
from interpreter.table.seats import SPECTATOR
from rulespec.diagnostics.model import ContentError
from rulespec.published import first_fault

SUBPROTOCOL: Final = "rulespec.table.1"
#: Codes of WebSockets for a connection that is ended: a table that is gone, a client that breaks the rules.
GONE_CODE: Final = 4404
RULES_CODE: Final = 1008


def make_app(hall: Hall, host_key: str, names: tuple[str, ...] = ()) -> Starlette:
    """The application. `host_key` is the secret word of whoever makes tables; `names` are names of this machine."""

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()

    host, tables = _Host(hall, host_key), _Tables(hall)
    return Starlette(
        routes=[
            Route("/api/games", host.games),
            Route("/api/tables", host.tables, methods=["GET"]),
            Route("/api/tables", host.make, methods=["POST"]),
            Route("/api/tables/{table}", host.remove, methods=["DELETE"]),
            Route("/api/tables/{table}/save", host.save),
            WebSocketRoute("/ws/{table}", tables.serve),
        ],
        middleware=[Middleware(Guard, names=names)],
        lifespan=living,
    )


class _Host:
    """What whoever has the host's key may do."""

    def __init__(self, hall: Hall, key: str):
        self._hall, self._digest = hall, digest_of(key)

    def _refused(self, request: Request) -> Response | None:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(digest_of(key), self._digest):
            return None
        return _told(401, "This is for whoever has the host's key.")

    async def games(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        library, found = self._hall.library, []
        for game in library.ids():
            with suppress(NoTable, ContentError):  # a game with faults is not offered
                found.append(await asyncio.to_thread(library.about, game))
        return JSONResponse({"games": found})

    async def tables(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        return JSONResponse({"tables": [await self._hall.told_of(table) for table in self._hall.store.ids()]})

    async def make(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        wanted = await _body(request)
        if isinstance(wanted, Response):
            return wanted
        if len(self._hall.store.ids()) >= MOST_TABLES:
            return _told(409, f"There are {MOST_TABLES:,} tables already: remove one first.")
        try:
            about = await asyncio.to_thread(self._hall.library.asked_for, wanted, secrets.randbits(63))
            await asyncio.to_thread(self._hall.library.played, about)
        except NoTable as fault:
            return _told(422, str(fault))
        except ContentError as fault:
            return JSONResponse({"error": "The game cannot be played so.", "problems": _problems(fault)}, 422)
        seats = [seat for seat, kind in enumerate(about.kinds) if kind == "human"]
        tokens = {seat: new_token() for seat in (*seats, SPECTATOR)}
        table = self._hall.store.make(about, tokens)
        links = [{"seat": seat, "link": f"/t/{table}#{tokens[seat]}"} for seat in seats]
        return JSONResponse({"table": table, "links": links, "spectator": f"/t/{table}#{tokens[SPECTATOR]}"}, 201)

    async def remove(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        gone = await self._hall.remove(request.path_params["table"])
        return Response(status_code=204) if gone else _told(404, "There is no such table.")

    async def save(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        try:
            text = await self._hall.saved(request.path_params["table"])
        except NoTable as fault:
            return _told(404, str(fault))
        except (ContentError, OSError) as fault:
            return _told(422, str(fault))
        return PlainTextResponse(text)


class _Tables:
    """Those who sit at tables."""

    def __init__(self, hall: Hall):
        self._hall = hall

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its beginning to its end."""
        joined = await self._join(socket)
        if joined is None:
            await socket.close(RULES_CODE)  # before it was accepted: the client is told 403, whatever the reason is
            return
        table, connection = joined
        await socket.accept(subprotocol=SUBPROTOCOL)
        sender = asyncio.create_task(self._send_news(socket, table, connection))
        try:
            with suppress(WebSocketDisconnect, TimeoutError, RuntimeError):
                await self._receive(socket, table, connection)
        finally:
            sender.cancel()
            self._hall.leave(table, connection)

    async def _join(self, socket: WebSocket) -> tuple[OpenTable, Connection] | None:
        words = socket.scope.get("subprotocols", [])
        if len(words) != 2 or words[0] != SUBPROTOCOL:
            return None
        table = socket.path_params["table"]
        seat = self._hall.store.seat_of(table, words[1])
        if seat is None:
            return None
        try:
            return await self._hall.join(table, seat)
        except (NoTable, ContentError):
            return None

    async def _receive(self, socket: WebSocket, table: OpenTable, connection: Connection) -> None:
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            for message in await self._answers(table, connection, received):
                await _send(socket, message)

    async def _answers(self, table: OpenTable, connection: Connection, received: Any) -> list[Message]:
        text = received.get("text")
        if text is None or len(text.encode("utf-8", "surrogatepass")) > LONGEST_SOCKET_MESSAGE:
            return [error("size", f"A message is a text of at most {LONGEST_SOCKET_MESSAGE:,} bytes.")]
        try:
            message = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError):
            return [error("form", "A message is JSON.")]
        return await self._hall.answer(table, connection, message)

    async def _send_news(self, socket: WebSocket, table: OpenTable, connection: Connection) -> None:
        """Sends what is new as fast as the client takes it: what changes meanwhile is told once."""
        with suppress(WebSocketDisconnect, TimeoutError, RuntimeError):
            while True:
                await connection.changed.wait()
                connection.changed.clear()
                if connection.is_gone:
                    await socket.close(GONE_CODE)
                    return
                for message in await table.do(lambda: table.news(connection.client)):
                    await _send(socket, message)


async def _send(socket: WebSocket, message: Message) -> None:
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    await asyncio.wait_for(socket.send_text(text), SECONDS_TO_SEND)


async def _body(request: Request) -> dict[str, Any] | Response:
    """What a request asks for, in its form; else what is answered."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > LONGEST_REQUEST:
            return _told(413, f"A request has at most {LONGEST_REQUEST:,} bytes.")
    try:
        wanted = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return _told(400, "A request is JSON.")
    fault = first_fault(wanted, "studio", "new_table")
    if fault is not None:
        return _told(400, f"{fault.words}.")
    found: dict[str, Any] = wanted
    return found


def _problems(fault: ContentError) -> list[dict[str, Any]]:
    return [
        {"code": each.code, "message": each.message, "file": each.span.file.name, "line": each.span.line}
        for each in fault.problems
    ]


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _told(status: int, words: str) -> Response:
    return JSONResponse({"error": words}, status)
