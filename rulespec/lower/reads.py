"""Which cells and zones an expression reads."""

from __future__ import annotations

from rulespec.lower.ir import CallIr, CallRow, Ir, Load, ZoneIr, walk_ir
from rulespec.model.world import Declarations


def reads_of(world: Declarations, ir: Ir, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """The regions and zones that an expression reads, through functions too."""
    found: set[str] = set()
    for node in walk_ir(ir):
        if isinstance(node, Load):
            found.add(node.region)
        elif isinstance(node, ZoneIr):
            found.add(node.zone)
        elif isinstance(node, (CallIr, CallRow)):
            for name in (node.function,) if isinstance(node, CallIr) else node.functions:
                body = world.functions[name].body
                if name not in seen and body is not None:
                    found |= reads_of(world, body, seen | {name})
    return frozenset(found)
