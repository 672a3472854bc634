"""Print all problems of games' content, with their places. Without GAME: of all shipped games.

The exit status is 1 when there are errors or warnings; notes do not count.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.cli import known_good
from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_variants,
    first_words,
    placed,
    print_problems,
    refuse_game,
    with_variants,
)
from rulespec.diagnostics.model import ContentError, Problem, Problems
from rulespec.source.shipped import content_root, games


@dataclass(slots=True)
class _Report:
    """What one run of all checks found."""

    problems: list[Problem] = field(default_factory=list)
    games: list[dict[str, str]] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    @property
    def status(self) -> int:
        return 1 if any(problem.severity != "note" for problem in self.problems) else 0


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
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check once, or again and again."""
    names = arguments.games or list(games())
    if arguments.variants and len(names) != 1:
        raise UsageError("--variant needs one GAME.")
    if not arguments.watch:
        report = _check(names, arguments.variants)
        _show(report, arguments.format)
        return report.status
    return _watch(names, arguments)


def _check(names: Sequence[str], variants: Sequence[str]) -> _Report:
    """Everything about the games; UsageError when one of them is not there."""
    report = _Report()
    if set(names) == set(games()):
        digest = known_good.digest_of((), ["packs"])
        if known_good.recall(digest) is None:
            from rulespec.game_source import check_packs

            problems = Problems()
            check_packs(problems)
            report.problems += problems.items
            known_good.keep(None if problems.items else digest, {})
    for name in names:
        _check_known(name, variants, report)
    unique = Problems(report.problems)
    report.problems = list(unique.items)
    return report


def _check_known(name: str, variants: Sequence[str], report: _Report) -> None:
    """As `_check_one`, but for a game that is known to have no problem: it is not checked again."""
    folder = games().get(name) or (Path(name) if Path(name).is_dir() else None)
    digest = None if folder is None or variants else known_good.digest_of([folder], [name])
    facts = known_good.recall(digest)
    if facts is not None and folder is not None:
        report.games.append(facts)
        report.folders.append(folder)
        return
    before = len(report.problems)
    _check_one(name, variants, report)
    if len(report.problems) == before and report.games:
        known_good.keep(digest, report.games[-1])


def _check_one(name: str, variants: Sequence[str], report: _Report) -> None:
    from rulespec.check import check_game
    from rulespec.game_source import fingerprint, read_game, resolve

    problems = Problems()
    source = read_game(name, problems)
    if source is None:
        report.folders += _folders([name])
        try:
            refuse_game(name, problems)
        except ContentError as error:
            report.problems += error.problems
        return
    source, ids = with_variants(source, variants)
    tree = resolve(source, ids, problems)
    check_game(source, ids, problems)
    report.problems += placed(problems.items, source)
    report.games.append({"id": source.id, "fingerprint": fingerprint(tree)})
    report.folders.append(source.folder)


def _show(report: _Report, form: str) -> None:
    if form == "json":
        from rulespec.diagnostics.export import render_json

        print(render_json(report.problems, report.games))
    elif form == "sarif":
        from rulespec.diagnostics.export import render_sarif

        print(render_sarif(report.problems))
    else:
        print_problems(report.problems)


# ---- again at each save ----------------------------------------------------------------------------------------------


def _watch(names: Sequence[str], arguments: argparse.Namespace) -> int:
    """Check at once and after every change. Ctrl-C is the way to end it, so that is no fault."""
    from interpreter.cli.watching import changes

    folders = [content_root() / "engine", *_folders(names)]
    files = [Path(name) for name in arguments.variants if Path(name).is_file()]
    try:
        for changed in changes([*folders, *files]):
            if changed is not None:
                print(f"\n{changed} has changed.", file=sys.stderr)
            try:
                _show(_check(names, arguments.variants), arguments.format)
            except UsageError as error:  # a file may be half written or away for a moment
                print(f"rulespec check: {error}", file=sys.stderr)
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
