"""The evaluator, which walks the tree and is slow and plain, and the module's code agree on every value."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, assume, example, given, note, settings
from hypothesis import strategies as st

from interpreter import load
from rulespec.diagnostics.model import Problems
from rulespec.lower import ir
from rulespec.model.types import Integer
from rulespec.settle import player_range
from rulespec.source.shipped import games
from tests.engine.expressions import expressions
from tests.engine.oracle import call_plainly, plainly, positions, some_argument
from tests.engine.small import names, small
from tests.engine.test_oracle import _lowered, _rich
from tests.native.values import Values, natively

CALLS = 6  # of each function in each position


def _most(name: str) -> int:
    return player_range(load(name).tree, Problems())[1]


@pytest.mark.parametrize("name", list(games()))
def test_functions_of_shipped_games(name: str) -> None:
    game = load(name, players=_most(name))
    called = _compare(game, positions(game, 1, 60)[::6])
    assert called > 0 or not game.world.functions


@pytest.mark.parametrize("name", names())
def test_functions_of_small_games(name: str) -> None:
    _compare(small(name), positions(small(name), 1, 12)[::3])


def _compare(game, states) -> int:
    """Compares some calls of all functions in some positions; how many there were."""
    values, chance, called = Values(game), random.Random(1), 0
    functions = values.functions()
    values.ready()
    for state in states:
        for name in functions:
            function = game.world.functions[name]
            for _ in range(CALLS):
                args = tuple(some_argument(game, t, state.cells, chance) for _, t in function.params)
                if None in args:
                    continue
                called += 1
                found = values.value(name, function.returns, state.cells, *args)
                assert found == call_plainly(game, name, args, state.cells), (name, args)
    return called


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=expressions(), number=st.integers(0, 11))
@example(
    text="(cell[count(v in clockwise(captain) where round in round..9), (pier_points[(min(round for v in player "
    "where false) otherwise 6)] otherwise count(v in clockwise(captain) where true))] otherwise cell[0, 0])",
    number=0,
)
@example(text="cell[1, pier_points[(min(round for v in player where false) otherwise 6)] otherwise 2]", number=0)
def test_made_expressions(text: str, number: int) -> None:
    game, states = _rich()
    made = _lowered(game, text)
    assume(made is not None)
    assert made is not None
    note(text)
    cells = states[number % len(states)].cells
    assert natively(game, made, cells) == plainly(game, made, cells)


NUMBERS = [0, 1, 2, 3, 5, 7, 8, 64, -1, -2, -3, -7, -8, -9, 2**31 - 1, -(2**31) + 1]


@pytest.mark.parametrize("divisor", NUMBERS)
@pytest.mark.parametrize("op", ["//", "%"])
def test_division_rounds_down_and_by_nothing_gives_nothing(op: str, divisor: int) -> None:
    """As Python divides; the divisor is a constant, or one that is found in play."""
    game = small("market")
    values = Values(game)
    for i, number in enumerate(NUMBERS):
        values.expression(_divided(op, number, ir.Const(type=Integer(), value=divisor)), f"known{i}")
        found = ir.Arith(type=Integer(), op="-", left=_number(divisor), right=_number(0))
        values.expression(_divided(op, number, found), f"found{i}")
    values.ready()
    cells = game.start(0).cells
    for i, number in enumerate(NUMBERS):
        wanted = (number // divisor if op == "//" else number % divisor) if divisor else 0
        assert values.value(f"known{i}", Integer(), cells) == wanted, number
        assert values.value(f"found{i}", Integer(), cells) == wanted, number


def _number(value: int) -> ir.Const:
    return ir.Const(type=Integer(), value=value)


def _divided(op: str, number: int, divisor: ir.Ir) -> ir.Ir:
    return ir.Arith(type=Integer(), op=op, left=_number(number), right=divisor)
