"""Random games beside other systems, by turns: games a second of the processor's time, on one core.

    python -m bench.peers
    python -m bench.peers tic_tac_toe hex --seconds 2 --rounds 5

A peer that is not there is named, and nothing is said of its speed. OpenSpiel (`pip install 'rulespec[peers]'`) plays
with its own random bots in C++; each of its games is one call from Python.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter import load

Player = Callable[[int, int], int]  #: plays so many games with seeds from a number on; how many decisions they had


@dataclass(frozen=True)
class Measured:
    """What one system came to in a game."""

    per_second: float
    length: float  #: decisions of a game


#: Our games, and what OpenSpiel calls them.
GAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "reversi": "othello",
    "hex": "hex(board_size=11)",
    "go": "go(board_size=9)",
    "backgammon": "backgammon",
    "chess": "chess",
}
#: Options of ours where the peer's rules are those: it draws by repetition and after fifty turns without a claim.
OPTIONS: dict[str, dict[str, bool]] = {"chess": {"claims": False}}
#: Peers that this command does not look for yet: RBG with its monotonic driver and Ludii are measured by hand.
NOT_RUN = ("RBG", "Ludii")


def ours(name: str) -> Player:
    """The native executor."""
    game = load(name, options=OPTIONS.get(name))
    if game.native is None:
        raise SystemExit(f"{name}: {game.native_refused}")
    return lambda first, games: sum(game.playouts(None, games, seed=first).decisions)


def open_spiel(name: str) -> Player | None:
    """OpenSpiel with random bots; None where it is not there."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game(GAMES[name])
    bots = [spiel.make_uniform_random_bot(seat, 17 + seat) for seat in range(2)]

    def play(first: int, games: int) -> int:
        decisions = 0
        for seed in range(first, first + games):
            state = game.new_initial_state()
            spiel.evaluate_bots(state, bots, seed % 2**31)
            decisions += state.move_number()
        return decisions

    return play


def measured(players: dict[str, Player], seconds: float, rounds: int) -> dict[str, Measured]:
    """Each player in turn, in rounds; the median of the rounds."""
    speeds: dict[str, list[float]] = {name: [] for name in players}
    lengths: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds):
        for name, play in players.items():
            games, decisions, amount, begun = 0, 0, 1, time.process_time()
            while (taken := time.process_time() - begun) < seconds:
                decisions += play(number * 10_000_000 + games, amount)
                games += amount
                amount = min(2 * amount, 4_096) if taken < seconds / 8 else amount
            speeds[name].append(games / (time.process_time() - begun))
            lengths[name].append(decisions / games)
    return {name: Measured(statistics.median(speeds[name]), statistics.mean(lengths[name])) for name in players}


def main() -> None:
    """Prints a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which of the games; all when left out")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each system in each round")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    there = importlib.util.find_spec("pyspiel") is not None
    if not there:
        print("OpenSpiel is not there.")
    print(*(f"{name} is not run by this command." for name in NOT_RUN), sep="\n")
    print(f"{'game':<14} {'ours, games/s':>14} {'length':>8} {'OpenSpiel':>12} {'length':>8} {'ours / it':>10}")
    for name in arguments.games or GAMES:
        if name not in GAMES:
            raise SystemExit(f"{name} is none of {', '.join(GAMES)}.")
        peer = open_spiel(name)
        players = {"ours": ours(name)} | ({} if peer is None else {"peer": peer})
        found = measured(players, arguments.seconds, arguments.rounds)
        mine, other = found["ours"], found.get("peer")
        beside = "" if other is None else f"{other.per_second:>12,.0f} {other.length:>8.2f}"
        ratio = "" if other is None else f"{mine.per_second / other.per_second:>10.2f}"
        print(f"{name:<14} {mine.per_second:>14,.0f} {mine.length:>8.2f} {beside} {ratio}", flush=True)


if __name__ == "__main__":
    main()
