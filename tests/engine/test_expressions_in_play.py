"""Expressions in play: `tests/games/paths.yaml` holds statements that were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN
from rulespec.source.tree import Sequence
from tests.engine.oracle import in_play
from tests.engine.small import small


def _statements(section: str) -> list[Any]:
    found = small("paths").tree.get(section)
    assert isinstance(found, Sequence)
    return list(found.items)


@pytest.mark.parametrize("number", range(len(_statements("checks"))))
def test_what_holds_without_a_state_holds_in_the_executor_too(number: int) -> None:
    """The game loads, so the evaluator of constants has found each of them true; here the reference does."""
    game, item = small("paths"), _statements("checks")[number]
    ir = game.built.context.lower(item, Scope(game.world), BOOLEAN)
    assert in_play(game, ir, game.start(1).cells), item.text


@pytest.mark.parametrize("number", range(len(_statements("always"))))
def test_what_always_holds_holds_after_the_set_up(number: int) -> None:
    game = small("paths")
    span, holds = game.facts.program.always[number]
    assert in_play(game, holds, game.start(1).cells), span.text


def test_all_statements_were_lowered() -> None:
    assert len(small("paths").facts.program.always) == len(_statements("always")) == 29


def test_a_statement_that_does_not_hold_is_seen() -> None:
    """After a stone was taken off the board, red has two."""
    game = small("paths")
    state = game.start(1)
    cells = game.state_from_bytes(state.to_bytes()).cells
    place = game.world.zones["cell.stone"].first + 1
    game.facts.pieces.set_content(cells, place, [])
    failed = [span.text for span, holds in game.facts.program.always if not in_play(game, holds, cells)]
    assert "mine(red) == 3 and mine(green) == 1 and mine(blue) == 0" in failed
    assert "pile.count == 2 and pile.top.ground == water and pile.bottom.ground == hill" not in failed
