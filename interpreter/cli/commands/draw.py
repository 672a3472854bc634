"""Draw a position as an SVG picture: how a game begins or, with `--log`, how it stands after its decisions.

It shows what all may see, or with `--as` what one player may. It needs no style sheet, no script and no network.
A log that is wrong somewhere is not drawn: the exit status is 1, and the line is named.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from interpreter.cli.arguments import player_count, whole_number
from interpreter.cli.common import UsageError, add_cache, add_game, add_options, add_variants, say
from interpreter.cli.out import add_out, print_out, write_out

if TYPE_CHECKING:
    from interpreter.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GAME, which position, and where the picture goes."""
    add_game(parser)
    parser.add_argument("--players", metavar="N", type=player_count, help="how many play; the fewest by default")
    add_options(parser)
    add_variants(parser)
    parser.add_argument(
        "--seed", metavar="S", type=whole_number, default=0, help="of the game that begins; 0 by default"
    )
    parser.add_argument("--log", metavar="FILE", help="the log of a game: with its players, options and seed")
    parser.add_argument("--to", type=whole_number, metavar="N", help="with --log: as it was after decision N")
    parser.add_argument("--as", dest="player", metavar="PLAYER", help="what this player may know, and nothing else")
    parser.add_argument("--lang", metavar="L", default="en", help="the language of the texts; en when left out")
    add_out(parser, "where it is written, such as board.svg")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draws it."""
    from interpreter.cli.logs import seat_of
    from interpreter.draw import EVERYBODY
    from interpreter.draw.vector import Vector

    state = _begun(arguments) if arguments.log is None else _logged(arguments)
    if state is None:
        return 1
    viewer = EVERYBODY if arguments.player is None else seat_of(state.game, arguments.player)
    picture = Vector(state.game, state.game.texts(arguments.lang)).svg(state, viewer)
    if arguments.out is None:
        print_out(picture)
        return 0
    write_out(arguments.out, picture)
    say(f"rulespec draw: {arguments.out}", stream=sys.stderr)
    return 0


def _begun(arguments: argparse.Namespace) -> State:
    from interpreter.cli.seated import loaded

    if arguments.to is not None:
        raise UsageError("--to belongs to --log.")
    if not 0 <= arguments.seed < 2**64:
        raise UsageError(f"--seed lies between 0 and {2**64 - 1}.")
    return loaded(arguments, arguments.players).start(arguments.seed)


def _logged(arguments: argparse.Namespace) -> State | None:
    from interpreter.cli.logs import replayed

    if arguments.players is not None or arguments.options:
        raise UsageError("A log says how its game is played; leave --players and --option out.")
    if arguments.to is not None and arguments.to < 0:
        raise UsageError("--to takes the number of a decision, from 0.")
    found = replayed(arguments, arguments.to, verify=False)
    if found is None:
        return None
    log, replay, state = found
    return state if replay.is_true and log.is_whole else None
