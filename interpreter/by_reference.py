"""The reference in the place of the Python executor: it finds what comes next, and options; all else is as it was.

game.machine = ByReference(game.facts)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.executor.machine import Machine
from interpreter.middle.events import Events as Sink
from interpreter.middle.facts import Facts
from interpreter.middle.faults import Fault, content_error
from interpreter.middle.layout import from_bytes, to_bytes
from interpreter.reference.events import Events
from interpreter.reference.machine import Reference
from interpreter.reference.position import Position
from rulespec.lower.ir import Ask, Ir

Cells = list[Any]


class _Quick:
    """What can be completed, found by the Python executor: the same as the reference finds, far sooner."""

    def __init__(self, by: ByReference, machine: Machine):
        self._by, self._machine = by, machine

    def options(self, p: Position, at: int, ask: Ask) -> list[Any]:
        """The options of a decision."""
        return self._machine.options(self._by.cells(p), at)

    def completes_alone(self, p: Position, at: int) -> bool:
        """Whether what a `try` holds can be completed by itself."""
        return self._machine.completes_alone(self._by.cells(p), at)


class ByReference:
    """One game's reference, which takes and gives cells as the Python executor has them.

    With `quick`, an executor that finds options sooner, only what happens on the way is done by the reference: events
    then tell which conditions held, what those were made of, and where nobody could foresee what comes.
    """

    def __init__(self, facts: Facts, quick: Machine | None = None):
        self.facts = facts
        self.instrs = facts.program.instrs
        self.procs = {p.id: p for p in facts.program.procs}
        regions = facts.layout.regions
        self.me, self.units, self.over = regions["me"], regions["units"], regions["over"]
        self._conditions = quick is not None
        self.reference = Reference(facts.program, None if quick is None else _Quick(self, quick))

    def begin(self, seed: int) -> Cells:
        """The cells of a new game, before anything has run."""
        return self.cells(self.reference.begin(seed))

    def run(self, c: Cells, pc: int, sink: Sink | None = None) -> list[Any] | None:
        """As the Python executor's."""
        p = self._position(c)
        told = None if sink is None else Events(conditions=self._conditions)
        found = self.reference.play(p, pc, told)
        c[:] = self.cells(p)
        if sink is not None:
            self._tell(told or (), sink)
        return found

    def _tell(self, told: Iterable[tuple[Any, ...]], sink: Sink) -> None:
        try:
            for event in told:
                sink.append(tuple(self._plain(part) for part in event))
        except Fault as fault:  # more than is kept of one decision
            raise content_error(fault, self.instrs) from None

    def options(self, c: Cells, pc: int) -> list[Any]:
        """As the Python executor's."""
        p = self._position(c)
        p.at = pc
        return self.reference.options(p)

    def on_to(self, c: Cells, pc: int, action: str) -> Cells | None:
        """The cells at the decision of an action, or of that name, where play comes to it from an instruction."""
        p = self._position(c)
        return self.cells(p) if self.reference.comes_to(p, pc, lambda ask: action in (ask.action, ask.id)) else None

    def answer(self, c: Cells, pc: int, candidate: Any) -> int:
        """Writes an answer; gives where to go on."""
        p = self._position(c)
        behind = self.reference.answer(p, pc, candidate)
        c[:] = self.cells(p)
        return behind

    def set_up(self, c: Cells) -> None:
        """As the Python executor's."""
        p = self._position(c)
        self.reference.set_up(p)
        c[:] = self.cells(p)

    def watch(self, c: Cells) -> None:
        """As the Python executor's."""
        p = self._position(c)
        self.reference.watch(p)
        c[:] = self.cells(p)

    def result(self, c: Cells) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """As the Python executor's."""
        return self.reference.result(self._position(c))

    def value(self, node: Ir, c: Cells) -> Any:
        """The value of an expression without free variables."""
        return self._position(c).value(node)

    # ---- cells and positions ----

    def _position(self, c: Cells) -> Position:
        p = self.reference.from_bytes(to_bytes(c, self.facts.rooms))
        for slot, cell in self.facts.layout.slots.items():
            p.slots[slot] = c[cell]  # in the middle of a decision more is needed than the state
        return p

    def cells(self, p: Position) -> Cells:
        """A position as cells, with what is needed in the middle of a decision."""
        c: Cells = from_bytes(self.reference.to_bytes(p), self.facts.rooms)
        for slot, cell in self.facts.layout.slots.items():
            c[cell] = p.slots[slot]
        return c

    def _plain(self, part: Any) -> Any:
        """A part of an event; a moment as cells."""
        return self.cells(part) if isinstance(part, Position) else part
