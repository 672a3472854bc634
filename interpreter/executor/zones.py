"""Readings of zones, and steps that handle pieces, as Python source."""

from __future__ import annotations

from interpreter.executor.writing import Source
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Kind, Zone
from rulespec.lower.ir import Ir
from rulespec.model.types import Integer, Piece, strip


def zone_parts(s: Source, zone: Ir) -> tuple[Zone, Ir]:
    """The declaration of a zone and the place that is meant."""
    assert isinstance(zone, I.ZoneIr), zone
    return s.declared.zones[zone.zone], zone.place


def base_of(s: Source, zone: Ir) -> str:
    """The number of the first cell of a place."""
    decl, place = zone_parts(s, zone)
    return s.cell(s.layout.zones[decl.key], s.layout.strides[decl.key], place)


def kind_of(s: Source, decl: Zone) -> Kind:
    """The kind of pieces that a zone holds."""
    return s.declared.pieces[decl.holds]


def read(s: Source, n: I.ZoneRead) -> str:
    """A reading of a place: how many, whether empty or full, or which piece."""
    decl, place = zone_parts(s, n.zone)
    if n.what == "all":
        return _all_pieces(s, n.zone)
    if n.what in ("count", "empty", "full"):
        return _amount(s, n, decl)
    code = s.temp("k")
    s.line(f"{code} = {read_code(s, n)}")
    position = "0"
    if decl.shape == "stack" and n.what == "top":
        position = f"({s.pieces}[{base_of(s, n.zone)}] - 1)"
    start = f"({s.ex(place)} + {decl.first}) * {s.depth_codes}"
    if isinstance(place, I.Const):
        start = str((place.value + decl.first) * s.depth_codes)  # type: ignore[operator]
    at = "" if position == "0" else f" + {position} * {s.declared.codes}"
    return f"({start}{at} + {code} if {code} >= 0 else -1)"


def _amount(s: Source, n: I.ZoneRead, decl: Zone) -> str:
    base = base_of(s, n.zone)
    size = kind_of(s, decl).count
    if decl.shape == "pool":
        at = s.temp("b")
        s.line(f"{at} = {base}")
        held = f"sum({s.pieces}[{at}:{at} + {size}])"
        if n.what == "empty":
            return f"(not any({s.pieces}[{at}:{at} + {size}]))"
    else:
        held = f"{s.pieces}[{base}]" if decl.shape == "stack" else f"(1 if {s.pieces}[{base}] else 0)"
        if n.what == "empty":
            return f"({s.pieces}[{base}] == 0)"
    if n.what == "count":
        return held
    return f"({held} >= {capacity(s, n.zone)})"


def capacity(s: Source, zone: Ir) -> str:
    """How many pieces a place holds."""
    decl, place = zone_parts(s, zone)
    if len(set(decl.capacity)) == 1:
        return str(decl.capacity[0])
    return f"{s.constant(decl.capacity)}[{s.ex(place)}]"


def read_code(s: Source, n: I.ZoneRead) -> str:
    """The code of the piece that is read, or -1."""
    decl, _ = zone_parts(s, n.zone)
    base = base_of(s, n.zone)
    if decl.shape == "slot":
        return f"({s.pieces}[{base}] - 1)"
    if decl.shape == "stack":
        if n.what == "top":
            at = s.temp("b")
            s.line(f"{at} = {base}")
            return f"(({s.pieces}[{at} + {s.pieces}[{at}]] if {s.pieces}[{at}] else 0) - 1)"
        return f"({s.pieces}[{base} + 1] - 1)"
    size = kind_of(s, decl).count
    at = s.temp("b")
    s.line(f"{at} = {base}")
    if size <= 4:
        chain = "".join(f"{i} if {s.pieces}[{at} + {i}] else " for i in range(size))
        return f"({chain}-1)"
    return f"next((i for i, x in enumerate({s.pieces}[{at}:{at} + {size}]) if x), -1)"


def _all_pieces(s: Source, zone: Ir) -> str:
    decl, place = zone_parts(s, zone)
    return f"tuple(handling.refs(c, {s.ex(place)} + {decl.first}))"


def take_some(s: Source, n: I.TakeIr) -> str:
    """A list of the first pieces of a place, or -1 where there are fewer."""
    decl, place = zone_parts(s, n.zone)
    items, amount = s.temp("l"), s.temp("n")
    s.line(f"{items}, {amount} = handling.refs(c, {s.ex(place)} + {decl.first}), {s.ex(n.amount)}")
    order = "[::-1]" if decl.shape == "stack" else ""
    return f"(tuple({items}{order}[:max({amount}, 0)]) if len({items}) >= {amount} else -1)"


# ---- steps ------------------------------------------------------------------------------------------


def note_pieces(s: Source, instr: I.Instr) -> tuple[str, str, str]:
    """Names that hold, where events are kept, the pieces about to be moved, where they go, and the cells before."""
    mode, what, zone, _, _ = instr.args
    decl, place = zone_parts(s, zone)
    pieces, goal, moment = s.temp("moved"), s.temp("goal"), s.temp("moment")
    with s.block("if sink is not None:"):
        items = _all_pieces(s, what) if mode == "all" else s.ex(what)
        s.line(f"{pieces} = ({items},)" if mode == "one" else f"{pieces} = {items}")
        s.line(f"{goal} = {s.ex(place)} + {decl.first}")
        s.line(f"{moment} = sink.moment(c)")
    return pieces, goal, moment


def note_turned(s: Source, instr: I.Instr) -> tuple[str, str, str]:
    """Names that hold, where events are kept, the pieces about to be turned, their new face, and the cells before."""
    mode, what, face = instr.args
    pieces, to, moment = s.temp("turned"), s.temp("face"), s.temp("moment")
    with s.block("if sink is not None:"):
        items = _all_pieces(s, what) if mode == "all" else s.ex(what)
        s.line(f"{pieces} = ({items},)" if mode == "one" else f"{pieces} = {items}")
        s.line(f"{to}, {moment} = {s.ex(face)}, sink.moment(c)")
    return pieces, to, moment


def move(s: Source, instr: I.Instr, fail: str) -> None:
    """`move`: one piece, a list of pieces, or all that lie at a place."""
    mode, what, zone, face, at = instr.args
    if mode == "one":
        _move_one(s, what, zone, face, at, fail)
        return
    decl, place = zone_parts(s, zone)
    if isinstance(what, I.TakeIr) and _pool_to_pool(s, what, zone, face, fail):
        return
    pieces = s.ex(what) if mode == "list" else _all_pieces(s, what)
    items = s.temp("l")
    s.line(f"{items} = {pieces}")
    turned = f"lambda k: {with_face(s, kind_of(s, decl), 'k', face)}"
    goal = f"{s.ex(place)} + {decl.first}"
    test = f"{items} == -1 or " if mode == "list" else ""
    with s.block(f"if {test}handling.move_list(c, {items}, {goal}, {turned}, {at == 'bottom'}) < 0:"):
        s.line(fail)


def move_test(s: Source, instr: I.Instr, fail: str, *, there: bool = False, room: bool = False) -> None:
    """What a `move` needs, without moving anything: the pieces, and room for them, where that is not known."""
    mode, what, zone, _, _ = instr.args
    if mode == "one":
        _one_test(s, what, zone, fail, there=there, room=room)
        return
    decl, _place = zone_parts(s, zone)
    items = s.temp("l")
    full = f" or len({items}) > {capacity(s, zone)} - {read(s, _count(zone))}"
    s.line(f"{items} = {s.ex(what) if mode == 'list' else _all_pieces(s, what)}")
    if decl.room >= sum(kind_of(s, decl).supply):
        full = ""
    with s.block(f"if {items} == -1{full}:"):
        s.line(fail)


def _count(zone: Ir) -> I.ZoneRead:
    return I.ZoneRead(type=Integer(0, None), what="count", zone=zone)


def _one_test(s: Source, what: Ir, zone: Ir, fail: str, *, there: bool, room: bool) -> None:
    tests: list[str] = []
    if not room:
        lines, base = s.captured(lambda: base_of(s, zone))
        name = s.temp("b")
        full = _room_test(s, zone, name)
        if full is not None:
            s.lines += lines
            s.line(f"{name} = {base}")
            tests.append(full)
    if not there and isinstance(what, I.ZoneRead):
        tests.append(f"{read_code(s, what)} < 0")
    elif not there:
        ref = s.temp("p")
        s.line(f"{ref} = {s.ex(what)}")
        tests.append(f"{ref} < 0 or not handling.held(c, {ref})")
    if tests:
        with s.block(f"if {' or '.join(tests)}:"):
            s.line(fail)


def _pool_to_pool(s: Source, what: I.TakeIr, zone: Ir, face: Ir | None, fail: str) -> bool:
    """The first pieces of a pool into a pool, code by code; whether that could be written."""
    source, _ = zone_parts(s, what.zone)
    goal, _ = zone_parts(s, zone)
    kind = kind_of(s, source)
    if source.shape != "pool" or goal.shape != "pool" or goal.room < sum(kind.supply):
        return False
    a, b, left, n, code = s.temp("b"), s.temp("b"), s.temp("n"), s.temp("n"), s.temp("k")
    s.line(f"{left} = {s.ex(what.amount)}")
    s.line(f"{a} = {base_of(s, what.zone)}")
    with s.block(f"if sum({s.pieces}[{a}:{a} + {kind.count}]) < {left}:"):
        s.line(fail)
    s.line(f"{b} = {base_of(s, zone)}")
    with s.block(f"for {code} in range({kind.count}):"):
        s.line(f"{n} = {s.pieces}[{a} + {code}]")
        with s.block(f"if {n}:"):
            with s.block(f"if {n} > {left}:"):
                s.line(f"{n} = {left}")
            s.line(f"{s.pieces}[{a} + {code}] -= {n}")
            s.line(f"{s.pieces}[{b} + {with_face(s, kind, code, face)}] += {n}")
            s.line(f"{left} -= {n}")
            with s.block(f"if {left} <= 0:"):
                s.line("break")
    return True


def with_face(s: Source, kind: Kind, code: str, face: Ir | None) -> str:
    """A code with its face replaced."""
    if face is None:
        return code
    faces = len(kind.faces)
    return f"({code} - {code} % {faces} + {s.ex(face)})"


def _room_test(s: Source, zone: Ir, base: str) -> str | None:
    """A condition that is true where a place is full; None where it never is."""
    decl, _ = zone_parts(s, zone)
    supply = sum(kind_of(s, decl).supply)
    if decl.shape == "slot":
        return f"{s.pieces}[{base}]"
    if min(decl.capacity, default=0) >= supply:
        return None
    if decl.shape == "stack":
        return f"{s.pieces}[{base}] >= {capacity(s, zone)}"
    return f"sum({s.pieces}[{base}:{base} + {kind_of(s, decl).count}]) >= {capacity(s, zone)}"


def _put(s: Source, zone: Ir, base: str, code: str, at: str) -> None:
    decl, _ = zone_parts(s, zone)
    if decl.shape == "slot":
        s.line(f"{s.pieces}[{base}] = {code} + 1")
    elif decl.shape == "pool":
        s.line(f"{s.pieces}[{base} + {code}] += 1")
    elif at == "bottom":
        s.line(f"put_on_stack({s.pieces}, {base}, {code}, True)")
    else:
        s.line(f"{s.pieces}[{base}] += 1")
        s.line(f"{s.pieces}[{base} + {s.pieces}[{base}]] = {code} + 1")


def _move_one(s: Source, what: Ir, zone: Ir, face: Ir | None, at: str, fail: str) -> None:
    base = s.temp("b")
    s.line(f"{base} = {base_of(s, zone)}")
    full = _room_test(s, zone, base)
    kind = kind_of(s, zone_parts(s, zone)[0])
    code = s.temp("k")
    if isinstance(what, I.ZoneRead):
        _take_read(s, what, code, full, fail)
    else:
        _take_ref(s, what, code, full, fail)
    turned = s.temp("k") if face is not None else code
    if face is not None:
        s.line(f"{turned} = {with_face(s, kind, code, face)}")
    _put(s, zone, base, turned, at)


def _take_read(s: Source, what: I.ZoneRead, code: str, full: str | None, fail: str) -> None:
    """Takes the piece that a reading names, out of the place that it reads."""
    decl, _ = zone_parts(s, what.zone)
    a = s.temp("b")
    s.line(f"{a} = {base_of(s, what.zone)}")
    s.line(f"{code} = {read_code(s, what)}")
    with s.block(f"if {code} < 0{'' if full is None else f' or {full}'}:"):
        s.line(fail)
    if decl.shape == "slot":
        s.line(f"{s.pieces}[{a}] = 0")
    elif decl.shape == "pool":
        s.line(f"{s.pieces}[{a} + {code}] -= 1")
    elif what.what == "top":
        s.line(f"{s.pieces}[{a} + {s.pieces}[{a}]] = 0")
        s.line(f"{s.pieces}[{a}] -= 1")
    else:
        s.line(f"take_from_stack({s.pieces}, {a}, 0, {code})")


def _take_ref(s: Source, what: Ir, code: str, full: str | None, fail: str) -> None:
    """Takes a piece kept in a name out of wherever it lies."""
    ref = s.temp("p")
    s.line(f"{ref} = {s.ex(what)}")
    t = strip(what.type)
    decl = s.declared.zones.get(t.zone or "") if isinstance(t, Piece) else None
    if full is not None:
        with s.block(f"if {full}:"):
            s.line(fail)
    if decl is not None and decl.shape == "pool" and strip(what.type) == what.type:
        base, stride = s.layout.zones[decl.key], s.layout.strides[decl.key]
        cell = s.temp("b")
        s.line(f"{code} = {ref} % {s.declared.codes}")
        s.line(f"{cell} = {base} + ({ref} // {s.depth_codes} - {decl.first}) * {stride} + {code}")
        unseen = "" if decl.front == "all" else f"{code} >= {kind_of(s, decl).count} or "
        with s.block(f"if {unseen}not {s.pieces}[{cell}]:"):
            s.line(fail)
        s.line(f"{s.pieces}[{cell}] -= 1")
        return
    s.line(f"{code} = handling.take(c, {ref})")
    with s.block(f"if {code} < 0:"):
        s.line(fail)


def flip(s: Source, instr: I.Instr, fail: str) -> None:
    """`flip`: one piece, or all at a place."""
    mode, what, face = instr.args
    if mode == "all":
        decl, place = zone_parts(s, what)
        kind = kind_of(s, decl)
        if decl.shape == "pool":
            _flip_pool(s, what, kind, face)
            return
        at, codes = s.temp("i"), s.temp("l")
        s.line(f"{at} = {s.ex(place)} + {decl.first}")
        s.line(f"{codes} = [{with_face(s, kind, 'k', face)} for k in handling.content(c, {at})]")
        s.line(f"handling.set_content(c, {at}, {codes})")
        return
    pieces = s.temp("l")
    s.line(f"{pieces} = {s.ex(what)}")
    kind = s.declared.pieces[strip(what.type).kind if mode == "one" else strip(what.type).of.kind]  # type: ignore[attr-defined]
    refs = f"({pieces},)" if mode == "one" else pieces
    with s.block(f"if not flip_pieces(handling, c, {refs}, lambda k: {with_face(s, kind, 'k', face)}):"):
        s.line(fail)


def _flip_pool(s: Source, zone: Ir, kind: Kind, face: Ir) -> None:
    """Every piece of a pool turned: the counts of the faces of one piece are added up under the new face."""
    base, to, i = s.temp("b"), s.temp("k"), s.temp("i")
    faces = len(kind.faces)
    s.line(f"{base}, {to} = {base_of(s, zone)}, {s.ex(face)}")
    with s.block(f"for {i} in range({base}, {base} + {kind.count}, {faces}):"):
        total = s.temp("n")
        s.line(f"{total} = sum({s.pieces}[{i}:{i} + {faces}])")
        with s.block(f"if {total}:"):
            for face_at in range(faces):
                s.line(f"{s.pieces}[{i} + {face_at}] = 0")
            s.line(f"{s.pieces}[{i} + {to}] = {total}")
