"""Games of a plan in which every seat plays at random: many at a time by the native executor, with the same records.

A game that is too much for the module is played step by step, as all are until the module is there.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from interpreter.game import Game
from interpreter.native.executor import Native
from interpreter.native.tallies import DECISIONS, DIFFERENT, ENDED, HEAD, TURNS, row_size
from interpreter.native.trail import POINTS
from interpreter.simulate.plan import Plan, game_of
from interpreter.simulate.records import Record, head, to_line

#: Seconds that one stretch of games may take, about: nothing of it is told before its end.
AT_ONCE: Final = 0.1
MOST_AT_ONCE: Final = 512
MOST_COUNTED: Final = 16_384  #: of games of which nothing but counts is kept
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

    def took(self, games: int, seconds: float, most: int = MOST_AT_ONCE) -> None:
        """So many games took so long; `most` may be played at once."""
        if seconds < AT_ONCE / 2 and games >= self.at_once:
            self.at_once = min(2 * self.at_once, most)
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
            records = _natively(plan, native, tasks[at:], game.world.teams)
            found |= {record["task"]: record for record in records}
            at += len(records)
        if at < len(tasks):  # there is no module, or this one is too much for it
            found[tasks[at]] = one_by_one(tasks[at])
            at += 1
    return found


def _natively(plan: Plan, native: Native, tasks: Sequence[int], teams: Sequence[int]) -> list[Record]:
    """The records of as many tasks as the module plays before it gives up."""
    rows: array[int] = array("i")
    heads = [(task, *plan.task(task)) for task in tasks]
    played = native.tallied([plan.seed_of(number) for _, _, number in heads], rows)
    size = row_size(native.players, len(native.made.told))
    found = []
    for at, (task, arm, number) in enumerate(heads[:played]):
        told = record_of(native, rows[at * size : (at + 1) * size].tolist(), teams)
        if told is None or told["decisions"] > plan.most:
            break
        entrants = [plan.entrant(number, seat) for seat in range(plan.players)]
        found.append({**head(task, arm, number, plan.seed_of(number)), "players": entrants, **told})
    return found


@dataclass(frozen=True, slots=True)
class Counted:
    """The games of tasks that stand side by side, told by what came of them.

    `counts` has each record without its head, as a line, in the order in which they came up first, behind the number of
    the first game of which it is the record and how many there are.
    """

    first: int
    behind: int
    counts: tuple[tuple[int, int, str], ...]


def count_together(plan: Plan, tasks: range, one_by_one: OneByOne) -> Iterator[Counted | list[Record]]:
    """What came of tasks of a plan with one arm, in their order; the records of those that cannot be counted."""
    pace, at, game = pace_of(plan), tasks.start, game_of(plan, 0)
    while at < tasks.stop:
        some, begun = range(at, min(tasks.stop, at + pace.at_once)), time.perf_counter()
        native = game.native_at_hand
        found = None if native is None else _counted(plan, native, some)
        at = some.stop if found is None else found.behind
        if found is not None:
            yield found
        else:
            records = _played(plan, game, some, one_by_one)
            yield [records[task] for task in some]
        pace.took(at - some.start, time.perf_counter() - begun, MOST_COUNTED)


def _counted(plan: Plan, native: Native, tasks: range) -> Counted | None:
    """The counts of as many tasks as the module plays at once; None where a game has to be looked at by itself."""
    size = 4 * row_size(native.players, len(native.made.told))
    rows = native.tallied_by_number(plan.text_of_seeds, tasks.start, len(tasks))
    told = [rows[at : at + size] for at in range(0, len(rows), size)]
    if not told:
        return None
    found: list[tuple[int, int, str]] = []
    for turn in range(plan.players):  # who plays on which seat is told apart by it
        first = (turn - tasks.start) % plan.players
        own = told[first :: plan.players]
        order = dict(zip(reversed(own), range(len(own) - 1, -1, -1), strict=True))
        entrants = [plan.entrant(turn, seat) for seat in range(plan.players)]
        for row, games in Counter(own).items():
            record = record_of(native, array("i", row).tolist(), game_of(plan, 0).world.teams)
            if record is None or record["decisions"] > plan.most:
                return None
            at = tasks.start + first + order[row] * plan.players
            found.append((at, games, to_line({"players": entrants, **record})))
    return Counted(tasks.start, tasks.start + len(told), tuple(sorted(found)))


def record_of(native: Native, row: list[int], teams: Sequence[int] = ()) -> Record | None:
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
        **({"teams": list(teams)} if teams else {}),
        "points": points,
        "actions": actions,
    }
