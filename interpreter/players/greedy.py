"""The player who looks one step ahead: at the points that each option leads to, and at what the content hints at."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.imagine import imagine
from interpreter.options import Option
from interpreter.players.chance import Chance
from interpreter.players.outlook import lead, worth
from interpreter.state import State

#: How often each option is tried, each time with what is hidden imagined anew.
TRIALS = 2


class Greedy:
    """Takes the option after which the seat is furthest ahead of the best other one; of equals any.

    What counts are the points as they would be if the game ended there, and the hints of the content. The seat does not
    peek: options are tried in imagined states, in which everything that it cannot see is dealt anew.
    """

    def __init__(self, seat: int, chance: Chance):
        self.seat = seat
        self._chance = chance

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """The best option by what can be seen after it."""
        if len(options) == 1:
            return options[0]
        leads = [0.0] * len(options)
        keys = [option.key for option in options]
        for _ in range(TRIALS):
            imagined = imagine(state, self.seat, self._chance.below(1 << 32))
            known = {option.key: option for option in imagined.options()}
            for at, key in enumerate(keys):
                leads[at] += lead(worth(imagined.apply(known[key])), self.seat) if key in known else 0.0
        best = max(leads)
        return self._chance.one_of([o for o, lead in zip(options, leads, strict=True) if lead == best])
