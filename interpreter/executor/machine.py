"""Runs blocks until a decision, and looks ahead: an option exists only if it can be completed."""

from __future__ import annotations

from typing import Any

from interpreter import rng
from interpreter.executor.asks import STOP, pieces_in
from interpreter.executor.chance import below
from interpreter.executor.compile import Compiled
from interpreter.executor.runtime import FAILED, HALTED, LOOKED
from rulespec.lower.ir import Ask

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
        self.instrs = compiled.program.instrs
        regions = compiled.layout.regions
        self.me, self.units = regions["me"], regions["units"]
        self.together, self.over = regions["together"], regions["over"]
        self.horizon = compiled.layout.horizon
        self.cap = compiled.program.look_cap
        self.pieces = {at: pieces_in(ask) for at, ask in compiled.asks.items()}
        self.procs = {p.id: p for p in compiled.program.procs}
        self.skipped: list[int] = []

    # ---- play ----

    def begin(self, seed: int) -> Cells:
        """The cells of a new game, before anything has run."""
        c = list(self.compiled.empty)
        for name, cell in self.compiled.layout.streams.items():
            c[cell] = rng.start(rng.seed_stream(seed, name), rng.increment(name))
        c[0] = self.procs[self.compiled.program.entries["main"]].entry
        return c

    def run(self, c: Cells, pc: int, sink: list[Any] | None = None) -> list[Any] | None:
        """Runs from an instruction to the next decision, and gives its options; None when the game is over."""
        snapshot: tuple[Cells, int, int] | None = None
        c[self.horizon] = 0
        blocks = self.blocks
        for _ in range(MOST_BLOCKS):
            block = blocks[pc]
            if block is not None:
                pc = block(c, 0, sink)
            elif self.instrs[pc].op == "try":
                if c[self.units]:
                    pc = self._nested_try(c, pc)
                else:
                    snapshot = (c.copy(), pc, 0 if sink is None else len(sink))
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
        candidates = self._candidates(c, pc, ask)
        if not candidates:
            return FAILED - pc
        cell = self.compiled.layout.streams[ask.stream]
        at = below(c, cell, rng.increment(ask.stream), len(candidates))
        c[self.horizon] = 1
        return self.compiled.answers[pc](c, candidates[at])

    def answer(self, c: Cells, pc: int, candidate: Any) -> int:
        """Writes an answer; gives where to go on."""
        return self.compiled.answers[pc](c, candidate)

    def enter_try(self, c: Cells, pc: int) -> int:
        slot, thin = self.instrs[pc].args
        cell = self.compiled.layout.slots.get(slot)
        if cell is not None:
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
        d = c.copy()
        floor = d[self.units] + 1
        start = self.enter_try(d, pc)
        return self.look(d, start, floor, d[self.me], budget, known)

    # ---- failure ----

    def _failed(
        self, c: Cells, at: int, snapshot: tuple[Cells, int, int] | None, sink: list[Any] | None
    ) -> tuple[int, tuple[Cells, int, int] | None]:
        """Where play goes on after a step that cannot be done."""
        if snapshot is not None and not c[self.horizon]:
            cells, pc, events = snapshot
            c[:] = cells
            if sink is not None:
                del sink[events:]
            return self.compiled.structure.middle[pc] + 1, None
        return self._leave_unit(c, at), None

    def _leave_unit(self, c: Cells, at: int) -> int:
        """Skips to the end of the innermost open unit; what happened stays."""
        st, layout, program = self.compiled.structure, self.compiled.layout, self.compiled.program
        while True:
            unit = self.compiled.handlers[at]
            if unit >= 0:
                saved = c[layout.slots[self.instrs[unit].args[0]]] if self.instrs[unit].args[0] in layout.slots else 0
                c[self.me], rest = saved % UNIT_ME, saved // UNIT_ME
                c[self.units], c[self.together] = rest % UNIT_ME, rest // UNIT_ME
                c[layout.slots[self.instrs[unit].args[0]]] = 0
                return (st.end[unit] if self.instrs[unit].op == "try" else self._unit_end(unit)) + 1
            proc = self.procs[st.proc_of[at]]
            back = c[layout.slots[proc.back]]
            if proc.kind in ("main", "setup", "flow", "end") or not back:
                return at + 1
            self._clear(c, proc.id)
            at = back - 1
            del program, layout
            layout, program = self.compiled.layout, self.compiled.program

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
        slots = self.compiled.layout.slots
        picked, last = c[slots[ask.picked]], c[slots[ask.last]]
        fields = self.pieces[pc]
        if not fields:
            return list(enumerate(found))[last + 1 :]
        start = max(last, 0)
        return [(i, x) for i, x in enumerate(found[start:], start) if self._more_of(c, ask, fields, picked, x)]

    def _more_of(self, c: Cells, ask: Ask, fields: tuple[int, ...], picked: tuple[Any, ...], x: Any) -> bool:
        """Whether there are as many pieces like those of a pick as would then be picked."""
        codes, depth = self.compiled.handling.codes, self.compiled.handling.depth
        for f in fields:
            ref = x[f] if ask.record else x
            taken = sum(1 for p in picked if (p[f] if ask.record else p) == ref)
            if taken:
                held = self.compiled.handling.content(c, ref // codes // depth)
                if held.count(ref % codes) <= taken:
                    return False
        return True

    def options(self, c: Cells, pc: int) -> list[Any]:
        """The candidates from which the open unit can be completed."""
        ask = self.compiled.asks[pc]
        candidates = self._candidates(c, pc, ask)
        if not c[self.units] and ask.kind not in ("may", "next"):
            return candidates
        budget, known = [self.cap], dict[Any, bool]()
        me = c[self.me]
        return [x for x in candidates if self._leads_on(c, pc, x, me, budget, known)]

    def _leads_on(self, c: Cells, pc: int, x: Any, me: int, budget: list[int], known: dict[Any, bool]) -> bool:
        ask = self.compiled.asks[pc]
        declines = x == 0 if ask.kind == "may" else x == STOP and ask.optional
        if declines and not c[self.units]:
            return True
        d = c.copy()
        start = self.answer(d, pc, x)
        return self.look(d, start, 1, me, budget, known)

    def look(self, c: Cells, pc: int, floor: int, me: int, budget: list[int], known: dict[Any, bool]) -> bool:
        """Whether some continuation reaches the end of unit `floor`, or something that `me` cannot foresee."""
        blocks = self.blocks
        while True:
            block = blocks[pc]
            if block is not None:
                pc = block(c, floor, None)
                if pc < 0:
                    return pc == LOOKED or pc == HALTED
            elif self.instrs[pc].op == "try":
                inside = self._completes_alone(c, pc, budget, known)
                pc = self.enter_try(c, pc) if inside else self.compiled.structure.middle[pc] + 1
            else:
                return self._look_ask(c, pc, floor, me, budget, known)

    def _look_ask(self, c: Cells, pc: int, floor: int, me: int, budget: list[int], known: dict[Any, bool]) -> bool:
        """A decision inside a look-ahead: somebody else's ends it; else one good answer is enough."""
        ask = self.compiled.asks[pc]
        if ask.chance or c[self.me] != me:
            return True
        if not c[self.units]:
            return True
        key = (pc, floor, tuple(c))
        found = known.get(key)
        if found is None:
            found = known[key] = self._some(c, pc, ask, floor, me, budget, known)
        return found

    def _some(
        self, c: Cells, pc: int, ask: Ask, floor: int, me: int, budget: list[int], known: dict[Any, bool]
    ) -> bool:
        candidates = self._candidates(c, pc, ask)
        order = reversed(candidates) if ask.kind == "may" or ask.optional else candidates
        for x in order:
            if budget[0] <= 0:
                return True
            budget[0] -= 1
            d = c.copy()
            if self.look(d, self.answer(d, pc, x), floor, me, budget, known):
                return True
        return False
