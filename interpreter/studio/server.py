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
import logging
import secrets
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from interpreter.studio.bounds import (
    LONGEST_REQUEST,
    LONGEST_SAVE,
    LONGEST_SOCKET_MESSAGE,
    MOST_TABLES,
    SECONDS_TO_JOIN,
    SECONDS_TO_SEND,
)
from interpreter.studio.guard import Guard
from interpreter.studio.hall import Connection, Hall, OpenTable, told_fault
from interpreter.studio.page import Page
from interpreter.studio.sending import Answer, as_json
from interpreter.studio.store import About, Done, NoRoom, Spoilt, digest_of, new_token
from interpreter.studio.trouble import Trouble, Troubled
from interpreter.studio.words import page_words
from interpreter.table.protocol import Message, error
from interpreter.table.seats import SPECTATOR
from rulespec.diagnostics.model import ContentError
from rulespec.published import first_fault

SUBPROTOCOL: Final = "rulespec.table.1"
#: Codes of WebSockets for a connection that is ended: a table that is gone, a client that breaks the rules, a table
#: that cannot be opened, and one at which there is no room now.
GONE_CODE: Final = 4404
RULES_CODE: Final = 1008
FAULT_CODE: Final = 1011
CROWDED_CODE: Final = 1013

_LOG = logging.getLogger("rulespec.studio")


def make_app(hall: Hall, host_key: str, names: tuple[str, ...] = (), once: str | None = None) -> Starlette:
    """The application. `host_key` is the secret word of whoever makes tables; `names` are names of this machine.

    `once` is a word that whoever says it first gets the host's key for.
    """

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()

    host, tables, page = _Host(hall, host_key, once), _Tables(hall), Page()
    return Starlette(
        routes=[
            Route("/", page.start),
            Route("/t/{table}", page.start),
            Route("/assets/{name}", page.asset),
            Route("/api/words/{language}", _words),
            Route("/api/host", host.key, methods=["POST"]),
            Route("/api/games", host.games),
            Route("/api/tables", host.tables, methods=["GET"]),
            Route("/api/tables", host.make, methods=["POST"]),
            Route("/api/tables/{table}", host.remove, methods=["DELETE"]),
            Route("/api/tables/{table}/save", host.save),
            Route("/api/tables/{table}/log", host.log),
            Route("/api/saves", host.load, methods=["POST"]),
            WebSocketRoute("/ws/{table}", tables.serve),
        ],
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={
            sqlite3.Error: _disk_fault,
            Spoilt: _spoilt,
            Troubled: _troubled,
            HTTPException: _no_such,
        },
        lifespan=living,
    )


class _Unopened(Exception):
    """A table that cannot be opened; whoever has a link to it is told of the `trouble`, `code` ends the connection."""

    def __init__(self, trouble: Trouble, code: int = FAULT_CODE):
        super().__init__(trouble.text())
        self.trouble, self.code = trouble, code


def _trouble(fault: Troubled | Spoilt | sqlite3.Error) -> Trouble:
    """What is told of a fault."""
    if isinstance(fault, Troubled):
        return fault.trouble
    return (
        Trouble("spoilt", f"{fault}.", table=fault.table) if isinstance(fault, Spoilt) else Trouble("disk", f"{fault}.")
    )


async def _disk_fault(_: Any, fault: Exception) -> Response:
    assert isinstance(fault, sqlite3.Error)
    _LOG.error("%s", fault)
    return _told(503, _trouble(fault))


async def _spoilt(_: Any, fault: Exception) -> Response:
    assert isinstance(fault, Spoilt)
    _LOG.error("table %s: %s", fault.table, fault)
    return _told(422, _trouble(fault))


async def _troubled(_: Any, fault: Exception) -> Response:
    assert isinstance(fault, Troubled)
    return _told(_STATUS.get(fault.trouble.code, 422), fault.trouble)


async def _no_such(_: Any, fault: Exception) -> Response:
    """An address that there is not, or not for what was asked."""
    assert isinstance(fault, HTTPException)
    answer = _told(fault.status_code, Trouble("no_method" if fault.status_code == 405 else "no_address"))
    answer.headers.update(fault.headers or {})
    return answer


_STATUS: Final = {
    "key": 401,
    "once": 401,
    "no_table": 404,
    "no_address": 404,
    "many_tables": 409,
    "long": 413,
    "no_request": 400,
    "rate": 429,
}


async def _words(request: Request) -> Response:
    """The page's own words: they are no secret."""
    return Answer(await asyncio.to_thread(page_words, request.path_params["language"]))


class _Host:
    """What whoever has the host's key may do."""

    def __init__(self, hall: Hall, key: str, once: str | None):
        self._hall, self._key = hall, key
        self._digest, self._once = digest_of(key), None if once is None else digest_of(once)

    def _must_be(self, request: Request) -> None:
        if not _says(request, self._digest):
            raise Troubled(Trouble("key"))

    async def key(self, request: Request) -> Response:
        """The host's key, for the page that the command itself has opened."""
        if self._once is None or not _says(request, self._once):
            raise Troubled(Trouble("once"))
        self._once = None
        return Answer({"key": self._key})

    async def games(self, request: Request) -> Response:
        self._must_be(request)
        library, found, language = self._hall.library, [], request.query_params.get("language", "en")
        for game in library.ids():
            with suppress(Troubled, ContentError):  # a game with faults is not offered
                found.append(await asyncio.to_thread(library.about, game, language))
        return Answer({"games": found})

    async def tables(self, request: Request) -> Response:
        self._must_be(request)
        return Answer({"tables": [await self._hall.told_of(table) for table in self._hall.store.ids()]})

    async def make(self, request: Request) -> Response:
        """A new table of a game."""
        self._must_be(request)
        wanted = _new_table(await _body(request, LONGEST_REQUEST))
        self._must_have_room()
        try:
            about = await asyncio.to_thread(self._hall.library.asked_for, wanted, secrets.randbits(63))
            await self._hall.played(about)
        except ContentError as fault:
            return _unplayable(fault)
        return self._made(about)[1]

    async def load(self, request: Request) -> Response:
        """A new table that goes on with a save or a log."""
        self._must_be(request)
        data = await _body(request, LONGEST_SAVE)
        self._must_have_room()
        loaded = await self._hall.of_file(data, request.is_disconnected)
        table, answer = self._made(loaded.about, loaded.done)
        await self._hall.begin(table, loaded)
        return answer

    def _must_have_room(self) -> None:
        if len(self._hall.store.ids()) >= MOST_TABLES:
            raise _no_room()

    def _made(self, about: About, done: Done | None = None) -> tuple[str, Response]:
        """A table's id, and what is answered."""
        seats = [seat for seat, kind in enumerate(about.kinds) if kind == "human"]
        tokens = {seat: new_token() for seat in (*seats, SPECTATOR)}
        try:
            table = self._hall.store.make(about, tokens, MOST_TABLES, done)
        except NoRoom:  # others were made meanwhile
            raise _no_room() from None
        links = [{"seat": seat, "link": f"/t/{table}#{tokens[seat]}"} for seat in seats]
        return table, Answer({"table": table, "links": links, "spectator": f"/t/{table}#{tokens[SPECTATOR]}"}, 201)

    async def remove(self, request: Request) -> Response:
        self._must_be(request)
        if not self._hall.remove(table := request.path_params["table"]):
            raise Troubled(Trouble("no_table", table=table))
        return Response(status_code=204)

    async def save(self, request: Request) -> Response:
        return await self._text(request, self._hall.saved)

    async def log(self, request: Request) -> Response:
        """Its log: whole for the host, and what a seat may know for whoever has that seat's link."""
        table = request.path_params["table"]
        seat = self._hall.store.seat_of(table, _word_of(request))
        if seat is None or seat == SPECTATOR:
            return await self._text(request, self._hall.logged)
        return await self._made_of(table, lambda name: self._hall.logged_for(name, seat))

    async def _text(self, request: Request, made: Callable[[str], Awaitable[str]]) -> Response:
        """A table as a file to keep."""
        self._must_be(request)
        return await self._made_of(request.path_params["table"], made)

    async def _made_of(self, table: str, made: Callable[[str], Awaitable[str]]) -> Response:
        try:
            return PlainTextResponse(await made(table))
        except ContentError as fault:
            raise Troubled(told_fault(table, fault)) from fault
        except OSError as fault:
            raise Troubled(Trouble("unwritten", f"{fault.strerror or fault}.")) from fault


def _no_room() -> Troubled:
    return Troubled(Trouble("many_tables", limit=f"{MOST_TABLES:,}"))


def _unplayable(fault: ContentError) -> Response:
    trouble = Trouble("unplayable", "".join(f"{each.code}: {each.message}" for each in fault.problems[:1]))
    return Answer({"error": trouble.text(), **trouble.data(), "problems": _problems(fault)}, 422)


def _says(request: Request, digest: bytes) -> bool:
    """Whether a request comes with the secret word of a digest."""
    return hmac.compare_digest(digest_of(_word_of(request)), digest)


def _word_of(request: Request) -> str:
    """The secret word that a request comes with; one that opens nothing where there is none."""
    scheme, _, word = request.headers.get("authorization", "").partition(" ")
    return word if scheme.lower() == "bearer" else ""


class _Tables:
    """Those who sit at tables."""

    def __init__(self, hall: Hall):
        self._hall = hall

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its beginning to its end."""
        try:
            joined = await self._join(socket)
        except _Unopened as fault:  # whoever has a link is told
            with suppress(WebSocketDisconnect, TimeoutError, RuntimeError):
                await socket.accept(subprotocol=SUBPROTOCOL)
                await _send(socket, fault.trouble.message())
                await socket.close(fault.code)
            return
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
        try:
            seat = self._hall.store.seat_of(table, words[1])
        except sqlite3.Error as fault:
            _LOG.error("table %s: %s", table, fault)
            return None
        if seat is None:
            return None
        try:
            joined = await self._hall.join(table, seat)
        except ContentError as fault:
            raise _Unopened(told_fault(table, fault)) from fault
        except (Troubled, Spoilt, sqlite3.Error) as fault:
            _LOG.error("table %s: %s", table, fault)
            raise _Unopened(_trouble(fault)) from fault
        if joined is None:
            raise _Unopened(Trouble("crowded"), CROWDED_CODE)
        return joined

    async def _receive(self, socket: WebSocket, table: OpenTable, connection: Connection) -> None:
        latest = asyncio.get_running_loop().time() + SECONDS_TO_JOIN
        while True:
            try:
                async with asyncio.timeout_at(None if connection.client.has_joined else latest):
                    received = await socket.receive()
            except TimeoutError:
                await socket.close(RULES_CODE)
                return
            if received["type"] == "websocket.disconnect":
                return
            for message in await self._answers(table, connection, received):
                await _send(socket, message)

    async def _answers(self, table: OpenTable, connection: Connection, received: Any) -> list[Message]:
        """What comes for a message; one that cannot be read counts as any other."""
        message, fault = _read(received)
        asked = message if isinstance(message, dict) else {}
        if not connection.allows(asked.get("type")):
            number = asked.get("id") if type(asked.get("id")) is int else None
            return [Trouble("rate").message(connection.client.language, number)]
        return await self._hall.answer(table, connection, message) if fault is None else [fault]

    async def _send_news(self, socket: WebSocket, table: OpenTable, connection: Connection) -> None:
        """Sends what is new as fast as the client takes it: what changes meanwhile is told once."""
        with suppress(WebSocketDisconnect, TimeoutError, RuntimeError):
            while True:
                await connection.changed.wait()
                connection.changed.clear()
                if connection.is_gone:
                    await socket.close(GONE_CODE)
                    return
                news = await table.do(lambda: table.news(connection.client))
                for message in (*news, *connection.taken_notice()):
                    await _send(socket, message)


async def _send(socket: WebSocket, message: Message) -> None:
    await asyncio.wait_for(socket.send_text(as_json(message)), SECONDS_TO_SEND)


def _read(received: Any) -> tuple[object, Message | None]:
    """What a client sent, or what is wrong with it."""
    text = received.get("text")
    if text is None or len(text.encode("utf-8", "surrogatepass")) > LONGEST_SOCKET_MESSAGE:
        return None, error("size", f"A message is a text of at most {LONGEST_SOCKET_MESSAGE:,} bytes.")
    try:
        return json.loads(text, parse_constant=_no_number), None
    except (ValueError, RecursionError):
        return None, error("form", "A message is JSON.")


async def _body(request: Request, most: int) -> bytes:
    """What a request holds. Raises Troubled where that is more than `most` bytes."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > most:
            raise Troubled(Trouble("long", limit=f"{most:,}"))
    return bytes(data)


def _new_table(data: bytes) -> dict[str, Any]:
    """What a request asks for, in its form. Raises Troubled."""
    try:
        wanted = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Troubled(Trouble("no_request", "A request is JSON.")) from None
    fault = first_fault(wanted, "studio", "new_table")
    if fault is not None:
        raise Troubled(Trouble("no_request", f"{fault.words}."))
    found: dict[str, Any] = wanted
    return found


def _problems(fault: ContentError) -> list[dict[str, Any]]:
    return [
        {"code": each.code, "message": each.message, "file": each.span.file.name, "line": each.span.line}
        for each in fault.problems
    ]


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _told(status: int, trouble: Trouble) -> Response:
    return Answer({"error": trouble.text(), **trouble.data()}, status)
