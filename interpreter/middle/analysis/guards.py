"""Options found without speculation: every remaining failure condition can be tested in the current state.

From an ask to the last step of its unit that can fail, the conditions are asked of the state as it is, if no step in
between writes what a later condition reads. That gives what running the steps on a copy would give, without the copy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.middle.analysis.infallibility import Infallibility, Taking, says_empty
from interpreter.middle.analysis.partition import parts_of
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ask, Instr, Ir, Local, Program, Var, ZoneIr, walk_ir
from rulespec.lower.reads import reads_of
from rulespec.model.types import Piece, Zone, strip
from rulespec.program.ops import OPERATIONS, cell_of, such_as

#: Steps that can be tested in the state as it is: each back end has a test for each of them.
TESTED = frozenset(("require", "pay", "resolve", "move"))
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


def find_guard(declared: Declared, program: Program, infallibility: Infallibility, at: int) -> Guard | None:
    """What is asked of a state in the place of a look-ahead at an ask; None where that cannot be."""
    ask = program.instrs[at].args[0]
    if ask.kind != "one" or ask.chance:
        return None
    guard = _find(program, infallibility, at)
    return guard if guard is not None and _independent(declared, program, guard) else None


def _find(program: Program, infallibility: Infallibility, at: int) -> Guard | None:
    """The steps from an ask to where nothing can fail any more; None where they branch, ask or call."""
    st = infallibility.st
    proc = next(p for p in program.procs if p.id == st.proc_of[at])
    if any(o < at < e for o, e in st.end.items() if proc.entry <= o):
        return None
    steps: list[int] = []
    for i in range(at + 1, proc.end):
        instr = program.instrs[i]
        for alone in (False, True) if proc.kind == "action" else (False,):
            takings = frozenset() if instr.op == "horizon" else infallibility.from_here(i, alone=alone)
            if takings is not None:
                return Guard(tuple(steps), takings, not alone or instr.op == "horizon")
        if instr.op not in TESTED and instr.op not in SKIPPED:
            return None
        steps.append(i)
    return None


def _independent(declared: Declared, program: Program, guard: Guard) -> bool:
    """Whether no condition reads what a step before it writes."""
    written: set[str] = set()
    for i in guard.steps:
        instr = program.instrs[i]
        if _reads(declared, instr) & written:
            return False
        written |= _writes(declared, instr)
    return not any({t.source.zone, t.goal} & written for t in guard.takings)


def _reads(declared: Declared, instr: Instr) -> frozenset[str]:
    """What the condition of a step reads: its operands, and the cell that it changes."""
    if instr.op not in TESTED:
        return frozenset()
    found = {cell} if (cell := cell_of(instr.op, instr.args)) is not None else set[str]()
    for arg in instr.args:
        if isinstance(arg, Ir):
            found |= reads_of(declared, arg) | _held_in(declared, arg)
    return frozenset(found)


def _held_in(declared: Declared, arg: Ir) -> frozenset[str]:
    """The zones that an expression names, and those that a piece in it may lie in."""
    found: set[str] = set()
    for node in walk_ir(arg):
        t = strip(node.type)
        if isinstance(t, Piece):
            found |= {t.zone} if t.zone else {z.key for z in declared.zones.values() if z.holds == t.kind}
        elif isinstance(t, Zone):
            found.add(t.key)
    return frozenset(found)


def _writes(declared: Declared, instr: Instr) -> set[str]:
    cell = cell_of(instr.op, instr.args)
    if cell is not None:
        return {cell}
    if "pieces" not in OPERATIONS[instr.op].changes:
        return set()
    return {zone for arg in instr.args if isinstance(arg, Ir) for zone in _held_in(declared, arg)}


def has_room(ask: Ask, goal: Ir) -> bool:
    """Whether the filter of the ask says already that a slot is empty."""
    if not isinstance(goal, ZoneIr) or not isinstance(goal.place, Local):
        return False
    for name in ask.names:
        if name.slot == goal.place.slot and name.where is not None:
            chosen = replace(goal, place=Var(type=name.type, name=name.var))
            return any(says_empty(fact, chosen) for fact in parts_of(name.where))
    return False
