"""What a log costs: games that seats play at random, step by step, without one and with one, by turns.

    python -m bench.logs
    python -m bench.logs --games agora_barcelona:4 metro:2 --seconds 20

For each game, processor time a decision: of plain steps; of steps whose events are kept (`events=True`) and that nobody
reads; and of a whole log in memory, each line made. The native executor plays.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from interpreter import Game, load
from interpreter.log import GameLog

BLOCK = 0.4  #: seconds of one way, so that what one way leaves in the processor's caches is no matter
GAMES = ("tic_tac_toe", "reversi", "metro:2", "agora_barcelona:4", "barcelona:2")


def plain(game: Game, seed: int) -> int:
    """A game without a log; how many decisions it had."""
    return _played(game, seed, events=False)


def kept(game: Game, seed: int) -> int:
    """A game whose events are kept."""
    return _played(game, seed, events=True)


def _played(game: Game, seed: int, *, events: bool) -> int:
    dice, state, decisions = random.Random(seed), game.start(seed, events=events), 0
    while state.decision is not None:
        options = state.options()
        state = state.apply(options[dice.randrange(len(options))], events=events)
        decisions += 1
    return decisions


def logged(game: Game, seed: int) -> int:
    """A game with its log, kept in memory."""
    dice, log, decisions = random.Random(seed), GameLog.start(None, game, seed), 0
    state = log.state
    while state.decision is not None:
        options = state.options()
        option = options[dice.randrange(len(options))]
        after = state.apply(option, events=True)
        log.decision(state, option, after)
        state, decisions = after, decisions + 1
    log.finish(state)
    return decisions


WAYS: dict[str, Callable[[Game, int], int]] = {"plain": plain, "events": kept, "log": logged}


def measured(game: Game, seconds: float) -> dict[str, float]:
    """Microseconds of the processor a decision, by way; the ways take turns."""
    spent, decisions = dict.fromkeys(WAYS, 0.0), dict.fromkeys(WAYS, 0)
    for way in WAYS.values():
        way(game, 0)
    first, end = 1, time.process_time() + seconds
    while time.process_time() < end:
        for name, way in WAYS.items():
            begun, seed = time.process_time(), first
            while (now := time.process_time()) - begun < BLOCK:
                decisions[name] += way(game, seed)
                seed += 1
            spent[name] += now - begun
        first += 1
    return {name: 1e6 * spent[name] / decisions[name] for name in WAYS}


def main() -> None:
    """Prints a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=GAMES, help="ids, with a number of players behind a colon")
    parser.add_argument("--seconds", type=float, default=10, help="for each game")
    parser.add_argument("--executor", default="native")
    given = parser.parse_args()
    print(f"{'game':20}{'plain':>9}{'events':>9}{'log':>9}   microseconds a decision; more by events, by a log")
    for word in given.games:
        name, _, players = word.partition(":")
        found = measured(load(name, players=int(players) if players else None, executor=given.executor), given.seconds)
        more = [f"{100 * (found[way] / found['plain'] - 1):.0f} %" for way in ("events", "log")]
        print(f"{word:20}" + "".join(f"{found[way]:9.1f}" for way in WAYS) + "   " + ", ".join(more), flush=True)


if __name__ == "__main__":
    main()
