"""Values of expressions in the cells of a state, by the reference: of texts, drawings and scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.middle.cells import Conversion
from interpreter.middle.layout import Layout
from interpreter.middle.pieces import copy_cells
from interpreter.reference.machine import Reference
from interpreter.reference.position import Position, faults_told
from rulespec.lower.ir import Ir
from rulespec.program.meaning import NO_NAMES, Names

if TYPE_CHECKING:
    from interpreter.middle.facts import Facts

Cells = list[Any]


class _Tables(dict[str, Any]):
    """The tables of a program; one that only later expressions have is looked up among those of the declarations, which
    are made of the content again when that is first done.
    """

    def __init__(self, own: Mapping[str, Any], others: Callable[[], Mapping[str, Any]]):
        super().__init__(own)
        self._others = others

    def __missing__(self, name: str) -> Any:
        return self._others()[name]


class Values:
    """Asks the reference for the values of one game's expressions, also of those that are lowered after the program.

    The last cells that were asked for are remembered as a position: texts and drawings ask much of one state.
    """

    def __init__(self, facts: Facts, layout: Layout | None = None):
        self._facts = facts
        self.layout = facts.layout if layout is None else layout
        self._last: tuple[Cells, Position] | None = None

    @cached_property
    def reference(self) -> Reference:
        """The meaning of the program as it was written, with all tables that there are."""
        built = self._facts.built
        declared = built.program.declared
        tables = _Tables(declared.tables, lambda: built.world.tables)
        return Reference(replace(built.program, declared=replace(declared, tables=tables)))

    @cached_property
    def conversion(self) -> Conversion:
        """Cells as positions, and back."""
        return Conversion(self.reference.game, self.layout, self._facts.pieces)

    def of(self, node: Ir, cells: Cells, names: Names = NO_NAMES) -> Any:
        """The value of an expression, with those of its variables by name. Raises ContentError for a fault."""
        p = self.position(cells)
        with faults_told(p):
            return p.value(node, names)

    def position(self, cells: Cells) -> Position:
        """Cells as a position, whose expressions can be computed; it is not played on."""
        last = self._last
        if last is None or last[0] != cells:
            kept = copy_cells(cells)
            last = self._last = kept, self.conversion.view(kept)
        return last[1]
