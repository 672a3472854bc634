"""Metro's base game written by hand, to measure the interpreter against, and to check the content's options with.

The same decisions as in the content: first the plan (the tile in hand, or a fresh one), then the square. At every
decision all legal options are listed and one of them is picked.

    scores = playout(seed=7, players=4)

*Squares* are numbered 0 to 59 by rows, without the four of the central station. An *entry* is a place where lines go
into a square: `4 * square + side`, sides clockwise from the top; a line comes out of a square through the entry of the
next one, or at an *end*: one of the 32 stations around the board or, from `CENTRE` on, one of the eight at the centre.
Of every stretch of line on the board both ends are known, so that a new tile joins two stretches without following
them: `last[first entry]`, `first[last entry or end]`, and `crossings[first entry]`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

PLAN = "plan"
LAY = "lay"
IN_HAND, FRESH = 0, 1
PLANS = [IN_HAND, FRESH]
HAND_ONLY = [IN_HAND]

#: Each tile: where the lines that come in from above, right, below and left go: a straight across, b to the next side
#: clockwise, c counter-clockwise, d back; and how many of it there are.
COPIES = {
    "aaaa": 4, "aacb": 4, "cbaa": 4, "acba": 4, "baac": 4, "cbcb": 3, "bcbc": 3, "cccc": 2,
    "bbbb": 2, "dacc": 2, "cdac": 2, "ccda": 2, "accd": 2, "dbba": 2, "adbb": 2, "badb": 2,
    "bbad": 2, "ddbc": 2, "cddb": 2, "bcdd": 2, "dbcd": 2, "adad": 2, "dada": 2, "dddd": 2,
}  # fmt: skip
TILES = tuple(COPIES)
DECK = tuple(number for number, copies in enumerate(COPIES.values()) for _ in range(copies))
#: The side at which a line that comes in at `side` goes out is `side + TURN[letter]`.
TURN = {"a": 2, "b": 1, "c": 3, "d": 0}

#: The owner of each station, numbered clockwise from the left end of the top side.
OWNED = {
    2: ((1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31),
        (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32)),
    3: ((1, 4, 6, 11, 15, 20, 23, 25, 28, 31), (2, 7, 9, 12, 14, 19, 22, 27, 29, 32),
        (3, 5, 8, 10, 13, 18, 21, 24, 26, 30)),
    4: ((4, 7, 11, 16, 20, 23, 27, 32), (3, 8, 12, 15, 19, 24, 28, 31), (1, 6, 10, 13, 18, 21, 25, 30),
        (2, 5, 9, 14, 17, 22, 26, 29)),
    5: ((1, 5, 10, 14, 22, 28), (6, 12, 18, 23, 27, 32), (3, 7, 15, 19, 25, 29), (2, 9, 13, 21, 26, 30),
        (4, 8, 11, 20, 24, 31)),
    6: ((1, 5, 10, 19, 27), (2, 11, 18, 25, 29), (4, 8, 14, 21, 26), (6, 15, 20, 24, 31), (3, 9, 13, 23, 30),
        (7, 12, 22, 28, 32)),
}  # fmt: skip

PLACES = tuple((row, col) for row in range(8) for col in range(8) if not (row in (3, 4) and col in (3, 4)))
SQUARE = {place: number for number, place in enumerate(PLACES)}
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
ENTRIES = 240
CENTRE = ENTRIES + 32
ENDS = CENTRE + 8
RIM = tuple(square for square, (row, col) in enumerate(PLACES) if row in (0, 7) or col in (0, 7))
#: The inner squares beside each square; those on the rim are legal from the beginning.
INNER = tuple(
    tuple(n for n in (SQUARE.get((row + dr, col + dc)) for dr, dc in STEPS) if n is not None and n not in RIM)
    for row, col in PLACES
)


def _starts() -> tuple[int, ...]:
    """The entry of each station's line, clockwise from the left end of the top side."""
    return (
        *(4 * SQUARE[0, col] for col in range(8)),
        *(4 * SQUARE[row, 7] + 1 for row in range(8)),
        *(4 * SQUARE[7, col] + 2 for col in reversed(range(8))),
        *(4 * SQUARE[row, 0] + 3 for row in reversed(range(8))),
    )


STARTS = _starts()
CENTRAL_STARTS = tuple(
    4 * SQUARE[place] + side
    for place, side in (
        ((2, 3), 2), ((2, 4), 2), ((3, 5), 3), ((4, 5), 3), ((5, 4), 0), ((5, 3), 0), ((4, 2), 1), ((3, 2), 1),
    )
)  # fmt: skip


def _out(square: int, side: int) -> int:
    """Where a line goes that leaves a square on this side: the entry of the next square, or an end."""
    row, col = PLACES[square]
    beyond = (row + STEPS[side][0], col + STEPS[side][1])
    if beyond in SQUARE:
        return 4 * SQUARE[beyond] + (side + 2) % 4
    entry = 4 * square + side  # beyond this side there are a station's, or the centre's, departure and arrival
    return ENTRIES + STARTS.index(entry) if entry in STARTS else CENTRE + CENTRAL_STARTS.index(entry)


def _links(tile: int, square: int) -> tuple[tuple[int, int], ...]:
    """The four pieces of track that a tile lays on a square: from which entry to which entry or end."""
    return tuple(
        (4 * square + side, _out(square, (side + TURN[letter]) % 4)) for side, letter in enumerate(TILES[tile])
    )


LINKS = tuple(tuple(_links(tile, square) for square in range(60)) for tile in range(len(TILES)))
#: Whether a tile on a square makes no line from a station to another by itself.
KEEPS_BAN = tuple(
    tuple(not any(entry in STARTS and ENTRIES <= out < CENTRE for entry, out in links) for links in by_square)
    for by_square in LINKS
)


@cache
def owners(players: int) -> tuple[int, ...]:
    """The owner of the line that begins at each entry; -1 where nobody's does."""
    found = [-1] * ENTRIES
    for seat, stations in enumerate(OWNED[players]):
        for station in stations:
            found[STARTS[station - 1]] = seat
    return tuple(found)


class Board:
    """The tiles on the board and the lines over them, changed in place."""

    __slots__ = ("crossings", "first", "last", "legal", "waiting")

    def __init__(self) -> None:
        self.legal = list(RIM)  # free squares on the rim or beside a tile
        self.waiting = [square not in RIM for square in range(60)]  # inner squares beside which no tile lies yet
        self.first = list(range(ENDS))
        self.last = list(range(ENTRIES))
        self.crossings = [0] * ENDS

    def squares(self, tile: int) -> list[int]:
        """Where a tile may be laid: if it can, where it makes no line by itself."""
        allowed = KEEPS_BAN[tile]
        return [square for square in self.legal if allowed[square]] or self.legal

    def lay(self, tile: int, square: int) -> list[tuple[int, int]]:
        """Lay a tile; the stretches that now end at a station or at the centre, by first entry, with their points.

        One that begins at a station is a line. The others may still grow at their beginning; nobody owns them yet.
        """
        first, last, crossings, done = self.first, self.last, self.crossings, []
        for entry, out in LINKS[tile][square]:
            begin = first[entry]
            if out < ENTRIES:
                end = last[out]
                length = crossings[begin] + crossings[out] + 1
            else:
                end = out
                length = crossings[begin] + 1
            first[end] = begin
            last[begin] = end
            crossings[begin] = length
            if end >= ENTRIES:
                done.append((begin, length if end < CENTRE else 2 * length))
        self.legal.remove(square)
        for beside in INNER[square]:
            if self.waiting[beside]:
                self.waiting[beside] = False
                self.legal.append(beside)
        self.waiting[square] = False
        return done


#: Picks one of the options: seat, action, options (plans, or squares).
Choose = Callable[[int, str, list[int]], int]


def play(tower: list[int], hands: list[int], seat: int, choose: Choose) -> list[int]:
    """Play a game that is set up: the tower's top is its last tile, `seat` begins. The scores."""
    players = len(hands)
    owner = owners(players)
    board = Board()
    scores = [0] * players
    for _ in range(60):
        if choose(seat, PLAN, PLANS if tower else HAND_ONLY) == IN_HAND:
            tile = hands[seat]
            square = choose(seat, LAY, board.squares(tile))
            hands[seat] = tower.pop() if tower else -1
        else:
            tile = tower.pop()
            square = choose(seat, LAY, board.squares(tile))
        for entry, points in board.lay(tile, square):
            if owner[entry] >= 0:
                scores[owner[entry]] += points
        seat = (seat + 1) % players
    return scores


def playout_counted(seed: int, players: int) -> tuple[tuple[int, ...], int]:
    """The scores of one game of uniformly random choices, and how many decisions it took."""
    uniform = random.Random(seed).random
    decisions = 0

    def choose(seat: int, action: str, options: list[int]) -> int:
        nonlocal decisions
        decisions += 1
        return options[int(uniform() * len(options))]

    tower = sorted(DECK, key=lambda tile: uniform())
    hands = [tower.pop() for _ in range(players)]
    return tuple(play(tower, hands, int(uniform() * players), choose)), decisions


def playout(seed: int, players: int) -> tuple[int, ...]:
    """The scores of one game of uniformly random choices."""
    return playout_counted(seed, players)[0]
