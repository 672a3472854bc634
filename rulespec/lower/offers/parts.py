"""The instructions of a block as parts inside parts: branches, loops, units."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.lower.ir import Instr
from rulespec.program.ops import CLOSED_BY, DIVIDES

_ENDS = frozenset(CLOSED_BY.values())


@dataclass(slots=True)
class Part:
    """An instruction by its number; where it opens something, what is inside, and what stands behind `else`."""

    at: int
    body: list[Part] = field(default_factory=list)
    other: list[Part] = field(default_factory=list)


def parts_of(instrs: tuple[Instr, ...], start: int, end: int, first: int = 0) -> list[Part]:
    """The parts of a block, from one instruction to before another; their numbers begin at `first`."""
    found: list[Part] = []
    lists = [found]
    open_: list[Part] = []
    for at in range(start, end):
        op = instrs[at].op
        if op in CLOSED_BY:
            part = Part(first + at)
            lists[-1].append(part)
            open_.append(part)
            lists.append(part.body)
        elif op in DIVIDES:
            lists[-1] = open_[-1].other
        elif op in _ENDS:
            lists.pop()
            open_.pop()
        else:
            lists[-1].append(Part(first + at))
    return found
