"""What commands that take a LOG share: reading it, loading its game, and naming its players."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.cli.common import UsageError, add_variants, placed_in, print_problems, roots_for
from rulespec.diagnostics.model import Problems

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.log_checking import Replay, Seen
    from interpreter.log_reading import Log
    from interpreter.state import State


def add_log(parser: argparse.ArgumentParser) -> None:
    """The arguments LOG, `--game`, `--variant` and `--lang`."""
    parser.add_argument("log", metavar="LOG", help="a game's log")
    parser.add_argument("--game", metavar="GAME", help="the folder of the game, where it is not a shipped one")
    add_variants(parser, "the file of a variant that does not lie in the game's folder; may stand several times")
    parser.add_argument("--lang", metavar="L", default="en", help="the language of the texts; en when left out")


def open_log(path: str, problems: Problems) -> Log | None:
    """The lines of a log. Raises UsageError for a file that cannot be read at all."""
    from interpreter.log_reading import read_log

    try:
        return read_log(path, problems)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else "it is no text in UTF-8"
        raise UsageError(f"{path}: {reason}.") from None


def open_game_of(log: Log, problems: Problems, arguments: argparse.Namespace) -> Game | None:
    """The game of a log, as the arguments help to find it."""
    from interpreter.log_checking import game_of

    return game_of(log, problems, arguments.game, arguments.variants)


def replayed(
    arguments: argparse.Namespace, to: int | None, *, verify: bool = True, seen: Seen | None = None
) -> tuple[Log, Replay, State] | None:
    """A log played again, with its last state; None after its problems were printed (to stderr; no more can be said).

    `seen` is given each state as it is made. Raises UsageError for a seat's log, which holds too little to be played
    again, and where a sound log ends before `to`.
    """
    from interpreter.log_checking import check_log

    problems = Problems()
    log = open_log(arguments.log, problems)
    if log is not None and log.is_of_a_seat:
        raise UsageError("this is a seat's log, which holds too little to play the game again.")
    if log is not None and log.is_whole and to is not None and to > (ends := len(log.decisions)):
        raise UsageError(f"{arguments.log} ends after decision {ends}.")
    game = None if log is None else open_game_of(log, problems, arguments)
    replay = None
    if log is not None and game is not None:
        replay = check_log(log, game, problems, to=to, verify=verify, seen=seen)
    if len(problems):
        print_problems(placed_in(problems.items, roots_for(arguments)), stream=sys.stderr)
    if log is None or replay is None or replay.last is None:
        return None
    return log, replay, replay.last


def seat_of(game: Game, name: str) -> int:
    """A seat by its id, or by its number from 1. Raises UsageError."""
    from rulespec.diagnostics.nearest import did_you_mean

    if name in game.seats:
        return game.seats.index(name)
    if name.isdecimal() and 1 <= int(name) <= game.players:
        return int(name) - 1
    hint = did_you_mean(name, game.seats) or f"Players: {', '.join(game.seats)}."
    raise UsageError(f"there is no player '{name}'. {hint}")


def standing_lines(last: State, language: str) -> Iterator[str]:
    """Places where the game is over, else points and who decides."""
    texts = last.game.texts(language)
    if last.decision is not None:
        for seat, score in enumerate(last.game.result_of(last).scores):
            yield f"{texts.player(seat)}: {texts.word('engine.points', points=score)}"
        yield f"{texts.player(last.decision.player)}: {texts.prompt(last.cells, last.cells[0])}"
        return
    assert last.result is not None
    yield texts.word("engine.over")
    place = 1 + (not last.result.winners)  # nobody is first where nobody has won
    for seats in last.result.ranking:
        key = "engine.place.shared" if len(seats) > 1 else "engine.place"
        for seat in seats:
            yield texts.word(key, place=place, player=texts.player(seat), points=last.result.scores[seat])
        place += len(seats)
