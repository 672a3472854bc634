"""The labels (`rule:`) that a list of steps carries, without what it performs."""

from __future__ import annotations

from rulespec.source.nodes import Mapping, Node, Scalar, Sequence


def labels_of(node: Node | None) -> tuple[str, ...]:
    """All labels in the steps of an effect or action, in order of the text."""
    found: list[str] = []
    _collect(node, found)
    return tuple(dict.fromkeys(found))


def _collect(node: Node | None, found: list[str]) -> None:
    if isinstance(node, Sequence):
        for item in node.items:
            _collect(item, found)
    elif isinstance(node, Mapping):
        for key, value in node.pairs:
            if key.text == "rule" and isinstance(value, Scalar):
                found.append(value.text)
            elif not isinstance(value, Scalar):
                _collect(value, found)
