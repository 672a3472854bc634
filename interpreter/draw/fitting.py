"""A picture in the room that there is: whole, or cut with a word about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interpreter.draw.ink import Line, cut, plain, wrap

if TYPE_CHECKING:
    from interpreter.texts import Texts

#: What is still wider is cut in a pipe and in a book too: no game has such a board, and nobody could read it.
WIDEST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Room:
    """How wide pictures may be: those for a file or a pipe are `whole`, however wide a line of text is there."""

    texts: Texts
    whole: bool = False

    def cells(self, most: int) -> int:
        """How many cells of a picture are shown where a line of text has `most`."""
        return max(most, WIDEST) if self.whole else most

    def fitted(self, lines: Sequence[Line], wide: int, most: int) -> list[Line]:
        """Lines of a picture that is `wide`; where that is too much they are cut, and it is said below."""
        room = self.cells(most)
        if wide <= room:
            return list(lines)
        said = plain(self.texts.word("engine.board.wider", n=wide - room + 1))
        return [*(cut((*line, (" ", "")), room) for line in lines), *wrap([said], most)]
