"""All tables of a server: each is read when somebody comes, and kept on disk before anybody is told what was done.

Games are played in threads of their own, one for each loaded game, so that whoever waits for a long search at one table
holds up no other game. Everything else here is done by the one thread of the server.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from interpreter.studio.bounds import (
    MOST_AT_A_SEAT,
    MOST_CONNECTIONS,
    MOST_ENTRIES,
    MOST_IN_A_ROW,
    MOST_OPEN,
    MOST_SPECTATORS,
    MOST_WATCHING,
    OF_A_SEAT,
    OF_SPECTATORS,
    SECONDS_TO_LOOK,
    Rate,
)
from interpreter.studio.library import Library, Played
from interpreter.studio.saves import Loaded, Patience, table_of
from interpreter.studio.store import About, Done, Store
from interpreter.studio.thinking import Thinking
from interpreter.studio.trouble import Trouble, Troubled
from interpreter.table.notes import changed
from interpreter.table.protocol import Client, Desk, Message
from interpreter.table.record import Decided
from interpreter.table.saving import log_text, saved_text, seat_log_text
from interpreter.table.seats import SPECTATOR, Seating
from interpreter.table.table import Table
from rulespec.diagnostics.model import ContentError

_LOG = logging.getLogger("rulespec.studio")
T = TypeVar("T")

_NOT_KEPT: Final = Trouble("not_kept")
#: Messages that add to a table's record.
_ADDING: Final = ("choose", "undo", "agree")


@dataclass(eq=False)
class Connection:
    """Somebody at a table: `changed` is set when there is something new to send, or when the table `is_gone`.

    `notice` is to be sent beside what is new; `noted` is what was to be sent so last, and at which revision.
    """

    client: Client
    shared: Rate  #: of all that came by the same link
    rate: Rate = field(default_factory=Rate)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    is_gone: bool = False
    notice: Trouble | None = None
    noted: tuple[int, Trouble] | None = None

    def allows(self, kind: object) -> bool:
        """Whether another message may be answered."""
        return self.rate.allows(kind) and self.shared.allows(kind)

    def note(self, revision: int, trouble: Trouble) -> None:
        """Has something told, once as long as the table is as it is."""
        if self.noted != (revision, trouble):
            self.notice, self.noted = trouble, (revision, trouble)
            self.changed.set()

    def taken_notice(self) -> list[Message]:
        """What is to be told now; before somebody has joined nothing is."""
        if self.notice is None or not self.client.has_joined:
            return []
        notice, self.notice = self.notice, None
        return [notice.message(self.client.language)]


class OpenTable:
    """A table in memory. `kept` says how many entries of its record are on disk."""

    def __init__(self, name: str, played: Played, about: About, store: Store):
        seats = Seating(about.kinds, about.seed)
        self.name, self._played, self._seats, self._store = name, played, seats, store
        self.pace = about.pace
        self.connections: set[Connection] = set()
        self._rates: dict[int, Rate] = {}
        self.driver: asyncio.Task[None] | None = None
        self._thinking = Thinking()
        record, notes, thought = store.record(name), store.notes(name), store.thought(name)
        self.kept, self._notes = len(record), notes
        self.desk = Desk(Table.of_record(played.game, seats, record, notes))
        self.table.thought = thought
        self._keep()

    @property
    def table(self) -> Table:
        return self.desk.table

    def connect(self, seat: int) -> Connection | None:
        """A new connection of a seat or a spectator; None where there is no room for another one of that link."""
        most = MOST_SPECTATORS if seat == SPECTATOR else MOST_AT_A_SEAT
        if sum(each.client.seat == seat for each in self.connections) >= most:
            return None
        connection = Connection(Client(seat), self.rate_of(seat))
        self.connections.add(connection)
        return connection

    def rate_of(self, seat: int) -> Rate:
        """How much all that comes by one link may ask for together."""
        return self._rates.setdefault(seat, Rate(OF_SPECTATORS if seat == SPECTATOR else OF_A_SEAT))

    async def do(self, work: Callable[[], T]) -> T:
        """Does work in the thread of the table's game."""
        return await asyncio.get_running_loop().run_in_executor(self._played.thread, work)

    # ---- in the game's thread ----

    def answer(self, client: Client, message: object) -> list[Message]:
        """What a client gets for a message; what was done is on disk by then."""
        if self._is_full and isinstance(message, dict) and message.get("type") in _ADDING:
            return [_full().message(client.language)]
        seconds, revision = self._thinking.seconds, self.table.revision
        try:
            answers = self.desk.answer(client, message)
        except ContentError as fault:
            return [told_fault(self.name, fault).message(client.language)]
        if self.table.revision > revision and isinstance(self.table.record[revision], Decided):
            self.table.thought[revision] = seconds
        return answers if self._keep() else [_NOT_KEPT.message(client.language)]

    def news(self, client: Client) -> list[Message]:
        """What is new for a client."""
        try:
            return self.desk.news(client)
        except ContentError as fault:
            return [told_fault(self.name, fault).message(client.language)]

    def play_alone(self) -> list[Trouble] | None:
        """A decision of an automatic seat; None where it was made, else what all are told of why it was not."""
        if not self.table.is_automatic:
            return []
        if self._is_full:
            return [_full()]
        try:
            self.table.play_alone()
        except ContentError as fault:
            return [told_fault(self.name, fault)]
        return None if self._keep() else [_NOT_KEPT]

    @property
    def _is_full(self) -> bool:
        return self.table.revision >= MOST_ENTRIES

    def _keep(self) -> bool:
        """Puts on disk what was done since; where the disk does not take it, it is not done."""
        table = self.table
        done = Done(table.record[self.kept :], table.thought, tuple(changed(self._notes, table.notes)))
        if not done.entries and not done.notes:
            return True
        try:
            self._store.add(self.name, self.kept, done)
        except (sqlite3.Error, ValueError) as fault:
            _LOG.error("table %s: %s", self.name, fault)
            self.desk = Desk(Table.of_record(self._played.game, self._seats, table.record[: self.kept], self._notes))
            self.table.away = table.away
            self.table.thought = {at: seconds for at, seconds in table.thought.items() if at < self.kept}
            return False
        self.kept, self._notes = len(table.record), dict(table.notes)
        self._thinking.look(table)
        return True

    def seat(self) -> None:
        """Notes which people are there."""
        here = {connection.client.seat for connection in self.connections}
        self.table.away = frozenset(self._seats.humans) - here
        self._thinking.look(self.table)


def told_fault(table: str, fault: ContentError) -> Trouble:
    """What is told of a fault of the content, and noted in the log."""
    problem = fault.problems[0]
    _LOG.warning("table %s: %s %s", table, problem.code, problem.message)
    return Trouble("content", f"{problem.code}: {problem.message}")


def _full() -> Trouble:
    return Trouble("full", limit=f"{MOST_ENTRIES:,}")


def _no_table(name: str) -> Troubled:
    return Troubled(Trouble("no_table", table=name))


class Hall:
    """The tables of one file. `pace` is how many seconds automatic seats take for a decision at least."""

    def __init__(self, store: Store, library: Library, *, pace: float = 0.4):
        self.store, self.library, self._pace = store, library, pace
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._connections = self._watching = 0
        self._leaving: set[asyncio.Task[None]] = set()
        self._one_file = asyncio.Lock()

    async def opened(self, name: str, by: Played | None = None) -> OpenTable:
        """A table, read where it is not in memory, if so `by` a game that is given. Raises Troubled, ContentError,
        Spoilt and sqlite3.Error.

        Whoever wants a table that is being read waits for that, and nobody waits for another table.
        """
        while (found := self._open.get(name)) is None:  # it may be forgotten again before whoever waits goes on
            if (reading := self._reading.get(name)) is None:
                reading = self._reading[name] = asyncio.create_task(self._read(name, by))
                reading.add_done_callback(lambda task: self._is_read(name, task))
            await asyncio.shield(reading)
        self._open.move_to_end(name)
        return found

    async def played(self, about: About) -> Played:
        """The game of a table. Raises Troubled and ContentError."""
        return await asyncio.shield(asyncio.wrap_future(self.library.played(about)))

    async def _read(self, name: str, by: Played | None) -> None:
        about = self.store.about(name)
        if about is None:
            raise _no_table(name)
        played = by or await self.played(about)
        loop = asyncio.get_running_loop()
        made = await loop.run_in_executor(played.thread, OpenTable, name, played, about, self.store)
        if self._reading.get(name) is not asyncio.current_task():
            raise _no_table(name)
        made.seat()
        self._open[name] = made
        self._close_idle(name)

    def _is_read(self, name: str, task: asyncio.Task[None]) -> None:
        if self._reading.get(name) is task:
            del self._reading[name]
        if not task.cancelled():
            task.exception()  # who waited was told; where nobody does any more, nobody is

    def _close_idle(self, wanted: str) -> None:
        """Forgets the tables that nobody sits at and nobody has asked for the longest, where there are too many."""
        idle = [name for name, table in self._open.items() if not table.connections and name != wanted]
        for name in idle[: max(len(self._open) - MOST_OPEN, 0)]:
            del self._open[name]

    # ---- people ----

    async def join(self, name: str, seat: int) -> tuple[OpenTable, Connection] | None:
        """Somebody comes to a table; None where there is no room. Raises as `opened`."""
        if self._connections >= MOST_CONNECTIONS or (seat == SPECTATOR and self._watching >= MOST_WATCHING):
            return None
        self._count(seat, 1)
        try:
            table = await self.opened(name)
        except BaseException:
            self._count(seat, -1)
            raise
        connection = table.connect(seat)
        if connection is None:
            self._count(seat, -1)
            return None
        await table.do(table.seat)
        self._told(table)
        return table, connection

    def leave(self, table: OpenTable, connection: Connection) -> None:
        """Somebody goes: the others are told by a task of its own, since whoever goes may be cancelled meanwhile."""
        self._count(connection.client.seat, -1)
        table.connections.discard(connection)
        task = asyncio.create_task(self._left(table))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def _count(self, seat: int, more: int) -> None:
        self._connections += more
        self._watching += more if seat == SPECTATOR else 0

    async def _left(self, table: OpenTable) -> None:
        await table.do(table.seat)
        self._told(table)

    async def answer(self, table: OpenTable, connection: Connection, message: object) -> list[Message]:
        """What somebody gets for a message; the others are told what it has changed."""
        answers = await table.do(lambda: table.answer(connection.client, message))
        self._told(table)
        return answers

    def _told(self, table: OpenTable) -> None:
        """Has everybody told what is new, and automatic seats play."""
        for connection in table.connections:
            connection.changed.set()
        if table.table.is_automatic and (table.driver is None or table.driver.done()):
            table.driver = asyncio.create_task(self._drive(table))

    async def _drive(self, table: OpenTable) -> None:
        for _ in range(MOST_IN_A_ROW):
            await asyncio.sleep(self._pace if table.pace is None else table.pace)
            if not table.connections:
                return
            stopped = await table.do(table.play_alone)
            for connection in table.connections:
                for trouble in stopped or ():
                    connection.note(table.table.revision, trouble)
            if stopped is not None:
                return
            for connection in table.connections:
                connection.changed.set()

    # ---- the host ----

    async def saved(self, name: str) -> str:
        """A table as a save. Raises as `opened`; OSError where it would be too long."""
        table = await self.opened(name)
        return await table.do(lambda: saved_text(table.table))

    async def logged(self, name: str) -> str:
        """A table's log. Raises as `saved`."""
        table = await self.opened(name)
        return await table.do(lambda: log_text(table.table))

    async def logged_for(self, name: str, seat: int) -> str:
        """What a seat may know of a table's log. Raises as `saved`, and Troubled where the seat asks too often."""
        table = await self.opened(name)
        if not table.rate_of(seat).allows("log_file"):
            raise Troubled(Trouble("rate"))
        return await table.do(lambda: seat_log_text(table.table, seat))

    async def of_file(self, data: bytes, is_gone: Callable[[], Awaitable[bool]]) -> Loaded:
        """The table that a save or a log leads to. Raises Troubled, also once whoever sent it `is_gone`.

        It is played again by a game and a thread of its own, one file after the other: nobody waits for it.
        """
        async with self._one_file:
            patience = Patience()
            reading = asyncio.create_task(asyncio.to_thread(table_of, data, self.library, patience))
            try:
                while not reading.done():
                    if await is_gone():
                        patience.ended.set()
                    await asyncio.wait({reading}, timeout=SECONDS_TO_LOOK)
            finally:
                patience.ended.set()  # the request may have been cancelled
            return await reading

    async def begin(self, name: str, loaded: Loaded) -> None:
        """Opens a table that was made of a file by the content that the file was played again by.

        Other content may be kept for new tables, and other content again lie on the disk: of its decisions some might
        not fit. Where it cannot be opened it is forgotten. Raises as `opened`.
        """
        try:
            await self.opened(name, self.library.playing(loaded.about, loaded.game))
        except BaseException:
            self.remove(name)
            raise

    async def told_of(self, name: str) -> dict[str, Any]:
        """What a host sees of a table."""
        about = self.store.about(name)
        if about is None:
            raise _no_table(name)
        found = self._open.get(name)
        here = sorted({c.client.seat for c in found.connections if c.client.seat >= 0}) if found else []
        return {"id": name, "game": about.game, "seats": list(about.kinds), "here": here}

    def remove(self, name: str) -> bool:
        """Forgets a table; whether there was one. Who sits there is sent away."""
        gone = self.store.remove(name)
        self._reading.pop(name, None)
        table = self._open.pop(name, None)
        for connection in table.connections if table is not None else ():
            connection.is_gone = True
            connection.changed.set()
        return gone

    async def close(self) -> None:
        """Ends what automatic seats still do, and closes the file."""
        drivers = [table.driver for table in self._open.values() if table.driver is not None]
        reading = list(self._reading.values())
        for task in (*drivers, *reading):
            task.cancel()
        await asyncio.gather(*drivers, *reading, *self._leaving, return_exceptions=True)
        self.store.close()
