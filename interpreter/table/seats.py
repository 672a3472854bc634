"""Who sits at a table: people, those of them who are away, and seats that play by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.players import HUMAN

RANDOM: Final = "random"
#: Whoever sits on no seat: sees what all see.
SPECTATOR: Final = -1


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays on each seat (`human`, or a name of `interpreter.players`), and the game's seed."""

    kinds: tuple[str, ...]
    seed: int

    @property
    def automatic(self) -> frozenset[int]:
        """The seats that play by themselves."""
        return frozenset(range(len(self.kinds))) - frozenset(self.humans)

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of people, whether they are there or away."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == HUMAN)

    def for_players(self, players: int) -> Seating:
        """The same people in a game of so many: seats that are new play at random."""
        kinds = self.kinds[:players]
        return Seating((*kinds, *(RANDOM,) * (players - len(kinds))), self.seed)


def viewer_of(humans: Sequence[int]) -> int:
    """Through whose eyes people at one screen look when nobody in particular decides."""
    return humans[0] if len(humans) == 1 else SPECTATOR
