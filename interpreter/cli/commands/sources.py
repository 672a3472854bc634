"""List where declared figures come from: the path, how sure it is, where it is printed or why it is so, and the line.

The grades: rulebook, public (another public source), stated (in free words), inferred (follows from other facts),
variant (made up by that variant), reconstructed (weak, unknown or a stand-in).
"""

from __future__ import annotations

import argparse

from interpreter.cli.common import (
    add_cache,
    add_game,
    add_options,
    add_variants,
    in_order,
    open_resolved,
    place,
    roots_of,
    say,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, `--reconstructed`, and what is switched on."""
    add_game(parser)
    parser.add_argument("--reconstructed", action="store_true", help="only what is weak, unknown or a stand-in")
    add_variants(parser)
    add_options(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    from rulespec.overlay.sources import sources

    source, resolved = open_resolved(arguments.game, arguments.variants, arguments.options)
    listed = [
        each
        for each in sources(in_order(resolved.tree))
        if not arguments.reconstructed or each.grade == "reconstructed"
    ]
    roots = roots_of(source)
    rows = [(each.path, each.grade, each.reason, place(each.span, roots)) for each in listed]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    for path, grade, reason, where in rows:
        say(f"{path:<{widths[0]}}  {grade:<{widths[1]}}  {reason}  ({where})")
    if not rows:
        say("Nothing is reconstructed." if arguments.reconstructed else "No declaration has a source.")
    return 0
