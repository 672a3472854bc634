"""Looks ahead: an option exists only if the unit that is open can be completed from it.

The search goes depth first over the decisions of whoever chooses, declining and stopping first. It ends well
at the end of the outermost unit, or at a *horizon*: chance, what the chooser may not see, another player's
decision. Its nodes (answers tried at decisions behind the first, declining and stopping aside) are counted; past the
cap of the program an option is offered unexamined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.executor.asks import STOP
from interpreter.executor.runtime import FAILED
from interpreter.middle.analysis.cost import BLOCK
from interpreter.middle.faults import MOST_WORK, Overwork, Stuck
from interpreter.middle.layout import PIECES
from interpreter.middle.limits import MOST_DEEP
from interpreter.middle.pieces import copy_cells
from rulespec.lower.ir import Ask

if TYPE_CHECKING:
    from interpreter.executor.machine import Machine

Cells = list[Any]
_BLOCKS = range(20_000)  #: blocks from one position to the next decision
MOST_KNOWN = 100_000_000  #: bytes of positions that one search remembers, about


class LookAhead:
    """One search, for all options of one decision: `me` decides, `left` nodes remain, `known` holds what was found."""

    __slots__ = ("deep", "known", "left", "machine", "me", "most_known", "weight")

    def __init__(self, machine: Machine, me: int):
        self.machine = machine
        self.me = me
        self.left = machine.cap
        #: decisions that are being looked behind, one after the other
        self.deep = 0
        self.known: dict[Any, bool] = {}
        size = machine.compiled.facts.layout.size
        #: what one position counts as, in passes of loops
        self.weight = 50 + size // 20
        self.most_known = MOST_KNOWN // (8 * size + machine.compiled.facts.layout.piece_cells + 200)

    def spend(self, nodes: int = 1) -> bool:
        """Counts nodes; false where there are not as many left."""
        enough = self.left >= nodes
        self.left = self.left - nodes if enough else 0
        return enough

    def leads_on(self, c: Cells, pc: int, x: Any) -> bool:
        """Whether an answer to the decision at hand can be completed."""
        machine = self.machine
        ask = machine.compiled.facts.asks[pc]
        declines = x == 0 if ask.kind == "may" else x == STOP and ask.optional
        if declines and not c[machine.units]:
            return True
        d = copy_cells(c)
        return self.reaches(d, machine.answer(d, pc, x), 1)

    def reaches(self, c: Cells, pc: int, floor: int) -> bool:
        """Whether some continuation reaches the end of unit `floor`, or a horizon. The cells are used up."""
        machine = self.machine
        blocks, tries, work = machine.looks, machine.tries, machine.work
        for _ in _BLOCKS:
            block = blocks[pc]
            if block is not None:
                work[0] += BLOCK
                pc = block(c, floor, None)
                if pc < 0:
                    return pc > FAILED
            elif pc in tries:
                inside = self.completes_alone(c, pc)
                pc = machine.enter_try(c, pc) if inside else machine.compiled.facts.structure.middle[pc] + 1
            else:
                break
        else:
            raise Stuck(pc)
        if work[0] > MOST_WORK:
            raise Overwork(pc)
        return self._decides(c, pc, floor)

    def count(self, pc: int, options: int) -> None:
        """Counts the positions that were tried for so many options. Raises Overwork past the bound of one decision."""
        work = self.machine.work
        work[0] += (options + self.machine.cap - self.left) * self.weight
        if work[0] > MOST_WORK:
            raise Overwork(pc)

    def completes_alone(self, c: Cells, pc: int) -> bool:
        """Whether what a `try` holds can be completed by itself."""
        d = copy_cells(c)
        floor = d[self.machine.units] + 1
        return self.reaches(d, self.machine.enter_try(d, pc), floor)

    def _decides(self, c: Cells, pc: int, floor: int) -> bool:
        """A decision on the way: somebody else's is a horizon; of one's own, one good answer is enough."""
        machine = self.machine
        ask = machine.compiled.facts.asks[pc]
        if ask.chance or c[machine.me] != self.me or not c[machine.units]:
            return True
        if pc in machine.declinable:
            return True
        key = (pc, floor, bytes(c[PIECES]), *c[PIECES + 1 : machine.lasting])
        found = self.known.get(key)
        if found is None:
            self.deep += 1
            if self.deep > MOST_DEEP:
                raise Overwork(pc)
            found = self._some(c, pc, ask, floor)
            self.deep -= 1
            if len(self.known) < self.most_known:
                self.known[key] = found
        return found

    def _some(self, c: Cells, pc: int, ask: Ask, floor: int) -> bool:
        machine = self.machine
        if pc in machine.guards:
            _, first, deep = machine.guards[pc]
            tried = first(c) if deep or c[machine.units] == 1 else None
            if tried is not None:
                enough = self.spend(tried if tried > 0 else -1 - tried)
                return tried > 0 or not enough
        if ask.kind == "set" and not ask.optional:
            return machine.picks(self, c, pc).completes_now(floor)
        candidates = machine.candidates(c, pc)
        declines_first = ask.kind == "may" or ask.optional
        for i, x in enumerate(reversed(candidates) if declines_first else candidates):
            if (i or not declines_first) and not self.spend():
                return True
            d = copy_cells(c)
            if self.reaches(d, machine.answer(d, pc, x), floor):
                return True
        return False
