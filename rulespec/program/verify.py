"""Whether a program is well formed: each instruction by its row, branches and units inside one another, names known.

What the lowering makes is well formed always; a pass over programs, or a program from elsewhere, is held to it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.lower.ir import Ask, Instr, Ir, Proc, Program
from rulespec.program.ops import BREAKS, CLOSED_BY, DIVIDES, OPERATIONS, Operand


def faults(program: Program) -> list[str]:
    """What is not well formed, in words, each with the number of its instruction."""
    return [fault for proc in program.procs for fault in (*_Block(program, proc).faults(), *_nesting(program, proc))]


class _Block:
    """The instructions of one block by their rows."""

    def __init__(self, program: Program, proc: Proc):
        self._program, self._proc = program, proc
        self._procs = {p.id: p for p in program.procs}
        self._checks = {p.name.removeprefix("check ") for p in program.procs if p.kind == "check"}
        self._regions = {r.key for r in program.regions}

    def faults(self) -> Iterator[str]:
        for at in range(self._proc.entry, self._proc.end):
            instr = self._program.instrs[at]
            row = OPERATIONS.get(instr.op)
            if row is None:
                yield f"{at}: no operation is called {instr.op}"
            elif len(instr.args) != len(row.operands):
                yield f"{at}: {instr.op} takes {len(row.operands)} operands, not {len(instr.args)}"
            else:
                yield from self._operands(at, instr, row.operands)

    def _operands(self, at: int, instr: Instr, operands: tuple[Operand, ...]) -> Iterator[str]:
        for operand, value in zip(operands, instr.args, strict=True):
            if not (value is None and operand.optional) and not self._fits(operand, value):
                yield f"{at}: the {operand.name} of {instr.op} is no {operand.kind}: {value!r}"
        if instr.op == "call" and instr.args[0] in self._procs:
            wanted = len(self._procs[instr.args[0]].params)
            if len(instr.args[1]) != wanted:
                yield f"{at}: block {instr.args[0]} takes {wanted} arguments, not {len(instr.args[1])}"

    def _fits(self, operand: Operand, value: object) -> bool:
        if operand.words and value not in operand.words:
            return False
        return _FITS[operand.kind](self, value)

    def _is_slot(self, value: object) -> bool:
        slots = self._program.slots
        return isinstance(value, int) and 0 <= value < len(slots) and slots[value].proc == self._proc.id

    def _is_question(self, value: object) -> bool:
        if not isinstance(value, Ask):
            return False
        extra = (s for s in (value.picked, value.order, value.left, value.answer) if s >= 0)
        streams = not value.chance or value.stream in self._program.streams
        return streams and all(map(self._is_slot, (*(name.slot for name in value.names), *extra)))


def _is_ir(_: _Block, value: object) -> bool:
    return isinstance(value, Ir)


def _are_named(_: _Block, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(n, str) and isinstance(ir, Ir) for n, ir in value)


def _is_text(_: _Block, value: object) -> bool:
    return isinstance(value, str)


_FITS: dict[str, Callable[[_Block, object], bool]] = {
    **dict.fromkeys(("value", "zone", "pieces", "index"), _is_ir),
    "values": lambda _, value: isinstance(value, tuple) and all(isinstance(ir, Ir) for ir in value),
    "names": _are_named,
    "slot": _Block._is_slot,
    "region": lambda b, value: value in b._regions,
    "question": _Block._is_question,
    "block": lambda b, value: value in b._procs,
    "trigger": lambda b, value: value in b._checks,
    "effects": lambda _, value: isinstance(value, frozenset),
    "stream": lambda b, value: value in b._program.streams,
    **dict.fromkeys(("label", "word"), _is_text),
    "number": lambda _, value: type(value) is int,
    "flag": lambda _, value: type(value) is bool,
}


def _nesting(program: Program, proc: Proc) -> Iterator[str]:
    """Branches, loops and units inside one another, each closed by its own, and an end that is the block's."""
    open_: list[str] = []
    for at in range(proc.entry, proc.end):
        op = program.instrs[at].op
        if op in CLOSED_BY:
            open_.append(op)
        elif op in CLOSED_BY.values():
            if not open_ or CLOSED_BY[open_.pop()] != op:
                yield f"{at}: {op} closes nothing"
        elif op in DIVIDES:
            if not open_ or OPERATIONS[open_[-1]].divided_by != op:
                yield f"{at}: {op} stands in no branch of its own"
        elif op in BREAKS and "loop" not in open_:
            yield f"{at}: {op} stands in no loop"
    if open_:
        yield f"{proc.end - 1}: {open_[-1]} is not closed in block {proc.id}"
    if proc.end <= proc.entry or program.instrs[proc.end - 1].op != "ret":
        yield f"{proc.end - 1}: block {proc.id} does not end with ret"
