"""Playing one game of a plan, and keeping what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from interpreter.bounds import MOST_DECISIONS, clocked, in_time, not_over, seconds_for
from interpreter.game import Game
from interpreter.native.trail import POINTS
from interpreter.players import Player, make_player
from interpreter.simulate.details import Details
from interpreter.simulate.plan import Plan, by_arm, game_of
from interpreter.simulate.records import Record, head
from interpreter.simulate.swift import is_random, play_together
from interpreter.simulate.table import Table, Told
from interpreter.state import Result
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


def play_task(plan: Plan, task: int) -> Record:
    """The record of one task."""
    arm, number = plan.task(task)
    game, seed, own = game_of(plan, arm), plan.seed_of(number), plan.in_arm(arm)
    entrants = [own.entrant(number, seat) for seat in range(own.players)]
    found = {**head(task, arm, number, seed), "players": entrants}
    if _late.get(plan, 0) >= MOST_LATE:
        return found | {"unfinished": f"not played, since the {MOST_LATE} before it took too long"}
    try:
        with clocked(plan.seconds or seconds_for(own.seats)):
            record = play_game(game, seed, players_of(own, number), full=plan.detail == "full", most=plan.most)
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


def play_game(
    game: Game, seed: int, players: Sequence[Player], *, full: bool = False, most: int = MOST_DECISIONS
) -> Record:
    """One whole game, as a record without its head; one that is not over after `most` decisions is left."""
    kept, table = _Kept(game), Table(game)
    details = Details(game) if full else None
    (state, told, active), turns, n = table.first(seed), 1, 0
    kept.see(told, 0)
    while state.decision is not None:
        if n == most:
            place = place_of(not_over(state, n).problems[0].span)
            return {"unfinished": f"not over after {most} decisions", "decisions": n, "place": place}
        in_time(state)
        options = state.options()
        option = players[state.decision.player].choose(state, options)
        if details is not None:
            details.chosen(state.decision.player, options, option)
        before = active
        state, told, active = table.after(state, option)
        turns += state.decision is not None and before != active
        n += 1
        kept.see(told, n)
    assert state.result is not None
    found = {"decisions": n, "turns": turns, **_result(state.result), "points": kept.points, "actions": kept.actions}
    return found if details is None else found | details.told(state, kept.course(n))


def _result(result: Result) -> Record:
    places = [0] * len(result.scores)
    for place, seats in enumerate(result.ranking, 1):
        for seat in seats:
            places[seat] = place
    return {"scores": list(result.scores), "places": places}


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
