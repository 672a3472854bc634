"""What each field of the registry can hold, nested deep and repeated: found by its shape.

for made in shaped(field, 10_000): ...        # `made.what` says how, `made.value` is a tree
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench.deep.islands import name, sample, value_of
from rulespec.model.shapes import (
    Anything,
    ByNode,
    Data,
    Expression,
    Field,
    Integer,
    ListOf,
    MapOf,
    Name,
    Shape,
    Text,
    Type,
)


@dataclass(frozen=True, slots=True)
class Shaped:
    """A value for a field, and how it was made."""

    what: str
    value: Any


def deep(field: Field, depth: int) -> Iterator[Shaped]:
    """The field's example inside lists, and inside maps, so deep."""
    in_lists, in_maps = value_of(field), value_of(field)
    for _ in range(depth):
        in_lists, in_maps = [in_lists], {"w": in_maps}
    yield Shaped("in lists", in_lists)
    yield Shaped("in maps", in_maps)


def wide(field: Field, width: int) -> Iterator[Shaped]:
    """A value that has so many members, characters, words or digits, for each way in which the shape can."""
    yield from _wide(field.shape, width)


def _wide(shape: Shape, width: int) -> Iterator[Shaped]:
    match shape:
        case ByNode():
            for inner in (shape.scalar, shape.sequence, shape.mapping):
                yield from () if inner is None else _wide(inner, width)
        case ListOf():
            yield Shaped("list", [sample(shape.item, at) for at in range(width)])
            yield from (Shaped(f"list of {each.what}", [each.value]) for each in _inside(shape.item, width))
        case MapOf():
            yield Shaped("map", {name(shape.key.id, at): sample(shape.value, at) for at in range(width)})
            key = name(shape.key.id, 0)
            yield from (Shaped(f"map of {each.what}", {key: each.value}) for each in _inside(shape.value, width))
        case _:
            yield from (Shaped(what, value) for what, value in _long(shape, width))


def _inside(shape: Shape, width: int) -> Iterator[Shaped]:
    """Wide values inside a container; what is one text has been tried by itself."""
    return (each for each in _wide(shape, width) if not isinstance(each.value, str))


def _long(shape: Shape, width: int) -> Iterator[tuple[str, Any]]:
    match shape:
        case Text():
            yield "words", "word " * width
            yield "figures", "{bridge_cost} " * width
            yield "braces", "{" * width
        case Name():
            yield "name", name(shape.naming.id, 0) + "w" * width
            yield "path", "values" + ".w" * width
            yield "rows", "values.w" + "[w=1]" * width
        case Integer() | Expression() | Data() | Type() | Anything():
            yield "digits", int("1" * 4000) if width > 4000 else int("1" * width)
            yield "letters", "w" * width
            yield "brackets", "(" * width + "1" + ")" * width
            yield "signs", "1" + " + 1" * width
        case _:
            return
