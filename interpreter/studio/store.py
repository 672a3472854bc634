"""Tables on disk: an SQLite file, in which everything that was done at a table stands before anybody is told of it.

What is committed survives the end of the process at any moment, and (`synchronous=FULL`) that of the machine. Of the
secret words of links only their digests are kept.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Final, TypeVar

from interpreter.table import notes
from interpreter.table.notes import Note, Notes
from interpreter.table.record import Entry, from_json, to_json

T = TypeVar("T")

FORM: Final = 2  #: of the file; an older one is brought to it, and any other is refused
TOKEN_BYTES: Final = 16  #: 128 bits

_NOTES: Final = """
CREATE TABLE notes (
    at TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, number INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
"""
_SCHEMA: Final = f"""
CREATE TABLE tables (id TEXT PRIMARY KEY, made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, about TEXT NOT NULL) STRICT;
CREATE TABLE links (
    at TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, seat INTEGER NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (at, seat)
) STRICT;
CREATE TABLE entries (
    at TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, n INTEGER NOT NULL, entry TEXT NOT NULL, thought REAL,
    PRIMARY KEY (at, n)
) STRICT, WITHOUT ROWID;
{_NOTES}"""
#: What makes a file of each form one of the next.
_ANEW: Final = {1: f"ALTER TABLE entries ADD COLUMN thought REAL; {_NOTES}"}


class NoStore(Exception):
    """The file cannot be used. Its text says why."""


class NoRoom(Exception):
    """There are as many tables as there may be."""


class Spoilt(ValueError):
    """What is kept of a table cannot be read: somebody else has written into the file. Its text says why."""

    def __init__(self, table: str, why: str):
        super().__init__(why)
        self.table = table


@dataclass(frozen=True, slots=True)
class About:
    """What a table is of: all that its game depends on, who plays on each seat, and the seed.

    `pace` is how many seconds automatic seats take for a decision at least, where the table has its own.
    """

    game: str
    players: int
    options: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]
    kinds: tuple[str, ...]
    seed: int
    pace: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data. A seed of 64 bits is a text: not every reader of JSON has such numbers."""
        return {
            "game": self.game,
            "players": self.players,
            "options": dict(self.options),
            "variants": list(self.variants),
            "seats": list(self.kinds),
            "seed": str(self.seed),
        } | ({} if self.pace is None else {"pace": self.pace})

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> About:
        """What `to_json` made."""
        return cls(
            data["game"],
            data["players"],
            tuple(data["options"].items()),
            tuple(data["variants"]),
            tuple(data["seats"]),
            int(data["seed"]),
            data.get("pace"),
        )


@dataclass(frozen=True, slots=True)
class Done:
    """What was done at a table: entries of its record, how long some of them were thought about (by their place in
    it, in seconds), and notes that are new, or gone where there is None.
    """

    entries: Sequence[Entry] = ()
    thought: Mapping[int, float] = field(default_factory=dict)
    notes: Sequence[tuple[int, Note | None]] = ()


def new_token() -> str:
    """A secret word of 128 bits, for a link."""
    return secrets.token_hex(TOKEN_BYTES)


def digest_of(token: str) -> bytes:
    """What is kept of a secret word: of 128 random bits one digest is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _close_to_others(path: Path) -> None:
    """A file of tables that an earlier version made could be read by others: no more, where it is one's own."""
    with suppress(OSError):  # another one's file, or a disk that knows no owners
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)


class Store:
    """The file. Its methods may be called from any thread. They raise sqlite3.Error where the disk is at fault."""

    def __init__(self, path: Path):
        """Raises NoStore."""
        self._lock = RLock()
        with suppress(OSError):  # it is there, or the database says what is wrong
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # hands of cards are in it
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()
            _close_to_others(path)
        except sqlite3.Error as fault:
            raise NoStore(_reason(fault)) from None

    def _prepare(self) -> None:
        (form,) = self._db.execute("PRAGMA user_version").fetchone()
        if form == 0 and not self._db.execute("SELECT 1 FROM sqlite_schema").fetchone():
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {FORM}; COMMIT;")
        elif form in _ANEW:
            self._db.executescript(f"BEGIN; {_ANEW[form]} PRAGMA user_version = {form + 1}; COMMIT;")
        elif form != FORM:
            raise NoStore("it is no file of tables, or one of another version")
        self._db.execute("BEGIN IMMEDIATE")  # takes the lock now, and not at somebody's first choice
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Closes the file; what was committed is in it."""
        with self._lock, suppress(sqlite3.Error):
            self._db.close()

    def make(self, about: About, tokens: dict[int, str], most: int | None = None, done: Done | None = None) -> str:
        """A new table with its links, by seat, and what was done there; its id. All of it is kept or nothing.

        Raises NoRoom where there are `most` tables already.
        """
        table = secrets.token_hex(4)
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if most is not None and len(self.ids()) >= most:
                    raise NoRoom
                text = json.dumps(about.to_json(), ensure_ascii=False)
                self._db.execute("INSERT INTO tables (id, about) VALUES (?, ?)", (table, text))
                rows = [(table, seat, digest_of(token)) for seat, token in tokens.items()]
                self._db.executemany("INSERT INTO links VALUES (?, ?, ?)", rows)
                self._add(table, 0, done or Done())
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        return table

    def remove(self, table: str) -> bool:
        """Forgets a table; whether there was one."""
        with self._lock:
            return self._db.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount > 0

    def add(self, table: str, n: int, done: Done) -> None:
        """Adds to a table's record, whose first `n` entries are there, and notes; all of it or nothing."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._add(table, n, done)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _add(self, table: str, n: int, done: Done) -> None:
        rows = [
            (table, at, json.dumps(to_json(entry), ensure_ascii=False), done.thought.get(at))
            for at, entry in enumerate(done.entries, n)
        ]
        self._db.executemany("INSERT INTO entries (at, n, entry, thought) VALUES (?, ?, ?, ?)", rows)
        for number, note in done.notes:
            if note is None:
                self._db.execute("DELETE FROM notes WHERE at = ? AND number = ?", (table, number))
            else:
                text = json.dumps(notes.to_json(note), ensure_ascii=False)
                self._db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (table, number, text))

    def ids(self) -> list[str]:
        """All tables, the oldest first."""
        with self._lock:
            return [table for (table,) in self._db.execute("SELECT id FROM tables ORDER BY made, rowid")]

    def about(self, table: str) -> About | None:
        """What a table is of; None where there is no such table. Raises Spoilt."""
        with self._lock:
            row = self._db.execute("SELECT about FROM tables WHERE id = ?", (table,)).fetchone()
        return None if row is None else _read(table, lambda: About.from_json(json.loads(row[0])))

    def record(self, table: str) -> list[Entry]:
        """All that was done at a table. Raises Spoilt."""
        with self._lock:
            rows = self._db.execute("SELECT entry FROM entries WHERE at = ? ORDER BY n", (table,)).fetchall()
        return _read(table, lambda: [from_json(json.loads(entry)) for (entry,) in rows])

    def thought(self, table: str) -> dict[int, float]:
        """How long entries of a record were thought about, in seconds, where that was measured."""
        with self._lock:
            asked = "SELECT n, thought FROM entries WHERE at = ? AND thought IS NOT NULL"
            return dict(self._db.execute(asked, (table,)).fetchall())

    def notes(self, table: str) -> Notes:
        """What was noted at a table. Raises Spoilt."""
        with self._lock:
            rows = self._db.execute("SELECT number, note FROM notes WHERE at = ? ORDER BY number", (table,)).fetchall()
        return _read(table, lambda: {number: notes.from_json(json.loads(note)) for number, note in rows})

    def seat_of(self, table: str, token: str) -> int | None:
        """The seat (or SPECTATOR) that a secret word opens; None where it opens nothing.

        Each of a table's links is compared, each in constant time: how long it takes tells nothing of any of them.
        """
        with self._lock:
            links = self._db.execute("SELECT seat, digest FROM links WHERE at = ? ORDER BY seat", (table,)).fetchall()
        return opened(links, token)


def opened(links: Iterable[tuple[int, bytes]], token: str) -> int | None:
    """The seat whose digest is that of a secret word."""
    found, given = None, digest_of(token)
    for seat, digest in links:
        if hmac.compare_digest(digest, given):
            found = seat
    return found


def _read(table: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as fault:
        raise Spoilt(table, str(fault)) from fault


def _reason(fault: sqlite3.Error) -> str:
    if "locked" in str(fault):
        return "another program uses it"
    if isinstance(fault, sqlite3.DatabaseError) and "not a database" in str(fault):
        return "it is no file of tables"
    return str(fault)
