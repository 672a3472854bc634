"""The player who chooses any option, each equally likely."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.chance import Chance
from interpreter.options import Option
from interpreter.state import State


class Uniform:
    """Plays at random."""

    def __init__(self, seat: int, chance: Chance):
        self.seat = seat
        self._chance = chance

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        """Any of the options."""
        return self._chance.one_of(options)
