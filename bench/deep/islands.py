"""The game that the registry's examples make together, and a place in it for each field of each record.

tree = island()                               # a whole game that `check` finds good
put(tree, "zone", field, 3)                   # the same with that field in an entry of its own
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from rulespec.model.registry import REGISTRY
from rulespec.model.registry.looks import COLOURS, ICONS, SHAPES
from rulespec.model.shapes import (
    Boolean,
    ByNode,
    Field,
    Form,
    Integer,
    ListOf,
    MapOf,
    Name,
    Record,
    Shape,
    Use,
    Word,
)

Tree = dict[str, Any]
ASIDE = ("variant", "pack")  #: sections that make a file something else than a part of a game

#: What a key or a name of each kind of naming may be; `{}` is a number.
NAMES = {
    "declared": "w{}", "local": "w{}", "member": "w{}", "known": "w{}", "read_as": "w{}", "read_on": "cell.w{}",
    "message": "w{}.prompt", "plural": "{}", "port": "{}", "any": "w{}", "players": "{}", "path": "values.w{}",
    "step_of": "w{}", "moment": "red w{}", "code": "RS{:03}",
}  # fmt: skip
#: Of these there are only a few.
FEW = {"colour": tuple(COLOURS), "icon": tuple(ICONS), "shape": tuple(name for name, _ in SHAPES)}


def name(naming: str, number: int) -> str:
    """A name of a kind of naming."""
    if naming == "language":
        return "".join(chr(ord("a") + number // 26**at % 26) for at in (2, 1, 0))
    if naming == "sign":
        return chr(0x4E00 + number)
    if naming in FEW:  # where more are wanted, they come again
        return FEW[naming][number % len(FEW[naming])]
    return NAMES[naming].format(number)


def read(text: str) -> Any:
    """A tree; by the quick loader where there is one."""
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe


def value_of(field: Field) -> Any:
    """The example of a field as a tree."""
    return read(field.example)


@cache
def _sections() -> Tree:
    tree: Tree = {field.name: value_of(field) for field in REGISTRY.root.fields if field.name not in ASIDE}
    tree["messages"] |= {key: {"en": re.sub(r"[._]", " ", key)} for key in _UNSAID}
    return tree


#: Names that the examples leave unsaid.
_UNSAID = (
    "player.red player.green player.blue player.black option.open_hands ground.water ground.meadow ground.hill"
    " level.low level.high cell.name village.north village.south token.name card.name card.back die.name"
).split()


def island() -> Tree:
    """The sections' examples, with a name for everything."""
    return copy.deepcopy(_sections())


def overlay() -> Tree:
    """The example of a variant, as a file of its own."""
    return {field.name: value_of(field) for field in REGISTRY.root.fields if field.name == "variant"}


# ---- a place for each record ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hop:
    """From a record into a field of it (None: its other keys), and by which containers to the next record."""

    record: Record
    field: Field | None
    containers: tuple[ListOf | MapOf, ...]


def containers(shape: Shape) -> Iterator[tuple[tuple[ListOf | MapOf, ...], str]]:
    """The records that a shape leads to, each with the lists and maps around it."""
    match shape:
        case Use(record=record):
            yield (), record
        case ListOf(item=inner) | MapOf(value=inner):
            yield from (((shape, *rest), record) for rest, record in containers(inner))
        case ByNode():
            for way in (shape.mapping, shape.sequence, shape.scalar):
                if way is not None:
                    yield from containers(way)
        case _:
            return


def hops_from(record: Record) -> Iterator[tuple[Hop, str]]:
    """The ways from a record to records."""
    for field in record.all_fields():
        yield from ((Hop(record, field, path), to) for path, to in containers(field.shape))
    if record.others is not None:
        yield from ((Hop(record, None, path), to) for path, to in containers(record.others))


@cache
def routes() -> dict[str, tuple[Hop, ...]]:
    """The shortest way from a file to each record."""
    found: dict[str, tuple[Hop, ...]] = {REGISTRY.root.name: ()}
    waiting = [REGISTRY.root]
    for record in waiting:
        for hop, to in hops_from(record):
            if to not in found:
                found[to] = (*found[record.name], hop)
                waiting.append(REGISTRY.record(to))
    return found


def form_with(record: Record, field: Field | None) -> Form | None:
    """The form of a record that has a field, else the first one."""
    forms = record.forms or (None,)
    return next((form for form in forms if form is not None and field in form.fields), forms[0])


def entry(record: Record, field: Field | None = None, value: Any = None) -> Tree:
    """A smallest entry of a record that has a field."""
    form = form_with(record, field)
    fields = (*record.fields, *(form.fields if form is not None else ()))
    made = {each.name: value_of(each) for each in fields if each.required}
    return made | ({} if field is None else {field.name: value})


def put(tree: Tree, record: str, field: Field | None, value: Any, number: int = 0) -> Tree:
    """Puts an entry of a record with a field into a tree; the same tree. Without a field: the value is the entry."""
    node = tree
    route = routes()[record]
    for at, hop in enumerate(route):
        last = at + 1 == len(route)
        of = REGISTRY.record(record) if last else route[at + 1].record
        inner = field if last else route[at + 1].field
        given = value if last else (None if inner is None else value_of(inner))
        made = entry(of, inner, given) if inner is not None or not last else value
        node = _enter(node, hop, made, number)
    if not route and field is not None:
        node[field.name] = value
    return tree


def _enter(node: Any, hop: Hop, made: Tree, number: int) -> Tree:
    """Puts an entry where a hop leads to; the entry as it is there."""
    around = hop.containers
    key: Any = "" if hop.field is None else hop.field.name
    at = 0
    if hop.field is None:
        assert isinstance(around[0], MapOf)
        key, at = name(around[0].key.id, number), 1
    for container in around[at:]:
        kind = dict if isinstance(container, MapOf) else list
        if not isinstance(node.get(key) if isinstance(node, dict) else node[key], kind):
            node[key] = kind()
        inner = node[key]
        if isinstance(inner, list):
            inner.append(None)
            key = len(inner) - 1
        else:
            assert isinstance(container, MapOf)
            key = name(container.key.id, number)
        node = inner
    there = node.get(key) if isinstance(node, dict) else None
    if isinstance(there, dict) and not (around and there):
        made = _merged(there, made)
    node[key] = made
    return made


def _merged(there: Tree, made: Tree) -> Tree:
    """An entry that is there, with what another one has beyond it."""
    return there | {key: value for key, value in made.items() if key not in there or value is None} | made


# ---- small values of each shape -------------------------------------------------------------------------------------


def sample(shape: Shape, number: int = 0) -> Any:
    """A small value of a shape; the types of expressions are not looked at."""
    match shape:
        case Integer():
            return shape.least or 1
        case Boolean():
            return True
        case Word():
            return shape.names[0]
        case Name():
            return name(shape.naming.id, number)
        case ListOf():
            return [sample(shape.item, number)]
        case MapOf():
            return {name(shape.key.id, number): sample(shape.value, number)}
        case ByNode():
            inner = shape.scalar or shape.mapping or shape.sequence
            assert inner is not None
            return sample(inner, number)
        case Use(record=record):
            return entry(REGISTRY.record(record))
        case _:
            return "1"
