"""Scenarios, the content's own tests: read from its files, run on the executor, and what they leave untouched.

games = Games(source)
for scenario in scenarios_of(source):
    for failure in run_scenario(games, scenario):
        print(failure.span.line, failure.message)
"""

from __future__ import annotations

from interpreter.scenarios.games import Games, game_key
from interpreter.scenarios.read import Scenario, scenarios_of
from interpreter.scenarios.run import Failure, position_after, run_scenario

__all__ = ["Failure", "Games", "Scenario", "game_key", "position_after", "run_scenario", "scenarios_of"]
