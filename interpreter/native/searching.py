"""Searches in the module as the rest of the program sees them: one tree at a time, for one seat at one decision."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.native import branches
from interpreter.native.engine import Bailed
from interpreter.native.executor import Native, signed

_BRANCH = struct.Struct("<7i4xdd")
_GATHERED = struct.Struct("<i4xd")


@dataclass(frozen=True, slots=True)
class Grown:
    """A branch of the tree: its address and that of the one above (0: the root), where it was asked and who chose.

    What is known of a choice wherever it is made hangs on `EVERYWHERE`. Then how often it could be and was taken, what
    it brought, how a guided search leaned to it at first, and the numbers of what is chosen: a piece as its place
    times the number of codes, plus its code.
    """

    address: int
    above: int
    at: int
    seat: int
    offered: int
    taken: int
    gained: float
    lean: float
    choice: array[int]


class Searching:
    """The search at one decision. Whoever uses it holds `native.alone` from beginning to end."""

    def __init__(self, native: Native, state: bytes, seat: int, seed: int):
        self.native, self.seat, self._seed = native, seat, seed
        self._engine, self._made = native.engine, native.made
        native.write(self._made.begun, state)
        #: how many rounds there were, of which each draws by the seed plus its number
        self.rounds = 0
        self._planted = 0

    def begin(self, most: int | None, known: int = 0, trials: int = 0) -> None:
        """A new tree, for at most so many branches; what of so many choices is known guides it, if any may be known.

        With trials each option is first tried so often, by the seeds behind those of all rounds. Raises Bailed then.
        """
        slots = branches.slots_for(most, known)
        self._engine.call("sow", self._made.state, self.seat, signed(self._seed), slots, known, trials)
        self._planted = self._engine.variable("branches") if trials else 0

    def grow(self, amount: int) -> None:
        """So many rounds. Raises Bailed in the middle of one: `rounds` are those before it, of which `grown` tells."""
        made = self._made
        try:
            self._engine.call("grow", made.state, self.seat, signed(self._seed), self.rounds, amount)
        except Bailed:
            self.rounds += self._engine.variable("done")
            raise
        self.rounds += amount

    def tried(self, amount: int) -> list[tuple[int, float]]:
        """Of each of so many options: how often it was taken, and what it brought. Raises Bailed."""
        made = self._made
        room = made.outcomes_room // _GATHERED.size
        found: list[tuple[int, float]] = []
        for first in range(0, amount, room):
            part = min(room, amount - first)
            self._engine.call("gathered", made.state, first, part, made.outcomes)
            found += _GATHERED.iter_unpack(self._engine.read(made.outcomes, part * _GATHERED.size))
        return found

    # ---- trying each option once ----

    def plant(self) -> None:
        """A branch for each option of the real state; `begin` was called. Raises Bailed."""
        self._engine.call("plant", self._made.state)
        self._planted = self._engine.variable("branches")

    def try_each(self, seed: int, number: int) -> None:
        """Imagines a state and adds to each option how far ahead the seat is after it. Raises Bailed.

        `number` tells this time from others, from 1.
        """
        self._engine.call("tries", self._made.state, self.seat, signed(seed), number)

    def lean(self, trials: int, leads: Sequence[float]) -> None:
        """How a guided search leans at first, by how far ahead each planted option has led in trials, added up."""
        made = self._made
        for number, lead in enumerate(leads, 1):
            self._engine.write(made.branches + number * made.branch + branches.GAINED, struct.pack("<d", lead))
        self._engine.call("lean", trials)

    # ---- the tree ----

    @property
    def valued(self) -> tuple[int, float]:
        """In how many positions leads were seen, and the usual one."""
        (spread,) = struct.unpack("<d", self._engine.read(self._made.spread, 8))
        return self._engine.variable("valued"), spread

    @property
    def brought(self) -> tuple[float, ...]:
        """What all rounds of a guided search have brought to each seat."""
        players = self.native.players
        return struct.unpack(f"<{players}d", self._engine.read(self._made.brought, 8 * players))

    def grown(self) -> Iterator[Grown]:
        """The branches as they were after the last round that was not broken off; those above come first."""
        made = self._made
        end, broken = self._engine.variable("branches"), self.rounds + 1
        data = self._engine.read(made.branches, end - made.branches)
        for start in range(made.branch, len(data), made.branch):
            above, at, seat, offered, taken, before, last, gained, lean = _BRANCH.unpack_from(data, start)
            if taken or made.branches + start < self._planted:
                choice = array("i", data[start + branches.CHOICE :][: 4 * made.words[at]])
                above = 0 if above == made.branches else above
                offered = before if last == broken else offered
                yield Grown(made.branches + start, above, at, seat, offered, taken, gained, lean, choice)
