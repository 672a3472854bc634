"""The branches of a search tree, in the module's memory: found by the branch above and what is chosen, and made.

A branch is known by where it was asked, who chose, and what: as `CellPositions.named` writes it, a piece by its place
and code. Branches lie side by side; a table of their addresses is searched by a hash.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.native.asks import STOP
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.tables import KIND, KINDS, OPTIONAL, PIECES, WORDS, Tables
from interpreter.native.wasm import E, Fn, Local, both, call, const, load, select
from interpreter.reckoning import MOST_BRANCHES, MOST_KNOWN

#: What a branch holds: the branch above, where it was asked, who chose; how often it could be taken, was taken, and
#: could be before this round; the last round in which it could; what it brought (64 bits); the choice.
ABOVE, AT, SEAT, OFFERED, TAKEN, BEFORE, ROUND = range(0, 28, 4)
#: Then how much further ahead than on the average the choice leads at once (64 bits), at the root.
GAINED, LEAN, CHOICE = 32, 40, 48
#: What stands for the branch above in what is known of a choice wherever it is made.
EVERYWHERE = 4
SLOT = 8  #: bytes of an entry of the table: which tree, and the branch
MOST_SLOTS = 2 * MOST_BRANCHES


def slots_for(most: int | None, known: int) -> int:
    """The slots of a table for a tree of so many branches, if it is known, and so many choices of which is known."""
    slots = MOST_SLOTS
    while most is not None and slots // 4 > most + known:
        slots //= 2
    return slots


class Branches:
    """The writing of these functions; `words` are the numbers of the longest answer."""

    def __init__(self, s: Code, tables: Tables, words: int):
        self.s, self.t = s, tables
        self.size = (CHOICE + 4 * words + 7) // 8 * 8
        self.key = s.module.room(4 * words)
        variable = s.module.global_
        #: where branches lie, and the table
        self.root, self.slots = variable(), variable()
        #: which tree it is, the last number of the table, where the next branch is put, and the slot that was free
        self.tree, self.mask, self.next, self.free = variable(), variable(), variable(name="branches"), variable()
        #: of how many choices it is known what came of them wherever they were made, and how many may be known
        self.everywhere, self.most_known = variable(), variable()

    def rooms(self) -> dict[str, int]:
        """The room that is needed, in bytes."""
        return {"branches": self.size * (MOST_BRANCHES + MOST_KNOWN + 1), "slots_of_branches": SLOT * MOST_SLOTS}

    def begin(self, slots: E) -> None:
        """A new tree, with a table of so many slots (a power of two)."""
        fn = self.s.fn
        fn.set(self.tree, self.tree + 1)
        fn.set(self.mask, slots - 1)
        fn.set(self.next, self.root + self.size)
        fn.set(self.everywhere, 0)

    def find(self, above: E, x: E) -> E:
        """The branch of an answer to the decision at hand, or 0."""
        return call(runtime(self.s, "branch", 3, self._find), self.s.c, above, x)

    def _find(self, s: Code, fn: Fn) -> None:
        _, above, x = fn.params
        pc, seat = fn.keep(s.cell(0)), fn.keep(s.read_region("me"))
        about = fn.keep(self.t.ask_at(pc))
        size = fn.keep(load(about, at=WORDS) << 2)
        fn.run(runtime(s, "choice", 3, self._choice, result=None), x, about, size)
        at, found = fn.keep(self._hash(above, pc, seat, size) & self.mask), fn.local()
        with fn.forever() as (free, _):
            slot = fn.keep(self.slots + (at << 3))
            fn.set(self.free, slot)
            fn.br_if(free, load(slot).ne(self.tree))
            fn.set(found, load(slot, at=4))
            with fn.when(self._is(found, above, pc, seat)), fn.when(self._chooses(found, size)):
                fn.give(found)
            fn.set(at, (at + 1) & self.mask)
        fn.give(0)
        fn.trap()

    def _is(self, found: Local, above: E, pc: E, seat: E) -> E:
        return both(load(found).eq(above), load(found, at=AT).eq(pc) & load(found, at=SEAT).eq(seat))

    def _hash(self, above: E, pc: E, seat: E, size: E) -> E:
        fn = self.s.fn
        found = fn.keep((above ^ (pc << 16) ^ (seat << 8)) * const(0x9E3779B1))
        at, end = fn.keep(self.key), fn.keep(const(self.key) + size)
        with fn.forever() as (done, _):
            fn.br_if(done, at.eq(end))
            fn.set(found, ((found ^ (found >> 15)) ^ load(at)) * const(0x9E3779B1))
            fn.set(at, at + 4)
        return found ^ (found >> 15)

    def _chooses(self, found: Local, size: E) -> E:
        return call(runtime(self.s, "chooses", 2, self._write_chooses), found, size)

    def _write_chooses(self, s: Code, fn: Fn) -> None:
        found, size = fn.params
        with fn.forever() as (done, _):
            fn.br_if(done, size.eq(0))
            fn.set(size, size - 4)
            with fn.when(load(found + size, at=CHOICE).ne(load(size + self.key))):
                fn.give(0)
        fn.give(1)
        fn.trap()

    def _choice(self, s: Code, fn: Fn) -> None:
        """Writes down what is chosen: a piece without its position; with pieces, a set has no number."""
        x, about, size = fn.params
        mask, key = fn.keep(load(about, at=PIECES)), const(self.key)
        with fn.when(load(about, at=OPTIONAL) & load(x).eq(STOP)):
            fn.fill(key, size)
            fn.store(key, STOP)
            fn.give()
        is_set = fn.keep(load(about, at=KIND).eq(KINDS["set"]))
        bits, at = fn.keep(mask << is_set), fn.keep(0)
        with fn.forever() as (done, _):
            fn.br_if(done, at.eq(size))
            value = fn.keep(load(x + at))
            with fn.when((bits & 1) & value.ge(0)):
                fn.set(value, value.op("div_u", s.depth_codes) * s.declared.codes + value.op("rem_u", s.declared.codes))
            fn.store(key + at, value)
            fn.set(bits, bits >> 1)
            fn.set(at, at + 4)
        with fn.when(is_set & mask.ne(0)):
            fn.store(key, 0)

    def known(self, x: E) -> E:
        """What is known of an answer wherever it is given; 0 where there is too much."""
        return self.grow(const(EVERYWHERE), x, const(0))

    def each(self) -> Iterator[Local]:
        """The branches, by a loop around what is done with one."""
        fn = self.s.fn
        found = fn.keep(self.root + self.size)
        with fn.forever() as (out, _):
            fn.br_if(out, found.eq(self.next))
            yield found
            fn.set(found, found + self.size)

    def grow(self, above: E, x: E, stamp: E) -> E:
        """The branch of an answer, made where there is none; 0 where there are too many."""
        return call(runtime(self.s, "grow", 4, self._grow), self.s.c, above, x, stamp)

    def _grow(self, s: Code, fn: Fn) -> None:
        _, above, x, stamp = fn.params
        found = fn.keep(self.find(above, x))
        grown = (self.next - self.root).op("div_u", self.size) - self.everywhere
        with fn.when(
            found | select(above.eq(EVERYWHERE), self.everywhere.ge(self.most_known), grown.gt(MOST_BRANCHES))
        ):
            fn.give(found)
        fn.set(self.everywhere, self.everywhere + above.eq(EVERYWHERE))
        fn.set(found, self.next)
        fn.set(self.next, self.next + self.size)
        fn.fill(found, CHOICE)
        for at, value in ((ABOVE, above), (AT, s.cell(0)), (SEAT, s.read_region("me")), (OFFERED, 1), (ROUND, stamp)):
            fn.store(found, value, at=at)
        fn.copy(found + CHOICE, const(self.key), self.size - CHOICE)
        fn.store(self.free, self.tree)
        fn.store(self.free, found, at=4)
        fn.give(found)
        fn.trap()

    def offered(self, found: Local, stamp: E) -> None:
        """One more time that a branch could be taken; how often it could before this round is kept."""
        fn = self.s.fn
        before = fn.keep(load(found, at=OFFERED))
        fn.store(found, select(load(found, at=ROUND).eq(stamp), load(found, at=BEFORE), before), at=BEFORE)
        fn.store(found, stamp, at=ROUND)
        fn.store(found, before + 1, at=OFFERED)
