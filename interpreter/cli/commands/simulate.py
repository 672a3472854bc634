"""Play many games with automatic players, and say what happens in them.

Every game has a seed of its own, and the players move on by one seat from game to game, so that the results are the
same for any number of processes. With --out the results are kept as Parquet, with a report for a browser; a run that
was stopped, by Ctrl-C or otherwise, goes on with --resume. --against A plays the same seeds with variant A as well, and
compares it with the first arm, which --variant describes: `--variant A --against B` is A beside B, and `--against A,B`
an arm with both. It may stand several times; each arm is compared with the first. --sweep plays a figure or an option
with several values, --players 3..5 several numbers of players. --expect holds statements against the results, such as:
seat 1 wins between 20 and 30 %; --until plays until one is decided.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_bounds, player_counts, whole_number
from interpreter.cli.arms import add_arms
from interpreter.cli.common import UsageError, add_cache, add_game, add_options, add_variants, say
from interpreter.cli.seated import kinds_of, loaded, refuse_bounds, seats_of
from rulespec.diagnostics.as_json import json_text

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.simulate.compare import Pairs
    from interpreter.simulate.dataset import Dataset
    from interpreter.simulate.expect import Statement, Verdict
    from interpreter.simulate.journal import Journal
    from interpreter.simulate.numbers import Figure
    from interpreter.simulate.plan import Arm, Plan
    from interpreter.simulate.run import Results
    from interpreter.simulate.until import Watch

    Verdicts = Sequence[tuple[int, Verdict]]  # each with the number of the arm that it is about

MOST_GAMES = 100_000_000
STOPPED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is played, by whom, where, and what is kept of it."""
    add_game(parser)
    parser.add_argument(
        "--games", metavar="N", type=whole_number, default=100, help="how many, in each arm; 100 by default"
    )
    parser.add_argument(
        "--players",
        metavar="N",
        type=player_counts,
        help="how many play; as many as --seats names, else the fewest; 3..5 or 2,4: a sweep over these",
    )
    parser.add_argument(
        "--seats",
        metavar="KIND,…",
        default="random",
        help="who plays: random, greedy, mcts, mcts:500 (playouts a decision), mcts:2s, uct (a plain search); "
        "the last one fills the seats",
    )
    add_options(parser)
    add_variants(parser)
    add_arms(parser)
    parser.add_argument("--seed", metavar="S", type=whole_number, default=0, help="of the whole run; 0 by default")
    parser.add_argument("--jobs", metavar="J", type=whole_number, help="processes; by default one for each core")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on the workers of a Dask scheduler instead")
    parser.add_argument("--out", metavar="DIR", type=Path, help="keep the results there: Parquet, and report.html")
    parser.add_argument("--resume", action="store_true", help="go on with the run that is in DIR")
    parser.add_argument(
        "--expect",
        metavar="FILE",
        type=Path,
        help="statements that the results are held against: one a line, or YAML of the schema `expectations`",
    )
    parser.add_argument(
        "--detail",
        choices=("games", "full", "decisions"),
        default="games",
        help="full: also what was chosen and offered, what was held at the end, and when points came; decisions: that, "
        "and a row for each decision with its options and how the player weighed them",
    )
    parser.add_argument(
        "--worth",
        metavar="N",
        type=whole_number,
        default=0,
        help="play on twice from N decisions of each game, with something offered and without, to tell what it is "
        "worth; with full detail",
    )
    _add_only(parser)
    add_bounds(parser)
    parser.add_argument("--lang", metavar="L", default="en", help="the language of the content's names in the report")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    add_cache(parser)


def _add_only(parser: argparse.ArgumentParser) -> None:
    """The arguments of one game of a run."""
    parser.add_argument(
        "--only",
        metavar="N",
        type=whole_number,
        help="play game N of the first arm alone (from 0), and tell it",
    )
    parser.add_argument("--log", metavar="FILE", type=Path, help="with --only: the whole log of that game")
    parser.add_argument(
        "--to",
        metavar="N",
        type=whole_number,
        help="with --only: leave the game after decision N, and show how it stands then",
    )


def run(arguments: argparse.Namespace) -> int:
    """Plays, keeps and prints."""
    from interpreter.cli.deciding import answers_failed, watch_of
    from interpreter.cli.studies import complete

    complete(arguments)
    statements, confidence = _expectations(arguments.expect)
    if arguments.log is not None and arguments.only is None:
        raise UsageError("--log goes with --only: it is the log of one game.")
    if arguments.to is not None and arguments.only is None:
        raise UsageError("--to goes with --only: it is a decision of one game.")
    plan = _plan(arguments)
    if arguments.only is not None:
        return _show_only(plan, arguments)
    watch = watch_of(plan, arguments.until)
    results, keeping = _played(plan, arguments, watch)
    results.language = arguments.lang
    verdicts = [
        (arm, verdict)
        for arm in results.plan.judged
        for verdict in _judged(results, arm, statements, confidence, arguments.expect)
    ]
    if arguments.format == "json":
        print(json_text(_as_json(results, verdicts, watch), 2))
    else:
        _print(results, verdicts, watch)
    if keeping is not None and results.tallies[0].games:
        _report(results, keeping)
    if results.was_stopped:
        hint = f"; go on with --resume --out {arguments.out}" if arguments.out else ""
        print(f"rulespec simulate: stopped{hint}", file=sys.stderr)
        return STOPPED
    has_failed = answers_failed(watch) or any(verdict.verdict == "refuted" for _, verdict in verdicts)
    return 1 if has_failed or any(tally.unfinished for tally in results.tallies) else 0


def _show_only(plan: Plan, arguments: argparse.Namespace) -> int:
    from interpreter.cli.seen_again import show_game

    if not 0 <= arguments.only < MOST_GAMES:
        raise UsageError(f"--only takes the number of a game, from 0 to {MOST_GAMES - 1:,}.")
    try:
        return show_game(plan, arguments.only, arguments.log, arguments.lang, arguments.to)
    except OSError as fault:
        raise UsageError(f"the log cannot be written to {arguments.log}: {fault.strerror or fault}") from None


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _plan(arguments: argparse.Namespace) -> Plan:
    """The plan that the arguments describe. Raises UsageError, and ContentError as `load` does."""
    from interpreter.cli.arms import arms_of, fingerprinted, refuse_equal
    from interpreter.cli.sweeps import factors_of_words, swept_arms
    from interpreter.simulate.plan import Plan
    from interpreter.simulate.records import MOST_TASKS
    from interpreter.simulate.trials import MOST_TRIALS

    refuse_bounds(arguments, MOST_GAMES)
    if not 0 <= arguments.worth <= MOST_TRIALS:
        raise UsageError(f"--worth takes a number of decisions, from 0 to {MOST_TRIALS}.")
    players = arguments.players or ()
    factors = factors_of_words(arguments.sweep, players)
    arms = swept_arms(arms_of(arguments.variants, arguments.against), factors, arguments.design)
    if arguments.games * len(arms) > MOST_TASKS:
        raise UsageError(f"--games takes at most {MOST_TASKS // len(arms):,} with {len(arms)} arms.")
    game = _game(arguments)
    plan = Plan(
        game=arguments.game,
        players=game.players,
        seats=_seats(arguments.seats, game.players),
        games=arguments.games,
        seed=arguments.seed,
        options=tuple(sorted(game.options.items())) if arguments.options else (),
        arms=arms,
        detail="full" if arguments.worth and arguments.detail == "games" else arguments.detail,
        most=arguments.most_decisions,
        seconds=arguments.most_seconds,
        swept=tuple(factor.name for factor in factors if len(factor.levels) > 1),
        until=tuple(arguments.until),
        worth=arguments.worth,
    )
    for arm in plan.arms:
        _seats(",".join(arm.seats or ()) or arguments.seats, arm.players or plan.players)
    plan = fingerprinted(plan, game)
    refuse_equal(plan)
    return plan


def _game(arguments: argparse.Namespace) -> Game:
    """The game of the first arm. As many play as --seats names, where that is several and --players is not given."""
    named = len(arguments.seats.split(","))
    return loaded(arguments, arguments.players[0] if arguments.players is not None else named if named > 1 else None)


def _seats(given: str, players: int) -> tuple[str, ...]:
    kinds = kinds_of(given)
    return seats_of(kinds, players, kinds[-1])


def _expectations(path: Path | None) -> tuple[list[Statement], float]:
    """The statements of a file, read before anything is played. Raises UsageError."""
    from interpreter.simulate.expect import WrongStatement
    from interpreter.simulate.expectations import WrongFile, read_file
    from rulespec.diagnostics.render import place_of

    if path is None:
        return [], 0.95
    try:
        return read_file(path)
    except WrongFile as fault:
        problem = fault.problems[0]
        way_out = f" {problem.hint}" if problem.hint else ""
        raise UsageError(f"{place_of(problem.span)}: {problem.message}{way_out}") from None
    except WrongStatement as fault:
        raise UsageError(f"{path}:{fault.line}:{fault.column}: {fault}.") from None


# ---- playing ---------------------------------------------------------------------------------------------------------


def _played(plan: Plan, arguments: argparse.Namespace, watch: Watch | None) -> tuple[Results, Path | None]:
    from interpreter.simulate.dataset import NoArrow, need_arrow
    from interpreter.simulate.journal import Journal, OtherRun
    from interpreter.simulate.local import WorkerFault
    from interpreter.simulate.remote import NoDask
    from rulespec.source.text import readable

    try:
        if arguments.out is None:
            return _simulated(plan, arguments, watch), None
        need_arrow()
        if readable(str(arguments.out.resolve())) != str(arguments.out.resolve()):
            raise UsageError("--out names a folder whose name is no UTF-8, and no Parquet can be written there.")
        data: list[Dataset] = []
        with Journal(arguments.out) as journal:
            results = _simulated(plan, arguments, watch, journal, _keeper(plan, arguments.out, data))
            for each in data:
                each.close()
    except (OtherRun, WorkerFault, NoDask, NoArrow) as fault:
        raise UsageError(str(fault)) from None
    return results, arguments.out


def _simulated(
    plan: Plan,
    arguments: argparse.Namespace,
    watch: Watch | None,
    journal: Journal | None = None,
    see: Callable[[dict[str, Any]], None] | None = None,
) -> Results:
    from interpreter.simulate.run import simulate

    jobs = arguments.jobs or os.cpu_count() or 1
    return simulate(
        plan,
        folder=journal,
        jobs=jobs,
        scheduler=arguments.scheduler,
        resume=arguments.resume,
        see=see,
        watch=watch,
    )


def _keeper(plan: Plan, folder: Path, data: list[Dataset]) -> Callable[[dict[str, Any]], None]:
    """What writes records to the data set, which is begun with the first of them."""

    def keep(record: dict[str, Any]) -> None:
        from interpreter.simulate.dataset import Dataset
        from interpreter.simulate.plan import game_of, versions

        if not data:
            games = [game_of(plan, arm) for arm in range(len(plan.arms))]
            data.append(Dataset(folder, plan, games, versions(games[0])))
        data[0].add(record)

    return keep


# ---- what is said ----------------------------------------------------------------------------------------------------


def _judged(
    results: Results, arm: int, statements: list[Statement], confidence: float, path: Path | None
) -> list[Verdict]:
    """The verdicts on one arm. Raises UsageError."""
    from interpreter.simulate.expect import Judge, WrongStatement

    judge = Judge(results.plan.in_arm(arm), results.games[arm], results.tallies[arm], confidence)
    try:
        return [judge.judge(statement) for statement in statements]
    except WrongStatement as fault:
        raise UsageError(f"{path}:{fault.line}:{fault.column}: {fault}.") from None


def _as_json(results: Results, verdicts: Verdicts, watch: Watch | None) -> dict[str, Any]:
    from interpreter.cli.deciding import until_json
    from interpreter.cli.seen_again import unfinished_json
    from interpreter.cli.sweeps import sweep_json
    from interpreter.simulate.compare import differences_json
    from interpreter.simulate.summary import results_json

    found = results_json(results.plan, results.games, results.tallies, results.seconds)
    found["versions"] = results.about
    for arm, told in enumerate([found, *found.get("arms", [])]):
        told["unfinished_games"] = unfinished_json(results.plan, arm, results.games[arm], results.tallies[arm])
    for pairs in results.pairs:
        differences = pairs.differences(comparisons=len(results.pairs))
        found["arms"][pairs.arm - 1]["compared"] = differences_json(differences, pairs.games)
    if results.pairs:
        found["compared"] = found["arms"][0]["compared"]
    if results.trends is not None:
        found["sweep"] = sweep_json(results)
    if watch is not None:
        found["until"] = until_json(results, watch)
    if verdicts:
        found["expectations"] = [_verdict_json(results, arm, verdict) for arm, verdict in verdicts]
    return found


def _verdict_json(results: Results, arm: int, verdict: Verdict) -> dict[str, Any]:
    figures = [
        {"name": name, "value": round(f.value, 6), "interval": [round(f.low, 6), round(f.high, 6)], "trials": f.trials}
        for name, f in verdict.figures
    ]
    said = {"line": verdict.statement.line, "text": verdict.statement.text, "verdict": verdict.verdict}
    own = results.plan.arms[arm]
    levels = {"levels": dict(own.levels)} if own.levels else {}
    return {**said, "figures": figures, "variants": list(own.variants), **levels}


def _print(results: Results, verdicts: Verdicts, watch: Watch | None) -> None:
    from interpreter.cli.deciding import print_answers
    from interpreter.cli.seen_again import unfinished_lines
    from interpreter.cli.sweeps import print_sweep
    from interpreter.simulate.summary import lines_of

    if results.trends is not None:
        print_sweep(results)
    for arm, tally in enumerate(results.tallies):
        for line in lines_of(results.plan, arm, results.games[arm], tally) if results.trends is None else ():
            say(line)
        for line in unfinished_lines(results.plan, arm, results.games[arm], tally):
            say(line)
    for pairs in results.pairs:
        _print_compared(results, pairs)
    if results.plan.detail != "games" and results.trends is None and not results.pairs:
        _print_short(results)
    print_answers(results, watch)
    told = None
    for arm, verdict in verdicts:
        if arm != told and len(results.plan.judged) > 1:
            say(f"Expected {_in_words(results.plan.arms[arm])}")
        told = arm
        say(f"{verdict.verdict:<10} {verdict.statement.text}")
        for name, figure in verdict.figures:
            words = _figure_text(figure, is_part="%" in verdict.statement.text)
            say(f"           {name}: {words}, {figure.trials:,} trials")


def _figure_text(figure: Figure, *, is_part: bool) -> str:
    from interpreter.simulate.summary import told

    return told(figure, "%") if is_part else told(figure, least=2)


def _in_words(arm: Arm) -> str:
    return arm.told or "as it is"


def _print_compared(results: Results, pairs: Pairs) -> None:
    from interpreter.simulate.numbers import decimals
    from interpreter.simulate.summary import told

    found = [each for each in pairs.differences(comparisons=len(results.pairs)) if each.stands_out]
    first, second = _in_words(results.plan.arms[0]), _in_words(results.plan.arms[pairs.arm])
    say(f"What stands out in {pairs.games:,} pairs of games, {first} -> {second}{'' if found else ': nothing'}")
    for each in sorted(found, key=lambda each: each.chance):
        places = max(2, decimals(each.change))
        before, after = f"{each.before:9.{places}f}", f"{each.after:9.{places}f}"
        say(f"  {f'{each.group}: {each.name}':<30} {before} -> {after}   {told(each.change, least=2, sign='+')}")


def _print_short(results: Results) -> None:
    """What the report begins with."""
    from interpreter.report.answers import answers, would_change
    from interpreter.simulate.again import moment_of

    say("In short")
    for each in answers(results):
        say(f"  {each.text}")
        if each.shown is not None:
            say(f"    {moment_of(results.plan, *each.shown)}")
    say(f"  {would_change(results)}")


def _report(results: Results, folder: Path) -> None:
    from interpreter.report import write_report

    path = folder / "report.html"
    write_report(results, path)
    say(f"rulespec simulate: {path}", stream=sys.stderr)
