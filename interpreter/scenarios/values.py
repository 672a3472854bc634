"""Cells in which single instructions can be followed, with the values of expressions in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.middle.facts import Facts
from interpreter.middle.layout import Layout
from interpreter.middle.values import Values
from rulespec.model.types import ListType

Cells = list[Any]


class WideValues(Values):
    """Values in cells behind which there are more: for the names that a block keeps in registers."""

    def __init__(self, facts: Facts):
        super().__init__(facts, _wide(facts))
        self._size = facts.layout.size
        self._empty = [() if isinstance(slot.type, ListType) else 0 for slot in facts.program.slots]

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
