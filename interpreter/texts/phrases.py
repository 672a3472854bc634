"""Placeholders of texts: lowered when a text is first shown; the reference finds their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from interpreter.middle.facts import Facts
from interpreter.texts.catalogue import Message
from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_expression
from rulespec.lower.expressions import lower_as
from rulespec.lower.ir import Ir
from rulespec.lower.scope import Scope
from rulespec.messages.lowering import lower_place, text_scope
from rulespec.messages.pattern import Text
from rulespec.messages.plurals import plural_category
from rulespec.model.types import INTEGER, Integer, Type, Unknown, strip
from rulespec.source.nodes import Node

Cells = list[Any]
Names = tuple[tuple[str, Type], ...]
#: The values of a text's placeholders in a state, with those of the names that the text sees.
Computed = Callable[[Cells, Sequence[Any]], list[Any]]


class Phrase:
    """A message for names of certain types: gives the stretches of its text, placeholders as typed values."""

    def __init__(self, message: Message, names: Names, writer: Writer):
        self.language = message.language
        self._texts = message.variants.texts
        self._parts: dict[int | str, Parts | None] = {}
        self._names, self._writer = names, writer
        self._number = self._choose(message) if message.variants.by_number else None
        self.usable = self._of("other") is not None and (self._number is not None or len(self._texts) == 1)

    def _choose(self, message: Message) -> Computed | None:
        if message.select is not None:
            return self._writer.number(message.select, self._names)
        text = self._texts.get("other")
        return None if text is None else self._writer.only_number(text, self._names)

    def _of(self, form: int | str) -> Parts | None:
        if form not in self._parts:
            text = self._texts.get(form)
            self._parts[form] = None if text is None else self._writer.parts(text, self._names)
        return self._parts[form]

    def parts(self, cells: Cells, values: Sequence[Any]) -> list[str | tuple[Any, Type]]:
        """The text's stretches in order, each a literal or a value with its type."""
        chosen = self._of("other")
        if self._number is not None:
            number = self._number(cells, values)[0]
            form = number if number in self._texts else plural_category(self.language, number)
            chosen = self._of(form) or chosen
        return chosen.evaluate(cells, values) if chosen is not None else []


class Parts:
    """One text with its placeholders lowered."""

    def __init__(self, literals: tuple[str | Type, ...], computed: Computed):
        self._literals = literals
        self._computed = computed

    def evaluate(self, cells: Cells, values: Sequence[Any]) -> list[str | tuple[Any, Type]]:
        """The stretches in a state, with the values of the names that the text sees."""
        found = iter(self._computed(cells, values))
        return [part if isinstance(part, str) else (next(found), part) for part in self._literals]


class Writer:
    """Lowers what stands in placeholders of one game; with `constant`, as texts of rules are read."""

    def __init__(self, facts: Facts, *, constant: bool = False):
        self._facts, self._constant = facts, constant
        self._world = facts.world
        self._names: dict[str, str] = {}

    def parts(self, text: Text, names: Names) -> Parts | None:
        """A text's placeholders; None where one cannot be understood with these names."""
        scope = self._scope(names)
        values = self._quietly(lambda: [lower_place(scope, place.expression) for place in text.places])
        if values is None or not text.whole:
            return None
        types = iter([ir.type for ir in values])
        literals = tuple(part if isinstance(part, str) else next(types) for part in text.parts)
        return Parts(literals, self._computed(values, names))

    def number(self, node: Node, names: Names) -> Computed | None:
        """What a `select` computes."""
        problems = Problems()
        expression = parse_expression(node, problems)
        if expression is None:
            return None
        scope = self._scope(names)
        value = self._quietly(lambda: [lower_as(scope, expression, INTEGER)])
        return None if value is None else self._computed(value, names)

    def only_number(self, text: Text, names: Names) -> Computed | None:
        """The only number among a text's placeholders, which chooses where nothing else is said."""
        scope = self._scope(names)
        values = self._quietly(lambda: [lower_place(scope, place.expression) for place in text.places])
        numbers = [ir for ir in values or [] if isinstance(strip(ir.type), Integer)]
        return self._computed(numbers[:1], names) if numbers else None

    def _scope(self, names: Names) -> Scope:
        scope = text_scope(self._world, dict(names))
        return replace(scope, constant=True) if self._constant else scope

    def _quietly(self, lowered: Callable[[], list[Ir]]) -> list[Ir] | None:
        """The lowered expressions; None where one has a fault (the checker has reported it)."""
        kept, self._world.problems = self._world.problems, Problems()
        try:
            found = lowered()
            faulty = self._world.problems.has_errors or any(isinstance(ir.type, Unknown) for ir in found)
            return None if faulty else found
        finally:
            self._world.problems = kept

    def _computed(self, values: list[Ir], names: Names) -> Computed:
        """What gives the values of expressions in a state, from the values of the names."""
        of, keys = self._facts.values.of, [name for name, _ in names]

        def computed(cells: Cells, given: Sequence[Any]) -> list[Any]:
            bound = dict(zip(keys, given, strict=True))
            return [of(ir, cells, bound) for ir in values]

        return computed
