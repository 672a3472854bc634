"""Which messages a build shows is asked of each decision once, and comes to what all decisions say."""

from __future__ import annotations

import pytest

import rulespec.check
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.lower.context import Context
from rulespec.lower.ir import Program
from rulespec.messages.check import keys_of
from rulespec.messages.game import Game
from rulespec.messages.keys import uses
from rulespec.source.nodes import Mapping


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", pytest.param("metro", marks=pytest.mark.long)])
def test_the_same_keys_come_of_all_decisions(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def both(cx: Context, tree: Mapping, program: Program) -> set[str]:
        nonlocal compared
        compared += 1
        whole = Game.of(cx, tree, program)
        assert len(Game.for_keys(cx, tree, program).decisions) <= len(whole.decisions)
        found = keys_of(cx, tree, program)
        assert found == {use.key for use in uses(whole) if use.needed or whole.has(use.key)}
        assert found
        return found

    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")
    monkeypatch.setattr(rulespec.check, "keys_of", both)
    source = read_game(game, problems := Problems())
    assert source is not None
    rulespec.check.check_game(source, [], problems)
    assert compared >= 1
