"""The parts of the report about choosing: how much there is to choose, and what choices are worth."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from interpreter.report.names import Names
from interpreter.report.sections import arm_names
from interpreter.report.tables import Cell, section, table, words
from interpreter.simulate.run import Results
from interpreter.simulate.tally import Tally
from interpreter.simulate.worth import THIRDS, Value

#: Values with fewer trials are not shown: the data set has them.
LEAST_SHOWN: Final = 10
MOST_ROWS: Final = 60
_OF_CHOOSING: Final = (
    "Of each game the mean over its decisions. Where trials were played, the last two columns say by how many points a "
    "choice moves the seat that makes it, and every other seat, on the average, up or down."
)
_OF_WORTH: Final = (
    "From a decision the same game was played on twice: once with this value, as the seat's player likes it best, and "
    "once with anything else that was offered. Chance and players are alike in both. What is told is the first less "
    "the second, for the seat that chooses; then in each third of the game."
)


def choosing(results: Results) -> str:
    """Options a decision, decisions without a choice, and whom a choice concerns."""
    rows: list[Sequence[Cell]] = []
    for name, tally in zip(arm_names(results), results.tallies, strict=True):
        if tally.offered.count:
            moved = (tally.worths.own, tally.worths.others) if tally.worths.own.count else ()
            figures = (tally.offered.figure(), tally.forced.figure(), *(each.figure() for each in moved))
            rows.append((name or "all games", *figures))
    heads = ("", "options a decision", "decisions with one option", "points moved: own", "of others")
    return section("How much there is to choose", words(_OF_CHOOSING) if rows else "", table(heads, rows, parts=(2,)))


def worths(results: Results) -> str:
    """What each value was worth, surest first."""
    parts = []
    for game, tally, name in zip(results.games, results.tallies, arm_names(results), strict=True):
        rows = _rows(Names(game, results.language), tally)
        heads = ("at", "value", "trials", "points", "of a victory", *(f"points, third {n + 1}" for n in range(THIRDS)))
        shown = table(heads, rows[:MOST_ROWS], parts=(4,))
        if shown:
            parts.append(f"<h3>{escape(name)}</h3>{shown}" if name else shown)
    return section("What choices are worth", words(_OF_WORTH) if parts else "", *parts)


def _rows(names: Names, tally: Tally) -> list[Sequence[Cell]]:
    found: list[tuple[float, Sequence[Cell]]] = []
    for value, thirds in tally.worths.by_value.items():
        whole = tally.worths.whole(value)
        if whole.points.count < LEAST_SHOWN:
            continue
        by_third = (third.points.figure() if third.points.count >= LEAST_SHOWN else None for third in thirds)
        figures = (whole.points.count, whole.points.figure(), whole.won.figure(), *by_third)
        found.append((whole.points.chance(), (names.action(value[0]), named(names, value), *figures)))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


def named(names: Names, value: Value) -> str:
    """What was chosen, in words: `field hill`, or `plot with ground port` for an attribute of it."""
    decision, name, chosen = value
    said = names.value(decision, name, chosen)
    asked, _, attribute = name.partition(".")
    if attribute:
        return f"{names.asked(asked)} with {attribute} {said}"
    return said if name == decision else f"{names.asked(name)} {said}"
