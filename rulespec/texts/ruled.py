"""What a person has decided of pairs, as alignment obeys it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

Pair = tuple[int, int]
#: Clauses of each language, by their places in their documents.
Sides = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Hand:
    """Clauses that are one pair, and clauses that are none."""

    joined: tuple[Sides, ...] = ()
    split: tuple[Sides, ...] = ()

    def named_in(self, language: str) -> set[int]:
        """The clauses of a language that something is decided of."""
        return {n for sides in (*self.joined, *self.split) for n in sides.get(language, ())}


#: Nothing is decided of any document.
NOTHING: Final = Hand()


@dataclass(frozen=True)
class Ruled:
    """`joined`: items of the left and of the right that are one bead and have no other partners. `apart`: an item of
    the left and one of the right that are never in one bead; `unmixed`: two of the left that are not either.
    """

    joined: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    apart: frozenset[Pair] = frozenset()
    unmixed: frozenset[Pair] = frozenset()

    def free(self, side: int, number: int) -> list[int]:
        """The positions of a side (0 the left one, 1 the right one) that are not joined."""
        taken = {n for pair in self.joined for n in pair[side]}
        return [n for n in range(number) if n not in taken]

    def among(self, lefts: Iterable[int], rights: Iterable[int]) -> Ruled:
        """What is decided of some items alone, by their places among these."""
        left, right = _places(lefts), _places(rights)
        apart = {(left[i], right[j]) for i, j in self.apart if i in left and j in right}
        unmixed = {(left[i], left[j]) for i, j in self.unmixed if i in left and j in left}
        return Ruled((), frozenset(apart), frozenset(unmixed))


#: Nothing is decided.
FREE: Final = Ruled()


def _places(items: Iterable[int]) -> dict[int, int]:
    return {n: place for place, n in enumerate(items)}


def gaps(positions: list[int]) -> frozenset[int]:
    """The places in a list of positions before which some were left out: what stands there does not follow."""
    return frozenset(k for k in range(1, len(positions)) if positions[k] - positions[k - 1] > 1)
