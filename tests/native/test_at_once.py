"""What is found of many members at once, or looked up, is what is found of each of them by itself."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bench.differential import Difference, Pair, follow
from interpreter import load
from interpreter.middle.analysis.partition import Grouping
from interpreter.native import lookups, plans
from interpreter.native.build import make
from interpreter.native.executor import Native
from rulespec.lower.declared import Declared
from rulespec.lower.evaluate import NotConstant
from rulespec.lower.ir import Ir
from tests.engine.small import folder_of
from tests.lengths import long_where

WISHES = ("beside", "alone", "below", "mine", "theirs", "tall", "ranks", "shade", "early")
LATE = "dated"  #: compares with a number that is no byte: not found at once


@pytest.mark.parametrize("wish", long_where(lambda wish: wish not in ("alone", "below", "early"), WISHES))
def test_cells_in_three_words_of_bits(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board of 130 cells, whose neighbours lie across the borders of the words, with 24 kinds of pieces."""
    found: list[Any] = []
    narrowed = plans.Planner.narrowed

    def noted(self: plans.Planner, source: Ir, name: str, where: Ir | None) -> Any:
        plan = narrowed(self, source, name, where)
        found.append(plan)
        return plan

    monkeypatch.setattr(plans.Planner, "narrowed", noted)
    game = load(str(folder_of("meadow")), options={"wish": wish})
    native = Native(game.built, game.facts, (), cache=False)
    assert any(plan is not None and plan[1] is None for plan in found)  # all of a filter is found at once
    for seed in range(3):
        played = follow(Pair(game, native), seed, 200)
        assert not isinstance(played, Difference), played
        assert played > 40


def test_numbers_that_are_alike_in_their_lowest_byte() -> None:
    game = load(str(folder_of("meadow")), options={"wish": LATE})
    native = Native(game.built, game.facts, (), cache=False)
    played = follow(Pair(game, native), 1, 200)
    assert not isinstance(played, Difference), played
    assert played > 40


@pytest.mark.parametrize("name", ["metro", "reversi", "barcelona"])
def test_what_is_looked_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are made column by column; the plain evaluator says the same of cases taken by lot."""
    game, tables = load(name), list[tuple[Declared, lookups.Shape, list[int]]]()
    entries = lookups.Lookups.entries

    def noted(self: lookups.Lookups, node: Ir, shape: lookups.Shape) -> list[int] | None:
        values = entries(self, node, shape)
        if values is not None:
            tables.append((self.s.declared, shape, values))  # with the tables that this compiling has made
        return values

    monkeypatch.setattr(lookups.Lookups, "entries", noted)
    make(game.built, game.facts)
    dice = random.Random(7)
    compared = sum(_compare(*table, dice) for table in dice.sample(tables, min(60, len(tables))))
    assert compared > 100


def _compare(world: Declared, shape: lookups.Shape, values: list[int], dice: random.Random) -> int:
    """How many of ten cases the evaluator has a value for; a case that cannot be has none."""
    evaluator, compared = Grouping(world).evaluator, 0
    for _ in range(10):
        at, given = 0, {}
        for leaf, variable in zip(shape.leaves, shape.names, strict=True):
            number = dice.randrange(leaf.amount)
            at, given[variable] = at * leaf.amount + number, leaf.low + number
        try:
            wanted = evaluator.value(shape.node, given)
        except (IndexError, NotConstant):
            continue
        assert values[at] == wanted, (shape, given)
        compared += 1
    return compared


def test_a_variable_that_is_known_to_be_there_is_the_same_variable() -> None:
    """Behind a test for none a variable has another type; it must not count as another leaf."""
    from tests.native.test_values import _lowered, _rich, natively, plainly

    game, states = _rich()
    made = _lowered(game, "(north.shore.last otherwise (line[0].cells.last otherwise cell[0, 0])).beside")
    assert made is not None
    for state in states[:3]:
        assert natively(game, made, state.cells) == plainly(game, made, state.cells)
