"""Print the declarations of a game as YAML, as they are after options and variants.

Each line ends with the file and line that its value comes from. PATH is a part of them, such as `values`,
`pieces.card` or `actions.settle.do[pay]`. With `--ir`: the instruction form that the game is played from; with PATH
only what comes from there.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from interpreter.cli.arguments import player_count
from interpreter.cli.common import (
    UsageError,
    add_cache,
    add_game,
    add_options,
    add_variants,
    find_path,
    in_order,
    open_game,
    open_resolved,
    parse_options,
    place,
    roots_of,
    with_variants,
)
from rulespec.source.nodes import Mapping, Node, Sequence

if TYPE_CHECKING:
    from rulespec.overlay.paths import Found
    from rulespec.source.text import Span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, PATH, and what is switched on."""
    add_game(parser)
    parser.add_argument("path", metavar="PATH", nargs="?", help="what to show; everything when left out")
    add_variants(parser)
    add_options(parser)
    parser.add_argument("--ir", action="store_true", help="the instructions instead, for one number of players")
    parser.add_argument(
        "--players", type=player_count, metavar="N", help="with --ir: for how many; the fewest when left out"
    )
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the declarations."""
    from interpreter.cli.yaml_text import write

    if arguments.ir:
        return _show_instructions(arguments)
    source, resolved = open_resolved(arguments.game, arguments.variants, arguments.options)
    roots = roots_of(source)
    if arguments.path is None:
        print(write(in_order(resolved.tree), lambda span: place(span, roots), spread=1))
        return 0
    print(write(find_path(resolved.tree, arguments.path).node, lambda span: place(span, roots)))
    return 0


def _show_instructions(arguments: argparse.Namespace) -> int:
    """The program of a game, with the number of players and the options that were asked for."""
    from interpreter.game import load_source
    from rulespec.lower.show_ir import show_part, show_program

    source, problems = open_game(arguments.game)
    source, variants = with_variants(source, arguments.variants)
    options = parse_options(arguments.options)
    game = load_source(source, players=arguments.players, options=options, variants=variants, problems=problems)
    if arguments.path is None:
        print(show_program(game.built.program, game.world))
        return 0
    found = find_path(game.tree, arguments.path)
    shown = show_part(game.built.program, game.world, places_of(found))
    if not shown:
        raise UsageError(f"'{arguments.path}' has no instructions of its own: it is a part of those that read it.")
    print(shown)
    return 0


def places_of(found: Found) -> list[Span]:
    """Where what a path leads to stands in the files: its key, itself, and what variants have put into it."""
    places = [found.key]
    waiting: list[Node] = [found.node]
    while waiting:
        node = waiting.pop()
        places.append(node.span)
        if isinstance(node, Mapping):
            waiting += [value for _, value in node.pairs]
        elif isinstance(node, Sequence):
            waiting += node.items
    return places
