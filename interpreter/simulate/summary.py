"""The results of an arm as data, in the form that the command prints as JSON, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from interpreter.game import Game
from interpreter.simulate.level import level_seats
from interpreter.simulate.numbers import Figure, decimals, quantiles, share
from interpreter.simulate.plan import Plan, written
from interpreter.simulate.tally import HALF, Side, Tally
from interpreter.simulate.trends import alike, findings_by_seats

if TYPE_CHECKING:
    from interpreter.simulate.run import Results
    from interpreter.simulate.trends import Finding, Trend

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Data = dict[str, Any]


def actions_of(game: Game, tally: Tally) -> list[str]:
    """All actions, also those that nobody used: declared ones first, in their order."""
    declared = [name for name, effect in game.world.effects.items() if effect.section == "actions"]
    return [*declared, *(name for name in tally.actions if name not in declared)]


def reasons_of(game: Game, tally: Tally) -> list[str]:
    """All reasons for points, also those for which nobody scored: declared ones first, in their order."""
    declared = dict.fromkeys(str(instr.args[2]) for instr in game.facts.program.instrs if instr.op == "score")
    return [*declared, *(name for name in tally.reasons if name not in declared)]


def arm_json(plan: Plan, arm: int, game: Game, tally: Tally) -> Data:
    """The results of one arm."""
    own, plan = plan.arms[arm], plan.in_arm(arm)
    whole = sum(use.times for use in tally.actions.values())
    return {
        "variants": list(own.variants),
        **({"levels": dict(own.levels), "players": plan.players} if own.levels else {}),
        "fingerprint": own.fingerprint,
        "games": tally.games,
        "length": {**_mean(tally.decisions.figure()), "turns": _mean(tally.turns.figure())},
        "shared_victories": _part(share(tally.shared, tally.games)),
        **({"won_by_nobody": _part(share(tally.lost, tally.games))} if can_be_lost(game) else {}),
        "by_seat": [
            {"seat": game.seats[seat], "agent": plan.seats[player], **_side(side, tally)}
            for (seat, player), side in sorted(tally.by_both.items())
        ],
        "by_agent": [
            {"entrant": player + 1, "agent": plan.seats[player], **_side(side, tally)}
            for player, side in sorted(tally.by_player.items())
        ],
        "by_place": [{"seat": game.seats[seat], **_side(side, tally)} for seat, side in sorted(tally.by_seat.items())],
        "options_used": {
            name: {"times": tally.actions[name].times, **_part(share(tally.actions[name].times, whole))}
            for name in actions_of(game, tally)
        },
        **_half_time(tally),
        **_choosing(tally),
        "unfinished": sum(tally.unfinished.values()),
        "reasons_unfinished": dict(tally.unfinished),
    }


def can_be_lost(game: Game) -> bool:
    """Whether there is a condition without which nobody wins."""
    return any(word == "won" for word, _ in game.facts.program.ranking)


def _half_time(tally: Tally) -> Data:
    """With full detail: how often who leads in points after half of the game wins, and who is last then."""
    lead = tally.leads[HALF]
    if not lead.count:
        return {}
    wins = {**_part(lead.figure()), "games": lead.count}
    return {"leader_at_half": wins, "last_at_half": _part(share(tally.comebacks, lead.count))}


def _choosing(tally: Tally) -> Data:
    """With full detail: who begins and wins, and what there is to choose; with trials also what values are worth."""
    if not tally.offered.count:
        return {}
    found: Data = {
        "starter": {
            **_part(tally.starting.figure()),
            "seats": {seat + 1: n for seat, n in sorted(tally.starters.items())},
        },
        "options_per_decision": _mean(tally.offered.figure()),
        "forced_decisions": _part(tally.forced.figure()),
    }
    if tally.worths.own.count:
        moved = {"own": _mean(tally.worths.own.figure()), "others": _mean(tally.worths.others.figure())}
        found["points_moved"] = moved
        found["trials_left"] = tally.worths.left
        found["worth"] = [_worth(*value, tally) for value in sorted(tally.worths.by_value)]
    return found


def _worth(decision: str, name: str, value: str, tally: Tally) -> Data:
    whole = tally.worths.whole((decision, name, value))
    game, decisions = whole.shown or (None, None)
    return {
        "decision": decision,
        "name": name,
        "value": value,
        "trials": whole.points.count,
        "points": _mean(whole.points.figure()),
        "victory": _mean(whole.won.figure()),
        "taken": whole.taken,
        "shown": {"game": game, "decisions": decisions},
    }


def _side(side: Side, tally: Tally) -> Data:
    rate = side.win_rate()
    return {
        "games": side.games,
        "wins": side.first,
        "win_rate": round(rate.value, 6),
        "win_rate_ci95": _interval(rate),
        "score": {
            **_mean(side.score.figure()),
            "quantiles": dict(zip(map(str, QUANTILES), quantiles(side.scores, QUANTILES), strict=False)),
        },
        "points_by_reason": {reason: _mean(side.mean_of(reason)) for reason in tally.reasons},
    }


def _mean(figure: Figure) -> Data:
    return {"mean": round(figure.value, 6), "ci95": _interval(figure)}


def _part(figure: Figure) -> Data:
    return {"share": round(figure.value, 6), "ci95": _interval(figure)}


def _interval(figure: Figure) -> list[float]:
    return [round(figure.low, 6), round(figure.high, 6)]


def results_json(plan: Plan, games: Sequence[Game], tallies: Sequence[Tally], seconds: float) -> Data:
    """The results of a run: those of its first arm, and of the others beside them where there are several.

    `against` is the second arm, as it has always been; `arms` are all after the first.
    """
    first, *others = (arm_json(plan, arm, games[arm], tally) for arm, tally in enumerate(tallies))
    played, plan = sum(tally.games for tally in tallies), plan.in_arm(0)
    return {
        "game": games[0].id,
        "players": plan.players,
        "seed": plan.seed,
        "seats": list(plan.seats),
        "seconds": round(seconds, 3),
        "per_second": round(played / seconds, 3) if seconds else 0.0,
        **first,
        **({"against": others[0], "arms": others} if others else {}),
    }


# ---- text ------------------------------------------------------------------------------------------------------------


def lines_of(plan: Plan, arm: int, game: Game, tally: Tally) -> Iterator[str]:
    """The results of one arm for a terminal."""
    told = plan.arms[arm].told
    plan = plan.in_arm(arm)
    yield f"{game.id}{f' {told}' if told else ''}: {tally.games:,} games, {plan.players} players"
    length = tally.decisions.figure()
    yield f"  length         {_told(length)} decisions, {_told(tally.turns.figure())} turns"
    yield f"  shared victory {_percent(share(tally.shared, tally.games))}"
    if can_be_lost(game):
        yield f"  nobody won     {_percent(share(tally.lost, tally.games))}"
    yield "  player                games   wins                     score"
    if len(set(plan.seats)) > 1:
        for kind, side in tally.by_kind(plan.seats).items():
            yield _row(kind, side)
    for seat, side in sorted(tally.by_seat.items()):
        yield _row(f"seat {seat + 1} ({game.seats[seat]})", side)


def sweep_lines(results: Results) -> Iterator[str]:
    """A sweep for a terminal: a line for each arm, where seats are level, and what follows a factor."""
    assert results.trends is not None
    plan = results.plan
    yield f"{results.games[0].id}: {len(plan.arms)} arms of {plan.games:,} games at most, the same seeds in each"
    names = [arm.told.removeprefix("with ") or "as it is" for arm in plan.arms]
    wide = max(map(len, names))
    seats = max(plan.in_arm(arm).players for arm in range(len(plan.arms)))
    heads = "".join(f"{f'seat {seat + 1}':>8}" for seat in range(seats))
    yield f"  {'':<{wide}}   games{heads}   winner's points   decisions"
    for name, tally in zip(names, results.tallies, strict=True):
        rates = (tally.by_seat[seat].win_rate() if seat in tally.by_seat else None for seat in range(seats))
        wins = "".join(f"{'' if rate is None else f'{rate.value:.1%}':>8}" for rate in rates)
        winning, long = (f"{moments.mean:.1f}" for moments in (tally.winning, tally.decisions))
        yield f"  {name:<{wide}} {tally.games:>7,}{wins}   {winning:>15}   {long:>9}"
    yield from _level_lines(results, names)
    every = results.trends.found()
    found = [trend for trend in every if trend.stands_out and trend.contrast.seats is None]
    yield f"What follows a factor, in {results.trends.games:,} rows of games{'' if found else ': nothing'}"
    for trend, others in alike(sorted(found, key=lambda each: each.chance)):
        also = f" (and {', '.join(others)})" if others else ""
        yield f"  {f'{trend.group}: {trend.name}':<32} {told(trend.change, least=2, sign='+')} {of_trend(trend)}{also}"
    findings = findings_by_seats(every)
    if findings:
        yield "Whether that hangs on who plays"
    said = {id(trend) for trend, _ in alike([finding.trend for finding in findings])}
    for finding in findings:
        if id(finding.trend) not in said:
            continue
        yield f"  {finding.trend.group}: {finding.trend.name}, {of_trend(finding.trend)}: {seats_told(finding)}"
        for part in finding.by_seats:
            mark = "" if part.stands_out else "   (may be chance)"
            yield f"    {part.contrast.seats or '':<20} {told(part.change, least=2, sign='+')}{mark}"


def seats_told(finding: Finding) -> str:
    """What a finding is over who plays, in words."""
    names = [part.contrast.seats or "" for part in finding.by_seats]
    if finding.verdict == "holds":
        return f"holds from {names[0]} to {names[-1]}"
    if finding.verdict == "vanishes":
        last = max(at for at, part in enumerate(finding.by_seats) if part.stands_out)
        return f"vanishes with {', '.join(names[last + 1 :])}"
    if finding.verdict == "appears":
        return f"appears from {next(part.contrast.seats for part in finding.by_seats if part.stands_out)} on"
    if finding.verdict == "turns":
        return "turns round with who plays"
    there = [name for name, part in zip(names, finding.by_seats, strict=True) if part.stands_out]
    return f"stands out with {', '.join(there)} alone" if there else "stands out with all together alone"


def of_trend(trend: Trend) -> str:
    """What a change belongs to: a step of a figure, or a level beside the first one."""
    factor, level = trend.contrast.factor, trend.contrast.level
    if level is not None:
        return f"with {factor.name} = {written(level)} in place of {written(factor.levels[0])}"
    if set(factor.levels) <= {True, False} and any(isinstance(each, bool) for each in factor.levels):
        return f"with {factor.name}"
    return f"for each step of {factor.name}"


#: So many arms in which seats are level have a line.
MOST_LEVEL: Final = 12


def _level_lines(results: Results, names: Sequence[str]) -> Iterator[str]:
    """In which arms no seat is certain to be away from its part, and how far away one may be at most."""
    found = level_seats(results)
    level = sorted((each for each in found if each.may_be), key=lambda each: each.most)
    if not found:
        return
    wide = max(map(len, names))
    end = ":" if level else ""
    yield f"In {len(level)} of {len(found)} arms no seat is certain to win more or less often than its part{end}"
    for each in level[:MOST_LEVEL]:
        yield f"  {names[each.arm]:<{wide}}   the farthest is {each.seen:.1%} away, at most {each.most:.1%}"
    if len(level) > MOST_LEVEL:
        yield f"  and {len(level) - MOST_LEVEL} more"


def _row(name: str, side: Side) -> str:
    return f"  {name:<18} {side.games:>8,}   {_percent(side.win_rate()):<22}   {_told(side.score.figure())}"


def _percent(figure: Figure) -> str:
    return told(figure, "%")


def _told(figure: Figure) -> str:
    return told(figure)


def told(figure: Figure, form: str = "f", least: int = 1, sign: str = "") -> str:
    """A figure with its interval, in as many decimals as tell; `form` is `f` or `%`.

    >>> told(Figure(0.0093, 0.0062, 0.0124, 500)), told(Figure(0.5, 0.4, 0.6, 90), "%")
    ('0.009 (0.006 to 0.012)', '50.0% (40.0% to 60.0%)')
    """
    places = max(least, decimals(figure, 100 if form == "%" else 1))
    value, low, high = (f"{each:{sign}.{places}{form}}" for each in (figure.value, figure.low, figure.high))
    return f"{value} ({low} to {high})"
