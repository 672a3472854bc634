"""The report of a tournament: one HTML file with strengths and pairs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from math import isfinite, log2
from pathlib import Path
from typing import Final

from interpreter.game import Game
from interpreter.log import write_whole
from interpreter.report.charts import Curve, Row, curves, dots
from interpreter.report.tables import Cell, figure, section, table, words
from interpreter.simulate.numbers import Figure
from interpreter.simulate.plan import Plan
from interpreter.simulate.tournament import Scores, strengths

_SEARCH: Final = re.compile(r"mcts:(\d+)")
_HOW: Final = (
    "A set is two games of one seed in which both kinds of a pair take each seat once. Strength is told as Elo beside "
    "the first kind: 400 points are ten to one, 100 are 64 to 36. Intervals hold 95 %: of strengths by the jackknife "
    "over groups of seeds, of parts by Student's t over sets."
)


def write_tournament(plan: Plan, game: Game, kinds: Sequence[str], scores: Scores, path: Path) -> None:
    """Writes the report. Raises OSError."""
    write_whole(path, page(plan, game, kinds, scores))


def page(plan: Plan, game: Game, kinds: Sequence[str], scores: Scores) -> str:
    """The whole page."""
    title = f"{game.id}: {len(kinds)} kinds of players"
    style = files("interpreter.report").joinpath("report.css").read_text("utf-8")
    found = [each if isfinite(each.low) else Figure(each.value, each.value, each.value, each.trials)
             for each in strengths(scores, len(kinds))]  # fmt: skip
    order = sorted(range(len(kinds)), key=lambda kind: -found[kind].value)
    rows: list[Sequence[Cell]] = [(kinds[kind], found[kind].trials, found[kind]) for kind in order]
    pairs: list[Sequence[Cell]] = [
        (kinds[match.first], kinds[match.second], score.sets, score.part())
        for match, score in zip(scores.matches, scores.scores, strict=True)
    ]
    head = (
        f"{plan.players} play, seed {plan.seed}, fingerprint {plan.arms[0].fingerprint}."
        + (f" Variants: {', '.join(plan.arms[0].variants)}." if plan.arms[0].variants else "")
        + (f" {scores.unfinished:,} sets had a game without an end, and do not count." if scores.unfinished else "")
    )
    body = (
        words(head)
        + section(
            "Strength",
            figure(dots("Strength", [Row(kinds[kind], (found[kind],)) for kind in order]), "Elo of each kind."),
            _by_thinking(kinds, found),
            table(("kind", "sets", "Elo"), rows),
        )
        + section("Pairs", table(("first", "second", "sets", "wins of the first"), pairs, parts=(3,)))
        + section("How to read this", words(_HOW))
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def _by_thinking(kinds: Sequence[str], found: Sequence[Figure]) -> str:
    """Strength over playouts a decision, where several kinds search by a number of them; each line doubles it."""
    searching = sorted((int(said[1]), at) for at, kind in enumerate(kinds) if (said := _SEARCH.fullmatch(kind)))
    if len(searching) < 2 or not searching[0][0]:
        return ""
    levels = [f"{playouts:,}" for playouts, _ in searching]
    curve = Curve("Elo", tuple(found[at] for _, at in searching))
    places = [log2(playouts) for playouts, _ in searching]
    return figure(curves("Strength by thinking", levels, [curve], places=places), "Elo over playouts a decision.")
