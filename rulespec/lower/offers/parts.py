"""The instructions of a block as parts inside parts: branches, loops, units."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.lower.ir import Instr

OPENERS = {"if": "end", "if_any": "end", "loop": "end_loop", "try": "end_try", "unit": "unit_end"}
ENDS = frozenset(OPENERS.values())


@dataclass(slots=True)
class Part:
    """An instruction by its number; where it opens something, what is inside, and what stands behind `else`."""

    at: int
    body: list[Part] = field(default_factory=list)
    other: list[Part] = field(default_factory=list)


def parts_of(instrs: tuple[Instr, ...], start: int, end: int) -> list[Part]:
    """The parts of a block, from one instruction to before another."""
    found: list[Part] = []
    lists = [found]
    open_: list[Part] = []
    for at in range(start, end):
        op = instrs[at].op
        if op in OPENERS:
            part = Part(at)
            lists[-1].append(part)
            open_.append(part)
            lists.append(part.body)
        elif op in ("else", "orelse"):
            lists[-1] = open_[-1].other
        elif op in ENDS:
            lists.pop()
            open_.pop()
        else:
            lists[-1].append(Part(at))
    return found
