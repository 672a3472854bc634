"""Where blocks of different sizes stand on one picture, from the columns and rows that the content gives them.

A column begins where all that stands left of it in the same rows has room, a row where all that stands above it has.
A block that is smaller than its column or row stands in the middle of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Block:
    """A block to be arranged: its column and row, and its size in characters."""

    column: int
    row: int
    width: int
    height: int


def arranged(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """The upper left character of each block.

    >>> arranged([Block(0, 0, 5, 1), Block(1, 0, 9, 3), Block(1, 1, 3, 1)])
    [(0, 1), (5, 0), (8, 3)]
    """
    columns = _columns(blocks)
    rows = _rows(blocks, columns)
    wide = _extents(columns, [(block.column, block.width) for block in blocks])
    high = _extents(rows, [(block.row, block.height) for block in blocks])
    return [
        (
            columns[block.column] + max(0, wide[block.column] - block.width) // 2,
            rows[block.row] + max(0, high[block.row] - block.height) // 2,
        )
        for block in blocks
    ]


def _columns(blocks: Sequence[Block]) -> dict[int, int]:
    """Where each column begins: at even distances where all blocks are alike, else as close as can be."""
    needs: dict[int, list[tuple[int, int]]] = {block.column: [] for block in sorted(blocks, key=lambda b: b.column)}
    for row in _by_row(blocks).values():
        for a, b in pairwise(sorted(row, key=lambda block: block.column)):
            if a.column < b.column:
                needs[b.column].append((a.column, a.width))
    if len({block.width for block in blocks}) == 1:
        first = min(needs)
        step = max((-(-wide // (b - a)) for b, before in needs.items() for a, wide in before), default=1)
        return {name: (name - first) * step for name in needs}
    found: dict[int, int] = {}
    last = -1
    for name, before in needs.items():
        last = found[name] = max([last + 1, *(found[a] + wide for a, wide in before)])
    return found


def _by_row(blocks: Sequence[Block]) -> dict[int, list[Block]]:
    rows: dict[int, list[Block]] = {}
    for block in sorted(blocks, key=lambda block: block.row):
        rows.setdefault(block.row, []).append(block)
    return rows


def _rows(blocks: Sequence[Block], columns: dict[int, int]) -> dict[int, int]:
    """Where each row begins: below everything of the rows before that stands over it."""
    found: dict[int, int] = {}
    ends: dict[int, int] = {}  # of each character column, where what stands there so far ends
    start = 0
    for name, row in _by_row(blocks).items():
        taken = [(block, range(columns[block.column], columns[block.column] + block.width)) for block in row]
        start = found[name] = max([start, *(ends.get(x, 0) for _, span in taken for x in span)])
        for block, span in taken:
            ends.update((x, max(ends.get(x, 0), start + block.height)) for x in span)
    return found


def _extents(starts: dict[int, int], sizes: list[tuple[int, int]]) -> dict[int, int]:
    """How wide each column, or high each row, is."""
    names = list(starts)
    found = {a: starts[b] - starts[a] for a, b in pairwise(names)}
    found[names[-1]] = max(size for name, size in sizes if name == names[-1])
    return found
