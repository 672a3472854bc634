"""Goes through a program: what each decision depends on, and where a look-ahead would read what is hidden.

A block is gone through once for each different way in which it is called. Loops are gone through until nothing changes.
Blocks call blocks as deep as content lets them, so what goes into others is a walk on a stack of its own (`stacked`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from rulespec.lower.ir import Ask, Instr, Ir, Local, Name
from rulespec.lower.make import integer, zone_key
from rulespec.lower.offers.calls import Calls
from rulespec.lower.offers.labels import (
    LOST,
    ME,
    NONE,
    OPEN,
    OWN,
    Label,
    Secrets,
    hidden_from,
    marked,
    of,
)
from rulespec.lower.offers.moving import seen_anew, zone_left
from rulespec.lower.offers.parts import Part
from rulespec.lower.offers.readings import Bound
from rulespec.lower.offers.state import Call, Here
from rulespec.model.types import Piece, may_be_none, strip
from rulespec.program.ops import HORIZONS, ONLY_TELLS, for_some
from rulespec.source.stacked import Walking

Key = TypeVar("Key")
#: what `ask` tells of: the part of a decision that reads something hidden
SOURCE, FILTER, PREFERENCE, AMOUNT, ORDER, FRONTS, BACKS = (
    "source", "where", "if_possible", "amount", "alike", "fronts", "backs",
)  # fmt: skip


@dataclass(slots=True)
class Way:
    """What the steps that are gone through depend on, and what may leave the loop or `try` around them."""

    why: Secrets = NONE
    leaves: list[Here] = field(default_factory=list)
    stops: Secrets = NONE


class Walk(Calls):
    """One walk through a program."""

    def _through(self, call: Call) -> Walking[Here]:
        here = Here(
            ME, call.active, whose=call.whose, deciders=call.deciders, asked=call.asked, failed=call.failed,
            opened=dict(call.opened), spoken=call.spoken, inside=call.inside,
        )  # fmt: skip
        for slot, label, seat, owner in zip(
            self._procs[call.proc].params, call.labels, call.same, call.owners, strict=True
        ):
            here.fill(slot, label, seat, owner)
        way = Way(call.why)
        yield self._run(self.blocks.parts(call.proc), here, way)
        here.labels, here.same, here.owners = {}, {}, {}
        return here

    # ---- steps ----

    def _run(self, parts: list[Part], here: Here, way: Way) -> Walking[None]:
        for part in parts:
            instr = self.blocks.at(part.at)
            if (deeper := _DEEPER.get(instr.op)) is not None:
                yield deeper(self, part, instr, here, way)
            elif (handler := _HANDLERS.get(instr.op)) is not None:
                handler(self, part, instr, here, way)
            else:
                self._step(part.at, instr, here, way)

    def _why(self, here: Here, way: Way) -> Secrets:
        """All that it depends on whether play comes here."""
        return way.why | way.stops | here.failed

    def _needs(self, at: int, secrets: Secrets, here: Here) -> None:
        """Something is read: where a look-ahead may come by of somebody who does not see it, it has to end before."""
        if not here.inside or here.spoken or not secrets:
            return
        if any(hidden_from(secrets, seat) for seat in here.deciders or {LOST}):
            self.found.ends.add(at)
            here.speak()

    def _reads(self, at: int, ir: Ir, here: Here) -> Secrets:
        secrets = self.readings.value(ir, here).all()
        if here.opened:
            self._looks(at, lambda: self.readings.value(ir, here).all(), here)
        else:
            self._needs(at, secrets, here)
        return secrets

    def _looks(self, at: int, read: Callable[[], Secrets], here: Here) -> None:
        """As `_needs`, for what a look-ahead would read: what it has moved into the open was hidden when it began."""
        if not here.inside or here.spoken:
            return
        self.readings.ahead = bool(here.opened)
        secrets = read()
        self.readings.ahead = False
        self._needs(at, secrets, here)

    def _step(self, at: int, instr: Instr, here: Here, way: Way) -> None:
        """Any other instruction: it only reads."""
        if instr.op in HORIZONS:
            here.speak()
            return
        for arg in instr.args:
            if isinstance(arg, Ir) and instr.op not in ONLY_TELLS:
                self._reads(at, arg, here)

    def _fails(self, secrets: Secrets, at: int, here: Here, way: Way) -> None:
        """What comes may be left out, by what was read here. One's own is told by the choice that was made before."""
        secrets = marked(secrets, at)
        if not here.spoken:
            here.fails |= secrets
        told = here.me in here.asked
        here.failed |= frozenset(s for s in secrets if not (told and s.seen_by(here.me)))

    def _require(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        self._fails(self._reads(part.at, instr.args[0], here), part.at, here, way)

    def _pay(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        secrets = self._reads(part.at, instr.args[1], here) | self._reads(part.at, instr.args[2], here)
        self._fails(secrets, part.at, here, way)

    def _set(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        slot, value = instr.args
        bound = self.readings.bound(value, here, {})
        label = bound.label.with_all(self._why(here, way))
        if slot in self._answers:
            label = label.renamed(lambda seat: OWN if seat == here.me else seat)
        here.fill(slot, label, bound.seat, bound.owner)

    def _forget(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        here.fill(instr.args[0], OPEN)

    def _store(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        region, index, value = instr.args
        secrets = self._reads(part.at, index, here) | self._reads(part.at, value, here)
        if region not in ("me", "active"):
            return
        seat = self.readings.seat(value, here, {})
        if seat is None:
            here.lose(("at", part.at))
            seat = ("at", part.at)
        if region == "me":
            here.me, here.whose = seat, marked(secrets, part.at)
            self.found.whose.update((part.at,) if secrets else ())
        else:
            here.active = seat

    def _move(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        mode, what, goal, face, _ = instr.args
        label = self.readings.value(what, here)
        place = self.readings.zone(goal, here, {})
        told = place.outer if self._always_goes(part.at, mode, what, goal) else place.outer | label.outer
        if face is not None:
            told |= self.readings.value(face, here).all()
        self._needs(part.at, told, here)
        if zone_key(goal) == zone_left(what):  # anywhere else everybody sees by their numbers that they were moved
            self._fails(label.outer, part.at, here, way)
        if mode != "all" and isinstance(what, Local):
            here.labels[what.slot] = seen_anew(label, place)
        if label.front - label.outer and here.inside and not here.spoken:
            key = zone_key(goal) or ""
            here.opened[key] = here.opened.get(key, NONE) | label.front

    def _always_goes(self, at: int, mode: str, what: Ir, goal: Ir) -> bool:
        """Whether a look-ahead learns nothing of which pieces are moved: it cannot fail, and it ends right behind."""
        decl = self.world.zones.get(zone_key(goal) or "")
        room = decl is not None and decl.room >= sum(self.world.pieces[decl.holds].supply)
        return mode == "list" and room and not may_be_none(what.type) and self.blocks.at(at + 1).op == "horizon"

    def _flip(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        _, what, face = instr.args
        told = self.readings.value(what, here).outer | self.readings.value(face, here).all()
        self._needs(part.at, told, here)
        self._fails(told, part.at, here, way)

    def _call_block(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        yield self._call(instr.args[0], instr.args[1], here, way.why | way.stops)

    def _call_value(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        value, level, values = instr.args
        why = way.why | way.stops | marked(self._reads(part.at, value, here), part.at)
        before, after = here.copy(), here.copy()
        for number in self._fact("performed", level, values):
            inside = before.copy()
            constants = (integer(0),) * len(self._fact("params", number))
            yield self._call(number, constants, inside, why)
            after.join(inside)
        here.become(after)

    def _check(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        proc = self._fact("check", instr.args[0])
        if proc is not None:
            inside = here.copy()
            yield self._call(proc, (), inside, way.why | way.stops)
            here.join(inside)

    # ---- branches, loops, units ----

    def _if(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        secrets = marked(self._reads(part.at, instr.args[0], here), part.at)
        yield self._branches(part, here, way, (secrets, secrets))

    def _if_any(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        """With a candidate somebody is asked, whom everybody sees; without one nobody is."""
        ask = instr.args[0]
        self._looks(part.at, lambda: self._candidates(ask, here), here)
        secrets = marked(self._candidates(ask, here), part.at)
        yield self._branches(part, here, way, (secrets if ask.chance else hidden_from(secrets, here.me), secrets))

    def _branches(self, part: Part, here: Here, way: Way, by: tuple[Secrets, Secrets]) -> Walking[None]:
        before, other = way.why, here.copy()
        way.why = before | by[0]
        yield self._run(part.body, here, way)
        way.why = before | by[1]
        yield self._run(part.other, other, way)
        way.why = before
        here.join(other)

    def _loop(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        inside = Way(way.why | way.stops)
        while True:
            before = here.as_known(), inside.stops
            inside.leaves = []
            passing = here.copy()
            yield self._run(part.body, passing, inside)
            here.join(passing)
            if (here.as_known(), inside.stops) == before:
                break
        for left in inside.leaves:
            here.join(left)
        if inside.leaves:
            here.become(_all_joined(inside.leaves))

    def _break_if(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        way.stops |= marked(self._reads(part.at, instr.args[0], here), part.at)
        way.leaves.append(here.copy())

    def _break_unless_any(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        self._looks(part.at, lambda: self._candidates(instr.args[0], here), here)
        way.leaves.append(here.copy())

    def _unit(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        failed, inside = here.failed, here.inside
        if not inside:
            here.begin()
        me, before = here.me, here.copy()
        yield self._run(part.body, here, way)
        before.me = here.me = me
        here.join(before)
        here.failed, here.inside = failed, inside

    def _try(self, part: Part, instr: Instr, here: Here, way: Way) -> Walking[None]:
        failed, inside = here.failed, here.inside
        if not inside:
            here.begin()
        other, asked = here.copy(), here.asked
        other.inside = inside
        here.inside, here.asked, here.fails = True, frozenset(), NONE
        within = Way(way.why | way.stops)
        me = here.me
        yield self._run(part.body, here, within)
        here.me = me
        here.failed, here.inside = failed, inside
        otherwise = Way(way.why | way.stops | here.fails)
        here.fails = NONE
        yield self._run(part.other, other, otherwise)
        here.join(other)
        here.asked |= asked

    # ---- decisions ----

    def _candidates(self, ask: Ask, here: Here) -> Secrets:
        """What it tells which candidates there are."""
        found: Secrets = NONE
        names: dict[str, Bound] = {}
        for name in ask.names:
            label, told = self._name(name, here, names)
            found |= label.outer
            for _, secrets in told:
                found |= secrets
        return found

    def _name(self, name: Name, here: Here, names: dict[str, Bound]) -> tuple[Label, list[tuple[str, Secrets]]]:
        """The label of a name's candidates, and what each part of it tells; notes the name among those bound."""
        label = self.readings.read(name.source, here, names)
        bound = self.readings.member(name.source, label, here, names)
        names[name.var] = bound
        told = [(SOURCE, label.outer)]
        if isinstance(strip(name.type), Piece):
            told.append((FRONTS, label.front) if name.seen is None else (BACKS, label.back))
        else:
            told[0] = (SOURCE, label.all())
        for word, test in ((FILTER, name.where), (PREFERENCE, name.if_possible)):
            if test is not None:
                told.append((word, self.readings.read(test, here, names).all()))
        return label, told

    def _ask(self, part: Part, instr: Instr, here: Here, way: Way) -> None:
        ask: Ask = instr.args[0]
        if ask.chance:
            label = of(self._candidates(ask, here) | self._why(here, way))
            here.speak()
        else:
            self._decides(part.at, ask, here, way)
            label = OPEN
        names: dict[str, Bound] = {}
        picked = OPEN
        for name in ask.names:
            found, _ = self._name(name, here, names)
            kept = Label(label.outer, label.back | found.back, label.front | found.front)
            kept = kept if isinstance(strip(name.type), Piece) else label
            picked = picked.joined(kept)
            here.fill(name.slot, kept, None, names[name.var].owner)
        for slot in (ask.picked, ask.left):
            if slot >= 0:
                here.labels[slot] = here.labels.get(slot, OPEN).joined(picked)
        for slot in (ask.answer, ask.order):
            if slot >= 0:
                here.fill(slot, label)

    def _decides(self, at: int, ask: Ask, here: Here, way: Way) -> None:
        me = here.me
        if not here.spoken:
            here.fails |= marked(self._candidates(ask, here), at)
        _note(self.found.asked, at, hidden_from(self._why(here, way) | here.whose, me))
        names: dict[str, Bound] = {}
        for number, name in enumerate(ask.names):
            for word, secrets in self._name(name, here, names)[1]:
                _note(self.found.offered, (at, number, word), hidden_from(secrets, me))
        for word, ir in ((AMOUNT, ask.amount), (ORDER, ask.alike)):
            if ir is not None:
                secrets = self.readings.read(ir, here, names).all()
                _note(self.found.offered, (at, -1, word), hidden_from(secrets, me))
        here.deciders, here.spoken = frozenset({me}), False
        here.asked |= {me}
        here.failed = hidden_from(here.failed, me)


def _note(found: dict[Key, Secrets], key: Key, secrets: Secrets) -> None:
    if secrets:
        found[key] = found.get(key, NONE) | secrets


def _all_joined(points: list[Here]) -> Here:
    first = points[0].copy()
    for point in points[1:]:
        first.join(point)
    return first


_HANDLERS: dict[str, Callable[[Walk, Part, Instr, Here, Way], None]] = for_some(
    {
        "set": Walk._set,
        "forget": Walk._forget,
        "store": Walk._store,
        "require": Walk._require,
        "pay": Walk._pay,
        "move": Walk._move,
        "flip": Walk._flip,
        "break_if": Walk._break_if,
        "break_unless_any": Walk._break_unless_any,
        "ask": Walk._ask,
    }
)
#: the same for instructions that hold or call others
_DEEPER: dict[str, Callable[[Walk, Part, Instr, Here, Way], Walking[None]]] = for_some(
    {
        "call": Walk._call_block,
        "callv": Walk._call_value,
        "check": Walk._check,
        "if": Walk._if,
        "if_any": Walk._if_any,
        "loop": Walk._loop,
        "unit": Walk._unit,
        "try": Walk._try,
    }
)
