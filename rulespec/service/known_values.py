"""Values that are known before play, as they are written."""

from __future__ import annotations

from rulespec.lower.ir import NO_INTEGER, Const, Ir
from rulespec.model.types import Boolean, Integer, Member, strip
from rulespec.model.world import World


def written(value: Ir | None, world: World) -> str:
    """A value that is known before play, as it is written; nothing for a table, a list or what is not known."""
    if not isinstance(value, Const) or not isinstance(value.value, int) or value.value in (-1, NO_INTEGER):
        return ""
    t = strip(value.type)
    if isinstance(t, Boolean):
        return "true" if value.value else "false"
    if isinstance(t, Integer):
        return str(value.value)
    if isinstance(t, Member):
        members = world.domains[t.domain].members
        return (members[value.value] or "") if 0 <= value.value < len(members) else ""
    return ""
