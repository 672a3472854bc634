"""Print where one value comes from: where the game declares it, and what each variant has done to it since."""

from __future__ import annotations

import argparse

from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_game,
    add_options,
    add_variants,
    first_words,
    open_resolved,
    place,
    roots_of,
    say,
)
from interpreter.cli.yaml_text import short
from rulespec.overlay.origins import Origin, origins
from rulespec.overlay.paths import Lost, report_lost, written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, PATH, and what is switched on."""
    add_game(parser)
    parser.add_argument("path", metavar="PATH", help="such as `values.hand_size` or `pieces.card.rows[cost=3].points`")
    add_variants(parser)
    add_options(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the chain of origins."""
    from rulespec.diagnostics.model import Problems

    source, resolved = open_resolved(arguments.game, arguments.variants, arguments.options)
    chain = origins(source.base, resolved.applied, arguments.path)
    if isinstance(chain, Lost):
        problems = Problems()
        report_lost(chain, arguments.path, written(arguments.path, "command line"), problems)
        raise UsageError(first_words(problems))
    roots = roots_of(source)
    lines = [(_what(origin), place(origin.span, roots)) for origin in chain]
    width = max(len(what) for what, _ in lines)
    say(arguments.path)
    for what, where in lines:
        say(f"  {what:<{width}}  {where}")
    return 0


def _what(origin: Origin) -> str:
    """One link in words."""
    who = "the game" if origin.variant is None else f"variant {origin.variant}"
    path = f" at {origin.path}" if origin.path else ""
    value = "" if origin.value is None else f": {short(origin.value)}"
    return f"{origin.verb} by {who}{path}{value}"
