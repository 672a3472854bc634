"""Numbers of pieces imagined, as functions of the module: of places that their owners alone count.

`interpreter.imagine.Deal.share_out` does the same, and draws the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native import chance, pieces
from interpreter.native.code import Code
from interpreter.native.wasm import E, Fn, Local, both, const, load, select

#: Of a description of a place (`deal.py`): its number, its owner, how many pieces fit, and the size of all.
PLACE, OWNER, ROOM, SPOT = 0, 12, 16, 24


def writer(is_named: Callable[[E, E, E], E], dice: int, increment: E) -> Callable[[Code, Fn], None]:
    """What writes the function that shares pieces out: of a state, a seat, places, how many, and how many codes."""
    return lambda s, fn: _Sharing(s, fn).write(is_named, dice, increment)


class _Sharing:
    """The writing of this function. `counts` says how many free pieces of each code there are; `code` is the lowest."""

    def __init__(self, s: Code, fn: Fn):
        self.s, self.fn = s, fn
        self.c, self.seat, self.spots, self.amount, self.codes = fn.params

    def write(self, is_named: Callable[[E, E, E], E], dice: int, increment: E) -> None:
        s, fn = self.s, self.fn
        top, many = fn.keep(s.globals.temps), fn.keep(0)
        self._each(lambda spot: fn.set(many, many + 1))
        with fn.when(many.le(1)):
            fn.give()
        self.counts, self.code = s.allocate(self.codes << 2), fn.keep(0)
        fn.fill(self.counts, self.codes << 2)
        self.left = fn.keep(0)
        self._each(lambda spot: self._take_up(spot, is_named))
        with fn.when(self.left.gt(0)):
            marks = self._marks(many, dice, increment)
            at, over = fn.keep(marks + 4), fn.keep(0)
            self._each(lambda spot: self._share(spot, at, fn.keep(marks + (load(marks) << 2) + 4), over))
            self._each(lambda spot: self._put(spot, self.left))
        fn.set(s.globals.temps, top)

    def _each(self, do: Callable[[Local], None]) -> None:
        """Something for each place that is not the seat's own."""
        fn = self.fn
        with fn.count(self.amount) as i:
            spot = fn.keep(self.spots + i * SPOT)
            with fn.when(load(spot, at=OWNER).ne(self.seat)):
                do(spot)

    def _take_up(self, spot: Local, is_named: Callable[[E, E, E], E]) -> None:
        """Counts the pieces of a place that no name holds, and takes them away."""
        s, fn = self.s, self.fn
        place = fn.keep(load(spot))
        cells = fn.keep(pieces.place_at(s, self.c, place).cells)
        with fn.count(self.codes) as code:
            held, named = fn.keep(pieces.read(s, cells, code)), fn.keep(0)
            with fn.count(held) as like:
                fn.set(named, named + is_named(place, code, like))
            free, cell = fn.keep(held - named), fn.keep(self.counts + (code << 2))
            fn.store(cell, load(cell) + free)
            fn.set(self.left, self.left + free)
            pieces.write(s, cells, code, named)

    def _marks(self, many: Local, dice: int, increment: E) -> Local:
        """A list with a 0 for each piece and a 1 between two places, in a random order."""
        s, fn = self.s, self.fn
        size = fn.keep(self.left + many - 1)
        marks = fn.keep(s.allocate((size << 2) + 4))
        fn.store(marks, size)
        with fn.count(size) as i:
            fn.store(marks + (i << 2), i.ge(self.left), at=4)
        chance.shuffle_list(s, marks, const(dice), increment)
        return marks

    def _share(self, spot: Local, at: Local, end: Local, over: Local) -> None:
        """A place gets as many pieces as there are marks up to the next 1, and those that had no room before."""
        fn = self.fn
        before = fn.keep(self.left)
        with fn.forever() as (done, _):
            fn.br_if(done, at.eq(end))
            is_end = fn.keep(load(at))
            fn.set(at, at + 4)
            fn.br_if(done, is_end)
            fn.set(over, over + 1)
        self._put(spot, over)
        fn.set(over, over - (before - self.left))

    def _put(self, spot: Local, wanted: E) -> None:
        """Lays so many pieces down, or as many as fit."""
        s, fn = self.s, self.fn
        place = fn.keep(load(spot))
        room = fn.keep(load(spot, at=ROOM) - pieces.amount(s, place))
        cells = fn.keep(pieces.place_at(s, self.c, place).cells)
        amount = fn.keep(select(room.lt(wanted), room, wanted))
        with fn.count(amount):
            with fn.forever() as (found, _):
                fn.br_if(found, both(self.code.lt(self.codes), load(self.counts + (self.code << 2)).gt(0)))
                fn.set(self.code, self.code + 1)
            cell = fn.keep(self.counts + (self.code << 2))
            fn.store(cell, load(cell) - 1)
            pieces.write(s, cells, self.code, pieces.read(s, cells, self.code) + 1)
        fn.set(self.left, self.left - amount)
