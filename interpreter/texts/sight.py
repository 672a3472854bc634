"""What a person sees of a piece: its front, its back, or only that it lies there."""

from __future__ import annotations

from typing import Any

from interpreter.executor.compile import Compiled
from rulespec.model.world import ZoneDecl


class Sight:
    """Which side of the pieces of one game a player sees."""

    def __init__(self, compiled: Compiled):
        self._codes, self._depth = compiled.handling.codes, compiled.handling.depth
        self._handling = compiled.handling
        self._world = compiled.world
        self._zones = [zone for zone in compiled.world.zones.values() for _ in range(zone.places)]

    def side(self, cells: list[Any], piece: int, viewer: int | None) -> str:
        """`front`, `back` or `hidden`. A viewer of None sees everything."""
        rest, code = divmod(piece, self._codes)
        place, position = divmod(rest, self._depth)
        zone = self._zones[place]
        if code >= self._world.pieces[zone.holds].count:
            return "back"
        if viewer is None or self._may(zone, zone.front, cells, place, position, viewer):
            return "front"
        return "back" if self._may(zone, zone.back, cells, place, position, viewer) else "hidden"

    def unseen(self, piece: int) -> int:
        """The same piece as one that sees only its back."""
        rest, code = divmod(piece, self._codes)
        kind = self._world.pieces[self._zones[rest // self._depth].holds]
        return rest * self._codes + (kind.unseen[code] if code < kind.count else code)

    def _may(self, zone: ZoneDecl, rule: str, cells: list[Any], place: int, position: int, viewer: int) -> bool:
        if rule == "owner":
            return self._owner(zone, place - zone.first) == viewer
        if rule == "top":
            return zone.shape != "stack" or position == len(self._handling.content(cells, place)) - 1
        return rule == "all"

    def _owner(self, zone: ZoneDecl, at: int) -> int | None:
        """The player to whom a place belongs: the player it is of, or that its site is of."""
        if zone.domain is None or zone.domain == "player":
            return at if zone.domain else None
        domain = self._world.domains[zone.domain]
        where = next((i for i, d in enumerate(domain.dims) if d.domain == "player"), None)
        return None if where is None else domain.coords[at][where]
