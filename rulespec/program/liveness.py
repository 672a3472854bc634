"""Which slots of blocks belong to the state.

A *decision point* of a block is where it asks somebody, or calls a block that may. A slot belongs to the state if at
some decision point it can be *filled* and is *needed*:

- filled: on a way from the beginning of the block something fills it, and nothing empties it behind that;
- needed: the decision itself reads it, or a way goes on from there to an instruction that does, and nothing on this way
  fills or empties it before. The control stack is needed always: where an active block returns to, and what an open
  unit keeps. So are the names that texts can speak of: parameters, and what answers have filled.

What any other slot holds at a decision is asked for by nobody: a state that is read from bytes has them empty.
Instructions are all that counts here, and no way of running them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rulespec.lower.ir import Ask, Instr, Local, Proc, Program, expressions_in, walk_ir
from rulespec.program.control_flow import Calls, ControlFlow
from rulespec.program.ops import BREAKS, CALLS, CLOSED_BY, FAILING, OPENS_UNIT, OPERATIONS, for_each, such_as

#: What each operation with a slot of its own does to it; `opens`: it is part of the control stack until it is emptied.
ON_SLOT: Final[Mapping[str, str]] = for_each(
    {
        "set": "replaces",
        "resolve": "changes",
        "roll": "changes",
        "forget": "empties",
        "unit": "opens",
        "try": "opens",
        "unit_end": "empties",
        "orelse": "empties",
    },
    known=such_as(lambda row: row.at("slot") is not None),
)


def state_slots(program: Program) -> tuple[int, ...]:
    """The slots that belong to the state of a well-formed program, upward."""
    flow, calls = ControlFlow(program), Calls(program)
    asking = calls.leading_to({flow.proc[at] for at, instr in enumerate(program.instrs) if _asks(instr)})
    blocks = (_Block(program, proc, flow, calls, asking) for proc in program.procs if proc.id in asking)
    return tuple(sorted(slot for block in blocks for slot in block.slots()))


def _asks(instr: Instr) -> bool:
    """Whether an instruction asks somebody; chance is nobody."""
    return instr.op == "ask" and not instr.args[0].chance


@dataclass(slots=True)
class _Step:
    """One instruction: sets of slots as bits, and where play can go on, with the slots that are emptied on the way."""

    reads: int = 0
    fills: int = 0
    replaces: int = 0  #: what it fills for certain
    empties: int = 0
    ways: tuple[tuple[int, int], ...] = ()
    asks: bool = False
    waits: bool = False  #: for a block that may ask


class _Block:
    """The slots of one block that belong to the state."""

    def __init__(self, program: Program, proc: Proc, flow: ControlFlow, calls: Calls, asking: frozenset[int]):
        self._program, self._proc, self._flow = program, proc, flow
        own = (number for number, slot in enumerate(program.slots) if slot.proc == proc.id)
        self._bits = {number: 1 << i for i, number in enumerate(own)}
        #: what a call of the block fills
        self._given = self._mask((proc.back, *proc.params)) if proc.id in calls.called else 0
        self._always = self._given
        self._steps = [self._step(at) for at in range(proc.entry, proc.end)]
        for step, instr in zip(self._steps, program.instrs[proc.entry : proc.end], strict=True):
            step.asks = _asks(instr)
            step.waits = bool(calls.of(instr) & asking)

    def slots(self) -> set[int]:
        """These slots by their numbers."""
        found = 0
        for step, filled, needed in zip(self._steps, self._filled(), self._needed(), strict=True):
            if step.asks or step.waits:
                found |= filled & (needed | self._always | (step.reads if step.asks else 0))
        return {number for number, bit in self._bits.items() if found & bit}

    # ---- along all ways ----

    def _filled(self) -> list[int]:
        """Before each instruction: what can be filled; nothing where play never comes."""
        first, found, met = self._proc.entry, [0] * len(self._steps), {0}
        found[0], waiting = self._given, [0]
        while waiting:
            at = waiting.pop()
            step = self._steps[at]
            after = found[at] & ~step.empties | step.fills
            for to, emptied in step.ways:
                before, now = found[to - first], found[to - first] | after & ~emptied
                if now != before or to - first not in met:
                    found[to - first] = now
                    met.add(to - first)
                    waiting.append(to - first)
        return found

    def _needed(self) -> list[int]:
        """Behind each instruction: what a way from there reads first."""
        first, behind = self._proc.entry, [0] * len(self._steps)
        changed = True
        while changed:
            changed = False
            for at in reversed(range(len(self._steps))):
                found = behind[at]
                for to, emptied in self._steps[at].ways:
                    step = self._steps[to - first]
                    found |= (step.reads | behind[to - first] & ~(step.replaces | step.empties)) & ~emptied
                changed, behind[at] = changed or found != behind[at], found
        return behind

    # ---- one instruction ----

    def _mask(self, slots: Iterable[int]) -> int:
        found = 0
        for slot in slots:
            found |= self._bits[slot] if slot >= 0 else 0
        return found

    def _step(self, at: int) -> _Step:
        instr = self._program.instrs[at]
        row = OPERATIONS[instr.op]
        step = _Step(reads=self._mask(_read_by(instr)), ways=tuple(self._ways(at, instr)))
        own = row.at("slot")
        if instr.op == "ask":
            self._answer(step, instr.args[0])
        elif own is not None and instr.args[own] is not None:
            self._touch(step, instr.op, self._bits[instr.args[own]])
        return step

    def _answer(self, step: _Step, ask: Ask) -> None:
        """What an answer fills. Where nobody can be asked it fills nothing, so that it replaces nothing for certain."""
        named = [ask.picked] if ask.kind == "set" else [name.slot for name in ask.names]
        step.fills = self._mask((*named, ask.order, ask.left, ask.answer))
        self._always |= self._mask(named)

    def _touch(self, step: _Step, op: str, slot: int) -> None:
        """What an instruction with a slot of its own does to it."""
        what = ON_SLOT[op]
        if what == "empties":
            step.empties = slot
            return
        step.fills = slot
        step.replaces = slot if what == "replaces" else 0
        step.reads |= slot if what == "changes" else 0
        self._always |= slot if what == "opens" else 0

    def _ways(self, at: int, instr: Instr) -> Iterator[tuple[int, int]]:
        """Where play can go on in this block, and the slots that are emptied on the way."""
        row, flow = OPERATIONS[instr.op], self._flow
        if row.flow == "opens" and row.divided_by:  # a unit that is not entered keeps nothing
            yield flow.middle.get(at, flow.end[at]) + 1, self._bits[instr.args[0]] if instr.op in OPENS_UNIT else 0
        elif row.flow == "divides":
            yield flow.behind(flow.start[at]), 0
        elif instr.op in BREAKS or _draws_a_set(instr):
            yield flow.behind(flow.loop[at if instr.op in BREAKS else at - 1]), 0
        if instr.op == CLOSED_BY["loop"]:
            yield flow.start[at], 0
        elif row.flow not in ("returns", "ends", "divides"):
            yield at + 1, 0
        unit = flow.unit[at]
        if unit >= 0 and (instr.op in FAILING or instr.op in CALLS):  # the unit is left in the middle
            yield flow.behind(unit), self._bits[self._program.instrs[unit].args[0]]


def _draws_a_set(instr: Instr) -> bool:
    """Whether chance picks a whole set: play then goes on behind the loop that asks."""
    return instr.op == "ask" and instr.args[0].chance and instr.args[0].kind == "set"


def _read_by(instr: Instr) -> Iterator[int]:
    """The slots that an instruction reads in expressions; of a decision also what has been picked and what is left."""
    for node in expressions_in(instr.args):
        yield from (n.slot for n in walk_ir(node) if isinstance(n, Local))
    if instr.op == "ask":
        ask: Ask = instr.args[0]
        yield from (ask.picked, ask.order, ask.left)
