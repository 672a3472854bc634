"""Scenarios of the content hold whoever plays: here the reference, which is the meaning of the instruction form."""

from __future__ import annotations

import pytest

from interpreter.scenarios import Games, run_scenario, scenarios_of
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game

#: The reference takes minutes for these: each fifth of their scenarios.
LONG = ("metro", "barcelona", "chess")


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "breakthrough",
        "hex",
        "reversi",
        "english_draughts",
        "go",
        "spades",
        "backgammon",
        "liars_dice",
        "agora_barcelona",
        *(pytest.param(name, marks=pytest.mark.long) for name in LONG),
    ],
)
def test_scenarios_hold_by_the_reference(name: str) -> None:
    problems = Problems()
    source = read_game(name, problems)
    assert source is not None
    games, scenarios = Games(source, executor="reference"), scenarios_of(source)
    assert len(scenarios) > 2
    tried = scenarios[:: 5 if name in LONG else 1]
    assert [failure.message for scenario in tried for failure in run_scenario(games, scenario)] == []
    assert {game.executor for game in games.all()} == {"reference"}
