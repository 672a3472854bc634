"""What the rows say of operations is what these do, as the reference runs them: games by chance, step by step.

A row that claims too little is found at the first step that does more; one that claims too much is found at the end:
all that is claimed was seen.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from interpreter import load
from interpreter.reference import instructions
from interpreter.reference.faults import CanBeCompleted, Fails
from interpreter.reference.instructions import DO, Run
from interpreter.reference.machine import Reference
from interpreter.reference.position import Position
from rulespec.program.ops import OPERATIONS, cell_of
from tests.engine.small import names, small

REGISTERS = ("me", "units", "together", "over")
#: What happens when an operation is done: what changes, or that it fails, or that a look-ahead ends there.
Seen = dict[str, set[str]]
MOST_DECISIONS = 60
#: Games that do what no small game does.
SHIPPED = ("agora_barcelona", "metro", "reversi")


class Watch:
    """Notes what each step does beside its row."""

    def __init__(self) -> None:
        self.seen: Seen = defaultdict(set)
        self.wrong: list[str] = []

    def watched(self, op: str, do: Callable[..., int | None]) -> Callable[..., int | None]:
        """The operation, with a look before and after."""

        def step(run: Run, *args: object) -> int | None:
            before = run.p.copy()
            try:
                return do(run, *args)
            except Fails:
                self._note(op, "fails")
                raise
            except CanBeCompleted:
                self._note(op, "horizon")
                raise
            finally:
                self._compare(op, args, before, run.p)

        return step

    def _compare(self, op: str, args: tuple[object, ...], before: Position, after: Position) -> None:
        if before.zones != after.zones:
            self._note(op, "pieces")
        if before.slots != after.slots:
            self._note(op, "slot")
        for region in _changed_regions(before, after):
            if region == cell_of(op, args):
                self._note(op, "cell")
            elif region in REGISTERS:
                self._note(op, "register")
            else:
                self.wrong.append(f"{op} changes {region}")

    def _note(self, op: str, what: str) -> None:
        row = OPERATIONS[op]
        self.seen[op].add(what)
        claimed = row.changes | ({"fails"} if row.may_fail else set()) | ({"horizon"} if _may_end(op) else set())
        if what not in claimed:
            self.wrong.append(f"{op}: {what}")


def _may_end(op: str) -> bool:
    """Whether a look-ahead may find there that all can be completed: at a horizon, and where units end."""
    return OPERATIONS[op].horizon or OPERATIONS[op].unit < 0 or OPERATIONS[op].flow == "ends"


def _changed_regions(before: Position, after: Position) -> Iterator[str]:
    for key, base in after.game.bases.items():
        end = base + after.game.regions[key].places
        if before.cells[base:end] != after.cells[base:end]:
            yield key


@cache
def _played() -> Watch:
    """The small games, each a few times, up to so many decisions."""
    watch, kept = Watch(), dict(DO)
    instructions.DO.update({op: watch.watched(op, do) for op, do in kept.items()})
    try:
        for game in (*map(small, names()), *map(load, SHIPPED)):
            for seed in range(2):
                _play(Reference(game.built.program), seed)
    finally:
        instructions.DO.update(kept)
    return watch


def _play(reference: Reference, seed: int) -> None:
    chance = random.Random(seed)
    p = reference.begin(seed)
    options = reference.play(p, p.at)
    for _ in range(MOST_DECISIONS):
        if not options:
            return
        options = reference.choose(p, chance.choice(options))


def test_no_step_does_more_than_its_row_says() -> None:
    assert sorted(set(_played().wrong)) == []


#: Done where decisions are, and not watched here.
ELSEWHERE = {"ask", "try", "halt"}
#: What none of these games comes to: effects that nest too deep, turning a piece that has gone, a shuffle foreseen.
UNSEEN = {("callv", "fails"), ("flip", "fails"), ("shuffle", "horizon")}


@pytest.mark.parametrize("op", sorted(OPERATIONS.keys() - ELSEWHERE))
def test_what_a_row_says_was_seen(op: str) -> None:
    row, seen = OPERATIONS[op], _played().seen.get(op, set())
    claimed = row.changes | ({"fails"} if row.may_fail else set()) | ({"horizon"} if row.horizon else set())
    assert {what for what in claimed if (op, what) not in UNSEEN} <= seen
