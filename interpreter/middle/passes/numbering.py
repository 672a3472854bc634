"""Numbers of asks: by these the functions that list candidates are named."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.lower.ir import Instr
from rulespec.program.ops import QUESTIONS


def number_asks(instrs: Iterable[Instr]) -> dict[int, int]:
    """A number for each ask, by the identity of its description."""
    numbers: dict[int, int] = {}
    for instr in instrs:
        if instr.op in QUESTIONS:
            numbers.setdefault(id(instr.args[0]), len(numbers))
    return numbers
