"""Positions as SVG: each site in its shape, with what lies there, its lines and its name; below it what lies beside.

    Vector(game, game.texts("fr")).svg(state, EVERYBODY)

The words are those of the terminal drawing: the same declarations, marks, colours of seats and legend. All looks are
attributes of the elements: no style sheet and no script, so that the strictest policy of a page shows it. Whatever a
name holds is text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from interpreter.draw.arranging import Block, arranged
from interpreter.draw.declared import SMALL_WIDTH, Board, DrawnKind, Form, Item, Strokes, drawings
from interpreter.draw.ink import BOLD, DIM, TO_INK, Line, cut, join, plain, seat_styles, width, wrap
from interpreter.draw.maps import form_of
from interpreter.draw.pieces import Look, Pieces
from interpreter.draw.table import TableDrawer, in_rows
from interpreter.draw.xml import element, words
from rulespec.lower.domains import site_text
from rulespec.lower.drawings import CORNERS, SIDES
from rulespec.model.types import Piece, strip

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
TABLE_WIDTH: Final = 76  #: characters of a line below the boards
MOST_SIDE: Final = 20_000  #: pixels of a picture: what lies further out is not drawn

_COLOURS: Final = {
    "94": "#1d4ed8",
    "91": "#b91c1c",
    "33": "#a16207",
    "32": "#15803d",
    "95": "#a21caf",
    "36": "#0e7490",
    "34": "#1e3a8a",
    "31": "#7f1d1d",
    "166": "#c2410c",
    "136": "#a16207",
    "130": "#78350f",
    "90": "#4b5563",
}
#: Discs that are not of a letter's colour with a white mark: their colour and the mark's.
_DISCS: Final = {"33": ("#facc15", "#1f2937"), "136": ("#facc15", "#1f2937"), "166": ("#fb923c", "#1f2937")}
#: Those of seats whose ids are words for what is no colour of a terminal.
_NAMED_DISCS: Final = {"white": ("#ffffff", "#1f2937"), "black": ("#1f2937", "#ffffff")}
#: Marks that are a disc themselves.
_ROUND: Final = frozenset("●○⚫⚪⬤")
_INK, _PALE, _EDGE, _GROUND, _LIT = "#1f2937", "#6b7280", "#9ca3af", "#fafaf9", "#f59e0b"
_FONT: Final = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands, in pixels."""

    x: float
    y: float
    wide: float
    high: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.wide / 2, self.y + self.high / 2


class Vector:
    """Draws positions of one game in one language. Raises ContentError where a `draw` declaration is at fault."""

    def __init__(self, game: Game, texts: Texts):
        declared = drawings(game)
        self._game, self._texts, self._boards = game, texts, declared.boards
        self._pieces = Pieces(game, texts, declared)
        self._table = TableDrawer(self._pieces, texts, declared)
        styles = zip(game.seats, seat_styles(game.seats), strict=True)
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
            parts += [self._site(kind, at, box, look, (kind.domain.name, at) in lit) for kind, at, box in sites]
            wide, top = max(wide, size[0]), size[1] + MARGIN
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
        parts.append(_text_line(plain(title, BOLD), MARGIN, top + HIGH * 0.75))
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
        sizes = [form_of(kind).sizes[at] for kind, at in sites]
        blocks = [Block(*kind.places[at], *size) for (kind, at), size in zip(sites, sizes, strict=True)]
        places = arranged(blocks)
        return [Box(x * CELL, y * HIGH, w * CELL, h * HIGH) for (x, y), (w, h) in zip(places, sizes, strict=True)]

    def _on_a_grid(self, sites: Sequence[tuple[DrawnKind, int]]) -> list[Box]:
        """The sites in columns and rows of one size."""
        wide = max(self._width(kind) for kind, _ in sites)
        high = max(float(SITE if kind.small else SITE + HIGH) for kind, _ in sites)
        row = high + GAP
        if all(kind.shape == "hexagon" for kind, _ in sites):  # each stands in the gap between two of the row above
            high = wide / sin(pi / 3)
            row = high * 0.75 + GAP
        columns, rows = ([kind.places[at][axis] for kind, at in sites] for axis in (0, 1))
        step, left, first = _step(columns, rows), min(columns), min(rows)
        touches = all(kind.shape in ("", "square") and kind.small for kind, _ in sites)
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
        key = site_text(self._game.world, kind.domain.name, at)
        inside = [element("title", {}, words(self._name(kind, at))), *_outline(kind.shape, box, is_lit)]
        if kind.form is not None:
            inside += _strokes(kind.form.strokes, box, look, at)
        inside += self._pictures(kind, at, box, look)
        rows = self._rows(kind, at, look, max(int(box.wide / CELL), 1))
        most = max(int(box.high // HIGH), 1)
        if len(rows) == 1 and kind.small and (disc := _disc(rows[0], box, self._discs)):
            return element("g", {"data-site": key}, "".join([*inside, disc]))
        start = box.middle[1] - (min(len(rows), most) - 1) * HIGH / 2
        inside += [_centred(row, box.middle[0], start + n * HIGH) for n, row in enumerate(rows[:most])]
        return element("g", {"data-site": key}, "".join(inside))

    def _name(self, kind: DrawnKind, at: int) -> str:
        return self._texts.words.member(kind.domain.name, at)

    def _rows(self, kind: DrawnKind, at: int, look: Look, most: int) -> list[Line]:
        """What is written in a site, line by line."""
        form = form_of(kind)
        is_named = not kind.small and kind.domain.members[at] is not None
        found = [cut(plain(self._name(kind, at), BOLD), most)] if is_named else []
        for row in form.rows:
            marks = [
                line
                for item in row
                if _pictured(self._pieces, item, at, look) is None
                for line in self._pieces.shown(item, at, look, short=True)
            ]
            found += [cut(line, most) for line in wrap(marks, most, plain(" "))]
        return [row for row in found if row]

    def _pictures(self, kind: DrawnKind, at: int, box: Box, look: Look) -> Iterator[str]:
        """The lines of the pieces that lie there and have a picture."""
        for item in (item for row in form_of(kind).rows for item in row):
            found = _pictured(self._pieces, item, at, look)
            if found is not None:
                yield from _strokes(found[0].strokes, box, look, found[1])

    # ---- beside the boards ----

    def _below(self, state: State, look: Look, most: int, top: float) -> tuple[list[str], float]:
        """What signs mean, what belongs to nobody, and the players with their pieces; and where it ends."""
        common = in_rows(self._table.common_items(state, look, most), most)
        legend = self._pieces.legend(look, set())
        signs = wrap([join([plain("  "), legend[0]]), *legend[1:]], most, plain("  "), indent=2) if legend else []
        parts, top = _lines_at([*signs, *common], top)
        for seat in range(state.game.players):
            told, top = _lines_at(self._table.player_texts(state, look, seat, most, None, {}), top)
            shown, top = _pieces_at(self._table.pictured(state, look, seat), look, most * CELL, top)
            parts += [*told, *shown]
        return parts, top


def _lines_at(lines: Sequence[Line], top: float) -> tuple[list[str], float]:
    """Lines of text from a height on, and where they end."""
    return [_text_line(line, MARGIN, top + (n + 0.75) * HIGH) for n, line in enumerate(lines)], top + len(lines) * HIGH


def _pieces_at(found: Sequence[tuple[Form, int]], look: Look, most: float, top: float) -> tuple[list[str], float]:
    """Pieces with their pictures as they lie on the board, in rows at most so wide, and where these end."""
    parts: list[str] = []
    left, high = 0.0, 0.0
    for form, ref in found[:MOST_PICTURED]:
        wide, own = form.sizes[0][0] * CELL, form.sizes[0][1] * HIGH
        if left > 0 and INDENT + left + wide > most:
            left, top, high = 0.0, top + high + GAP, 0.0
        box = Box(MARGIN + INDENT + left, top + GAP, wide, own)
        parts += [*_outline("", box, is_lit=False), *_strokes(form.strokes, box, look, ref)]
        left, high = left + wide + 2 * GAP, max(high, float(own))
    return parts, top + (high + 2 * GAP if found else 0)


def _pictured(pieces: Pieces, item: Item, at: int, look: Look) -> tuple[Form, int] | None:
    """The picture of the one piece that is shown, with the piece, where it has one that is seen."""
    of = strip(item.type)
    if not isinstance(of, Piece) or item.zone is not None:
        return None
    piece = item.value(look.cells, at)
    return pieces.picture(look, piece, of.kind) if piece is not None and piece >= 0 else None


def _is_near(box: Box) -> bool:
    return box.x + box.wide <= MOST_SIDE and box.y + box.high <= MOST_SIDE


def _step(columns: Sequence[int], rows: Sequence[int]) -> int:
    """The least distance of neighbours in one row: columns may be counted by halves, as of hexes."""
    by_row: dict[int, set[int]] = {}
    for x, y in zip(columns, rows, strict=True):
        by_row.setdefault(y, set()).add(x)
    return min((b - a for xs in by_row.values() for a, b in pairwise(sorted(xs))), default=1)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def _outline(shape: str, box: Box, is_lit: bool) -> Iterator[str]:
    """The edge of a site, twice as strong where it can be chosen."""
    look = {"fill": _GROUND, "stroke": _LIT if is_lit else _EDGE, "stroke-width": "3" if is_lit else "1"}
    if shape == "circle":
        (x, y), radius = box.middle, min(box.wide, box.high) / 2
        yield element("circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{radius:g}", **look})
    elif shape in _CORNERS:
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in _CORNERS[shape](box))
        yield element("polygon", {"points": points, **look})
    else:
        yield element("rect", {**_rect(box), **look})


def _rect(box: Box) -> dict[str, str]:
    return {"x": f"{box.x:g}", "y": f"{box.y:g}", "width": f"{box.wide:g}", "height": f"{box.high:g}"}


def _hexagon(box: Box) -> list[tuple[float, float]]:
    """Six corners, one at the top."""
    (x, y), rx, ry = box.middle, box.wide / 2, box.high / 2
    return [(x + rx * sin(n * pi / 3) / sin(pi / 3), y - ry * cos(n * pi / 3)) for n in range(6)]


def _octagon(box: Box) -> list[tuple[float, float]]:
    """A rectangle with cut corners."""
    cut_off = min(box.wide, box.high) * (1 - 1 / 2**0.5)
    right, bottom = box.x + box.wide, box.y + box.high
    return [
        (box.x + cut_off, box.y), (right - cut_off, box.y), (right, box.y + cut_off), (right, bottom - cut_off),
        (right - cut_off, bottom), (box.x + cut_off, bottom), (box.x, bottom - cut_off), (box.x, box.y + cut_off),
    ]  # fmt: skip


_CORNERS: Final = {"hexagon": _hexagon, "octagon": _octagon}


# ---- lines -----------------------------------------------------------------------------------------------------------


def _strokes(strokes: Strokes | None, box: Box, look: Look, at: int) -> Iterator[str]:
    """The lines through a site or piece, as curves from port to port."""
    if strokes is None or (strokes.secret and look.viewer is not None):
        return
    is_double = strokes.is_double(look.cells, at)
    x, y = box.middle
    for start, end in strokes.pairs(look.cells, at):
        (x1, y1), (x2, y2) = (_port(box, strokes.ports, port) for port in (start, end))
        path = {"d": f"M{x1:g} {y1:g}Q{x:g} {y:g} {x2:g} {y2:g}", "fill": "none", "stroke-linecap": "round"}
        yield element("path", {**path, "stroke": _INK, "stroke-width": "6" if is_double else "3"})
        if is_double:
            yield element("path", {**path, "stroke": _GROUND, "stroke-width": "2"})


def _port(box: Box, ports: int, number: int) -> tuple[float, float]:
    """Where a port lies: clockwise from the left end of the top, then the corners from the upper left."""
    right, bottom = box.x + box.wide, box.y + box.high
    corners = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom))
    if number >= SIDES * ports:
        return corners[(number - SIDES * ports) % CORNERS]
    side, along = divmod(number, ports)
    part = (along + 0.5) / ports
    (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % CORNERS]
    return x1 + (x2 - x1) * part, y1 + (y2 - y1) * part


def _disc(line: Line, box: Box, named: Mapping[str, tuple[str, str]]) -> str:
    """A single mark in a player's colour as a disc of that colour; empty for anything else."""
    text, style = line[0]
    looks = {part: (colour, "#ffffff") for part, colour in _COLOURS.items()} | _DISCS
    found = named.get(style) or next((looks[part] for part in style.split(";") if part in looks), None)
    if found is None or len(line) > 1 or width(line) > 2 or min(box.wide, box.high) < SITE:
        return ""
    x, y = box.middle
    place = {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{SITE * 0.37:g}", "fill": found[0], "stroke": _EDGE}
    return element("circle", place) + ("" if text in _ROUND else _centred(plain(text), x, y, found[1]))


# ---- texts -----------------------------------------------------------------------------------------------------------


def _centred(line: Line, x: float, y: float, fill: str | None = None) -> str:
    """A line in the middle of something, with a rim that sets it off from what is drawn beneath."""
    place = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": "middle", "dominant-baseline": "central"}
    rim = {"paint-order": "stroke", "stroke": _GROUND, "stroke-width": "4", "stroke-linejoin": "round"}
    return element("text", place | (rim if fill is None else {"fill": fill}), _runs(line))


def _text_line(line: Line, x: float, y: float) -> str:
    return element("text", {"x": f"{x:g}", "y": f"{y:g}", "xml:space": "preserve"}, _runs(line))


def _runs(line: Line) -> str:
    """The parts of a line, each in the colour and weight of its style."""
    return "".join(element("tspan", _looks(style), words(text)) if style else words(text) for text, style in line)


def _looks(style: str) -> dict[str, str]:
    parts = style.split(";")
    colour = next((_COLOURS[part] for part in parts if part in _COLOURS), _PALE if DIM in parts else _INK)
    colour = _INK if TO_INK in parts else colour
    return {"fill": colour} | ({"font-weight": "bold"} if BOLD in parts else {})


def _picture(title: str, wide: float, high: float, parts: Sequence[str]) -> str:
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {wide:g} {high:g}",
        "width": f"{wide:g}",
        "height": f"{high:g}",
        "role": "img",
        "font-family": _FONT,
        "font-size": "14",
        "fill": _INK,
    }
    ground = element("rect", {"width": f"{wide:g}", "height": f"{high:g}", "fill": "#ffffff"})
    return element("svg", attributes, "".join([element("title", {}, words(title)), ground, *parts])) + "\n"
