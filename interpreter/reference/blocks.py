"""The shape of a program: which end belongs to which beginning, and which unit is around an instruction."""

from __future__ import annotations

from rulespec.lower.ir import Proc, Program
from rulespec.program.ops import BRANCHES, BREAKS, CLOSES_UNIT, DIVIDES, OPENS_UNIT


class Blocks:
    """Each by the number of an instruction.

    `end` and `middle` (`else`, `orelse`) of what is opened; `start` of each of these; `loop` around a break; `unit`:
    the innermost `unit` or `try` around an instruction in its block, or -1; `proc`: the block that it stands in.
    """

    def __init__(self, program: Program):
        self.end: dict[int, int] = {}
        self.middle: dict[int, int] = {}
        self.start: dict[int, int] = {}
        self.loop: dict[int, int] = {}
        self.unit_end: dict[int, int] = {}
        self.unit = [-1] * len(program.instrs)
        self.proc = [-1] * len(program.instrs)
        for proc in program.procs:
            self._match(program, proc)
            self._units(program, proc)

    def _match(self, program: Program, proc: Proc) -> None:
        opened: list[int] = []
        for at in range(proc.entry, proc.end):
            op = program.instrs[at].op
            self.proc[at] = proc.id
            if op in BRANCHES:
                opened.append(at)
            elif op in DIVIDES:
                self.middle[opened[-1]], self.start[at] = at, opened[-1]
            elif op in BRANCHES.values():
                self.start[at] = opened.pop()
                self.end[self.start[at]] = at
            elif op in BREAKS:
                self.loop[at] = next(i for i in reversed(opened) if program.instrs[i].op == "loop")

    def _units(self, program: Program, proc: Proc) -> None:
        opened: list[int] = []
        for at in range(proc.entry, proc.end):
            op = program.instrs[at].op
            if op in CLOSES_UNIT:
                self.unit_end[opened.pop()] = at
            self.unit[at] = opened[-1] if opened else -1
            if op in OPENS_UNIT:
                opened.append(at)

    def behind(self, at: int) -> int:
        """The instruction behind the end of a loop, a branch or a `try`, or behind a unit."""
        return self.end.get(at, self.unit_end.get(at, at)) + 1

    def is_tried(self, at: int) -> bool:
        """Whether a `try` of its own block is around an instruction."""
        while (at := self.unit[at]) >= 0:
            if at in self.end:
                return True
        return False
