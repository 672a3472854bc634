"""The shape of a program: which end belongs to which beginning, which unit is around what, which block calls which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from rulespec.lower.ir import Instr, Proc, Program
from rulespec.program.ops import BRANCHES, BREAKS, CALLS, CLOSES_UNIT, DIVIDES, OPENS_UNIT, for_each


class ControlFlow:
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


class Calls:
    """Which blocks run which."""

    def __init__(self, program: Program):
        self._program = program
        self._by_name = {p.name: p.id for p in program.procs}
        self._bodies = {p.id: program.instrs[p.entry : p.end] for p in program.procs}
        self._runs: dict[int, frozenset[int]] = {}

    def of(self, instr: Instr) -> frozenset[int]:
        """The blocks that an instruction can run by itself; none where it calls nothing."""
        called = CALLED.get(instr.op)
        return frozenset() if called is None else called(self, *instr.args)

    def _one(self, block: int, *_: object) -> frozenset[int]:
        return frozenset((block,))

    def _of_a_trigger(self, name: str) -> frozenset[int]:
        return frozenset((self._by_name[f"check {name}"],))

    def _of_a_value(self, _: object, level: int, values: frozenset[int] | None) -> frozenset[int]:
        return frozenset(
            called[0]
            for (nested, value), called in self._program.effect_procs.items()
            if nested == level and called is not None and (values is None or value in values)
        )

    def runs(self, block: int) -> frozenset[int]:
        """The blocks that one runs by itself."""
        if block not in self._runs:
            self._runs[block] = frozenset(to for instr in self._bodies[block] for to in self.of(instr))
        return self._runs[block]

    @cached_property
    def called(self) -> frozenset[int]:
        """All blocks that another one runs."""
        return frozenset(to for block in self._bodies for to in self.runs(block))

    def reached_from(self, block: int) -> frozenset[int]:
        """All blocks that one runs, by itself or by what it runs; itself among them."""
        found, waiting = set[int](), [block]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += self.runs(at)
        return frozenset(found)

    def leading_to(self, blocks: Iterable[int]) -> frozenset[int]:
        """These blocks, and all that run one of them, by themselves or by what they run."""
        found = set(blocks)
        while more := {block for block in self._bodies if block not in found and self.runs(block) & found}:
            found |= more
        return frozenset(found)


#: What each operation that calls can run.
CALLED: Final[Mapping[str, Callable[..., frozenset[int]]]] = for_each(
    {"call": Calls._one, "callv": Calls._of_a_value, "check": Calls._of_a_trigger}, known=CALLS
)
