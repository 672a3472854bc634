"""Positions as SVG: each site in its shape, with what lies there, its lines and its name; below it what lies beside.

    Vector(game, game.texts("fr")).svg(state, EVERYBODY)

The words are those of the terminal drawing: the same declarations, marks, colours of seats and legend. All looks are
attributes of the elements: no style sheet and no script, so that the strictest policy of a page shows it. Whatever a
name holds is text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import pi, sin
from typing import TYPE_CHECKING, Final

from interpreter.draw.arranging import Block, arranged
from interpreter.draw.curves import Ink, lines_through, no_ink
from interpreter.draw.declared import SMALL_WIDTH, Board, DrawnKind, Form, Item, drawings
from interpreter.draw.figures import Figure, Mark, fitted
from interpreter.draw.ink import BOLD, Line, cut, join, plain, render, seat_styles, width, wrap
from interpreter.draw.lettering import COLOURS as _COLOURS
from interpreter.draw.lettering import GROUND, INK, Letters
from interpreter.draw.looks import Looks, Tint
from interpreter.draw.maps import form_of
from interpreter.draw.pieces import Look, Pieces
from interpreter.draw.shapes import Box, outline, room_for, room_in
from interpreter.draw.table import TableDrawer, in_rows
from interpreter.draw.xml import element, words
from rulespec.lower.domains import site_text
from rulespec.model.registry.looks import COLOURS as COLOURS_BY_NAME
from rulespec.model.types import ListType, Piece, strip

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from interpreter.texts import Texts

CELL, HIGH = 9, 18  #: a character of the terminal drawing, in pixels
SITE: Final = 54  #: the width and height of a site that has no size of its own
GAP: Final = 6
MARGIN: Final = 16
INDENT: Final = 4 * CELL  #: of what belongs to a player, as in its lines
MOST_PICTURED: Final = 24  #: pieces of one player
MOST_FIGURES: Final = 6  #: pieces of one place that are drawn as icons
TABLE_WIDTH: Final = 76  #: characters of a line below the boards
MOST_SIDE: Final = 20_000  #: pixels of a picture: what lies further out is not drawn

#: Discs that are not of a letter's colour with a white mark: their colour and the mark's.
_DISCS: Final = {"33": ("#facc15", "#1f2937"), "136": ("#facc15", "#1f2937"), "166": ("#fb923c", "#1f2937")}
#: Those of seats whose ids are words for what is no colour of a terminal.
_NAMED_DISCS: Final = {"white": ("#ffffff", "#1f2937"), "black": ("#1f2937", "#ffffff")}
#: Marks that are a disc themselves.
_ROUND: Final = frozenset("●○⚫⚪⬤")
_EDGE, _LIT = "#9ca3af", "#f59e0b"
_FONT: Final = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class Vector:
    """Draws positions of one game in one language. Raises ContentError where a `draw` declaration is at fault."""

    def __init__(self, game: Game, texts: Texts):
        declared = drawings(game)
        self._game, self._texts, self._boards = game, texts, declared.boards
        self._pieces = Pieces(game, texts, declared)
        self._table = TableDrawer(self._pieces, texts, declared)
        styles = zip(game.seats, seat_styles(game.seats), strict=True)
        self._letters = Letters(declared.icons)
        self._seats = [
            _seat_colour(seat, style) for seat, style in zip(game.seats, seat_styles(game.seats), strict=True)
        ]
        self._discs = {style: _NAMED_DISCS[seat] for seat, style in styles if seat in _NAMED_DISCS}

    def svg(
        self,
        state: State,
        viewer: int | None,
        lit: Collection[tuple[str, int]] = (),
        columns: int = TABLE_WIDTH,
    ) -> str:
        """A position as a viewer sees it (None sees all), with the sites `lit` that can be chosen.

        Lines below the boards have at most so many `columns` of letters.
        """
        look = Look(state.cells, viewer)
        parts: list[str] = []
        wide, top = float(columns * CELL), float(MARGIN)
        for board in self._boards:
            top = self._titled(board, top, parts)
            sites, size = self._sites(board, top)
            sites.sort(key=lambda site: not site[0].looks.is_road)  # whatever stands at a road stands over it
            parts += [self._site(kind, at, box, look, (kind.domain.name, at) in lit) for kind, at, box in sites]
            wide, top = max(wide, size[0]), size[1] + MARGIN
            if left := sum(kind.domain.size for kind in board) - len(sites):
                parts.append(self._letters.at(plain(self._texts.word("engine.board.far", n=left)), MARGIN, top))
                top += HIGH
        below, end = self._below(state, look, columns, top)
        if below:  # whoever shows the picture may put this part elsewhere
            parts.append(element("g", {"data-below": f"{top:g}"}, "".join(below)))
        top = end
        return _picture(self._texts.title(), wide + 2 * MARGIN, top + MARGIN, parts)

    # ---- boards ----

    def _titled(self, board: Board, top: float, parts: list[str]) -> float:
        """Puts a board's title down; where the board begins."""
        title = self._texts.words.message(board.title, {})
        if title is None:
            return top
        parts.append(self._letters.at(plain(title, BOLD), MARGIN, top + HIGH * 0.75))
        return top + HIGH + GAP

    def _sites(self, board: Board, top: float) -> tuple[list[tuple[DrawnKind, int, Box]], tuple[float, float]]:
        """Where each site stands, and where the board ends."""
        sites = [(kind, at) for kind in board for at in range(kind.domain.size)]
        is_map = any(kind.form is not None for kind in board)
        boxes = self._on_a_map(sites) if is_map else self._on_a_grid(sites)
        placed = [Box(box.x + MARGIN, box.y + top, box.wide, box.high) for box in boxes]
        found = [(kind, at, box) for (kind, at), box in zip(sites, placed, strict=True) if _is_near(box)]
        right = max((box.x + box.wide for _, _, box in found), default=0.0)
        bottom = max((box.y + box.high for _, _, box in found), default=top)
        return found, (right, bottom)

    @staticmethod
    def _on_a_map(sites: Sequence[tuple[DrawnKind, int]]) -> list[Box]:
        """The sites in their own sizes, where the terminal drawing has them."""
        sizes = [(kind.pictured or form_of(kind).sizes)[at] for kind, at in sites]
        blocks = [Block(*kind.places[at], *size) for (kind, at), size in zip(sites, sizes, strict=True)]
        places = arranged(blocks)
        return [Box(x * CELL, y * HIGH, w * CELL, h * HIGH) for (x, y), (w, h) in zip(places, sizes, strict=True)]

    def _on_a_grid(self, sites: Sequence[tuple[DrawnKind, int]]) -> list[Box]:
        """The sites in columns and rows of one size."""
        wide = max(self._width(kind) for kind, _ in sites)
        high = max(float(SITE if kind.small else SITE + HIGH) for kind, _ in sites)
        row = high + GAP
        if all(
            kind.looks.fixed_shape == "hexagon" for kind, _ in sites
        ):  # each stands in the gap between two of the row above
            high = wide / sin(pi / 3)
            row = high * 0.75 + GAP
        columns, rows = ([kind.places[at][axis] for kind, at in sites] for axis in (0, 1))
        step, left, first = _step(columns, rows), min(columns), min(rows)
        touches = all(kind.looks.fixed_shape in ("", "square") and kind.small for kind, _ in sites)
        gap, row = (0, high) if touches else (GAP, row)
        return [
            Box((x - left) / step * (wide + gap), (y - first) * row, wide, high)
            for x, y in zip(columns, rows, strict=True)
        ]

    def _width(self, kind: DrawnKind) -> float:
        """What a site of a kind needs: a square, or room for its name."""
        if kind.small:
            return max(SITE, (kind.width or SMALL_WIDTH) * CELL + 2 * GAP)
        names = [width(plain(self._name(kind, at))) for at in range(kind.domain.size)]
        return min(max(18, *names), 30) * CELL + 2 * GAP

    # ---- one site ----

    def _site(self, kind: DrawnKind, at: int, box: Box, look: Look, is_lit: bool) -> str:
        key, looks = site_text(self._game.world, kind.domain.name, at), kind.looks
        shape = looks.shape.of(look.cells, at, look.viewer) or "square"
        edge = self._outlined(looks, at, look)
        site = {"data-site": key} | ({"data-edge": edge["stroke"]} if is_lit else {})  # who lights sites anew needs it
        if is_lit:
            edge |= {"stroke": _LIT, "stroke-width": "3"}
        inside = [element("title", {}, words(self._name(kind, at))), outline(shape, box, edge)]
        ink = self._ink(looks, at, look)
        if kind.form is not None:
            inside += lines_through(kind.form.strokes, box, look, at, ink, is_road=looks.is_road)
        inside += self._pictures(kind, at, box, look, ink)
        room = room_in(shape, box)
        rows = self._rows(kind, at, look, max(int(room.wide / CELL), 1))
        if len(rows) == 1 and kind.small and (disc := self._disc(rows[0], box)):
            return element("g", site, "".join([*inside, disc]))
        ground = edge["fill"] if edge["fill"] != "none" else GROUND
        rows = rows[: max(int(box.high // HIGH), 1)]
        figures = [row for row in rows if any(isinstance(mark, Figure) for mark in row)]
        room = room_for(shape, room, max(map(len, figures), default=0), len(figures))
        inside += fitted(rows, room, self._letters, ground)
        return element("g", site, "".join(inside))

    def _outlined(self, looks: Looks, at: int, look: Look) -> dict[str, str]:
        """The colours of a site that cannot be chosen."""
        edge = self._colour(looks.edge, at, look) or _EDGE
        return {"fill": self._colour(looks.fill, at, look) or GROUND, "stroke": edge, "stroke-width": "1"}

    def _colour(self, tint: Tint, at: int, look: Look) -> str | None:
        """A colour that is declared, as it stands in the picture."""
        found = tint.of(look.cells, at, look.viewer)
        if isinstance(found, str):
            return "none" if found == "none" else COLOURS_BY_NAME[found]
        return None if found is None else self._seats[found]

    def _ink(self, looks: Looks, at: int, look: Look) -> Ink:
        """The colours of the lines through a site, by port."""
        if not looks.inks:
            return no_ink
        tints = dict(looks.inks)
        return lambda port: self._colour(tints[port], at, look) if port in tints else None

    def _name(self, kind: DrawnKind, at: int) -> str:
        return self._texts.words.member(kind.domain.name, at)

    def _rows(self, kind: DrawnKind, at: int, look: Look, most: int) -> list[list[Mark]]:
        """What is written in a site, line by line."""
        is_named = not kind.small and kind.domain.members[at] is not None
        found: list[list[Mark]] = [[cut(plain(self._name(kind, at), BOLD), most)]] if is_named else []
        for row in form_of(kind).rows:
            marks = [mark for item in row for mark in self._marks(item, at, look)]
            if any(isinstance(mark, Figure) for mark in marks):
                found.append(marks)
            else:
                lines = wrap([mark for mark in marks if not isinstance(mark, Figure)], most, plain(" "))
                found += [[cut(line, most)] for line in lines if line]
        return found

    def _marks(self, item: Item, at: int, look: Look) -> list[Mark]:
        """What a site shows of one thing: pieces with an icon as that, where they are few."""
        if _pictured(self._pieces, item, at, look) is not None:
            return []
        refs, kind = _refs(self._pieces, item, at, look)
        figures = [self._figure(ref, kind, look) for ref in refs]
        shown = [each for each in figures if each is not None]
        if not shown or len(shown) < len(figures) or len(shown) > MOST_FIGURES:
            return list(self._pieces.shown(item, at, look, short=True))
        return list(shown)

    def _figure(self, ref: int, kind: str, look: Look) -> Figure | None:
        """A piece as an icon, where it has one that is seen."""
        looks = self._pieces.figure(look, ref, kind)
        name = None if looks is None else looks.icon.of(look.cells, ref, look.viewer)
        if looks is None or name is None:
            return None
        says = render(self._pieces.mark(look, ref, kind))
        owner = self._pieces.owner(ref, kind)
        fill = self._colour(looks.fill, ref, look) or (INK if owner is None else self._seats[owner])
        return Figure(name, INK if fill == "none" else fill, "".join(c for c in says if c.isalnum())[:2], says)

    def _pictures(self, kind: DrawnKind, at: int, box: Box, look: Look, ink: Ink) -> Iterator[str]:
        """The lines of the pieces that lie there and have a picture."""
        for item in (item for row in form_of(kind).rows for item in row):
            found = _pictured(self._pieces, item, at, look)
            if found is not None:
                yield from lines_through(found[0].strokes, box, look, found[1], ink)

    def _disc(self, row: Sequence[Mark], box: Box) -> str:
        """A single mark in a player's colour as a disc of that colour; empty for anything else."""
        if len(row) != 1 or isinstance(row[0], Figure) or len(row[0]) > 1:
            return ""
        text, style = row[0][0]
        looks = {part: (colour, "#ffffff") for part, colour in _COLOURS.items()} | _DISCS
        found = self._discs.get(style) or next((looks[part] for part in style.split(";") if part in looks), None)
        if found is None or width(row[0]) > 2 or min(box.wide, box.high) < SITE:
            return ""
        x, y = box.middle
        place = {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{SITE * 0.37:g}", "fill": found[0], "stroke": _EDGE}
        letter = "" if text in _ROUND else self._letters.centred(plain(text), x, y, found[1])
        return element("circle", place) + letter

    # ---- beside the boards ----

    def _below(self, state: State, look: Look, most: int, top: float) -> tuple[list[str], float]:
        """What signs mean, what belongs to nobody, and the players with their pieces; and where it ends."""
        common = in_rows(self._table.common_items(state, look, most), most)
        legend = self._pieces.legend(look, set())
        signs = wrap([join([plain("  "), legend[0]]), *legend[1:]], most, plain("  "), indent=2) if legend else []
        parts, top = self._lines_at([*signs, *common], top)
        for seat in range(state.game.players):
            told, top = self._lines_at(self._table.player_texts(state, look, seat, most, None, {}), top)
            shown, top = _pieces_at(self._table.pictured(state, look, seat), look, most * CELL, top)
            parts += [*told, *shown]
        return parts, top

    def _lines_at(self, lines: Sequence[Line], top: float) -> tuple[list[str], float]:
        """Lines of text from a height on, and where they end."""
        found = [self._letters.at(line, MARGIN, top + (n + 0.75) * HIGH) for n, line in enumerate(lines)]
        return found, top + len(lines) * HIGH


def _pieces_at(found: Sequence[tuple[Form, int]], look: Look, most: float, top: float) -> tuple[list[str], float]:
    """Pieces with their pictures as they lie on the board, in rows at most so wide, and where these end."""
    parts: list[str] = []
    left, high = 0.0, 0.0
    for form, ref in found[:MOST_PICTURED]:
        wide, own = form.sizes[0][0] * CELL, form.sizes[0][1] * HIGH
        if left > 0 and INDENT + left + wide > most:
            left, top, high = 0.0, top + high + GAP, 0.0
        box = Box(MARGIN + INDENT + left, top + GAP, wide, own)
        edge = {"fill": GROUND, "stroke": _EDGE, "stroke-width": "1"}
        parts += [outline("square", box, edge), *lines_through(form.strokes, box, look, ref)]
        left, high = left + wide + 2 * GAP, max(high, float(own))
    return parts, top + (high + 2 * GAP if found else 0)


def _pictured(pieces: Pieces, item: Item, at: int, look: Look) -> tuple[Form, int] | None:
    """The picture of the one piece that is shown, with the piece, where it has one that is seen."""
    of = strip(item.type)
    if not isinstance(of, Piece) or item.zone is not None:
        return None
    piece = item.value(look.cells, at)
    return pieces.picture(look, piece, of.kind) if piece is not None and piece >= 0 else None


def _refs(pieces: Pieces, item: Item, at: int, look: Look) -> tuple[list[int], str]:
    """The pieces that an item shows, and their kind; none where it shows something else."""
    value, of = item.value(look.cells, at), strip(item.type)
    if item.zone is not None:
        return (pieces.refs(look, item.zone, value) if value >= 0 else []), item.zone.holds
    inner = strip(of.of) if isinstance(of, ListType) else of
    if not isinstance(inner, Piece) or value is None or (item.secret and look.viewer is not None):
        return [], ""
    return [ref for ref in (value if isinstance(of, ListType) else [value]) if ref >= 0], inner.kind


def _is_near(box: Box) -> bool:
    return box.x + box.wide <= MOST_SIDE and box.y + box.high <= MOST_SIDE


def _step(columns: Sequence[int], rows: Sequence[int]) -> int:
    """The least distance of neighbours in one row: columns may be counted by halves, as of hexes."""
    by_row: dict[int, set[int]] = {}
    for x, y in zip(columns, rows, strict=True):
        by_row.setdefault(y, set()).add(x)
    return min((b - a for xs in by_row.values() for a, b in pairwise(sorted(xs))), default=1)


def _seat_colour(seat: str, style: str) -> str:
    """What stands for a seat in a picture: as clear as its disc."""
    if seat in _NAMED_DISCS:
        return _NAMED_DISCS[seat][0]
    looks = {part: (colour, "") for part, colour in _COLOURS.items()} | _DISCS
    return next((looks[part][0] for part in style.split(";") if part in looks), INK)


def _picture(title: str, wide: float, high: float, parts: Sequence[str]) -> str:
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {wide:g} {high:g}",
        "width": f"{wide:g}",
        "height": f"{high:g}",
        "role": "img",
        "font-family": _FONT,
        "font-size": "14",
        "fill": INK,
    }
    ground = element("rect", {"width": f"{wide:g}", "height": f"{high:g}", "fill": "#ffffff"})
    return element("svg", attributes, "".join([element("title", {}, words(title)), ground, *parts])) + "\n"
