"""Games of people as they were kept: in a file of tables, in logs and in saves.

for kept in kept_in(Path("tables.sqlite"), "probe", problems): ...

What is read here is what was decided, by whom, how long they thought and what they noted. Whether it fits the content
is found out by whoever plays it again (`interpreter.playtests.gather`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interpreter.log_reading import Log, data_of, parse_log, text_of
from interpreter.players import HUMAN, is_own, is_player
from interpreter.studio.store import NoStore, Spoilt, Store
from interpreter.table.notes import Note
from interpreter.table.record import Decided, standing_at
from interpreter.table.saving import seconds_in
from rulespec.diagnostics.model import Problems
from rulespec.source.text import SourceFile

#: Who sat on a seat of a log that does not say it: nobody has measured how long they thought.
UNKNOWN: Final = "unknown"
_SQLITE: Final = b"SQLite format 3\0"


class Unreadable(Exception):
    """A file that holds no games. Its text says why."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A note: `player` is a seat's name or number."""

    player: int | str
    moment: int
    text: str
    stands: bool = True


@dataclass(frozen=True, slots=True)
class Kept:
    """One game. `kinds` says who plays each seat; nothing in a log, of which `people` are the seats that are known to
    be people's. `seconds` says how long each decision was thought about, where known; `source` where it was kept. With
    `asks_everything` there are decisions too that change nothing, which logs have left out since.
    """

    source: str
    players: int
    options: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]
    kinds: tuple[str, ...]
    seed: int
    keys: tuple[str, ...]
    seconds: tuple[float | None, ...]
    notes: tuple[Pinned, ...] = ()
    people: frozenset[str] = frozenset()
    asks_everything: bool = False

    def kinds_of(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Who plays each of the seats."""
        return self.kinds or tuple(HUMAN if seat in self.people else UNKNOWN for seat in seats)


def kept_in(path: Path, game: str, problems: Problems) -> list[Kept]:
    """The games of one game in a file, without those in which nothing was decided or noted. Problems of logs are told.

    Raises Unreadable for what is no such file.
    """
    try:
        with path.open("rb") as file:
            is_tables = file.read(len(_SQLITE)) == _SQLITE
    except OSError as fault:
        raise Unreadable(f"{path} cannot be read: {fault.strerror or fault}") from None
    found = _of_tables(path, game) if is_tables else _of_log(path, game, problems)
    return [kept for kept in found if kept.keys or kept.notes]


# ---- a file of tables ----


def _of_tables(path: Path, game: str) -> list[Kept]:
    try:
        store = Store(path)
    except NoStore as fault:
        raise Unreadable(f"The tables in {path} cannot be read: {fault}") from None
    try:
        return list(_each_table(store, path, game))
    except Spoilt as fault:
        raise Unreadable(f"Table '{fault.table}' in {path} cannot be read: {fault}") from None
    finally:
        store.close()


def _each_table(store: Store, path: Path, game: str) -> Iterator[Kept]:
    for table in store.ids():
        about = store.about(table)
        if about is None or about.game != game:
            continue
        record, thought = store.record(table), store.thought(table)
        places = standing_at(record)
        decided = [entry for entry in (record[at] for at in places) if isinstance(entry, Decided)]
        yield Kept(
            f"{path.name}: {table}",
            about.players,
            about.options,
            about.variants,
            about.kinds,
            about.seed,
            tuple(entry.key for entry in decided),
            tuple(thought.get(at) for at in places),
            tuple(_pinned(note) for note in store.notes(table).values()),
        )


def _pinned(note: Note) -> Pinned:
    return Pinned(note.seat, note.moment, note.text, note.stands)


# ---- a log or a save ----


def _of_log(path: Path, game: str, problems: Problems) -> list[Kept]:
    try:
        text = text_of(path)
    except (OSError, ValueError) as fault:
        raise Unreadable(f"{path} is no file of tables, and no log or save: {fault}") from None
    log = parse_log(SourceFile.of(str(path), text), problems, ended=False)
    if log is None or not log.is_whole:
        return []
    if log.is_of_a_seat:
        raise Unreadable(f"{path} is the log of one seat: it cannot be played again")
    return [_kept_of(log, path, text)] if log.header["game"] == game else []


def _kept_of(log: Log, path: Path, text: str) -> Kept:
    header, lines = log.header, [entry.line for entry in log.decisions]
    seconds = seconds_in(lines)
    noted = [(line.get("n", 0), note) for line in (header, *lines) for note in line.get("notes", ())]
    thinking = {line["player"] for at, line in enumerate(lines) if at in seconds} | {n["player"] for _, n in noted}
    return Kept(
        path.name,
        header["players"],
        tuple((name, _word(value)) for name, value in header["options"].items()),
        tuple(header["variants"]),
        _saved_kinds(text),
        header["seed"],
        log.keys,
        tuple(seconds.get(at) for at in range(len(lines))),
        tuple(Pinned(note["player"], n, note["text"]) for n, note in noted),
        frozenset(thinking),
        "asks" not in header,
    )


def _saved_kinds(text: str) -> tuple[str, ...]:
    """Who plays, as the last line of a save says; nothing where it does not."""
    try:
        last = data_of(text.rstrip("\n").rpartition("\n")[2])
    except ValueError:
        return ()
    kinds = last.get("seats", []) if isinstance(last, dict) and "save" in last else []
    known = all(isinstance(kind, str) and (kind == HUMAN or (not is_own(kind) and is_player(kind))) for kind in kinds)
    return tuple(kinds) if known else ()


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
