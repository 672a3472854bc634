"""Lines on a tile: from port to port in a grid of characters, so that the eye can follow each one.

A line goes straight or turns at a right angle; where two cross, both go straight on (`┼`). So whoever follows a line
never has to guess.

Ports are numbered clockwise from the left end of the top side, the same number of them on each side; the corners come
after them, from the upper left. A line between two opposite corners is slanted, and others pass under it.

>>> for row in stroked(Grid(9, 5, 2), ((0, 5), (1, 4), (2, 3), (6, 7))):
...     print(row.rstrip())
  │   │
╮ │   │ ╭
│ │   │ │
╯ │   │ ╰
  │   │
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations

Cell = tuple[int, int]
Pair = tuple[int, int]

#: A step to the right, down, left, up.
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_RIGHT, _DOWN, _LEFT, _UP = range(4)
#: The sign of a line by the two sides of a character that it touches.
SIGNS = {
    frozenset({_LEFT, _RIGHT}): "─",
    frozenset({_UP, _DOWN}): "│",
    frozenset({_RIGHT, _DOWN}): "╭",
    frozenset({_LEFT, _DOWN}): "╮",
    frozenset({_UP, _RIGHT}): "╰",
    frozenset({_UP, _LEFT}): "╯",
}
CROSSING = "┼"
DOUBLE = str.maketrans("─│╭╮╰╯┼", "═║╔╗╚╝╬")
_TURN, _CROSS = 8, 4
#: In how many orders lines are laid, at most, until the best way is taken.
_MOST_ORDERS = 120
_MOST_WORK = 6_000


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of characters with so many ports on each side."""

    width: int
    height: int
    ports: int

    def port(self, number: int) -> tuple[Cell, int]:
        """The character where a port is, and the direction into the tile from there."""
        side, at = divmod(number, self.ports)
        if side >= 2:
            at = self.ports - 1 - at
        column, row = _spread(at, self.ports, self.width), _spread(at, self.ports, self.height)
        cells = ((column, 0), (self.width - 1, row), (column, self.height - 1), (0, row))
        return cells[side], (_DOWN, _LEFT, _UP, _RIGHT)[side]


def _spread(at: int, n: int, length: int) -> int:
    return (2 * at + 1) * length // (2 * n)


@lru_cache(maxsize=1024)
def stroked(tile: Grid, pairs: tuple[Pair, ...], *, double: bool = False) -> tuple[str, ...]:
    """The tile's lines of characters; ports between which no line finds room carry the same letter instead."""
    corners = 4 * tile.ports
    straight = tuple(pair for pair in pairs if max(pair) < corners)
    drawn = list(_straight(tile, straight))
    if double:
        drawn = [row.translate(DOUBLE) for row in drawn]
    for pair in pairs:
        if min(pair) >= corners and abs(pair[0] - pair[1]) == 2:
            _slant(drawn, ("╲" if min(pair) == corners else "╱") * (2 if double else 1))
    return tuple(drawn)


def _slant(rows: list[str], sign: str) -> None:
    """Draws a line from corner to corner."""
    wide, high = len(rows[0]), len(rows)
    for at, row in enumerate(rows):
        column = max(0, ((2 * at + 1) * wide // high - len(sign)) // 2)
        column = column if "╲" in sign else max(0, wide - column - len(sign))
        rows[at] = (row[:column] + sign + row[column + len(sign) :])[:wide]


def _straight(tile: Grid, pairs: tuple[Pair, ...]) -> tuple[str, ...]:
    """As many of the lines as find room, in the order that gives the fewest turns and crossings."""
    left = _Work(_MOST_WORK)
    for n in range(len(pairs), 0, -1):
        best = _best(tile, pairs, n, left)
        if best is not None:
            return _with_letters(tile, best[1], [pair for pair in pairs if pair not in best[2]])
    return _with_letters(tile, {}, pairs)


Laying = tuple[int, dict[Cell, str], tuple[Pair, ...]]


@dataclass(slots=True)
class _Work:
    """How many characters may still be looked at: a tile from a stranger can be of any kind."""

    left: int


def _best(tile: Grid, pairs: Sequence[Pair], n: int, work: _Work) -> Laying | None:
    """The best way to lay n of the lines, one after the other: what it costs, the signs, which lines."""
    alone = [way[0] for pair in pairs if (way := _way(tile, pair, {}, set(), work)) is not None]
    best: Laying | None = None
    for order in islice(permutations(pairs, n), _MOST_ORDERS):
        found = _laid(tile, order, work)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
            if n == len(pairs) == len(alone) and found[0] <= sum(alone):
                break  # no other order can be better
    return best


def _laid(tile: Grid, order: tuple[Pair, ...], work: _Work) -> Laying | None:
    signs: dict[Cell, str] = {}
    total = 0
    ends = {tile.port(port)[0] for pair in order for port in pair}
    for pair in order:
        found = _way(tile, pair, signs, ends, work)
        if found is None:
            return None
        total += found[0]
        for cell, sign in found[1]:
            signs[cell] = CROSSING if cell in signs else sign
    return total, signs, order


Way = tuple[int, list[tuple[Cell, str]]]
#: A character on the way, the sign there, and how the way came there.
Trail = tuple[Cell, str, "Trail | None"]


def _way(tile: Grid, pair: Pair, signs: dict[Cell, str], ends: set[Cell], work: _Work) -> Way | None:
    """The cheapest line from one port to the other past the lines that are there: few turns, few crossings, short."""
    (start, inward), (goal, into) = tile.port(pair[0]), tile.port(pair[1])
    outward = (into + 2) % 4
    queue: list[tuple[int, int, Cell, int, Trail | None]] = [(0, 0, start, inward, None)]
    seen: set[tuple[Cell, int]] = set()
    while queue and work.left > 0:
        cost, _, cell, heading, trail = heapq.heappop(queue)
        if (cell, heading) in seen:
            continue
        seen.add((cell, heading))
        work.left -= 1
        for turn in range(4):
            sign = SIGNS.get(frozenset({(heading + 2) % 4, turn}))
            price = None if sign is None else _price(signs, cell, sign, turn != heading)
            if sign is None or price is None:
                continue
            gone = (cell, sign, trail)
            if cell == goal and turn == outward:
                return _whole(cost + price, gone)
            after = (cell[0] + STEPS[turn][0], cell[1] + STEPS[turn][1])
            free = after not in ends or after == goal
            if free and 0 <= after[0] < tile.width and 0 <= after[1] < tile.height:
                heapq.heappush(queue, (cost + price, len(queue) + work.left, after, turn, gone))
    return None


def _price(signs: dict[Cell, str], cell: Cell, sign: str, turns: bool) -> int | None:
    """What a character of a line costs: more right beside another line; None where it cannot be."""
    there = signs.get(cell)
    if there is None:
        near = sum((cell[0] + step, cell[1]) in signs for step in (-1, 1))
        return 2 + near + (_TURN if turns else 0)
    return 2 + _CROSS if {there, sign} == {"─", "│"} else None


def _whole(cost: int, trail: Trail | None) -> Way | None:
    """The way that a trail has come; None where it meets itself."""
    found: list[tuple[Cell, str]] = []
    while trail is not None:
        found.append((trail[0], trail[1]))
        trail = trail[2]
    return (cost, found) if len({cell for cell, _ in found}) == len(found) else None


def _with_letters(tile: Grid, signs: dict[Cell, str], missing: Sequence[Pair]) -> tuple[str, ...]:
    for pair, letter in zip(missing, "abcdefghijklmnopqrstuvwxyz", strict=False):
        for port in pair:
            signs[tile.port(port)[0]] = letter
    return tuple("".join(signs.get((x, y), " ") for x in range(tile.width)) for y in range(tile.height))
