"""Imagining, as functions of the module: hidden pieces dealt anew and chance begun anew, as `interpreter.imagine` does.

Both draw the same numbers in the same order, so that the same seed gives the same bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from interpreter import rng
from interpreter.hiding import Hiding, Spot
from interpreter.native import chance, memory, pieces, screened
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.secret import Choosing
from interpreter.native.wasm import I32, I64, E, Fn, Local, both, call, const, const64, load, select
from interpreter.reckoning import IMAGINING
from rulespec.lower.declared import Kind
from rulespec.model.types import ListType, Piece, Record, Type, strip

if TYPE_CHECKING:
    from interpreter.native.play import Play

#: Who sees a side of the pieces of a place.
WHO = {"all": 0, "owner": 1, "top": 2, "nobody": 3}
#: Where each part of the description of a place lies.
PLACE, FRONT, BACK, OWNER, ROOM, UNCOUNTED = range(0, 24, 4)
SPOT = 24
#: Of a piece that keeps its place and shows another face: place and code together, position, new code, and where in the
#: list of its place it stands.
KEY, POSITION, NEW, WHERE = range(4, 20, 4)
KEPT = 16

#: A piece in a name, its type, and what puts another one there.
Held = tuple[E, Piece, Callable[[E], None]]


class Dealing:
    """The writing of these functions."""

    def __init__(self, play: Play, hiding: Hiding):
        self.play, self.s, self.hiding = play, play.s, hiding
        self.dice = self.s.module.room(8)
        #: the list of pieces that names of blocks hold
        self.named = self.s.module.global_()
        #: of these the ones that show another face now: a number of entries, then as in `KEPT`
        self.kept = self.s.module.global_()
        self.increment = const64(rng.increment(IMAGINING))

    def imagine(self, c: E, seat: E, seed: E) -> None:
        """Makes of a state another one that looks the same to a seat."""
        self.s.fn.run(runtime(self.s, "imagine", 3, self._imagine, result=None, kinds=(I32, I32, I64)), c, seat, seed)

    def _imagine(self, s: Code, fn: Fn) -> None:
        c, seat, seed = fn.params
        top = fn.keep(s.globals.temps)
        if self.hiding.spots or self.hiding.secret:
            fn.store(const(self.dice), self.play.begun(IMAGINING, seed), 8)
        if self.hiding.spots:
            self._note_named()
        origin = self.play.search.copied(c) if self.hiding.secret else c
        anew = runtime(s, "deal_anew", 7, self._anew, result=None) if self.hiding.spots else None
        for name, spots in self.hiding.spots.items():
            assert anew is not None
            kind = s.declared.pieces[name]
            about, unseen = self._spots(spots), s.list_data(kind.unseen)
            faces = len(kind.faces) if name in self.hiding.rolled else 0
            if faces:
                fn.set(self.kept, s.allocate(4 + KEPT * sum(kind.supply)))
                fn.store(self.kept, 0)
            for screens in self.hiding.screens.get(name, ()):
                write = screened.writer(self._is_named, self.dice, self.increment)
                share = runtime(s, "share_out", 5, write, result=None)
                fn.run(share, c, seat, self._spots(screens), len(screens), kind.count)
            fn.run(anew, c, seat, const(about), len(spots), const(unseen), self._sizes(kind), faces)
            if faces:
                self._follow(name)
        Choosing(self).anew(origin, seat)
        self.play.seed(c, seed)
        fn.set(s.globals.temps, top)

    def _spots(self, spots: tuple[Spot, ...]) -> int:
        rows = (
            struct.pack("<6i", x.place, WHO[x.front], WHO[x.back], x.owner, x.room, not x.is_counted) for x in spots
        )
        return self.s.module.data(b"".join(rows), 4)

    def _sizes(self, kind: Kind) -> E:
        """How many codes a kind has, then how many with those of its backs: two numbers of 16 bits."""
        return const(kind.count | max(kind.unseen, default=0) + 1 << 16)

    # ---- names ----

    def _note_named(self) -> None:
        """Lists place and code of each piece in a name of an open block, and how many like it stand before it there."""
        s, fn = self.s, self.s.fn
        found = s.allocate(4 + 8 * sum(self._most(cell, t) for cell, t in self.hiding.named))
        fn.set(self.named, found)
        fn.store(found, 0)
        end, first = fn.keep(found), fn.keep(0)
        for piece, _, _ in self._held(lambda: fn.set(first, end)):
            self._note(end, first, piece)
        fn.store(found, (end - found) >> 3)

    def _held(self, begin: Callable[[], None] = lambda: None) -> Iterator[Held]:
        """The pieces in names, in order; before each name `begin` is called.

        What is done with a piece is written inside of the loop that it comes from.
        """
        s = self.s
        for cell, t in self.hiding.named:
            inner = strip(t)
            begin()
            if isinstance(inner, Piece):
                yield s.cell(cell), inner, partial(s.set_cell, cell)
            elif isinstance(inner, ListType):
                yield from self._held_in_list(cell, inner.of)

    def _follow(self, kind: str) -> None:
        """Names hold the pieces of a kind as they are now."""
        fn = self.s.fn
        at = fn.keep(self.named)
        for piece, t, put in self._held():
            held = fn.keep(piece)
            with fn.when(held.gt(0)):
                fn.set(at, at + 8)
                if t.kind == kind:
                    put(call(runtime(self.s, "followed", 2, self._write_followed), held, load(at)))

    def _write_followed(self, s: Code, fn: Fn) -> None:
        """A piece as it is now: of equal ones of a pool the one of this number, else the nearest."""
        ref, number = fn.params
        place, position, code = pieces.split(s, ref)
        shape = fn.keep(load(place * pieces.DESCRIPTION + pieces.describe(s)))
        best, distance, seen = fn.keep(0), fn.keep(0), fn.keep(0)
        with fn.count(load(self.kept)) as i:
            entry = fn.keep(self.kept + i * KEPT)
            with fn.when(load(entry, at=KEY).eq(place * s.declared.codes + code)):
                away = fn.keep(load(entry, at=POSITION) - position)
                fn.set(away, select(away.lt(0), const(0) - away, away))
                nearer = best.eq(0) | away.lt(distance)
                with fn.when(select(shape.eq(pieces.POOL), seen.le(number), nearer)):
                    fn.set(best, entry)
                    fn.set(distance, away)
                fn.set(seen, seen + 1)
        with fn.when(best.eq(0)):
            fn.give(ref)
        level = select(shape.eq(pieces.STACK), load(best, at=POSITION), const(0))
        fn.give((place * s.declared.depth + level) * s.declared.codes + load(best, at=NEW))
        fn.trap()

    def _most(self, cell: int, t: Type) -> int:
        room = self.s.cells.rooms[cell]
        return room.most * room.parts if room.most is not None else 1

    def _note(self, end: Local, first: Local, ref: E) -> None:
        """Adds a piece; `first` is where the pieces of its name begin."""
        fn = self.s.fn
        piece = fn.keep(ref)
        with fn.when(piece.gt(0)):
            key, like = fn.keep(self._place_and_code(piece)), fn.keep(0)
            with fn.count((end - first) >> 3) as i:
                fn.set(like, like + load(first + (i << 3), at=4).eq(key))
            fn.store(end, key, at=4)
            fn.store(end, like, at=8)
            fn.set(end, end + 8)

    def _place_and_code(self, ref: Local) -> E:
        s = self.s
        return ref.op("div_u", s.depth_codes) * s.declared.codes + ref.op("rem_u", s.declared.codes)

    def _held_in_list(self, cell: int, of: Type) -> Iterator[Held]:
        s, fn = self.s, self.s.fn
        room, at = s.cells.rooms[cell], s.cells.offsets[cell] + 2
        inner = strip(of)
        fields = [t for _, t in inner.fields] if isinstance(inner, Record) else [of]
        with fn.count(load(s.c, 2, at=at - 2)) as i:
            item = fn.keep(s.c + i * (room.parts * room.width))
            for number, t in enumerate(fields):
                piece, where = strip(t), at + number * room.width
                if isinstance(piece, Piece):
                    put = partial(self._put_into_list, item, room.width, where)
                    yield load(item, room.width, at=where, signed=True), piece, put

    def _put_into_list(self, item: Local, width: int, at: int, value: E) -> None:
        self.s.fn.store(item, value, width, at=at)

    def _is_named(self, place: E, code: E, number: E) -> E:
        fn = runtime(self.s, "is_named", 2, self._write_is_named)
        return call(fn, place * self.s.declared.codes + code, number)

    def _write_is_named(self, s: Code, fn: Fn) -> None:
        wanted, number = fn.params
        with fn.count(load(self.named)) as i:
            at = fn.keep(self.named + (i << 3))
            with fn.when(load(at, at=4).eq(wanted) & load(at, at=8).eq(number)):
                fn.give(1)
        fn.give(0)
        fn.trap()

    # ---- dealing ----

    def _anew(self, s: Code, fn: Fn) -> None:
        """Deals the pieces of one kind. See `interpreter.imagine.Deal`."""
        _, seat, spots, amount, unseen, sizes, faces = fn.params
        top, total = fn.keep(s.globals.temps), fn.keep(0)
        codes, looks = fn.keep(sizes & 0xFFFF), fn.keep(sizes >> 16)
        with fn.count(amount) as i:
            fn.set(total, total + pieces.amount(s, load(spots + i * SPOT)))
        table = _Table(s, amount, total, codes, looks, unseen)
        with fn.count(amount) as i:
            self._take_up(table, fn.keep(spots + i * SPOT), seat, faces)
        with fn.when(table.backs_end.ne(table.backs)):
            self._deal_backs(table)
        self._fill_pack(table)
        chance.shuffle_list(s, table.pack, const(self.dice), self.increment)
        with fn.count(load(table.pack)) as i:
            fn.store(load(table.others + (i << 2)), load(table.pack + (i << 2), at=4))
        with fn.when(faces):
            self._roll_dealt(table, faces)
            self._roll_kept(faces)
        at = fn.keep(table.touched)
        with fn.forever() as (done, _):
            fn.br_if(done, at.eq(table.touched_end))
            pieces.set_content(s, load(at), load(at, at=4))
            fn.set(at, at + 8)
        with fn.count(amount) as i:
            memory.keep_known(s, load(spots + i * SPOT), seat)
        fn.set(s.globals.temps, top)

    def _take_up(self, table: _Table, spot: Local, seat: E, faces: E) -> None:
        """Notes the hidden positions of a place; those whose backs are seen in the order of the backs.

        Of equal pieces of a pool that are rolled as many are kept as a name holds.
        """
        s, fn = self.s, self.s.fn
        place = fn.keep(load(spot))
        owned = fn.keep(load(spot, at=OWNER).eq(seat))
        front, back = fn.keep(load(spot, at=FRONT)), fn.keep(load(spot, at=BACK))
        held = fn.keep(pieces.amount(s, place))
        hidden = fn.keep(select(front.eq(WHO["top"]), held - 1, held))
        seen = front.eq(WHO["all"]) | (front.eq(WHO["owner"]) & owned)
        with fn.when(seen.no() & hidden.gt(0)):
            open_ = back.eq(WHO["all"]) | (back.eq(WHO["owner"]) & owned)
            shown = fn.keep(select(open_, const(0), select(back.eq(WHO["top"]), held - 1, held)))
            codes = fn.keep(pieces.content(s, place))
            first, before = fn.keep(table.backs_end), fn.keep(table.others_end + table.backs_end)
            shape = load(place * pieces.DESCRIPTION + pieces.describe(s))
            by_number = faces | load(spot, at=UNCOUNTED)
            counted, last = fn.keep(both(by_number, shape.eq(pieces.POOL))), fn.keep(-1)
            like, same = fn.keep(0), fn.keep(0)
            with fn.count(hidden) as p:
                where = fn.keep(codes + (p << 2) + 4)
                code = fn.keep(load(where))
                fn.set(same, select(code.eq(last), same + 1, const(0)))
                fn.set(like, select(counted, same, const(0)))
                fn.set(last, code)
                stays = fn.keep(self._is_named(place, code, like))
                known = fn.keep(memory.is_known(s, place, p, code, same, seat))
                with fn.when(stays & faces.ne(0) & known.no()):
                    self._keep(place, code, p, where)
                    fn.set(before, -1)
                with fn.when((stays | known).no()):
                    table.count_code(code)
                    with fn.when(p.ge(shown)):
                        table.add_back(first, load(table.unseen + (code << 2), at=4), where)
                    with fn.otherwise():
                        fn.store(table.others_end, where)
                        fn.set(table.others_end, table.others_end + 4)
            with fn.when(before.ne(table.others_end + table.backs_end)):
                fn.store(table.touched_end, place)
                fn.store(table.touched_end, codes, at=4)
                fn.set(table.touched_end, table.touched_end + 8)

    def _roll_dealt(self, table: _Table, faces: E) -> None:
        """Pieces of a kind that is rolled show any face, those whose backs are seen first."""
        fn = self.s.fn
        at = fn.keep(table.backs)
        with fn.forever() as (done, _):
            fn.br_if(done, at.eq(table.backs_end))
            self._roll_at(fn.keep(load(at, at=4)), faces)
            fn.set(at, at + 8)
        with fn.count((table.others_end - table.others) >> 2) as i:
            self._roll_at(fn.keep(load(table.others + (i << 2))), faces)

    def _keep(self, place: Local, code: Local, position: E, where: Local) -> None:
        """Notes a piece that keeps its place, and is to show another face."""
        fn = self.s.fn
        entry = fn.keep(self.kept + load(self.kept) * KEPT)
        fn.store(entry, place * self.s.declared.codes + code, at=KEY)
        fn.store(entry, position, at=POSITION)
        fn.store(entry, where, at=WHERE)
        fn.store(self.kept, load(self.kept) + 1)

    def _roll_kept(self, faces: E) -> None:
        """What is named is rolled last."""
        fn = self.s.fn
        with fn.count(load(self.kept)) as i:
            entry = fn.keep(self.kept + i * KEPT)
            where = fn.keep(load(entry, at=WHERE))
            self._roll_at(where, faces)
            fn.store(entry, load(where), at=NEW)

    def _roll_at(self, where: Local, faces: E) -> None:
        code = self.s.fn.keep(load(where))
        found = chance.below(self.s, const(self.dice), self.increment, faces)
        self.s.fn.store(where, code - code.op("rem_u", faces) + found)

    def _fill_pack(self, table: _Table) -> None:
        """Lists the pieces that are counted, in order."""
        fn, end = self.s.fn, self.s.fn.keep(table.pack)
        with fn.count(table.codes) as code, fn.count(load(table.counts + (code << 2))):
            fn.set(end, end + 4)
            fn.store(end, code)
        fn.store(table.pack, (end - table.pack) >> 2)

    def _deal_backs(self, table: _Table) -> None:
        """Where a back is seen, the last piece of the shuffled pack with that back; the rest stays counted."""
        s, fn = self.s, self.s.fn
        self._fill_pack(table)
        chance.shuffle_list(s, table.pack, const(self.dice), self.increment)
        heads = s.allocate((table.looks << 2) + 4)
        follows = s.allocate((load(table.pack) << 2) + 4)
        with fn.count(load(table.pack)) as i:
            code = load(table.pack + (i << 2), at=4)
            head = fn.keep(heads + (load(table.unseen + (code << 2), at=4) << 2))
            fn.store(follows + (i << 2), load(head))
            fn.store(head, i)
        at = fn.keep(table.backs)
        with fn.forever() as (done, _):
            fn.br_if(done, at.eq(table.backs_end))
            head = fn.keep(heads + (load(at) << 2))
            i = fn.keep(load(head))
            fn.store(head, load(follows + (i << 2)))
            code = fn.keep(load(table.pack + (i << 2), at=4))
            fn.store(load(at, at=4), code)
            cell = fn.keep(table.counts + (code << 2))
            fn.store(cell, load(cell) - 1)
            fn.set(at, at + 8)


class _Table:
    """Where things lie while pieces are dealt.

    `touched` are places with the lists of their codes; `backs` are what is seen of a piece and where its code stands in
    such a list; `others` are where codes stand; `counts` are how many pieces there are of each code; `pack` is a list.
    """

    def __init__(self, s: Code, places: Local, total: Local, codes: Local, looks: Local, unseen: E):
        fn = s.fn
        self.s, self.codes, self.looks, self.unseen = s, codes, looks, unseen
        self.touched, self.backs = s.allocate(places << 3), s.allocate(total << 3)
        self.others, self.pack = s.allocate(total << 2), s.allocate((total << 2) + 4)
        self.counts = s.allocate(codes << 2)
        fn.fill(self.counts, codes << 2)
        self.touched_end, self.backs_end = fn.keep(self.touched), fn.keep(self.backs)
        self.others_end = fn.keep(self.others)

    def count_code(self, code: Local) -> None:
        """One more piece of a code."""
        cell = self.s.fn.keep(self.counts + (code << 2))
        self.s.fn.store(cell, load(cell) + 1)

    def add_back(self, first: Local, back: E, where: Local) -> None:
        """Puts a back among those of its place, behind equal ones."""
        fn = self.s.fn
        at, look = fn.keep(self.backs_end), fn.keep(back)
        with fn.forever() as (placed, _):
            fn.br_if(placed, at.eq(first))
            fn.br_if(placed, load(at - 8).le(look))
            fn.store(at, load(at - 8))
            fn.store(at, load(at - 4), at=4)
            fn.set(at, at - 8)
        fn.store(at, look)
        fn.store(at, where, at=4)
        fn.set(self.backs_end, self.backs_end + 8)
