"""Dry runs: whether an answer leads on, found from the state as it is, without a copy of it.

The steps behind an ask are written once more, up to where nothing can fail any more; what they would write is kept in
variables (`Shadow`), and what is read of it later is read there. Where steps do more than that allows, nothing is
written, and the search runs them on a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.middle.analysis.guards import Guard
from interpreter.middle.analysis.infallibility import Infallibility, Taking
from interpreter.native import lists, pieces, zones
from interpreter.native.asks import Listing
from interpreter.native.code import Code, Shadow
from interpreter.native.deeds import changed_value, room_test, store_range
from interpreter.native.guards import Guards
from interpreter.native.wasm import E, Fn, Local, const
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Zone
from rulespec.lower.ir import Instr, Ir, Program, walk_ir
from rulespec.lower.make import bounds
from rulespec.lower.reads import reads_of
from rulespec.model.types import ListType, Piece, SetType, strip
from rulespec.program.ops import HORIZONS, for_some, such_as

MOST_CODES = 8  #: of a pool that can be read after something was put in or taken out
MOST_STEPS = 40
READ = ("top", "bottom", "any", "slot", "empty", "count")
ENDS = HORIZONS | such_as(lambda row: row.flow == "ends")


class NotDry(Exception):
    """The steps do more than a dry run can follow."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The steps of a dry run, and what must be so behind them: see `Guard`."""

    start: int
    end: int
    guard: Guard


def stretch_of(program: Program, infallibility: Infallibility, at: int) -> Stretch | None:
    """The steps from an ask to where nothing can fail any more; None where they lead too far."""
    ask = program.instrs[at].args[0]
    if ask.kind != "one" or ask.chance:
        return None
    st = infallibility.st
    proc = next(p for p in program.procs if p.id == st.proc_of[at])
    if any(o < at < e for o, e in st.end.items() if proc.entry <= o):
        return None
    i = at + 1
    while i < min(proc.end, at + MOST_STEPS):
        found = _ended(program, infallibility, i, proc.kind == "action")
        if found is not None:
            return Stretch(at + 1, i, Guard((), *found))
        i = st.end[i] + 1 if program.instrs[i].op == "if" else i + 1
    return None


def _ended(
    program: Program, infallibility: Infallibility, i: int, action: bool
) -> tuple[frozenset[Taking], bool] | None:
    """What a state must hold so that nothing fails from here on, and whether up to the end of all units."""
    op = program.instrs[i].op
    if op in ENDS:
        return frozenset(), True
    if op == "unit_end":
        return (frozenset(), False) if action else None
    for alone in (False, True) if action else (False,):
        takings = infallibility.from_here(i, alone=alone)
        if takings is not None:
            return takings, not alone
    return None


class DryRuns(Guards):
    """The writing of the functions of one ask whose steps are run dry."""

    def __init__(
        self, s: Code, program: Program, at: int, stretch: Stretch, infallibility: Infallibility, made: Listing
    ):
        super().__init__(s, program, at, stretch.guard, made)
        self.stretch, self.st = stretch, infallibility.st
        self.regions = {r.key: r for r in program.regions}
        self.ways = (0, 0)
        self.begun: list[Local] = []

    def write(self, name: str, *, every: bool) -> Fn:
        """As for other guards. Raises NotDry."""
        made = len(self.s.module.functions)
        try:
            return super().write(name, every=every)
        except NotDry:
            self.s.module.functions[made].abandon()
            raise

    def _steps_left(self, there: frozenset[int]) -> bool:
        return True

    def _conditions(self, ways: tuple[int, int], there: frozenset[int]) -> None:
        self.ways = ways
        outside, self.s.temps = self.s.temps, self.s.temps
        self.s.shadow = Shadow()
        self.begun = []
        outer, self.s.fn.code = self.s.fn.code, bytearray()
        self._run(self.stretch.start, self.stretch.end)
        steps, self.s.fn.code = self.s.fn.code, outer
        for mark in self.begun:
            self.s.fn.set(mark, -1)
        self.s.fn.code += steps
        taken = {t.source.zone for t in self.guard.takings} | {t.goal for t in self.guard.takings}
        if taken & self.s.shadow.written():
            raise NotDry
        self.s.shadow, self.s.temps = None, outside

    def _run(self, at: int, end: int) -> None:
        while at < end:
            instr = self.program.instrs[at]
            if instr.op == "if":
                at = self._branches(at, instr)
                continue
            step = _STEPS.get(instr.op)
            if step is None:
                raise NotDry
            step(self, instr)
            at += 1

    def _branches(self, at: int, instr: Instr) -> int:
        end, middle = self.st.end[at], self.st.middle.get(at)
        with self.s.fn.when(self._value(instr.args[0])):
            self._run(at + 1, middle or end)
        if middle is not None:
            with self.s.fn.otherwise():
                self._run(middle + 1, end)
        return end + 1

    # ---- reading ----

    def _value(self, node: Ir) -> E:
        self._readable(node)
        return self.s.ex(node)

    def _readable(self, node: Ir) -> None:
        """Raises NotDry where something is read that was written, in a way that would not notice."""
        assert self.s.shadow is not None
        shadow, written = self.s.shadow, self.s.shadow.written()
        if not reads_of(self.s.declared, node) & written:
            return
        direct = [n.zone for n in walk_ir(node) if isinstance(n, I.ZoneRead) and n.what in READ]
        for n in walk_ir(node):
            if isinstance(n, (I.CallIr, I.CallRow)) and reads_of(self.s.declared, n) & written:
                raise NotDry
            unread = isinstance(n, I.ZoneIr) and (n.zone in shadow.closed or n not in direct or self._looped(node, n))
            if isinstance(n, I.ZoneIr) and n.zone in written and unread:
                raise NotDry

    def _looped(self, node: Ir, zone: I.ZoneIr) -> bool:
        """Whether a zone is gone through, or asked otherwise than by reading one of its pieces."""
        for n in walk_ir(node):
            if isinstance(n, I.Comprehend) and n.source == zone:
                return True
            if isinstance(n, I.Contains) and n.items == zone:
                return True
            if isinstance(n, I.TakeIr) and n.zone == zone:
                return True
            if isinstance(n, I.ZoneRead) and n.zone == zone and n.what not in READ:
                return True
        return False

    # ---- writing ----

    def _mark(self, value: E) -> Local:
        """A variable that is -1 before the candidate's steps, and has a value where they come by here."""
        fn = self.s.fn
        found = fn.local()
        self.begun.append(found)
        fn.set(found, value)
        return found

    def _bind(self, slot: int, value: E) -> None:
        self.s.temps = self.s.temps | {slot}
        self.s.fn.set(lists.bound(self.s, slot), value)

    def _set(self, instr: Instr) -> None:
        slot, value = instr.args
        t = strip(self.s.slot_types[slot])
        if isinstance(t, (ListType, SetType)) or not self.s.is_scalar(t):
            raise NotDry
        self._readable(value)
        self._bind(slot, lists.as_type(self.s, value, t))

    def _change(self, region: str, index: Ir, value: Callable[[E], E]) -> None:
        """Notes what a cell of a region would hold."""
        assert self.s.shadow is not None
        place = const(0) if isinstance(index, I.Local) and index.slot == -1 else self._value(index)
        where = self.s.fn.keep(place)
        what = self.s.fn.keep(value(where))
        self.s.shadow.regions.setdefault(region, []).append((self._mark(where), what))

    def _store(self, instr: Instr) -> None:
        region, index, value = instr.args
        self._readable(value)
        self._change(region, index, lambda _: store_range(self.s, self.regions[region], value))

    def _gain(self, instr: Instr) -> None:
        region, index, amount = instr.args
        found = self.regions[region]
        self._readable(amount)

        def stopped(where: E) -> E:
            x = self.s.fn.keep(changed_value(self.s, found, where, amount, "add"))
            for bound, beyond in ((found.high, x.gt(found.high)), (found.low, x.lt(found.low))):
                with self.s.fn.when(beyond):
                    self.s.fn.set(x, bound)
            return x

        self._change(region, index, stopped)

    def _pay(self, instr: Instr) -> None:
        region, index, amount, _ = instr.args
        found = self.regions[region]
        self._readable(amount)
        least = bounds(amount.type)[0]
        if least is None or least < 0:
            raise NotDry

        def left(where: E) -> E:
            x = self.s.fn.keep(changed_value(self.s, found, where, amount, "sub"))
            self.s.fn.br_if(self.ways[0], x.lt(found.low))
            return x

        self._change(region, index, left)

    def _score(self, instr: Instr) -> None:
        player, amount, _ = instr.args
        found = self.regions["player.score"]
        self._readable(amount)

        def total(where: E) -> E:
            x = self.s.fn.keep(changed_value(self.s, found, where, amount, "add"))
            self.s.bail_if(x.lt(found.low) | x.gt(found.high), "range")
            return x

        self._change("player.score", player, total)

    def _require(self, instr: Instr) -> None:
        self.s.fn.br_if(self.ways[0], self._value(instr.args[0]).no())

    def _on(self, _: Instr) -> None:
        """What is told or forgotten makes no difference."""

    def _done(self, _: Instr) -> None:
        """A look-ahead ends here, and ends well."""
        self.s.fn.br(self.ways[1])

    # ---- pieces ----

    def _move_dry(self, instr: Instr) -> None:
        mode, what, zone, face, _ = instr.args
        s, fn = self.s, self.s.fn
        if mode != "one" or not isinstance(zone, I.ZoneIr):
            raise NotDry
        goal = s.declared.zones[zone.zone]
        self._readable(what)
        self._readable(zone.place)
        self._full(goal, zone)
        turned = None if face is None else fn.keep(self._value(face))
        code = self._taken(what)
        if turned is not None:
            faces = len(zones.kind_of(s, goal).faces)
            code = fn.keep(code - code.op("rem_u", faces) + turned)
        place = fn.keep(s.scalar(zone.place))
        self._put_into(goal, place, code)

    def _full(self, goal: Zone, zone: I.ZoneIr) -> None:
        s = self.s
        assert s.shadow is not None
        if goal.shape == "slot":
            self.s.fn.br_if(self.ways[0], zones.empty(s, zone).no())
            return
        if goal.key in s.shadow.written():
            roomy = min(goal.capacity, default=0) >= sum(zones.kind_of(s, goal).supply)
            if not roomy:
                raise NotDry
            return
        address, at = zones.where(s, zone)
        full = room_test(s, zone, address, at)
        if full is not None:
            self.s.fn.br_if(self.ways[0], full)

    def _taken(self, what: Ir) -> Local:
        """The code of the piece that is taken; without it the answer does not lead on."""
        s, fn = self.s, self.s.fn
        assert s.shadow is not None
        if not isinstance(what, I.ZoneRead):
            return self._taken_ref(what)
        decl, place = zones.parts(s, what.zone)
        if decl.key in s.shadow.closed:
            raise NotDry
        code = fn.keep(zones.read_code(s, what))
        fn.br_if(self.ways[0], code.lt(0))
        here = fn.keep(s.scalar(place))
        if decl.shape == "slot":
            s.shadow.slots.setdefault(decl.key, []).append((self._mark(here), fn.keep(0)))
        elif decl.shape == "pool" and zones.kind_of(s, decl).count <= MOST_CODES:
            s.shadow.pools.setdefault(decl.key, []).append((self._mark(here), code, -1))
        else:
            s.shadow.closed.add(decl.key)
        return code

    def _taken_ref(self, what: Ir) -> Local:
        s, fn = self.s, self.s.fn
        assert s.shadow is not None
        t = strip(what.type)
        if not isinstance(t, Piece):
            raise NotDry
        places = {t.zone} if t.zone else {z.key for z in s.declared.zones.values() if z.holds == t.kind}
        if places & s.shadow.written():
            raise NotDry
        ref = fn.keep(s.scalar(what))
        fn.br_if(self.ways[0], ref.lt(0))
        code = fn.keep(ref.op("rem_u", s.declared.codes))
        fn.br_if(self.ways[0], code.ge(s.declared.pieces[t.kind].count))
        fn.br_if(self.ways[0], pieces.held(s, ref).eq(0))
        s.shadow.closed |= places
        return code

    def _put_into(self, goal: Zone, place: Local, code: Local) -> None:
        s = self.s
        assert s.shadow is not None
        if goal.key in s.shadow.closed:
            return
        if goal.shape == "slot":
            s.shadow.slots.setdefault(goal.key, []).append((self._mark(place), s.fn.keep(code + 1)))
        elif goal.shape == "pool" and zones.kind_of(s, goal).count <= MOST_CODES:
            s.shadow.pools.setdefault(goal.key, []).append((self._mark(place), code, 1))
        else:
            s.shadow.closed.add(goal.key)


_STEPS: dict[str, Callable[[DryRuns, Instr], None]] = for_some(
    {
        "set": DryRuns._set,
        "forget": DryRuns._on,
        "log": DryRuns._on,
        "event": DryRuns._on,
        "store": DryRuns._store,
        "gain": DryRuns._gain,
        "pay": DryRuns._pay,
        "score": DryRuns._score,
        "require": DryRuns._require,
        "move": DryRuns._move_dry,
        "finish": DryRuns._done,
        "halt": DryRuns._done,
        "horizon": DryRuns._done,
        "roll": DryRuns._done,
        "look": DryRuns._done,
        "draw": DryRuns._done,
        "shuffle": DryRuns._done,
    }
)
