"""The parts of the report, each made from the counts of one arm or of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from interpreter.report.charts import Curve, Row, columns, curves, dots, histogram, legend, stacked
from interpreter.report.names import Names
from interpreter.report.tables import Cell, figure, section, table, words
from interpreter.simulate.compare import Pairs
from interpreter.simulate.numbers import Figure, Moments, quantiles, share
from interpreter.simulate.run import Results
from interpreter.simulate.summary import actions_of
from interpreter.simulate.tally import HALF, TENTHS, Side, Tally, Use

#: Rows of a table that are shown; the data set has the others.
MOST_ROWS: Final = 120


def arm_names(results: Results) -> list[str]:
    """What the arms are called on the page."""
    if len(results.plan.arms) == 1:
        return [""]
    return [arm.told or "as it is" for arm in results.plan.arms]


def _in_arm(name: str) -> str:
    return f" ({name})" if name else ""


# ---- wins and points -------------------------------------------------------------------------------------------------


def wins(results: Results) -> str:
    """Who wins: by player and by seat."""
    even = _even(results)
    players = [
        Row(
            _kind(results, kind), tuple(tally.by_kind(results.plan.seats)[kind].win_rate() for tally in results.tallies)
        )
        for kind in _kinds(results)
    ]
    seats = [
        Row(
            _seat(results, at),
            tuple(tally.by_seat[at].win_rate() if at in tally.by_seat else None for tally in results.tallies),
        )
        for at in range(results.plan.players)
    ]
    several = len(set(results.plan.seats)) > 1
    shared = [share(tally.shared, tally.games) for tally in results.tallies]
    lost = [share(tally.lost, tally.games) for tally in results.tallies]
    return section(
        "Who wins",
        figure(dots("Wins by player", players, is_part=True, even=even), "Parts of all games that each player wins.")
        if several
        else "",
        figure(
            dots("Wins by seat", seats, is_part=True, even=even),
            f"The same by seat.{'' if even is None else ' The dashed line: all level.'}",
        ),
        figure(
            dots("Shared victories", [Row("shared", tuple(shared))], is_part=True), "Games whose victory is shared."
        ),
        figure(dots("Games that nobody wins", [Row("lost", tuple(lost))], is_part=True), "Games that nobody wins.")
        if any(tally.lost for tally in results.tallies)
        else "",
        _sides(results),
    )


def _even(results: Results) -> float | None:
    """A seat's part of the victories, where it is one and the same in all arms."""
    parts = {tally.part for tally in results.tallies}
    return parts.pop() if len(parts) == 1 else None


def _kinds(results: Results) -> list[str]:
    """The kinds of players: those of one kind are alike, and are counted together."""
    return list(dict.fromkeys(results.plan.seats))


def _kind(results: Results, kind: str) -> str:
    count = results.plan.seats.count(kind)
    return f"{kind}, {count} of them" if count > 1 else kind


def _by_kind(results: Results, figure_of: Callable[[Side], Figure]) -> list[Row]:
    """A figure of the players of each kind, in every arm."""
    arms = [tally.by_kind(results.plan.seats) for tally in results.tallies]
    return [Row(_kind(results, kind), tuple(figure_of(sides[kind]) for sides in arms)) for kind in _kinds(results)]


def _by_seat(results: Results, figure_of: Callable[[Side], Figure]) -> list[Row]:
    """The same of each seat; none where no game was over."""
    arms = [tally.by_seat for tally in results.tallies]
    seats = range(results.plan.players)
    return [
        Row(_seat(results, at), tuple(figure_of(sides[at]) if at in sides else None for sides in arms)) for at in seats
    ]


def _zone(results: Results, zone: str) -> str:
    return results.games[0].texts(results.language).zone(zone)


def _seat(results: Results, seat: int) -> str:
    return f"seat {seat + 1}: {results.games[0].texts(results.language).player(seat)}"


def _sides(results: Results) -> str:
    rows: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        both: dict[tuple[int, int], Side] = defaultdict(Side)
        for (seat, player), side in tally.by_both.items():
            both[seat, results.plan.seats.index(results.plan.seats[player])].merge(side)
        for (seat, player), side in sorted(both.items()):
            name = f"{_seat(results, seat)}, {results.plan.seats[player]}{_in_arm(arm)}"
            rows.append((name, side.games, side.win_rate(), side.score.figure()))
    return table(("seat and player", "games", "wins", "points"), rows, parts=(2,))


def scores(results: Results) -> str:
    """How many points there are."""
    rows = _by_seat(results, lambda side: side.score.figure())
    if len(_kinds(results)) > 1:
        rows[:0] = _by_kind(results, lambda side: side.score.figure())
    rows.append(Row("winner", tuple(tally.winning.figure() for tally in results.tallies)))
    rows.append(Row("from first to last", tuple(tally.spread.figure() for tally in results.tallies)))
    counts = [dict(tally.whole.scores) for tally in results.tallies]
    ranges: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        for kind, side in tally.by_kind(results.plan.seats).items():
            low, *_, high = found = quantiles(side.scores, (0.05, 0.25, 0.5, 0.75, 0.95))
            name = f"{_kind(results, kind)}{_in_arm(arm)}"
            ranges.append((name, side.games, low, found[1], found[2], found[3], high))
    return section(
        "Points",
        figure(dots("Mean points", rows), "Mean points of a game."),
        figure(histogram("Points of a seat", counts, arm_names(results)), "How often a seat has so many points."),
        table(("player", "games", "5 %", "25 %", "median", "75 %", "95 %"), ranges),
    )


def sources(results: Results) -> str:
    """Where points come from, and when."""
    reasons = _reasons(results)
    names = _reason_names(results, reasons)
    bars: list[tuple[str, dict[str, float]]] = []
    rows: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        for kind, side in tally.by_kind(results.plan.seats).items():
            name = f"{_kind(results, kind)}{_in_arm(arm)}"
            bars.append((name, {names[reason]: side.mean_of(reason).value for reason in reasons}))
            rows += [(name, names[reason], side.games, side.mean_of(reason)) for reason in reasons]
    pictures = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        if tally.course:
            seats = max(tally.games, 1) * results.plan.players
            tenths = [
                {names[r]: tally.course[r][t] / seats for r in reasons if r in tally.course} for t in range(TENTHS)
            ]
            caption = f"Points of a seat in each tenth of the game{_in_arm(arm)}, {tally.games:,} games."
            pictures.append(figure(columns("Points over the game", tenths, list(names.values())), caption))
    return section(
        "Where points come from",
        figure(stacked("Points by reason", bars, list(names.values())), "Mean points of a game by reason."),
        *pictures,
        legend(list(names.values())) if pictures else "",
        table(("player", "reason", "games", "points"), rows),
    )


def leaders(results: Results) -> str:
    """What becomes of who leads on the way."""
    if not any(tally.leads[HALF].count for tally in results.tallies) or results.plan.players < 2:
        return ""
    names = arm_names(results)
    levels = [f"{10 * (tenth + 1)} %" for tenth in range(TENTHS)]
    listed = [
        Curve(name or "who leads", tuple(_part(lead) if lead.count > 1 else None for lead in tally.leads))
        for name, tally in zip(names, results.tallies, strict=True)
    ]
    rows: list[Sequence[Cell]] = [
        (
            name or "all",
            tally.leads[HALF].count,
            _part(tally.leads[HALF]),
            share(tally.comebacks, tally.leads[HALF].count),
        )
        for name, tally in zip(names, results.tallies, strict=True)
        if tally.leads[HALF].count
    ]
    part = _even(results)
    even = None if part is None else [part] * TENTHS
    picture = curves("Who leads, and wins", levels, listed, places=list(range(TENTHS)), even=even, is_part=True)
    return section(
        "Who leads, and who wins",
        figure(
            picture,
            "How often somebody wins who leads in points after each tenth of the game; games in which all are level "
            f"then do not count.{'' if even is None else ' The dashed line: leading would mean nothing.'}",
        ),
        table(("", "games with a lead at half-time", "the leader wins", "the last one wins"), rows, parts=(2, 3)),
    )


def _part(lead: Moments) -> Figure:
    """A part of victories, which lies between nothing and all."""
    found = lead.figure()
    return Figure(found.value, max(0.0, found.low), min(1.0, found.high), found.trials)


def _reasons(results: Results) -> list[str]:
    """All reasons, those that give most first."""
    worth: dict[str, float] = defaultdict(float)
    for tally in results.tallies:
        for reason in tally.reasons:
            worth[reason] += tally.whole.mean_of(reason).value
    return sorted(worth, key=lambda reason: -worth[reason])


def _reason_names(results: Results, reasons: Sequence[str]) -> dict[str, str]:
    """What people read for each reason; two that would read alike keep their ids beside them."""
    names = _names(results)
    return dict(zip(reasons, names.told((reason, names.texts.reason(reason)) for reason in reasons), strict=True))


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
    parts = {
        name: tuple(share(t.actions[name].times, n) for t, n in zip(results.tallies, wholes, strict=True))
        for name in names
    }
    names.sort(key=lambda name: -max(f.value for f in parts[name]))
    said = _names(results).actions(names)
    rows = [Row(said[name], parts[name]) for name in names]
    details: list[Sequence[Cell]] = []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        details += [(f"{said[name]}{_in_arm(arm)}", *_use(tally.actions[name], tally)) for name in names]
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
        use.correlation(tally.wins, tally.games),
    )


def choices(results: Results) -> str:
    """Every value that was offered: tiles, goals, sites and so on."""
    names, parts = _names(results), []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        groups: dict[tuple[str, str], list[tuple[str, Use]]] = defaultdict(list)
        for (decision, name, value), use in tally.choices.items():
            groups[decision, name].append((value, use))
        for (decision, name), uses in sorted(groups.items()):
            uses.sort(key=lambda each: -each[1].times / max(each[1].offered, 1))
            said = names.told((value, names.value(decision, name, value)) for value, _ in uses)
            rows = [
                (value, use.offered, share(use.times, use.offered), *_use(use, tally)[2:])
                for value, use in _most([(word, use) for word, (_, use) in zip(said, uses, strict=True)])
            ]
            head = f"{names.action(decision)}: {names.asked(name)}" if name != decision else names.action(decision)
            heads = (f"{head}{_in_arm(arm)}", "offered", "chosen", *USE_HEADS[3:])
            parts.append(table(heads, rows, parts=(2, 3)) + _left(len(uses)))
    return section("What is chosen", *parts)


def holdings(results: Results) -> str:
    """Every kind of piece that lies with a player at the end."""
    names, parts = _names(results), []
    for arm, tally in zip(arm_names(results), results.tallies, strict=True):
        groups: dict[str, list[tuple[str, Use]]] = defaultdict(list)
        for (zone, piece), use in tally.holdings.items():
            groups[zone].append((piece, use))
        for zone, uses in sorted(groups.items()):
            if len(uses) < 2:
                continue
            uses.sort(key=lambda each: each[0])
            said = names.told((piece, names.piece(zone, piece)) for piece, _ in uses)
            shown = _most([(word, use) for word, (_, use) in zip(said, uses, strict=True)])
            rows = [(piece, *_use(use, tally)) for piece, use in shown]
            heads = (
                f"{_zone(results, zone)}{_in_arm(arm)}",
                "pieces",
                "seats that had it",
                *USE_HEADS[3:],
            )
            parts.append(table(heads, rows, parts=(2, 3)) + _left(len(uses)))
    return section("What is held at the end", *parts)


def _names(results: Results) -> Names:
    """The names of the last arm's game, which has all that its variants add."""
    return Names(results.games[-1], results.language)


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


def compared_names(results: Results, ids: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What is compared, by its group and id: actions and reasons by their names."""
    reasons = _reason_names(results, [name for group, name in ids if group == "points"])
    actions = _names(results).actions([name for group, name in ids if group == "actions"])
    known = {"points": reasons, "actions": actions}
    return {(group, name): known.get(group, {}).get(name, name) for group, name in ids}


def _pair(results: Results, pairs: Pairs) -> Iterator[str]:
    found = pairs.differences(comparisons=len(results.pairs))
    said = compared_names(results, [(each.group, each.name) for each in found])
    groups: dict[str, list[Row]] = defaultdict(list)
    rows: list[Sequence[Cell]] = []
    for each in sorted(found, key=lambda each: (not each.stands_out, each.group, each.chance)):
        mark = "stands out" if each.stands_out else ""
        before = f"{each.before:.3g}"
        rows.append(
            (
                each.group,
                said[each.group, each.name],
                before,
                f"{each.after:.3g}",
                each.change,
                _chance(each.chance),
                mark,
            )
        )
        groups[each.group].append(Row(said[each.group, each.name], (each.change,)))
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
