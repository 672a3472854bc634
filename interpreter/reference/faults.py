"""What content can do wrong while it is played, each at an instruction; and what is no fault: a step that fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulespec.diagnostics.model import ContentError, Problems
from rulespec.lower.ir import Instr
from rulespec.source.text import SourceFile, Span


class Fails(Exception):
    """The instruction that runs has no way on: not this way."""


class CanBeCompleted(Exception):
    """A look-ahead may stop here: it has reached the end of its unit, or a horizon."""


class Fault(Exception):
    """The content is at fault at an instruction, if it is known which. `span`: the place, where that is another one."""

    def __init__(self, code: str, span: Span | None = None, hint: str | None = None, **arguments: Any):
        super().__init__(code)
        self.at: int | None = None
        self.code, self.span, self.hint, self.arguments = code, span, hint, arguments


def out_of_range(value: int, low: int | None, high: int | None, span: Span | None = None) -> Fault:
    """A value is outside the range of its cell, parameter or function (RS801)."""
    shown = value if abs(value) < 10**20 else "a huge number"
    return Fault("RS801", span, value=shown, low=low, high=high)


def stuck(at: int, span: Span | None = None, hint: str | None = None) -> Fault:
    """The flow goes round without a decision (RS802)."""
    found = Fault("RS802", span, hint)
    found.at = at
    return found


def content_error(fault: Fault, instrs: Sequence[Instr], at: int) -> ContentError:
    """The problem that a fault is, found at an instruction or while its options were sought."""
    problems = Problems()
    place = at if fault.at is None else fault.at
    problems.add(fault.code, fault.span or span_of(instrs, place), hint=fault.hint, related=(), **fault.arguments)
    return ContentError(problems.items)


def span_of(instrs: Sequence[Instr], at: int) -> Span:
    """The place of an instruction: its own, else that of the last one before it that has any, else of the next one."""
    before = (i.span for i in reversed(instrs[: at + 1]) if i.span is not None)
    behind = (i.span for i in instrs[at:] if i.span is not None)
    return next(before, None) or next(behind, None) or Span(SourceFile.of("flow", ""), 0, 0)
