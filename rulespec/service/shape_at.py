"""Which shape of the registry belongs to a place of a file, by the way that leads there and the keys around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, Data, Expression, Field, ListOf, MapOf, Record, Shape, Use
from rulespec.service.place import Way

ROOT: Shape = Use(record="file")


@dataclass(frozen=True, slots=True)
class Held:
    """What may stand at a place: its shapes, and the record and the field that say so, where there are such."""

    shapes: tuple[Shape, ...]
    record: Record | None = None
    field: Field | None = None


def held_at(way: Way, around: Sequence[tuple[str, ...]]) -> Held:
    """What may stand at the end of a way. `around` are the keys of each map on it, () for a list."""
    held = Held((ROOT,))
    for number, step in enumerate(way):
        keys = around[number] if number < len(around) else ()
        held = held_inside(held, step, keys)
    return held


def held_inside(held: Held, step: str | int, keys: tuple[str, ...]) -> Held:
    """What may stand under a key, or as an item, of what is held. `keys` are those of the map, () for a list."""
    shapes: list[Shape] = []
    record, found = held.record, held.field
    for shape in held.shapes:
        if isinstance(shape, Use) and isinstance(step, str):
            record = REGISTRY.record(shape.record)
            field = field_of(record, keys, step)
            if field is not None:
                found = field
                shapes.append(field.shape)
            elif record.others is not None:
                shapes.append(record.others.value)
        else:
            shapes += _inside(shape, step)
    return Held(tuple(alternatives(shapes)), record, found)


def _inside(shape: Shape, step: str | int) -> Iterator[Shape]:
    if isinstance(shape, MapOf) and isinstance(step, str):
        yield shape.value
    elif isinstance(shape, ListOf) and isinstance(step, int):
        yield shape.item
    elif isinstance(shape, Data) or (isinstance(shape, Expression) and isinstance(step, int)):
        yield shape


def alternatives(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """The shapes, where several forms of writing are allowed those of each."""
    for shape in shapes:
        if isinstance(shape, ByNode):
            inner = [each for each in (shape.scalar, shape.sequence, shape.mapping) if each is not None]
            yield from alternatives(inner)
        else:
            yield shape


def fields_of(record: Record, keys: Sequence[str]) -> list[Field]:
    """The fields that a map with these keys may have: with the tag of a form, those of that form alone."""
    form = next((form for form in record.forms if form.tag in keys), None)
    if form is not None:
        return [*form.fields, *record.fields]
    near = [form for form in record.forms if any(field.name in keys for field in form.fields)]
    if near:  # only a part of it is there yet: its tag first, then what goes with it
        return list({field.name: field for form in near for field in form.fields}.values()) + list(record.fields)
    return [*(form.fields[0] for form in record.forms), *record.fields]


def field_of(record: Record, keys: Sequence[str], name: str) -> Field | None:
    """The field of a name in a map with these keys."""
    return next((field for field in fields_of(record, keys) if field.name == name), None) or record.field(name)
