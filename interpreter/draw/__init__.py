"""Positions as text: the boards as the content's `draw` declarations say, and below them what lies on the table.

drawer = Drawer(game, game.texts("fr"))
for line in drawer.lines(state, viewer=0):
    print(render(line))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.draw.board import BoardDrawer, Numbers
from interpreter.draw.declared import drawn_boards, shown_zones
from interpreter.draw.ink import BLANK, Line, join, plain, render, wrap
from interpreter.draw.pieces import EVERYBODY, Look, Pieces
from interpreter.draw.table import TableDrawer

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from interpreter.texts import Texts

__all__ = ["EVERYBODY", "Drawer", "Numbers", "render"]

WIDTH = 100


class Drawer:
    """Draws positions of one game in one language. Raises ContentError where a `draw` declaration is at fault."""

    def __init__(self, game: Game, texts: Texts):
        self._boards = drawn_boards(game)
        self._pieces = Pieces(game, texts, self._boards)
        self._board = BoardDrawer(self._pieces, texts)
        self._table = TableDrawer(self._pieces, texts, shown_zones(self._boards))
        self.kinds = frozenset(kind.domain.name for board in self._boards for kind in board)

    def lines(
        self,
        state: State,
        viewer: int | None = EVERYBODY,
        width: int = WIDTH,
        numbers: Numbers | None = None,
        you: int | None = None,
    ) -> list[Line]:
        """A position in lines of at most `width` cells, as one seat sees it; None sees all.

        `numbers` are shown at the sites that they are given for. `you` is the seat that is spoken to, if any.
        """
        look = Look(state.cells, viewer)
        found: list[Line] = []
        for board in self._boards:
            found += [*self._board.lines(board, look, width, numbers or {}), BLANK]
        found += self._legend(look, width)
        found += self._table.common_lines(state, look, width)
        for seat in range(state.game.players):
            found += self._table.player_lines(state, look, seat, width, you)
        return found

    def _legend(self, look: Look, width: int) -> list[Line]:
        """What the marks on the boards mean."""
        items = self._pieces.legend(look)
        if not items:
            return []
        return [*wrap([join([plain("  "), items[0]]), *items[1:]], width, plain("  "), indent=2), BLANK]
