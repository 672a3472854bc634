"""Which loop is never entered where a flow goes round without asking anybody: most likely it was to ask."""

from __future__ import annotations

from typing import Any

from interpreter.executor.compile import Compiled
from interpreter.executor.writing import Source
from rulespec.lower.ir import Instr, Ir


def never_entered(compiled: Compiled, c: list[Any], pc: int) -> Instr | None:
    """The condition of a loop that would ask, around which play goes without end, as it is not true at first."""
    instrs, st = compiled.program.instrs, compiled.structure
    around = [(at, end) for at, end in st.end.items() if instrs[at].op == "loop" and at <= pc <= end]
    for start, end in sorted(around, reverse=True):
        for at in range(start, end):
            if not _is_first(compiled, at) or not _asks(instrs[at : st.end[st.loops[at]]]):
                continue
            if _holds(compiled, instrs[at].args[0], c):
                return instrs[at]
    return None


def _is_first(compiled: Compiled, at: int) -> bool:
    """Whether an instruction is the condition of a `while`: written, and before the steps of its loop."""
    instr, loops = compiled.program.instrs[at], compiled.structure.loops
    return instr.op == "break_if" and instr.span is not None and at - loops[at] <= 2


def _asks(steps: tuple[Instr, ...]) -> bool:
    return any(instr.op in ("ask", "call", "callv") for instr in steps)


def _holds(compiled: Compiled, test: Ir, c: list[Any]) -> bool:
    """Whether a condition is true in a state, as far as that can be told of the state alone."""
    source = Source(compiled.declared_now, compiled.layout, compiled.structure.temps)
    source.indent = 0
    source.line("def value(c):")
    source.indent = 1
    source.line(f"return {source.ex(test)}")
    namespace = {**compiled.namespace, **source.constants}
    exec(compile("\n".join(source.lines), "<rulespec stuck>", "exec"), namespace)  # noqa: S102 - from the typed form
    try:
        return bool(namespace["value"](c))
    except NameError:  # a name that only the running block knows
        return False
