"""Looking ahead, as functions of the module: an option exists only if the unit that is open can be completed from it.

They do what `interpreter/reference/lookahead.py` does, in the same order, and count the same answers.
"""

from __future__ import annotations

from interpreter.middle.analysis.cost import BLOCK as AHEAD
from interpreter.middle.limits import MOST_DEEP
from interpreter.native import asks
from interpreter.native.code import MOST_WORK, Code
from interpreter.native.pieces import runtime
from interpreter.native.tables import (
    ANSWER,
    BLOCK,
    CANDIDATES,
    CHANCE,
    DECLINABLE,
    DEEP,
    FIRST,
    KIND,
    KINDS,
    OPTIONAL,
    OTHERWISE,
    SLOT,
    THIN,
    TRY,
    WIDTH,
    WORDS,
    Tables,
)
from interpreter.native.wasm import I32, I64, E, Fn, Local, both, call, const, const64, either, load, select
from rulespec.program.ops import UNIT_ME, UNIT_TOGETHER

#: half of the bounds that all keep to: the reference is to say that something is too much
MOST_BLOCKS = 10_000
MOST_BLIT = 2_048  #: bytes of a state that are copied piece by piece
UNKNOWN = -(1 << 30)  #: what a quick way gives where it cannot tell
SLOTS = 1 << 16  #: of the table of positions that a search remembers
LANES = 4
ENTRY = 16  #: bytes before a position: where it is asked, floor, what was found


class Search:
    """The writing of these functions."""

    def __init__(self, s: Code, tables: Tables, cap: int):
        self.s, self.t, self.cap = s, tables, cap
        self.size = (s.cells.size + 7) // 8 * 8
        #: what is compared: the state alone
        self.key = (s.cells.state + 7) // 8 * 8
        cells = s.layout.size
        self.weight = 50 + cells // 20
        self.most_known = 100_000_000 // (8 * cells + s.layout.piece_cells + 200)
        self.known = s.module.global_()
        self.known_start = s.module.global_()
        self.known_end = s.module.global_()
        self.slots_at = s.module.global_()
        self.amount = s.module.global_()
        self.search = s.module.global_()

    # ---- states ----

    def copied(self, c: E) -> Local:
        """A copy of a state."""
        d = self.s.allocate(self.size)
        self.copy(d, c)
        return d

    def copy(self, to: E, source: E) -> None:
        """Copies a state."""
        self.s.fn.run(runtime(self.s, "copy", 2, self._copy, result=None), to, source)

    def _copy(self, s: Code, fn: Fn, size: int = 0) -> None:
        to, source = fn.params
        size = size or self.size
        if size <= MOST_BLIT:
            fn.blit(to, source, size)
        else:
            fn.copy(to, source, size)

    def _note(self, s: Code, fn: Fn) -> None:
        """Copies what is compared of a state."""
        self._copy(s, fn, self.key)

    def reading(self, c: E, key: str) -> E:
        """A cell of a region of one cell, of any state."""
        outside, self.s.c = self.s.c, c
        found = self.s.read_region(key)
        self.s.c = outside
        return found

    def indirect(self, number: E, *args: E | int, count: int = 2) -> E:
        """Calls a function of the table."""
        return self.s.module.indirect(number, [I32] * len(args), I32, args)

    # ---- the purse ----

    def begin(self, c: E) -> None:
        """A new search, for whoever decides."""
        fn, g = self.s.fn, self.s.globals
        fn.set(g.chooser, self.reading(c, "me"))
        fn.set(g.left, self.cap)
        fn.set(g.deep, 0)
        fn.set(self.search, self.search + 1)
        fn.set(self.amount, 0)
        fn.set(self.known, self.known_start)

    def spend(self, nodes: E | int) -> E:
        """Counts answers; false where there are not as many left."""
        return call(runtime(self.s, "spend", 1, self._spend), nodes)

    def _spend(self, s: Code, fn: Fn) -> None:
        (nodes,) = fn.params
        left = s.globals.left
        enough = fn.keep(left.ge(nodes))
        fn.set(left, select(enough, left - nodes, const(0)))
        fn.give(enough)
        fn.trap()

    def counted(self, options: E) -> None:
        """Counts the positions that were tried for so many options."""
        tried = options + self.cap - self.s.globals.left
        self.s.fn.set(self.s.globals.work, self.s.globals.work + tried * self.weight)
        self.s.bail_if(self.s.globals.work.gt(MOST_WORK), "work")

    # ---- units ----

    def enter_try(self, c: E, pc: E) -> E:
        """Opens the unit of a `try`; the number of its first step."""
        return call(runtime(self.s, "enter_try", 2, self._enter_try), c, pc)

    def _enter_try(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        about = fn.keep(self.t.unit_at(pc))
        units = fn.keep(s.read_region("units"))
        kept = fn.keep(s.read_region("me") + units * UNIT_ME + s.read_region("together") * UNIT_TOGETHER)
        put_any(s, c + load(about, at=SLOT), load(about, at=WIDTH), kept)
        with fn.when(load(about, at=THIN).eq(0)):
            s.write_region("units", 0, units + 1)
        fn.give(pc + 1)
        fn.trap()

    def completes_alone(self, c: E, pc: E) -> E:
        """Whether what a `try` holds can be completed by itself."""
        return call(runtime(self.s, "completes_alone", 2, self._completes_alone), c, pc)

    def _completes_alone(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        top = fn.keep(s.globals.temps)
        d = self.copied(c)
        floor = fn.keep(s.read_region("units") + 1)
        found = fn.keep(self.reaches(d, self.enter_try(d, pc), floor))
        fn.set(s.globals.temps, top)
        fn.give(found)
        fn.trap()

    # ---- the search ----

    def reaches(self, c: E, pc: E, floor: E | int) -> E:
        """Whether some continuation reaches the end of unit `floor`, or a horizon. The state is used up."""
        return call(runtime(self.s, "reaches", 3, self._reaches), c, pc, floor)

    def _reaches(self, s: Code, fn: Fn) -> None:
        c, pc, floor = fn.params
        top = fn.keep(s.globals.temps)
        blocks = fn.keep(0)
        kind = fn.local()
        with fn.loop() as again:
            fn.set(blocks, blocks + 1)
            s.bail_if(blocks.gt(MOST_BLOCKS), "stuck")
            fn.set(kind, self.t.kind_at(pc))
            with fn.when(kind.eq(BLOCK)):
                s.count(AHEAD)
                fn.set(pc, self.indirect(pc, c, floor))
                fn.set(s.globals.temps, top)
                fn.br_if(again, pc.ge(0))
                fn.give(pc.gt(-3))
            with fn.when(kind.eq(TRY)):
                with fn.when(self.completes_alone(c, pc)):
                    fn.set(pc, self.enter_try(c, pc))
                with fn.otherwise():
                    fn.set(pc, load(self.t.unit_at(pc), at=OTHERWISE))
                fn.br(again)
        fn.give(call(runtime(s, "decides", 3, self._decides), c, pc, floor))
        fn.trap()

    def _decides(self, s: Code, fn: Fn) -> None:
        """A decision on the way: somebody else's is a horizon; of one's own, one good answer is enough."""
        c, pc, floor = fn.params
        about = fn.keep(self.t.ask_at(pc))
        horizon = load(about, at=CHANCE) | s.read_region("me").ne(s.globals.chooser) | s.read_region("units").eq(0)
        with fn.when(horizon):
            fn.give(1)
        with fn.when(load(about, at=DECLINABLE)):
            fn.give(1)
        entry, found = fn.keep(self._place_of(c, pc, floor)), fn.local()
        with fn.when(load(entry, at=8).ge(0)):
            fn.give(load(entry, at=8))
        # what follows may remember other positions: this one is noted behind them, as the reference does
        fn.set(s.globals.deep, s.globals.deep + 1)
        s.bail_if(s.globals.deep.gt(MOST_DEEP), "work")
        fn.set(found, call(runtime(s, "some", 3, self._some), c, pc, floor))
        fn.set(s.globals.deep, s.globals.deep - 1)
        fn.store(entry, found, at=8)
        fn.give(found)
        fn.trap()

    def _place_of(self, c: E, pc: E, floor: E) -> E:
        return call(runtime(self.s, "place_of", 3, self._write_place_of), c, pc, floor)

    def _write_place_of(self, s: Code, fn: Fn) -> None:
        """Where it is noted what was found of a position; begun anew (-1) where it was not met yet."""
        c, pc, floor = fn.params
        hashed = fn.keep(self._hash(c, pc, floor))
        at, slot, entry = fn.keep(hashed & (SLOTS - 1)), fn.local(), fn.local()
        with fn.forever() as (free, _):
            fn.set(slot, self.slots_at + at * 12)
            fn.br_if(free, load(slot).ne(self.search))
            fn.set(entry, load(slot, at=8))
            with fn.when(load(slot, at=4).eq(hashed)), fn.when(self._same(entry, c, pc, floor)):
                fn.give(entry)
            fn.set(at, (at + 1) & (SLOTS - 1))
        fn.set(entry, self.known)
        s.bail_if((entry + (ENTRY + self.key)).op("gt_u", self.known_end), "memory")
        fn.store(entry, pc)
        fn.store(entry, floor, at=4)
        fn.store(entry, -1, at=8)
        with fn.when(self.amount.lt(min(self.most_known, SLOTS // 2))):
            fn.set(self.amount, self.amount + 1)
            fn.set(self.known, entry + (ENTRY + self.key))
            fn.run(runtime(s, "note", 2, self._note, result=None), entry + ENTRY, c)
            fn.store(slot, self.search)
            fn.store(slot, hashed, at=4)
            fn.store(slot, entry, at=8)
        with fn.otherwise():
            s.bail("memory")
        fn.give(entry)
        fn.trap()

    def _hash(self, c: E, pc: E, floor: E) -> E:
        """A number made of all bytes of a state, on several ways at once: each waits for its own multiplication."""
        fn = self.s.fn
        lanes = [fn.keep((pc * 31 + floor).wide() + const64(i)) for i in range(LANES)]
        at, step = fn.keep(c), 16 * LANES
        with fn.count(self.key // step):
            for i, lane in enumerate(lanes):
                pair = load(at, 8, at=16 * i, kind=I64) ^ load(at, 8, at=16 * i + 8, kind=I64).op("rotl", 21)
                fn.set(lane, (lane ^ pair) * const64(0x9E3779B97F4A7C15))
                fn.set(lane, lane ^ (lane >> 29))
            fn.set(at, at + step)
        for i in range(self.key % step // 8):
            word = load(at, 8, at=8 * i, kind=I64)
            fn.set(lanes[i % LANES], (lanes[i % LANES] ^ word) * const64(0x9E3779B97F4A7C15))
        value = lanes[0]
        for lane in lanes[1:]:
            fn.set(value, (value.op("rotl", 23) ^ lane) * const64(0x9E3779B97F4A7C15))
        return (value ^ (value >> 32)).narrow()

    def _same(self, entry: E, c: E, pc: E, floor: E) -> E:
        same = both(load(entry).eq(pc), load(entry, at=4).eq(floor))
        return both(same, call(runtime(self.s, "equal", 2, self._equal), entry + ENTRY, c))

    def _equal(self, s: Code, fn: Fn) -> None:
        a, b = fn.params
        end = fn.keep(a + self.key)
        with fn.loop() as again:
            with fn.when(load(a, 8, kind=I64).ne(load(b, 8, kind=I64))):
                fn.give(0)
            fn.set(a, a + 8)
            fn.set(b, b + 8)
            fn.br_if(again, a.below(end))
        fn.give(1)
        fn.trap()

    def _some(self, s: Code, fn: Fn) -> None:
        """Whether one of the answers to a decision on the way leads on."""
        c, pc, floor = fn.params
        about = fn.keep(self.t.ask_at(pc))
        tried = fn.keep(UNKNOWN)
        with fn.when(both(load(about, at=FIRST), load(about, at=DEEP) | s.read_region("units").eq(1))):
            fn.set(tried, self.indirect(load(about, at=FIRST), c))
        with fn.when(tried.ne(UNKNOWN)):
            enough = self.spend(select(tried.gt(0), tried, const(-1) - tried))
            fn.give(either(enough.no(), tried.gt(0)))
        with fn.when(load(about, at=KIND).eq(KINDS["set"]) & load(about, at=OPTIONAL).eq(0)):
            from interpreter.native.picks import Picks

            fn.give(Picks(self).completes_now(c, pc, floor))
        self._one_by_one(c, pc, floor, about)

    def _one_by_one(self, c: E, pc: E, floor: E, about: Local) -> None:
        """Tries the answers in order, declining and stopping first."""
        fn, g = self.s.fn, self.s.globals
        start, top = fn.keep(g.found), fn.keep(g.temps)
        amount = fn.keep(self.listed(c, pc))
        size = fn.keep(load(about, at=WORDS) << 2)
        fn.set(g.found, start + amount * size)
        backward = fn.keep(load(about, at=OPTIONAL) | load(about, at=KIND).eq(KINDS["may"]))
        d, good = self.copied(c), fn.keep(0)
        with fn.block() as done, fn.count(amount) as i:
            with fn.when(i | backward.eq(0)), fn.when(self.spend(1).no()):
                fn.set(good, 1)
                fn.br(done)
            x = fn.keep(start + select(backward, amount - 1 - i, i) * size)
            with fn.when(i):
                self.copy(d, c)
            on = self.indirect(load(about, at=ANSWER), d, x)
            fn.set(good, self.reaches(d, on, floor))
            fn.br_if(done, good)
        fn.set(g.found, start)
        fn.set(g.temps, top)
        fn.give(good)
        fn.trap()

    # ---- answers ----

    def listed(self, c: E, pc: E) -> E:
        """How many answers a decision has before any look ahead; they are written where candidates are."""
        return call(runtime(self.s, "listed", 2, self._listed), c, pc)

    def _listed(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        about = fn.keep(self.t.ask_at(pc))
        amount = fn.local()
        with fn.when(load(about, at=KIND).eq(KINDS["set"])):
            from interpreter.native.picks import Picks

            fn.set(amount, Picks(self).next(c, pc))
        with fn.otherwise():
            fn.set(amount, self.indirect(load(about, at=CANDIDATES), c))
        with fn.when(load(about, at=OPTIONAL)):
            fn.store(s.globals.found + amount * (load(about, at=WORDS) << 2), asks.STOP)
            fn.set(amount, amount + 1)
        fn.give(amount)
        fn.trap()

    def leads_on(self, c: E, pc: E, x: E) -> E:
        """Whether an answer to the decision at hand can be completed."""
        return call(runtime(self.s, "leads_on", 3, self._leads_on), c, pc, x)

    def _leads_on(self, s: Code, fn: Fn) -> None:
        c, pc, x = fn.params
        about = fn.keep(self.t.ask_at(pc))
        may = load(about, at=KIND).eq(KINDS["may"])
        declines = select(may, load(x).eq(0), load(x).eq(asks.STOP) & load(about, at=OPTIONAL))
        with fn.when(declines & s.read_region("units").eq(0)):
            fn.give(1)
        top = fn.keep(s.globals.temps)
        d = self.copied(c)
        found = fn.keep(self.reaches(d, self.indirect(load(about, at=ANSWER), d, x), 1))
        fn.set(s.globals.temps, top)
        fn.give(found)
        fn.trap()


def put_any(s: Code, address: E, width: E, value: E) -> None:
    """Writes a value of a width that is found in play."""
    fn = s.fn
    where, size, what = fn.keep(address), fn.keep(width), fn.keep(value)
    for each in (1, 2, 4):
        with fn.when(size.eq(each)):
            fn.store(where, what, each)
