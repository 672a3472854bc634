"""Instructions that change cells, as code: all but those that steer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.middle.analysis.control_flow import fails
from interpreter.middle.events import is_told, values_of
from interpreter.native import chance, event_buffer, lists, memory, moves, pieces, trail, zones
from interpreter.native.code import Code
from interpreter.native.expressions import checked
from interpreter.native.wasm import E, Local, both, const, load
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import NO_INTEGER, Instr, Ir, Region
from rulespec.lower.make import bounds
from rulespec.model.types import (
    Boolean,
    Integer,
    ListType,
    Member,
    Optional,
    Piece,
    Record,
    SetType,
    kind_of_pieces,
    strip,
)
from rulespec.program.ops import for_some

if TYPE_CHECKING:
    from interpreter.native.blocks import Blocks


def _set(b: Blocks, at: int, instr: Instr) -> int:
    slot, value = instr.args
    lists.store_slot(b.s, slot, value_of(b, slot, value))
    return at + 1


def value_of(b: Blocks, slot: int, value: Ir) -> E:
    """A value as a name of a block keeps it."""
    t = b.program.slots[slot].type
    return lists.as_list(b.s, value) if _lists(t, value) else lists.as_type(b.s, value, t)


def _lists(t: object, value: Ir) -> bool:
    is_list = isinstance(value, I.Const) and not isinstance(strip(value.type), SetType)
    return isinstance(t, ListType) and not is_list


def _forget(b: Blocks, at: int, instr: Instr) -> int:
    lists.empty_slot(b.s, instr.args[0])
    return at + 1


def _store(b: Blocks, at: int, instr: Instr) -> int:
    region, index, value = instr.args
    x = store_range(b.s, b.region(region), value)
    place = _index(b, index)
    if b.s.keeps_events and is_told(region):
        place, x = b.s.fn.keep(place), b.s.fn.keep(x)
        before = b.s.fn.keep(b.s.read_region(region, place))
        event_buffer.note(b, at, place, before, x, condition=before.ne(x))
    b.s.write_region(region, place, x)
    return at + 1


def store_range(s: Code, found: Region, value: Ir) -> E:
    """A value that is to be stored; everything ends where it is outside the range of its cell."""
    x = s.scalar(value)
    low, high = _range(value)
    if low is not None and high is not None and found.low <= low and high <= found.high:
        return x
    x = s.fn.keep(x)
    outside = x.lt(found.low) | x.gt(found.high)
    if found.may_be_none:
        outside = outside & x.ne(NO_INTEGER)
    s.bail_if(outside, "range")
    return x


def _index(b: Blocks, index: Ir) -> E:
    if isinstance(index, I.Local) and index.slot == -1:
        return const(0)
    return b.s.scalar(index)


def _range(value: Ir) -> tuple[int | None, int | None]:
    t = value.type
    if isinstance(t, Integer):
        return bounds(t)
    if isinstance(t, Optional):
        return (-1, 0) if isinstance(t.of, (Boolean, Member)) else (None, None)
    return (0, 0) if isinstance(t, (Boolean, Member)) else (None, None)


def _changed(b: Blocks, instr: Instr, sign: str) -> tuple[Region, E, Local]:
    """A cell's region, its index, and what it would hold after a gain or a payment."""
    region, index, amount = instr.args[:3]
    found = b.region(region)
    at = _index(b, index)
    place = at if at.value is not None else b.s.fn.keep(at)
    return found, place, b.s.fn.keep(changed_value(b.s, found, place, amount, sign))


def changed_value(s: Code, found: Region, place: E, amount: Ir, sign: str) -> E:
    """What a cell holds and an amount, added up or taken away."""
    now, by = s.read_region(found.key, place), s.scalar(amount)
    low, high = bounds(amount.type)
    if low is not None and high is not None and max(abs(low), abs(high)) < 1 << 29 and abs(found.lowest) < 1 << 30:
        return now.op(sign, by)
    return checked(s, now.wide().op(sign, by.wide()))


def _gain(b: Blocks, at: int, instr: Instr) -> int:
    found, place, x = _changed(b, instr, "add")
    _stopped(b, x, found.high, E.gt)
    _stopped(b, x, found.low, E.lt)
    event_buffer.note(b, at, x - b.s.read_region(instr.args[0], place))
    b.s.write_region(instr.args[0], place, x)
    return at + 1


def _stopped(b: Blocks, x: Local, bound: int, beyond: Callable[[E, int], E]) -> None:
    with b.s.fn.when(beyond(x, bound)):
        b.s.fn.set(x, bound)


def _pay(b: Blocks, at: int, instr: Instr) -> int:
    found, place, x = _changed(b, instr, "sub")
    b.fail_if(x.lt(found.low))
    if (least := bounds(instr.args[2].type)[0]) is None or least < 0:
        _stopped(b, x, found.high, E.gt)
    event_buffer.note(b, at, b.s.read_region(instr.args[0], place) - x)
    b.s.write_region(instr.args[0], place, x)
    return at + 1


def _score(b: Blocks, at: int, instr: Instr) -> int:
    player, amount, reason = instr.args
    who, points = b.s.fn.keep(b.s.scalar(player)), b.s.fn.keep(b.s.scalar(amount))
    total = b.s.fn.keep(b.s.read_region("player.score", who).wide() + points.wide())
    low, high = b.score_range
    b.s.bail_if(total.lt(low) | total.gt(high), "range")
    b.s.write_region("player.score", who, total.narrow())
    trail.tell(b, (trail.POINTS, reason), who, points)
    event_buffer.note(b, at, points, seat=who)
    return at + 1


def _require(b: Blocks, at: int, instr: Instr) -> int:
    b.fail_if(b.s.ex(instr.args[0]).no())
    return maybe_done(b, at)


def maybe_done(b: Blocks, at: int) -> int:
    """After the last thing that can fail in a unit, a look-ahead knows enough."""
    proc = b.procs[b.st.proc_of[at]]
    if proc.kind != "action" or any(fails(b.program, b.st, i) for i in range(at + 1, proc.end)):
        return at + 1
    if any(proc.entry <= opener < at <= end for opener, end in b.st.end.items()):
        return at + 1
    with b.s.fn.when(b.floor.ne(0) & b.s.read_region("units").eq(b.floor)):
        b.s.fn.give(-1)
    return at + 1


# ---- pieces ---------------------------------------------------------------------------------------------------------


def _move(b: Blocks, at: int, instr: Instr) -> int:
    mode, what, zone, face, side = instr.args
    goal = _place(b.s, zone)
    with event_buffer.noting_pieces(b, at, goal, lambda: _pieces(b.s, mode, what), one=mode == "one"):
        if mode == "one":
            _move_one(b, what, zone, face, side)
        else:
            _move_many(b, instr)
    return maybe_done(b, at)


def _pieces(s: Code, mode: str, what: Ir) -> E:
    """The pieces that a step speaks of: one, a list (or none), or all of a place."""
    if mode == "one":
        return s.scalar(what)
    return lists.as_list(s, _all_of(what) if mode == "all" else what)


def _all_of(zone: Ir) -> Ir:
    return I.ZoneRead(type=Integer(0, None), what="all", zone=zone)


def _move_many(b: Blocks, instr: Instr) -> None:
    mode, what, zone, face, side = instr.args
    s = b.s
    decl, place = zones.parts(s, zone)
    items = s.fn.keep(_pieces(s, mode, what))
    if mode == "list":
        b.fail_if(items.eq(0))
    faces = max(1, len(zones.kind_of(s, decl).faces))
    turned = const(-1) if face is None else s.scalar(face)
    goal = s.scalar(place) + decl.first
    b.fail_if(moves.move_list(s, items, goal, turned, faces, int(side == "bottom")).lt(0))


def room_test(s: Code, zone: Ir, address: E, at: int) -> E | None:
    """A condition that is true where a place is full; None where it never is."""
    decl, _ = zones.parts(s, zone)
    if decl.shape == "slot":
        return load(address, s.cells.piece, at=at)
    if min(decl.capacity, default=0) >= sum(zones.kind_of(s, decl).supply):
        return None
    return zones.amount(s, zone).ge(zones.capacity(s, zone))


def _move_one(b: Blocks, what: Ir, zone: Ir, face: Ir | None, side: str) -> None:
    s = b.s
    decl, _ = zones.parts(s, zone)
    where, at = zones.where(s, zone)
    address = where if isinstance(where, Local) else s.fn.keep(where)
    full = room_test(s, zone, address, at)
    turned = None if face is None else s.fn.keep(s.scalar(face))  # it may count what lies where the piece is taken
    if memory.of_kind(s, decl.holds):
        if full is not None:
            b.fail_if(full)
        face_shown, faces = const(-1) if turned is None else turned, max(1, len(zones.kind_of(s, decl).faces))
        goal = s.fn.keep(_place(s, zone))
        b.fail_if(moves.moved_one(s, s.scalar(what), goal, face_shown, faces, int(side == "bottom")).no())
        return
    code = _take_read(b, what, full) if isinstance(what, I.ZoneRead) else _take_ref(b, what, full)
    if turned is not None:
        faces = len(zones.kind_of(s, decl).faces)
        code = s.fn.keep(code - code.op("rem_u", faces) + turned)
    width = s.cells.piece
    if decl.shape == "slot":
        s.fn.store(address, code + 1, width, at=at)
    elif decl.shape == "pool":
        cell = s.fn.keep(address + code * width)
        s.fn.store(cell, load(cell, width, at=at) + 1, width, at=at)
    else:
        pieces.put_on_stack(s, s.fn.keep(address + at), code, bottom=side == "bottom")


def _take_read(b: Blocks, what: I.ZoneRead, full: E | None) -> Local:
    """Takes the piece that a reading names, out of the place that it reads."""
    s = b.s
    decl, _ = zones.parts(s, what.zone)
    where, at = zones.where(s, what.zone)
    address = where if isinstance(where, Local) else s.fn.keep(where)
    code = s.fn.keep(zones.read_code(s, what))
    b.fail_if(code.lt(0) if full is None else code.lt(0) | full.ne(0))
    width = s.cells.piece
    if decl.shape == "slot":
        s.fn.store(address, 0, width, at=at)
    elif decl.shape == "pool":
        cell = s.fn.keep(address + code * width)
        s.fn.store(cell, load(cell, width, at=at) - 1, width, at=at)
    elif what.what == "top":
        held = s.fn.keep(load(address, width, at=at))
        s.fn.store(address + held * width, 0, width, at=at)
        s.fn.store(address, held - 1, width, at=at)
    else:
        s.fn.do(pieces.take_from_stack(s, address + at, const(0), code))
    return code


def _take_ref(b: Blocks, what: Ir, full: E | None) -> Local:
    """Takes a piece kept in a name out of wherever it lies."""
    s = b.s
    ref = s.fn.keep(s.scalar(what))
    if full is not None:
        b.fail_if(full)
    t = strip(what.type)
    decl = s.declared.zones.get(t.zone or "") if isinstance(t, Piece) else None
    if decl is None or decl.shape != "pool" or strip(what.type) != what.type:
        code = s.fn.keep(pieces.take(s, ref))
        b.fail_if(code.lt(0))
        return code
    code = s.fn.keep(ref.op("rem_u", s.declared.codes))
    where, at = zones.where_at(s, decl, ref.op("div_u", s.depth_codes) - decl.first)
    width = s.cells.piece
    cell = s.fn.keep(where + code * width)
    if decl.front != "all":
        b.fail_if(code.ge(zones.kind_of(s, decl).count))
    held = s.fn.keep(load(cell, width, at=at))
    b.fail_if(held.eq(0))
    s.fn.store(cell, held - 1, width, at=at)
    return code


def _flip(b: Blocks, at: int, instr: Instr) -> int:
    mode, what, face = instr.args
    with event_buffer.noting_pieces(b, at, b.s.scalar(face), lambda: _pieces(b.s, mode, what), one=mode == "one"):
        _turn(b, mode, what, face)
    return maybe_done(b, at)


def _turn(b: Blocks, mode: str, what: Ir, face: Ir) -> None:
    s = b.s
    if mode == "all":
        _flip_all(b, what, face)
    elif mode == "one" and isinstance(what, I.ZoneRead) and zones.parts(s, what.zone)[0].shape == "slot":
        _flip_slot(b, what, face)
    else:
        t = strip(what.type)
        kind = s.declared.pieces[t.kind if mode == "one" else t.of.kind]  # type: ignore[attr-defined]
        refs = lists.as_list(s, what if mode != "one" else _alone(what))
        b.fail_if(moves.flip_list(s, refs, s.scalar(face), len(kind.faces)).no())


def _roll(b: Blocks, at: int, instr: Instr) -> int:
    """Each piece that is there, one after the other."""
    mode, what, stream, name = instr.args
    s = b.s
    _random(b)
    t = strip(what.type)
    kind = zones.kind_of(s, zones.parts(s, what)[0]) if mode == "all" else s.declared.pieces[kind_of_pieces(t, None)]
    refs = s.fn.keep(_alone_or_copied(s, what, mode) if mode != "all" else _pieces(s, mode, what))
    most = sum(kind.supply) if mode == "all" else (t.most if isinstance(t, ListType) else 1)
    with event_buffer.noting_roll(b, at, most) as out:
        chance.roll(s, refs, len(kind.faces), stream, out)
    if name is not None and mode == "one":
        lists.store_slot(s, name, load(refs, at=4))
    elif name is not None:
        with s.fn.when(refs):
            lists.store_slot(s, name, refs)
    return at + 1


def _look(b: Blocks, at: int, instr: Instr) -> int:
    """Each piece that is there, one after the other."""
    mode, what, seers = instr.args
    s = b.s
    _random(b)
    refs = s.fn.keep(_alone_or_copied(s, what, mode) if mode != "all" else _pieces(s, mode, what))
    players = s.fn.keep(lists.as_type(s, seers, seers.type).narrow())
    with s.fn.when(both(refs.ne(0), players.ne(0))):
        memory.looked_at(s, refs, players)
        with event_buffer.noting_pieces(b, at, players, lambda: refs, one=False):
            pass
    return at + 1


def _alone_or_copied(s: Code, what: Ir, mode: str) -> E:
    """A list of its own, which nobody else reads: of one piece, or of those of a list (0 where there is none)."""
    if mode == "one":
        return lists.as_list(s, _alone(what))
    fn, found = s.fn, s.fn.keep(lists.as_list(s, what))
    with fn.when(found):
        size = fn.keep((load(found) << 2) + 4)
        copied = s.allocate(size)
        fn.copy(copied, found, size)
        fn.set(found, copied)
    return found


def _alone(piece: Ir) -> Ir:
    """A list of one piece."""
    return I.ListIr(type=ListType(strip(piece.type), 1), items=(piece,))


def _flip_slot(b: Blocks, what: I.ZoneRead, face: Ir) -> None:
    s = b.s
    decl, _ = zones.parts(s, what.zone)
    where, at = zones.where(s, what.zone)
    address = where if isinstance(where, Local) else s.fn.keep(where)
    code = s.fn.keep(zones.read_code(s, what))
    b.fail_if(code.lt(0))
    faces = len(zones.kind_of(s, decl).faces)
    s.fn.store(address, code - code.op("rem_u", faces) + s.scalar(face) + 1, s.cells.piece, at=at)


def _flip_all(b: Blocks, zone: Ir, face: Ir) -> None:
    s, fn = b.s, b.s.fn
    decl, place = zones.parts(s, zone)
    faces = len(zones.kind_of(s, decl).faces)
    number, turned = fn.keep(s.scalar(place) + decl.first), fn.keep(s.scalar(face))
    codes = fn.keep(pieces.content(s, number))
    memory.all_turned(s, number, max(1, faces), turned)
    with fn.count(load(codes)) as i:
        code = fn.keep(load(codes + (i << 2), at=4))
        fn.store(codes + (i << 2), code - code.op("rem_u", faces) + turned, at=4)
    pieces.set_content(s, number, codes)


# ---- chance ---------------------------------------------------------------------------------------------------------


def _random(b: Blocks) -> None:
    """Chance ends a look-ahead; in play what happened so far stays."""
    with b.s.fn.when(b.floor):
        b.s.fn.give(-1)
    b.s.set_cell(b.s.layout.horizon, 1)


def _horizon(b: Blocks, at: int, instr: Instr) -> int:
    _random(b)
    return at + 1


def _place(s: Code, zone: Ir) -> E:
    decl, place = zones.parts(s, zone)
    return s.scalar(place) + decl.first


def _draw(b: Blocks, at: int, instr: Instr) -> int:
    amount, source, goal, renew, stream = instr.args
    s = b.s
    _random(b)
    d_from, p_from = zones.parts(s, source)
    d_to, p_to = zones.parts(s, goal)
    again = const(-1) if renew is None else _place(s, renew)
    goal_place, wanted = s.fn.keep(s.scalar(p_to) + d_to.first), s.fn.keep(s.scalar(amount))
    before = s.fn.keep(pieces.amount(s, goal_place)) if at in b.needed_draws else None
    setup = next(p.back for p in b.program.procs if p.kind == "setup")
    most = sum(zones.kind_of(s, d_from).supply)
    with event_buffer.noting_draw(b, at, goal_place, lists.slot(s, setup).gt(0), most) as out:
        chance.draw(s, wanted, (s.scalar(p_from) + d_from.first, goal_place, again), stream, out)
    if before is not None:  # too few may be a fault of the set-up, which the reference reports
        s.bail_if((pieces.amount(s, goal_place) - before).lt(wanted), "set-up")
    return at + 1


def _shuffle(b: Blocks, at: int, instr: Instr) -> int:
    zone, stream = instr.args
    _random(b)
    decl, place = zones.parts(b.s, zone)
    chance.shuffle_stack(b.s, b.s.scalar(place) + decl.first, stream)
    event_buffer.note(b, at)
    return at + 1


def _resolve(b: Blocks, at: int, instr: Instr) -> int:
    """A piece chosen by its back: chance picks one of those that look like it."""
    slot, stream, field = instr.args
    s = b.s
    _random(b)
    t = strip(b.program.slots[slot].type)
    kind = s.declared.pieces[kind_of_pieces(t, field)]
    if isinstance(t, ListType):
        return _resolve_each(b, at, instr, kind.unseen)
    piece = s.fn.keep(lists.slot(s, slot))
    with s.fn.when(piece.ge(0) & piece.op("rem_u", s.declared.codes).ge(kind.count)):
        lists.store_slot(s, slot, chance.pick_unseen(s, piece, kind.unseen, stream))
    return at + 1


def _resolve_each(b: Blocks, at: int, instr: Instr, unseen: tuple[int, ...]) -> int:
    """The same for each member of a list."""
    slot, stream, field = instr.args
    s, fn = b.s, b.s.fn
    of = strip(strip(b.program.slots[slot].type).of)  # type: ignore[attr-defined]
    parts = len(of.fields) if isinstance(of, Record) else 1
    members, hidden = fn.keep(lists.slot(s, slot)), fn.keep(0)
    with fn.count(load(members)) as i:
        piece = fn.keep(load(members + i * (4 * parts), at=4 + 4 * (field or 0)))
        fn.set(hidden, hidden | (piece.ge(0) & piece.op("rem_u", s.declared.codes).ge(len(unseen))))
    with fn.when(hidden):
        chance.pick_each_unseen(s, members, unseen, stream, parts, field or 0)
        lists.store_slot(s, slot, members)
    return at + 1


def _log(b: Blocks, at: int, instr: Instr) -> int:
    if instr.args[2] != "late" and instr.args[0] in b.s.declared.actions:
        trail.tell(b, (trail.ACTIONS, instr.args[0]), b.s.read_region("me"), const(1))
    event_buffer.note_values(b, at, tuple(ir for _, ir in values_of(instr)))
    return at + 1


def _event(b: Blocks, at: int, instr: Instr) -> int:
    event_buffer.note_values(b, at, instr.args[1])
    return at + 1


DEEDS: dict[str, Callable[[Blocks, int, Instr], int | None]] = for_some(
    {
        "set": _set,
        "forget": _forget,
        "store": _store,
        "gain": _gain,
        "pay": _pay,
        "score": _score,
        "require": _require,
        "move": _move,
        "flip": _flip,
        "roll": _roll,
        "look": _look,
        "horizon": _horizon,
        "draw": _draw,
        "shuffle": _shuffle,
        "resolve": _resolve,
        "log": _log,
        "event": _event,
    }
)
