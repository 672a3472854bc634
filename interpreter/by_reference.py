"""The reference as it plays a game whose states are cells: what comes next, options, results.

What the native executor does not do is done here: the first steps of a game, what is too much for it, all where it is
not there.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from interpreter.middle.cells import Conversion
from interpreter.middle.events import Moment
from interpreter.middle.facts import Facts
from interpreter.middle.pieces import copy_cells
from interpreter.reference.decisions import candidates
from interpreter.reference.events import Events, Watch
from interpreter.reference.machine import Reference
from interpreter.reference.position import MOST_WORK, Position, faults_told
from rulespec.diagnostics.model import ContentError
from rulespec.lower.ir import Ir
from rulespec.program.meaning import NO_NAMES, Names

Cells = list[Any]


class Impatient(Exception):
    """A step was broken off: somebody else is to do it."""


class ByReference:
    """One game's reference, which takes and gives cells.

    `worked` is how much it has done so far: instructions, and members of sources that were looked at. With `ran`, it
    notes there which instructions and functions ran; what a look-ahead tries does not count.
    """

    def __init__(self, facts: Facts, ran: set[str | int] | None = None):
        self.facts = facts
        self.instrs = facts.program.instrs
        self.procs = {p.id: p for p in facts.program.procs}
        regions = facts.layout.regions
        self.me, self.units, self.over = regions["me"], regions["units"], regions["over"]
        self.worked = 0
        self.reference = facts.values.reference if ran is None else Reference(facts.program, ran)
        self._conversion = Conversion(self.reference.game, facts.layout, facts.pieces)

    # ---- play ----

    def begin(self, seed: int) -> Cells:
        """The cells of a new game, before anything has run."""
        cells = copy_cells(self.facts.empty)
        self._conversion.write(self.reference.begin(seed), cells)
        return cells

    def run(
        self,
        c: Cells,
        pc: int,
        sink: list[Any] | None = None,
        *,
        most: int = MOST_WORK,
        conditions: bool = False,
        watch: Watch | None = None,
    ) -> list[Any] | None:
        """Goes on from an instruction to the next decision; its options, or None when the game is over.

        The cells are those of that decision then. A `sink` is told what happened, with `conditions` also of those that
        held; with one, a `watch` looks on. Raises ContentError where the content is at fault, and Impatient where
        `most` is less work than a step may take, and it is more than that: then the cells are as they were.
        """
        p = self._conversion.position(c)
        told = None if sink is None else Events(conditions=conditions, watch=watch)
        try:
            found = self.reference.play(p, pc, told, most=most)
        except ContentError:
            if most < MOST_WORK and p.work[0] > most:
                raise Impatient from None
            raise
        finally:
            self.worked += p.work[0]
        self._conversion.write(p, c)
        self._tell(sink, told)
        return found

    def run_to(self, c: Cells, pc: int, ends: Collection[int], sink: list[Any] | None = None) -> list[Any] | None:
        """As `run`, but no further than to one of these instructions: None there, too, and the game is not over."""
        p = self._conversion.position(c)
        told = None if sink is None else Events()
        try:
            found = self.reference.play(p, pc, told, until=ends)
        finally:
            self.worked += p.work[0]
        self._conversion.write(p, c)
        self._tell(sink, told)
        return found

    def _tell(self, sink: list[Any] | None, told: Events | None) -> None:
        if sink is not None:
            sink += [tuple(self._plain(part) for part in event) for event in told or ()]

    def options(self, c: Cells, pc: int) -> list[Any]:
        """The options of a decision. Raises ContentError where the content is at fault."""
        p = self._conversion.position(c)
        p.at = pc
        try:
            return self.reference.options(p)
        finally:
            self.worked += p.work[0]

    def candidates(self, c: Cells, pc: int) -> list[Any]:
        """All candidates of a decision, those from which its unit cannot be completed among them."""
        p = self._conversion.view(c)
        with faults_told(p):
            return candidates(p, self.facts.asks[pc])

    def answer(self, c: Cells, pc: int, candidate: Any) -> int:
        """Writes an answer; gives where to go on."""
        p = self._conversion.view(c)
        behind = self.reference.answer(p, pc, candidate)
        for slot, cell in self.facts.layout.slots.items():
            c[cell] = p.slots[slot]
        return behind

    def on_to(self, c: Cells, pc: int, action: str) -> Cells | None:
        """The cells at the decision of an action, or of that name, where play comes to it from an instruction."""
        values = self.facts.values  # nobody has played this: it is not noted as run
        p = values.conversion.position(c)
        if not values.reference.comes_to(p, pc, lambda ask: action in (ask.action, ask.id)):
            return None
        found = copy_cells(c)
        values.conversion.write(p, found)
        return found

    def set_up(self, c: Cells) -> None:
        """Runs the set-up and stops before the flow. What set-up asks is answered with the first option."""
        p = self._conversion.position(c)
        self.reference.set_up(p)
        self._conversion.write(p, c)

    def watch(self, c: Cells) -> None:
        """Notes which conditions are true as things stand, after cells were set from outside."""
        p = self._conversion.position(c)
        self.reference.watch(p)
        self._conversion.write(p, c)

    # ---- values ----

    def result(self, c: Cells) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """Points by seat, and seats by place, as if the game ended there."""
        return self.reference.result(self._conversion.view(c))

    def value(self, node: Ir, c: Cells, names: Names = NO_NAMES) -> Any:
        """The value of an expression, with those of its variables by name."""
        p = self._conversion.view(c)
        with faults_told(p):
            return p.value(node, names)

    def _plain(self, part: Any) -> Any:
        """A part of an event; of a moment its state."""
        if not isinstance(part, Position):
            return part
        return Moment(self.reference.to_bytes(part), self.facts.rooms)
