"""Names of things that mention other things: one that needs itself could never be written out."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics.model import Problems
from rulespec.lower.ir import Const, Ir
from rulespec.messages.keys import member_key, piece_key, site_key
from rulespec.messages.pattern import Place
from rulespec.model.types import ListType, Member, Piece, Record, SetType, Type, strip
from rulespec.model.world import World

Lowered = list[tuple[Place, Ir]]


class Mentions:
    """Which messages need which others, collected one by one and then checked."""

    def __init__(self, world: World):
        self._world = world
        self._edges: dict[str, list[tuple[str, Place]]] = {}

    def add(self, key: str, places: Lowered) -> None:
        """Notes the placeholders of a message."""
        self._edges[key] = [(needed, place) for place, ir in places for needed in self._needed(ir)]

    def check(self, problems: Problems) -> None:
        """Reports each ring of names once."""
        told: set[str] = set()
        for key, edges in self._edges.items():
            ring = next((place for needed, place in edges if key in self._reached(needed)), None)
            if ring is not None and key not in told:
                told |= self._reached(key)
                problems.add("RS515", ring.span, key=key)

    def _reached(self, start: str) -> set[str]:
        """A message and every other one that it needs."""
        waiting, seen = [start], set[str]()
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                waiting += [needed for needed, _ in self._edges.get(at, ())]
        return seen

    def _needed(self, ir: Ir) -> Iterator[str]:
        """The messages that writing out a value may need."""
        inner = strip(ir.type)
        if isinstance(ir, Const) and isinstance(inner, Member) and isinstance(ir.value, int) and ir.value >= 0:
            name = self._world.domains[inner.domain].members[ir.value]
            yield site_key(inner.domain) if name is None else member_key(inner.domain, name)
        else:
            yield from self._of_type(inner)

    def _of_type(self, t: Type) -> Iterator[str]:
        if isinstance(t, (ListType, SetType)):
            yield from self._of_type(strip(t.of))
        elif isinstance(t, Record):
            for _, of in t.fields:
                yield from self._of_type(strip(of))
        elif isinstance(t, Member):
            names = dict.fromkeys(self._world.domains[t.domain].members)
            yield from (site_key(t.domain) if n is None else member_key(t.domain, n) for n in names)
        elif isinstance(t, Piece):
            yield from (piece_key(t.kind, "name"), piece_key(t.kind, "back"))
