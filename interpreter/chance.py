"""A stream of chance beside the game's own: what a player draws shifts no draw of the game, or of another player."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from interpreter import rng

Item = TypeVar("Item")


class Chance:
    """Numbers from the stream of one purpose and seed.

    >>> Chance(7, "player 0").below(6) == Chance(7, "player 0").below(6)
    True
    """

    def __init__(self, seed: int, purpose: str):
        self._increment = rng.increment(purpose)
        self._state = rng.seed_stream(seed, purpose)

    def below(self, bound: int) -> int:
        """A number in `0..bound-1`, each equally likely."""
        self._state, value = rng.below(self._state, self._increment, bound)
        return value

    def one_of(self, items: Sequence[Item]) -> Item:
        """One of the items, each equally likely. IndexError where there is none."""
        if not items:
            raise IndexError("nothing to choose from")
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Puts items into a random order, in place."""
        self._state = rng.shuffle(self._state, self._increment, items)
