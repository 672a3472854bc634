"""What is known at each decision of a program: the names that its prompt and its options can speak of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.lower.ir import Ask, Instr, Proc, Program
from rulespec.lower.scope import WAIVED
from rulespec.model.types import BOOLEAN, PLAYER, EffectType, Type, strip
from rulespec.program.ops import LABELS
from rulespec.source.text import Span


@dataclass(frozen=True, slots=True)
class Known:
    """A name with a value: the slot that holds it, and its type. What a block was made for is no slot but a `value`."""

    name: str
    slot: int
    type: Type
    value: Any = None


@dataclass(frozen=True, slots=True)
class Decision:
    """An `ask` instruction: where it stands, what it asks, and what is known before it."""

    at: int
    ask: Ask
    known: tuple[Known, ...]
    span: Span | None
    waived: tuple[tuple[str, bool], ...] = ()
    """The labels of the block's steps, each with whether it is lifted here."""

    @property
    def prompt_names(self) -> dict[str, Type]:
        """The names that a prompt sees, with their types; `waived LABEL` for each label."""
        return {"me": PLAYER, **{k.name: k.type for k in self.known}, **{WAIVED + n: BOOLEAN for n, _ in self.waived}}

    @property
    def option_names(self) -> dict[str, Type]:
        """The names that an option's text sees: also what the decision itself names."""
        return {**self.prompt_names, **{n.name: n.type for n in self.ask.names}}


def decisions(program: Program) -> list[Decision]:
    """Every decision of people (not of chance), in the order of the instructions."""
    found: list[Decision] = []
    for proc in program.procs:
        found += _in_block(program, proc)
    return found


def asked_once(program: Program) -> Iterator[Decision]:
    """The decisions of people, without what is known at them: of those that ask by the same names for the same, one.

    What is asked for effects is there each time: which ones it can be hangs on more than types.
    """
    seen = set[tuple[Any, ...]]()
    for at, instr in enumerate(program.instrs):
        if instr.op != "ask" or instr.args[0].chance:
            continue
        ask: Ask = instr.args[0]
        types = tuple(name.type for name in ask.names)
        key = ask.action, ask.owner, ask.id, ask.kind, ask.optional, types
        if key not in seen or any(isinstance(strip(t), EffectType) for t in types):
            seen.add(key)
            yield Decision(at, ask, (), instr.span)


def _in_block(program: Program, proc: Proc) -> Iterator[Decision]:
    known = {name: Known(name, -1, ir.type, ir.value) for name, ir in proc.constants}
    known |= {program.slots[s].name: _known(program, s) for s in proc.params}
    waived = tuple((label, label in proc.lifted) for label in _labels(program, proc))
    for at in range(proc.entry, proc.end):
        instr = program.instrs[at]
        if instr.op == "ask":
            ask: Ask = instr.args[0]
            if not ask.chance:
                yield Decision(at, ask, tuple(known.values()), instr.span, waived)
            known |= {program.slots[s].name: _known(program, s) for s in _answered(ask)}
        elif instr.op == "forget":
            known = {n: k for n, k in known.items() if k.slot != instr.args[0]}


def _labels(program: Program, proc: Proc) -> list[str]:
    """The labels of conditions and costs in a block, those that are lifted among them, in alphabetical order."""
    found = set(proc.lifted)
    for instr in program.instrs[proc.entry : proc.end]:
        if instr.op in LABELS:
            found.add(instr.args[LABELS[instr.op]])
    return sorted(label for label in found if label.isidentifier())


def _answered(ask: Ask) -> list[int]:
    """The slots that an answer names."""
    return [ask.picked] if ask.kind == "set" else [name.slot for name in ask.names]


def _known(program: Program, slot: int) -> Known:
    return Known(program.slots[slot].name, slot, program.slots[slot].type)


def text_keys(ask: Ask, what: str) -> tuple[str, ...]:
    """The keys under which a decision's prompt or option is looked for: the nearest first."""
    head = ask.action or ask.owner
    own = [ask.id] if ask.id != head else []
    keys = [f"{head}.{name}.{what}" for name in own if head] + [f"{name}.{what}" for name in own]
    if head and (ask.kind != "may" or not own):
        keys.append(f"{head}.{what}")
    return tuple(keys)


def log_keys(ask: Ask) -> tuple[str, ...]:
    """The keys of the line that a decision has by itself, beside the line of its action: the nearest first."""
    return tuple(key for key in text_keys(ask, "log") if key != f"{ask.action or ask.owner}.log")


def log_names(instr: Instr) -> dict[str, Type]:
    """The names that an action's log line sees."""
    return {"me": PLAYER, **{name: ir.type for name, ir in instr.args[1]}}
