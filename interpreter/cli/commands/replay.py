"""Play a log again and print what happened, up to decision N, for everybody or as one player may see it.

With `--verify`, every digest, event and the result are compared with the game as it is played now; the exit status is
1 when a line of the log is wrong, and that line is named with the declaration behind it.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import whole_number
from interpreter.cli.common import UsageError, print_problems, say
from interpreter.cli.logs import add_log, open_log, replayed, seat_of, standing_lines
from rulespec.diagnostics.as_json import json_text
from rulespec.diagnostics.model import Problems

if TYPE_CHECKING:
    from interpreter.log_checking import Replay
    from interpreter.log_reading import Log
    from interpreter.state import State
    from interpreter.texts import Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """LOG and how far."""
    add_log(parser)
    parser.add_argument(
        "--to", type=whole_number, metavar="N", help="stop after decision N, and show how the game stands then"
    )
    parser.add_argument("--verify", action="store_true", help="compare every digest, event and the result")
    parser.add_argument("--as", dest="player", metavar="PLAYER", help="what this player may know, and nothing else")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")


def run(arguments: argparse.Namespace) -> int:
    """Print or verify."""
    if arguments.to is not None and arguments.to < 0:
        raise UsageError("--to takes the number of a decision, from 0.")
    if arguments.player is not None and arguments.verify:
        raise UsageError("--as and --verify do not go together: only a whole log can be verified.")
    problems = Problems()
    log = open_log(arguments.log, problems)
    if log is not None and log.is_of_a_seat and not arguments.verify:
        if arguments.player not in (None, log.header["seat"]):
            raise UsageError(f"this is the log of {log.header['seat']}, which tells only what that player may know.")
        return _print_seat_log(log, problems)
    printed = None if arguments.format == "json" or arguments.verify else _Printed(arguments)
    found = replayed(arguments, arguments.to, verify=arguments.verify, seen=printed)
    if found is None:
        return 1
    log, replay, last = found
    if printed is not None:
        for line in standing_lines(last, arguments.lang):
            print(line)
    elif arguments.verify and arguments.format == "text":
        _print_verified(log, replay)
    else:
        print(json_text(_as_json(replay, last, arguments), 2))
    return 0 if replay.is_true and log.is_whole else 1


def _print_verified(log: Log, replay: Replay) -> None:
    if replay.is_true and log.is_whole:
        say(f"{log.file.name}: all is as it was; decisions: {replay.decisions}.")
    else:
        say(f"{log.file.name}: decisions that fit: {replay.decisions}.", stream=sys.stderr)


def _as_json(replay: Replay, last: State, arguments: argparse.Namespace) -> dict[str, Any]:
    seat = None if arguments.player is None else seat_of(replay.game, arguments.player)
    return {
        "game": replay.game.id,
        "decisions": replay.decisions,
        "verified": replay.is_true if arguments.verify else None,
        "state": last.to_json() if seat is None else last.view(seat).to_json(),
    }


# ---- text ------------------------------------------------------------------------------------------------------------


class _Printed:
    """What happened, decision by decision, printed as the game is played again."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments, self.n = arguments, 0
        self.texts: Texts | None = None
        self.seat: int | None = None

    def __call__(self, state: State) -> None:
        """Prints what happened on the way to a state; before the first one, of which game it is."""
        if self.texts is None:
            self.texts = self._begin(state)
        for line in self.texts.log_lines(state.events or (), self.seat):
            print(f"{self.n:>4}  {line}")
        self.n += 1

    def _begin(self, state: State) -> Texts:
        game, asked = state.game, self.arguments
        self.seat = None if asked.player is None else seat_of(game, asked.player)
        texts = game.texts(asked.lang)
        print(texts.word("engine.start", game=texts.title(), n=game.players))
        return texts


def _print_seat_log(log: Log, problems: Problems) -> int:
    """A seat's log cannot be played again: its lines say what the seat may know."""
    for entry in log.entries:
        print(json_text(entry.line))
    if len(problems):
        print_problems(problems.items, stream=sys.stderr)
    return 1 if problems.has_errors else 0
