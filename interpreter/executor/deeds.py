"""Instructions that change cells, or tell what happened, as lines of Python: all but those that steer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.executor import zones
from interpreter.executor.asks import keep
from interpreter.executor.loops import members
from interpreter.middle.analysis.control_flow import fails
from interpreter.middle.events import is_told, values_of, word_of
from rulespec.lower.ir import NO_INTEGER, Const, Instr, Ir, RangeIr
from rulespec.lower.make import bounds
from rulespec.model.types import Boolean, Integer, ListType, Member, Optional, kind_of_pieces, strip
from rulespec.program.ops import for_some

if TYPE_CHECKING:
    from interpreter.executor.blocks import Blocks


def _set(b: Blocks, at: int, instr: Instr) -> int:
    slot, value = instr.args
    keeps_list = isinstance(b.program.slots[slot].type, ListType)
    keep(b.s, at, slot, _as_tuple(b, value) if keeps_list else b.s.ex(value))
    return at + 1


def _as_tuple(b: Blocks, value: Ir) -> str:
    """A list, set or range as a tuple that a slot keeps."""
    if isinstance(value, Const) and value.value in (0, ()):
        return "()"
    if isinstance(value.type, ListType) and not isinstance(value, RangeIr):
        return b.s.ex(value)
    return f"tuple({members(b.s, value)})"


def _forget(b: Blocks, at: int, instr: Instr) -> int:
    slot = instr.args[0]
    if slot in b.s.layout.slots:
        b.s.line(f"{b.s.slot(slot)} = {'()' if isinstance(b.program.slots[slot].type, ListType) else '0'}")
    return at + 1


def _store(b: Blocks, at: int, instr: Instr) -> int:
    region, index, value = instr.args
    base = b.regions[region]
    text = b.s.ex(value)
    found = next(r for r in b.program.regions if r.key == region)
    cell = f"c[{b.s.cell(base, 1, index)}]"
    low, high = _range(value)
    if low is None or high is None or low < found.low or high > found.high:
        name = b.s.temp("x")
        b.s.line(f"{name} = {text}")
        none = f" and {name} != {NO_INTEGER}" if found.may_be_none else ""
        with b.s.block(f"if not {found.low} <= {name} <= {found.high}{none}:"):
            b.s.line(f"raise OutOfRange({at}, {name}, {found.low}, {found.high})")
        text = name
    told = is_told(region)
    before = b.s.temp("before")
    if told:
        with b.s.block("if sink is not None:"):
            b.s.line(f"{before} = {cell}")
    b.s.line(f"{cell} = {text}")
    if told:
        with b.s.block(f"if sink is not None and {before} != {cell}:"):
            place = b.s.ex(index)
            b.s.line(f"sink.append(('set', {at}, c[{b.regions['me']}], {region!r}, {place}, {before}, {cell}))")
    return at + 1


def _range(value: object) -> tuple[int | None, int | None]:
    t = value.type  # type: ignore[attr-defined]
    if isinstance(t, Integer):
        return bounds(t)
    if isinstance(t, Optional):
        return (-1, 0) if isinstance(t.of, (Boolean, Member)) else (None, None)
    return (0, 0) if isinstance(t, (Boolean, Member)) else (None, None)


def _gain(b: Blocks, at: int, instr: Instr) -> int:
    region, index, amount = instr.args
    found = next(r for r in b.program.regions if r.key == region)
    place, x = b.s.temp("i"), b.s.temp("x")
    b.s.line(f"{place} = {b.s.cell(b.regions[region], 1, index)}")
    b.s.line(f"{x} = c[{place}] + {b.s.ex(amount)}")
    with b.s.block(f"if {x} > {found.high}:"):
        b.s.line(f"{x} = {found.high}")
    with b.s.block(f"elif {x} < {found.low}:"):
        b.s.line(f"{x} = {found.low}")
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('gain', {at}, c[{b.regions['me']}], {region!r}, {x} - c[{place}]))")
    b.s.line(f"c[{place}] = {x}")
    return at + 1


def _pay(b: Blocks, at: int, instr: Instr) -> int:
    region, index, amount, _ = instr.args
    found = next(r for r in b.program.regions if r.key == region)
    place, x = b.s.temp("i"), b.s.temp("x")
    b.s.line(f"{place} = {b.s.cell(b.regions[region], 1, index)}")
    b.s.line(f"{x} = c[{place}] - {b.s.ex(amount)}")
    with b.s.block(f"if {x} < {found.low}:"):
        b.s.line(b.fail())
    if (least := bounds(amount.type)[0]) is None or least < 0:  # paying less than nothing is a gain, and stops like one
        with b.s.block(f"if {x} > {found.high}:"):
            b.s.line(f"{x} = {found.high}")
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('pay', {at}, c[{b.regions['me']}], {region!r}, c[{place}] - {x}))")
    b.s.line(f"c[{place}] = {x}")
    return at + 1


def _score(b: Blocks, at: int, instr: Instr) -> int:
    player, amount, reason = instr.args
    who, x = b.s.temp("p"), b.s.temp("x")
    b.s.line(f"{who}, {x} = {b.s.ex(player)}, {b.s.ex(amount)}")
    total, (low, high) = b.s.temp("t"), b.score_range
    b.s.line(f"{total} = c[{b.regions['player.score']} + {who}] + {x}")
    with b.s.block(f"if not {low} <= {total} <= {high}:"):
        b.s.line(f"raise OutOfRange({at}, {total}, {low}, {high})")
    b.s.line(f"c[{b.regions['player.score']} + {who}] = {total}")
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('score', {at}, {who}, {x}, {reason!r}))")
    return at + 1


def _require(b: Blocks, at: int, instr: Instr) -> int:
    with b.s.block(f"if not {b.s.test(instr.args[0])}:"):
        b.s.line(b.fail())
    return _maybe_done(b, at)


def _maybe_done(b: Blocks, at: int) -> int:
    """After the last thing that can fail in a unit, a look-ahead knows enough."""
    proc = next(p for p in b.program.procs if p.id == b.st.proc_of[at])
    if proc.kind != "action" or not _tail_is_safe(b, at + 1, proc.end):
        return at + 1
    if _compound_around(b, at, proc.entry):
        return at + 1
    with b.s.block(f"if floor and c[{b.regions['units']}] == floor:"):
        b.s.line("return -1")
    return at + 1


def _compound_around(b: Blocks, at: int, entry: int) -> bool:
    """Whether an instruction stands inside a compound one of its block."""
    return any(entry <= opener < at <= end for opener, end in b.st.end.items())


def _tail_is_safe(b: Blocks, start: int, end: int) -> bool:
    return not any(fails(b.program, b.st, i) for i in range(start, end))


def _move(b: Blocks, at: int, instr: Instr) -> int:
    pieces, goal, moment = zones.note_pieces(b.s, instr)
    zones.move(b.s, instr, b.fail())
    with b.s.block(f"if sink is not None and {pieces}:"):
        b.s.line(f"sink.append(('move', {at}, c[{b.regions['me']}], {pieces}, {goal}, {moment}))")
    return _maybe_done(b, at)


def _note(b: Blocks, at: int, word: str) -> None:
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(({word!r}, {at}, c[{b.regions['me']}]))")


def _flip(b: Blocks, at: int, instr: Instr) -> int:
    pieces, face, moment = zones.note_turned(b.s, instr)
    zones.flip(b.s, instr, b.fail())
    with b.s.block(f"if sink is not None and {pieces}:"):
        b.s.line(f"sink.append(('flip', {at}, c[{b.regions['me']}], {pieces}, {face}, {moment}))")
    return _maybe_done(b, at)


def _random(b: Blocks, at: int) -> None:
    """Chance ends a look-ahead; in play what happened so far stays."""
    with b.s.block("if floor:"):
        b.s.line("return -1")
    b.s.line(f"c[{b.s.layout.horizon}] = 1")


def _horizon(b: Blocks, at: int, instr: Instr) -> int:
    _random(b, at)
    return at + 1


def _draw(b: Blocks, at: int, instr: Instr) -> int:
    amount, source, goal, renew, stream = instr.args
    _random(b, at)
    s = b.s
    d_from, p_from = zones.zone_parts(s, source)
    d_to, p_to = zones.zone_parts(s, goal)
    to = s.temp("goal")
    s.line(f"{to} = {s.ex(p_to)} + {d_to.first}")
    again = s.temp("ready")
    if renew is None:
        s.line(f"{again} = -1")
    else:
        d_again, p_again = zones.zone_parts(s, renew)
        s.line(f"{again} = {s.ex(p_again)} + {d_again.first}")
    wanted = s.temp("n")
    s.line(f"{wanted} = {s.ex(amount)}")
    args = f"c, {wanted}, ({s.ex(p_from)} + {d_from.first}, {to}, {again}), STREAMS[{stream!r}]"
    drawn = s.temp("l")
    s.line(f"{drawn} = draw(handling, {args})")
    if at in b.needed_draws:
        with s.block(f"if len({drawn}) < {wanted}:"):
            s.line(f"short(c, {at}, {wanted}, len({drawn}))")
    setup = next(p.back for p in b.program.procs if p.kind == "setup")
    with s.block("if sink is not None:"):
        what = f"len({drawn}), {d_from.key!r}, tuple({drawn}), {to}, {s.slot(setup)} > 0"
        s.line(f"sink.append(('draw', {at}, c[{b.regions['me']}], {what}))")
    return at + 1


def _shuffle(b: Blocks, at: int, instr: Instr) -> int:
    zone, stream = instr.args
    _random(b, at)
    decl, place = zones.zone_parts(b.s, zone)
    b.s.line(f"shuffle_stack(handling, c, {b.s.ex(place)} + {decl.first}, STREAMS[{stream!r}])")
    _note(b, at, "shuffle")
    return at + 1


def _resolve(b: Blocks, at: int, instr: Instr) -> int:
    """A piece chosen by its back: chance picks one of those that look like it; so for each member of a list."""
    slot, stream, field = instr.args
    s = b.s
    _random(b, at)
    chosen, is_list = s.slot(slot), isinstance(strip(b.program.slots[slot].type), ListType)
    kind = s.declared.pieces[kind_of_pieces(b.program.slots[slot].type, field)]
    piece = "piece" if field is None else f"piece[{field}]"
    is_back = f"any({piece} % {s.declared.codes} >= {kind.count} for piece in {chosen})"
    with s.block(f"if {is_back if is_list else f'{chosen} % {s.declared.codes} >= {kind.count}'}:"):
        unseen, by = s.constant(kind.unseen), f"STREAMS[{stream!r}]"
        if is_list:
            s.line(f"{chosen} = pick_each_unseen(handling, c, {chosen}, {field}, {unseen}, {by})")
        else:
            s.line(f"{chosen} = pick_unseen(handling, c, {chosen}, {unseen}, {by})")
    return at + 1


def _log(b: Blocks, at: int, instr: Instr) -> int:
    action, word = instr.args[0], word_of(instr, b.s.declared)
    with b.s.block("if sink is not None:"):
        given = "".join(f"({n!r}, {b.s.ex(ir)}), " for n, ir in values_of(instr))
        b.s.line(f"sink.append(({word!r}, {at}, c[{b.regions['me']}], {action!r}, ({given}), sink.moment(c)))")
    return at + 1


def _event(b: Blocks, at: int, instr: Instr) -> int:
    name, args = instr.args
    with b.s.block("if sink is not None:"):
        values = "".join(f"{b.s.ex(a)}, " for a in args)
        b.s.line(f"sink.append(('event', {at}, c[{b.regions['me']}], {name!r}, ({values}), sink.moment(c)))")
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
        "horizon": _horizon,
        "draw": _draw,
        "shuffle": _shuffle,
        "resolve": _resolve,
        "log": _log,
        "event": _event,
    }
)
