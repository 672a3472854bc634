"""Tables as texts that can be kept, and back: logs and saves, in the form that all commands read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from interpreter.log import readable_text
from interpreter.log_lines import Line, LineWriter
from interpreter.save import Saved, save_lines
from interpreter.table.notes import Note, Notes
from interpreter.table.seats import Seating

if TYPE_CHECKING:
    from interpreter.table.table import Table


def log_lines(table: Table, seat: int | None = None) -> list[Line]:
    """The log of the game so far, with what was noted at moments that stand: as whoever may see all reads it, or what
    a seat may know.
    """
    writer, notes = LineWriter(table.game, seat), _notes_of(table, seat)
    seconds = [
        each if seat in (None, step.seat) else None
        for each, step in zip(table.seconds(), table.history.steps, strict=False)
    ]
    lines = [writer.header(table.seats.seed, table.first) | notes.get(0, {}), *writer.events(table.first)]
    for n, step in enumerate(table.history.steps, 1):
        line = writer.decision(n, step.before, step.before.option(step.key), step.after)
        thought = seconds[n - 1] if n <= len(seconds) else None
        line |= ({} if thought is None else {"seconds": thought}) | notes.get(n, {})
        lines += [line, *writer.events(step.after)]
    return lines


def _notes_of(table: Table, seat: int | None) -> dict[int, Line]:
    """What stands in the line of a moment about its notes."""
    found: dict[int, Line] = {}
    for note in table.notes.values() if seat is None else [note for _, note in table.notes_for(seat)]:
        if note.stands:
            line = found.setdefault(note.moment, {"notes": []})
            line["notes"].append({"player": table.game.seats[note.seat], "text": note.text})
    return found


def notes_in(lines: Iterable[Line], seats: Sequence[str]) -> Notes:
    """The notes in the lines of a log. Raises ValueError where one is of a player that there is not."""
    found: Notes = {}
    for line in lines:
        for note in line.get("notes", ()):
            found[len(found) + 1] = Note(seats.index(note["player"]), line.get("n", 0), note["text"])
    return found


def seconds_in(lines: Iterable[Line]) -> dict[int, float]:
    """How long decisions of a log were thought about, by their place among them."""
    decisions = (line for line in lines if "n" in line and "key" in line)
    return {at: line["seconds"] for at, line in enumerate(decisions) if "seconds" in line}


def saved_text(table: Table) -> str:
    """The game as a save that `rulespec play --load` goes on with. Raises OSError where it would be too long."""
    return readable_text(save_lines(table.state, log_lines(table), table.n, table.seats.kinds))


def log_text(table: Table) -> str:
    """The log that `rulespec replay` reads, with its last line. Raises OSError where it would be too long."""
    return readable_text([*log_lines(table), LineWriter(table.game).result(table.state)])


def seat_log_text(table: Table, seat: int) -> str:
    """The log of what a seat may know, with its last line. Raises OSError where it would be too long."""
    return readable_text([*log_lines(table, seat), LineWriter(table.game, seat).result(table.state)])


def seats_of(saved: Saved, kinds: tuple[str, ...]) -> Seating:
    """Who plays on with a save: those that it names, else `kinds`."""
    return Seating(saved.seats or kinds, int(saved.lines[0]["seed"]))


def keys_of(saved: Saved) -> list[str]:
    """The decisions of a save, in order."""
    return [line["key"] for line in saved.lines if "n" in line]
