"""All tables of a server: each is read when somebody comes, and kept on disk before anybody is told what was done.

Games are played in threads of their own, one for each loaded game, so that whoever waits for a long search at one table
holds up no other game. Everything else here is done by the one thread of the server.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from interpreter.studio.bounds import MOST_AT_A_TABLE, MOST_CONNECTIONS, MOST_ENTRIES, MOST_IN_A_ROW, MOST_OPEN, Rate
from interpreter.studio.library import Library, NoTable, Played
from interpreter.studio.store import Store
from interpreter.table.protocol import Client, Desk, Message, error
from interpreter.table.saving import saved_text
from interpreter.table.seats import Seating
from interpreter.table.table import Table
from rulespec.diagnostics.model import ContentError

_LOG = logging.getLogger("rulespec.studio")
T = TypeVar("T")

_NOT_KEPT: Final = "What was asked for could not be kept, and is not done."
_AT_FAULT: Final = "The game's content is at fault: {problem}"


@dataclass(eq=False)
class Connection:
    """Somebody at a table: `changed` is set when there is something new to send, or when the table `is_gone`."""

    client: Client
    rate: Rate = field(default_factory=Rate)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    is_gone: bool = False


class OpenTable:
    """A table in memory. `kept` says how many entries of its record are on disk."""

    def __init__(self, name: str, played: Played, seats: Seating, store: Store):
        self.name, self._played, self._seats, self._store = name, played, seats, store
        self.connections: set[Connection] = set()
        self.driver: asyncio.Task[None] | None = None
        self.desk = Desk(Table.of_record(played.game, seats, record := store.record(name)))
        self.kept = len(record)
        self._keep()

    @property
    def table(self) -> Table:
        return self.desk.table

    async def do(self, work: Callable[[], T]) -> T:
        """Does work in the thread of the table's game."""
        return await asyncio.get_running_loop().run_in_executor(self._played.thread, work)

    # ---- in the game's thread ----

    def answer(self, client: Client, message: object) -> list[Message]:
        """What a client gets for a message; what was done is on disk by then."""
        if self.table.revision >= MOST_ENTRIES and isinstance(message, dict) and message.get("type") == "choose":
            return [error("full", f"A table takes at most {MOST_ENTRIES:,} entries.")]
        try:
            answers = self.desk.answer(client, message)
        except ContentError as fault:
            return [self.fault(fault)]
        return answers if self._keep() else [error("fault", _NOT_KEPT)]

    def news(self, client: Client) -> list[Message]:
        """What is new for a client."""
        try:
            return self.desk.news(client)
        except ContentError as fault:
            return [self.fault(fault)]

    def play_alone(self) -> bool:
        """A decision of an automatic seat; False where there is none to make, or it could not be made."""
        if not self.table.is_automatic or self.table.revision >= MOST_ENTRIES:
            return False
        try:
            self.table.play_alone()
        except ContentError as fault:
            self.fault(fault)
            return False
        return self._keep()

    def fault(self, fault: ContentError) -> Message:
        """What is told of a fault of the content that came up in play."""
        problem = fault.problems[0]
        _LOG.warning("table %s: %s %s", self.name, problem.code, problem.message)
        return error("fault", _AT_FAULT.format(problem=f"{problem.code}: {problem.message}"))

    def _keep(self) -> bool:
        """Puts on disk what was done since; where the disk does not take it, it is not done."""
        new = self.table.record[self.kept :]
        if not new:
            return True
        try:
            self._store.add(self.name, self.kept, new)
        except sqlite3.Error as fault:
            _LOG.error("table %s: %s", self.name, fault)
            away = self.table.away
            self.desk = Desk(Table.of_record(self._played.game, self._seats, self.table.record[: self.kept]))
            self.table.away = away
            return False
        self.kept += len(new)
        return True

    def seat(self) -> None:
        """Notes which people are there."""
        here = {connection.client.seat for connection in self.connections}
        self.table.away = frozenset(self._seats.humans) - here


class Hall:
    """The tables of one file. `pace` is how many seconds automatic seats take for a decision at least."""

    def __init__(self, store: Store, library: Library, *, pace: float = 0.4):
        self.store, self.library, self._pace = store, library, pace
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._opening = asyncio.Lock()
        self._connections = 0
        self._leaving: set[asyncio.Task[None]] = set()

    async def opened(self, name: str) -> OpenTable:
        """A table, read where it is not in memory. Raises NoTable and ContentError."""
        async with self._opening:
            found = self._open.get(name)
            if found is None:
                found = self._open[name] = await self._read(name)
                self._close_idle()
            self._open.move_to_end(name)
        return found

    async def _read(self, name: str) -> OpenTable:
        about = self.store.about(name)
        if about is None:
            raise NoTable(f"There is no table '{name}'.")
        loop = asyncio.get_running_loop()
        played = await loop.run_in_executor(None, self.library.played, about)
        seats = Seating(about.kinds, about.seed)
        made = await loop.run_in_executor(played.thread, OpenTable, name, played, seats, self.store)
        made.seat()
        return made

    def _close_idle(self) -> None:
        """Forgets the tables that nobody sits at and nobody has asked for the longest, where there are too many."""
        idle = [name for name, table in self._open.items() if not table.connections]
        for name in idle[: max(len(self._open) - MOST_OPEN, 0)]:
            del self._open[name]

    # ---- people ----

    async def join(self, name: str, seat: int) -> tuple[OpenTable, Connection] | None:
        """Somebody comes to a table; None where there is no room. Raises NoTable and ContentError."""
        if self._connections >= MOST_CONNECTIONS:
            return None
        self._connections += 1
        try:
            table = await self.opened(name)
        except BaseException:
            self._connections -= 1
            raise
        if len(table.connections) >= MOST_AT_A_TABLE:
            self._connections -= 1
            return None
        connection = Connection(Client(seat))
        table.connections.add(connection)
        await table.do(table.seat)
        self._told(table)
        return table, connection

    def leave(self, table: OpenTable, connection: Connection) -> None:
        """Somebody goes: the others are told by a task of its own, since whoever goes may be cancelled meanwhile."""
        self._connections -= 1
        table.connections.discard(connection)
        task = asyncio.create_task(self._left(table))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _left(self, table: OpenTable) -> None:
        await table.do(table.seat)
        self._told(table)

    async def answer(self, table: OpenTable, connection: Connection, message: object) -> list[Message]:
        """What somebody gets for a message; the others are told what it has changed."""
        kind = message.get("type") if isinstance(message, dict) else None
        if not connection.rate.allows(kind):
            return [error("rate", "There are too many messages in a short time: wait a little.")]
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
            await asyncio.sleep(self._pace)
            if not table.connections or not await table.do(table.play_alone):
                return
            for connection in table.connections:
                connection.changed.set()

    # ---- the host ----

    async def saved(self, name: str) -> str:
        """A table as a save. Raises NoTable and ContentError; OSError where it would be too long."""
        table = await self.opened(name)
        return await table.do(lambda: saved_text(table.table))

    async def told_of(self, name: str) -> dict[str, Any]:
        """What a host sees of a table."""
        about = self.store.about(name)
        if about is None:
            raise NoTable(f"There is no table '{name}'.")
        found = self._open.get(name)
        here = sorted({c.client.seat for c in found.connections if c.client.seat >= 0}) if found else []
        return {"id": name, "game": about.game, "seats": list(about.kinds), "here": here}

    async def remove(self, name: str) -> bool:
        """Forgets a table; whether there was one. Who sits there is sent away."""
        async with self._opening:
            gone = self.store.remove(name)
            table = self._open.pop(name, None)
            for connection in table.connections if table is not None else ():
                connection.is_gone = True
                connection.changed.set()
        return gone

    async def close(self) -> None:
        """Ends what automatic seats still do, and closes the file."""
        drivers = [table.driver for table in self._open.values() if table.driver is not None]
        for driver in drivers:
            driver.cancel()
        await asyncio.gather(*drivers, *self._leaving, return_exceptions=True)
        self.store.close()
