"""Functions that find options without looking ahead: the conditions of a guard, as Python source."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.executor import zones
from interpreter.executor.writing import Source
from interpreter.middle.analysis.cost import COSTLY, SHARE, effort
from interpreter.middle.analysis.guards import TESTED, Guard, has_room
from interpreter.middle.faults import MOST_WORK
from rulespec.lower.cost import Costs
from rulespec.lower.ir import Ask, Instr, Local, Program, ZoneRead, walk_ir
from rulespec.model.types import Integer
from rulespec.program.ops import for_each


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


def _bind(s: Source, ask: Ask) -> None:
    """The names of the ask as variables of the function."""
    for i, name in enumerate(ask.names):
        s.line(f"r{name.slot} = {'x' if len(ask.names) == 1 and not ask.record else f'x[{i}]'}")


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
    """Chance ends the look-ahead, whether it picks a piece or the chooser has seen it."""
    with s.block("if True:"):  # a block, since steps that stand behind it are written too
        s.line(tested.kept)
        s.line("continue") if not tested.kept.startswith("return") else None


def _move(s: Source, instr: Instr, tested: _Tested) -> None:
    zones.move_test(s, instr, "continue", there=tested.there, room=tested.room)


#: What a step needs, written as a test of the state as it is: a candidate without it is passed over.
CONDITIONS = for_each({"require": _require, "pay": _pay, "resolve": _resolve, "move": _move}, known=TESTED)
