"""Run the scenarios of games, their own tests. Without GAME: of all shipped games.

Each failure is printed with the file and line of the scenario; what stops several scenarios is printed once. The exit
status is 1 when something failed. `--variant FILE` also runs the scenarios of a variant that does not lie in the game's
folder. With `--coverage`, also what no scenario touches: rules, declarations, steps, functions and messages, with the
reason.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_variants,
    file_from_here,
    open_game,
    place,
    placed,
    roots_of,
    say,
    with_places,
    with_variants,
)
from interpreter.cli.progress import Progress, progress
from rulespec.diagnostics.as_json import json_text
from rulespec.diagnostics.model import ContentError
from rulespec.source.shipped import games as shipped_games

if TYPE_CHECKING:
    from interpreter.scenarios import Failure, Scenario
    from interpreter.scenarios.coverage import Gap, RuleCover
    from rulespec.game_source import GameSource
    from rulespec.source.text import Span


#: So many scenarios are named that one thing stops.
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Tested:
    """One game's scenarios, run; `gaps` is None where coverage was not asked for."""

    source: GameSource
    scenarios: tuple[Scenario, ...]
    failures: tuple[Failure, ...]
    rules: RuleCover
    gaps: tuple[Gap, ...] | None
    #: Variants that were asked for, and that no scenario is about.
    untried: tuple[str, ...] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Games, `--coverage` and the form."""
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help="shipped games' ids, or games' folders; all shipped ones"
    )
    add_variants(parser, "the file of a variant whose scenarios are run too; may stand several times")
    parser.add_argument("--coverage", action="store_true", help="also list what no scenario touches, with the reason")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run all scenarios of all games; 1 where one fails."""
    names = arguments.games or list(shipped_games())
    if arguments.variants and len(names) != 1:
        raise UsageError("--variant needs one GAME.")
    with progress() as line:
        tested = [_test(name, arguments.variants, line, deep=arguments.coverage) for name in names]
    if arguments.format == "json":
        print(json_text({"games": [_as_json(each) for each in tested]}, 2))
    else:
        for each in tested:
            _print(each)
    return 1 if any(each.failures for each in tested) else 0


def _test(name: str, variants: Sequence[str], line: Progress, *, deep: bool) -> _Tested:
    from interpreter.scenarios import Games, run_scenario, scenarios_of
    from interpreter.scenarios.coverage import TracedGames, cover_rules, gaps_of

    source, problems = open_game(name)
    if problems.has_errors:
        raise ContentError(placed(problems.items, source))
    source, asked = with_variants(source, variants)
    scenarios = scenarios_of(source)
    games = TracedGames(source) if deep else Games(source)
    watch = games.shown if isinstance(games, TracedGames) else None
    failures: tuple[Failure, ...] = ()
    for number, scenario in enumerate(scenarios):
        line.show(f"{source.id}: {number} of {len(scenarios)} scenarios")
        failures += run_scenario(games, scenario, watch)
    rules = cover_rules(source, scenarios, [failure.scenario for failure in failures])
    gaps = gaps_of(games, rules) if isinstance(games, TracedGames) else None
    tried = {variant for scenario in scenarios for variant in scenario.variants}
    return _Tested(source, scenarios, failures, rules, gaps, tuple(name for name in asked if name not in tried))


# ---- text -------------------------------------------------------------------------------------------


def _print(tested: _Tested) -> None:
    roots = roots_of(tested.source)
    for failure, names in _told_once(tested.failures):
        say(f"{place(failure.span, roots)}: {_listed(names)}: {with_places(failure.message, tested.source)}")
    failed = len({failure.scenario for failure in tested.failures})
    count = len(tested.scenarios)
    scenarios = "1 scenario" if count == 1 else f"{count} scenarios"
    result = f"{failed} of {scenarios} failed" if failed else f"{scenarios} passed"
    shown = len(tested.rules.ids) - len(tested.rules.uncovered)
    rules = f", {shown} of {len(tested.rules.ids)} rules shown" if tested.rules.ids else ""
    print(f"{tested.source.id}: {result}{rules}.")
    for name in tested.untried:
        print(f"  No scenario is about the variant '{name}': nothing was tried with it (`variants: [{name}]`).")
    for gap in tested.gaps or ():
        say(f"  {gap.kind} {gap.name}: {gap.reason} ({place(gap.span, roots)})")
    if tested.gaps == ():
        print("  Nothing is left untouched.")


def _told_once(failures: Sequence[Failure]) -> list[tuple[Failure, list[str]]]:
    """Failures that are the same at the same place, each with the scenarios that it is about."""
    found: dict[tuple[Span, str], tuple[Failure, list[str]]] = {}
    for failure in failures:
        found.setdefault((failure.span, failure.message), (failure, []))[1].append(failure.scenario)
    return list(found.values())


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


# ---- json -------------------------------------------------------------------------------------------


def _as_json(tested: _Tested) -> dict[str, Any]:
    roots = roots_of(tested.source)
    found: dict[str, Any] = {
        "id": tested.source.id,
        "scenarios": len(tested.scenarios),
        "failed": [
            {
                "scenario": failure.scenario,
                "file": file_from_here(failure.span.file.name, roots),
                "line": failure.span.line,
                "message": with_places(failure.message, tested.source),
            }
            for failure in tested.failures
        ],
        "rules": len(tested.rules.ids),
        "rules_uncovered": list(tested.rules.uncovered),
    }
    if tested.gaps is not None:
        found["uncovered"] = [
            {
                "kind": gap.kind,
                "name": gap.name,
                "reason": gap.reason,
                "file": file_from_here(gap.span.file.name, roots),
                "line": gap.span.line,
            }
            for gap in tested.gaps
        ]
    return found
