"""Sets that are picked one by one, as functions of the module: as `interpreter/reference/sets.py`.

What is known of the picks of one set lies side by side in memory: see `PICKS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.middle.layout import Room
from interpreter.native import asks, lists, pieces
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.tables import CANDIDATES, EXIT, OPTIONAL, PIECES, TELL, WORDS, WRITE
from interpreter.native.wasm import I32, E, Fn, Local, both, call, const, load, select
from rulespec.lower.ir import Ask
from rulespec.lower.ir import Local as Slot

if TYPE_CHECKING:
    from interpreter.native.search import Search

#: The state, the first candidate, how many, numbers of each, where picks lie, how many are wanted, the floor, the last
#: pick that completed a set, where play goes on, which numbers are pieces, who writes picks, how many there are, and
#: where the number of each pick among the candidates lies, and a byte for each candidate: what is known of it.
C, FOUND, AMOUNT, EACH, PICKED, WANTED, FLOOR, LUCKY, LEAVES, FIELDS, WRITER, HAD, ORDER, KNOWN = range(0, 56, 4)
PICKS = 56
#: A candidate is in a set that was completed, and need not be tried; or no set holds it.
GOOD, BAD = 1, 2
MOST_PICKS = 256


class Picks:
    """The writing of these functions."""

    def __init__(self, search: Search):
        self.search = search
        self.s = search.s

    # ---- begin ----

    def _new(self, c: E, pc: E) -> E:
        return call(runtime(self.s, "picks_new", 2, self._write_new), c, pc)

    def _write_new(self, s: Code, fn: Fn) -> None:
        """Lists the candidates; they stay where they are until `found` is put back."""
        c, pc = fn.params
        about = fn.keep(self.search.t.ask_at(pc))
        p = s.allocate(PICKS)
        each = fn.keep(load(about, at=WORDS) - 1)
        fn.store(p, c, at=C)
        fn.store(p, s.globals.found, at=FOUND)
        fn.store(p, each, at=EACH)
        for to, value in ((FIELDS, PIECES), (LEAVES, EXIT), (WRITER, WRITE)):
            fn.store(p, load(about, at=value), at=to)
        fn.store(p, -1, at=LUCKY)
        fn.do(self.search.indirect(load(about, at=TELL), c, p))
        amount = fn.keep(self.search.indirect(load(about, at=CANDIDATES), c))
        fn.store(p, amount, at=AMOUNT)
        fn.set(s.globals.found, s.globals.found + amount * (each << 2))
        known = s.allocate(amount)
        fn.fill(known, amount)
        fn.store(p, known, at=KNOWN)
        fn.give(p)
        fn.trap()

    # ---- what may come next ----

    def _behind(self, p: E, last: E) -> E:
        """The number from which picks go on behind another: its own again only where it names pieces."""
        return last + load(p, at=FIELDS).eq(0)

    def _at(self, p: E, i: E) -> E:
        return load(p, at=FOUND) + i * (load(p, at=EACH) << 2)

    def _fits(self, p: E, had: E, i: E) -> E:
        """Whether a candidate may still be picked: not picked, or with pieces enough for one more; and in some set."""
        return call(runtime(self.s, "picks_fit", 3, self._write_fits), p, had, i)

    def _write_fits(self, s: Code, fn: Fn) -> None:
        p, had, i = fn.params
        with fn.when(load(load(p, at=KNOWN) + i, 1).eq(BAD)):
            fn.give(0)
        with fn.when(had.eq(0)):
            fn.give(1)
        fields, each = fn.keep(load(p, at=FIELDS)), fn.keep(load(p, at=EACH) << 2)
        with fn.when(fields.eq(0)):
            with fn.count(had) as k, fn.when(load(load(p, at=ORDER) + (k << 2)).eq(i)):
                fn.give(0)
            fn.give(1)
        x = fn.keep(self._at(p, i))
        offset = fn.keep(0)
        with fn.forever() as (out, _):
            fn.br_if(out, fields.eq(0))
            with fn.when(fields & 1):
                ref = fn.keep(load(x + offset))
                same = fn.keep(0)
                at = fn.keep(load(p, at=PICKED) + offset)
                with fn.count(had):
                    fn.set(same, same + load(at).eq(ref))
                    fn.set(at, at + each)
                outside, s.c = s.c, load(p, at=C)
                with fn.when(both(same, pieces.alike(s, ref).le(same))):
                    fn.give(0)
                s.c = outside
            fn.set(fields, fields >> 1)
            fn.set(offset, offset + 4)
        fn.give(1)
        fn.trap()

    def _put(self, p: E, had: E, i: E) -> None:
        """One more pick, behind those that are there."""
        each = load(p, at=EACH) << 2
        self.s.fn.copy(load(p, at=PICKED) + had * each, self._at(p, i), each)
        self.s.fn.store(load(p, at=ORDER) + (had << 2), i)

    # ---- what can be completed ----

    def completes_now(self, c: E, pc: E, floor: E) -> E:
        """Whether the picks so far can be completed."""
        return call(runtime(self.s, "completes_now", 3, self._write_completes_now), c, pc, floor)

    def _write_completes_now(self, s: Code, fn: Fn) -> None:
        c, pc, floor = fn.params
        start, top = fn.keep(s.globals.found), fn.keep(s.globals.temps)
        p = fn.keep(self._new(c, pc))
        fn.store(p, floor, at=FLOOR)
        found = fn.keep(self._completes(p, load(p, at=HAD), const(0), load(p, at=AMOUNT)))
        fn.set(s.globals.found, start)
        fn.set(s.globals.temps, top)
        fn.give(found)
        fn.trap()

    def _completes(self, p: E, had: E, start: E, end: E) -> E:
        """Whether some candidates complete the set, in their order, the first of them out of some numbers."""
        return call(runtime(self.s, "picks_complete", 4, self._write_completes), p, had, start, end)

    def _write_completes(self, s: Code, fn: Fn) -> None:
        p, had, start, end = fn.params
        missing = fn.keep(load(p, at=WANTED) - had)
        with fn.when(missing.le(0)):
            fn.give(self._whole(p, had))
        with fn.when(missing.eq(1)), fn.when(self._lucky_again(p, had, start, end)):
            fn.give(1)
        with fn.count(end, start) as i, fn.when(self._fits(p, had, i)):
            with fn.when(self.search.spend(1).no()):
                fn.give(1)
            self._put(p, had, i)
            with fn.when(missing.eq(1)), fn.when(self._whole(p, had + 1)):
                fn.store(p, i, at=LUCKY)
                fn.give(1)
            with fn.otherwise(), fn.when(self._completes(p, had + 1, self._behind(p, i), load(p, at=AMOUNT))):
                fn.give(1)
        fn.give(0)
        fn.trap()

    def _lucky_again(self, p: E, had: E, start: E, end: E) -> E:
        """Whether the last pick that completed a set does it again."""
        return call(runtime(self.s, "picks_lucky", 4, self._write_lucky), p, had, start, end)

    def _write_lucky(self, s: Code, fn: Fn) -> None:
        p, had, start, end = fn.params
        i = fn.keep(load(p, at=LUCKY))
        with fn.when(i.lt(start) | i.ge(end)):
            fn.give(0)
        with fn.when(self._fits(p, had, i).no()):
            fn.give(0)
        with fn.when(self.search.spend(1).no()):
            fn.give(1)
        self._put(p, had, i)
        fn.give(self._whole(p, had + 1))
        fn.trap()

    def _whole(self, p: E, had: E) -> E:
        """Whether the unit can be completed with these picks."""
        return call(runtime(self.s, "picks_whole", 2, self._write_whole), p, had)

    def _write_whole(self, s: Code, fn: Fn) -> None:
        p, had = fn.params
        top = fn.keep(s.globals.temps)
        d = self.search.copied(load(p, at=C))
        self._write_down(p, d, had)
        found = fn.keep(self.search.reaches(d, load(p, at=LEAVES), load(p, at=FLOOR)))
        fn.set(s.globals.temps, top)
        with fn.when(found), fn.count(had) as k:
            fn.store(load(p, at=KNOWN) + load(load(p, at=ORDER) + (k << 2)), GOOD, 1)
        fn.give(found)
        fn.trap()

    def _write_down(self, p: E, d: E, had: E) -> None:
        self.s.fn.do(self.search.indirect(load(p, at=WRITER), d, p, had))

    # ---- options ----

    def options(self, c: E, pc: E) -> E:
        """The next picks with which the unit can be completed, written as answers: how many. Counts what it took."""
        return call(runtime(self.s, "picks_options", 2, self._write_options), c, pc)

    def _write_options(self, s: Code, fn: Fn) -> None:
        start, top = fn.keep(s.globals.found), fn.keep(s.globals.temps)
        p = fn.keep(self._new(*fn.params))
        fn.store(p, 1, at=FLOOR)
        had = fn.keep(load(p, at=HAD))
        good = fn.local()
        out = fn.keep(s.allocate(load(p, at=AMOUNT) * (load(p, at=EACH) * 4 + 4) + 8))
        begun = fn.keep(out)
        takes_all = fn.keep(self._takes_all(p, had))
        with fn.block() as found, fn.count(load(p, at=AMOUNT)) as i, fn.when(self._fits(p, had, i)):
            self._put(p, had, i)
            with fn.when((load(p, at=WANTED) - had).le(1)):
                fn.set(good, self._whole(p, had + 1))
            with fn.otherwise():
                fn.set(good, self._leads_on(p, had, i))
            with fn.when(good):
                self._answer(p, out, i)
            fn.br_if(found, takes_all)
        self.search.counted(load(p, at=AMOUNT))
        self._handed_out(p, start, begun, out)
        fn.set(s.globals.temps, top)
        fn.give((out - begun).op("div_u", load(p, at=EACH) * 4 + 4))
        fn.trap()

    def _takes_all(self, p: E, had: E) -> E:
        """Whether there are just as many picks left as the set needs; not known of several names with pieces."""
        return call(runtime(self.s, "picks_all", 2, self._write_takes_all), p, had)

    def _write_takes_all(self, s: Code, fn: Fn) -> None:
        p, had = fn.params
        pieces_asked = fn.keep(load(p, at=FIELDS))
        with fn.when(both(pieces_asked, load(p, at=EACH).gt(1))):
            fn.give(0)
        left = fn.keep(0)
        with fn.count(load(p, at=AMOUNT)) as i, fn.when(self._fits(p, had, i)):
            times = fn.keep(1)
            with fn.when(pieces_asked):
                ref = fn.keep(load(self._at(p, i)))
                outside, s.c = s.c, load(p, at=C)
                fn.set(times, pieces.alike(s, ref))
                s.c = outside
                fn.set(times, select(times.lt(1), const(1), times))
                with fn.count(had) as k:
                    fn.set(times, times - load(load(p, at=PICKED) + (k << 2)).eq(ref))
            fn.set(left, left + times)
        fn.give(left.eq(load(p, at=WANTED) - had))
        fn.trap()

    def _leads_on(self, p: E, had: E, i: E) -> E:
        """Whether a set with one more pick can be completed: by later candidates, else with an earlier one too.

        A member of a set that was completed before leads on, and one of which no set was found is in none.
        """
        return call(runtime(self.s, "picks_lead_on", 3, self._write_leads_on), p, had, i)

    def _write_leads_on(self, s: Code, fn: Fn) -> None:
        p, had, i = fn.params
        known = fn.keep(load(p, at=KNOWN) + i)
        with fn.when(load(known, 1).eq(GOOD)):
            fn.give(1)
        with fn.when(self._completes(p, had + 1, self._behind(p, i), load(p, at=AMOUNT))):
            fn.give(1)
        with fn.when(self._completes(p, had + 1, const(0), i)):
            fn.give(1)
        fn.store(known, BAD, 1)
        fn.give(0)
        fn.trap()

    def _answer(self, p: E, out: Local, i: E) -> None:
        fn = self.s.fn
        fn.store(out, i)
        fn.copy(out + 4, self._at(p, i), load(p, at=EACH) << 2)
        fn.set(out, out + (load(p, at=EACH) << 2) + 4)

    def _handed_out(self, p: E, start: E, begun: E, out: E) -> None:
        """Puts answers where the candidates lay."""
        fn, g = self.s.fn, self.s.globals
        self.s.bail_if((start + (out - begun)).op("gt_u", g.found_end), "candidates")
        fn.copy(start, begun, out - begun)
        fn.set(g.found, start)

    def next(self, c: E, pc: E) -> E:
        """The candidates that may be picked now, whatever follows, written as answers; how many."""
        return call(runtime(self.s, "picks_next", 2, self._write_next), c, pc)

    def _write_next(self, s: Code, fn: Fn) -> None:
        start, top = fn.keep(s.globals.found), fn.keep(s.globals.temps)
        p = fn.keep(self._new(*fn.params))
        had = fn.keep(load(p, at=HAD))
        out = fn.keep(s.allocate(load(p, at=AMOUNT) * (load(p, at=EACH) * 4 + 4) + 8))
        begun = fn.keep(out)
        with fn.count(load(p, at=AMOUNT)) as i, fn.when(self._fits(p, had, i)):
            self._answer(p, out, i)
        self._handed_out(p, start, begun, out)
        fn.set(s.globals.temps, top)
        fn.give((out - begun).op("div_u", load(p, at=EACH) * 4 + 4))
        fn.trap()

    # ---- by chance ----

    def by_chance(self, c: E, pc: E, draw: Fn) -> E:
        """A set drawn by chance, one by one; where to go on, or less than 0 where it fails."""
        self.draw = draw
        return call(runtime(self.s, "set_by_chance", 2, self._write_by_chance), c, pc)

    def _write_by_chance(self, s: Code, fn: Fn) -> None:
        c, pc = fn.params
        start, top = fn.keep(s.globals.found), fn.keep(s.globals.temps)
        p = fn.keep(self._new(c, pc))
        wanted, amount = fn.keep(load(p, at=WANTED)), fn.keep(load(p, at=AMOUNT))
        fn.set(s.globals.found, start)
        optional = fn.keep(load(self.search.t.ask_at(pc), at=OPTIONAL))
        with fn.when(wanted.gt(amount)):
            with fn.when(optional.no()):
                self._too_few(c, pc, p)
            fn.set(wanted, amount)
        had = fn.keep(0)
        with fn.when(load(p, at=EACH).gt(1)):
            fn.set(had, call(runtime(s, "picked_by_chance", 4, self._write_picked_by_chance), p, pc, wanted, amount))
            with fn.when(had.lt(wanted) & optional.no()):
                self._too_few(c, pc, p)
        with fn.otherwise():
            numbers = fn.keep(s.allocate(amount * 4 + 4))
            with fn.count(amount) as i:
                fn.store(numbers + (i << 2), i)
            with fn.count(wanted) as i:
                k = fn.keep(numbers + ((i + call(self.draw, c, pc, amount - i)) << 2))
                mine = fn.keep(numbers + (i << 2))
                kept = fn.keep(load(k))
                fn.store(k, load(mine))
                fn.store(mine, kept)
                self._put(p, i, kept)
            fn.set(had, wanted)
        self._write_down(p, c, had)
        s.set_cell(s.layout.horizon, 1)
        fn.set(s.globals.temps, top)
        fn.give(load(p, at=LEAVES))
        fn.trap()

    def _too_few(self, c: E, pc: E, p: E) -> None:
        """Outside every unit there is nothing to leave, and nothing is chosen; a set-up's fault is told elsewhere."""
        s = self.s
        s.bail_if(self.search.t.is_needed(pc), "candidates")
        s.fn.give(select(s.read_region("units"), const(-3) - pc, load(p, at=LEAVES)))

    def _write_picked_by_chance(self, s: Code, fn: Fn) -> None:
        """Picks of several names, each piece once; gives how many there are. As the reference does."""
        p, pc, wanted, amount = fn.params
        had, first, c = fn.keep(0), fn.keep(0), load(p, at=C)
        with fn.forever() as (done, _):
            fn.br_if(done, had.ge(wanted))
            fn.set(first, call(runtime(s, "picks_first_left", 3, self._write_first_left), p, had, first))
            fn.br_if(done, first.ge(amount))
            number = fn.keep(call(self.draw, c, pc, amount))
            with fn.when(self._is_left_over(p, had, number, pc)):
                self._put(p, had, number)
                fn.set(had, had + 1)
        fn.give(had)
        fn.trap()

    def _write_first_left(self, s: Code, fn: Fn) -> None:
        """The first candidate from a number on whose pieces are not gone: those before it never come back."""
        p, had, begin = fn.params
        at, amount = fn.keep(begin), fn.keep(load(p, at=AMOUNT))
        with fn.forever() as (out, _):
            fn.br_if(out, at.ge(amount))
            fn.br_if(out, self._is_left_over(p, had, at, const(-1)))
            fn.set(at, at + 1)
        fn.give(at)
        fn.trap()

    def _is_left_over(self, p: E, had: E, i: E, pc: E) -> E:
        """Whether none of the pieces that a candidate names is gone: for certain, or by a draw where `pc` is no -1."""
        return call(runtime(self.s, "picks_left_over", 4, self._write_is_left_over), p, had, i, pc)

    def _write_is_left_over(self, s: Code, fn: Fn) -> None:
        p, had, i, pc = fn.params
        fields, each = fn.keep(load(p, at=FIELDS)), fn.keep(load(p, at=EACH) << 2)
        x, offset, c = fn.keep(self._at(p, i)), fn.keep(0), fn.keep(load(p, at=C))
        with fn.forever() as (out, _):
            fn.br_if(out, fields.eq(0))
            with fn.when(fields & 1):
                ref, gone = fn.keep(load(x + offset)), fn.keep(0)
                at = fn.keep(load(p, at=PICKED) + offset)
                with fn.count(had):
                    fn.set(gone, gone + load(at).eq(ref))
                    fn.set(at, at + each)
                outside, s.c = s.c, c
                there = fn.keep(1)
                with fn.when(pieces.in_pool(s, ref)):
                    fn.set(there, pieces.held(s, ref))
                s.c = outside
                with fn.when(gone.ge(there)):
                    fn.give(0)
                with fn.when(gone.gt(0) & pc.ge(0)), fn.when(call(self.draw, c, pc, there).lt(gone)):
                    fn.give(0)
            fn.set(fields, fields >> 1)
            fn.set(offset, offset + 4)
        fn.give(1)
        fn.trap()


# ---- what each set has of its own -----------------------------------------------------------------------------------


def write_tell(s: Code, at: int, ask: Ask) -> Fn:
    """The function that notes what is picked so far, the number of each, and how many are wanted."""
    fn = s.module.function((I32, I32), I32, f"tell{at}")
    with s.writing(fn):
        p = fn.params[1]
        assert isinstance(ask.amount, Slot)
        each = asks.words(ask)
        room, _ = asks.picked_room(s, ask)
        had = fn.keep(lists.slot(s, ask.picked))
        wanted = fn.keep(s.scalar(ask.amount))
        s.bail_if(wanted.gt(room.most or 0), "cells")
        picked = s.allocate(4 * each * ((room.most or 0) + 2))
        fn.copy(picked, had + 4, load(had) * (4 * each))
        fn.store(p, picked, at=PICKED)
        fn.store(p, load(had), at=HAD)
        begun = fn.keep(lists.slot(s, ask.order))
        order = s.allocate(4 * ((room.most or 0) + 2))
        fn.copy(order, begun + 4, load(begun) * 4)
        fn.store(p, order, at=ORDER)
        fn.store(p, wanted, at=WANTED)
        fn.give(0)
        fn.trap()
    return fn


def write_picks(s: Code, at: int, ask: Ask) -> Fn:
    """The function that writes picks into a state, by their numbers: how many."""
    fn = s.module.function((I32, I32, I32), I32, f"picks{at}")
    with s.writing(fn):
        _, p, had = fn.params
        picked, order = asks.picked_room(s, ask), asks.order_room(s, ask)
        source, numbers, each = fn.keep(load(p, at=PICKED)), fn.keep(load(p, at=ORDER)), asks.words(ask)
        with fn.count(had) as i:
            number = fn.keep(load(numbers + (i << 2)))
            place = fn.keep(_place(fn, numbers, had, i, number))
            for k in range(each):
                _store_item(s, picked, place * each + k, load(source + ((i * each + k) << 2)))
            _store_item(s, order, place, number)
        for room, start in (picked, order):
            before = fn.keep(load(s.c, 2, at=start))
            fn.store(s.c, had, 2, at=start)
            lists.zero_behind(s, start, had, before, room)
        fn.give(0)
        fn.trap()
    return fn


def _place(fn: Fn, numbers: E, had: E, i: E, number: E) -> E:
    """How many of the picks lie before one: those of smaller numbers, and of the same those that came before."""
    place = fn.local()
    fn.set(place, 0)
    with fn.count(had) as k:
        other = fn.keep(load(numbers + (k << 2)))
        fn.set(place, place + (other.lt(number) | (other.eq(number) & k.lt(i))))
    return place


def _store_item(s: Code, list_: tuple[Room, int], at: E, value: E) -> None:
    """Writes one number of a list of the state."""
    room, start = list_
    s.fn.store(s.c + at * room.width, value, room.width, at=start + 2)
