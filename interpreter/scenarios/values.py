"""Cells in which single instructions can be followed, with the values of expressions in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.middle.facts import Facts
from interpreter.middle.layout import Layout
from interpreter.middle.values import Values
from interpreter.reference.decisions import candidates
from interpreter.reference.position import faults_told
from rulespec.model.types import ListType

Cells = list[Any]


class WideValues(Values):
    """Values in cells behind which there are more: for the names that a block keeps in registers."""

    def __init__(self, facts: Facts):
        super().__init__(facts, _wide(facts))
        self._size = facts.layout.size
        self._asks = facts.asks
        self._empty = [() if isinstance(slot.type, ListType) else 0 for slot in facts.program.slots]

    def candidates(self, cells: Cells, at: int) -> list[Any]:
        """All candidates of a decision."""
        p = self.position(cells)
        with faults_told(p):
            return candidates(p, self._asks[at])

    def answer(self, cells: Cells, at: int, given: Any) -> None:
        """Writes an answer to a decision."""
        p = self.conversion.view(cells)
        self.reference.answer(p, at, given)
        for slot, cell in self.layout.slots.items():
            cells[cell] = p.slots[slot]

    def widen(self, cells: Cells) -> Cells:
        """A copy with the further cells."""
        return [*cells, *self._empty]

    def narrow(self, cells: Cells) -> Cells:
        """The cells of the state alone."""
        return cells[: self._size]


def _wide(facts: Facts) -> Layout:
    layout = facts.layout
    slots = dict(layout.slots)
    for slot in range(len(facts.program.slots)):
        slots.setdefault(slot, layout.size + slot)
    return replace(layout, slots=slots, size=layout.size + len(facts.program.slots))
