"""How long a picture takes, and how long it is: `python -m bench.pictures [GAME:PLAYERS ...]`.

Positions are those after 90 decisions of one random game.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Final

from interpreter import State, load
from interpreter.draw.vector import Vector

GAMES: Final = ("metro:4", "barcelona:3")
DECISIONS: Final = 90
TIMES: Final = 10


def main() -> None:
    """Prints a line for each game."""
    for wanted in sys.argv[1:] or GAMES:
        name, _, players = wanted.partition(":")
        state = _position(name, int(players or 2))
        vector = Vector(state.game, state.game.texts("en"))
        size = len(vector.svg(state, 0))  # what is found once is found by now
        began = time.process_time()
        for _ in range(TIMES):
            vector.svg(state, 0)
        spent = (time.process_time() - began) / TIMES
        print(f"{wanted}: {spent * 1000:.0f} ms, {size:,} characters")


def _position(name: str, players: int) -> State:
    chance = random.Random(4)
    state = load(name, players=players).start(4)
    for _ in range(DECISIONS):
        if state.decision is None:
            break
        options = state.options()
        state = state.apply(options[chance.randrange(len(options))])
    return state


if __name__ == "__main__":
    main()
