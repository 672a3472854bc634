"""The reference in the place of the Python executor: it finds what comes next, and options; all else is as it was.

game.machine = ByReference(game.compiled)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.executor.compile import Compiled
from interpreter.executor.faults import Fault, content_error
from interpreter.executor.machine import Machine
from interpreter.executor.runtime import Events as Sink
from interpreter.middle.layout import from_bytes, to_bytes
from interpreter.reference.events import Events
from interpreter.reference.instructions import enter_try
from interpreter.reference.machine import Reference
from interpreter.reference.position import Position
from rulespec.lower.ir import Ask, Ir

Cells = list[Any]


class _Led(Reference):
    """The reference, for what happens on the way alone: what can be completed the Python executor finds, far sooner."""

    def __init__(self, by: ByReference):
        super().__init__(by.compiled.facts.program)
        self._by, self._quick = by, Machine(by.compiled)

    def _options(self, p: Position, at: int, ask: Ask) -> list[Any]:
        return self._quick.options(self._by.cells(p), at)

    def _try(self, p: Position, at: int) -> int:
        if not p.units or self._quick.completes_alone(self._by.cells(p), at):
            return enter_try(p, at)
        return self.game.blocks.middle[at] + 1


class ByReference(Machine):
    """One game's reference, which takes and gives cells as the Python executor has them.

    With `conditions`, events tell which conditions held and what those were made of, and where nobody could foresee
    what comes; options are then found by the Python executor.
    """

    def __init__(self, compiled: Compiled, *, conditions: bool = False):
        super().__init__(compiled)
        self._conditions = conditions
        self.reference = _Led(self) if conditions else Reference(compiled.facts.program)

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
        p = self.reference.from_bytes(to_bytes(c, self.compiled.facts.rooms))
        for slot, cell in self.compiled.facts.layout.slots.items():
            p.slots[slot] = c[cell]  # in the middle of a decision more is needed than the state
        return p

    def cells(self, p: Position) -> Cells:
        """A position as cells, with what is needed in the middle of a decision."""
        c: Cells = from_bytes(self.reference.to_bytes(p), self.compiled.facts.rooms)
        for slot, cell in self.compiled.facts.layout.slots.items():
            c[cell] = p.slots[slot]
        return c

    def _plain(self, part: Any) -> Any:
        """A part of an event; a moment as cells."""
        return self.cells(part) if isinstance(part, Position) else part
