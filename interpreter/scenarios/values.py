"""Values of expressions that stand in a scenario or an instruction, computed on the cells of a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.executor.compile import Compiled
from interpreter.executor.layout import Layout
from interpreter.executor.writing import Source
from rulespec.lower.ir import Const, Ir

Cells = list[Any]


class Values:
    """Compiles expressions when they are first asked for.

    With `everything`, cells are made behind those of the state for the names that a block keeps in registers, so
    that single instructions can be followed: `widen` and `narrow` add and drop those cells.
    """

    def __init__(self, compiled: Compiled, *, everything: bool = False):
        self.compiled = compiled
        self.temps = frozenset() if everything else compiled.structure.temps
        self.layout = _wide(compiled) if everything else compiled.layout
        self._made: dict[int, tuple[Ir, Callable[[Cells], Any]]] = {}

    def of(self, ir: Ir, cells: Cells) -> Any:
        """The value of an expression."""
        if isinstance(ir, Const):
            return ir.value
        if id(ir) not in self._made:
            self._made[id(ir)] = (ir, self._compile(ir))
        return self._made[id(ir)][1](cells)

    def _compile(self, ir: Ir) -> Callable[[Cells], Any]:
        source = Source(self.compiled.declared_now, self.layout, self.temps)
        source.indent = 0
        source.line("def value(c):")
        source.indent = 1
        source.line(f"return {source.ex(ir)}")
        namespace = {**self.compiled.namespace, **source.constants}
        exec(compile("\n".join(source.lines), "<rulespec scenario>", "exec"), namespace)  # noqa: S102 - from the typed form
        made: Callable[[Cells], Any] = namespace["value"]
        return made

    def widen(self, cells: Cells) -> Cells:
        """A copy with the further cells."""
        return [*cells, *[0] * (self.layout.size - len(cells))]

    def narrow(self, cells: Cells) -> Cells:
        """The cells of the state alone."""
        return cells[: self.compiled.layout.size]


def _wide(compiled: Compiled) -> Layout:
    layout = compiled.layout
    slots = dict(layout.slots)
    for slot in range(len(compiled.program.slots)):
        slots.setdefault(slot, layout.size + slot)
    return replace(layout, slots=slots, size=layout.size + len(compiled.program.slots))
