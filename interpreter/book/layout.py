"""Which rules stand where: the parts that the content declares, with the rules that each of them takes.

A rule stands where a part names it; else in the first part that takes its kind; else at the end, with the other rules
of the variant that adds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.game_source import GameSource
from rulespec.messages.book import maps_in, names_in, parts_of
from rulespec.overlay.variant import Variant
from rulespec.source.tree import Mapping, Node, Scalar


@dataclass(frozen=True, slots=True)
class Plan:
    """A part as it is declared; without a title it holds what no part takes. `variants` are those that are on in it."""

    title: Node | None
    rules: tuple[str, ...]
    shows: tuple[Mapping, ...] = ()
    variants: tuple[str, ...] = ()
    parts: tuple[Plan, ...] = ()


@dataclass(slots=True)
class _Rules:
    """The rules of a game, by id, with the kinds that they are of; and the ids that a part has named."""

    source: GameSource
    kinds: dict[str, str]
    named: set[str]
    taken: set[str] = field(default_factory=set)

    def of(self, node: Mapping) -> tuple[str, ...]:
        """The rules of a part: those that it names, those of its variants, those of its kinds that nobody names."""
        listed = [name.text for name in names_in(node.get("rules"))]
        added = rules_of_variants(self.source, node)
        known = [rule for rule in listed if rule in self.kinds or rule in added]
        kinds = {name.text for name in names_in(node.get("kinds"))}
        rest = [rule for rule, kind in self.kinds.items() if kind in kinds and rule not in self.named]
        found = [rule for rule in dict.fromkeys((*known, *added, *rest)) if rule not in self.taken]
        self.taken.update(found)
        return tuple(found)


def layout(source: GameSource, tree: Mapping) -> tuple[Plan, ...]:
    """The parts of a game's book, and at its end those for the rules that no part takes."""
    book = tree.get("book")
    kinds = {rule: _kind(node) for rule, node in rules_of(tree).items()}
    if not isinstance(book, Mapping):
        return tuple(_rest(source, list(kinds)))
    rules = _Rules(source, kinds, set(_named(source, book)))
    plans = [_plan(part, rules) for part in maps_in(book.get("parts"))]
    return (*plans, *_rest(source, [rule for rule in kinds if rule not in rules.taken]))


def _named(source: GameSource, book: Mapping) -> Iterator[str]:
    """The rules that have their place in a part, by name or with their variant."""
    for part in parts_of(book):
        yield from (name.text for name in names_in(part.get("rules")))
        yield from rules_of_variants(source, part)


def rules_of_variants(source: GameSource, part: Mapping) -> list[str]:
    """The rules that the variants of a part add."""
    known = [source.variants.get(name.text) for name in names_in(part.get("variants"))]
    return [rule for variant in known if variant is not None for rule in rules_of(variant.tree)]


def rules_of(tree: Mapping) -> dict[str, Mapping]:
    """The rules of a tree, by id."""
    section = tree.get("rules")
    pairs = section.pairs if isinstance(section, Mapping) else ()
    return {key.text: node for key, node in pairs if isinstance(node, Mapping)}


def _kind(rule: Mapping) -> str:
    kind = rule.get("kind")
    return kind.text if isinstance(kind, Scalar) else ""


def _plan(part: Mapping, rules: _Rules) -> Plan:
    return Plan(
        part.get("title"),
        rules.of(part),
        tuple(maps_in(part.get("shows"))),
        tuple(name.text for name in names_in(part.get("variants")) if name.text in rules.source.variants),
        tuple(_plan(smaller, rules) for smaller in maps_in(part.get("parts"))),
    )


def _rest(source: GameSource, rules: list[str]) -> Iterator[Plan]:
    """A part for each variant that adds some of these rules, and one for what is left."""
    for variant in source.variants.values():
        own = [rule for rule in rules if rule in rules_of(variant.tree)]
        if own:
            rules = [rule for rule in rules if rule not in own]
            yield Plan(title_of(variant), tuple(own))
    if rules:
        yield Plan(None, tuple(rules))


def title_of(variant: Variant) -> Node | None:
    """A variant's title, by language."""
    declared = variant.tree.get("variant")
    return declared.get("title") if isinstance(declared, Mapping) else None
