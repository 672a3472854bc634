"""Run the scenarios of games, their own tests. Without GAME: of all shipped games.

Each failure is printed with the file and line of the scenario. The exit status is 1 when something failed. With
`--coverage`, also what no scenario touches: rules, declarations, steps, functions and messages, with the reason.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.common import UsageError, file_from_here, first_words, placed, print_problems, roots_of
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.source.shipped import games as shipped_games

if TYPE_CHECKING:
    from interpreter.scenarios import Failure, Games, Scenario
    from interpreter.scenarios.coverage import Coverage
    from rulespec.game_source import GameSource


@dataclass(frozen=True, slots=True)
class _Tested:
    """One game's scenarios, run. `coverage` is None where it was not asked for."""

    source: GameSource
    scenarios: tuple[Scenario, ...]
    failures: tuple[Failure, ...]
    coverage: Coverage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Games, `--coverage` and the form."""
    parser.add_argument("games", metavar="GAME", nargs="*", help="shipped games' ids, or games' folders; all shipped ones")
    parser.add_argument("--coverage", action="store_true", help="also list what no scenario touches, with the reason")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")


def run(arguments: argparse.Namespace) -> int:
    """Run all scenarios of all games; 1 where one fails."""
    tested = [_test(name, deep=arguments.coverage) for name in arguments.games or list(shipped_games())]
    if arguments.format == "json":
        _print_json(tested, deep=arguments.coverage)
    else:
        for each in tested:
            _print_text(each, deep=arguments.coverage)
    return 1 if any(each.failures for each in tested) else 0
