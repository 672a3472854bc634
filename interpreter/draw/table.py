"""What lies beside the boards: one entry for each player, and what belongs to nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.draw.ink import BOLD, DIM, Line, join, plain, seat_style, wrap
from interpreter.draw.pieces import Look, Pieces
from interpreter.sight import owner_of
from rulespec.model.types import Boolean, Type, strip
from rulespec.model.world import StateVar, ZoneDecl

if TYPE_CHECKING:
    from interpreter.state import State
    from interpreter.texts import Texts

#: A kind with more sites than this has only those listed where something lies.
MOST_SITES = 6
BETWEEN: Line = plain(" │ ", DIM)


class TableDrawer:
    """Draws the table of one game in one language, without the zones that the boards show.

    A zone or cell that the content gives no name in any language is not shown: it is nothing that people look at.
    """

    def __init__(self, pieces: Pieces, texts: Texts, drawn: set[str]):
        self._pieces, self._texts, self._drawn = pieces, texts, drawn
        self._colon = texts.word("engine.option", name="", value="")

    # ---- players ----

    def player_lines(self, state: State, look: Look, seat: int, most: int, you: int | None) -> list[Line]:
        """A player's name, points, counters and zones."""
        items = [self._points(state, seat)]
        items += self._player_cells(state, look, seat)
        items += [item for zone in self._zones(state) for item in self._owned(state, look, zone, seat)]
        name = self._texts.player(seat)
        shown = self._texts.word("engine.you", player=name) if seat == you else name
        decides = state.decision is not None and state.decision.player == seat
        head = join([plain("▸ " if decides else "  ", BOLD), plain(shown, seat_style(seat)), plain("  ")])
        first, *rest = wrap([join([head, items[0]]), *items[1:]], most, BETWEEN, indent=4)
        return [first, *rest]

    def _points(self, state: State, seat: int) -> Line:
        base = state.game.compiled.layout.regions["player.score"]
        return plain(self._texts.word("engine.points", points=int(state.cells[base + seat])), BOLD)

    def _player_cells(self, state: State, look: Look, seat: int) -> Iterator[Line]:
        for var in state.game.world.states.values():
            if var.domain == "player" and var.key != "player.score":
                yield from self._cell(state, look, var, seat)

    def _owned(self, state: State, look: Look, zone: ZoneDecl, seat: int) -> Iterator[Line]:
        """A zone of a player, or the places of one at the sites of a player."""
        if zone.domain == "player":
            yield from self._entry(f"zone.{zone.key}", self._pieces.named(look, zone, seat))
        elif zone.domain is not None:
            places = [i for i in range(zone.places) if owner_of(state.game.world, zone, i) == seat]
            yield from self._at_sites(look, zone, places)

    # ---- what belongs to nobody ----

    def common_lines(self, state: State, look: Look, most: int) -> list[Line]:
        """Cells and zones of the whole game, and zones at sites that are not drawn."""
        world = state.game.world
        items = [
            line for var in world.states.values() if var.domain is None for line in self._cell(state, look, var, 0)
        ]
        for zone in self._zones(state):
            if zone.domain is None:
                items += self._entry(f"zone.{zone.key}", self._pieces.named(look, zone, 0))
            elif zone.domain != "player":
                places = [i for i in range(zone.places) if owner_of(state.game.world, zone, i) is None]
                items += self._at_sites(look, zone, places)
        return wrap([join([plain("  "), items[0]]), *items[1:]], most, BETWEEN, indent=2) if items else []

    def _at_sites(self, look: Look, zone: ZoneDecl, places: list[int]) -> Iterator[Line]:
        assert zone.domain is not None
        for place in places:
            if len(places) <= MOST_SITES or self._pieces.refs(look, zone, place):
                site = self._texts.words.member(zone.domain, place)
                yield self._labelled(site, self._pieces.named(look, zone, place))

    # ---- entries ----

    def _zones(self, state: State) -> Iterator[ZoneDecl]:
        for zone in state.game.world.zones.values():
            if zone.key not in self._drawn and not zone.key.startswith("box."):
                yield zone

    def _cell(self, state: State, look: Look, var: StateVar, index: int) -> Iterator[Line]:
        value = state.cells[state.game.compiled.layout.regions[var.key] + index]
        return self._entry(f"state.{var.key}", self._value(look, value, var.type))

    def _value(self, look: Look, value: object, t: Type) -> Line:
        if isinstance(strip(t), Boolean):
            return plain(self._texts.word("engine.yes" if value else "engine.no"))
        return plain(self._texts.name(value, t, look.cells, look.viewer))

    def _entry(self, key: str, value: Line) -> Iterator[Line]:
        label = self._texts.words.message(key, {})
        if label is not None:
            yield self._labelled(label, value)

    def _labelled(self, label: str, value: Line) -> Line:
        return join([plain(label + self._colon, DIM), value])
