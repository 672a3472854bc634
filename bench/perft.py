"""How many sequences of so many turns a game has: known of many games, so that every rule of moving is tried by it.

    python -m bench.perft english_draughts --depth 7

A turn is all that one player decides before another one decides or the game ends: captures that go on are one turn.
Two turns of one player that come one after the other, since the others pass, count as one.

The name is that of chess programs ("performance test"); their tables of counts are what is compared with.
"""

from __future__ import annotations

import argparse
import time

from interpreter import State, load


def turns(state: State, depth: int) -> int:
    """How many sequences of `depth` turns lead on from a position; none of those in which the game ends before."""
    if depth == 0:
        return 1
    if state.decision is None:
        return 0
    player = state.decision.player
    return sum(_gone_on(state.apply(option), player, depth) for option in state.options())


def _gone_on(state: State, player: int, depth: int) -> int:
    """The same after a decision of this player, whose turn may not be over."""
    if state.decision is None or state.decision.player != player:
        return turns(state, depth - 1)
    return sum(_gone_on(state.apply(option), player, depth) for option in state.options())


def main(argv: list[str] | None = None) -> int:
    """Prints the count of each depth, with the seconds of the processor that it took."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", help="a shipped game's id, or a game's folder")
    parser.add_argument("--depth", type=int, default=4, help="the highest number of turns (4)")
    given = parser.parse_args(argv)
    start = load(given.game).start(0)
    for depth in range(1, given.depth + 1):
        before = time.process_time()
        print(f"{depth}: {turns(start, depth):,}  ({time.process_time() - before:.1f} s)", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
