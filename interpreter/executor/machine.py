"""Runs blocks until a decision, and looks ahead: an option exists only if it can be completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter import rng
from interpreter.executor.asks import STOP, pieces_in
from interpreter.executor.chance import below
from interpreter.executor.compile import Compiled
from interpreter.executor.layout import PIECES
from interpreter.executor.runtime import FAILED, HALTED, LOOKED, copy_cells
from rulespec.lower.ir import Ask, Local

Cells = list[Any]
MOST_BLOCKS = 200_000
UNIT_ME, UNIT_TOGETHER = 64, 4096


class Stuck(Exception):
    """The flow goes round without a decision: a fault of the content, with the instruction where it was noticed."""

    def __init__(self, at: int):
        super().__init__(f"no decision within {MOST_BLOCKS} blocks")
        self.at = at


class Machine:
    """One game's executor. States are lists of cells; nothing of a game in progress is kept here."""

    def __init__(self, compiled: Compiled):
        self.compiled = compiled
        self.blocks = compiled.blocks
        self.looks = compiled.looks
        self.instrs = compiled.program.instrs
        regions = compiled.layout.regions
        self.me, self.units = regions["me"], regions["units"]
        self.together, self.over = regions["together"], regions["over"]
        self.horizon = compiled.layout.horizon
        self.cap = compiled.program.look_cap
        self.pieces = {at: pieces_in(ask) for at, ask in compiled.asks.items()}
        self.guards = compiled.guards
        self.clean = compiled.structure.clean
        #: for each `try`: the cell in which its unit is kept, and whether its one action's unit is its own
        self.tries = {
            at: (compiled.layout.slots[i.args[0]], i.args[1]) for at, i in enumerate(self.instrs) if i.op == "try"
        }
        self.procs = {p.id: p for p in compiled.program.procs}
        self.skipped: list[int] = []

    # ---- play ----

    def begin(self, seed: int) -> Cells:
        """The cells of a new game, before anything has run."""
        c = copy_cells(self.compiled.empty)
        for name, cell in self.compiled.layout.streams.items():
            c[cell] = rng.start(rng.seed_stream(seed, name), rng.increment(name))
        c[0] = self.procs[self.compiled.program.entries["main"]].entry
        return c

    def run(self, c: Cells, pc: int, sink: list[Any] | None = None) -> list[Any] | None:
        """Runs from an instruction to the next decision, and gives its options; None when the game is over."""
        snapshot: tuple[Cells | None, int, int] | None = None
        c[self.horizon] = 0
        blocks = self.blocks
        for _ in range(MOST_BLOCKS):
            block = blocks[pc]
            if block is not None:
                pc = block(c, 0, sink)
            elif pc in self.tries:
                if c[self.units]:
                    pc = self._nested_try(c, pc)
                else:
                    before = None if pc in self.clean else copy_cells(c)
                    snapshot = (before, pc, 0 if sink is None else len(sink))
                    c[self.horizon] = 0
                    pc = self.enter_try(c, pc)
            else:
                found = self._ask(c, pc, sink)
                if isinstance(found, list):
                    c[0] = pc
                    c[self.horizon] = 0
                    return found
                pc = found
            if pc < 0:
                if pc == HALTED:
                    c[0] = 0
                    return None
                pc, snapshot = self._failed(c, FAILED - pc, snapshot, sink)
        raise Stuck(pc)

    def _ask(self, c: Cells, pc: int, sink: list[Any] | None) -> list[Any] | int:
        """The options of a decision; or where to go on: chance has answered, nothing can be chosen."""
        ask = self.compiled.asks[pc]
        if ask.chance:
            return self._by_chance(c, pc, ask)
        options = self.options(c, pc)
        if ask.kind == "may" and 1 not in options:
            return self.compiled.answers[pc](c, 0)
        if ask.optional and options == [STOP]:
            return self.compiled.answers[pc](c, STOP)
        return options or FAILED - pc

    def _by_chance(self, c: Cells, pc: int, ask: Ask) -> int:
        if ask.kind == "set":
            return self._set_by_chance(c, pc, ask)
        candidates = self._candidates(c, pc, ask)
        if not candidates:
            return FAILED - pc
        cell = self.compiled.layout.streams[ask.stream]
        at = below(c, cell, rng.increment(ask.stream), len(candidates))
        c[self.horizon] = 1
        return self.compiled.answers[pc](c, candidates[at])

    def _set_by_chance(self, c: Cells, pc: int, ask: Ask) -> int:
        """A set drawn by chance, each as likely as any other; goes on behind the loop that asks."""
        slots = self.compiled.layout.slots
        found = self.compiled.candidates[pc](c)
        wanted = c[slots[ask.amount.slot]] if isinstance(ask.amount, Local) else 0
        if wanted > len(found):
            return FAILED - pc
        numbers = list(range(len(found)))
        cell, increment = self.compiled.layout.streams[ask.stream], rng.increment(ask.stream)
        for i in range(wanted):
            k = i + below(c, cell, increment, len(numbers) - i)
            numbers[i], numbers[k] = numbers[k], numbers[i]
        c[slots[ask.picked]] = tuple(found[i] for i in sorted(numbers[:wanted]))
        c[self.horizon] = 1
        return self.compiled.structure.end[pc - 2] + 1

    def answer(self, c: Cells, pc: int, candidate: Any) -> int:
        """Writes an answer; gives where to go on."""
        return self.compiled.answers[pc](c, candidate)

    def enter_try(self, c: Cells, pc: int) -> int:
        cell, thin = self.tries[pc]
        c[cell] = c[self.me] + UNIT_ME * c[self.units] + UNIT_TOGETHER * c[self.together]
        if not thin:
            c[self.units] += 1
        return pc + 1

    def _nested_try(self, c: Cells, pc: int) -> int:
        """Inside a unit: in if it can be completed by itself, else the other way."""
        if self._completes_alone(c, pc, [self.cap], {}):
            return self.enter_try(c, pc)
        return self.compiled.structure.middle[pc] + 1

    def _completes_alone(self, c: Cells, pc: int, budget: list[int], known: dict[Any, bool]) -> bool:
        d = copy_cells(c)
        floor = d[self.units] + 1
        start = self.enter_try(d, pc)
        return self.look(d, start, floor, d[self.me], budget, known)

    def watch(self, c: Cells) -> None:
        """Notes which conditions are true as things stand, after cells were set from outside."""
        pc = self.procs[self.compiled.program.entries["watch"]].entry
        while pc > 0:
            pc = self.blocks[pc](c, 0, None)

    # ---- failure ----

    def _failed(
        self, c: Cells, at: int, snapshot: tuple[Cells | None, int, int] | None, sink: list[Any] | None
    ) -> tuple[int, None]:
        """Where play goes on after a step that cannot be done."""
        if snapshot is not None and not c[self.horizon]:
            cells, pc, events = snapshot
            if cells is None:
                self._back_to_try(c, at, pc)
            else:
                c[:] = cells
            if sink is not None:
                del sink[events:]
            return self.compiled.structure.middle[pc] + 1, None
        return self._leave_unit(c, at), None

    def _leave_unit(self, c: Cells, at: int) -> int:
        """Skips to the end of the innermost open unit; what happened stays."""
        st = self.compiled.structure
        while True:
            unit = self.compiled.handlers[at]
            if unit >= 0:
                self._close(c, unit)
                return (st.end[unit] if self.instrs[unit].op == "try" else self._unit_end(unit)) + 1
            proc = self.procs[st.proc_of[at]]
            back = c[self.compiled.layout.slots[proc.back]]
            if proc.kind in ("main", "setup", "flow", "end") or not back:
                return at + 1
            self._clear(c, proc.id)
            at = back - 1

    def _back_to_try(self, c: Cells, at: int, pc: int) -> None:
        """Leaves every block and unit that was opened since a `try` began."""
        slots = self.compiled.layout.slots
        while (unit := self.compiled.handlers[at]) != pc:
            if unit >= 0:
                at = unit
                if self.instrs[unit].args[0] in slots:
                    c[slots[self.instrs[unit].args[0]]] = 0
                continue
            proc = self.procs[self.compiled.structure.proc_of[at]]
            at = c[slots[proc.back]] - 1
            self._clear(c, proc.id)
        self._close(c, pc)

    def _close(self, c: Cells, unit: int) -> None:
        """Puts back who decides and how deep things stand, as when a unit began."""
        cell = self.compiled.layout.slots[self.instrs[unit].args[0]]
        c[self.me], rest = c[cell] % UNIT_ME, c[cell] // UNIT_ME
        c[self.units], c[self.together] = rest % UNIT_ME, rest // UNIT_ME
        c[cell] = 0

    def _unit_end(self, unit: int) -> int:
        slot = self.instrs[unit].args[0]
        return next(
            i for i in range(unit + 1, len(self.instrs)) if self.instrs[i].op == "unit_end" and self.instrs[i].args[0] == slot
        )

    def _clear(self, c: Cells, proc: int) -> None:
        slots = self.compiled.program.slots
        for slot, cell in self.compiled.layout.slots.items():
            if slots[slot].proc == proc:
                c[cell] = self.compiled.empty[cell]

    # ---- options ----

    def _candidates(self, c: Cells, pc: int, ask: Ask) -> list[Any]:
        """Candidates before any look ahead; those of a set with their number, from the last pick on."""
        found = self.compiled.candidates[pc](c)
        if ask.kind == "set":
            found = self._picks(c, pc, ask, found)
        if ask.optional:
            found = [*found, STOP]
        return found

    def _picks(self, c: Cells, pc: int, ask: Ask, found: list[Any]) -> list[Any]:
        """What may be picked next out of all candidates of a set: later ones, or the same again where pieces allow."""
        slots = self.compiled.layout.slots
        return list(self._later(c, pc, ask, found, c[slots[ask.picked]], c[slots[ask.last]]))

    def _later(
        self, c: Cells, pc: int, ask: Ask, found: list[Any], picked: tuple[Any, ...], last: int
    ) -> Iterator[tuple[int, Any]]:
        fields = self.pieces[pc]
        if not fields or not picked:
            yield from enumerate(found[last + 1 :] if not fields else found, last + 1 if not fields else 0)
            return
        for i in range(max(last, 0), len(found)):
            if self._more_of(c, ask, fields, picked, found[i]):
                yield i, found[i]

    def _more_of(self, c: Cells, ask: Ask, fields: tuple[int, ...], picked: tuple[Any, ...], x: Any) -> bool:
        """Whether there are as many pieces like those of a pick as would then be picked."""
        for f in fields:
            ref = x[f] if ask.record else x
            taken = 0
            for p in picked:
                if (p[f] if ask.record else p) == ref:
                    taken += 1
            if taken and self._held(c, ref) <= taken:
                return False
        return True

    def _held(self, c: Cells, ref: int) -> int:
        """How many pieces like this one lie where it lies."""
        return self.compiled.handling.held(c, ref)

    def options(self, c: Cells, pc: int) -> list[Any]:
        """The candidates from which the open unit can be completed."""
        ask = self.compiled.asks[pc]
        if ask.kind == "one":
            if c[self.units] == 1 and pc in self.guards:
                return self.guards[pc](c)
            candidates = self.compiled.candidates[pc](c)
            if not c[self.units]:
                return candidates
        budget, known = [self.cap], dict[Any, bool]()
        me = c[self.me]
        if ask.kind == "set" and not ask.optional:
            return self._set_options(c, pc, ask, me, budget, known)
        if ask.kind != "one":
            candidates = self._candidates(c, pc, ask)
        return [x for x in candidates if self._leads_on(c, pc, x, me, budget, known)]

    def _set_options(
        self, c: Cells, pc: int, ask: Ask, me: int, budget: list[int], known: dict[Any, bool]
    ) -> list[Any]:
        """The next picks of a set that can be completed. Nothing changes between picks, so that they are listed once."""
        slots = self.compiled.layout.slots
        picked = c[slots[ask.picked]]
        wanted = c[slots[ask.amount.slot]] if isinstance(ask.amount, Local) else len(picked) + 1
        search = _Picks(self, c, pc, ask, self.compiled.candidates[pc](c), me, budget, known)
        return search.options(picked, c[slots[ask.last]], wanted)

    def _leads_on(self, c: Cells, pc: int, x: Any, me: int, budget: list[int], known: dict[Any, bool]) -> bool:
        ask = self.compiled.asks[pc]
        declines = x == 0 if ask.kind == "may" else x == STOP and ask.optional
        if declines and not c[self.units]:
            return True
        d = copy_cells(c)
        start = self.answer(d, pc, x)
        return self.look(d, start, 1, me, budget, known)

    def look(self, c: Cells, pc: int, floor: int, me: int, budget: list[int], known: dict[Any, bool]) -> bool:
        """Whether some continuation reaches the end of unit `floor`, or something that `me` cannot foresee."""
        blocks = self.looks
        while True:
            block = blocks[pc]
            if block is not None:
                pc = block(c, floor, None)
                if pc < 0:
                    return pc == LOOKED or pc == HALTED
            elif pc in self.tries:
                inside = self._completes_alone(c, pc, budget, known)
                pc = self.enter_try(c, pc) if inside else self.compiled.structure.middle[pc] + 1
            else:
                return self._look_ask(c, pc, floor, me, budget, known)

    def _look_ask(self, c: Cells, pc: int, floor: int, me: int, budget: list[int], known: dict[Any, bool]) -> bool:
        """A decision inside a look-ahead: somebody else's ends it; else one good answer is enough."""
        ask = self.compiled.asks[pc]
        if ask.chance or c[self.me] != me or not c[self.units]:
            return True
        key = (floor, *c[:PIECES], bytes(c[PIECES]), *c[PIECES + 1 :])
        found = known.get(key)
        if found is None:
            found = known[key] = self._some(c, pc, ask, floor, me, budget, known)
        return found

    def _some(
        self, c: Cells, pc: int, ask: Ask, floor: int, me: int, budget: list[int], known: dict[Any, bool]
    ) -> bool:
        if ask.kind == "set" and not ask.optional:
            return self._some_set(c, pc, ask, floor, me, budget, known)
        candidates = self._candidates(c, pc, ask)
        order = reversed(candidates) if ask.kind == "may" or ask.optional else candidates
        for x in order:
            if budget[0] <= 0:
                return True
            budget[0] -= 1
            d = copy_cells(c)
            if self.look(d, self.answer(d, pc, x), floor, me, budget, known):
                return True
        return False

    def _some_set(
        self, c: Cells, pc: int, ask: Ask, floor: int, me: int, budget: list[int], known: dict[Any, bool]
    ) -> bool:
        slots = self.compiled.layout.slots
        picked = c[slots[ask.picked]]
        wanted = c[slots[ask.amount.slot]] if isinstance(ask.amount, Local) else len(picked) + 1
        search = _Picks(self, c, pc, ask, self.compiled.candidates[pc](c), me, budget, known)
        return search.completes(picked, c[slots[ask.last]], wanted, floor)


class _Picks:
    """A look-ahead over the picks of one set: the state is copied only when a set is whole."""

    def __init__(
        self, machine: Machine, c: Cells, pc: int, ask: Ask, found: list[Any], me: int, budget: list[int],
        known: dict[Any, bool],
    ):  # fmt: skip
        self.machine, self.c, self.pc, self.ask, self.found = machine, c, pc, ask, found
        self.me, self.budget, self.known = me, budget, known
        slots = machine.compiled.layout.slots
        self.picked, self.last = slots[ask.picked], slots[ask.last]
        self.exit = machine.compiled.structure.end[pc - 2] + 1
        #: the last pick that completed a set: tried first for the next one, since it mostly does again
        self.lucky = -1

    def options(self, picked: tuple[Any, ...], last: int, wanted: int) -> list[tuple[int, Any]]:
        """The next picks with which the set, and then the unit, can be completed."""
        if wanted - len(picked) <= 1:
            return self._good(picked, last, 1, every=True)
        later = self.machine._later(self.c, self.pc, self.ask, self.found, picked, last)
        return [(i, x) for i, x in later if self.completes((*picked, x), i, wanted, 1)]

    def completes(self, picked: tuple[Any, ...], last: int, wanted: int, floor: int) -> bool:
        """Whether these picks, the last of them candidate `last`, and some later ones lead to the end of the unit."""
        if len(picked) >= wanted:
            return self._whole(picked, last, floor)
        if wanted - len(picked) == 1:
            return self._lucky_again(picked, last, floor) or bool(self._good(picked, last, floor, every=False))
        for i, x in self.machine._later(self.c, self.pc, self.ask, self.found, picked, last):
            if self.budget[0] <= 0:
                return True
            self.budget[0] -= 1
            if self.completes((*picked, x), i, wanted, floor):
                return True
        return False

    def _lucky_again(self, picked: tuple[Any, ...], last: int, floor: int) -> bool:
        i, fields = self.lucky, self.machine.pieces[self.pc]
        if i <= max(last, 0):
            return False
        x = self.found[i]
        if fields and not self.machine._more_of(self.c, self.ask, fields, picked, x):
            return False
        self.budget[0] -= 1
        return self._whole((*picked, x), i, floor)

    def _whole(self, picked: tuple[Any, ...], last: int, floor: int) -> bool:
        """With all picks made, on from behind the loop that asks for them."""
        d = copy_cells(self.c)
        d[self.picked], d[self.last] = picked, last
        return self.machine.look(d, self.exit, floor, self.me, self.budget, self.known)

    def _good(self, picked: tuple[Any, ...], last: int, floor: int, *, every: bool) -> list[tuple[int, Any]]:
        """The last picks from which the unit can be completed: all of them, or the first (then nodes are counted)."""
        c, z, found = self.c, self.c[PIECES], self.found
        at_picked, at_last, start, machine = self.picked, self.last, self.exit, self.machine
        block = machine.looks[start]
        fits = self._fits(picked)
        budget = self.budget
        good: list[tuple[int, Any]] = []
        for i in range(max(last, 0) if machine.pieces[self.pc] else last + 1, len(found)):
            x = found[i]
            if fits is not None and not fits(x):
                continue
            if not every:
                if budget[0] <= 0:
                    return [(i, x)]
                budget[0] -= 1
            d = c.copy()
            d[PIECES] = z[:]
            d[at_picked] = (*picked, x)
            d[at_last] = i
            pc = start if block is None else block(d, floor, None)
            if pc == LOOKED or pc == HALTED or (pc >= 0 and machine.look(d, pc, floor, self.me, budget, self.known)):
                good.append((i, x))
                if not every:
                    self.lucky = i
                    break
        return good

    def _fits(self, picked: tuple[Any, ...]) -> Callable[[Any], bool] | None:
        """A test of whether a pick may come after these: where pieces are picked, there must be enough of them."""
        machine, fields = self.machine, self.machine.pieces[self.pc]
        if not fields or not picked:
            return None
        if len(fields) == 1 and self.ask.record:
            f = fields[0]
            used = {ref for ref in {p[f] for p in picked} if machine._held(self.c, ref) <= sum(p[f] == ref for p in picked)}
            return (lambda x: x[f] not in used) if used else None
        return lambda x: machine._more_of(self.c, self.ask, fields, picked, x)
