"""What a reader sees of a piece: its front, its back, or only that it lies there."""

from __future__ import annotations

from typing import Any

from interpreter import sight
from interpreter.middle.facts import Facts


class Sight(sight.Sight):
    """Which side of a piece a player sees; a viewer of None sees all fronts."""

    def __init__(self, facts: Facts):
        super().__init__(facts)
        self._codes = facts.pieces.codes

    def side(self, cells: list[Any], piece: int, seat: int | None) -> str:
        """`front`, `back` or `hidden`."""
        if seat is not None:
            return super().side(cells, piece, seat)
        place, _, code = self.place_of(piece)
        return "back" if code >= self.world.pieces[self.zone_at(place).holds].count else "front"

    def unseen(self, piece: int) -> int:
        """The same piece as one that sees only its back."""
        place, _, code = self.place_of(piece)
        kind = self.world.pieces[self.zone_at(place).holds]
        return piece - code + (kind.unseen[code] if code < kind.count else code)

    def piece_of(self, kind: str, code: int) -> int:
        """Some piece of a kind with a code, wherever it may lie."""
        zone = next(zone for zone in self.world.zones.values() if zone.holds == kind)
        return zone.first * self.world.depth * self._codes + code
