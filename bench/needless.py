"""How many choices among several options change nothing: whatever is chosen, the same state follows.

    python -m bench.needless barcelona agora_barcelona metro --players 3 --seeds 4

Random games are played, once with every order asked (`asks: everything`) and once as the game is. A choice of at most
eight options is tried whole: each of its options, and of an order or a set all ways to the end of it. It changes
nothing where all of them lead to one state. Choices of more options are counted apart.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass

from interpreter import Game, State
from interpreter.game import load_source
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game

MOST_OPTIONS = 8
MOST_STATES = 400


@dataclass
class Count:
    """Choices among several options: how many were tried, how many of these change nothing, how many were not."""

    tried: int = 0
    needless: int = 0
    untried: int = 0

    def add(self, state: State) -> None:
        """Counts the choice at a state."""
        options = state.options()
        if len(options) < 2:
            return
        if len(options) > MOST_OPTIONS:
            self.untried += 1
            return
        changes = changes_something(state)
        self.untried += changes is None
        self.tried += changes is not None
        self.needless += changes is False


def changes_something(state: State) -> bool | None:
    """Whether different states follow from a choice, with all of an order or a set; None where they are too many."""
    ask, start = state.ask, state.cells[0]
    inside = ask.kind in ("next", "set") and not ask.optional
    ends: set[bytes] = set()
    known, waiting = {state.to_bytes()}, [state]
    while waiting:
        at = waiting.pop()
        for option in at.options():
            after = at.apply(option)
            key = after.to_bytes()
            if not inside or after.decision is None or after.cells[0] != start:
                ends.add(key)
            elif key not in known:
                known.add(key)
                waiting.append(after)
        if len(ends) > 1:
            return True
        if len(known) > MOST_STATES:
            return None
    return False


def play(game: Game, seed: int, count: Count, most: int) -> None:
    """Counts the choices of one random game, of at most so many decisions."""
    rng, state = random.Random(seed), game.start(seed)
    for _ in range(most):
        if state.decision is None:
            return
        count.add(state)
        state = state.apply(rng.choice(list(state.options())))


def measure(source: GameSource, players: int, seeds: int, most: int) -> None:
    """Prints a line for each way to ask."""
    for everything in (True, False):
        game, count = load_source(source, players=players, ask_everything=everything), Count()
        for seed in range(seeds):
            play(game, seed, count, most)
        share = 100 * count.needless / max(1, count.tried)
        said = "everything is asked" if everything else "as it is"
        print(f"{game.id}, {said}: {count.needless} of {count.tried} ({share:.1f} %); too large: {count.untried}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--most", type=int, default=400, help="decisions of one game")
    given = parser.parse_args()
    for name in given.games:
        source = read_game(name, Problems())
        if source is None:
            parser.error(f"There is no game {name}.")
        measure(source, given.players, given.seeds, given.most)


if __name__ == "__main__":
    main()
