"""The parts of the report, each made from the counts of one arm or of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from interpreter.report.charts import Row, columns, dots, histogram, legend, stacked
from interpreter.report.tables import Cell, figure, section, table, words
from interpreter.simulate.compare import Pairs
from interpreter.simulate.numbers import quantiles, share
from interpreter.simulate.run import Results
from interpreter.simulate.summary import actions_of
from interpreter.simulate.tally import TENTHS, Side, Tally, Use

#: Rows of a table that are shown; the data set has the others.
MOST_ROWS: Final = 120


def arm_names(results: Results) -> list[str]:
    """What the arms are called on the page."""
    if len(results.plan.arms) == 1:
        return [""]
    return [f"with {', '.join(arm.variants)}" if arm.variants else "as it is" for arm in results.plan.arms]


def _in_arm(name: str) -> str:
    return f" ({name})" if name else ""


# ---- wins and points -------------------------------------------------------------------------------------------------


def wins(results: Results) -> str:
    """Who wins: by player and by seat."""
    even = 1 / results.plan.players
    players = _rows(results, lambda tally: tally.by_player, lambda at: f"{at + 1}: {results.plan.seats[at]}")
    seats = _rows(results, lambda tally: tally.by_seat, lambda at: f"seat {at + 1}: {results.games[0].seats[at]}")
    several = len(set(results.plan.seats)) > 1
    shared = [share(tally.shared, tally.games) for tally in results.tallies]
    return section(
        "Who wins",
        figure(dots("Wins by player", players, is_part=True, even=even), "Parts of all games that each player wins.")
        if several
        else "",
        figure(dots("Wins by seat", seats, is_part=True, even=even), "The same by seat. The dashed line: all level."),
        figure(
            dots("Shared victories", [Row("shared", tuple(shared))], is_part=True), "Games whose victory is shared."
        ),
        _sides(results),
    )


def _rows(results: Results, sides: Callable[[Tally], dict[int, Side]], name: Callable[[int], str]) -> list[Row]:
    return [
        Row(name(at), tuple(sides(tally)[at].win_rate() if at in sides(tally) else None for tally in results.tallies))
        for at in range(results.plan.players)
    ]


def _sides(results: Results) -> str:
    rows: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        for (seat, player), side in sorted(tally.by_both.items()):
            name = f"{results.games[0].seats[seat]}: {results.plan.seats[player]}{_in_arm(arm)}"
            rows.append((name, side.games, side.win_rate(), side.score.figure()))
    return table(("seat and player", "games", "wins", "points"), rows, parts=(2,))


def scores(results: Results) -> str:
    """How many points there are."""
    players = results.plan.players
    rows = _scores(results, lambda tally: tally.by_seat, lambda at: f"seat {at + 1}: {results.games[0].seats[at]}")
    if len(set(results.plan.seats)) > 1:
        rows[:0] = _scores(results, lambda tally: tally.by_player, lambda at: f"{at + 1}: {results.plan.seats[at]}")
    rows.append(Row("winner", tuple(tally.winning.figure() for tally in results.tallies)))
    rows.append(Row("from first to last", tuple(tally.spread.figure() for tally in results.tallies)))
    counts = [dict(tally.whole.scores) for tally in results.tallies]
    ranges: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        for at in range(players):
            side = tally.by_player[at]
            low, *_, high = found = quantiles(side.scores, (0.05, 0.25, 0.5, 0.75, 0.95))
            name = f"{at + 1}: {results.plan.seats[at]}{_in_arm(arm)}"
            ranges.append((name, side.games, low, found[1], found[2], found[3], high))
    return section(
        "Points",
        figure(dots("Mean points", rows), "Mean points of a game."),
        figure(histogram("Points of a seat", counts, arm_names(results)), "How often a seat has so many points."),
        table(("player", "games", "5 %", "25 %", "median", "75 %", "95 %"), ranges),
    )


def _scores(results: Results, sides: Callable[[Tally], dict[int, Side]], name: Callable[[int], str]) -> list[Row]:
    return [
        Row(name(at), tuple(sides(tally)[at].score.figure() for tally in results.tallies))
        for at in range(results.plan.players)
    ]


def sources(results: Results) -> str:
    """Where points come from, and when."""
    reasons = _reasons(results)
    bars: list[tuple[str, dict[str, float]]] = []
    rows: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        for at, side in sorted(tally.by_player.items()):
            name = f"{at + 1}: {results.plan.seats[at]}{_in_arm(arm)}"
            bars.append((name, {reason: side.mean_of(reason).value for reason in reasons}))
            rows += [(name, reason, side.games, side.mean_of(reason)) for reason in reasons]
    pictures = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        if tally.course:
            seats = max(tally.games, 1) * results.plan.players
            tenths = [{r: tally.course[r][t] / seats for r in reasons if r in tally.course} for t in range(TENTHS)]
            caption = f"Points of a seat in each tenth of the game{_in_arm(arm)}, {tally.games:,} games."
            pictures.append(figure(columns("Points over the game", tenths, reasons), caption))
    return section(
        "Where points come from",
        figure(stacked("Points by reason", bars, reasons), "Mean points of a game by reason."),
        *pictures,
        legend(reasons) if pictures else "",
        table(("player", "reason", "games", "points"), rows),
    )


def _reasons(results: Results) -> list[str]:
    """All reasons, those that give most first."""
    worth: dict[str, float] = defaultdict(float)
    for tally in results.tallies:
        for reason in tally.reasons:
            worth[reason] += tally.whole.mean_of(reason).value
    return sorted(worth, key=lambda reason: -worth[reason])


def length(results: Results) -> str:
    """How long games are."""
    rows = [
        Row("decisions", tuple(tally.decisions.figure() for tally in results.tallies)),
        Row("turns", tuple(tally.turns.figure() for tally in results.tallies)),
    ]
    counts = [dict(tally.lengths) for tally in results.tallies]
    missing = sum(sum(tally.unfinished.values()) for tally in results.tallies)
    return section(
        "How long it takes",
        figure(dots("Length", rows), "Decisions and turns of a game."),
        figure(histogram("Decisions of a game", counts, arm_names(results)), "How often a game has so many decisions."),
        words(f"{missing:,} games came to no end.") if missing else "",
    )


# ---- what is used ----------------------------------------------------------------------------------------------------


def actions(results: Results) -> str:
    """Use of every action, and how those fared who used it."""
    names = list(
        dict.fromkeys(n for g, t in zip(results.games, results.tallies, strict=True) for n in actions_of(g, t))
    )
    wholes = [sum(use.times for use in tally.actions.values()) for tally in results.tallies]
    rows = [
        Row(name, tuple(share(t.actions[name].times, n) for t, n in zip(results.tallies, wholes, strict=True)))
        for name in names
    ]
    rows.sort(key=lambda row: -max(f.value for f in row.figures if f is not None))
    details: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        details += [(f"{row.name}{_in_arm(arm)}", *_use(tally.actions[row.name], tally)) for row in rows]
    return section(
        "Actions",
        figure(dots("Use of actions", rows, is_part=True), "Parts of all actions that are this one."),
        table(USE_HEADS, details, parts=(2, 3)),
    )


USE_HEADS: Final = ("what", "times", "seats that did", "of those won", "correlation with winning")


def _use(use: Use, tally: Tally) -> tuple[Cell, ...]:
    return (
        use.times,
        share(use.used, tally.wins.count),
        share(use.won, use.used) if use.used else None,
        use.correlation(tally.wins),
    )


def choices(results: Results) -> str:
    """Every value that was offered: tiles, goals, sites and so on."""
    parts = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        groups: dict[tuple[str, str], list[tuple[str, Use]]] = defaultdict(list)
        for (decision, name, value), use in tally.choices.items():
            groups[decision, name].append((value, use))
        for (decision, name), uses in sorted(groups.items()):
            uses.sort(key=lambda each: -each[1].times / max(each[1].offered, 1))
            rows = [
                (value, use.offered, share(use.times, use.offered), *_use(use, tally)[2:]) for value, use in _most(uses)
            ]
            heads = (f"{decision}: {name}{_in_arm(arm)}", "offered", "chosen", *USE_HEADS[3:])
            parts.append(table(heads, rows, parts=(2, 3)) + _left(len(uses)))
    return section("What is chosen", *parts)


def holdings(results: Results) -> str:
    """Every kind of piece that lies with a player at the end."""
    parts = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        groups: dict[str, list[tuple[str, Use]]] = defaultdict(list)
        for (zone, piece), use in tally.holdings.items():
            groups[zone].append((piece, use))
        for zone, uses in sorted(groups.items()):
            if len(uses) < 2:
                continue
            uses.sort(key=lambda each: each[0])
            rows = [(piece, *_use(use, tally)) for piece, use in _most(uses)]
            heads = (f"{zone}{_in_arm(arm)}", "pieces", "seats that had it", *USE_HEADS[3:])
            parts.append(table(heads, rows, parts=(2, 3)) + _left(len(uses)))
    return section("What is held at the end", *parts)


def _most(uses: list[tuple[str, Use]]) -> list[tuple[str, Use]]:
    """The first and the last ones of a long list: the middle is in the data set."""
    if len(uses) <= MOST_ROWS:
        return uses
    return [*uses[: MOST_ROWS // 2], *uses[-MOST_ROWS // 2 :]]


def _left(count: int) -> str:
    return words(f"{count - MOST_ROWS:,} rows in the middle are only in the data set.") if count > MOST_ROWS else ""


def _chance(p: float) -> str:
    """A probability in print: one that is next to nothing is not nothing."""
    return "< 0.001" if p < 0.001 else f"{p:.2g}"


# ---- several arms ----------------------------------------------------------------------------------------------------


def compared(results: Results) -> str:
    """Every further arm beside the first one, on the same seeds."""
    return section("Side by side", *(part for pairs in results.pairs for part in _pair(results, pairs)))


def _pair(results: Results, pairs: Pairs) -> Iterator[str]:
    found = pairs.differences(comparisons=len(results.pairs))
    groups: dict[str, list[Row]] = defaultdict(list)
    rows: list[Sequence[Cell]] = []
    for each in sorted(found, key=lambda each: (not each.stands_out, each.group, each.chance)):
        mark = "stands out" if each.stands_out else ""
        before = f"{each.before:.3g}"
        rows.append((each.group, each.name, before, f"{each.after:.3g}", each.change, _chance(each.chance), mark))
        groups[each.group].append(Row(each.name, (each.change,)))
    pictures = (
        figure(
            dots(f"Change: {group}", changes, even=0.0, is_part=group == "seat wins"),
            f"{group}: the second less the first, in pairs of games.",
        )
        for group, changes in sorted(groups.items())
    )
    names = arm_names(results)
    first, second = names[0], names[pairs.arm]
    if len(results.pairs) > 1:
        yield f"<h3>{escape(second)}</h3>"
    yield words(
        f"{pairs.games:,} pairs of games with the same seed and the same players, {first} and {second}. "
        "What stands out does so after correction for the many comparisons (Holm, 95 %)."
    )
    yield table(("about", "", "first", "second", "change", "p", ""), rows, kind="compared")
    yield from pictures
