"""Of a flow that goes round without asking anybody: the loop in it that is never entered, which most likely would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulespec.lower.ir import Instr, Ir
from rulespec.program.control_flow import ControlFlow
from rulespec.program.ops import such_as

HINT = (
    "This condition is looked at before the first pass, and is false then: the steps of its loop are never done. With "
    "`until` they are done once at least."
)
#: What asks somebody, or runs blocks that may.
MAY_ASK = such_as(lambda row: row.flow in ("asks", "calls"))


def loops_around(instrs: Sequence[Instr], flow: ControlFlow, at: int) -> list[int]:
    """The loops of its block around an instruction, the innermost one first."""
    around = [start for start, end in flow.end.items() if instrs[start].op == "loop" and start <= at <= end]
    return sorted(around, reverse=True)


def never_entered(instrs: Sequence[Instr], flow: ControlFlow, at: int, holds: Callable[[Ir], bool]) -> Instr | None:
    """The condition that leaves a loop that would ask before its first pass, around which play goes without end.

    `at` is where play was stopped; the innermost loop around it is looked at first. `holds` says of a condition whether
    it is true now.
    """
    for start in loops_around(instrs, flow, at):
        for i in _first_conditions(instrs, flow, start):
            if holds(instrs[i].args[0]):
                return instrs[i]
    return None


def _first_conditions(instrs: Sequence[Instr], flow: ControlFlow, start: int) -> Iterator[int]:
    """The conditions of each `while` in a loop whose steps may ask: written, and before the steps of its loop."""
    for at in range(start, flow.end[start]):
        is_first = instrs[at].op == "break_if" and instrs[at].span is not None and at - flow.loop[at] <= 2
        if is_first and any(instr.op in MAY_ASK for instr in instrs[at : flow.end[flow.loop[at]]]):
            yield at
