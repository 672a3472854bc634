"""Print all problems of games' content, with their places. Without GAME: of all shipped games.

With `--variant` the scenarios of these variants are run too, and what fails in them is a problem.

With `--fix` what has one certain mend is mended, in the games that are named: the changes are shown as a diff, and
written when you agree (`--yes` agrees at once). At no terminal, and without `--yes`, nothing is written. What is only
offered, such as deleting what nothing uses, is left to you and your editor.

The exit status is 1 when there are errors or warnings; notes do not count. With `--fix` it is that of what is left.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli import kept_checks
from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_variants,
    first_words,
    placed_in,
    print_problem,
    print_problems,
    refuse_game,
    say,
    with_places,
    with_variants,
)
from interpreter.cli.kept_checks import Said
from rulespec.diagnostics.model import ContentError, Problem, Problems
from rulespec.kept.memo import Memo
from rulespec.kept.stages import stages_of
from rulespec.source.own import own_folders
from rulespec.source.shipped import content_root, games

if TYPE_CHECKING:
    from rulespec.game_source import GameSource


@dataclass(slots=True)
class _Report:
    """What one run of all checks found."""

    problems: list[Problem] = field(default_factory=list)
    games: list[dict[str, str]] = field(default_factory=list)

    @property
    def status(self) -> int:
        return 1 if any(problem.severity != "note" for problem in self.problems) else 0


@dataclass(slots=True)
class _Watch:
    """What is kept while one watches: the results of the last check by game, and what this one has told already.

    `tells` says whether an error is told as soon as there is one: the list that follows does not tell it again.
    """

    tells: bool
    memos: dict[str, Memo] = field(default_factory=dict)
    told: list[Problem] = field(default_factory=list)

    def tell(self, problem: Problem, roots: Sequence[Path]) -> None:
        """Tells an error at once."""
        if self.tells:
            [found] = placed_in([problem], roots)
            self.told.append(found)
            print_problem(found)
            sys.stdout.flush()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Games, variants and forms."""
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help="shipped games' ids, or games' folders; all shipped ones"
    )
    add_variants(parser)
    parser.add_argument("--watch", action="store_true", help="check again at each save, until Ctrl-C")
    parser.add_argument(
        "--format", choices=("text", "json", "sarif"), default="text", help="text (default), json, sarif"
    )
    parser.add_argument(
        "--fix", action="store_true", help="mend what has one certain mend; shows a diff and asks first"
    )
    parser.add_argument("--yes", action="store_true", help="with --fix: write without asking")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check once, or again and again."""
    if arguments.fix:
        return _fix(arguments)
    names = arguments.games or list(games())
    if arguments.variants and len(names) != 1:
        raise UsageError("--variant needs one GAME.")
    if arguments.yes:
        raise UsageError("--yes goes with --fix.")
    if not arguments.watch:
        report = _check(names, arguments.variants)
        _show(report, arguments.format)
        return report.status
    return _watch_files(names, arguments)


def _fix(arguments: argparse.Namespace) -> int:
    """Mends, then tells what is left."""
    from interpreter.cli.fixing import fix_games

    names = arguments.games
    if not names:
        raise UsageError("--fix needs GAME: name the game, or its folder, whose files are to be mended.")
    if arguments.variants:
        raise UsageError(
            "--fix goes without --variant. It mends the variants in a game's folder too: name the folder that holds "
            "the file. A variant that lies elsewhere is mended in an editor (rulespec lsp)."
        )
    if arguments.watch or arguments.format != "text":
        raise UsageError("--fix goes without --watch and --format.")
    if not fix_games(_folders(names), agreed=arguments.yes):
        return 1
    report = _check(names, [])
    _show(report, "text")
    return report.status


def _check(names: Sequence[str], variants: Sequence[str], watch: _Watch | None = None) -> _Report:
    """Everything about the games; UsageError when one of them is not there."""
    report = _Report()
    if set(names) == set(games()):
        digest = kept_checks.digest_of((), ["packs"])
        said = kept_checks.recall(digest)
        if said is None:
            from rulespec.game_source import check_packs

            problems = Problems()
            check_packs(problems)
            said = Said(list(problems.items))
            kept_checks.keep(digest, said)
        report.problems += said.problems
    for name in names:
        _check_kept(name, variants, report, watch)
    unique = Problems(report.problems)
    report.problems = list(unique.items)
    return report


def _check_kept(name: str, variants: Sequence[str], report: _Report, watch: _Watch | None) -> None:
    """As `_check_one`, but what was said of exactly these files is said again."""
    folder = games().get(name) or (Path(name) if Path(name).is_dir() else None)
    keyed = folder is not None and not variants  # scenarios of variants are run: that hangs on more than the files
    asked = [name, *sorted(variants)]
    digest = kept_checks.digest_of([folder], asked) if folder is not None and keyed else None
    said = kept_checks.recall(digest)
    if said is None or folder is None:
        said, folder = _check_one(name, variants, folder, watch)
        if folder is not None and digest is not None and digest == kept_checks.digest_of([folder], asked):
            kept_checks.keep(digest, said)  # nothing was saved meanwhile
    roots = () if folder is None else (folder.resolve().parent, content_root())
    report.problems += placed_in(said.problems, roots)
    report.games += [said.facts] if said.facts else []


def _check_one(
    name: str, variants: Sequence[str], folder: Path | None, watch: _Watch | None
) -> tuple[Said, Path | None]:
    """What is said of a game, and its folder; without a folder the problems are placed already."""
    from rulespec.check import check_game
    from rulespec.expr.parse import keep_readings
    from rulespec.game_source import fingerprint, read_game, resolve

    problems = Problems()
    source = read_game(name, problems)
    if source is None:
        _folders([name])
        try:
            refuse_game(name, problems)
        except ContentError as error:
            return Said(list(error.problems)), None
    source, ids = with_variants(source, variants)
    tree = resolve(source, ids, problems)
    memo = _memo(name, folder, ids, watch)
    memo.begin()
    roots = (source.folder.resolve().parent, content_root())
    check_game(source, ids, problems, memo, None if watch is None else lambda found: watch.tell(found, roots))
    if ids and not problems.has_errors:
        _run_scenarios(source, ids, problems)
    if folder is not None and watch is None:
        memo.write(stages_of(folder, ids))
        keep_readings()
    return Said(list(problems.items), {"id": source.id, "fingerprint": fingerprint(tree)}), source.folder


def _memo(name: str, folder: Path | None, variants: Sequence[str], watch: _Watch | None) -> Memo:
    """The results of an earlier check: of this process where one watches, else of the last one."""
    if watch is not None and name in watch.memos:
        return watch.memos[name]
    memo = kept_checks.read_stages(folder, variants)
    if watch is not None:
        watch.memos[name] = memo
    return memo


def _run_scenarios(source: GameSource, variants: Sequence[str], problems: Problems) -> None:
    """What fails in the scenarios of these variants (RS814)."""
    from interpreter.scenarios import Games, run_scenario, scenarios_of

    games = Games(source)
    for scenario in scenarios_of(source):
        if scenario.variants[:1] and scenario.variants[0] in variants:
            for failure in run_scenario(games, scenario):
                problems.add(
                    "RS814", failure.span, hint=with_places(failure.message, source), scenario=failure.scenario
                )


def _show(report: _Report, form: str, watch: _Watch | None = None) -> None:
    if form == "json":
        from rulespec.diagnostics.export import render_json

        print(render_json(report.problems, report.games))
    elif form == "sarif":
        from rulespec.diagnostics.export import render_sarif

        print(render_sarif(report.problems))
    else:
        print_problems(report.problems, told=[] if watch is None else watch.told)


# ---- again at each save ----------------------------------------------------------------------------------------------


def _watch_files(names: Sequence[str], arguments: argparse.Namespace) -> int:
    """Check at once and after every change. Ctrl-C is the way to end it, so that is no fault."""
    from interpreter.cli.watching import changes

    watch = _Watch(tells=arguments.format == "text")
    folders = [content_root() / "engine", *own_folders(), *_folders(names)]
    files = [Path(name) for name in arguments.variants if Path(name).is_file()]
    try:
        for changed in changes([*folders, *files]):
            if changed is not None:
                say(f"\n{changed} has changed.", stream=sys.stderr)
            watch.told.clear()
            try:
                _show(_check(names, arguments.variants, watch), arguments.format, watch)
            except UsageError as error:  # a file may be half written or away for a moment
                say(f"rulespec check: {error}", stream=sys.stderr)
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return 0


def _folders(names: Sequence[str]) -> list[Path]:
    from rulespec.game_source import find_game

    found = []
    for name in names:
        problems = Problems()
        folder = find_game(name, problems)
        if folder is None:
            raise UsageError(first_words(problems))
        found.append(folder)
    return found
