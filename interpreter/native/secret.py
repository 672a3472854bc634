"""Secret choices imagined, as functions of the module: while everybody chooses at once, as `interpreter.imagine` does.

What the others have chosen is chosen anew, evenly out of what they may choose. What the seat itself has chosen stays,
but of a piece that it knows by its back alone any other with that back may have been meant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.hiding import Secret
from interpreter.native import chance, pieces
from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.tables import WORDS
from interpreter.native.wasm import E, Fn, Local, both, call, const, load
from rulespec.lower.declared import Zone
from rulespec.lower.ir import Name
from rulespec.model.types import Piece, strip

if TYPE_CHECKING:
    from interpreter.native.deal import Dealing


class Choosing:
    """The writing of these functions."""

    def __init__(self, dealing: Dealing):
        self.dealing, self.play, self.s = dealing, dealing.play, dealing.s

    def anew(self, origin: E, seat: E) -> None:
        """Chooses anew in the state at hand, in which pieces are dealt anew; `origin` is as it was before."""
        s, fn = self.s, self.s.fn
        for secret in self.dealing.hiding.secret.values():
            written = runtime(s, f"choose_anew{secret.at}", 3, self._writer(secret), result=None)
            with fn.when(s.cell(0).eq(secret.at)):
                fn.run(written, s.c, origin, seat)

    def _writer(self, secret: Secret) -> Callable[[Code, Fn], None]:
        return lambda _, __: self._anew(secret)

    def _anew(self, secret: Secret) -> None:
        """What each has chosen lies in a list, as a record each: who, and what. It is written when all have chosen."""
        s, fn = self.s, self.s.fn
        c, origin, seat = fn.params
        room, at = s.cells.rooms[secret.kept], s.cells.offsets[secret.kept] + 2
        each, width = 1 + len(secret.names), room.width
        amount = fn.keep(load(c, 2, at=at - 2) * each)
        found = s.allocate((amount << 2) + 4)
        with fn.count(amount) as i:
            fn.store(found + (i << 2), load(c + i * width, width, at=at, signed=True))
        step, record = 4 * each, fn.keep(found)
        another = runtime(s, f"another{secret.at}", 2, lambda _, __: self._another(secret), result=None)
        with fn.forever() as (done, _):
            fn.br_if(done, record.eq(found + (amount << 2)))
            with fn.when(load(record).eq(seat)):
                self._own(secret, record, origin)
            with fn.otherwise():
                fn.run(another, c, record)
            fn.set(record, record + step)
        with fn.count(amount) as i:
            fn.store(c + i * width, load(found + (i << 2)), width, at=at)

    # ---- one's own ----

    def _own(self, secret: Secret, record: Local, origin: E) -> None:
        """Another piece with the same back, where the player sees no front of the one that was chosen."""
        s, fn = self.s, self.s.fn
        for at, name in enumerate(secret.names, 1):
            if isinstance(strip(name.type), Piece):
                ref = fn.keep(load(record, at=4 * at))
                front = call(runtime(s, "sees_front", 3, self._sees_front), origin, ref, load(record))
                with fn.when(both(ref.ge(0), front.no())):
                    code = fn.keep(ref.op("rem_u", s.declared.codes))
                    back = load(self._unseen(name) + (code << 2), at=4)
                    fn.store(record, self._meant(name, fn.keep(ref - code + back)), at=4 * at)

    def _unseen(self, name: Name) -> E:
        inner = strip(name.type)
        assert isinstance(inner, Piece)
        return const(self.s.list_data(self.s.declared.pieces[inner.kind].unseen))

    def _meant(self, name: Name, ref: Local) -> E:
        """One of the pieces at a place that look like the one that is named by its back."""
        dealing = self.dealing
        return chance.picked_unseen(self.s, ref, self._unseen(name), const(dealing.dice), dealing.increment)

    def _sees_front(self, s: Code, fn: Fn) -> None:
        """Whether a seat sees the front of a piece that is said to lie somewhere, as `Sight.side`."""
        _, ref, seat = fn.params
        with fn.when(ref.lt(0)):
            fn.give(0)
        place, position, code = pieces.split(s, ref)
        held = fn.keep(pieces.content(s, place))
        with fn.when(pieces.position_of(s, held, code).lt(0)):
            fn.give(0)
        on_top = fn.keep(position.eq(load(held) - 1))
        for zone in s.declared.zones.values():
            with fn.when((place - zone.first).below(zone.places)):
                fn.give(self._is_open(zone, place, seat, on_top))
        fn.give(0)
        fn.trap()

    def _is_open(self, zone: Zone, place: E, seat: E, on_top: E) -> E:
        if zone.front == "owner":
            owners = [spot.owner for spot in self.dealing.hiding.spots[zone.holds] if spot.place in _places(zone)]
            return self.s.entry([*owners, -1], place - zone.first).eq(seat)
        if zone.front == "top" and zone.shape == "stack":
            return on_top
        return const(int(zone.front != "nobody"))

    # ---- the others' ----

    def _another(self, secret: Secret) -> None:
        """What a player could have chosen instead; nothing changes where that is nothing."""
        s, fn = self.s, self.s.fn
        c, record = fn.params
        top, player = fn.keep(s.globals.temps), fn.keep(load(record))
        trial = self.play.search.copied(c)
        s.c = trial
        s.write_region("me", 0, player)
        s.write_region("active", 0, player)
        if secret.seat >= 0:
            s.set_cell(secret.seat, player)
        fn.set(s.globals.work, 0)
        amount = fn.keep(self.play.options(trial, const(secret.at)))
        with fn.when(amount.gt(0)):
            drawn = chance.below(s, const(self.dealing.dice), self.dealing.increment, amount)
            size = load(self.play.t.ask_at(const(secret.at)), at=WORDS) << 2
            x = fn.keep(s.globals.found + drawn * size)
            for at, name in enumerate(secret.names):
                self._chosen(name, x + 4 * at, record + 4 * (at + 1))
        fn.set(s.globals.temps, top)

    def _chosen(self, name: Name, x: E, to: E) -> None:
        s, fn, inner = self.s, self.s.fn, strip(name.type)
        value = fn.keep(load(x))
        if isinstance(inner, Piece):
            by_back = value.op("rem_s", s.declared.codes).ge(s.declared.pieces[inner.kind].count)
            with fn.when(by_back):
                fn.set(value, self._meant(name, value))
        fn.store(to, value)


def _places(zone: Zone) -> range:
    return range(zone.first, zone.first + zone.places)
