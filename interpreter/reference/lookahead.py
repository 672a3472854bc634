"""Looking ahead: an option is offered if the open unit can be completed from it.

Some continuation reaches the end of the outermost open unit, or a horizon. The search goes depth first, declining and
stopping first. Each answer tried at a decision behind the first is a node, declining and stopping aside; past the cap
of the program an option is offered unexamined.

A search that waits for another one lies on a list (`LookAhead.finds`), not on Python's stack: how many decisions a unit
may take does not hang on who calls.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

from interpreter.reference.decisions import DECLINE, STOP, answer, candidates
from interpreter.reference.faults import CanBeCompleted, Fails, Fault, stuck
from interpreter.reference.instructions import Run, enter_try
from interpreter.reference.position import Position
from interpreter.reference.sets import Picks
from rulespec.lower.ir import Ask

#: how many instructions may follow one another without a decision
MOST_INSTRUCTIONS = 600_000
#: decisions one after the other that a unit may take, and those that it may take however large a position is
MOST_DEEP, SURELY_DEEP = 2_000, 200
#: bytes of positions that one search remembers, about, and of those that it comes back to
MOST_KNOWN = 100_000_000
#: a position's bytes beside its values
EMPTY = 1_000

#: It yields each search whose answer it needs, is given that, and returns its own.
Search: TypeAlias = Generator["Search", bool, bool]


class LookAhead:
    """One search, for all options of one decision of `me`; `left` nodes remain, `deep` decisions are looked behind."""

    def __init__(self, p: Position):
        self.me = p.me
        self.left = p.game.program.look_cap
        #: by the key of a position at a decision: whether it can be completed
        self._known: dict[tuple[Any, ...], bool] = {}
        self._room = MOST_KNOWN
        self._deep = 0
        self._most_deep = max(SURELY_DEEP, min(MOST_DEEP, MOST_KNOWN // _size(p)))

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

    def finds(self, search: Search) -> bool:
        """What a search returns."""
        waiting = [search]
        found: bool | None = None
        while waiting:
            try:
                inner = next(waiting[-1]) if found is None else waiting[-1].send(found)
            except StopIteration as end:
                waiting.pop()
                found = bool(end.value)
            else:
                waiting.append(inner)
                found = None
        assert found is not None
        return found

    def reaches(self, p: Position, at: int, floor: int) -> bool:
        """Whether some continuation reaches the end of unit `floor`, or a horizon. The position is used up."""
        return self.finds(self.reaching(p, at, floor))

    def reaching(self, p: Position, at: int, floor: int) -> Search:
        """The same as a search."""
        instrs, run = p.game.instrs, Run(p, floor)
        try:
            for _ in range(MOST_INSTRUCTIONS):
                op = instrs[at].op
                if op == "ask":
                    return (yield from self._decides(p, at, instrs[at].args[0], floor))
                if op == "try":
                    at = enter_try(p, at) if (yield self._alone(p, at)) else p.game.blocks.middle[at] + 1
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
        return self.finds(self._alone(p, at))

    def _alone(self, p: Position, at: int) -> Search:
        tried = p.copy()
        return self.reaching(tried, enter_try(tried, at), p.units + 1)

    def _decides(self, p: Position, at: int, ask: Ask, floor: int) -> Search:
        """A decision on the way. Of one's own, one answer that leads on is enough; all others are horizons."""
        if ask.chance or p.me != self.me or not p.units:
            return True
        key = (at, floor, *p.key())
        known = self._known.get(key)
        if known is not None:
            return known
        self._deep += 1
        if self._deep > self._most_deep:
            raise Fault("RS803")
        found = yield from self._some_leads_on(p, at, ask, floor)
        self._deep -= 1
        self._room -= _size(p)
        if self._room > 0:
            self._known[key] = found
        return found

    def _some_leads_on(self, p: Position, at: int, ask: Ask, floor: int) -> Search:
        if ask.kind == "set" and not ask.optional:
            return (yield from Picks(p, at, ask, self).completes(floor))
        given = offered(p, at, ask, self)
        for each in reversed(given) if ask.kind == "may" or ask.optional else given:
            if not (declines(ask, each) or self.spend()):
                return True
            tried = p.copy()
            if (yield self.reaching(tried, answer(tried, at, ask, each), floor)):
                return True
        return False


def _size(p: Position) -> int:
    """The bytes of a position, about."""
    return EMPTY + 8 * (len(p.cells) + len(p.zones) + sum(map(len, p.zones)) + len(p.slots))


def declines(ask: Ask, given: Any) -> bool:
    """Whether an answer declines or stops."""
    return bool(given == DECLINE if ask.kind == "may" else ask.optional and given == STOP)


def offered(p: Position, at: int, ask: Ask, search: LookAhead | None = None) -> list[Any]:
    """The answers to a decision before anything is looked ahead at; stopping, where one may, is the last one."""
    found = Picks(p, at, ask, search).next() if ask.kind == "set" else candidates(p, ask)
    return [*found, STOP] if ask.optional else found
