"""Nothing as a value: `tests/games/nones.yaml` holds statements that were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import load
from rulespec.diagnostics.model import ContentError
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN
from rulespec.source.tree import Sequence
from tests.engine.oracle import in_play, plainly
from tests.engine.small import GAMES, cell, keys, play, small


def _statements() -> list[Any]:
    found = small("nones").tree.get("always")
    assert isinstance(found, Sequence)
    return list(found.items)


@pytest.mark.parametrize("number", range(len(_statements())))
def test_a_statement_holds_in_the_executor_and_in_the_evaluator(number: int) -> None:
    game, item = small("nones"), _statements()[number]
    cells = game.start(1).cells
    ir = game.built.context.lower(item, Scope(game.world), BOOLEAN)
    assert in_play(game, game.facts.program.always[number][1], cells), item.text
    assert (in_play(game, ir, cells), plainly(game, ir, cells)) == (1, 1), item.text


def test_a_number_may_be_none_and_come_back() -> None:
    """Ada has two coins and must keep one: she spends one, then can only forget."""
    game = small("nones")
    states = [game.start(1)]
    for key in ("spend cell[2]", "forget cell[0]"):
        states.append(play(states[-1], key))
    assert [(cell(s, "last"), cell(s, "begun")) for s in states] == [(None, 4), (2, 4), (None, 4)]
    assert [game.state_from_bytes(state.to_bytes()) for state in states] == states


def test_paying_stops_at_the_lowest_value_of_the_range() -> None:
    state = play(small("nones").start(1), "spend cell[0]")
    assert cell(state, "player.coins", "ada") == 1
    assert keys(state) == ["forget cell[0]", "forget cell[1]", "forget cell[2]"]


@pytest.mark.parametrize("value", [-1, 10, -(1 << 31) + 1])
def test_bytes_with_a_number_outside_the_range_are_no_state(value: int) -> None:
    game = small("nones")
    cells = game.start(1).cells.copy()
    cells[game.facts.layout.regions["last"]] = value
    with pytest.raises(ValueError, match="no state"):
        game.state_from_bytes(type(game.start(1))(game, cells, None).to_bytes())


def test_a_start_outside_the_range_is_a_problem_though_it_is_computed(tmp_path: Any) -> None:
    text = (GAMES / "nones.yaml").read_text(encoding="utf-8")
    changed = text.replace("player.coins: {type: 1..5, start: 2}", "player.coins: {type: 1..5, start: player.index}")
    assert changed != text
    (tmp_path / "nones.yaml").write_text(changed, encoding="utf-8")
    with pytest.raises(ContentError, match=r"RS314: 0 is outside 1\.\.5"):
        load(str(tmp_path))
