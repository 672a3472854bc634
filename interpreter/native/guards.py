"""Options that are found without running anything: where all that can still fail may be asked of the state as it is.

The proof is shared (`interpreter.middle.analysis.guards`): which steps stand behind an ask, and what the steps
behind those take from where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter.middle.analysis.cost import SHARE, effort
from interpreter.middle.analysis.guards import TESTED, Guard, has_room
from interpreter.native import lists, pieces, zones
from interpreter.native.asks import Listing, words
from interpreter.native.code import Code
from interpreter.native.deeds import room_test
from interpreter.native.search import UNKNOWN
from interpreter.native.wasm import I32, E, Fn, Local, call, const, either, load, select
from rulespec.lower.ir import Ask, Instr, Ir, Program, ZoneRead, walk_ir
from rulespec.lower.ir import Local as Slot
from rulespec.lower.make import bounds
from rulespec.model.types import Integer


class Guards:
    """The writing of both functions of one ask: the options, and how many it takes to try until one leads on."""

    def __init__(self, s: Code, program: Program, at: int, guard: Guard, made: Listing):
        self.s, self.program, self.guard = s, program, guard
        self.ask: Ask = program.instrs[at].args[0]
        self.listed, self.whether = made.candidates(self.ask), made.whether
        self.size = 4 * words(self.ask)
        self.cost = sum(effort(s.costs, program.instrs[i].args) for i in guard.steps)
        self.lows = {r.key: r.low for r in program.regions}

    def write(self, name: str, *, every: bool) -> Fn:
        """The function for all options (they are left where candidates are), or for the first that leads on."""
        s = self.s
        fn = s.module.function((I32,), I32, name)
        with s.writing(fn):
            self._supplies()
            there = self._same_for_all()
            if not every and not self._steps_left(there):
                self._without_piece(there, lambda: const(-1) - call(self.listed, s.c))
                fn.give(select(call(self.whether(self.ask), s.c), const(1), const(-1)))
                fn.trap()
                return fn
            amount = fn.keep(call(self.listed, s.c))
            s.count(amount * (1 + self.cost // SHARE))
            self._without_piece(there, lambda: const(0) if every else const(-1) - amount)
            start = fn.keep(s.globals.found)
            out, tried = fn.keep(start), fn.keep(0)
            if self._steps_left(there):
                with fn.count(amount) as i, s.passing():
                    x = fn.keep(start + i * self.size)
                    fn.set(tried, i + 1)
                    self._one(x, out, tried, there, every)
                fn.give((out - start).op("div_u", self.size) if every else const(-1) - amount)
            elif every:
                fn.give(amount)
            else:
                with fn.when(amount):
                    fn.give(1)
                fn.give(-1)
            fn.trap()
        return fn

    def _steps_left(self, there: frozenset[int]) -> bool:
        """Whether something is to be asked of each candidate."""
        for i in self.guard.steps:
            instr = self.program.instrs[i]
            known = instr.op == "move" and i in there and self._roomy(instr)
            if instr.op in TESTED and not known:
                return True
        return False

    def _one(self, x: Local, out: Local, tried: Local, there: frozenset[int], every: bool) -> None:
        """What is done with one candidate."""
        fn = self.s.fn
        with self._named(x), fn.block() as no:
            with fn.block() as yes:
                self._conditions((no, yes), there)
            if every:
                fn.blit(out, x, self.size)
                fn.set(out, out + self.size)
            else:
                fn.give(tried)

    def _conditions(self, ways: tuple[int, int], there: frozenset[int]) -> None:
        """What all steps need: where a candidate does not lead on, and where it does for certain."""
        for i in self.guard.steps:
            self._condition(self.program.instrs[i], ways, i in there)

    @contextmanager
    def _named(self, x: Local) -> Iterator[None]:
        """The names of the ask as variables of the function."""
        s = self.s
        outside = s.temps
        s.temps = s.temps | frozenset(n.slot for n in self.ask.names)
        for i, name in enumerate(self.ask.names):
            s.bound[name.slot] = s.fn.keep(load(x, at=4 * i))
        yield
        s.temps = outside

    # ---- before the candidates are gone through ----

    def _supplies(self) -> None:
        """Whether there are as many pieces as may be taken: one for each slot that is empty."""
        s, fn = self.s, self.s.fn
        for taking in sorted(self.guard.takings, key=str):
            goal = s.declared.zones[taking.goal]
            address, at = zones.where_at(s, goal, const(0))
            free, width = fn.keep(0), s.cells.piece
            with fn.count(goal.places) as i:
                fn.set(free, free + load(address + i * width, width, at=at).eq(0))
            held = s.ex(ZoneRead(type=Integer(0, None), what="count", zone=taking.source))
            with fn.when(held.lt(free)):
                fn.give(UNKNOWN)

    def _same_for_all(self) -> frozenset[int]:
        """The steps whose piece is the same for all candidates."""
        chosen = {name.slot for name in self.ask.names} | self.s.temps
        found: set[int] = set()
        for i in self.guard.steps:
            instr = self.program.instrs[i]
            if instr.op != "move" or instr.args[0] != "one" or not isinstance(instr.args[1], (Slot, ZoneRead)):
                continue
            if not {n.slot for n in walk_ir(instr.args[1]) if isinstance(n, Slot)} & chosen:
                found.add(i)
        return frozenset(found)

    def _without_piece(self, there: frozenset[int], none: Callable[[], E]) -> None:
        """Without such a piece there is no option."""
        for i in sorted(there):
            with self.s.fn.when(self._missing(self.program.instrs[i].args[1])):
                self.s.fn.give(none())

    def _missing(self, what: Ir) -> E:
        """Whether a piece is not there."""
        s = self.s
        if isinstance(what, ZoneRead):
            return zones.read_code(s, what).lt(0)
        return s.named(s.scalar(what), lambda ref: either(ref.lt(0), pieces.held(s, ref).eq(0)))

    def _roomy(self, instr: Instr) -> bool:
        zone = instr.args[2]
        if instr.args[0] != "one":
            return False
        decl = self.s.declared.zones[zone.zone]
        supply = sum(self.s.declared.pieces[decl.holds].supply)
        return has_room(self.ask, zone) or (decl.shape != "slot" and min(decl.capacity, default=0) >= supply)

    # ---- for each candidate ----

    def _condition(self, instr: Instr, ways: tuple[int, int], there: bool) -> None:
        """What a step needs; a candidate without it is passed over."""
        s, fn = self.s, self.s.fn
        no, yes = ways
        if instr.op == "require":
            fn.br_if(no, s.ex(instr.args[0]).no())
        elif instr.op == "pay":
            region, index, amount, _ = instr.args
            place = const(0) if isinstance(index, Slot) and index.slot == -1 else s.scalar(index)
            now, by = s.read_region(region, place), s.scalar(amount)
            low, high = bounds(amount.type)
            if low is None or high is None or max(abs(low), abs(high)) >= 1 << 29:
                fn.br_if(no, (now.wide() - by.wide()).lt(self.lows[region]))
            else:
                fn.br_if(no, (now - by).lt(self.lows[region]))
        elif instr.op == "resolve":
            fn.br_if(yes, const(1))  # chance ends the look-ahead, whether or not the chooser has seen the piece
        elif instr.op == "move":
            self._move(instr, no, there)

    def _move(self, instr: Instr, no: int, there: bool) -> None:
        s, fn = self.s, self.s.fn
        mode, what, zone, _, _ = instr.args
        if mode != "one":
            self._move_many(instr, no)
            return
        if not self._roomy(instr):
            address, at = zones.where(s, zone)
            full = room_test(s, zone, address, at)
            if full is not None:
                fn.br_if(no, full)
        if not there:
            fn.br_if(no, self._missing(what))

    def _move_many(self, instr: Instr, no: int) -> None:
        s, fn = self.s, self.s.fn
        mode, what, zone, _, _ = instr.args
        if mode == "all":
            what = ZoneRead(type=Integer(0, None), what="all", zone=what)
        items = fn.keep(lists.as_list(s, what))
        fn.br_if(no, items.eq(0))
        decl = s.declared.zones[zone.zone]
        if decl.room < sum(s.declared.pieces[decl.holds].supply):
            fn.br_if(no, load(items).gt(zones.capacity(s, zone) - zones.amount(s, zone)))
