"""How long the automatic seats think: the processor's time for a decision, at positions of random games.

python -m bench.search barcelona:2 metro:2 --player mcts:200
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator

from interpreter import Game, State, load
from interpreter.chance import Chance
from interpreter.players import make_player

GAMES = ("barcelona:2", "agora_barcelona:3", "metro:2", "connect_four:2")
#: Decisions between two that are timed.
APART = 7


def positions(game: Game, seed: int) -> Iterator[State]:
    """Positions with a choice to make, evenly along one random game."""
    state, chance, n = game.start(seed), Chance(seed, "bench"), 0
    while state.decision is not None:
        options = state.options()
        n += 1
        if len(options) > 1 and n % APART == 0:
            yield state
        state = state.apply(chance.one_of(options))


def thinking(game: Game, kind: str, seed: int, most: int) -> list[float]:
    """Seconds for each decision of one random game, at most so many."""
    found: list[float] = []
    for state in positions(game, seed):
        if len(found) == most:
            break
        assert state.decision is not None
        player, options = make_player(kind, state.decision.player, seed), state.options()
        begun = time.process_time()
        player.choose(state, options)
        found.append(time.process_time() - begun)
    return found


def main(args: list[str]) -> int:
    """Prints the mean and the median of each game, in milliseconds."""
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, help="GAME:PLAYERS")
    parser.add_argument("--player", default="mcts:200")
    parser.add_argument("--most", type=int, default=12, help="decisions of each random game")
    parser.add_argument("--seeds", type=int, default=2, help="random games")
    given = parser.parse_args(args)
    for name in given.games:
        id_, _, players = name.partition(":")
        game = load(id_, players=int(players) if players else None)
        if game.native is None:  # what is made once is made here, and not counted
            print(f"{id_}: no native executor: {game.native_refused}")
        thinking(game, given.player, 0, 1)
        found = [s for seed in range(given.seeds) for s in thinking(game, given.player, seed, given.most)]
        mean, median = statistics.fmean(found) * 1e3, statistics.median(found) * 1e3
        print(f"{name:20} {given.player:10} {len(found):3} decisions  mean {mean:8.2f} ms  median {median:8.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
