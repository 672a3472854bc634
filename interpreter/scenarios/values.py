"""Cells in which single instructions can be followed, with the values of expressions in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.executor.compile import Compiled
from interpreter.executor.values import Values
from interpreter.middle.layout import Layout
from rulespec.model.types import ListType

Cells = list[Any]


class WideValues(Values):
    """Values in cells behind which there are more: for the names that a block keeps in registers."""

    def __init__(self, compiled: Compiled):
        super().__init__(compiled, _wide(compiled))
        self._size = compiled.facts.layout.size
        self._empty = [() if isinstance(slot.type, ListType) else 0 for slot in compiled.facts.program.slots]

    def widen(self, cells: Cells) -> Cells:
        """A copy with the further cells."""
        return [*cells, *self._empty]

    def narrow(self, cells: Cells) -> Cells:
        """The cells of the state alone."""
        return cells[: self._size]


def _wide(compiled: Compiled) -> Layout:
    layout = compiled.facts.layout
    slots = dict(layout.slots)
    for slot in range(len(compiled.facts.program.slots)):
        slots.setdefault(slot, layout.size + slot)
    return replace(layout, slots=slots, size=layout.size + len(compiled.facts.program.slots))
