"""Let automatic players play against each other, and say how strong each is.

Every pair of kinds plays sets: games of one seed in which both take each seat once. So neither luck nor the seat speaks
for anybody. Strength is told as Elo beside the kind that is named first: 400 points are ten to one. With --better 20
two kinds play until it is decided whether the second one is better by 20 Elo, or not better.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_bounds, player_count, whole_number
from interpreter.cli.common import UsageError, add_cache, add_game, add_options, add_variants, say
from interpreter.cli.seated import kinds_of, loaded, refuse_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.game import Game
    from interpreter.simulate.numbers import Figure
    from interpreter.simulate.plan import Plan
    from interpreter.simulate.tournament import Better, Match, Scores

MOST_KINDS = 12
MOST_SETS = 10_000_000
MOST_ELO = 1_000
STOPPED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays what, and how often."""
    add_game(parser)
    parser.add_argument(
        "--seats",
        metavar="KIND,…",
        default="random,greedy",
        help="the kinds that are compared, two or more: random, greedy, mcts, mcts:500, mcts:2s, uct:500, own.py:Name",
    )
    parser.add_argument(
        "--games", metavar="N", type=whole_number, default=100, help="sets of each pair; 100 by default, at most"
    )
    parser.add_argument("--players", metavar="N", type=player_count, help="how many play; the fewest by default")
    parser.add_argument(
        "--better",
        metavar="ELO",
        type=float,
        help="with two kinds: stop when it is decided whether the second is better by so much, or not better",
    )
    add_options(parser)
    add_variants(parser)
    parser.add_argument("--seed", metavar="S", type=whole_number, default=0, help="of the whole run; 0 by default")
    parser.add_argument("--jobs", metavar="J", type=whole_number, help="processes; by default one for each core")
    parser.add_argument("--out", metavar="DIR", type=Path, help="keep the records there, and report.html")
    parser.add_argument("--resume", action="store_true", help="go on with the run that is in DIR")
    add_bounds(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Plays and prints."""
    from interpreter.simulate.journal import OtherRun
    from interpreter.simulate.local import WorkerFault
    from interpreter.simulate.run import simulate
    from interpreter.simulate.tournament import Better, Scores

    kinds = _kinds(arguments.seats)
    game = _game(arguments)
    plan, matches = _plan(arguments, game, kinds)
    test = None if arguments.better is None else Better(_elo(arguments.better, kinds))
    scores = Scores(plan, matches, test)
    try:
        results = simulate(
            plan,
            folder=arguments.out,
            jobs=arguments.jobs or os.cpu_count() or 1,
            resume=arguments.resume,
            see=None if test is not None else scores.see,
            watch=scores if test is not None else None,
            counts=False,
        )
    except (OtherRun, WorkerFault) as fault:
        raise UsageError(str(fault)) from None
    if arguments.format == "json":
        _print_json(plan, game, kinds, scores, test)
    else:
        _print(plan, game, kinds, scores, test)
    if arguments.out is not None:
        from interpreter.report.tournament import write_tournament

        write_tournament(plan, game, kinds, scores, arguments.out / "report.html")
    return STOPPED if results.was_stopped else 1 if scores.unfinished else 0


def _kinds(given: str) -> list[str]:
    kinds = kinds_of(given)
    if not 2 <= len(kinds) <= MOST_KINDS or len(set(kinds)) < len(kinds):
        raise UsageError(f"--seats names 2 to {MOST_KINDS} kinds of players, each once.")
    return kinds


def _elo(given: float, kinds: Sequence[str]) -> float:
    if len(kinds) != 2:
        raise UsageError("--better is about two kinds: whether the second one of --seats is better than the first.")
    if not 0 < given <= MOST_ELO:
        raise UsageError(f"--better takes a number of Elo points above 0, at most {MOST_ELO:,}.")
    return given


def _game(arguments: argparse.Namespace) -> Game:
    game = loaded(arguments, arguments.players)
    if game.players < 2:
        raise UsageError("One plays alone here, so nobody plays against anybody; --players says how many play.")
    return game


def _plan(arguments: argparse.Namespace, game: Game, kinds: Sequence[str]) -> tuple[Plan, tuple[Match, ...]]:
    from interpreter.simulate.plan import Arm, Plan, with_fingerprints
    from interpreter.simulate.records import MOST_TASKS
    from interpreter.simulate.tournament import arms_of_tournament

    arms, matches = arms_of_tournament(kinds, game.players, Arm(tuple(dict.fromkeys(arguments.variants))))
    refuse_bounds(arguments, min(MOST_SETS, MOST_TASKS // len(arms)))
    plan = Plan(
        game=arguments.game,
        players=game.players,
        seats=(kinds[0],) * game.players,
        games=arguments.games,
        seed=arguments.seed,
        options=tuple(sorted(game.options.items())) if arguments.options else (),
        arms=arms,
        most=arguments.most_decisions,
        seconds=arguments.most_seconds,
        until=() if arguments.better is None else (f"better={arguments.better:g}",),
    )
    return with_fingerprints(plan), matches


# ---- what is said ----------------------------------------------------------------------------------------------------


def _print(plan: Plan, game: Game, kinds: Sequence[str], scores: Scores, test: Better | None) -> None:
    from interpreter.simulate.summary import told
    from interpreter.simulate.tournament import elo_of, strengths

    say(f"{game.id}: {plan.players} players, {plan.games:,} sets of two games at most for each pair")
    wide = max(map(len, kinds))
    if not any(score.sets for score in scores.scores):
        say("  no set is over, so nothing is known of the players")
        return
    if test is None:  # of two the line below says all
        say(f"  {'':<{wide}}     sets   Elo")
        order = sorted(enumerate(strengths(scores, len(kinds))), key=lambda each: -each[1].value)
        for kind, figure in order:
            words = "0, by definition" if not kind else _elo_words(figure)
            say(f"  {kinds[kind]:<{wide}} {figure.trials:>8,}   {words}")
    say("Parts of the wins")
    for match, score in zip(scores.matches, scores.scores, strict=True):
        part = score.part()
        name = f"{kinds[match.first]} against {kinds[match.second]}"
        elo = f"Elo {elo_of(part.value):+.0f}, " if 0 < part.value < 1 else ""
        say(f"  {name:<{2 * wide + 9}} {told(part, '%')}, {elo}{score.sets:,} sets")
    if scores.unfinished:
        say(f"  not finished   {scores.unfinished:,} sets, which do not count")
    if test is not None:
        verdict = test.verdict(scores.scores[0])
        said = {
            "better": f"{kinds[1]} is better than {kinds[0]} by {test.elo:g} Elo",
            "not better": f"{kinds[1]} is not better than {kinds[0]}",
            None: f"Not decided whether {kinds[1]} is better than {kinds[0]} by {test.elo:g} Elo",
        }[verdict]
        say(f"{said}: {scores.scores[0].sets:,} sets, log-likelihood {test.likelihood(scores.scores[0]):+.2f}")


def _elo_words(figure: Figure) -> str:
    if abs(figure.low) == float("inf"):
        return f"{figure.value:+.0f}, how sure is not known: all of its sets went alike"
    return f"{figure.value:+.0f} ({figure.low:+.0f} to {figure.high:+.0f})"


def _print_json(plan: Plan, game: Game, kinds: Sequence[str], scores: Scores, test: Better | None) -> None:
    from interpreter.simulate.tournament import strengths
    from rulespec.diagnostics.as_json import json_text

    found: dict[str, Any] = {
        "game": game.id,
        "fingerprint": plan.arms[0].fingerprint,
        "players": plan.players,
        "seed": plan.seed,
        "kinds": [
            {"kind": kind, "sets": each.trials, "elo": round(each.value, 2), "elo_ci95": _interval(each)}
            for kind, each in zip(kinds, strengths(scores, len(kinds)), strict=True)
        ],
        "pairs": [
            {
                "first": kinds[match.first],
                "second": kinds[match.second],
                "sets": score.sets,
                "part": round(score.part().value, 6),
                "part_ci95": _interval(score.part(), 6),
                "scores": {f"{value:g}": count for value, count in sorted(score.counts.items())},
            }
            for match, score in zip(scores.matches, scores.scores, strict=True)
        ],
        "unfinished": scores.unfinished,
    }
    if test is not None:
        likelihood = round(test.likelihood(scores.scores[0]), 4)
        found["better"] = {"elo": test.elo, "verdict": test.verdict(scores.scores[0]), "log_likelihood": likelihood}
    print(json_text(found, 2))


def _interval(figure: Figure, places: int = 2) -> list[float | None]:
    """None for an end that is not known: with one group of seeds there is no interval."""
    return [None if abs(end) == float("inf") else round(end, places) for end in (figure.low, figure.high)]
