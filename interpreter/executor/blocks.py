"""From instructions to Python functions: one for each point at which a block can begin.

A function runs until something leaves the block and returns the number of the instruction to go on with;
below zero: `LOOKED` (a look-ahead may stop, it can be completed), `HALTED`, or `FAILED - n` where
instruction n failed. `floor` is 0 in play, else the number of units at which a look-ahead ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count

from interpreter.executor.asks import candidates_expression
from interpreter.executor.deeds import DEEDS
from interpreter.executor.writing import Source
from interpreter.middle.analysis.control_flow import (
    FEW_INLINE,
    MOST_INLINE,
    MOST_WRITTEN,
    Structure,
    mentions,
    needed_draws,
    only_callers,
)
from interpreter.middle.analysis.cost import COSTLY, FEW, NOTABLE, PASS, SHARE, effort, shares, small_together
from rulespec.lower.cost import Costs
from rulespec.lower.ir import Compare, Const, Instr, ItemAt, Local, Program
from rulespec.model.types import ListType
from rulespec.program.ops import QUESTIONS, UNIT_ME, UNIT_TOGETHER, for_each


class Blocks:
    """Writes all blocks of a program; `written` is it before it was made simpler, with the same calls."""

    def __init__(
        self,
        source: Source,
        program: Program,
        structure: Structure,
        costs: Costs,
        written: Program,
        traced: bool = False,
    ):
        self.s = source
        self.costs = costs
        self.traced = traced
        self.program = program
        self.st = structure
        self.regions = source.layout.regions
        self.start = 0
        self.at = 0
        self.seen: set[int] = set()
        self.written = 0
        self.callers = {proc: at for proc, at in only_callers(written).items() if at not in structure.inline}
        #: how many blocks are being written where they are called
        self.within = 0
        self.logs: list[tuple[int, tuple[object, ...]]] = []
        self.by_id = {p.id: p for p in program.procs}
        self.needed_draws = needed_draws(program)
        self.shares = shares(costs, program)
        #: what was written since work was last counted, in steps
        self.uncounted = 0
        #: whether the loop around counts its small steps together
        self.together = False
        points = next(r for r in program.regions if r.key == "player.score")
        self.score_range = points.low, points.high
        #: how many passes the loops around make together
        self.passes = 1
        self.kept: dict[int, list[int]] = {}
        for slot in source.layout.slots:
            self.kept.setdefault(program.slots[slot].proc, []).append(slot)

    def write(self, start: int) -> None:
        """The function that begins at an instruction."""
        s = self.s
        self.start = start
        self.seen = set()
        self.uncounted, self.together = 0, False
        self.within, self.passes, s.counting = 0, 1, False  # as they are but where writing one was broken off
        s.line(f"def b{start}(c, floor, sink):")
        s.indent += 1
        first = len(s.lines)
        at: int | None = start
        while at is not None:
            at = self.emit(at)
        if len(s.lines) == first:
            s.line("pass")
        s.indent -= 1

    # ---- one instruction; the next one, or None where the function has returned ----

    def emit(self, at: int) -> int | None:
        """Writes one instruction; the number of the next one, or None where the block ends here."""
        self.at = at
        if at != self.start and not self.within and at in self.st.entries and self._returns(at):
            self.s.line(f"return {at}")
            return None
        self.seen.add(at)
        self.written += 1
        if self.traced:
            self.s.line(f"if not floor: ran({at})")
        instr = self.program.instrs[at]
        outside = self.s.counting
        self.count(at, self.shares(at))
        self.s.counting = effort(self.costs, instr.args) >= COSTLY
        found = _EMIT[instr.op](self, at, instr)
        self.s.counting = outside
        return found

    def count(self, at: int, steps: int) -> None:
        """Counts steps whose bound is known, together with those before them, once it is worth it."""
        self.uncounted += 0 if self.together and steps < NOTABLE else steps
        if self.uncounted >= NOTABLE:
            self.s.line(f"spend({self.uncounted // SHARE}, {at})")
            self.uncounted = 0

    def _returns(self, at: int) -> bool:
        """Whether another function goes on at an instruction, rather than this one."""
        most = MOST_INLINE if self.written < MOST_WRITTEN else FEW_INLINE
        return at in self.seen or len(self.seen) > most or at in self.st.stops

    def body(self, at: int, end: int) -> None:
        """Instructions that stay within one block, up to (without) `end`."""
        while at < end:
            nxt = self.emit(at)
            assert nxt is not None
            at = nxt

    def fail(self) -> str:
        """The statement that says which instruction had no way on."""
        return f"return {-3 - self.at}"


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
    proc = b.by_id[proc_id]
    texts = [b.s.ex(a) for a in args]  # type: ignore[arg-type]
    for slot, text in zip(proc.params, texts, strict=True):
        b.s.line(f"{b.s.slot(slot)} = {text}")
    b.s.line(f"{b.s.slot(proc.back)} = {back}")
    return proc.entry


def _call(b: Blocks, at: int, instr: Instr) -> int:
    entry = call(b, instr.args[0], instr.args[1], at + 1)
    if at not in b.st.inline:
        return entry
    proc = b.by_id[instr.args[0]]
    b.within += 1
    around, b.together = b.together, False
    b.body(entry, proc.end - 1)
    b.together = around
    b.within -= 1
    b.at = at
    _clear(b, (proc.back, *cleared(b, proc.id)))
    return at + 1


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
    proc = b.by_id[b.st.proc_of[at]]
    back = b.s.slot(proc.back)
    caller = b.callers.get(proc.id)
    if caller is None:
        b.s.line(f"at = {back}")
    _clear(b, (proc.back, *cleared(b, proc.id)))
    if caller is not None:
        return caller + 1
    b.s.line("return at")
    return None


def _clear(b: Blocks, slots: Iterable[int]) -> None:
    """Empties slots of the state: at once where many lie side by side."""
    empty = {b.s.layout.slots[s]: "()" if isinstance(b.program.slots[s].type, ListType) else "0" for s in slots}
    for start in sorted(empty):
        if start - 1 in empty:
            continue
        end = next(cell for cell in count(start + 1) if cell not in empty)
        if end < start + 4:
            for cell in range(start, end):
                b.s.line(f"c[{cell}] = {empty[cell]}")
        else:
            b.s.line(f"c[{start}:{end}] = ({', '.join(empty[cell] for cell in range(start, end))})")


def cleared(b: Blocks, proc: int) -> list[int]:
    """The kept slots of a block, without where it returns to."""
    back = b.by_id[proc].back
    return [s for s in b.kept.get(proc, ()) if s != back]


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
    before, most = b.uncounted, 0
    for start, last in ((at + 1, middle or end), (None if middle is None else middle + 1, end)):
        if start is None:
            continue
        b.uncounted = 0
        with b.s.block(f"if {test}:" if start == at + 1 else "else:"):
            if at in b.st.split:
                _branch(b, start, last, end)
            else:
                b.body(start, last)
        most = max(most, b.uncounted)
    b.uncounted = before + most
    return end + 1


def _branch(b: Blocks, at: int, last: int, end: int) -> None:
    """A branch that may leave the function; where it does not, what follows the branches is written behind them."""
    nxt: int | None = at
    while nxt is not None and nxt not in (last, end, end + 1):
        nxt = b.emit(nxt)


def _test(b: Blocks, instr: Instr) -> str:
    if instr.op in QUESTIONS:
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
    outside, size = b.passes, 1 if over is None else _most_passes(b, at)
    b.passes *= size
    small = small_together(b.shares, at + 1, b.st.end[at])
    is_counted = over is None or b.passes >= FEW
    if not is_counted:
        b.count(at, size * small)
    before, b.uncounted = b.uncounted, 0
    around, b.together = b.together, True
    with b.s.block(over or "while True:"):
        if is_counted:
            b.s.count(at, PASS + small // SHARE)
        b.body(at + (1 if over is None else 4), b.st.end[at])
    b.passes, b.uncounted, b.together = outside, before, around
    return b.st.end[at] + 1


def _most_passes(b: Blocks, at: int) -> int:
    """How many passes a plain loop makes at most."""
    size = b.program.instrs[at + 1].args[0].right
    return size.value if isinstance(size, Const) and isinstance(size.value, int) else int(size.type.high or 1)


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
    if counter not in b.s.temps or item not in b.s.temps or mentions(b.program.instrs[at + 4 : b.st.end[at]], counter):
        return None
    if isinstance(value, ItemAt) and isinstance(value.items, Local) and value.items.slot in b.s.temps:
        return f"for {b.s.slot(item)} in {b.s.slot(value.items.slot)}:"
    if isinstance(value, Local) and value.slot == counter and isinstance(test.right, Const):
        return f"for {b.s.slot(item)} in range({test.right.value}):"
    return None


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


_EMIT: dict[str, Callable[[Blocks, int, Instr], int | None]] = for_each(
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
