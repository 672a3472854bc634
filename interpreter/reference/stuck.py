"""Of a flow that goes round without asking anybody: the loop in it that is never entered, which most likely would."""

from __future__ import annotations

from interpreter.reference.expressions import value
from interpreter.reference.position import Position
from rulespec.source.text import Span

HINT = (
    "This condition is looked at before the first pass, and is false then: the steps of its loop are never done. With "
    "`until` they are done once at least."
)


def never_entered(p: Position, at: int) -> tuple[Span | None, str] | tuple[()]:
    """The place of the condition of a loop that would ask, as it is not true at first, and what to say of it."""
    instrs, blocks = p.game.instrs, p.game.blocks
    around = [start for start, end in blocks.end.items() if instrs[start].op == "loop" and start <= at <= end]
    for start in sorted(around, reverse=True):
        for i in range(start, blocks.end[start]):
            if _is_first(p, i) and _asks(p, i) and _holds(p, i):
                return instrs[i].span, HINT
    return ()


def _is_first(p: Position, at: int) -> bool:
    """Whether an instruction is the condition of a `while`: written, and before the steps of its loop."""
    instr = p.game.instrs[at]
    return instr.op == "break_if" and instr.span is not None and at - p.game.blocks.loop[at] <= 2


def _asks(p: Position, at: int) -> bool:
    """Whether the loop of a condition asks, or runs blocks that may."""
    steps = p.game.instrs[at : p.game.blocks.end[p.game.blocks.loop[at]]]
    return any(instr.op in ("ask", "call", "callv") for instr in steps)


def _holds(p: Position, at: int) -> bool:
    return bool(value(p, p.game.instrs[at].args[0]))
