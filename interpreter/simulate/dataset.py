"""The results as a Parquet data set: a file for each kind of rows, for DuckDB, pandas and whatever else reads Parquet.

| file | a row for each |
| --- | --- |
| `games.parquet` | game |
| `seats.parquet` | game and seat |
| `points.parquet` | game, seat and reason for points |
| `actions.parquet` | game, seat and action that was used |
| `course.parquet` | game, seat, reason and tenth of the game (full detail) |
| `choices.parquet` | game, seat and value that was offered (full detail) |
| `holdings.parquet` | game, seat and kind of piece that it holds at the end (full detail) |
| `asked.parquet` | game and seat: its decisions, their options, those with one option, and who began (full detail) |
| `decisions.parquet` | decision: its options, which was taken, and how the player weighed them (detail of decisions) |
| `notes.parquet` | note that a player has pinned to a moment (games of people) |
| `sources.parquet` | game: where it was kept (games of people) |
| `worth.parquet` | trial: game, after how many decisions, seat, value, and what it was worth (with `--worth`) |

The file's metadata holds the plan, the fingerprints and the versions, as JSON under the key `rulespec`; that of a
column what it means (`interpreter.simulate.columns`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from interpreter.game import Game
from interpreter.simulate.columns import schema_of
from interpreter.simulate.plan import Plan, written
from interpreter.simulate.records import Record
from interpreter.simulate.tally import shares_of
from rulespec.source.text import readable

HINT: Final = "pyarrow is missing: pip install 'rulespec[simulate]'"
#: Games that are held in memory before their rows are written.
BATCH: Final = 2_000

Row = dict[str, Any]
Rows = Callable[[Record, Plan, Game], Iterator[Row]]


class NoArrow(Exception):
    """The library that writes Parquet is not installed."""


def need_arrow() -> None:
    """Raises NoArrow where Parquet cannot be written."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise NoArrow(HINT) from None


def _key(record: Record) -> Row:
    return {"arm": record["arm"], "game": record["game"]}


def _games(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    scores = record.get("scores") or []
    yield {
        **_key(record),
        "seed": str(record["seed"]),
        "variants": ",".join(plan.arms[record["arm"]].variants),
        "levels": ",".join(f"{name}={written(value)}" for name, value in plan.arms[record["arm"]].levels),
        "fingerprint": plan.arms[record["arm"]].fingerprint,
        "decisions": record.get("decisions"),
        "turns": record.get("turns"),
        "winning_score": max(scores, default=None),
        "winners": record["places"].count(1) if scores else None,
        "unfinished": record.get("unfinished"),
    }


def _seats(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    if "scores" not in record:
        return
    won, plan = shares_of(record), plan.in_arm(record["arm"])
    for seat, score in enumerate(record["scores"]):
        entrant = record["players"][seat]
        yield {
            **_key(record),
            "seat": seat + 1,
            "name": game.seats[seat],
            "entrant": entrant + 1,
            "agent": plan.seats[entrant],
            "score": score,
            "place": record["places"][seat],
            "won": won[seat],
        }


def _points(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for reason, amounts in record.get("points", {}).items():
        for seat, points in enumerate(amounts):
            yield {**_key(record), "seat": seat + 1, "reason": reason, "points": points}


def _actions(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for action, amounts in record.get("actions", {}).items():
        for seat, times in enumerate(amounts):
            if times:
                yield {**_key(record), "seat": seat + 1, "action": action, "times": times}


def _course(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for reason, seat, tenth, points in record.get("course", ()):
        yield {**_key(record), "seat": seat + 1, "reason": reason, "tenth": tenth + 1, "points": points}


def _choices(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for seat, decision, name, value, chosen, offered in record.get("choices", ()):
        row = {"decision": decision, "name": name, "value": value, "chosen": chosen, "offered": offered}
        yield {**_key(record), "seat": seat + 1, **row}


def _holdings(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for seat, zone, piece, count in record.get("holdings", ()):
        yield {**_key(record), "seat": seat + 1, "zone": zone, "piece": piece, "count": count}


def _asked(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for seat, (decisions, options, forced) in enumerate(record.get("asked", ())):
        row = {"decisions": decisions, "options": options, "forced": forced}
        yield {**_key(record), "seat": seat + 1, **row, "began": int(record["starter"] == seat)}


def _worth(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for seat, n, *row in record.get("worth", ()):
        names = ("decision", "name", "value", "points", "won", "others", "alike", "taken")
        yield {**_key(record), "seat": seat + 1, "n": n, **dict(zip(names, row, strict=True))}


def _decisions(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for seat, n, *row in record.get("moments", ()):
        found = dict(zip(("decision", "keys", "took", "visits", "means"), row, strict=True))
        yield {**_key(record), "seat": seat + 1, "n": n, **found, "options": len(found["keys"])}


def _timed(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for row, seconds in zip(_decisions(record, plan, game), record["seconds"], strict=True):
        yield {**row, "seconds": seconds}


def _notes(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    for seat, n, note, stands in record.get("notes", ()):
        yield {**_key(record), "seat": seat + 1, "n": n, "note": note, "stands": stands}


def _sources(record: Record, plan: Plan, game: Game) -> Iterator[Row]:
    yield {**_key(record), "source": record["source"]}


#: For each file its columns and where its rows come from.
TABLES: Final[dict[str, tuple[str, Rows]]] = {
    "games": ("arm game seed variants levels fingerprint decisions turns winning_score winners unfinished", _games),
    "seats": ("arm game seat name entrant agent score place won", _seats),
    "points": ("arm game seat reason points", _points),
    "actions": ("arm game seat action times", _actions),
}
FULL: Final[dict[str, tuple[str, Rows]]] = {
    "course": ("arm game seat reason tenth points", _course),
    "choices": ("arm game seat decision name value chosen offered", _choices),
    "holdings": ("arm game seat zone piece count", _holdings),
    "asked": ("arm game seat decisions options forced began", _asked),
}
EACH: Final[dict[str, tuple[str, Rows]]] = {
    "decisions": ("arm game seat n decision options keys took visits means", _decisions),
}
#: Of games of people, in the place of `EACH`.
NOTED: Final[dict[str, tuple[str, Rows]]] = {
    "decisions": ("arm game seat n decision options keys took visits means seconds", _timed),
    "notes": ("arm game seat n note stands", _notes),
    "sources": ("arm game source", _sources),
}
TRIED: Final[dict[str, tuple[str, Rows]]] = {
    "worth": ("arm game seat n decision name value points won others alike taken", _worth),
}


class Dataset:
    """The files of one run, written as records come. `each` are those of the detail of decisions."""

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        games: list[Game],
        about: dict[str, Any],
        each: dict[str, tuple[str, Rows]] = EACH,
    ):
        self._plan, self._games = plan, games
        self._waiting: list[Record] = []
        tables = TABLES if plan.detail == "games" else {**TABLES, **FULL, **(TRIED if plan.worth else {})}
        if plan.detail == "decisions":
            tables = {**tables, **each}
        metadata = {"rulespec": json.dumps({**plan.to_json(), "versions": about})}
        self._tables = {name: _Table(folder / f"{name}.parquet", *told, metadata) for name, told in tables.items()}

    def add(self, record: Record) -> None:
        """One record."""
        self._waiting.append(record)
        if len(self._waiting) >= BATCH:
            self._write()

    def close(self) -> None:
        """Writes what is left."""
        self._write()
        for table in self._tables.values():
            table.close()

    def _write(self) -> None:
        for table in self._tables.values():
            table.write(
                row for record in self._waiting for row in table.rows(record, self._plan, self._games[record["arm"]])
            )
        self._waiting.clear()


class _Table:
    """One file; it appears under its name when it is whole."""

    def __init__(self, path: Path, columns: str, rows: Rows, metadata: dict[str, str]):
        import pyarrow.parquet as pq

        self.rows = rows
        self._path, self._part = path, path.with_name(f".{path.name}.part")
        self._schema = schema_of(columns, metadata)
        # the sums of pages tell readers that ask for it (`page_checksum_verification` of pyarrow) of changed bits
        self._writer: Any = pq.ParquetWriter(self._part, self._schema, write_page_checksum=True)

    def write(self, rows: Iterable[Row]) -> None:
        """Further rows."""
        import pyarrow as pa

        table = pa.Table.from_pylist([_in_utf_8(row) for row in rows], schema=self._schema)
        if table.num_rows:
            self._writer.write_table(table)

    def close(self) -> None:
        """The file is whole."""
        self._writer.close()
        self._part.replace(self._path)


def _in_utf_8(row: Row) -> Row:
    """A row whose texts can be written: a variant's file may have a name that is no UTF-8."""
    return {name: _readable(value) for name, value in row.items()}


def _readable(value: Any) -> Any:
    if isinstance(value, list):
        return [_readable(each) for each in value]
    return readable(value) if isinstance(value, str) else value
