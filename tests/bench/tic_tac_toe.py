"""Tic-tac-toe written by hand, to measure the interpreter against: in place, with lists, no more than the rules.

`playout(seed, players)` plays one game of uniformly random moves; `replay(cells)` lists what could be chosen at each
decision of a given game, so that a test can compare it with the content.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

EMPTY = 2
LINES = (
    *((row, row + 1, row + 2) for row in (0, 3, 6)),
    *((col, col + 3, col + 6) for col in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)
#: For each cell (row * 3 + column), the other two cells of each of its lines.
BESIDE = tuple(
    tuple(tuple(other for other in line if other != cell) for line in LINES if cell in line) for cell in range(9)
)
DRAW = (0, 0)
WINS = ((1, 0), (0, 1))


def playout_counted(seed: int, players: int = 2) -> tuple[tuple[int, ...], int]:
    """The scores of one random game, and how many decisions it took."""
    rand = random.Random(seed).random
    marks = [EMPTY] * 9
    free = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    seat = 0
    for left in range(9, 0, -1):
        at = int(rand() * left)
        cell = free[at]
        free[at] = free[left - 1]
        marks[cell] = seat
        for a, b in BESIDE[cell]:
            if marks[a] == seat == marks[b]:
                return WINS[seat], 10 - left
        seat = 1 - seat
    return DRAW, 9


def playout(seed: int, players: int = 2) -> tuple[int, ...]:
    """The scores of one random game."""
    return playout_counted(seed, players)[0]


def replay(cells: Iterable[int]) -> tuple[list[list[int]], tuple[int, ...] | None]:
    """What could be chosen before each move of a game, in order; then its scores, or None while it goes on."""
    marks = [EMPTY] * 9
    offered: list[list[int]] = []
    for number, cell in enumerate(cells):
        seat = number % 2
        offered.append([c for c in range(9) if marks[c] == EMPTY])
        marks[cell] = seat
        if any(marks[a] == seat == marks[b] for a, b in BESIDE[cell]):
            return offered, WINS[seat]
    return offered, None if EMPTY in marks else DRAW
