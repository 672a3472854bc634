"""Print the declarations of a game as YAML, as they are after options and variants.

Each line ends with the file and line that its value comes from. PATH is a part of them, such as `values`,
`pieces.card` or `actions.settle.do[pay]`.
"""

from __future__ import annotations

import argparse

from interpreter.cli.common import (
    add_cache,
    add_game,
    add_options,
    add_variants,
    find_path,
    in_order,
    open_resolved,
    place,
    roots_of,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, PATH, and what is switched on."""
    add_game(parser)
    parser.add_argument("path", metavar="PATH", nargs="?", help="what to show; everything when left out")
    add_variants(parser)
    add_options(parser)
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the declarations."""
    from interpreter.cli.yaml_text import write

    source, resolved = open_resolved(arguments.game, arguments.variants, arguments.options)
    roots = roots_of(source)
    if arguments.path is None:
        print(write(in_order(resolved.tree), lambda span: place(span, roots), spread=1))
        return 0
    print(write(find_path(resolved.tree, arguments.path).node, lambda span: place(span, roots)))
    return 0
