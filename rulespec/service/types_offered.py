"""What may stand in a type."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.expr.unfinished import wanted_after
from rulespec.model.registry import REGISTRY
from rulespec.model.types import Integer
from rulespec.model.world import World
from rulespec.service.items import Item

_PLAIN = ("integer", "boolean", "effect", "player")
_MEANINGS = {each.name: each.meaning for each in REGISTRY.types}


def types_at(before: str, world: World) -> Iterator[Item]:
    """What may follow the beginning of a type."""
    wanted = wanted_after(before, "type")
    if wanted is None:
        wanted = frozenset({"NAME", "MANY"})
    if "NAME" in wanted and before.rstrip().endswith(".."):
        yield from (
            Item(name, "value", str(ir.type)) for name, ir in world.values.items() if isinstance(ir.type, Integer)
        )
        return
    if "NAME" in wanted:
        yield from (Item(name, "type", meaning=_MEANINGS.get(name, "")) for name in _PLAIN)
        for name, domain in world.domains.items():
            yield Item(name, "enum" if domain.form == "enum" else "kind", rank=1)
        yield from (Item(name, "piece", rank=1) for name in world.pieces)
        if before.rstrip().endswith("by"):
            yield Item("player_count", "builtin", "integer")
    if "MANY" in wanted:
        for word in ("list of", "set of"):
            yield Item(word, "word", meaning=_MEANINGS.get(word, ""), rank=1)
    if "OR" in wanted:
        yield Item("or none", "word", meaning=_MEANINGS.get("or none", ""))
    if "BY" in wanted:
        yield Item("by", "word", meaning=_MEANINGS.get("by", ""))
    if "OF" in wanted:
        yield Item("of", "word")
    if "NONE" in wanted:
        yield Item("none", "word")
