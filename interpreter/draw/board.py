"""Draws one board: every site is a block of lines, and the blocks are put on a grid of characters.

Small sites are one line: their content, or a dot. Where a board has nothing but small sites side by side, thin lines
are drawn between them. Any other site is a box: its name and its numbers in the upper edge, the rest inside. A board
whose sites have sizes of their own is a map (`interpreter.draw.maps`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from interpreter.draw.declared import SMALL_WIDTH, Board, DrawnKind, Item
from interpreter.draw.fitting import Room
from interpreter.draw.ink import BLANK, BOLD, DIM, Line, cut, join, pad, plain, width, wrap
from interpreter.draw.lattice import framed
from interpreter.draw.maps import MapDrawer
from interpreter.draw.pieces import NUMBER, Look, Numbers, Pieces
from rulespec.model.types import Integer, strip

if TYPE_CHECKING:
    from interpreter.texts import Texts

LEAST_BOX = 18
TALLEST_FRAME = 12


@dataclass(frozen=True, slots=True)
class Block:
    """A site as it is drawn: where it stands on the board, and its lines, all of one width."""

    x: int
    y: int
    lines: tuple[Line, ...]

    @property
    def width(self) -> int:
        return width(self.lines[0])


class BoardDrawer:
    """Draws the boards of one game in one language."""

    def __init__(self, pieces: Pieces, texts: Texts, room: Room):
        self._pieces, self._texts, self._room = pieces, texts, room
        self._maps = MapDrawer(pieces, texts, room)

    def lines(self, board: Board, look: Look, most: int, numbers: Numbers) -> list[Line]:
        """A board, in lines of at most `most` cells where it has no more room."""
        if any(kind.form is not None for kind in board):
            return self._maps.lines(board, look, most, numbers)
        if all(kind.small for kind in board):
            return self._small_board(board, look, most, numbers)
        box = self._box_width(board, most)
        blocks = [block for kind in board for block in self._blocks(kind, look, box, numbers)]
        return self._placed(blocks, most, gap=0 if all(not kind.small for kind in board) else 1)

    def _placed(self, blocks: list[Block], most: int, gap: int) -> list[Line]:
        lines = placed(blocks, most, gap)
        return self._room.fitted(lines, max((width(line) for line in lines), default=0), most)

    # ---- boards of small sites ----

    def _small_board(self, board: Board, look: Look, most: int, numbers: Numbers) -> list[Line]:
        sites = {}
        for kind in board:
            for site, place in enumerate(kind.places):
                sites[place] = self._small(kind, site, look, numbers)
        wide = max(kind.width or SMALL_WIDTH for kind in board)
        if _is_lattice(sites, wide, most):
            return framed({place: pad(line, wide, centre=True) for place, line in sites.items()}, wide)
        blocks = [Block(x, y, (pad(line, wide, centre=True),)) for (x, y), line in sites.items()]
        return self._placed(blocks, most, gap=1)

    def _small(self, kind: DrawnKind, site: int, look: Look, numbers: Numbers) -> Line:
        """The content of a small site, a dot, or the number of the option that it stands for."""
        most = kind.width or SMALL_WIDTH
        content = _fitting(self._shown(kind.items, site, look, short=True), most)
        number = numbers.get((kind.domain.name, site))
        if number is not None:
            return _offered(content, number, most)
        return content or plain("·", DIM)

    # ---- boxes ----

    def _box_width(self, board: Board, most: int) -> int:
        """The width of all boxes of a board: what titles need, and no more than the board has room for."""
        wanted = LEAST_BOX
        for kind in board:
            if not kind.small:
                titles = [width(self._title(kind, site, None)) for site in range(kind.domain.size)]
                wanted = max(wanted, max(titles) + 6 + 4 * sum(_is_number(item) for item in kind.items))
        places = [place for kind in board for place in kind.places]
        step = _least_step(places)
        columns = (max(x for x, _ in places) - min(x for x, _ in places)) // step + 1
        return max(min(wanted, most // columns), 6)

    def _blocks(self, kind: DrawnKind, look: Look, box: int, numbers: Numbers) -> list[Block]:
        found = []
        for site, (x, y) in enumerate(kind.places):
            if kind.small:
                line = pad(self._small(kind, site, look, numbers), kind.width or SMALL_WIDTH, centre=True)
                found.append(Block(x, y, (line,)))
            else:
                found.append(Block(x, y, self._box(kind, site, look, box, numbers)))
        return found

    def _box(self, kind: DrawnKind, site: int, look: Look, box: int, numbers: Numbers) -> tuple[Line, ...]:
        numbers_shown = [item for item in kind.items if _is_number(item)]
        others = [item for item in kind.items if not _is_number(item)]
        figures = join(self._shown(numbers_shown, site, look, short=True), plain(" "))
        inside = self._shown(others, site, look, short=False)
        title = self._title(kind, site, numbers.get((kind.domain.name, site)))
        lines = wrap(inside, box - 4, plain(" "))
        if width(title) > box - 5 - width(figures):  # too long for the edge: inside, in several lines
            title, lines = BLANK, [*wrap([title], box - 4), *lines]
        return boxed(title, figures, lines, box)

    def _shown(self, items: Sequence[Item], site: int, look: Look, *, short: bool) -> list[Line]:
        return [line for item in items for line in self._pieces.shown(item, site, look, short=short)]

    def _title(self, kind: DrawnKind, site: int, number: int | None) -> Line:
        name = plain(self._texts.words.member(kind.domain.name, site), BOLD)
        return name if number is None else join([plain(f"[{number}] ", BOLD), name])


def _is_number(item: Item) -> bool:
    return isinstance(strip(item.type), Integer)


def _fitting(lines: list[Line], most: int) -> Line:
    """As many as fit side by side, and the first one in any case."""
    found = BLANK
    for line in lines:
        if found and width(found) + width(line) > most:
            break
        found = join([found, line])
    return cut(found, most)


def _offered(content: Line, number: int, most: int) -> Line:
    """A site that can be chosen: its number where there is room, else its content marked."""
    if not content:
        return plain(str(number), NUMBER)
    whole = join([plain(f"{number}:", NUMBER), content])
    if width(whole) <= most:
        return whole
    return cut(join([plain("[", NUMBER), content, plain("]", NUMBER)]), most)


def boxed(title: Line, figures: Line, inside: list[Line], box: int) -> tuple[Line, ...]:
    """A box of `box` cells: the title and the figures in its upper edge."""
    figures = cut(figures, box - 5 - width(title))
    rest = box - 4 - width(title) - width(figures)
    edge = "─" * rest if rest < 3 else f"{' ' if title else '─'}{'─' * (rest - 2)}{' ' if figures else '─'}"
    top = join([plain("┌ " if title else "┌─", DIM), title, plain(edge if rest > 2 else " " * rest, DIM), figures])
    top = join([top, plain(" ┐" if figures else "─┐", DIM)])
    middle = [join([plain("│ ", DIM), pad(line, box - 4), plain(" │", DIM)]) for line in inside]
    bottom = plain(f"└{'─' * (box - 2)}┘", DIM)
    return (pad(top, box), *middle, bottom)


# ---- putting blocks in their places ----------------------------------------------------------------


def _least_step(places: list[tuple[int, int]]) -> int:
    """The least distance of two neighbours in one row."""
    rows: dict[int, list[int]] = {}
    for x, y in places:
        rows.setdefault(y, []).append(x)
    steps = [b - a for xs in rows.values() for a, b in pairwise(sorted(xs)) if b > a]
    return min(steps, default=1)


def _is_lattice(sites: Mapping[tuple[int, int], Line], wide: int, most: int) -> bool:
    """Whether the sites stand side by side, and there is room for lines between them."""
    columns, rows = [x for x, _ in sites], [y for _, y in sites]
    if (max(columns) - min(columns) + 1) * (wide + 1) + 1 > most or max(rows) - min(rows) >= TALLEST_FRAME:
        return False
    return all({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & sites.keys() for x, y in sites)


def placed(blocks: list[Block], most: int, gap: int) -> list[Line]:
    """The blocks on one picture, in the columns and rows in which they stand; in `most` cells where they have room."""
    starts = _columns(blocks, most, gap)
    found: list[Line] = []
    for y in sorted({block.y for block in blocks}):
        row = sorted((block for block in blocks if block.y == y), key=lambda block: block.x)
        height = max(len(block.lines) for block in row)
        found += [_row_line(row, starts, at) for at in range(height)]
    return found


def _row_line(row: list[Block], starts: dict[int, int], at: int) -> Line:
    """One line of a row of blocks; a block that is lower than others is drawn longer at its last but one line."""
    parts: list[Line] = []
    used = 0
    for block in row:
        parts.append(plain(" " * (starts[block.x] - used)))
        line = _stretched(block, at, max(len(b.lines) for b in row))
        parts.append(line)
        used = max(used, starts[block.x]) + width(line)
    return join(parts)


def _stretched(block: Block, at: int, height: int) -> Line:
    if len(block.lines) == 1:
        return block.lines[0] if at == 0 else BLANK
    missing = height - len(block.lines)
    last = len(block.lines) - 1
    if at >= last and at < last + missing:
        return join([plain("│ ", DIM), plain(" " * (block.width - 4)), plain(" │", DIM)])
    return block.lines[at if at < last else at - missing]


def _columns(blocks: list[Block], most: int, gap: int) -> dict[int, int]:
    """Where each column begins: at even distances where that has room, else as close as can be."""
    pairs = _neighbours(blocks, gap)
    first = min(block.x for block in blocks)
    columns = sorted({block.x for block in blocks})
    step = max((-(-need // (b - a)) for a, b, need in pairs), default=1)
    even = {x: (x - first) * step for x in columns}
    if max(even[block.x] + block.width for block in blocks) <= most:
        return even
    close: dict[int, int] = {}
    for x in columns:
        before = max(close.values(), default=-1) + 1
        close[x] = max([before, *(close[a] + need for a, b, need in pairs if b == x)])
    return close


def _neighbours(blocks: list[Block], gap: int) -> list[tuple[int, int, int]]:
    """Two columns with neighbouring blocks in one row, and how far apart they must begin."""
    rows: dict[int, list[Block]] = {}
    for block in blocks:
        rows.setdefault(block.y, []).append(block)
    found = []
    for row in rows.values():
        row.sort(key=lambda block: block.x)
        found += [(a.x, b.x, a.width + gap) for a, b in pairwise(row) if b.x > a.x]
    return found
