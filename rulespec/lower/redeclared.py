"""Declarations that are as those of an earlier build but for some options, which nothing has read while declaring.

remembered = Remembered.of(cx, seen, steps)      # once all is declared, and nothing was wrong with it
cx = remembered.with_options(options, problems)  # None where an option that was read is another one
"""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics.model import Problems
from rulespec.lower import make
from rulespec.lower.constants import OptionValue, check_constraints, option_nodes, read_option
from rulespec.lower.context import Context, reporting
from rulespec.lower.cost import Costs
from rulespec.model.reads import Noted, Reads, Watched
from rulespec.model.world import World

_MADE_ANEW = frozenset(("problems", "reads", "constant_filters"))
_FIELDS = tuple(name for name in World.__dataclass_fields__ if name not in _MADE_ANEW)


@dataclass(frozen=True, slots=True)
class Steps:
    """How much work was done: for each option's start, for the constraints of options, and in all."""

    options: dict[str, int]
    constraints: int
    all: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """All that was declared of a tree with the options as they start; `seen` are those that were read (None: any)."""

    context: Context
    seen: AbstractSet[str | None]
    steps: Steps

    @classmethod
    def of(cls, cx: Context, seen: AbstractSet[str | None], steps: Steps) -> Remembered:
        """What is declared now, whatever is done with the context afterwards."""
        return cls(_copied(cx, Problems()), frozenset(seen), steps)

    def with_options(self, options: AbstractMapping[str, OptionValue], problems: Problems) -> Context | None:
        """The declarations with these options, as they would be found anew; None where that cannot be said."""
        known = self.context.world.options
        nodes = {key.text: node for key, node in option_nodes(self.context)}
        if not options.keys() <= nodes.keys():
            return None
        chosen: dict[str, Any] = {}
        for name, given in options.items():
            t = self.context.type(nodes[name].get("type"))
            value = read_option(self.context, t, given)
            if value is None:
                return None
            chosen[name] = make.const(value, t)
        others = {name for name, value in chosen.items() if value != known.entry(name)}  # type: ignore[attr-defined]
        if others and (None in self.seen or not others.isdisjoint(self.seen)):
            return None
        cx = _copied(self.context, problems)
        for name, value in chosen.items():
            cx.world.options[name] = value
        return self._constrained(cx, options)

    def _constrained(self, cx: Context, options: AbstractMapping[str, OptionValue]) -> Context | None:
        """The same with the constraints looked at, and the work counted as if all had been declared anew."""
        steps, evaluator = self.steps, cx.evaluator
        evaluator.steps, found = 0, Problems()
        with reporting(cx, found):
            check_constraints(cx)
        evaluator.steps += steps.all - steps.constraints - sum(steps.options.get(name, 0) for name in options)
        cx.steps_to_declare = evaluator.steps
        return cx if evaluator.may_spend(0) and not len(found) else None


def seen_of(cx: Context) -> set[str | None]:
    """The options that were read so far."""
    options = cx.world.options
    return set(options.seen) if isinstance(options, Watched) else {None}


def let_be_seen(cx: Context, seen: set[str | None]) -> None:
    """Only these options were read so far: what has read others is looked at again each time."""
    options = cx.world.options
    if isinstance(options, Watched):
        options.seen = set(seen)


def _copied(cx: Context, problems: Problems) -> Context:
    """The same declarations as a context of their own; what is declared does not change any more."""
    w = cx.world
    reads = None if w.reads is None else Reads()
    world = World(problems, w.players, reads=reads)
    for name in _FIELDS:
        value = getattr(w, name)
        if isinstance(value, Noted) and reads is not None:
            value = type(value)(value.name, reads, dict(value.entries()))
        elif isinstance(value, dict | list | set):
            value = value.copy()
        setattr(world, name, value)
    world.constant_filters = {span: set(values) for span, values in w.constant_filters.items()}
    found = Context(cx.tree, world, cx.parsed)
    found.evaluator.steps, found.steps_to_declare = cx.evaluator.steps, cx.steps_to_declare
    found.formulas = dict(cx.formulas)
    found.costs = Costs(world, _table(cx.costs.functions, reads))
    found.logged = _table(cx.logged, reads)
    return found


def _table(value: dict[str, Any], reads: Reads | None) -> dict[str, Any]:
    if isinstance(value, Noted) and reads is not None:
        return Noted(value.name, reads, dict(value.entries()))
    return dict(value)
