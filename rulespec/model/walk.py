"""Going through a tree beside the registry: which keys the language gives, and which are names that content gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, Field, ListOf, MapOf, Record, Shape, Use
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

_RECORDS: Final = {record.name: record for record in REGISTRY.records}

#: The shape of a whole file.
FILE: Final = Use(record="file")


def entries(node: Mapping, shape: Shape | None) -> Iterator[tuple[Scalar, Node, Shape | None, bool]]:
    """Each key of a map with its value, the value's shape, and whether the key is a field that the language gives."""
    shape = shape_for(node, shape)
    if isinstance(shape, MapOf):
        yield from ((key, value, shape.value, False) for key, value in node.pairs)
        return
    record = _RECORDS[shape.record] if isinstance(shape, Use) else None
    fields = {} if record is None else {field.name: field.shape for field in _fields(record, node)}
    others = None if record is None or record.others is None else record.others.value
    for key, value in node.pairs:
        is_field = key.text in fields
        yield key, value, fields[key.text] if is_field else others, is_field


def members(node: Sequence, shape: Shape | None) -> Iterator[tuple[Node, Shape | None]]:
    """Each member of a list with its shape."""
    shape = shape_for(node, shape)
    item = shape.item if isinstance(shape, ListOf) else None
    return ((each, item) for each in node.items)


def shape_for(node: Node, shape: Shape | None) -> Shape | None:
    """The shape for the form in which `node` is written."""
    if not isinstance(shape, ByNode):
        return shape
    if isinstance(node, Mapping):
        return shape.mapping
    return shape.sequence if isinstance(node, Sequence) else shape.scalar


def _fields(record: Record, node: Mapping) -> list[Field]:
    """The fields of the form that `node` has."""
    form = next((form for form in record.forms if form.tag in node), None)
    return [*record.fields, *(form.fields if form is not None else ())]
