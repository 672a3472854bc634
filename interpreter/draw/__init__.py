"""Positions as text: the boards as the content's `draw` declarations say, and below them what lies on the table.

drawer = Drawer(game, game.texts("fr"))
for line in drawer.lines(state, Showing(viewer=0)):
    print(render(line))
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from interpreter.draw.board import BoardDrawer
from interpreter.draw.declared import Board, drawings
from interpreter.draw.fitting import Room
from interpreter.draw.ink import BLANK, BOLD, Line, join, plain, render, wrap
from interpreter.draw.pieces import EVERYBODY, Look, Numbers, Pieces
from interpreter.draw.shelves import shelved
from interpreter.draw.table import TableDrawer, in_rows

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from interpreter.texts import Texts

__all__ = ["EVERYBODY", "Drawer", "Numbers", "Part", "Showing", "render"]

WIDTH = 100
#: More lines than this leave no room to explain every sign at each decision.
LONG = 30


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a drawing: boards side by side, what signs mean, what belongs to nobody, or a player.

    `items` are its lines; of what belongs to nobody (`table`) they are single things, which share lines.
    """

    kind: Literal["boards", "legend", "table", "player"]
    items: tuple[Line, ...]

    def lines(self, width: int) -> list[Line]:
        """The part in lines of at most `width` cells."""
        return in_rows(self.items, width) if self.kind == "table" else list(self.items)


@dataclass(frozen=True, slots=True)
class Showing:
    """How a position is drawn: as the seat `viewer` sees it (None sees all), in lines of at most `width` cells.

    `numbers` are shown at the sites that they are given for. `you` is the seat that is spoken to, if any. Signs in
    `explained` are not explained once more where there is much to show; those that were are added to it.
    """

    viewer: int | None = EVERYBODY
    width: int = WIDTH
    numbers: Numbers | None = None
    you: int | None = None
    explained: set[str] | None = None


class Drawer:
    """Draws positions of one game in one language. Raises ContentError where a `draw` declaration is at fault.

    Boards that are wider than a line are cut, which is said, or `whole`: for a file or a pipe.
    """

    def __init__(self, game: Game, texts: Texts, *, whole: bool = False):
        declared = drawings(game)
        self._boards, self._texts = declared.boards, texts
        self._pieces = Pieces(game, texts, declared)
        self._board = BoardDrawer(self._pieces, texts, Room(texts, whole))
        self._table = TableDrawer(self._pieces, texts, declared)
        self.kinds = frozenset(kind.domain.name for kind in declared.kinds())

    def lines(self, state: State, showing: Showing | None = None) -> list[Line]:
        """A position in lines, as everybody sees it where nothing else is said."""
        width = WIDTH if showing is None else showing.width
        return [line for part in self.parts(state, showing) for line in part.lines(width)]

    def parts(self, state: State, showing: Showing | None = None) -> list[Part]:
        """As `lines`, in its parts from above."""
        how = showing or Showing()
        width, explained, shown = how.width, how.explained, how.numbers or {}
        look = Look(state.cells, how.viewer)
        pictures = [self._picture(board, look, width, shown) for board in self._boards]
        boards = [Part("boards", tuple(shelf)) for shelf in shelved(pictures, width)]
        table = [Part("table", tuple(self._table.common_items(state, look, width)))]
        for seat in range(state.game.players):
            lines = self._table.player_lines(state, look, seat, width, how.you, shown)
            table += [Part("player", tuple(lines))]
        high = sum(len(part.lines(width)) for part in (*boards, *table))
        legend = Part("legend", tuple(self._legend(look, width, explained if explained and high > LONG else set())))
        if explained is not None:
            explained.update(look.used)
        return [*boards, legend, *table]

    def boards(self, state: State, groups: Collection[str], width: int = WIDTH) -> list[Line]:
        """The pictures of some groups of boards alone, as everybody sees them, and what their signs mean."""
        look = Look(state.cells, EVERYBODY)
        wanted = [board for board in self._boards if board.title.partition(".")[2] in groups]
        shelves = shelved([self._picture(board, look, width, {}) for board in wanted], width)
        lines = [line for shelf in shelves for line in shelf]
        lines += self._legend(look, width, set())
        while lines and lines[-1] == BLANK:
            lines.pop()
        return lines

    def _picture(self, board: Board, look: Look, width: int, numbers: Numbers) -> list[Line]:
        """A board, with what stands above it."""
        title = self._texts.words.message(board.title, {})
        above = [] if title is None else [plain(title, BOLD)]
        return [*above, *self._board.lines(board, look, width, numbers)]

    def _legend(self, look: Look, width: int, known: set[str]) -> list[Line]:
        """What the marks mean, but for those that are known."""
        items = self._pieces.legend(look, known)
        if not items:
            return []
        return [*wrap([join([plain("  "), items[0]]), *items[1:]], width, plain("  "), indent=2), BLANK]
