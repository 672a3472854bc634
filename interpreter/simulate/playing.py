"""Playing one game of a plan, and keeping what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from interpreter.bounds import MOST_DECISIONS, clocked, in_time, not_over, seconds_for
from interpreter.game import Game
from interpreter.native.trail import POINTS
from interpreter.players import Player, make_player
from interpreter.simulate.details import Details, Moments, namer_of
from interpreter.simulate.plan import Plan, by_arm, game_of
from interpreter.simulate.records import Record, head
from interpreter.simulate.swift import Counted, count_together, is_random, play_together
from interpreter.simulate.table import Table, Told
from interpreter.simulate.trials import Trials
from interpreter.state import Result, State
from rulespec.diagnostics.model import ContentError
from rulespec.diagnostics.render import place_of


def play_tasks(plan: Plan, tasks: Sequence[int]) -> Iterator[Record]:
    """The records of tasks; see `by_arm` for their order."""
    for records in play_stretches(plan, tasks):
        yield from records


def play_stretches(plan: Plan, tasks: Sequence[int]) -> Iterator[list[Record]]:
    """The same, as soon as they are there: of one game, or of several that were played together."""
    if is_random(plan):
        yield from play_together(plan, by_arm(plan, tasks), lambda task: play_task(plan, task))
        return
    for task in by_arm(plan, tasks):
        yield [play_task(plan, task)]


def count_stretches(plan: Plan, tasks: range) -> Iterator[Counted | list[Record]]:
    """What came of tasks of a plan with one arm in which every seat plays at random."""
    return count_together(plan, tasks, lambda task: play_task(plan, task))


def play_task(plan: Plan, task: int) -> Record:
    """The record of one task."""
    arm, number = plan.task(task)
    game, seed, own = game_of(plan, arm), plan.seed_of(number), plan.in_arm(arm)
    entrants = [own.entrant(number, seat) for seat in range(own.players)]
    found = {**head(task, arm, number, seed), "players": entrants}
    if _late.get(plan, 0) >= MOST_LATE:
        return found | {"unfinished": f"not played, since the {MOST_LATE} before it took too long"}
    try:
        with clocked((plan.seconds or seconds_for(own.seats)) * (1 + 2 * plan.worth)):
            record = play_game(game, seed, players_of(own, number), _wanted_of(own, number, game), most=plan.most)
    except ContentError as fault:
        problem = fault.problems[0]
        if problem.code == LATE and _late.get(plan, 0) >= 0:
            _late[plan] = _late.get(plan, 0) + 1
        return found | {"unfinished": problem.message, "place": place_of(problem.span)}
    _late[plan] = -1
    return found | record


#: How many games in a row this process has left, for each plan, since they took too long; -1 once one was over.
_late: dict[Plan, int] = {}
MOST_LATE: Final = 3
LATE: Final = "RS807"


def players_of(plan: Plan, number: int) -> list[Player]:
    """Who plays a game of a plan (as it is in the game's arm), by seat."""
    seed = plan.seed_of(number)
    return [make_player(plan.seats[plan.entrant(number, seat)], seat, seed) for seat in range(plan.players)]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is kept of a game beside its result: `each` decision.

    `worth` decisions are tried, by `players`, who are made by a seed.
    """

    full: bool = False
    each: bool = False
    worth: int = 0
    players: Callable[[int], Sequence[Player]] | None = None


def _wanted_of(plan: Plan, number: int, game: Game) -> Wanted:
    """What a plan (as it is in the game's arm) keeps of one of its games."""
    kinds = [plan.seats[plan.entrant(number, seat)] for seat in range(plan.players)]

    def players(seed: int) -> list[Player]:
        return [make_player(kind, seat, seed) for seat, kind in enumerate(kinds)]

    return Wanted(plan.detail != "games", plan.detail == "decisions", plan.worth, players)


def play_game(
    game: Game, seed: int, players: Sequence[Player], wanted: Wanted | None = None, *, most: int = MOST_DECISIONS
) -> Record:
    """One whole game, as a record without its head; one that is not over after `most` decisions is left."""
    wanted = wanted or Wanted()
    kept, table = _Kept(game), Table(game)
    details = Details(game) if wanted.full else None
    moments = Moments() if wanted.each else None
    trials = Trials(namer_of(game), seed, wanted.worth) if wanted.worth else None
    (state, told, active), turns, n = table.first(seed), 1, 0
    starter = active
    kept.see(told, 0)
    while state.decision is not None:
        if n == most:
            place = place_of(not_over(state, n).problems[0].span)
            left = {"unfinished": f"not over after {most} decisions", "decisions": n, "place": place}
            return left if moments is None else left | {"moments": moments.rows}
        in_time(state)
        options = state.options()
        option = players[state.decision.player].choose(state, options)
        if details is not None:
            details.chosen(state.decision.player, options, option)
        if moments is not None:
            moments.see(n, options, option, players[state.decision.player])
        if trials is not None:
            trials.see(n, options, option)
        before = active
        state, told, active = table.after(state, option)
        turns += state.decision is not None and before != active
        n += 1
        kept.see(told, n)
    assert state.result is not None
    found = {"decisions": n, "turns": turns, **_result(state.result), "points": kept.points, "actions": kept.actions}
    if details is not None:
        found |= {**details.told(state, kept.course(n)), "starter": starter}
    if moments is not None:
        found["moments"] = moments.rows
    if trials is not None and wanted.players is not None:
        found["worth"] = trials.told(wanted.players, lambda at, by: _play_on(table, at, by, most))
        found["trials_left"] = trials.left
    return found


def _play_on(table: Table, state: State, players: Sequence[Player], most: int) -> Result | None:
    """How a game ends that others play on from a state; None where it is not over after `most` decisions."""
    for _ in range(most):
        if state.decision is None:
            return state.result
        in_time(state)
        state = table.after(state, players[state.decision.player].choose(state, state.options())).state
    return state.result if state.decision is None else None


def _result(result: Result) -> Record:
    places = [0] * len(result.scores)
    for place, seats in enumerate(result.ranking, 1):
        for seat in seats:
            places[seat] = place
    teams = {"teams": list(result.teams)} if result.teams else {}
    return {"scores": list(result.scores), "places": places, **teams}


class _Kept:
    """Points by reason and actions, out of what is told in one game."""

    def __init__(self, game: Game):
        self._players = game.players
        self.points: dict[str, list[int]] = {}
        self.actions: dict[str, list[int]] = {}
        self._scored: list[tuple[int, str, int, int]] = []

    def see(self, told: Sequence[Told], n: int) -> None:
        """What happened on the way to the n-th decision."""
        for kind, name, seat, amount in told:
            if kind == POINTS:
                self._add(self.points, name, seat, amount)
                self._scored.append((n, name, seat, amount))
            else:
                self._add(self.actions, name, seat, amount)

    def _add(self, by: dict[str, list[int]], name: str, seat: int, amount: int) -> None:
        found = by.get(name)
        if found is None:
            found = by[name] = [0] * self._players
        found[seat] += amount

    def course(self, decisions: int) -> list[list[Any]]:
        """Reason, seat, tenth of the game (from 0; what is scored at the very end is in the last) and points."""
        found: dict[tuple[str, int, int], int] = {}
        for n, reason, seat, points in self._scored:
            key = reason, seat, min(9, 10 * n // max(decisions, 1))
            found[key] = found.get(key, 0) + points
        return [[*key, points] for key, points in found.items()]
