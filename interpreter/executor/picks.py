"""Sets that are picked one by one, in stable order: which pick may come next, and which can be completed.

Nothing changes between the picks of a set, so that its candidates are listed once and states are copied only
where a set is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from interpreter.executor.asks import pieces_in
from interpreter.executor.layout import PIECES
from interpreter.executor.runtime import FAILED, copy_cells
from rulespec.lower.ir import Ask, Local

if TYPE_CHECKING:
    from interpreter.executor.lookahead import LookAhead
    from interpreter.executor.machine import Machine

Cells = list[Any]
Pick = tuple[int, Any]
Fits = Callable[[Any], bool] | None


class Picks:
    """The picks of one set at one decision: all candidates, what is picked so far, how many are wanted."""

    def __init__(self, machine: Machine, c: Cells, pc: int, search: LookAhead | None = None):
        ask = machine.compiled.asks[pc]
        slots = machine.compiled.layout.slots
        self.machine, self.c, self.ask, self.search = machine, c, ask, search
        self.found = machine.compiled.candidates[pc](c)
        self.fields = pieces_in(ask)
        self.at_picked, self.at_last = slots[ask.picked], slots[ask.last]
        self.picked: tuple[Any, ...] = c[self.at_picked]
        self.last: int = c[self.at_last]
        self.wanted = wanted(machine, c, ask)
        #: where play goes on when the set is whole: behind the loop that asks
        self.exit = machine.compiled.structure.end[machine.compiled.structure.loops[pc - 1]] + 1
        #: the last pick that completed a set: tried first for the next one, since it mostly does again
        self.lucky = -1

    # ---- what may come next ----

    def later(self, picked: tuple[Any, ...], last: int) -> Iterator[Pick]:
        """The candidates after the last pick; the same one again where it names pieces of which there are more."""
        fits = self._fits(picked)
        for i in range(max(last, 0) if self.fields else last + 1, len(self.found)):
            if fits is None or fits(self.found[i]):
                yield i, self.found[i]

    def _fits(self, picked: tuple[Any, ...]) -> Fits:
        """A test of whether there are pieces enough for one more pick; None where all are."""
        if not self.fields or not picked:
            return None
        if len(picked) == 1 and len(self.fields) == 1 and self.ask.record:
            # by far the most common case: the second of two
            f = self.fields[0]
            ref = picked[0][f]
            return None if self.machine.compiled.handling.held(self.c, ref) > 1 else lambda x: x[f] != ref
        used = [self._used_up(picked, f) for f in self.fields]
        if not any(used):
            return None
        return lambda x: all((x[f] if self.ask.record else x) not in u for f, u in zip(self.fields, used, strict=True))

    def _used_up(self, picked: tuple[Any, ...], f: int) -> set[int]:
        """The pieces of which as many are picked as there are where they lie."""
        refs = [p[f] if self.ask.record else p for p in picked]
        held = self.machine.compiled.handling.held
        return {ref for ref in refs if held(self.c, ref) <= refs.count(ref)}

    # ---- what can be completed ----

    def options(self) -> list[Pick]:
        """The next picks with which the set, and then the unit, can be completed."""
        if self.wanted - len(self.picked) <= 1:
            return self._whole_sets(self.picked, self.last, 1, self._fits(self.picked), every=True)
        return [(i, x) for i, x in self.later(self.picked, self.last) if self._completes((*self.picked, x), i, 1)]

    def completes_now(self, floor: int) -> bool:
        """Whether the picks so far can be completed."""
        return self._completes(self.picked, self.last, floor)

    def _completes(self, picked: tuple[Any, ...], last: int, floor: int) -> bool:
        assert self.search is not None
        missing = self.wanted - len(picked)
        if missing <= 0:
            return self._whole(picked, last, floor)
        if missing == 1:
            fits = self._fits(picked)
            if self._lucky_again(picked, last, floor, fits):
                return True
            return bool(self._whole_sets(picked, last, floor, fits, every=False))
        for i, x in self.later(picked, last):
            if not self.search.spend() or self._completes((*picked, x), i, floor):
                return True
        return False

    def _lucky_again(self, picked: tuple[Any, ...], last: int, floor: int, fits: Fits) -> bool:
        i = self.lucky
        if i <= max(last, 0) or (fits is not None and not fits(self.found[i])):
            return False
        assert self.search is not None
        return not self.search.spend() or self._whole((*picked, self.found[i]), i, floor)

    def _whole(self, picked: tuple[Any, ...], last: int, floor: int) -> bool:
        assert self.search is not None
        d = copy_cells(self.c)
        d[self.at_picked], d[self.at_last] = picked, last
        return self.search.reaches(d, self.exit, floor)

    def _whole_sets(self, picked: tuple[Any, ...], last: int, floor: int, fits: Fits, *, every: bool) -> list[Pick]:
        """The last picks from which the unit can be completed: all of them, or the first (then nodes are counted)."""
        search, c, z, found = self.search, self.c, self.c[PIECES], self.found
        assert search is not None
        at_picked, at_last, start = self.at_picked, self.at_last, self.exit
        block = self.machine.looks[start]
        good: list[Pick] = []
        for i in range(max(last, 0) if self.fields else last + 1, len(found)):
            x = found[i]
            if fits is not None and not fits(x):
                continue
            if not every and not search.spend():
                return [(i, x)]
            d = c.copy()
            d[PIECES] = z[:]
            d[at_picked] = picked + (x,)  # noqa: RUF005 - the quicker of the two, in the innermost loop
            d[at_last] = i
            pc = start if block is None else block(d, floor, None)
            if FAILED < pc < 0 or (pc >= 0 and search.reaches(d, pc, floor)):
                good.append((i, x))
                if not every:
                    self.lucky = i
                    return good
        return good


def wanted(machine: Machine, c: Cells, ask: Ask) -> int:
    """How many picks make the set whole."""
    assert isinstance(ask.amount, Local)
    amount: int = c[machine.compiled.layout.slots[ask.amount.slot]]
    return amount
