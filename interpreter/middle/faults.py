"""What content can do wrong while it is played: each is a fault of the content, at an instruction."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.diagnostics.model import ContentError, Problems
from rulespec.lower.ir import Instr
from rulespec.lower.missing import too_few_drawn
from rulespec.program.stuck import HINT
from rulespec.source.text import SourceFile, Span

#: What one decision may cost, counted in passes of loops; a search through positions counts more (see `LookAhead`).
MOST_WORK = 20_000_000


class Fault(Exception):
    """A fault of the content at an instruction; below zero where it is not known which. `span`: the place, if known."""

    code = ""
    #: the way out, where more can be said of it than the code's own page does
    hint: str | None = None

    def __init__(self, at: int, span: Span | None = None):
        super().__init__(f"instruction {at}")
        self.at = at
        self.span = span

    def arguments(self) -> dict[str, object]:
        """What the message says of it."""
        return {}


class Stuck(Fault):
    """The flow goes round without a decision. `loop` is one in it that was never entered, by its condition."""

    code = "RS802"

    def __init__(self, at: int, loop: Instr | None = None):
        super().__init__(at, None if loop is None else loop.span)
        if loop is not None:
            self.hint = HINT


class Overwork(Fault):
    """What is done between two decisions, or looked ahead at for one of them, takes more work than is allowed."""

    code = "RS803"


class OutOfRange(Fault):
    """A value is outside the declared range of its cell, parameter or function."""

    code = "RS801"

    def __init__(self, at: int, value: int, low: int | None, high: int | None, span: Span | None = None):
        super().__init__(at, span)
        self.value, self.low, self.high = value, low, high

    def arguments(self) -> dict[str, object]:
        """The value, in few words where it is very large, and the range."""
        shown = self.value if abs(self.value) < 10**20 else "a huge number"
        return {"value": shown, "low": self.low, "high": self.high}


class TooFew(Fault):
    """The set-up chooses more than there are."""

    code = "RS804"

    def __init__(self, at: int, wanted: int, found: int):
        super().__init__(at)
        self.wanted, self.found = wanted, found

    def arguments(self) -> dict[str, object]:
        """How many are wanted, and how many there are."""
        return {"wanted": self.wanted, "found": self.found}


class NotDone(Fault):
    """The set-up cannot do a step; `why` says what is missing."""

    code = "RS805"

    def __init__(self, at: int, why: str):
        super().__init__(at)
        self.why = why

    def arguments(self) -> dict[str, object]:
        """What is missing."""
        return {"why": self.why}


def not_drawn(at: int, wanted: int, drawn: int) -> NotDone:
    """The fault of a set-up that draws more pieces than there are, or more than there is room for."""
    return NotDone(at, too_few_drawn(wanted, drawn))


def content_error(fault: Fault, instrs: Sequence[Instr], at: int = 0) -> ContentError:
    """The problem that a fault is, at the step's own line or the last one before it."""
    place = fault.at if fault.at >= 0 else at
    problems = Problems()
    span = fault.span or span_of(instrs, place)
    problems.add(fault.code, span, hint=fault.hint, near=None, related=(), fixes=(), **fault.arguments())
    return ContentError(problems.items)


def span_of(instrs: Sequence[Instr], at: int) -> Span:
    """The place of an instruction: its own, or that of the nearest one that has any."""
    before = (i.span for i in reversed(instrs[: at + 1]) if i.span is not None)
    after = (i.span for i in instrs[at:] if i.span is not None)
    return next(before, None) or next(after, None) or Span(SourceFile.of("flow", ""), 0, 0)
