"""From instructions to Python functions: one for each point at which a block can begin.

A function runs until something leaves the block and returns the number of the instruction to go on with;
below zero: `LOOKED` (a look-ahead may stop, it can be completed), `HALTED`, or `FAILED - n` where
instruction n failed. `floor` is 0 in play, else the number of units at which a look-ahead ends.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.executor import trace, zones
from interpreter.executor.asks import candidates_expression
from interpreter.executor.expressions import Source
from interpreter.executor.loops import members
from interpreter.executor.structure import Structure, fails, slots_used
from rulespec.lower.ir import Compare, Const, Instr, Ir, ItemAt, Local, Program, RangeIr
from rulespec.model.types import ListType

UNIT_ME, UNIT_TOGETHER = 64, 4096
#: how many instructions one function holds before it returns at the next point where another begins
MOST_INLINE = 48


def _callers(program: Program) -> dict[int, int]:
    """For each block that is called from one place only: the number of that call."""
    found: dict[int, list[int]] = {}
    for at, instr in enumerate(program.instrs):
        if instr.op == "call":
            found.setdefault(instr.args[0], []).append(at)
    values = {call[0] for call in program.effect_procs.values() if call is not None}
    values.add(program.entries["watch"])  # the machine runs it by itself too
    return {proc: calls[0] for proc, calls in found.items() if len(calls) == 1 and proc not in values}


class Blocks:
    """Writes all blocks of a program."""

    def __init__(self, source: Source, program: Program, structure: Structure, traced: bool = False):
        self.s = source
        self.traced = traced
        self.program = program
        self.st = structure
        self.regions = source.layout.regions
        self.start = 0
        self.at = 0
        self.seen: set[int] = set()
        self.callers = _callers(program)
        self.logs: list[tuple[int, tuple[object, ...]]] = []

    def write(self, start: int) -> None:
        """The function that begins at an instruction."""
        s = self.s
        self.start = start
        self.seen = set()
        s.line(f"def b{start}(c, floor, sink):")
        s.indent += 1
        first = len(s.lines)
        at = start
        while at is not None:
            at = self.emit(at)  # type: ignore[assignment]
        if len(s.lines) == first:
            s.line("pass")
        s.indent -= 1

    # ---- one instruction; the next one, or None where the function has returned ----

    def emit(self, at: int) -> int | None:
        """Writes one instruction; the number of the next one, or None where the block ends here."""
        self.at = at
        if at != self.start and at in self.st.entries and self._returns(at):
            self.s.line(f"return {at}")
            return None
        self.seen.add(at)
        if self.traced:
            self.s.line(f"if not floor: ran({at})")
        instr = self.program.instrs[at]
        return _EMIT[instr.op](self, at, instr)

    def _returns(self, at: int) -> bool:
        """Whether another function goes on at an instruction, rather than this one."""
        return at in self.seen or len(self.seen) > MOST_INLINE or at in self.st.stops

    def body(self, at: int, end: int) -> None:
        """Instructions that stay within one block, up to (without) `end`."""
        while at < end:
            nxt = self.emit(at)
            assert nxt is not None
            at = nxt

    def fail(self) -> str:
        """The statement that says which instruction had no way on."""
        return f"return {-3 - self.at}"


def _set(b: Blocks, at: int, instr: Instr) -> int:
    slot, value = instr.args
    keeps_list = isinstance(b.program.slots[slot].type, ListType)
    b.s.line(f"{b.s.slot(slot)} = {_as_tuple(b, value) if keeps_list else b.s.ex(value)}")
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
        with b.s.block(f"if not {found.low} <= {name} <= {found.high}:"):
            b.s.line(f"raise OutOfRange({at}, {name}, {found.low}, {found.high})")
        text = name
    b.s.line(f"{cell} = {text}")
    return at + 1


def _range(value: object) -> tuple[int | None, int | None]:
    from rulespec.lower.make import bounds
    from rulespec.model.types import Boolean, Integer, Member, Optional

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
    if b.s.conditions:
        trace.note_means(b.s, at, b.regions["me"], (f"c[{place}]", f"c[{place}] - {x}"))
    with b.s.block(f"if {x} < {found.low}:"):
        b.s.line(b.fail())
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('pay', {at}, c[{b.regions['me']}], {region!r}, c[{place}] - {x}))")
    b.s.line(f"c[{place}] = {x}")
    return at + 1


def _score(b: Blocks, at: int, instr: Instr) -> int:
    player, amount, reason = instr.args
    who, x = b.s.temp("p"), b.s.temp("x")
    b.s.line(f"{who}, {x} = {b.s.ex(player)}, {b.s.ex(amount)}")
    b.s.line(f"c[{b.regions['player.score']} + {who}] += {x}")
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('score', {at}, {who}, {x}, {reason!r}))")
    return at + 1


def _require(b: Blocks, at: int, instr: Instr) -> int:
    if b.s.conditions:
        trace.note_condition(b.s, at, b.regions["me"], instr.args[0])
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
    pieces, goal = zones.note_pieces(b.s, instr)
    zones.move(b.s, instr, b.fail())
    with b.s.block(f"if sink is not None and {pieces}:"):
        b.s.line(f"sink.append(('move', {at}, c[{b.regions['me']}], {pieces}, {goal}))")
    return _maybe_done(b, at)


def _note(b: Blocks, at: int, word: str) -> None:
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(({word!r}, {at}, c[{b.regions['me']}]))")


def _flip(b: Blocks, at: int, instr: Instr) -> int:
    zones.flip(b.s, instr, b.fail())
    return _maybe_done(b, at)


def _random(b: Blocks) -> None:
    """Chance ends a look-ahead; in play what happened so far stays."""
    with b.s.block("if floor:"):
        b.s.line("return -1")
    b.s.line(f"c[{b.s.layout.horizon}] = 1")


def _horizon(b: Blocks, at: int, instr: Instr) -> int:
    _random(b)
    return at + 1


def _draw(b: Blocks, at: int, instr: Instr) -> int:
    amount, source, goal, renew, stream = instr.args
    _random(b)
    s = b.s
    d_from, p_from = zones.zone_parts(s, source)
    d_to, p_to = zones.zone_parts(s, goal)
    to = s.temp("goal")
    s.line(f"{to} = {s.ex(p_to)} + {d_to.first}")
    again = -1 if renew is None else s.world.zones[renew.zone].first
    args = f"c, {s.ex(amount)}, ({s.ex(p_from)} + {d_from.first}, {to}, {again}), STREAMS[{stream!r}]"
    drawn = s.temp("l")
    s.line(f"{drawn} = draw(handling, {args})")
    with s.block("if sink is not None:"):
        s.line(f"sink.append(('draw', {at}, c[{b.regions['me']}], len({drawn}), {d_from.key!r}, tuple({drawn}), {to}))")
    return at + 1


def _shuffle(b: Blocks, at: int, instr: Instr) -> int:
    zone, stream = instr.args
    _random(b)
    decl, place = zones.zone_parts(b.s, zone)
    b.s.line(f"shuffle_stack(handling, c, {b.s.ex(place)} + {decl.first}, STREAMS[{stream!r}])")
    _note(b, at, "shuffle")
    return at + 1


def _resolve(b: Blocks, at: int, instr: Instr) -> int:
    """A piece chosen by its back: chance picks one of those that look like it."""
    slot, stream = instr.args
    s = b.s
    piece = s.slot(slot)
    kind = s.world.pieces[_kind_of_slot(b, slot)]
    with s.block(f"if {piece} % {s.world.codes} >= {kind.count}:"):
        _random(b)
        unseen = s.constant(kind.unseen)
        s.line(f"{piece} = pick_unseen(handling, c, {piece}, {unseen}, STREAMS[{stream!r}])")
    return at + 1


def _kind_of_slot(b: Blocks, slot: int) -> str:
    from rulespec.model.types import Piece, strip

    t = strip(b.program.slots[slot].type)
    assert isinstance(t, Piece)
    return t.kind


# ---- units, calls -----------------------------------------------------------------------------------


def enter_unit(b: Blocks, slot: int) -> None:
    """Opens a unit; who decides and how deep things stand is kept, should it be left in the middle."""
    me, units, together = (b.regions[k] for k in ("me", "units", "together"))
    if slot in b.s.layout.slots:
        b.s.line(f"{b.s.slot(slot)} = c[{me}] + {UNIT_ME} * c[{units}] + {UNIT_TOGETHER} * c[{together}]")
    b.s.line(f"c[{units}] += 1")


def _unit(b: Blocks, at: int, instr: Instr) -> int:
    enter_unit(b, instr.args[0])
    return at + 1


def _unit_end(b: Blocks, at: int, instr: Instr) -> int:
    units, slot = b.regions["units"], instr.args[0]
    with b.s.block(f"if c[{units}] == floor:"):
        b.s.line("return -1")
    b.s.line(f"c[{units}] -= 1")
    if slot in b.s.layout.slots:
        b.s.line(f"{b.s.slot(slot)} = 0")
    return at + 1


def _orelse(b: Blocks, at: int, instr: Instr) -> int:
    slot, thin = instr.args
    if not thin:
        _unit_end(b, at, instr)
    elif slot in b.s.layout.slots:
        b.s.line(f"{b.s.slot(slot)} = 0")
    return b.st.end[b.st.start[at]] + 1


def _leave(b: Blocks, at: int, instr: Instr) -> None:
    """What the machine itself does: the function ends where it stands."""
    if at == b.start:
        b.s.line("raise AssertionError('this instruction is run by the machine')")
    else:
        b.s.line(f"return {at}")


def call(b: Blocks, proc_id: int, args: tuple[object, ...], back: int) -> int:
    """Sets a block's parameters and where it returns to, and goes on there."""
    proc = next(p for p in b.program.procs if p.id == proc_id)
    texts = [b.s.ex(a) for a in args]  # type: ignore[arg-type]
    for slot, text in zip(proc.params, texts, strict=True):
        b.s.line(f"{b.s.slot(slot)} = {text}")
    b.s.line(f"{b.s.slot(proc.back)} = {back}")
    return proc.entry


def _call(b: Blocks, at: int, instr: Instr) -> int:
    return call(b, instr.args[0], instr.args[1], at + 1)


def _callv(b: Blocks, at: int, instr: Instr) -> int | None:
    """An effect picked by its number: its block and constant arguments stand in a table."""
    value, level, _ = instr.args
    name = b.s.temp("e")
    b.s.line(f"{name} = EFFECTS[{level}].get({b.s.ex(value)})")
    with b.s.block(f"if {name} is None:"):
        b.s.line(b.fail())
    cells, args, back, entry = (b.s.temp(x) for x in "cabp")
    b.s.line(f"{cells}, {args}, {back}, {entry} = {name}")
    with b.s.block(f"for i, x in zip({cells}, {args}):"):
        b.s.line("c[i] = x")
    b.s.line(f"c[{back}] = {at + 1}")
    b.s.line(f"return {entry}")
    return None


def _check(b: Blocks, at: int, instr: Instr) -> int | None:
    """A condition that may have turned true: not inside `together`, not inside its own steps."""
    proc = next(p for p in b.program.procs if p.name == f"check {instr.args[0]}")
    back = b.s.slot(proc.back)
    with b.s.block(f"if not c[{b.regions['together']}] and not {back}:"):
        b.s.line(f"{back} = {at + 1}")
        b.s.line(f"return {proc.entry}")
    b.s.line(f"return {at + 1}")
    return None


def _ret(b: Blocks, at: int, instr: Instr) -> int | None:
    proc = next(p for p in b.program.procs if p.id == b.st.proc_of[at])
    back = b.s.slot(proc.back)
    caller = b.callers.get(proc.id)
    if caller is None:
        b.s.line(f"at = {back}")
    for slot in (proc.back, *cleared(b, proc.id)):
        empty = "()" if isinstance(b.program.slots[slot].type, ListType) else "0"
        b.s.line(f"{b.s.slot(slot)} = {empty}")
    if caller is not None:
        return caller + 1
    b.s.line("return at")
    return None


def cleared(b: Blocks, proc: int) -> list[int]:
    """The kept slots of a block, without where it returns to."""
    back = next(p.back for p in b.program.procs if p.id == proc)
    return [s for s in b.s.layout.slots if b.program.slots[s].proc == proc and s != back]


def _finish(b: Blocks, at: int, instr: Instr) -> None:
    with b.s.block("if floor:"):
        b.s.line("return -1")
    b.s.line("unwind(c)")
    end = next(p for p in b.program.procs if p.id == b.program.entries["end"])
    b.s.line(f"return {end.entry}")


def _halt(b: Blocks, at: int, instr: Instr) -> None:
    b.s.line(f"c[{b.regions['over']}] = 1")
    b.s.line("return -2")


def _together(b: Blocks, at: int, instr: Instr) -> int:
    b.s.line(f"c[{b.regions['together']}] += {instr.args[0]}")
    return at + 1


# ---- branches and loops -----------------------------------------------------------------------------


def _if(b: Blocks, at: int, instr: Instr) -> int | None:
    test = _test(b, instr)
    end, middle = b.st.end[at], b.st.middle.get(at)
    if at not in b.st.split:
        with b.s.block(f"if {test}:"):
            b.body(at + 1, middle or end)
        if middle is not None:
            with b.s.block("else:"):
                b.body(middle + 1, end)
        return end + 1
    with b.s.block(f"if not {test}:"):
        b.s.line(f"return {(middle or end) + 1}")
    return at + 1


def _test(b: Blocks, instr: Instr) -> str:
    if instr.op in ("if_any", "break_unless_any"):
        return candidates_expression(b.s, instr.args[0], b.at)
    return b.s.test(instr.args[0])


def _else(b: Blocks, at: int, instr: Instr) -> int | None:
    """The then-part of a split branch is done: on after the end."""
    return b.st.end[b.st.start[at]] + 1


def _end(b: Blocks, at: int, instr: Instr) -> int:
    return at + 1


def _loop(b: Blocks, at: int, instr: Instr) -> int:
    if at in b.st.split:
        return at + 1
    over = _plain_loop(b, at)
    if over is not None:
        with b.s.block(over):
            b.body(at + 4, b.st.end[at])
        return b.st.end[at] + 1
    with b.s.block("while True:"):
        b.body(at + 1, b.st.end[at])
    return b.st.end[at] + 1


def _plain_loop(b: Blocks, at: int) -> str | None:
    """The head of Python's own loop, where a loop takes the members of a list or the numbers below a bound in turn.

    That is how loops over members are lowered: leave when the counter has reached the size, take the member, count.
    """
    stop, take, count = b.program.instrs[at + 1 : at + 4]
    if (stop.op, take.op, count.op) != ("break_if", "set", "set"):
        return None
    test, value = stop.args[0], take.args[1]
    counter, item = count.args[0], take.args[0]
    if not (
        isinstance(test, Compare) and test.op == ">=" and isinstance(test.left, Local) and test.left.slot == counter
    ):
        return None
    if counter not in b.s.temps or item not in b.s.temps or _uses(b, counter, at + 4, b.st.end[at]):
        return None
    if isinstance(value, ItemAt) and isinstance(value.items, Local) and value.items.slot in b.s.temps:
        return f"for {b.s.slot(item)} in {b.s.slot(value.items.slot)}:"
    if isinstance(value, Local) and value.slot == counter and isinstance(test.right, Const):
        return f"for {b.s.slot(item)} in range({test.right.value}):"
    return None


def _uses(b: Blocks, slot: int, start: int, end: int) -> bool:
    """Whether instructions mention a slot."""
    return any(slot in slots_used(i.args) or i.args[:1] == (slot,) for i in b.program.instrs[start:end])


def _break_if(b: Blocks, at: int, instr: Instr) -> int:
    test = _test(b, instr)
    if instr.op == "break_unless_any":
        test = f"not {test}"
    loop = b.st.loops[at]
    with b.s.block(f"if {test}:"):
        b.s.line("break" if loop not in b.st.split else f"return {b.st.end[loop] + 1}")
    return at + 1


def _end_loop(b: Blocks, at: int, instr: Instr) -> int:
    return b.st.start[at] + 1


def _log(b: Blocks, at: int, instr: Instr) -> int:
    action, names = instr.args
    texts = ", ".join(f"({n!r}, {b.s.ex(ir)})" for n, ir in names if _loggable(ir))
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('action', {at}, c[{b.regions['me']}], {action!r}, ({texts}{',' if texts else ''})))")
    return at + 1


def _loggable(ir: object) -> bool:
    from rulespec.lower.attributes import FormulaRow, MapAt

    return not isinstance(ir, (FormulaRow, MapAt))


def _event(b: Blocks, at: int, instr: Instr) -> int:
    name, args = instr.args
    texts = ", ".join(b.s.ex(a) for a in args)
    with b.s.block("if sink is not None:"):
        b.s.line(f"sink.append(('event', {at}, c[{b.regions['me']}], {name!r}, ({texts}{',' if texts else ''})))")
    return at + 1


_EMIT: dict[str, Callable[[Blocks, int, Instr], int | None]] = {
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
    "unit": _unit,
    "unit_end": _unit_end,
    "orelse": _orelse,
    "try": _leave,
    "ask": _leave,
    "end_try": _end,
    "call": _call,
    "callv": _callv,
    "check": _check,
    "ret": _ret,
    "finish": _finish,
    "halt": _halt,
    "together": _together,
    "if": _if,
    "if_any": _if,
    "else": _else,
    "end": _end,
    "loop": _loop,
    "break_if": _break_if,
    "break_unless_any": _break_if,
    "end_loop": _end_loop,
    "log": _log,
    "event": _event,
}
