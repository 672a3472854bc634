"""Who sees into a zone."""

from __future__ import annotations

from interpreter.state import State
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.lower.context import bad, reporting
from rulespec.lower.ir import ZoneIr
from rulespec.lower.scope import Scope
from rulespec.source.nodes import Node


def who_sees(state: State, zone: Node) -> list[str] | None:
    """The seats that see the fronts of all pieces in a zone; None where it is empty.

    Raises ContentError where `zone` is no zone of the game.
    """
    game, problems = state.game, Problems()
    cx = game.built.context
    with reporting(cx, problems):
        place = cx.lower(zone, Scope(game.world, {}, seats_first=True))
    if bad(place) or not isinstance(place, ZoneIr):
        if not bad(place):
            problems.add("RS303", zone.span, expected="zone", found=str(place.type))
        raise ContentError(problems.items)
    number = game.world.zones[place.zone].first + game.facts.values.of(place.place, state.cells)
    pieces = game.facts.pieces.refs(state.cells, number)
    sight = game.knowledge.sight
    seen = [
        name
        for seat, name in enumerate(game.seats)
        if all(sight.side(state.cells, piece, seat) == "front" for piece in pieces)
    ]
    return seen if pieces else None
