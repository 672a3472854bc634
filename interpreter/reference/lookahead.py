"""Looking ahead: an option is offered if the open unit can be completed from it.

Some continuation reaches the end of the outermost open unit, or a horizon. The search goes depth first, declining and
stopping first. Each answer tried at a decision behind the first is a node, declining and stopping aside; past the cap
of the program an option is offered unexamined.
"""

from __future__ import annotations

from typing import Any

from interpreter.reference.decisions import DECLINE, STOP, answer, candidates
from interpreter.reference.faults import CanBeCompleted, Fails, stuck
from interpreter.reference.instructions import Run, enter_try
from interpreter.reference.position import Position
from interpreter.reference.sets import Picks
from rulespec.lower.ir import Ask

#: how many instructions may follow one another without a decision
MOST_INSTRUCTIONS = 200_000


class LookAhead:
    """One search, for all options of one decision of `me`; `left` nodes remain."""

    def __init__(self, p: Position):
        self.me = p.me
        self.left = p.game.program.look_cap
        #: by the key of a position at a decision: whether it can be completed
        self._known: dict[tuple[Any, ...], bool] = {}

    def spend(self) -> bool:
        """Counts a node; false where none is left."""
        has_one = self.left > 0
        self.left -= has_one
        return has_one

    def options(self, p: Position, at: int, ask: Ask) -> list[Any]:
        """The answers to the decision at hand from which the open unit can be completed."""
        if ask.kind == "set" and not ask.optional:
            return Picks(p, at, ask, self).options()
        return [given for given in offered(p, at, ask, self) if self._leads_on(p, at, ask, given)]

    def _leads_on(self, p: Position, at: int, ask: Ask, given: Any) -> bool:
        """Whether an answer can be completed. Outside every unit everybody may decline."""
        if declines(ask, given) and not p.units:
            return True
        tried = p.copy()
        return self.reaches(tried, answer(tried, at, ask, given), 1)

    def reaches(self, p: Position, at: int, floor: int) -> bool:
        """Whether some continuation reaches the end of unit `floor`, or a horizon. The position is used up."""
        instrs, run = p.game.instrs, Run(p, floor)
        try:
            for _ in range(MOST_INSTRUCTIONS):
                op = instrs[at].op
                if op == "ask":
                    return self._decides(p, at, instrs[at].args[0], floor)
                if op == "try":
                    at = enter_try(p, at) if self.completes_alone(p, at) else p.game.blocks.middle[at] + 1
                elif op == "halt":
                    return True
                else:
                    at = run.step(at)
        except Fails:
            return False
        except CanBeCompleted:
            return True
        raise stuck(at)

    def completes_alone(self, p: Position, at: int) -> bool:
        """Whether what a `try` holds can be completed by itself."""
        tried = p.copy()
        return self.reaches(tried, enter_try(tried, at), p.units + 1)

    def _decides(self, p: Position, at: int, ask: Ask, floor: int) -> bool:
        """A decision on the way. Of one's own, one answer that leads on is enough; all others are horizons."""
        if ask.chance or p.me != self.me or not p.units:
            return True
        key = (at, floor, *p.key())
        if key not in self._known:
            self._known[key] = self._some_leads_on(p, at, ask, floor)
        return self._known[key]

    def _some_leads_on(self, p: Position, at: int, ask: Ask, floor: int) -> bool:
        if ask.kind == "set" and not ask.optional:
            return Picks(p, at, ask, self).completes(floor)
        given = offered(p, at, ask, self)
        for each in reversed(given) if ask.kind == "may" or ask.optional else given:
            if not (declines(ask, each) or self.spend()):
                return True
            tried = p.copy()
            if self.reaches(tried, answer(tried, at, ask, each), floor):
                return True
        return False


def declines(ask: Ask, given: Any) -> bool:
    """Whether an answer declines or stops."""
    return bool(given == DECLINE if ask.kind == "may" else ask.optional and given == STOP)


def offered(p: Position, at: int, ask: Ask, search: LookAhead | None = None) -> list[Any]:
    """The answers to a decision before anything is looked ahead at; stopping, where one may, is the last one."""
    found = Picks(p, at, ask, search).next() if ask.kind == "set" else candidates(p, ask)
    return [*found, STOP] if ask.optional else found
