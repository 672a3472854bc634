"""Short ways to read trees."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.source.tree import Mapping, Node, Scalar, Sequence, parts_of


def pairs_of(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """The pairs of a map; none of anything else."""
    return node.pairs if isinstance(node, Mapping) else ()


def keys_under(tree: Node | None, *names: str) -> tuple[str, ...]:
    """The keys of the map at the end of some keys."""
    for name in names:
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    return tree.keys() if isinstance(tree, Mapping) else ()


def text_under(node: Node | None, name: str) -> str:
    """The text under a key, on one line; an empty one where there is none."""
    found = node.get(name) if isinstance(node, Mapping) else None
    return " ".join(found.text.split()) if isinstance(found, Scalar) else ""


def texts_of(node: Node | None) -> tuple[str, ...]:
    """The texts of a list, or of the one value that stands for it."""
    if isinstance(node, Scalar):
        return (node.text,)
    return tuple(item.text for item in node.items if isinstance(item, Scalar)) if isinstance(node, Sequence) else ()


def values_of_key(node: Node | None, key: str) -> Iterator[Scalar]:
    """The single values that stand under a key anywhere inside a node."""
    waiting = [node] if node is not None else []
    while waiting:
        at = waiting.pop()
        if isinstance(at, Mapping):
            found = at.get(key)
            if isinstance(found, Scalar):
                yield found
        waiting += parts_of(at)
