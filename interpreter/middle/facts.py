"""All that is known of one game's program before it is played, found once for whoever plays it."""

from __future__ import annotations

from functools import cached_property
from threading import RLock
from typing import Any

from interpreter.middle import shapes
from interpreter.middle.analysis.control_flow import analyse, handlers_of
from interpreter.middle.analysis.guards import Guard, find_guard
from interpreter.middle.analysis.infallibility import Infallibility
from interpreter.middle.analysis.memoised import remembering
from interpreter.middle.layout import fresh_cells, lay_out, rooms
from interpreter.middle.passes.simplify import Simplifier
from interpreter.middle.pieces import Cells, Pieces, pieces_of
from interpreter.middle.values import Values
from rulespec.built import Built
from rulespec.lower.ir import Ask
from rulespec.model.world import World


class Facts:
    """Facts about the program of a built game.

    `program` is it as it was written, `simple` the same with simpler expressions, and `declared` what that speaks of.
    `structure` is its control flow, `handlers` the innermost unit around each instruction; `layout` and `rooms` say how
    a state lies in cells and bytes; `asks` are its decisions by instruction. `lock` is held by whoever makes something
    of an expression for the first time: expressions are made simpler when they are first looked at.
    """

    def __init__(self, built: Built):
        self.built = built
        self.program = built.program
        self.structure = analyse(built.program)
        declared = built.program.declared
        self.simplifier = Simplifier(declared, remembering(declared))
        self.simple, self.declared = self.simplifier.later(built.program), self.simplifier.declared
        self.layout = lay_out(self.declared, self.simple, self.structure.outlive)
        self.rooms = rooms(self.declared, self.program, self.layout)
        self.asks: dict[int, Ask] = {at: i.args[0] for at, i in enumerate(self.program.instrs) if i.op == "ask"}
        self.handlers = handlers_of(self.program)
        self.lock = RLock()
        self._infallibility = Infallibility(self.declared, self.simple, self.structure, self.program)
        self._proofs: dict[int, Guard | None] = {}

    @property
    def world(self) -> World:
        """The declarations."""
        return self.built.world

    @cached_property
    def empty(self) -> list[Any]:
        """The cells before set-up."""
        return fresh_cells(self.declared, self.program, self.layout)

    @cached_property
    def pieces(self) -> Pieces:
        """Pieces in the cells of a state."""
        return pieces_of(self.declared, self.layout)

    @cached_property
    def values(self) -> Values:
        """The values of expressions in cells: of what was lowered later too, for texts, scenarios, drawings."""
        return Values(self)

    def unwind(self, cells: Cells) -> None:
        """Leaves every block and unit that is open."""
        for cell in self.layout.slots.values():
            cells[cell] = self.empty[cell]
        for region in ("units", "together"):
            cells[self.layout.regions[region]] = 0

    def proof(self, at: int) -> Guard | None:
        """How the options of an ask are found without looking ahead; None where it has to be looked ahead."""
        with self.lock:
            if at not in self._proofs:
                self._proofs[at] = find_guard(self.declared, self.simple, self._infallibility, at)
            return self._proofs[at]

    @cached_property
    def shape(self) -> shapes.Shape:
        """What all proofs have found: known from before, or sought."""
        known = shapes.recalled(self)
        return self._sought() if known is None else known

    def _sought(self) -> shapes.Shape:
        for instr in self.simple.instrs:
            assert instr.args is not None  # made simpler in this order
        found = {at: guard.deep for at in self.asks if (guard := self.proof(at)) is not None}
        known = shapes.Shape(found, frozenset(filter(self._infallibility.if_declined, self.asks)))
        self.simplifier.all_bodies()
        if self.simplifier.has_found_all and self._infallibility.has_looked_at_all:
            shapes.keep(self, known)
        return known
