"""Scenarios as they stand in the files, with the place of everything that can turn out to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.game_source import GameSource
from rulespec.lower.constants import OptionValue
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

OFFERED, REFUSED, SECRET = "offered", "refused", "secret"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An option by its key; for a refused one `rule` is the condition that must forbid it, where that matters."""

    key: Scalar
    rule: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Secret:
    """A zone, and the seats that alone see the fronts of what lies there."""

    zone: Node
    seen_by: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of `play`. `word` is a seat, which takes the one option, `offered`, `refused` or `secret`."""

    word: Scalar
    options: tuple[Wanted, ...]
    secret: Secret | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. `players` is None for the lowest number that the game declares; `start` is `setup` or `empty`.

    `variants` holds the variant whose file it stands in too.
    """

    name: Scalar
    rules: tuple[Scalar, ...]
    players: int | None
    options: dict[str, OptionValue]
    variants: tuple[str, ...]
    seed: int
    start: str
    at: Scalar | None
    given: tuple[tuple[Scalar, Node], ...]
    play: tuple[Line, ...]
    then: tuple[Node, ...]
    to_end_of: Scalar | None = None


def scenarios_of(source: GameSource) -> tuple[Scenario, ...]:
    """All scenarios of a game and of its variants, in the order of the files."""
    found = [scenario_of(name, node, ()) for name, node in _entries(source.base)]
    for identity, variant in source.variants.items():
        found += [scenario_of(name, node, (identity,)) for name, node in _entries(variant.tree)]
    return tuple(found)


def _entries(tree: Mapping) -> Iterator[tuple[Scalar, Mapping]]:
    for name, node in _pairs(tree.get("scenarios")):
        if isinstance(node, Mapping):
            yield name, node


def scenario_of(name: Scalar, node: Mapping, variants: tuple[str, ...] = ()) -> Scenario:
    """One scenario, with the variants of the file in which it stands."""
    players, seed, at, ends = node.get("players"), node.get("seed"), node.get("at"), node.get("to_end_of")
    own = tuple(item.text for item in _scalars(node.get("variants")) if item.text not in variants)
    return Scenario(
        name=name,
        rules=tuple(_scalars(node.get("rules"))),
        players=_integer(players, None),
        options={key.text: value.value for key, value in _pairs(node.get("options")) if isinstance(value, Scalar)},
        variants=variants + own,
        seed=_integer(seed, 1) or 0,
        start=_text(node.get("start")) or "setup",
        at=at if isinstance(at, Scalar) else None,
        given=_pairs(node.get("given")),
        play=tuple(_lines(node.get("play"))),
        then=tuple(_conditions(node.get("then"))),
        to_end_of=ends if isinstance(ends, Scalar) else None,
    )


def _lines(node: Node | None) -> Iterator[Line]:
    for item in node.items if isinstance(node, Sequence) else ():
        for word, value in _pairs(item):
            yield Line(word, tuple(_wanted(value)), _secret(value) if word.text == SECRET else None)


def _secret(node: Node) -> Secret | None:
    zone = node.get("zone") if isinstance(node, Mapping) else None
    return (
        Secret(zone, tuple(_scalars(node.get("seen_by")))) if isinstance(node, Mapping) and zone is not None else None
    )


def _wanted(node: Node) -> Iterator[Wanted]:
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Scalar):
            yield Wanted(item)
        elif isinstance(item, Mapping):
            option, rule = item.get("option"), item.get("rule")
            if isinstance(option, Scalar):
                yield Wanted(option, rule if isinstance(rule, Scalar) else None)


def _conditions(node: Node | None) -> Iterator[Node]:
    for item in node.items if isinstance(node, Sequence) else ():
        condition = item.get("is") if isinstance(item, Mapping) else item
        if condition is not None:
            yield condition


def _pairs(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.pairs if isinstance(node, Mapping) else ()


def _scalars(node: Node | None) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _integer(node: Node | None, default: int | None) -> int | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else default
