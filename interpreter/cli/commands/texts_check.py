"""Print what is wrong with the texts of a game: its rules in all languages, against each other and the declarations.

Told are missing, stale and extra texts, figures that are written out, terms, may and must, denials, owners, lists that
differ, words to avoid, typography, and what rules leave out. The exit status is 1 when there is any problem; that there
are no words of a language is a note. Faults of the files themselves come first: texts are compared when there is none.
"""

from __future__ import annotations

import argparse

from interpreter.cli.common import add_cache, add_game, open_game, placed, print_problems
from rulespec.diagnostics.model import Problems


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME and the form."""
    add_game(parser)
    parser.add_argument(
        "--format", choices=("text", "json", "sarif"), default="text", help="text (default), json, sarif"
    )
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the problems."""
    from rulespec.diagnostics.export import render_json, render_sarif
    from rulespec.game_source import fingerprint
    from rulespec.texts.check.everything import check_texts

    source, read = open_game(arguments.game)
    problems = Problems(read.errors)
    if not problems.has_errors:
        check_texts(source, problems)
    found = placed(problems.items, source)
    if arguments.format == "json":
        print(render_json(found, [{"id": source.id, "fingerprint": fingerprint(source.base)}]))
    elif arguments.format == "sarif":
        print(render_sarif(found))
    else:
        print_problems(found)
    return 1 if any(problem.severity != "note" for problem in found) else 0
