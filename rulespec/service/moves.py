"""The options of a scenario's moves: actions, and what can be chosen in them."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.model.types import Member, strip
from rulespec.service.items import Item
from rulespec.service.place import Place
from rulespec.service.reading import keys_under, values_of_key
from rulespec.service.referred import Known

#: What answers a step that may be declined, and ends a choice of several.
ANSWERS = ("accept", "decline", "stop", "done")


def move_items(known: Known, place: Place) -> Iterator[Item]:
    """What may stand in the key of an option: an action at its beginning, then members, pieces and answers."""
    typed = place.typed.lstrip("\"' ")
    is_first = " " not in typed
    for name in keys_under(known.tree, "actions"):
        yield Item(name, "action", rank=0 if is_first else 2)
    for name in keys_under(known.tree, "effects"):
        yield Item(name, "effect", rank=2)
    for name in ANSWERS:
        yield Item(name, "word", rank=1)
    for section in ("actions", "effects", "triggers", "flow", "setup"):
        node = known.tree.get(section)
        for key in ("id", "choose", "for_each"):
            yield from (Item(value.text, "choice", rank=1) for value in values_of_key(node, key))
    yield from _members(known)


def _members(known: Known) -> Iterator[Item]:
    for name, domain in known.world.domains.items():
        yield Item(name, "kind", rank=1)
        yield from (Item(member, "member", name, rank=1) for member in domain.members if member)
    for name, kind in known.world.pieces.items():
        yield Item(name, "piece", rank=1)
        yield from (Item(row, "member", name, rank=1) for row in dict.fromkeys(kind.row_names) if row)
        for attribute in kind.attributes.values():
            of = strip(attribute.type)
            if isinstance(of, Member):
                yield Item(of.domain, "enum", rank=3)
