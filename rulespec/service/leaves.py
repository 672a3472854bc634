"""All values and keys of a file with what they are: each with the shapes that the registry has for its place.

for leaf in leaves(tree):
    if leaf.is_expression:
        print(leaf.way, leaf.node.text)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.model.shapes import Data, Expression, Name, Text, Type
from rulespec.service.place import Way
from rulespec.service.referred import REFERS
from rulespec.service.shape_at import Held, held_at, held_inside
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: Collections inside collections; what lies deeper is refused when it is read.
MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value that is no collection, at the end of a way of keys and numbers; or a key, whose way ends before it."""

    way: Way
    node: Scalar
    held: Held
    is_key: bool = False

    @property
    def is_expression(self) -> bool:
        """Whether it is read as an expression."""
        return not self.is_key and any(isinstance(shape, (Expression, Data)) for shape in self.held.shapes)

    @property
    def is_type(self) -> bool:
        """Whether it is read as a type."""
        return not self.is_key and any(isinstance(shape, Type) for shape in self.held.shapes)

    @property
    def is_text(self) -> bool:
        """Whether it is words for people."""
        return not self.is_key and any(isinstance(shape, Text) for shape in self.held.shapes)

    @property
    def is_move(self) -> bool:
        """Whether it is the key of an option, in a scenario's moves."""
        return self.is_text and self.held.record is not None and self.held.record.name == "move"

    @property
    def refers(self) -> str:
        """What it is a name of, as in `referred.REFERS`; an empty text where it is no such name."""
        if self.is_key or not any(isinstance(shape, (Name, Text)) for shape in self.held.shapes):
            return ""
        record, field = self.held.record, self.held.field
        return REFERS.get((record.name if record else "", field.name if field else ""), "")


def leaves(tree: Node, start: int = 0, end: int | None = None) -> Iterator[Leaf]:
    """The values and keys of a file in its order; only those that touch a stretch, where one is given."""
    last = tree.span.file.text if end is None else ""
    yield from _inside(tree, (), held_at((), ()), start, len(last) if end is None else end)


def _inside(node: Node, way: Way, held: Held, start: int, end: int) -> Iterator[Leaf]:
    if node.span.start > end or node.span.end < start or len(way) > MAX_DEPTH:
        return
    if isinstance(node, Scalar):
        yield Leaf(way, node, held)
    elif isinstance(node, Mapping):
        keys = node.keys()
        for key, value in node.pairs:
            yield Leaf(way, key, held, is_key=True)
            yield from _inside(value, (*way, key.text), held_inside(held, key.text, keys), start, end)
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from _inside(item, (*way, number), held_inside(held, number, ()), start, end)
