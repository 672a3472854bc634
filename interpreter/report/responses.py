"""What a sweep changes: each response over the levels of a factor, with its band, and the trends that stand out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final

from interpreter.report.charts import COLOURS, Curve, curves
from interpreter.report.names import Names
from interpreter.report.tables import Cell, figure, section, table, words
from interpreter.simulate.design import Factor, factors_of, levels_of
from interpreter.simulate.level import level_seats
from interpreter.simulate.numbers import Figure, share
from interpreter.simulate.plan import PLAYERS, written
from interpreter.simulate.run import Results
from interpreter.simulate.summary import of_trend, seats_told
from interpreter.simulate.tally import Tally
from interpreter.simulate.trends import Finding, Trend, findings_by_seats

#: Of two factors each level of one is a curve over the other where there are at most so many.
MOST_CURVES: Final = 6
_BANDS: Final = "Each point has its 95 % interval. The same seeds are played at all levels."


@dataclass(frozen=True, slots=True)
class _Over:
    """A factor with the counts of each of its levels, those of all other factors put together."""

    factor: Factor
    levels: list[str]
    tallies: list[Tally]
    players: list[int]  # the most that play at each level
    varies: bool = False  # whether other numbers play at one level

    @property
    def places(self) -> list[float] | None:
        """The levels as numbers, where they have a distance; a boolean's stand side by side."""
        plain = self.factor.is_numeric and not any(isinstance(level, bool) for level in self.factor.levels)
        return [float(level) for level in self.factor.levels] if plain else None


def responses(results: Results) -> str:
    """The section of a sweep; nothing of other runs."""
    if results.trends is None:
        return ""
    factors = factors_of(results.plan)
    parts = [_answers(results), _arms(results), _trends(results)]
    for factor in factors:
        over = _over(results, factor)
        parts.append(f"<h3>{escape(_title(factor.name))}</h3>")
        if len(factors) > 1:
            parts.append(words("Games at all levels of the other factors are counted together."))
        parts += _pictures(results, over)
    if len(factors) == 2:
        parts.append(_together(results, factors))
    return section("What follows the factors", *parts)


def _names(results: Results) -> Names:
    """The names of a game with the most seats."""
    return Names(max(results.games, key=lambda game: len(game.seats)), results.language)


def _title(name: str) -> str:
    return name if name != PLAYERS else "number of players"


def _over(results: Results, factor: Factor, other: tuple[str, object] | None = None) -> _Over:
    """A factor with its counts; `other` is a level that an arm must have to count."""
    tallies, players, varies = [], [], False
    for level in factor.levels:
        whole = Tally(max(results.plan.in_arm(arm).players for arm in range(len(results.plan.arms))))
        counted = []
        for at, (arm, tally) in enumerate(zip(results.plan.arms, results.tallies, strict=True)):
            own = levels_of(arm)
            if own.get(factor.name, "") == level and (other is None or own.get(other[0], "") == other[1]):
                whole.merge(tally)
                counted.append(results.plan.in_arm(at).players)
        tallies.append(whole)
        players.append(max(counted, default=1))
        varies = varies or len(set(counted)) > 1
    return _Over(factor, [written(level) for level in factor.levels], tallies, players, varies)


def _curve(over: _Over, name: str, figure_of: Callable[[Tally], Figure | None]) -> Curve:
    return Curve(name, tuple(figure_of(tally) if tally.games else None for tally in over.tallies))


def _drawn(title: str, over: _Over, listed: Sequence[Curve], *, is_part: bool = False, even: bool = False) -> str:
    parts = [tally.part for tally in over.tallies] if even and not over.varies else []
    level = [part for part in parts if part is not None]
    level = level if level and len(level) == len(parts) else []
    picture = curves(title, over.levels, listed, places=over.places, even=level or None, is_part=is_part)
    dashed = " The dashed line: all level." if level else ""
    return figure(picture, f"{title}. {_BANDS}{dashed}")


def _pictures(results: Results, over: _Over) -> list[str]:
    names = _names(results)
    seats = [seat for seat in range(max(over.players)) if any(seat in tally.by_seat for tally in over.tallies)]
    wins = [
        _curve(over, f"seat {seat + 1}: {names.texts.player(seat)}", partial(_seat, seat))
        for seat in seats[: len(COLOURS)]
    ]
    points = [_curve(over, "winner", _winning), _curve(over, "a seat", _points), _curve(over, "first to last", _spread)]
    found = [
        _drawn("Wins by seat", over, wins, is_part=True, even=True),
        _drawn("Points", over, points),
        _drawn("Decisions of a game", over, [_curve(over, "decisions", _decisions)]),
    ]
    plan, most = results.plan, max(over.players)
    seated = (*plan.seats, *[plan.seats[-1]] * (most - len(plan.seats)))
    kinds = list(dict.fromkeys(seated))
    if len(kinds) > 1 and over.factor.name != PLAYERS and not any(arm.seats for arm in plan.arms):
        each = [_curve(over, kind, partial(_kind, seated, kind)) for kind in kinds]
        found.insert(1, _drawn("Wins by kind of player", over, each, is_part=True))
    return [*found, *_followers(results, over, names)]


def _winning(tally: Tally) -> Figure:
    return tally.winning.figure()


def _points(tally: Tally) -> Figure:
    return tally.whole.score.figure()


def _spread(tally: Tally) -> Figure:
    return tally.spread.figure()


def _decisions(tally: Tally) -> Figure:
    return tally.decisions.figure()


def _kind(kinds: Sequence[str], kind: str, tally: Tally) -> Figure:
    return tally.by_kind(kinds)[kind].win_rate()


def _reason(reason: str, tally: Tally) -> Figure:
    return tally.whole.mean_of(reason)


def _seat(seat: int, tally: Tally) -> Figure | None:
    return tally.by_seat[seat].win_rate() if seat in tally.by_seat else None


def _followers(results: Results, over: _Over, names: Names) -> list[str]:
    """Use of actions and points by reason, of those that follow the factor most surely."""
    assert results.trends is not None
    found = (each for each in results.trends.found() if each.stands_out and each.contrast.seats is None)
    own = [each for each in found if each.contrast.factor == over.factor]
    own.sort(key=lambda each: each.chance)
    used = list(dict.fromkeys(each.name for each in own if each.group == "actions"))[: len(COLOURS)]
    scored = list(dict.fromkeys(each.name for each in own if each.group == "points"))[: len(COLOURS)]
    actions = names.actions(used)
    reasons = names.told((reason, names.texts.reason(reason)) for reason in scored)
    parts = [_curve(over, actions[name], partial(_used, name)) for name in used]
    points = [_curve(over, said, partial(_reason, reason)) for reason, said in zip(scored, reasons, strict=True)]
    several = parts and any(len(tally.actions) > 1 for tally in over.tallies)
    return [
        _drawn("Actions that follow it, as parts of all actions", over, parts, is_part=True) if several else "",
        _drawn("Points of a seat by reason, of those that follow it", over, points) if points else "",
    ]


def _used(action: str, tally: Tally) -> Figure:
    return share(tally.actions[action].times, sum(use.times for use in tally.actions.values()))


def _together(results: Results, factors: Sequence[Factor]) -> str:
    """Two factors: how the first seat's wins and the winner's points follow one at each level of the other."""
    curved, along = sorted(factors, key=lambda factor: len(factor.levels))
    if len(curved.levels) > MOST_CURVES:
        return ""
    overs = [
        (f"{curved.name} = {written(level)}", _over(results, along, (curved.name, level))) for level in curved.levels
    ]
    wins = [_curve(over, name, partial(_seat, 0)) for name, over in overs]
    points = [_curve(over, name, _winning) for name, over in overs]
    head = f"<h3>{escape(_title(along.name))} at each level of {escape(_title(curved.name))}</h3>"
    plain = overs[0][1]
    return (
        head
        + _drawn("Wins of the first seat", plain, wins, is_part=True)
        + _drawn("Points of the winner", plain, points)
    )


# ---- tables ----------------------------------------------------------------------------------------------------------


def _answers(results: Results) -> str:
    """Where seats are level."""
    found = level_seats(results)
    if not found:
        return ""
    names = [arm.told.removeprefix("with ") or "as it is" for arm in results.plan.arms]
    level = sorted((each for each in found if each.may_be), key=lambda each: each.most)
    rows: list[Sequence[Cell]] = [(names[each.arm], f"{each.seen:.1%}", f"{each.most:.1%}") for each in level]
    return words(
        f"In {len(level)} of {len(found)} arms no seat is certain to win more or less often than its part (all arms "
        "and seats together: 95 %). How far away the farthest one is, and may be at most:"
    ) + table(("arm", "as seen", "at most"), rows)


def _arms(results: Results) -> str:
    seats = max(results.plan.in_arm(arm).players for arm in range(len(results.plan.arms)))
    rows: list[Sequence[Cell]] = []
    for arm, tally in zip(results.plan.arms, results.tallies, strict=True):
        wins = [_seat(seat, tally) for seat in range(seats)]
        name = arm.told.removeprefix("with ") or "as it is"
        rows.append((name, tally.games, *wins, tally.winning.figure(), tally.decisions.figure()))
    heads = ("arm", "games", *(f"wins of seat {seat + 1}" for seat in range(seats)), "winner's points", "decisions")
    return table(heads, rows, parts=range(2, 2 + seats))


def _trends(results: Results) -> str:
    assert results.trends is not None
    every = results.trends.found()
    found = [each for each in every if each.stands_out and each.contrast.seats is None]
    found.sort(key=lambda each: each.chance)
    said = _names_of(results, found)
    rows: list[Sequence[Cell]] = [
        (_title(each.contrast.factor.name), _step(each), each.group, said[each.group, each.name], each.change)
        for each in found
    ]
    told = (
        f"{results.trends.games:,} rows of games with the same seed in all arms. What is shown stands out after "
        "correction for how many figures were looked at (Holm, 95 %): the change of the mean for one step of the "
        "factor (the straight line that fits best), or of a level beside the first one."
    )
    nothing = "" if rows else " Nothing does."
    picture = table(("factor", "change for", "about", "figure", "change"), rows, kind="compared")
    return words(told + nothing) + picture + _by_seats(results, findings_by_seats(every))


def _by_seats(results: Results, found: Sequence[Finding]) -> str:
    """Whether what stands out hangs on who plays."""
    if not found:
        return ""
    said = _names_of(results, [each.trend for each in found])
    seats = [part.contrast.seats or "" for part in found[0].by_seats]
    rows: list[Sequence[Cell]] = [
        (f"{each.trend.group}: {said[each.trend.group, each.trend.name]}, {of_trend(each.trend)}", seats_told(each),
         *(part.change for part in each.by_seats))
        for each in found
    ]  # fmt: skip
    head = words("Whether that hangs on who plays: the same for each kind of seats.")
    return head + table(("figure", "so it", *seats), rows, kind="compared")


def _step(trend: Trend) -> str:
    factor, level = trend.contrast.factor, trend.contrast.level
    return "one step" if level is None else f"{written(level)} beside {written(factor.levels[0])}"


def _names_of(results: Results, found: Sequence[Trend]) -> dict[tuple[str, str], str]:
    """Actions and reasons as people read them."""
    names = _names(results)
    actions = names.actions(list(dict.fromkeys(each.name for each in found if each.group == "actions")))
    scored = list(dict.fromkeys(each.name for each in found if each.group == "points"))
    reasons = dict(zip(scored, names.told((r, names.texts.reason(r)) for r in scored), strict=True))
    known = {"actions": actions, "points": reasons}
    return {(each.group, each.name): known.get(each.group, {}).get(each.name, each.name) for each in found}
