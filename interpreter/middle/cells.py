"""Cells of a state as a position of the reference, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.middle.layout import PIECES, Layout
from interpreter.middle.pieces import Pieces
from interpreter.reference.definition import Definition
from interpreter.reference.position import Position

Cells = list[Any]


class Conversion:
    """Both ways for one game, whose cells lie by a layout."""

    def __init__(self, game: Definition, layout: Layout, pieces: Pieces):
        self._game, self._layout, self._pieces = game, layout, pieces
        self._places = range(len(game.places))

    def position(self, cells: Cells) -> Position:
        """The position that cells stand for, of its own."""
        p = self.view(cells)
        p.zones = [tuple(self._pieces.content(cells, place)) for place in self._places]
        p.known = [self._pieces.known(cells, place) for place in self._places]
        return p

    def view(self, cells: Cells) -> Position:
        """The same to be read alone, while the cells stay as they are: places are read when they are asked for."""
        layout, p = self._layout, Position(self._game)
        p.at, p.random = cells[0], cells[layout.horizon]
        p.cells = cells[PIECES + 1 : layout.horizon]
        p.streams = {name: cells[cell] for name, cell in layout.streams.items()}
        p.slots = list(self._game.empty_slots)
        for slot, cell in layout.slots.items():
            p.slots[slot] = cells[cell]
        p.zones = _Contents(self._pieces.content, cells)  # type: ignore[assignment]
        p.known = _Contents(self._pieces.known, cells)  # type: ignore[assignment]
        return p

    def write(self, p: Position, cells: Cells) -> None:
        """Makes cells what a position is."""
        layout = self._layout
        cells[0], cells[layout.horizon] = p.at, p.random
        cells[PIECES + 1 : layout.horizon] = p.cells
        for name, cell in layout.streams.items():
            cells[cell] = p.streams[name]
        for slot, cell in layout.slots.items():
            cells[cell] = p.slots[slot]
        for place in self._places:
            if tuple(self._pieces.content(cells, place)) != p.zones[place]:
                self._pieces.set_content(cells, place, p.zones[place])
            self._pieces.set_known(cells, place, p.known[place])


class _Contents(dict[int, tuple[int, ...]]):
    """What lies at each place, read when it is first asked for."""

    def __init__(self, read: Callable[[Cells, int], Sequence[int]], cells: Cells):
        super().__init__()
        self._read, self._cells = read, cells

    def __missing__(self, place: int) -> tuple[int, ...]:
        found = self[place] = tuple(self._read(self._cells, place))
        return found
