"""Draws a board whose sites have sizes of their own: a map, or tiles with lines that go on from tile to tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.draw.arranging import Block, arranged
from interpreter.draw.canvas import Canvas
from interpreter.draw.declared import SMALL_WIDTH, Board, DrawnKind, Form, Item, Strokes
from interpreter.draw.fitting import Room
from interpreter.draw.ink import BLANK, BOLD, DIM, Line, cut, join, plain, width, wrap
from interpreter.draw.pieces import NUMBER, Look, Numbers, Pieces
from interpreter.draw.strokes import Grid, stroked
from rulespec.model.types import Piece, strip

if TYPE_CHECKING:
    from interpreter.texts import Texts

#: What stands lower on a map is not drawn.
MOST_LINES = 400
#: A named site without a size: its name in the frame, and a line.
NAMED_SIZE = (18, 3)


class MapDrawer:
    """Draws maps of one game in one language."""

    def __init__(self, pieces: Pieces, texts: Texts, room: Room):
        self._pieces, self._texts, self._room = pieces, texts, room
        self._arranged: dict[int, list[tuple[int, int]]] = {}

    def lines(self, board: Board, look: Look, most: int, numbers: Numbers) -> list[Line]:
        """A map, in lines of at most `most` cells where it has no more room."""
        sites = [(kind, site) for kind in board for site in range(kind.domain.size)]
        places = self._places(board, sites)
        sizes = [form_of(kind).sizes[site] for kind, site in sites]
        wide = max(x + w for (x, _), (w, _) in zip(places, sizes, strict=True))
        high = max(y + h for (_, y), (_, h) in zip(places, sizes, strict=True))
        canvas = Canvas(min(wide, self._room.cells(most)), min(high, MOST_LINES))
        for (kind, site), (x, y) in zip(sites, places, strict=True):
            if x >= canvas.width or y >= canvas.height:
                continue
            number = numbers.get((kind.domain.name, site))
            drawn = self._site(kind, site, look, number)
            if drawn.is_blank():
                canvas.put_under(x + drawn.width // 2, y + drawn.height // 2, plain("·", DIM))
            for at, line in enumerate(drawn.lines()):
                canvas.put(x, y + at, line, through=True)
        return self._room.fitted(canvas.lines(), wide, most)

    def _places(self, board: Board, sites: list[tuple[DrawnKind, int]]) -> list[tuple[int, int]]:
        if id(board) not in self._arranged:
            blocks = [Block(*kind.places[site], *form_of(kind).sizes[site]) for kind, site in sites]
            self._arranged[id(board)] = arranged(blocks)
        return self._arranged[id(board)]

    # ---- one site ----

    def _site(self, kind: DrawnKind, site: int, look: Look, number: int | None) -> Canvas:
        form = form_of(kind)
        wide, high = form.sizes[site]
        canvas = Canvas(wide, high)
        framed = form.framed[site] and wide > 2
        rim = (1 if framed else 0, 1 if framed and high > 2 else 0)
        put_strokes(canvas, form.strokes, look, site)
        for item in (item for row in form.rows for item in row):
            self._put_picture(canvas, item, site, look)
        rows = list(self._content(form, site, look, wide - 2 * rim[0], high - 2 * rim[1]))
        offered = plain("" if number is None else f"{number}:", NUMBER)
        if rim[1]:
            put_frame(canvas, self._title(kind, site), offered)
        else:
            rows = with_number(rows, offered, wide - 2 * rim[0])
        top = rim[1] + (high - 2 * rim[1] - len(rows)) // 2
        for at, row in enumerate(rows):
            canvas.put((wide - width(row)) // 2, top + at, row)
        if framed and not rim[1]:
            canvas.put(0, 0, plain("(", DIM))
            canvas.put(wide - 1, 0, plain(")", DIM))
        return canvas

    def _content(self, form: Form, site: int, look: Look, wide: int, high: int) -> Iterator[Line]:
        """What is shown in a site, in lines that have room there."""
        rows = [[line for item in row for line in self._shown(item, site, look)] for row in form.rows]
        if not any(rows):
            return
        if len(rows) == 1 and high > 1:
            yield from (cut(line, wide) for line in wrap(rows[0], wide, plain(" "))[:high])
        else:
            yield from (side_by_side(row, wide) for row in rows[:high])

    def _shown(self, item: Item, site: int, look: Look) -> list[Line]:
        if self._picture(item, site, look) is not None:
            return []
        return self._pieces.shown(item, site, look, short=True)

    def _title(self, kind: DrawnKind, site: int) -> Line:
        name = kind.domain.members[site]
        return BLANK if name is None else plain(self._texts.words.member(kind.domain.name, site), BOLD)

    # ---- pieces with a picture ----

    def _picture(self, item: Item, site: int, look: Look) -> tuple[Form, int] | None:
        """The picture of the one piece that is shown, with the piece, where it has one that is seen."""
        of = strip(item.type)
        piece = item.value(look.cells, site) if isinstance(of, Piece) else -1
        return self._pieces.picture(look, piece, of.kind) if isinstance(of, Piece) and piece >= 0 else None

    def _put_picture(self, canvas: Canvas, item: Item, site: int, look: Look) -> None:
        found = self._picture(item, site, look)
        if found is not None:
            put_strokes(canvas, found[0].strokes, look, found[1])


def form_of(kind: DrawnKind) -> Form:
    """The size and content of a kind's sites on a map, also where the content does not say them."""
    if kind.form is not None:
        return kind.form
    n = kind.domain.size
    size = (kind.width or SMALL_WIDTH, 1) if kind.small else NAMED_SIZE
    return Form((size,) * n, (kind.items,), (not kind.small,) * n, None)


def put_strokes(canvas: Canvas, strokes: Strokes | None, look: Look, at: int) -> None:
    """Draws the lines of a site or piece, if it has any."""
    if strokes is None or (strokes.secret and look.viewer is not None):
        return
    pairs = strokes.pairs(look.cells, at)
    if not pairs:
        return
    tile = Grid(canvas.width, canvas.height, strokes.ports)
    for y, row in enumerate(stroked(tile, pairs, double=strokes.is_double(look.cells, at))):
        canvas.put(0, y, plain(row), through=True)


def put_frame(canvas: Canvas, title: Line, number: Line) -> None:
    """Draws a thin line round a site, with its number and title in the upper edge."""
    inner = canvas.width - 2
    canvas.put(0, 0, plain(f"┌{'─' * inner}┐", DIM))
    for y in range(1, canvas.height - 1):
        canvas.put(0, y, plain("│", DIM))
        canvas.put(canvas.width - 1, y, plain("│", DIM))
    canvas.put(0, canvas.height - 1, plain(f"└{'─' * inner}┘", DIM))
    canvas.put(1, 0, cut(join([number, *([plain(" ")] if number and title else []), title]), inner))


def with_number(rows: list[Line], number: Line, most: int) -> list[Line]:
    """The lines of a site that can be chosen: with its number before the first thing that is shown."""
    if not number or not any(rows):
        return [number] if number else rows
    first = next(at for at, row in enumerate(rows) if row)
    row = cut(join([number, rows[first]]), most)
    return [*rows[:first], row, *rows[first + 1 :]]


def side_by_side(lines: list[Line], most: int) -> Line:
    """Things in one line: with blanks between them where there is room for these."""
    spaced = join(lines, plain(" "))
    return spaced if width(spaced) <= most else cut(join(lines), most)
