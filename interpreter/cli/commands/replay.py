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
from interpreter.cli.logs import add_log, open_log, replayed, seat_of
from rulespec.diagnostics.as_json import json_text
from rulespec.diagnostics.model import Problems

if TYPE_CHECKING:
    from interpreter.log_checking import Replay
    from interpreter.log_reading import Log


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
    found = replayed(arguments, arguments.to, verify=arguments.verify)
    if found is None:
        return 1
    log, replay = found
    if arguments.format == "json":
        print(json_text(_as_json(replay, arguments), 2))
    elif arguments.verify:
        _print_verified(log, replay)
    else:
        _print_game(replay, arguments)
    return 0 if replay.is_true and log.is_whole else 1


def _print_verified(log: Log, replay: Replay) -> None:
    count = len(replay.states) - 1
    if replay.is_true and log.is_whole:
        say(f"{log.file.name}: all is as it was; decisions: {count}.")
    else:
        say(f"{log.file.name}: decisions that fit: {count}.", stream=sys.stderr)


def _as_json(replay: Replay, arguments: argparse.Namespace) -> dict[str, Any]:
    last = replay.states[-1]
    seat = None if arguments.player is None else seat_of(replay.game, arguments.player)
    return {
        "game": replay.game.id,
        "decisions": len(replay.states) - 1,
        "verified": replay.is_true if arguments.verify else None,
        "state": last.to_json() if seat is None else last.view(seat).to_json(),
    }


# ---- text ------------------------------------------------------------------------------------------------------------


def _print_game(replay: Replay, arguments: argparse.Namespace) -> None:
    """What happened, decision by decision; then how it stands or ended."""
    game = replay.game
    seat = None if arguments.player is None else seat_of(game, arguments.player)
    texts = game.texts(arguments.lang)
    print(texts.word("engine.start", game=texts.title(), n=game.players))
    for n, state in enumerate(replay.states):
        for line in texts.log_lines(state.events or (), seat):
            print(f"{n:>4}  {line}")
    _print_standing(replay, arguments.lang)


def _print_standing(replay: Replay, language: str) -> None:
    """Places where the game is over, else points and who decides."""
    texts, last = replay.game.texts(language), replay.states[-1]
    if last.decision is not None:
        for seat, score in enumerate(replay.game.result_of(last).scores):
            print(f"{texts.player(seat)}: {texts.word('engine.points', points=score)}")
        print(f"{texts.player(last.decision.player)}: {texts.prompt(last.cells, last.cells[0])}")
        return
    assert last.result is not None
    print(texts.word("engine.over"))
    place = 1
    for seats in last.result.ranking:
        key = "engine.place.shared" if len(seats) > 1 else "engine.place"
        for seat in seats:
            print(texts.word(key, place=place, player=texts.player(seat), points=last.result.scores[seat]))
        place += len(seats)


def _print_seat_log(log: Log, problems: Problems) -> int:
    """A seat's log cannot be played again: its lines say what the seat may know."""
    for entry in log.entries:
        print(json_text(entry.line))
    if len(problems):
        print_problems(problems.items, stream=sys.stderr)
    return 1 if problems.has_errors else 0
