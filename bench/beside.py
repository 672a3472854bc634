"""Random games of ours beside those of another system: the same options at every step, the same end, the same winner.

    python -m bench.beside go --games 1000
    python -m bench.beside go --games 100 --size 5
    python -m bench.beside spades --games 1000
    python -m bench.beside backgammon --games 1000
    python -m bench.beside chess --games 1000
    python -m bench.beside liars_dice --games 5

A game of liar's dice is the whole tree of a small setting; there are five of them.

Chess has the package `chess` beside it, the others OpenSpiel (both: `pip install 'rulespec[peers]'`, an extra for
development). Where their rules differ from ours, the function of the game says how, and what follows of that is
compared too. It stops with exit status 1 at the first difference, and prints the choices that lead there.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from bench.beside_backgammon import backgammon
from bench.beside_chess import chess
from bench.beside_liars_dice import liars_dice
from bench.beside_spades import spades
from bench.differs import Differs
from interpreter import Game, load

LONGEST = 5_000  #: moves of a game of OpenSpiel's


PASSING = "stop"  #: our key of passing


# ---- Go -------------------------------------------------------------------------------------------------------------


def _go_key(action: str, size: int) -> str:
    """`B c4` of OpenSpiel, which counts rows from below and leaves out the letter i, as a key of ours."""
    place = action.split()[1]
    if place == "PASS":
        return PASSING
    column = "abcdefghjklmnopqrst".index(place[0]) + 1
    return f"take_turn point[{column},{size + 1 - int(place[1:])}]"


def go(spiel: Any, size: int, seed: int, counts: Counter[str]) -> None:
    """One game of Go. OpenSpiel ends a game as a draw when a position comes again (superko): ours never offers that.

    Whoever can only pass is not asked by ours.
    """
    game = _game("go", lines=size)
    other = spiel.load_game(f"go(board_size={size},max_game_length={LONGEST})").new_initial_state()
    state, chance, played = game.start(seed), random.Random(seed), list[str]()
    while True:
        theirs = _go_actions(other, size, counts)
        while theirs.keys() == {PASSING}:
            other.apply_action(theirs[PASSING])
            theirs = _go_actions(other, size, counts)
        mine = list(state.options().keys()) if state.decision is not None else []
        if set(mine) != theirs.keys():
            raise Differs(f"options {sorted(set(mine) ^ theirs.keys())} after {played}")
        if not mine:
            break
        played.append(chance.choice(mine))
        other.apply_action(theirs[played[-1]])
        state = state.apply(state.option(played[-1]))
        counts["decisions"] += 1
    assert state.result is not None
    winner = 0 if other.returns()[0] > 0 else 1
    if state.result.winners != (winner,):
        raise Differs(f"the winner after {played}: {state.result.scores}")
    counts[f"won by {game.seats[winner]}"] += 1


def _go_actions(state: Any, size: int, counts: Counter[str]) -> dict[str, int]:
    """What OpenSpiel lets a player do, by our keys, without what superko forbids; nothing at the end."""
    if state.is_terminal():
        return {}
    found = {_go_key(state.action_to_string(action), size): action for action in state.legal_actions()}
    again = [key for key, action in found.items() if _comes_again(state, action)]
    counts["moves that superko forbids"] += len(again)
    return {key: action for key, action in found.items() if key not in again}


def _comes_again(state: Any, action: int) -> bool:
    """Whether OpenSpiel ends the game as a draw after a stone there."""
    after = state.child(action)
    return bool(after.is_terminal()) and not any(after.returns())


# ---- all ------------------------------------------------------------------------------------------------------------

_LOADED: dict[str, Game] = {}
#: By name: what plays one game, the size of the board, the module that it is played beside.
GAMES: dict[str, tuple[Callable[[Any, int, int, Counter[str]], None], int, str]] = {
    "backgammon": (backgammon, 0, "pyspiel"),
    "chess": (chess, 0, "chess"),
    "go": (go, 9, "pyspiel"),
    "liars_dice": (liars_dice, 0, "pyspiel"),
    "spades": (spades, 0, "pyspiel"),
}


def _game(name: str, **options: int) -> Game:
    key = f"{name} {sorted(options.items())}"
    if key not in _LOADED:
        _LOADED[key] = load(name, options=options)
    return _LOADED[key]


def compare(name: str, games: int, size: int, seed: int) -> Counter[str]:
    """Plays so many games; what they came to. Raises Differs."""
    play, _, module = GAMES[name]
    peer: Any = importlib.import_module(module)
    counts: Counter[str] = Counter()
    for number in range(seed, seed + games):
        play(peer, size, number, counts)
        counts["games"] += 1
    return counts


def main(given: Sequence[str] | None = None) -> int:
    """Compares the games of one name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--size", type=int, help="of the board of Go")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    if importlib.util.find_spec(GAMES[arguments.game][2]) is None:
        print(f"The module {GAMES[arguments.game][2]} is not there: pip install 'rulespec[peers]'")
        return 2
    begun = time.process_time()
    try:
        found = compare(arguments.game, arguments.games, arguments.size or GAMES[arguments.game][1], arguments.seed)
    except Differs as difference:
        print(f"different: {difference}")
        return 1
    print(", ".join(f"{count:,} {what}" for what, count in found.items()))
    print(f"no difference, in {time.process_time() - begun:.0f} seconds of the processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
