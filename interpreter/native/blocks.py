"""From instructions to functions of the module: one for each point at which a block can begin.

A function runs until something leaves the block and gives the number of the instruction to
go on with; below zero: -1 (a look-ahead may stop, it can be completed), -2 (the game is over), or -3 - n where
instruction n failed. `floor` is 0 in play, else the number of units at which a look-ahead ends.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable

from interpreter.middle.analysis.control_flow import (
    FEW_INLINE,
    MOST_INLINE,
    MOST_WRITTEN,
    Structure,
    fails,
    mentions,
    needed_draws,
    only_callers,
)
from interpreter.middle.analysis.cost import FEW, NOTABLE, PASS, SHARE, shares
from interpreter.native import lists
from interpreter.native.code import Code, NotCompiled
from interpreter.native.deeds import DEEDS, maybe_done, value_of
from interpreter.native.pieces import runtime
from interpreter.native.wasm import I32, I64, E, Fn, call, const, load
from rulespec.lower.ir import Ask, Compare, Const, Instr, Ir, Local, Program, Region
from rulespec.lower.make import bounds
from rulespec.program.ops import UNIT_ME, UNIT_TOGETHER, for_some


class Blocks:
    """Writes all blocks of a program."""

    def __init__(self, s: Code, program: Program, structure: Structure, whether: Callable[[Ask], Fn]):
        self.s = s
        self.program = program
        self.st = structure
        self.whether = whether
        self.procs = {p.id: p for p in program.procs}
        self.callers = {proc: at for proc, at in only_callers(program).items() if at not in structure.inline}
        self.needed_draws = needed_draws(program)
        self.shares = shares(s.costs, program)
        self._regions = {r.key: r for r in program.regions}
        self.score_range = self._regions["player.score"].low, self._regions["player.score"].high
        self.kept: dict[int, list[int]] = {}
        for slot in s.layout.slots:
            self.kept.setdefault(program.slots[slot].proc, []).append(slot)
        self.written = 0
        self.start = self.at = self.within = 0
        self.passes = 1
        #: steps of what was written last, and is counted together: of a block, or of one pass of a loop
        self.small = 0
        self.seen: set[int] = set()
        self.loops: dict[int, int] = {}
        self.floor: E = const(0)

    def region(self, key: str) -> Region:
        """A region of the state."""
        return self._regions[key]

    def write(self, start: int) -> Fn:
        """The function that begins at an instruction."""
        fn = self.s.module.function((I32, I32), I32, f"b{start}")
        self.start, self.seen = start, set()
        with self.s.writing(fn):
            self.floor = fn.params[1]
            at: int | None = start
            steps, self.small = bytearray(), 0
            with self.s.in_place(steps):
                while at is not None:
                    at = self.emit(at)
            if self.small >= NOTABLE:
                self.s.count(self.small // SHARE)
            fn.code += steps
            fn.trap()
        return fn

    def emit(self, at: int) -> int | None:
        """Writes one instruction; the number of the next one, or None where the block ends here."""
        self.at = at
        if not self._begins(at) and not self.within and at in self.st.entries and self._returns(at):
            self.s.fn.give(at)
            return None
        self.seen.add(at)
        self.written += 1
        instr = self.program.instrs[at]
        if self.shares(at) >= NOTABLE:
            self.s.count(self.shares(at) // SHARE)
        else:
            self.small += self.shares(at)
        return _EMIT[instr.op](self, at, instr)

    def _begins(self, at: int) -> bool:
        """Whether the function begins here; a branch that comes round again is left to it, as entries may be inside."""
        return at == self.start and not (at in self.seen and self.program.instrs[at].op == "if")

    def _returns(self, at: int) -> bool:
        """Whether another function goes on at an instruction, rather than this one."""
        most = MOST_INLINE if self.written < MOST_WRITTEN else FEW_INLINE
        return at in self.seen or len(self.seen) > most or at in self.st.stops

    def body(self, at: int, end: int) -> None:
        """Instructions that stay within one block, up to (without) `end`: no other function goes on among them."""
        self.within += 1
        while at < end:
            nxt = self.emit(at)
            assert nxt is not None
            at = nxt
        self.within -= 1

    def fail_if(self, condition: E) -> None:
        """The instruction at hand has no way on where a condition holds."""
        with self.s.fn.when(condition):
            self.s.fn.give(-3 - self.at)


# ---- units, calls ---------------------------------------------------------------------------------------------------


def enter_unit(s: Code, slot: int) -> None:
    """Opens a unit; who decides and how deep things stand is kept, should it be left in the middle."""
    keep_unit(s, slot)
    s.write_region("units", 0, s.read_region("units") + 1)


def keep_unit(s: Code, slot: int) -> None:
    """Notes who decides and how deep things stand."""
    if slot in s.layout.slots:
        me, units, together = (s.read_region(k) for k in ("me", "units", "together"))
        lists.store_slot(s, slot, me + units * UNIT_ME + together * UNIT_TOGETHER)


def _unit(b: Blocks, at: int, instr: Instr) -> int:
    enter_unit(b.s, instr.args[0])
    return at + 1


def _unit_end(b: Blocks, at: int, instr: Instr) -> int:
    s, units = b.s, b.s.fn.keep(b.s.read_region("units"))
    with s.fn.when(units.eq(b.floor)):
        s.fn.give(-1)
    s.write_region("units", 0, units - 1)
    lists.empty_slot(s, instr.args[0])
    return at + 1


def _orelse(b: Blocks, at: int, instr: Instr) -> int:
    slot, thin = instr.args
    if thin:
        lists.empty_slot(b.s, slot)
    else:
        _unit_end(b, at, instr)
    return b.st.end[b.st.start[at]] + 1


def _leave(b: Blocks, at: int, instr: Instr) -> None:
    """What is run between the functions: this one ends where it stands."""
    if at == b.start:
        b.s.fn.trap()
    else:
        b.s.fn.give(at)


def enter(b: Blocks, proc_id: int, args: tuple[Ir, ...], back: int) -> int:
    """Sets a block's parameters and where it returns to, and goes on there."""
    proc = b.procs[proc_id]
    values = [b.s.fn.keep(value_of(b, slot, a)) for slot, a in zip(proc.params, args, strict=True)]
    for slot, value in zip(proc.params, values, strict=True):
        lists.store_slot(b.s, slot, value)
    lists.store_slot(b.s, proc.back, const(back))
    return proc.entry


def _call(b: Blocks, at: int, instr: Instr) -> int:
    entry = enter(b, instr.args[0], instr.args[1], at + 1)
    if at not in b.st.inline:
        return entry
    proc = b.procs[instr.args[0]]
    b.body(entry, proc.end - 1)
    b.at = at
    _clear(b, (proc.back, *cleared(b, proc.id)))
    return at + 1


def _callv(b: Blocks, at: int, instr: Instr) -> None:
    """An effect picked by its number: its block and constant arguments stand in a table."""
    value, level, _ = instr.args
    s = b.s
    entry = s.fn.keep(
        call(runtime(s, "enter_effect", 4, _enter_effect), s.c, effects(b, level), s.scalar(value), at + 1)
    )
    b.fail_if(entry.eq(0))
    s.fn.give(entry)


def effects(b: Blocks, level: int) -> int:
    """The address of a table: how many effects there are, then what is written to begin each of them."""
    s = b.s
    begun = {v: made for (lv, v), made in b.program.effect_procs.items() if lv == level and made is not None}
    size = max(begun, default=-1) + 1
    pointers = [0] * size
    for number, (proc_id, args) in begun.items():
        proc = b.procs[proc_id]
        values = [_written(s, slot, value) for slot, value in zip(proc.params, args, strict=True)]
        back = s.layout.slots[proc.back]
        head = struct.pack("<4i", proc.entry, s.cells.offsets[back], s.cells.rooms[back].width, len(values))
        pointers[number] = s.module.data(head + b"".join(values), 8)
    return s.module.data(struct.pack(f"<{size + 1}i", size, *pointers), 4)


def _written(s: Code, slot: int, value: object) -> bytes:
    cell = s.layout.slots[slot]
    room = s.cells.rooms[cell]
    if not isinstance(value, int) or room.width not in (1, 2, 4, 8) or room.most is not None:
        raise NotCompiled("effects that are given lists")
    return struct.pack("<iiQ", s.cells.offsets[cell], room.width, value % (1 << 64))


def _enter_effect(s: Code, fn: Fn) -> None:
    c, table, value, back = fn.params
    with fn.when(value.op("ge_u", load(table))):
        fn.give(0)
    made = fn.keep(load(table + (value << 2), at=4))
    with fn.when(made.eq(0)):
        fn.give(0)
    with fn.count(load(made, at=12)) as i:
        part = fn.keep(made + (i << 4))
        _put_any(fn, c + load(part, at=16), load(part, at=20), load(part, 8, at=24, kind=I64))
    _put_any(fn, c + load(made, at=4), load(made, at=8), back.wide())
    fn.give(load(made))
    fn.trap()


def _put_any(fn: Fn, address: E, width: E, value: E) -> None:
    """Writes a value of a width that is found in play."""
    where, size, what = fn.keep(address), fn.keep(width), fn.keep(value)
    for each in (1, 2, 4, 8):
        with fn.when(size.eq(each)):
            fn.store(where, what, each)


def _check(b: Blocks, at: int, instr: Instr) -> None:
    """A condition that may have turned true: not inside `together`, not inside its own steps."""
    proc = next(p for p in b.program.procs if p.name == f"check {instr.args[0]}")
    back = lists.slot(b.s, proc.back)
    with b.s.fn.when((b.s.read_region("together") | back).eq(0)):
        lists.store_slot(b.s, proc.back, const(at + 1))
        b.s.fn.give(proc.entry)
    b.s.fn.give(at + 1)


def _ret(b: Blocks, at: int, instr: Instr) -> int | None:
    proc = b.procs[b.st.proc_of[at]]
    caller = b.callers.get(proc.id)
    back = None if caller is not None else b.s.fn.keep(lists.slot(b.s, proc.back))
    _clear(b, (proc.back, *cleared(b, proc.id)))
    if caller is not None:
        return caller + 1
    assert back is not None
    b.s.fn.give(back)
    return None


def _clear(b: Blocks, slots: Iterable[int]) -> None:
    lists.empty_cells(b.s, [b.s.layout.slots[slot] for slot in slots])


def cleared(b: Blocks, proc: int) -> list[int]:
    """The kept slots of a block, without where it returns to."""
    back = b.procs[proc].back
    return [s for s in b.kept.get(proc, ()) if s != back]


def _finish(b: Blocks, at: int, instr: Instr) -> None:
    s = b.s
    with s.fn.when(b.floor):
        s.fn.give(-1)
    if s.cells.size > s.cells.slots:
        s.fn.fill(s.c + s.cells.slots, s.cells.size - s.cells.slots)
    s.write_region("units", 0, 0)
    s.write_region("together", 0, 0)
    s.fn.give(b.procs[b.program.entries["end"]].entry)


def _halt(b: Blocks, at: int, instr: Instr) -> None:
    b.s.write_region("over", 0, 1)
    b.s.fn.give(-2)


def _together(b: Blocks, at: int, instr: Instr) -> int:
    b.s.write_region("together", 0, b.s.read_region("together") + instr.args[0])
    return at + 1


# ---- branches and loops ---------------------------------------------------------------------------------------------


def _if(b: Blocks, at: int, instr: Instr) -> int:
    end, middle = b.st.end[at], b.st.middle.get(at)
    steps = _branch if at in b.st.split else _within
    with b.s.fn.when(_test(b, instr)):
        steps(b, at + 1, middle or end, end)
    if middle is not None:
        with b.s.fn.otherwise():
            steps(b, middle + 1, end, end)
    return _behind(b, at, end)


def _behind(b: Blocks, at: int, end: int) -> int:
    """Behind a branch or loop in which something can fail, nothing may be left that can."""
    if any(fails(b.program, b.st, i) for i in range(at, end)):
        b.at = end
        return maybe_done(b, end)
    return end + 1


def _within(b: Blocks, at: int, last: int, end: int) -> None:
    b.body(at, last)


def _branch(b: Blocks, at: int, last: int, end: int) -> None:
    """A branch that may leave the function; where it does not, what follows the branches is written behind them."""
    nxt: int | None = at
    while nxt is not None and nxt not in (last, end, end + 1):
        nxt = b.emit(nxt)


def _test(b: Blocks, instr: Instr) -> E:
    if isinstance(instr.args[0], Ask):
        return call(b.whether(instr.args[0]), b.s.c)
    return b.s.ex(instr.args[0])


def _else(b: Blocks, at: int, instr: Instr) -> int:
    """The then-part of a split branch is done: on after the end."""
    return b.st.end[b.st.start[at]] + 1


def _end(b: Blocks, at: int, instr: Instr) -> int:
    return at + 1


def _loop(b: Blocks, at: int, instr: Instr) -> int:
    if at in b.st.split:
        return at + 1
    outside, size = (b.passes, b.small), _most_passes(b, at)
    b.passes *= size or 1
    is_counted = not size or b.passes >= FEW
    b.small = b.shares(at)
    loop, steps = bytearray(), bytearray()
    with b.s.in_place(loop), b.s.fn.forever() as (out, _):
        b.loops[at] = out
        with b.s.in_place(steps):
            b.body(at + 1, b.st.end[at])
        if is_counted:
            b.s.count(max(PASS, b.small // SHARE))
        b.s.fn.code += steps
    together = 0 if is_counted else size * b.small
    if together >= NOTABLE:
        b.s.count(together // SHARE)
        together = 0
    b.passes, b.small = outside[0], outside[1] + together
    b.s.fn.code += loop
    return _behind(b, at, b.st.end[at])


def _most_passes(b: Blocks, at: int) -> int:
    """How many passes a loop over members makes at most; 0 where that is not known.

    Such loops leave when a counter has reached the size, take the member, and count; nothing else writes the counter.
    """
    stop, take, count = b.program.instrs[at + 1 : at + 4]
    if (stop.op, take.op, count.op) != ("break_if", "set", "set"):
        return 0
    test, counter = stop.args[0], count.args[0]
    if not (isinstance(test, Compare) and test.op == ">=" and test.left == Local(type=test.left.type, slot=counter)):
        return 0
    if mentions(b.program.instrs[at + 4 : b.st.end[at]], counter):
        return 0
    size = test.right
    return size.value if isinstance(size, Const) and isinstance(size.value, int) else bounds(size.type)[1] or 0


def _break_if(b: Blocks, at: int, instr: Instr) -> int:
    test = _test(b, instr)
    if instr.op == "break_unless_any":
        test = test.no()
    loop = b.st.loops[at]
    if loop in b.st.split:
        with b.s.fn.when(test):
            b.s.fn.give(b.st.end[loop] + 1)
    else:
        b.s.fn.br_if(b.loops[loop], test)
    return at + 1


def _end_loop(b: Blocks, at: int, instr: Instr) -> int:
    return b.st.start[at] + 1


_EMIT: dict[str, Callable[[Blocks, int, Instr], int | None]] = for_some(
    {
        **DEEDS,
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
    }
)
