"""Steps behind a horizon: what a unit can only find out after chance or hidden information has spoken.

No look-ahead sees behind a horizon. A `pay` there could be beyond means when it is too late to choose something else,
so it is an error; a condition or choice there may leave the rest of its unit undone, which is noted.
"""

from __future__ import annotations

from rulespec.diagnostics.model import Related
from rulespec.lower.context import Context
from rulespec.lower.ir import Instr, Proc, Program
from rulespec.program.ops import CLOSES_UNIT, HORIZONS, OPENS_UNIT, OPERATIONS
from rulespec.source.text import Span

NOTED = {"require": "condition", "ask": "choice"}


def check_horizons(cx: Context, program: Program) -> None:
    """Reports each `pay` behind a horizon of its own unit (RS618), and notes conditions and choices there (RS619)."""
    speaking = _speaking(program)
    for proc in program.procs:
        _check_block(cx, program, proc, speaking)


def _speaking(program: Program) -> set[int]:
    """The blocks in which chance or hidden information speaks, directly or in what they call."""
    found = {p.id for p in program.procs if any(_is_horizon(i) for i in program.instrs[p.entry : p.end])}
    changed = True
    while changed:
        more = {p.id for p in program.procs if p.id not in found and _calls(program, p) & found}
        found |= more
        changed = bool(more)
    return found


def _calls(program: Program, proc: Proc) -> set[int]:
    return {i.args[0] for i in program.instrs[proc.entry : proc.end] if i.op == "call"}


def _is_horizon(instr: Instr) -> bool:
    return instr.op in HORIZONS or (instr.op == "ask" and instr.args[0].chance)


def _check_block(cx: Context, program: Program, proc: Proc, speaking: set[int]) -> None:
    """Goes through a block in order; for each unit that is open, where chance spoke first inside it."""
    open_units: list[Span | None] = []
    branches: list[tuple[list[Span | None], list[Span | None] | None]] = []  # as before the branch; after its first way
    for instr in program.instrs[proc.entry : proc.end]:
        if instr.op in OPENS_UNIT:
            open_units.append(None)
        elif instr.op in CLOSES_UNIT and open_units:
            open_units.pop()
        elif OPERATIONS[instr.op].divided_by == "else":
            branches.append((list(open_units), None))
        elif instr.op == "else":
            before, _ = branches.pop()
            branches.append((before, open_units))
            open_units = list(before)
        elif instr.op == "end":
            before, other = branches.pop()
            open_units = [a or b for a, b in zip(open_units, before if other is None else other, strict=False)]
        elif _is_horizon(instr) or (instr.op == "call" and instr.args[0] in speaking):
            open_units = [spoken or instr.span for spoken in open_units]
        elif open_units and open_units[-1] is not None and instr.span is not None:
            _report(cx, instr, instr.span, open_units[-1])


def _report(cx: Context, instr: Instr, span: Span, spoken: Span) -> None:
    related = [Related("chance, or what the chooser may not see, speaks here", spoken)]
    if instr.op == "pay":
        cx.problems.add("RS618", span, related=related)
    elif instr.op in NOTED:
        cx.problems.add("RS619", span, what=NOTED[instr.op], related=related)
