"""One game as its texts see it: what it declares, and what its decisions and log lines know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.lower.context import Context, maps_below
from rulespec.lower.ir import Program
from rulespec.messages.decisions import Decision, asked_once, decisions, log_names
from rulespec.model.types import Type
from rulespec.source.nodes import Mapping, Node, Scalar

#: Sections whose lists of steps may give points or refuse something.
_WITH_STEPS = ("setup", "flow", "end", "effects", "actions", "triggers", "tracks")

#: The parts of lines in the log that know all; the others know less, or nothing was chosen.
_WHOLE = ("whole", "late")


@dataclass(frozen=True, slots=True)
class Game:
    """A game's declarations with its program; `messages` are its own."""

    cx: Context
    tree: Mapping
    messages: Mapping | None
    decisions: tuple[Decision, ...]
    logs: dict[str, tuple[dict[str, Type], ...]]
    steps: tuple[Mapping, ...] = field(repr=False)

    @classmethod
    def of(cls, cx: Context, tree: Mapping, program: Program) -> Game:
        """The game of a resolved tree, with its declarations and its program."""
        messages = tree.get("messages")
        logs: dict[str, tuple[dict[str, Type], ...]] = {}
        for instr in program.instrs:
            if instr.op == "log" and instr.args[2] in _WHOLE:
                logs[instr.args[0]] = (*logs.get(instr.args[0], ()), log_names(instr))
        steps = tuple(step for name in _WITH_STEPS for step in cx.parsed.maps_in(tree.get(name)))
        own = messages if isinstance(messages, Mapping) else None
        return cls(cx, tree, own, tuple(decisions(program)), logs, steps)

    @classmethod
    def for_keys(cls, cx: Context, tree: Mapping, program: Program) -> Game:
        """As `of`, where it is only asked which messages there are: what says the same of that is there once."""
        messages = tree.get("messages")
        lines = (instr.args for instr in program.instrs if instr.op == "log")
        logs: dict[str, tuple[dict[str, Type], ...]] = {args[0]: ({},) for args in lines if args[2] in _WHOLE}
        steps = tuple(step for name in _WITH_STEPS for step in cx.parsed.maps_in(tree.get(name)))
        own = messages if isinstance(messages, Mapping) else None
        return cls(cx, tree, own, tuple(asked_once(program)), logs, steps)

    def has(self, key: str) -> bool:
        """Whether the game has a message of this key."""
        return self.messages is not None and key in self.messages

    def labels(self, name: str) -> Iterator[Scalar]:
        """What the steps say under a key such as `reason` or `rule`."""
        for step in self.steps:
            value = step.get(name)
            if isinstance(value, Scalar):
                yield value


def is_whole(node: Node) -> bool:
    """Whether nothing in a tree was left out because it was faulty."""
    return not any(part.broken for part in maps_below(node))
