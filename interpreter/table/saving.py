"""Tables as texts that can be kept, and back: logs and saves, in the form that all commands read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.log import readable_text
from interpreter.log_lines import Line, LineWriter
from interpreter.save import Saved, save_lines
from interpreter.table.seats import Seating

if TYPE_CHECKING:
    from interpreter.table.table import Table


def log_lines(table: Table) -> list[Line]:
    """The log of the game so far, as whoever may see all reads it."""
    writer = LineWriter(table.game)
    lines = [writer.header(table.seats.seed, table.first), *writer.events(table.first)]
    for n, step in enumerate(table.history.steps, 1):
        option = step.before.option(step.key)
        lines += [writer.decision(n, step.before, option, step.after), *writer.events(step.after)]
    return lines


def saved_text(table: Table) -> str:
    """The game as a save that `rulespec play --load` goes on with. Raises OSError where it would be too long."""
    return readable_text(save_lines(table.state, log_lines(table), table.n, table.seats.kinds))


def log_text(table: Table) -> str:
    """The log that `rulespec replay` reads, with its last line. Raises OSError where it would be too long."""
    return readable_text([*log_lines(table), LineWriter(table.game).result(table.state)])


def seats_of(saved: Saved, kinds: tuple[str, ...]) -> Seating:
    """Who plays on with a save: those that it names, else `kinds`."""
    return Seating(saved.seats or kinds, int(saved.lines[0]["seed"]))


def keys_of(saved: Saved) -> list[str]:
    """The decisions of a save, in order."""
    return [line["key"] for line in saved.lines if "n" in line]
