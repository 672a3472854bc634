"""Sets that are picked one by one, in any order: which pick may come next, and which can be completed.

Every member that some whole set holds may come first. What is looked ahead at are sets: each once, by the order of
its candidates.
Nothing changes between the picks of a set, so that its candidates are listed once and states are copied only
where a set is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.executor.asks import pieces_in
from interpreter.executor.runtime import FAILED, with_pick
from interpreter.middle.layout import PIECES
from interpreter.middle.pieces import copy_cells
from rulespec.lower.ir import Ask, Local
from rulespec.model.types import kind_of_pieces

if TYPE_CHECKING:
    from interpreter.executor.lookahead import LookAhead
    from interpreter.executor.machine import Machine

Cells = list[Any]
Pick = tuple[int, Any]
Fits = Callable[[int], bool]


class Picked(NamedTuple):
    """What is picked so far, and the number of each among the candidates; both in the order of these numbers."""

    values: tuple[Any, ...]
    order: tuple[int, ...]

    def plus(self, pick: Pick) -> Picked:
        """With one more pick."""
        return Picked(*with_pick(*self, pick))


def _always(_: int) -> bool:
    return True


class Picks:
    """The picks of one set at one decision: all candidates, what is picked so far, how many are wanted."""

    def __init__(self, machine: Machine, c: Cells, pc: int, search: LookAhead | None = None):
        ask = machine.compiled.facts.asks[pc]
        slots = machine.compiled.facts.layout.slots
        self.machine, self.c, self.ask, self.search = machine, c, ask, search
        self.found = machine.compiled.candidates[pc](c)
        self.fields = pieces_in(ask)
        kinds = machine.compiled.facts.declared.pieces
        self._unseen = {f: kinds[kind_of_pieces(ask.names[f].type)].unseen for f in self.fields}
        self.at_picked, self.at_order = slots[ask.picked], slots[ask.order]
        self.picked = Picked(c[self.at_picked], c[self.at_order])
        self.wanted = wanted(machine, c, ask)
        #: where play goes on when the set is whole: behind the loop that asks
        self.exit = machine.compiled.facts.structure.end[machine.compiled.facts.structure.loops[pc - 1]] + 1
        #: the last pick that completed a set: tried first for the next one, since it mostly does again
        self.lucky = -1
        #: members of a set that was completed, which need not be tried, and those that no set holds
        self.good: set[int] = set()
        self.bad: set[int] = set()

    # ---- what may come next ----

    def next(self) -> list[Pick]:
        """The candidates that may be picked now, whatever follows."""
        return list(self.after(self.picked, 0, len(self.found)))

    def after(self, picked: Picked, start: int, end: int) -> Iterator[Pick]:
        """The candidates of some numbers that may be picked too."""
        fits = self._fits(picked)
        return ((i, self.found[i]) for i in range(start, end) if fits(i) and i not in self.bad)

    def _start(self, last: int) -> int:
        """The number from which picks go on behind another: its own again only where it names pieces."""
        return last if self.fields else last + 1

    def _fits(self, picked: Picked) -> Fits:
        """A test of whether a candidate is still there: not picked, or with pieces enough for one more pick."""
        if not picked.values:
            return _always
        if not self.fields:
            return lambda i: i not in picked.order
        found = self.found
        if len(picked.values) == 1 and len(self.fields) == 1 and self.ask.record:
            # by far the most common case: the second of two
            f = self.fields[0]
            ref = picked.values[0][f]
            return _always if self._alike(ref, f) > 1 else lambda i: found[i][f] != ref
        used = [self._used_up(picked.values, f) for f in self.fields]
        if not any(used):
            return _always
        if not self.ask.record:
            return lambda i: found[i] not in used[0]
        return lambda i: all(found[i][f] not in u for f, u in zip(self.fields, used, strict=True))

    def _used_up(self, picked: tuple[Any, ...], f: int) -> set[int]:
        """The pieces of which as many are picked as there are where they lie."""
        refs = [p[f] if self.ask.record else p for p in picked]
        return {ref for ref in refs if self._alike(ref, f) <= refs.count(ref)}

    def _alike(self, ref: int, f: int) -> int:
        """How many pieces there are like one that field `f` names."""
        return self.machine.compiled.facts.pieces.alike(self.c, ref, self._unseen[f])

    # ---- what can be completed ----

    def options(self) -> list[Pick]:
        """The next picks with which the set, and then the unit, can be completed.

        Where all that is left must be taken, there is one set, and no order of it is asked for: its first member.
        """
        if self.wanted - len(self.picked.values) <= 1:
            return self._whole_sets(self.picked, self._all, 1, every=True)
        picks = self.next()
        return [pick for pick in (picks[:1] if self._takes_all(picks) else picks) if self._leads_on(pick)]

    @property
    def most(self) -> int:
        """How many picks there can be at most: equal pieces count one by one."""
        fields = [f for f in self.fields if len(self.ask.names) > 1]
        if not fields:
            return sum(self._times_left(value) + self.picked.values.count(value) for value in self.found)
        return min(sum(self._alike(piece, f) for piece in {pick[f] for pick in self.found}) for f in fields)

    def _takes_all(self, picks: list[Pick]) -> bool:
        """Whether there are just as many picks left as the set needs; not known of several names with pieces."""
        if self.fields and len(self.ask.names) > 1:
            return False
        return sum(self._times_left(value) for _, value in picks) == self.wanted - len(self.picked.values)

    def _times_left(self, value: Any) -> int:
        """How many more times a candidate may be picked."""
        if not self.fields:
            return 1
        ref = value[0] if self.ask.record else value
        return max(1, self._alike(ref, 0)) - self.picked.values.count(value)

    @property
    def _all(self) -> tuple[int, int]:
        return 0, len(self.found)

    def _leads_on(self, pick: Pick) -> bool:
        """Whether a set with one more pick can be completed: by later candidates, else with an earlier one too.

        A member of a set that was completed before leads on, and one of which no set was found is in none.
        """
        i = pick[0]
        if i in self.good:
            return True
        picked = self.picked.plus(pick)
        if self._completes(picked, (self._start(i), len(self.found)), 1) or self._completes(picked, (0, i), 1):
            return True
        self.bad.add(i)
        return False

    def completes_now(self, floor: int) -> bool:
        """Whether the picks so far can be completed."""
        return self._completes(self.picked, self._all, floor)

    def _completes(self, picked: Picked, numbers: tuple[int, int], floor: int) -> bool:
        """Whether some candidates complete the set, in their order, the first of them out of some numbers."""
        assert self.search is not None
        missing = self.wanted - len(picked.values)
        if missing <= 0:
            return self._whole(picked, floor)
        if missing == 1:
            if self._lucky_again(picked, numbers, floor):
                return True
            return bool(self._whole_sets(picked, numbers, floor, every=False))
        for i, x in self.after(picked, *numbers):
            behind = self._start(i), len(self.found)
            if not self.search.spend() or self._completes(picked.plus((i, x)), behind, floor):
                return True
        return False

    def _lucky_again(self, picked: Picked, numbers: tuple[int, int], floor: int) -> bool:
        i = self.lucky
        if not numbers[0] <= i < numbers[1] or i in self.bad or not self._fits(picked)(i):
            return False
        assert self.search is not None
        return not self.search.spend() or self._whole(picked.plus((i, self.found[i])), floor)

    def _whole(self, picked: Picked, floor: int) -> bool:
        assert self.search is not None
        d = copy_cells(self.c)
        d[self.at_picked], d[self.at_order] = picked
        found = self.search.reaches(d, self.exit, floor)
        if found:
            self.good.update(picked.order)
        return found

    def _whole_sets(self, picked: Picked, numbers: tuple[int, int], floor: int, *, every: bool) -> list[Pick]:
        """The last picks from which the unit can be completed: all of them, or the first (then nodes are counted)."""
        search, c, z = self.search, self.c, self.c[PIECES]
        assert search is not None
        at_picked, at_order, leave = self.at_picked, self.at_order, self.exit
        block = self.machine.looks[leave]
        good: list[Pick] = []
        for pick in self.after(picked, *numbers):
            if not every and not search.spend():
                return [pick]
            d = c.copy()
            d[PIECES] = z[:]
            d[at_picked], d[at_order] = with_pick(*picked, pick)
            pc = leave if block is None else block(d, floor, None)
            if FAILED < pc < 0 or (pc >= 0 and search.reaches(d, pc, floor)):
                good.append(pick)
                if not every:
                    self.lucky = pick[0]
                    self.good.update((*picked.order, pick[0]))
                    return good
        return good


def wanted(machine: Machine, c: Cells, ask: Ask) -> int:
    """How many picks make the set whole."""
    assert isinstance(ask.amount, Local)
    amount: int = c[machine.compiled.facts.layout.slots[ask.amount.slot]]
    return amount
