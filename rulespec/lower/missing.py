"""What is missing where a step of the set-up cannot be done, in words (RS805)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rulespec.lower.ir import Instr
from rulespec.program.ops import MISSING


def missing(instrs: Sequence[Instr], at: int) -> str:
    """What an instruction that fails wants; of a `require` in front of several `pay`, what the `pay` would."""
    op = "pay" if is_for_payment(instrs, at) else instrs[at].op
    return MISSING.get(op, "it has no way on")


def is_for_payment(instrs: Sequence[Instr], at: int) -> bool:
    """Whether an instruction is one of the `require` in front of several `pay`: it stands for the place of one."""
    if instrs[at].op != "require" or instrs[at].span is None:
        return False
    near = takewhile(lambda i: instrs[i].op in ("require", "horizon", "if", "pay"), range(at + 1, len(instrs)))
    return any(instrs[i].op == "pay" and instrs[i].span == instrs[at].span for i in near)


def too_few_drawn(wanted: int, drawn: int) -> str:
    """Where fewer pieces can be drawn than are wanted."""
    return f"{wanted} are to be drawn, and {drawn} can be"
