"""A group of kinds on a board: its keys are its kinds, beside what it says of itself."""

from __future__ import annotations

from rulespec.model.registry.common import COMMON
from rulespec.source.nodes import Mapping, Node, Scalar

_SAID = frozenset(field.name for field in COMMON)


def kinds_in(group: Node | None) -> list[tuple[Scalar, Node]]:
    """The kinds of a group with their names; nothing where it is no group."""
    return [(key, node) for key, node in group.pairs if key.text not in _SAID] if isinstance(group, Mapping) else []
