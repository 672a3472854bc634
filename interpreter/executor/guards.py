"""Look-aheads that need no look-ahead: where all that can still fail may be asked of the state as it is.

From an ask to the last step of its unit that can fail, the conditions are written out as one function of
the candidate, if no step in between writes what a later condition reads. It gives what running the steps
on a copy would give, without the copy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.executor import zones
from interpreter.executor.effort import COSTLY, SHARE, effort
from interpreter.executor.faults import MOST_WORK
from interpreter.executor.groups import parts_of
from interpreter.executor.sure import Sure, Taking, says_empty
from interpreter.executor.writing import Source
from rulespec.lower.cost import Costs
from rulespec.lower.ir import Ask, Instr, Ir, Local, Program, Var, ZoneIr, ZoneRead, walk_ir
from rulespec.lower.steps.calls import reads_of
from rulespec.model.types import Integer, Piece, Zone, kind_of_pieces, strip
from rulespec.program.ops import OPERATIONS, cell_of, for_some, such_as

#: Steps of which nothing is asked: they go well, and all that they change is a cell.
SKIPPED = such_as(lambda row: row.flow == "on" and not (row.may_fail or row.horizon or row.changes - {"cell"}))


@dataclass(frozen=True, slots=True)
class Guard:
    """What was found of an ask: the steps whose conditions are asked, what the steps behind them take from where.

    `deep`: nothing can fail up to the end of all units around, however many are open; else of the innermost one.
    """

    steps: tuple[int, ...]
    takings: frozenset[Taking]
    deep: bool


def find_guard(s: Source, program: Program, sure: Sure, at: int) -> Guard | None:
    """What is asked of a state in the place of a look-ahead at an ask; None where that cannot be."""
    ask = program.instrs[at].args[0]
    if ask.kind != "one" or ask.chance:
        return None
    guard = _find(s, program, sure, at)
    return guard if guard is not None and _independent(s, program, guard) else None


def write_guard(s: Source, program: Program, guard: Guard, costs: Costs, at: int) -> None:
    """Writes `ok{at}(c)`, the options of an ask, and `first{at}(c)`.

    `first` gives how many candidates were tried when one was found that leads on; below zero if none of them does.
    Both give None where the state does not hold enough to be certain.
    """
    ask = program.instrs[at].args[0]
    cost = sum(effort(costs, program.instrs[i].args) for i in guard.steps)
    for name, kept in (("ok", "out.append(x)"), ("first", "return tried")):
        s.line(f"def {name}{at}(c):")
        s.indent += 1
        _supplies(s, guard)
        s.line(f"found = cand{s.ask_numbers[id(ask)]}(c)")
        s.line(f"work[0] += len(found) * {1 + cost // SHARE}")
        s.line(f"if work[0] > {MOST_WORK}: raise Overwork({at})")
        s.counting = cost >= COSTLY
        there = _already_there(s, program, ask, guard, "return []" if name == "ok" else "return -1 - len(found)")
        _write_tests(s, program, ask, guard, there, kept)
        s.counting = False
        s.indent -= 1


def _write_tests(s: Source, program: Program, ask: Ask, guard: Guard, there: frozenset[int], kept: str) -> None:
    """The loop that tests each candidate; none where there is nothing left to test."""
    listing = kept.startswith("out")
    temps = s.temps
    s.indent += 1
    s.temps = temps | frozenset(n.slot for n in ask.names)
    tests, _ = s.captured(lambda: _all_conditions(s, program, ask, guard, there, kept))
    s.indent -= 1
    if not tests:
        s.line("return found" if listing else "return 1 if found else -1")
    else:
        s.line("out = []" if listing else "tried = 0")
        with s.block("for x in found:"):
            if not listing:
                s.line("tried += 1")
            _bind(s, ask)
            s.lines += tests
            s.line(kept)
        s.line("return out" if listing else "return -1 - tried")
    s.temps = temps


def _all_conditions(s: Source, program: Program, ask: Ask, guard: Guard, there: frozenset[int], kept: str) -> None:
    for i in guard.steps:
        instr = program.instrs[i]
        if instr.op in CONDITIONS:
            room = instr.op == "move" and has_room(ask, instr.args[2])
            CONDITIONS[instr.op](s, instr, _Tested(kept, i in there, room))


def has_room(ask: Ask, goal: Ir) -> bool:
    """Whether the filter of the ask says already that a slot is empty."""
    if not isinstance(goal, ZoneIr) or not isinstance(goal.place, Local):
        return False
    for name in ask.names:
        if name.slot == goal.place.slot and name.where is not None:
            chosen = replace(goal, place=Var(type=name.type, name=name.var))
            return any(says_empty(fact, chosen) for fact in parts_of(name.where))
    return False


def _already_there(s: Source, program: Program, ask: Ask, guard: Guard, none: str) -> frozenset[int]:
    """The steps whose piece is found before the candidates are gone through, as it is the same for all of them."""
    chosen = {name.slot for name in ask.names}
    found: set[int] = set()
    for i in guard.steps:
        instr = program.instrs[i]
        if instr.op != "move" or instr.args[0] != "one":
            continue
        what = instr.args[1]
        if {n.slot for n in walk_ir(what) if isinstance(n, Local)} & (chosen | s.temps):
            continue
        if isinstance(what, Local):
            test = f"not handling.held(c, {s.ex(what)})"
        elif isinstance(what, ZoneRead):
            test = f"{zones.read_code(s, what)} < 0"
        else:
            continue
        found.add(i)
        with s.block(f"if {test}:"):
            s.line(none)
    return frozenset(found)


def _supplies(s: Source, guard: Guard) -> None:
    """Whether there are as many pieces as may be taken: one for each slot that is empty."""
    for taking in sorted(guard.takings, key=str):
        goal = s.declared.zones[taking.goal]
        first = s.layout.zones[goal.key]
        held = s.ex(ZoneRead(type=Integer(0, None), what="count", zone=taking.source))
        with s.block(f"if {held} < {s.pieces}[{first}:{first + goal.places}].count(0):"):
            s.line("return None")


def _find(s: Source, program: Program, sure: Sure, at: int) -> Guard | None:
    """The steps from an ask to where nothing can fail any more; None where they branch, ask or call."""
    st = sure.st
    proc = next(p for p in program.procs if p.id == st.proc_of[at])
    if any(o < at < e for o, e in st.end.items() if proc.entry <= o):
        return None
    steps: list[int] = []
    for i in range(at + 1, proc.end):
        instr = program.instrs[i]
        for alone in (False, True) if proc.kind == "action" else (False,):
            takings = frozenset() if instr.op == "horizon" else sure.from_here(i, alone=alone)
            if takings is not None:
                return Guard(tuple(steps), takings, not alone or instr.op == "horizon")
        if instr.op not in CONDITIONS and instr.op not in SKIPPED:
            return None
        steps.append(i)
    return None


def _bind(s: Source, ask: Ask) -> None:
    """The names of the ask as variables of the function."""
    for i, name in enumerate(ask.names):
        s.line(f"r{name.slot} = {'x' if len(ask.names) == 1 and not ask.record else f'x[{i}]'}")


def _independent(s: Source, program: Program, guard: Guard) -> bool:
    """Whether no condition reads what a step before it writes."""
    written: set[str] = set()
    for i in guard.steps:
        instr = program.instrs[i]
        if _reads(s, instr) & written:
            return False
        written |= _writes(s, instr)
    return not any({t.source.zone, t.goal} & written for t in guard.takings)


def _reads(s: Source, instr: Instr) -> frozenset[str]:
    """What the condition of a step reads: its operands, and the cell that it changes."""
    if instr.op not in CONDITIONS:
        return frozenset()
    found = {cell} if (cell := cell_of(instr.op, instr.args)) is not None else set[str]()
    for arg in instr.args:
        if isinstance(arg, Ir):
            found |= reads_of(s.declared, arg) | _held_in(s, arg)
    return frozenset(found)


def _held_in(s: Source, arg: Ir) -> frozenset[str]:
    """The zones that an expression names, and those that a piece in it may lie in."""
    found: set[str] = set()
    for node in walk_ir(arg):
        t = strip(node.type)
        if isinstance(t, Piece):
            found |= {t.zone} if t.zone else {z.key for z in s.declared.zones.values() if z.holds == t.kind}
        elif isinstance(t, Zone):
            found.add(t.key)
    return frozenset(found)


def _writes(s: Source, instr: Instr) -> set[str]:
    cell = cell_of(instr.op, instr.args)
    if cell is not None:
        return {cell}
    if "pieces" not in OPERATIONS[instr.op].changes:
        return set()
    return {zone for arg in instr.args if isinstance(arg, Ir) for zone in _held_in(s, arg)}


@dataclass(frozen=True, slots=True)
class _Tested:
    """What is known of a candidate that a step is tested for: that its piece is there, that there is room for it.

    `kept` is done with a candidate that leads on.
    """

    kept: str
    there: bool
    room: bool


def _require(s: Source, instr: Instr, tested: _Tested) -> None:
    with s.block(f"if not {s.test(instr.args[0])}:"):
        s.line("continue")


def _pay(s: Source, instr: Instr, tested: _Tested) -> None:
    region, index, amount, _ = instr.args
    cell = s.cell(s.layout.regions[region], 1, index)
    with s.block(f"if c[{cell}] - {s.ex(amount)} < {s.lows[region]}:"):
        s.line("continue")


def _resolve(s: Source, instr: Instr, tested: _Tested) -> None:
    """A piece that is known by its back: chance picks it, and ends the look-ahead."""
    name = f"r{instr.args[0]}"
    kind = s.declared.pieces[kind_of_pieces(s.slot_types[instr.args[0]])]
    with s.block(f"if {name} % {s.declared.codes} >= {kind.count}:"):
        s.line(tested.kept)
        s.line("continue") if not tested.kept.startswith("return") else None


def _move(s: Source, instr: Instr, tested: _Tested) -> None:
    zones.move_test(s, instr, "continue", there=tested.there, room=tested.room)


#: What a step needs, written as a test of the state as it is: a candidate without it is passed over.
CONDITIONS = for_some({"require": _require, "pay": _pay, "resolve": _resolve, "move": _move})
