"""The expressions that executors are held against each other with: all forms occur (`tests/native/test_values.py`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from interpreter import Game, State, load
from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_text
from rulespec.lower.expressions import lower
from rulespec.lower.ir import Ir, walk_ir
from rulespec.lower.make import as_value
from rulespec.lower.steps.builder import base_scope
from tests.engine.expressions import expressions
from tests.engine.oracle import positions

BASE = Path(__file__).parents[1] / "language" / "faults" / "base"
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


@pytest.mark.long
def test_most_made_expressions_are_right_and_all_forms_occur() -> None:
    """Else they would say little: one in four may be refused, for a bound or for being too much work."""
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
