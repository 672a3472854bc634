"""What a decision offers: the candidates of each ask, and what an answer writes.

Candidates are written where `found` points to, each as one number for every name. An answer is the address of one of
them; of a set, its number stands before it. Stopping is -1.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from math import prod

from interpreter.middle.analysis.cost import LISTED, of_name, of_pass
from interpreter.middle.analysis.loops import may_repeat
from interpreter.middle.layout import Room
from interpreter.native import lists, passes, plans
from interpreter.native.code import Code, NotCompiled
from interpreter.native.wasm import I32, E, Fn, Local, const, load
from rulespec.lower.ir import Ask, Const, Name, RangeIr, ZoneIr
from rulespec.model.types import Piece, Record, strip

STOP = -1


def words(ask: Ask) -> int:
    """How many numbers a candidate has."""
    return max(1, len(ask.names))


def answer_words(ask: Ask) -> int:
    """How many numbers an answer has."""
    return words(ask) + (ask.kind == "set")


def bound(s: Code, ask: Ask) -> int:
    """How many candidates there are at most."""
    return prod((max(1, lists.room_for(s, n.source)) for n in ask.names), start=1) if ask.names else 2


class Candidates:
    """The writing of the function that lists an ask's candidates in order, equal ones once but for chance."""

    def __init__(self, s: Code, ask: Ask):
        self.s, self.ask = s, ask
        self.size = 4 * words(ask)
        self.out = Local(0, I32)
        self.best: Local | None = None
        self.best_start: Local | None = None
        self.preferred: plans.Plan | None = None

    def write(self) -> Fn:
        """The function: from a state to how many candidates it wrote."""
        s, ask = self.s, self.ask
        fn = s.module.function((I32,), I32, f"cand {ask.id}")
        with s.writing(fn):
            if ask.kind == "may":
                self._accept_or_decline()
            else:
                most = bound(s, ask)
                s.bail_if((s.globals.found + most * self.size).op("gt_u", s.globals.found_end), "candidates")
                self._list(most)
        return fn

    def write_whether(self) -> Fn:
        """The function: from a state to whether there is a candidate; it looks no further than the first."""
        s, ask = self.s, self.ask
        fn = s.module.function((I32,), I32, f"any {ask.id}")
        with s.writing(fn):
            top = fn.keep(s.globals.temps)
            if ask.kind != "may":
                with ExitStack() as stack:
                    for name in ask.names:
                        self._name(replace(name, seen=None, if_possible=None), stack)
                    fn.set(s.globals.temps, top)
                    fn.give(1)
            fn.set(s.globals.temps, top)
            fn.give(int(ask.kind == "may"))
            fn.trap()
        return fn

    def _accept_or_decline(self) -> None:
        s = self.s
        s.fn.store(s.globals.found, 1)
        s.fn.store(s.globals.found, 0, at=4)
        s.fn.give(2)
        s.fn.trap()

    def _list(self, most: int) -> None:
        s, ask, fn = self.s, self.ask, self.s.fn
        if any(isinstance(strip(n.type), Record) or not s.is_scalar(n.type) for n in ask.names):
            raise NotCompiled("choices among lists")
        top = fn.keep(s.globals.temps)
        self.out = fn.keep(s.globals.found)
        start = fn.keep(self.out)
        self.preferred = self._preferred()
        if self.preferred is None and any(n.if_possible is not None for n in ask.names):
            self.best_start = s.allocate(most * self.size)
            self.best = fn.keep(self.best_start)
        with ExitStack() as stack:
            values = [self._name(name, stack) for name in ask.names]
            self._found(values)
        if self.best is not None and self.best_start is not None:
            with fn.when(self.best.ne(self.best_start)):
                fn.copy(start, self.best_start, self.best - self.best_start)
                fn.set(self.out, start + (self.best - self.best_start))
        if any(n.seen is not None for n in ask.names) and not ask.chance:
            _sort(s, start, self.out, words(ask))
        fn.set(s.globals.temps, top)
        fn.give((self.out - start).op("div_u", self.size))
        fn.trap()

    def _preferred(self) -> plans.Plan | None:
        """What candidates should be if possible, where it is found of all of them at once; else None."""
        name, planner = self.ask.names[0], plans.Planner(self.s)
        if len(self.ask.names) > 1 or name.if_possible is None or self.ask.kind == "next" or self.ask.alike is not None:
            return None
        plan = planner.narrowed(name.source, name.var, name.where)
        if plan is None or plan[1] is not None:
            return None
        return planner.plan(name.if_possible, name.var, name.source.size)  # type: ignore[attr-defined]

    def _found(self, values: list[E]) -> None:
        """One more candidate."""
        fn = self.s.fn
        for i, value in enumerate(values):
            fn.store(self.out, value, at=4 * i)
        fn.set(self.out, self.out + self.size)
        if self.best is None:
            return
        test = const(1)
        for name in self.ask.names:
            if name.if_possible is not None:
                test = self.s.ex(name.if_possible) if test.value else test & self.s.ex(name.if_possible).ne(0)
        with fn.when(test):
            for i, value in enumerate(values):
                fn.store(self.best, value, at=4 * i)
            fn.set(self.best, self.best + self.size)

    # ---- names ----

    def _name(self, name: Name, stack: ExitStack) -> E:
        """Opens the loop of one name; gives its candidate."""
        s = self.s
        is_counted = of_name(s.costs, name) >= LISTED
        is_range = isinstance(name.source, RangeIr)  # it may be much shorter than it could be
        if is_counted and not is_range:
            s.count(of_name(s.costs, name))
        if isinstance(strip(name.type), Piece):
            return self._each_piece(name, stack) if self.ask.chance else self._piece(name, stack)
        repeats = self.ask.alike is None and not self.ask.chance and may_repeat(s.declared, name.source)
        once = self._met_before(name) if repeats else None
        alike = self._met_before(name) if self.ask.alike is not None else None
        item, where = stack.enter_context(passes.filtered(s, name.source, name.var, name.where, self.preferred))
        if is_counted and is_range:
            s.count(of_pass(s.costs, name.where, name.if_possible))
        s.vars[name.var] = item.value
        if where is not None:
            stack.enter_context(s.fn.when(s.ex(where)))
        if once is not None:
            self._once(once, item.value, stack)
        self._alike(alike, stack)
        return item.value

    def _met_before(self, name: Name) -> tuple[Local, Local]:
        """Room for the values that were met, and where it ends, begun anew for each combination of names before."""
        s = self.s
        start = s.allocate(4 * max(1, lists.room_for(s, name.source)))
        return start, s.fn.keep(start)

    def _once(self, met: tuple[Local, Local], value: E, stack: ExitStack) -> None:
        """Goes on only with a value that was not met before."""
        s, fn = self.s, self.s.fn
        start, end = met
        key = fn.keep(value)
        new, at = fn.keep(1), fn.keep(start)
        with fn.forever() as (out, _):
            fn.br_if(out, at.eq(end))
            with fn.when(load(at).eq(key)):
                fn.set(new, 0)
                fn.br(out)
            fn.set(at, at + 4)
        stack.enter_context(s.fn.when(new))
        fn.store(end, key)
        fn.set(end, end + 4)

    def _alike(self, met: tuple[Local, Local] | None, stack: ExitStack) -> None:
        """Members that are alike are one option: the first of them."""
        if met is not None and self.ask.alike is not None:
            self._once(met, self.s.scalar(self.ask.alike), stack)

    def _each_piece(self, name: Name, stack: ExitStack) -> E:
        """Every piece, equal ones one by one, as chance knows them."""
        s, fn = self.s, self.s.fn
        item = stack.enter_context(passes.each(s, name.source))
        value = fn.keep(item.value)
        s.vars[name.var] = value
        s.codes_of[name.var] = item.code if item.code is not None else value.op("rem_u", s.declared.codes)
        if name.where is not None:
            stack.enter_context(fn.when(s.ex(name.where)))
        stack.enter_context(item.times(s))
        return value

    def _piece(self, name: Name, stack: ExitStack) -> E:
        """A piece as the chooser sees it: by its code, or by its back where the front is hidden."""
        s, fn = self.s, self.s.fn
        alike = self._met_before(name) if self.ask.alike is not None else None
        seen = None if name.seen is None else s.ex(name.seen)
        plain = (
            name.seen is None and isinstance(name.source, ZoneIr) and s.declared.zones[name.source.zone].shape == "pool"
        )
        met = None if plain else self._met_before(name)
        item = stack.enter_context(passes.each(s, name.source))
        value = fn.keep(item.value)
        code = item.code if item.code is not None else value.op("rem_u", s.declared.codes)
        s.vars[name.var], s.codes_of[name.var] = value, code
        if name.where is not None:
            stack.enter_context(fn.when(s.ex(name.where)))
        if met is not None:
            self._once(met, self._looks(name, value, code, seen), stack)
        self._alike(alike, stack)
        return value

    def _looks(self, name: Name, value: Local, code: E, seen: E | None) -> E:
        """What a piece is known by; one that is not seen is named by its back from here on."""
        s, fn = self.s, self.s.fn
        place = fn.keep(value - value.op("rem_u", s.depth_codes))
        key = fn.keep(place + code)
        if seen is None:
            return key
        kind = s.declared.pieces[strip(name.type).kind]  # type: ignore[attr-defined]
        hidden = const(1) if isinstance(name.seen, Const) and name.seen.value == 0 else seen.no()
        with fn.when(hidden):
            fn.set(key, place + s.entry([*kind.unseen, 0], code))
            fn.set(value, key)
        return key


class Listing:
    """The functions that list the candidates of asks, and those that tell whether there are any; each is made once."""

    def __init__(self, s: Code):
        self.s = s
        self._candidates: dict[int, Fn] = {}
        self._whether: dict[int, Fn] = {}

    def candidates(self, ask: Ask) -> Fn:
        """From a state to how many candidates there are, which are written."""
        if id(ask) not in self._candidates:
            self._candidates[id(ask)] = Candidates(self.s, ask).write()
        return self._candidates[id(ask)]

    def whether(self, ask: Ask) -> Fn:
        """From a state to whether there are any."""
        if id(ask) not in self._whether:
            self._whether[id(ask)] = Candidates(self.s, ask).write_whether()
        return self._whether[id(ask)]


def _sort(s: Code, start: Local, end: Local, parts: int) -> None:
    """Puts candidates in the order of their numbers."""
    fn, size = s.fn, 4 * parts
    at, to = fn.keep(start + size), fn.local()
    kept = [fn.local() for _ in range(parts)]
    with fn.forever() as (done, _):
        fn.br_if(done, at.op("ge_u", end))
        for i, part in enumerate(kept):
            fn.set(part, load(at, at=4 * i))
        fn.set(to, at)
        with fn.forever() as (placed, _):
            fn.br_if(placed, to.op("le_u", start))
            less = const(0)
            for i in range(parts - 1, -1, -1):
                before = load(to - size, at=4 * i)
                less = kept[i].lt(before) | (kept[i].eq(before) & less)
            fn.br_if(placed, less.no())
            fn.copy(to, to - size, size)
            fn.set(to, to - size)
        for i, part in enumerate(kept):
            fn.store(to, part, at=4 * i)
        fn.set(at, at + size)


# ---- answers --------------------------------------------------------------------------------------------------------


def write_answer(s: Code, at: int, ask: Ask) -> Fn:
    """The function that writes an answer into the slots; gives where to go on."""
    fn = s.module.function((I32, I32), I32, f"answer{at}")
    with s.writing(fn):
        x = fn.params[1]
        if ask.kind == "may":
            lists.store_slot(s, ask.answer, load(x))
        elif ask.kind == "set":
            _answer_set(s, at, ask, x)
        elif ask.kind == "next":
            _answer_next(s, ask, x)
        else:
            for i, name in enumerate(ask.names):
                lists.store_slot(s, name.slot, load(x, at=4 * i))
        fn.give(at + 1)
        fn.trap()
    return fn


def _answer_set(s: Code, at: int, ask: Ask, x: E) -> None:
    fn = s.fn
    if ask.optional:
        lists.store_slot(s, ask.answer, load(x).ne(STOP))
        with fn.when(load(x).eq(STOP)):
            fn.give(at + 1)
    picked, order = picked_room(s, ask), order_room(s, ask)
    amount = fn.keep(load(s.c, 2, at=order[1]))
    s.bail_if(amount.ge(picked[0].most or 0), "cells")
    place = fn.keep(_place_of(s, order, amount, load(x)))
    _insert(s, order, place, amount, [load(x)])
    _insert(s, picked, place, amount, [load(x, at=4 + 4 * i) for i in range(words(ask))])


def _place_of(s: Code, order: tuple[Room, int], amount: E, number: E) -> E:
    """How many of the numbers in a sorted list are not above another."""
    room, start = order
    place = s.fn.local()
    s.fn.set(place, 0)
    with s.fn.count(amount) as k:
        s.fn.set(place, place + load(s.c + k * room.width, room.width, at=start + 2).le(number))
    return place


def _insert(s: Code, list_: tuple[Room, int], place: E, amount: E, values: list[E]) -> None:
    """Puts an item into a list of the state, before those that come behind it."""
    fn, (room, start) = s.fn, list_
    size = room.width * room.parts
    at = fn.keep(s.c + place * size + start + 2)
    fn.copy(at + size, at, (amount - place) * size)
    for i, value in enumerate(values):
        fn.store(at, value, room.width, at=i * room.width)
    fn.store(s.c, amount + 1, 2, at=start)


def picked_room(s: Code, ask: Ask) -> tuple[Room, int]:
    """The room of the list of picks, and where it lies in a state."""
    return _room_of(s, ask.picked)


def order_room(s: Code, ask: Ask) -> tuple[Room, int]:
    """The room of the list of the picks' numbers, and where it lies in a state."""
    return _room_of(s, ask.order)


def _room_of(s: Code, slot: int) -> tuple[Room, int]:
    cell = s.layout.slots[slot]
    return s.cells.rooms[cell], s.cells.offsets[cell]


def _answer_next(s: Code, ask: Ask, x: E) -> None:
    fn = s.fn
    value = fn.keep(load(x))
    lists.store_slot(s, ask.answer, value.ne(STOP))
    with fn.when(value.ne(STOP)):
        lists.store_slot(s, ask.names[0].slot, value)
        pieces = isinstance(strip(ask.names[0].type), Piece)
        lists.store_slot(s, ask.left, lists.dropped(s, lists.slot(s, ask.left), value, pieces))


def pieces_in(ask: Ask) -> list[int]:
    """Which numbers of a pick are pieces, so that a pick may come again while there are more of them."""
    return [i for i, n in enumerate(ask.names) if isinstance(strip(n.type), Piece)]
