"""Games of a plan in which every seat plays at random: many at a time by the native executor, with the same records.

A game that is too much for the module is played step by step, as all are until the module is there.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from interpreter.game import Game
from interpreter.native.executor import Native
from interpreter.native.tallies import DECISIONS, DIFFERENT, ENDED, HEAD, TURNS, row_size
from interpreter.native.trail import POINTS
from interpreter.simulate.plan import Plan, game_of
from interpreter.simulate.records import Record, head

#: Seconds that one stretch of games may take, about: nothing of it is told before its end.
AT_ONCE: Final = 0.1
MOST_AT_ONCE: Final = 512
RANDOM: Final = "random"

OneByOne = Callable[[int], Record]


def is_random(plan: Plan) -> bool:
    """Whether no seat thinks, and no more is kept of a game than what the module counts."""
    named = [plan.seats, *(arm.seats or () for arm in plan.arms)]
    return plan.detail == "games" and not plan.worth and all(name == RANDOM for names in named for name in names)


class Pace:
    """How many games are played at once, by how long the last ones took."""

    def __init__(self) -> None:
        self.at_once = 1

    def took(self, games: int, seconds: float) -> None:
        """So many games took so long."""
        if seconds < AT_ONCE / 2 and games >= self.at_once:
            self.at_once = min(2 * self.at_once, MOST_AT_ONCE)
        elif seconds > AT_ONCE:
            self.at_once = max(1, self.at_once // 2)


@lru_cache(maxsize=4)
def pace_of(plan: Plan) -> Pace:
    """The pace of a plan in this process."""
    return Pace()


def play_together(plan: Plan, tasks: Sequence[int], one_by_one: OneByOne) -> Iterator[list[Record]]:
    """The records of tasks in their order, a stretch of games at a time."""
    pace, at = pace_of(plan), 0
    while at < len(tasks):
        some, begun = tasks[at : at + pace.at_once], time.perf_counter()
        found: dict[int, Record] = {}
        own: dict[int, list[int]] = {}
        for task in some:
            own.setdefault(plan.task(task)[0], []).append(task)
        for arm in sorted(own):
            found |= _played(plan.in_arm(arm), game_of(plan, arm), own[arm], one_by_one)
        pace.took(len(some), time.perf_counter() - begun)
        at += len(some)
        yield [found[task] for task in some]


def _played(plan: Plan, game: Game, tasks: Sequence[int], one_by_one: OneByOne) -> dict[int, Record]:
    """The records of tasks of one arm."""
    found: dict[int, Record] = {}
    at = 0
    while at < len(tasks):
        if (native := game.native_at_hand) is not None:
            records = _natively(plan, native, tasks[at:])
            found |= {record["task"]: record for record in records}
            at += len(records)
        if at < len(tasks):  # there is no module, or this one is too much for it
            found[tasks[at]] = one_by_one(tasks[at])
            at += 1
    return found


def _natively(plan: Plan, native: Native, tasks: Sequence[int]) -> list[Record]:
    """The records of as many tasks as the module plays before it gives up."""
    rows: array[int] = array("i")
    heads = [(task, *plan.task(task)) for task in tasks]
    played = native.tallied([plan.seed_of(number) for _, _, number in heads], rows)
    size = row_size(native.players, len(native.made.told))
    found = []
    for at, (task, arm, number) in enumerate(heads[:played]):
        told = record_of(native, rows[at * size : (at + 1) * size].tolist())
        if told is None or told["decisions"] > plan.most:
            break
        entrants = [plan.entrant(number, seat) for seat in range(plan.players)]
        found.append({**head(task, arm, number, plan.seed_of(number)), "players": entrants, **told})
    return found


def record_of(native: Native, row: list[int]) -> Record | None:
    """What a row says, as a record without its head; None for a game that was broken off."""
    players = native.players
    behind = 2 * players
    if not row[behind + ENDED]:
        return None
    points: dict[str, list[int]] = {}
    actions: dict[str, list[int]] = {}
    if row[behind + DIFFERENT]:
        first, step = behind + HEAD, players + 1
        ranks = row[first::step]
        for at in sorted((at for at, rank in enumerate(ranks) if rank), key=ranks.__getitem__):
            kind, name = native.made.told[at]
            start = first + at * step + 1
            (points if kind == POINTS else actions)[name] = row[start : start + players]
    return {
        "decisions": row[behind + DECISIONS],
        "turns": row[behind + TURNS],
        "scores": row[:players],
        "places": [place + 1 for place in row[players:behind]],
        "points": points,
        "actions": actions,
    }
