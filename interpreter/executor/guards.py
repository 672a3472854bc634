"""Look-aheads that need no look-ahead: where all that can still fail may be asked of the state as it is.

From an ask to the last step of its unit that can fail, the conditions are written out as one function of
the candidate, if no step in between writes what a later condition reads. It gives what running the steps
on a copy would give, without the copy.
"""

from __future__ import annotations

from interpreter.executor import zones
from interpreter.executor.effort import COSTLY, SHARE, effort
from interpreter.executor.expressions import Source
from interpreter.executor.structure import Structure, fails
from rulespec.lower.cost import Costs
from rulespec.lower.ir import Ask, Instr, Ir, Program, walk_ir
from rulespec.lower.steps.calls import reads_of
from rulespec.model.types import Piece, Zone, strip

SKIPPED = ("log", "event", "score", "gain")


def write_guard(s: Source, program: Program, st: Structure, costs: Costs, at: int) -> bool:
    """Writes `ok{at}(c)`, the options of an ask, if that can be; whether it was."""
    ask = program.instrs[at].args[0]
    if ask.kind != "one" or ask.chance:
        return False
    steps = _steps(program, st, at)
    if steps is None or not _independent(s, program, steps):
        return False
    s.line(f"def ok{at}(c):")
    s.indent += 1
    s.line("out = []")
    temps = s.temps
    with s.block(f"for x in cand{s.ask_numbers[id(ask)]}(c):"):
        s.temps = temps | _bind(s, ask)
        cost = sum(effort(costs, program.instrs[i].args) for i in steps)
        s.count(at, 1 + cost // SHARE)
        s.counting = cost >= COSTLY
        for i in steps:
            _condition(s, program.instrs[i])
        s.counting = False
        s.line("out.append(x)")
    s.line("return out")
    s.temps = temps
    s.indent -= 1
    return True


def _bind(s: Source, ask: Ask) -> frozenset[int]:
    """The names of the ask as variables of the function."""
    for i, name in enumerate(ask.names):
        s.line(f"r{name.slot} = {'x' if len(ask.names) == 1 and not ask.record else f'x[{i}]'}")
    return frozenset(n.slot for n in ask.names)


def _steps(program: Program, st: Structure, at: int) -> list[int] | None:
    """The steps from an ask to where nothing can fail any more; None where they branch, ask or call."""
    proc = next(p for p in program.procs if p.id == st.proc_of[at])
    if proc.kind != "action" or any(o < at < e for o, e in st.end.items() if proc.entry <= o):
        return None
    steps: list[int] = []
    for i in range(at + 1, proc.end):
        if not any(fails(program, st, k) for k in range(i, proc.end)):
            return steps
        instr = program.instrs[i]
        if instr.op == "horizon":
            return steps
        if instr.op not in ("require", "pay", "move", "store", "resolve", *SKIPPED):
            return None
        steps.append(i)
    return steps


def _independent(s: Source, program: Program, steps: list[int]) -> bool:
    """Whether no condition reads what a step before it writes."""
    written: set[str] = set()
    for i in steps:
        instr = program.instrs[i]
        if _reads(s, instr) & written:
            return False
        written |= _writes(s, instr)
    return True


def _reads(s: Source, instr: Instr) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    if instr.op in ("require", "pay", "move"):
        for arg in instr.args:
            if isinstance(arg, Ir):
                found |= reads_of(s.world, arg) | _held_in(arg)
        if instr.op == "pay":
            found |= {instr.args[0]}
    return found


def _held_in(arg: Ir) -> frozenset[str]:
    """The zones that a piece kept in a name may lie in."""
    found: set[str] = set()
    for node in walk_ir(arg):
        t = strip(node.type)
        if isinstance(t, Piece):
            found.add(t.zone or "*")
        elif isinstance(t, Zone):
            found.add(t.key)
    return frozenset(found)


def _writes(s: Source, instr: Instr) -> set[str]:
    if instr.op in ("store", "gain", "pay"):
        return {instr.args[0]}
    if instr.op == "score":
        return {"player.score"}
    if instr.op == "move":
        zones_ = set(_held_in(instr.args[1]) | _held_in(instr.args[2]))
        return set(s.world.zones) if "*" in zones_ else zones_ | {"*"}
    return set()


def _condition(s: Source, instr: Instr) -> None:
    """What a step needs; a candidate without it is passed over."""
    if instr.op == "require":
        with s.block(f"if not {s.test(instr.args[0])}:"):
            s.line("continue")
    elif instr.op == "pay":
        region, index, amount, _ = instr.args
        low = s.lows[region]
        cell = s.cell(s.layout.regions[region], 1, index)
        with s.block(f"if c[{cell}] - {s.ex(amount)} < {low}:"):
            s.line("continue")
    elif instr.op == "resolve":
        name = f"r{instr.args[0]}"
        kind = s.world.pieces[strip(s.slot_types[instr.args[0]]).kind]  # type: ignore[attr-defined]
        with s.block(f"if {name} % {s.world.codes} >= {kind.count}:"):
            s.line("out.append(x)")
            s.line("continue")
    elif instr.op == "move":
        zones.move_test(s, instr, "continue")
