"""Loops over members before play: how large they are written out, what may repeat, what they read of a piece."""

from __future__ import annotations

from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, children
from rulespec.model.types import Boolean, Integer, ListType, Member, strip

MOST_UNROLLED = 6
MOST_WRITTEN = 400  #: nodes of an expression that is written out for each member


def needs_ref(node: Ir | None, name: str) -> bool:
    """Whether an expression uses a piece itself and not only its code."""
    if node is None:
        return False
    if isinstance(node, I.Var):
        return node.name == name
    if isinstance(node, I.CodeOf) and isinstance(node.piece, I.Var):
        return False
    return any(needs_ref(child, name) for child in children(node))


def written_out(node: Ir) -> int:
    """How many nodes an expression has when the small loops in it are written out too."""
    inside = 1 + sum(map(written_out, children(node)))
    small = isinstance(node, I.Comprehend) and isinstance(node.source, I.Whole) and node.source.size <= MOST_UNROLLED
    return inside * node.source.size if small and isinstance(node, I.Comprehend) else inside  # type: ignore[attr-defined]


def highest(declared: Declared, wanted: Ir) -> int | None:
    """The highest value that is asked for, where all from 0 on are known; None where not, or where it may be none."""
    t = wanted.type
    if isinstance(wanted, I.Const) and isinstance(wanted.value, int):
        return wanted.value if wanted.value >= 0 else None
    if isinstance(t, Member):
        return declared.domains[t.domain].size - 1
    if isinstance(t, Boolean):
        return 1
    return t.high if isinstance(t, Integer) and t.low is not None and t.low >= 0 else None


def may_repeat(declared: Declared, source: Ir) -> bool:
    """Whether a source of members or numbers may hold one of them twice: a list of which it is not known otherwise."""
    if not isinstance(strip(source.type), ListType) or isinstance(source, (I.RangeIr, I.Clockwise, I.WalkIr)):
        return False
    if isinstance(source, I.Comprehend) and source.op not in ("list", "first"):  # some members of its own source
        return may_repeat(declared, source.source)
    if isinstance(source, I.Table):
        return any(len(set(items)) < len(items) for items in declared.table(source.table) if isinstance(items, tuple))
    return True
