"""Why something is not offered: the first condition that forbids it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.options import loose_forms, squeeze
from interpreter.reference.decisions import STOP
from interpreter.reference.doubt import bare_candidates, forbidden
from interpreter.reference.position import Position, faults_told
from rulespec.lower.ir import Instr
from rulespec.program.ops import LABELS, MISSING
from rulespec.source.text import Span

if TYPE_CHECKING:
    from interpreter.state import State

MOST_RAW = 100_000
#: What is said of a member of a set that is not offered for another reason than a condition.
WORDS = {"picked": "picked already", "later": "all that is left is taken, this later"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why: `rule` is the label of the failed condition, else the function it calls or its text.

    `reason` is one of `over`, `unknown` (no such thing to choose here), `picked` (it is in the set already), `later`
    (all that is left is taken, in one order), `condition` and `completion` (the choice could be made, and then the
    action could not be carried through); `span` is the condition's place. Where what follows fails by one condition or
    by another, `others` are the other ones: each forbids some way to go on, and none forbids all.
    """

    reason: str
    rule: str
    span: Span | None
    others: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """All conditions that forbid the option together."""
        return (self.rule, *self.others)


class IllegalOption(Exception):
    """An option that is not offered. `key` is what was asked for, `refusal` says which condition failed."""

    def __init__(self, key: str, refusal: Refusal):
        self.key = key
        self.refusal = refusal
        place = f" ({refusal.span.file.name}:{refusal.span.line})" if refusal.span is not None else ""
        super().__init__(f"{key!r} is not offered: {refusal.rule}{place}")


def refuse(state: State, key: str) -> IllegalOption:
    """The reason why a key is not among a state's options."""
    if state.decision is None:
        return IllegalOption(key, Refusal("over", "the game is over", None))
    return IllegalOption(key, why_not(state, key))


def why_not(state: State, key: str) -> Refusal:
    """The first condition that forbids an option, written as a person writes it."""
    wanted = squeeze(key)
    raw = Raw(state)
    for candidate in raw.candidates():
        if wanted in loose_forms(state, candidate):
            return raw.refusal(candidate)
    ask = state.ask
    return Refusal("unknown", f"no such choice in {ask.action or ask.id}", ask.names[0].span if ask.names else None)


class Raw:
    """A decision's candidates before any condition, and what forbids each of them: the reference is asked."""

    def __init__(self, state: State):
        self.state = state
        self.ask = state.ask

    @cached_property
    def _position(self) -> Position:
        return self.state.game.reference.from_bytes(self.state.to_bytes())

    def candidates(self) -> list[Any]:
        """All that could be meant, conditions aside. Raises ContentError where the content is at fault."""
        with faults_told(self._position):
            found = bare_candidates(self._position, self.ask)[:MOST_RAW]
        if self.ask.kind == "set":
            found = list(enumerate(found))
        return [*found, STOP] if self.ask.optional else found

    def refusal(self, candidate: Any) -> Refusal:
        """The first thing that forbids a candidate. Raises ContentError where the content is at fault."""
        with faults_told(self._position):
            found = forbidden(self._position, self.ask, candidate)
        if found.by != "completion":
            return Refusal(found.by, WORDS.get(found.by, found.rule), found.span)
        if not found.steps:
            return Refusal("unknown", "no way to go on was found", None)
        instrs = [self._position.game.instrs[at] for at in found.steps]
        first, *others = dict.fromkeys(map(failure_name, instrs))
        return Refusal(found.by, first, instrs[0].span, tuple(others))


def failure_name(instr: Instr) -> str:
    """What a step that can fail is called."""
    if instr.op in LABELS:
        return str(instr.args[LABELS[instr.op]])
    return MISSING.get(instr.op, instr.op)
