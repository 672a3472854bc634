"""The evaluator, which walks the tree and is slow and plain, and the compiled executor agree on every value."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from interpreter import Game, State, load
from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_text
from rulespec.lower.expressions import lower
from rulespec.lower.ir import Ir, walk_ir
from rulespec.lower.make import as_value
from rulespec.lower.steps.builder import base_scope
from rulespec.source.shipped import games
from tests.engine.expressions import expressions
from tests.engine.oracle import call_compiled, call_plainly, compiled, plainly, positions, some_argument
from tests.shipped import numbers, shipped

BASE = Path(__file__).parents[1] / "language" / "faults" / "base"
CALLS = 6  # of each function in each position


# ---- all functions of shipped games ----------------------------------------------------------------------------------


SETTINGS = [(name, players) for name in games() for players in numbers(name)]


@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_functions_of_shipped_games(name: str, players: int) -> None:
    game = shipped(name, players)
    chance = random.Random(players)
    called = 0
    for state in positions(game, players, 60)[::6]:
        for function in game.world.functions:
            called += _same(game, function, state, chance)
    assert called > 0 or not game.world.functions


def _same(game: Game, name: str, state: State, chance: random.Random) -> int:
    """Compares some calls of a function; how many there were."""
    called = 0
    for _ in range(CALLS):
        params = game.world.functions[name].params
        args = tuple(some_argument(game, t, state.cells, chance) for _, t in params)
        if None in args:
            continue
        called += 1
        assert call_compiled(game, name, args, state.cells) == call_plainly(game, name, args, state.cells), (name, args)
    return called


@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_what_ranks_and_what_always_holds(name: str, players: int) -> None:
    game = shipped(name, players)
    for state in positions(game, players, 40)[::8]:
        for (_, plain), (_, made) in zip(game.built.program.always, game.compiled.always, strict=True):
            assert int(made(state.cells)) == plainly(game, plain, state.cells)


# ---- made expressions ------------------------------------------------------------------------------------------------


@cache
def _rich() -> tuple[Game, tuple[State, ...]]:
    """A game that has everything, and some positions of it."""
    game = load(str(BASE), players=3)
    return game, tuple(state for seed in range(3) for state in positions(game, seed, 12)[::3])


def _lowered(game: Game, text: str) -> Ir | None:
    """An expression as it stands in steps; None where it is refused (such as a range without an end)."""
    cx, problems = game.built.context, Problems()
    written = parse_text(text, problems)
    if written is None:
        return None
    kept = cx.world.problems
    cx.world.problems = problems
    try:
        made = as_value(cx.world, lower(base_scope(cx), written))
    finally:
        cx.world.problems = kept
    return None if problems.has_errors or cx.costs.of(made) > 20_000 else made


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=expressions(), number=st.integers(0, 11))
def test_made_expressions(text: str, number: int) -> None:
    game, states = _rich()
    ir = _lowered(game, text)
    assume(ir is not None)
    assert ir is not None
    note(text)
    cells = states[number % len(states)].cells
    assert compiled(game, ir, cells) == plainly(game, ir, cells)


def test_most_made_expressions_are_right_and_all_forms_occur() -> None:
    """Else the test before would say little: one in four may be refused, for a bound or for being too much work."""
    game, _ = _rich()
    made: list[Ir | None] = []

    @settings(max_examples=999, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(text=expressions())
    def collect(text: str) -> None:
        made.append(_lowered(game, text))

    collect()
    right = [ir for ir in made if ir is not None]
    assert len(right) > 0.75 * len(made)
    seen = {type(node).__name__ for ir in right for node in walk_ir(ir)}
    assert {form.__name__ for form in Ir.__subclasses__()} - seen == ONLY_IN_STEPS


# The place that a moved piece comes from; maps and formulas before they are indexed or called. What a call must not be
# given or give is a fault (tests/engine/test_play_outputs.py), and the rich game has no call that could.
ONLY_IN_STEPS = {"PlaceOf", "MapAt", "FormulaRow", "Within"}
