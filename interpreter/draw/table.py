"""What lies beside the boards: one entry for each player, and what belongs to nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.draw.canvas import Canvas
from interpreter.draw.declared import Drawings, DrawnKind, Form
from interpreter.draw.ink import BLANK, BOLD, DIM, Line, join, plain, render, seat_styles, width, wrap
from interpreter.draw.maps import put_strokes
from interpreter.draw.pieces import NUMBER, Look, Numbers, Pieces
from rulespec.model.types import Boolean, Type, strip
from rulespec.model.world import StateVar, ZoneDecl, owner_of

if TYPE_CHECKING:
    from interpreter.state import State
    from interpreter.texts import Texts

#: Sites of a player stand side by side with blanks between them, unless one is wider than this.
NARROW = 6
#: What takes more lines than this is given by its number.
MOST_LINES = 2
#: Where a site beside its player shows nothing.
NOTHING: Line = plain("·", DIM)
BETWEEN: Line = plain(" │ ", DIM)


class TableDrawer:
    """Draws the table of one game in one language, without the zones that the boards show.

    A zone or cell that the content gives no name in any language is not shown: it is nothing that people look at.
    """

    def __init__(self, pieces: Pieces, texts: Texts, drawings: Drawings):
        self._pieces, self._texts = pieces, texts
        self._drawn, self._beside, self._pictured = drawings.zones(), drawings.beside, drawings.pictures
        self._colon = texts.word("engine.option", name="", value="")

    # ---- players ----

    def player_lines(
        self, state: State, look: Look, seat: int, most: int, you: int | None, numbers: Numbers
    ) -> list[Line]:
        """A player's name, points, counters, sites and zones, and pictures of pieces that are seen."""
        told = self.player_texts(state, look, seat, most, you, numbers)
        return [*told, *self._pictures(self.pictured(state, look, seat), look, most)]

    def player_texts(
        self, state: State, look: Look, seat: int, most: int, you: int | None, numbers: Numbers
    ) -> list[Line]:
        """The same without pictures."""
        items = [self._points(state, seat)]
        items += self._player_cells(state, look, seat)
        items += [line for kind in self._beside for line in self._row(kind, look, seat, numbers)]
        items += [item for zone in self._zones(state) for item in self._owned(state, look, zone, seat)]
        name = self._texts.player(seat)
        shown = self._texts.word("engine.you", player=name) if seat == you else name
        decides = state.decision is not None and state.decision.player == seat
        head = join(
            [plain("▸ " if decides else "  ", BOLD), plain(shown, seat_styles(state.game.seats)[seat]), plain("  ")]
        )
        return wrap([join([head, items[0]]), *items[1:]], most, BETWEEN, indent=4)

    def pictured(self, state: State, look: Look, seat: int) -> list[tuple[Form, int]]:
        """The pieces of a player that have a picture and are seen, each with it."""
        zones = [zone for zone in self._zones(state) if zone.domain == "player" and zone.holds in self._pictured]
        seen = [self._pieces.picture(look, ref, z.holds) for z in zones for ref in self._pieces.refs(look, z, seat)]
        return [picture for picture in seen if picture is not None]

    def _row(self, kind: DrawnKind, look: Look, seat: int, numbers: Numbers) -> Iterator[Line]:
        """The sites of one kind that belong to a player, in a row."""
        assert kind.beside is not None
        sites = [site for site, owner in enumerate(kind.beside) if owner == seat]
        cells = [self._cell_of(kind, site, look, numbers.get((kind.domain.name, site))) for site in sites]
        if cells:
            word = self._texts.words.message(f"board.{kind.domain.name}", {})
            row = self._side_by_side(cells)
            yield row if word is None else self._labelled(word, row)

    def _side_by_side(self, cells: list[Line]) -> Line:
        """Sites in a row; where one is long only those that hold something, with what the language puts between."""
        if max(map(width, cells)) <= NARROW:
            return join(cells, plain(" "))
        comma = self._texts.word("engine.comma", one="", other="")
        return join([cell for cell in cells if cell != NOTHING], plain(comma))

    def _cell_of(self, kind: DrawnKind, site: int, look: Look, number: int | None) -> Line:
        shown = [line for item in kind.items for line in self._pieces.shown(item, site, look, short=True, named=True)]
        offered = BLANK if number is None else plain(f"{number}:", NUMBER)
        if shown and width(shown[0]) > NARROW:  # a name, and what else is to be said of it
            shown[1:] = [join([plain(" ("), join(shown[1:], plain(" ")), plain(")")])] if shown[1:] else []
        return join([offered, join(shown)]) or NOTHING

    @staticmethod
    def _pictures(found: Sequence[tuple[Form, int]], look: Look, most: int) -> list[Line]:
        """Pictures of pieces side by side, in letters."""
        if not found:
            return []
        canvas = Canvas(most - 4, max(form.sizes[0][1] for form, _ in found))
        x = 0
        for form, ref in found:
            _put_piece(canvas, x, form, look, ref)
            x += form.sizes[0][0] + 3
        lines = [join([plain("    "), line]) for line in canvas.lines()]
        drawn = [at for at, line in enumerate(lines) if render(line)]
        return lines[: max(drawn, default=-1) + 1]

    def _points(self, state: State, seat: int) -> Line:
        base = state.game.facts.layout.regions["player.score"]
        return plain(self._texts.word("engine.points", points=int(state.cells[base + seat])), BOLD)

    def _player_cells(self, state: State, look: Look, seat: int) -> Iterator[Line]:
        for var in state.game.world.states.values():
            if var.domain == "player" and var.key != "player.score":
                yield from self._cell(state, look, var, seat)

    def _owned(self, state: State, look: Look, zone: ZoneDecl, seat: int) -> Iterator[Line]:
        """A zone of a player where something lies, or the places of one at the sites of a player."""
        if zone.domain == "player":
            if self._pieces.any(look, zone, seat):
                yield from self._entry(f"zone.{zone.key}", self._pieces.named(look, zone, seat))
        elif zone.domain is not None:
            places = [i for i in range(zone.places) if owner_of(state.game.world, zone, i) == seat]
            yield from self._at_sites(look, zone, places)

    # ---- what belongs to nobody ----

    def common_items(self, state: State, look: Look, most: int) -> list[Line]:
        """Cells and zones of the whole game, and zones at sites that are not drawn."""
        world = state.game.world
        items = [
            line for var in world.states.values() if var.domain is None for line in self._cell(state, look, var, 0)
        ]
        for zone in self._zones(state):
            if zone.domain is None and self._pieces.any(look, zone, 0):
                items += self._entry(f"zone.{zone.key}", self._in_short(look, zone, most))
            elif zone.domain not in (None, "player"):
                places = [i for i in range(zone.places) if owner_of(state.game.world, zone, i) is None]
                items += self._at_sites(look, zone, places)
        return items

    def _in_short(self, look: Look, zone: ZoneDecl, most: int) -> Line:
        """What lies in a zone of the whole game; how many, where naming it all would take many lines."""
        named = self._pieces.named(look, zone, 0)
        if width(named) <= MOST_LINES * most:
            return named
        return plain(self._texts.word("engine.pieces", n=len(self._pieces.refs(look, zone, 0))))

    def _at_sites(self, look: Look, zone: ZoneDecl, places: list[int]) -> Iterator[Line]:
        assert zone.domain is not None
        for place in places:
            if self._pieces.any(look, zone, place):
                site = self._texts.words.member(zone.domain, place)
                yield self._labelled(site, self._pieces.named(look, zone, place))

    # ---- entries ----

    def _zones(self, state: State) -> Iterator[ZoneDecl]:
        for zone in state.game.world.zones.values():
            if zone.key not in self._drawn and not zone.key.startswith("box."):
                yield zone

    def _cell(self, state: State, look: Look, var: StateVar, index: int) -> Iterator[Line]:
        value = state.cells[state.game.facts.layout.regions[var.key] + index]
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


def in_rows(items: Sequence[Line], most: int) -> list[Line]:
    """What belongs to nobody, side by side in lines of at most `most` cells."""
    return wrap([join([plain("  "), items[0]]), *items[1:]], most, BETWEEN, indent=2) if items else []


def _put_piece(canvas: Canvas, x: int, form: Form, look: Look, ref: int) -> None:
    own = Canvas(*form.sizes[0])
    put_strokes(own, form.strokes, look, ref)
    for y, line in enumerate(own.lines()):
        canvas.put(x, y, line)
