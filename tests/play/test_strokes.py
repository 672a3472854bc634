"""Lines on tiles are followed character by character, as the eye does it, and must end where the tile says."""

from __future__ import annotations

import itertools
import re

import pytest

from interpreter.draw.strokes import Grid, stroked

# The sides of a character that its sign touches: right, down, left, up.
RIGHT, DOWN, LEFT, UP = (1, 0), (0, 1), (-1, 0), (0, -1)
TOUCHES = {
    "─": {LEFT, RIGHT}, "│": {UP, DOWN}, "╭": {RIGHT, DOWN}, "╮": {LEFT, DOWN}, "╰": {RIGHT, UP}, "╯": {LEFT, UP},
    "┼": {LEFT, RIGHT, UP, DOWN},
    "═": {LEFT, RIGHT}, "║": {UP, DOWN}, "╔": {RIGHT, DOWN}, "╗": {LEFT, DOWN}, "╚": {RIGHT, UP}, "╝": {LEFT, UP},
    "╬": {LEFT, RIGHT, UP, DOWN},
}  # fmt: skip

# The 24 patterns that join each even port of eight with an odd one, as the tile list of the railway game gives them.
PATTERNS = """
0-5 1-4 2-7 3-6 | 0-5 1-6 2-7 3-4 | 0-7 1-4 2-5 3-6 | 0-5 1-2 3-6 4-7 | 0-3 1-4 2-7 5-6 | 0-7 1-6 2-5 3-4
0-3 1-2 4-7 5-6 | 0-7 1-2 3-4 5-6 | 0-3 1-6 2-5 4-7 | 0-1 2-7 3-4 5-6 | 0-7 1-4 2-3 5-6 | 0-7 1-2 3-6 4-5
0-5 1-2 3-4 6-7 | 0-1 2-5 3-6 4-7 | 0-5 1-6 2-3 4-7 | 0-3 1-6 2-7 4-5 | 0-3 1-4 2-5 6-7 | 0-1 2-3 4-7 5-6
0-7 1-6 2-3 4-5 | 0-3 1-2 4-5 6-7 | 0-1 2-5 3-4 6-7 | 0-5 1-4 2-3 6-7 | 0-1 2-7 3-6 4-5 | 0-1 2-3 4-5 6-7
"""


def pairs_of(pattern: str) -> tuple[tuple[int, int], ...]:
    return tuple((int(pair[0]), int(pair[2])) for pair in pattern.split())


def where(port: int, width: int, height: int, ports: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The character of a port and the way out of the tile there: clockwise from the left end of the top."""
    side, at = divmod(port, ports)
    steps = [(2 * i + 1) for i in range(ports)]
    across = [s * width // (2 * ports) for s in steps]
    along = [s * height // (2 * ports) for s in steps]
    return {
        0: ((across[at % ports], 0), UP),
        1: ((width - 1, along[at % ports]), RIGHT),
        2: ((across[::-1][at % ports], height - 1), DOWN),
        3: ((0, along[::-1][at % ports]), LEFT),
    }[side]


def followed(rows: tuple[str, ...], port: int, ports: int) -> int:
    """The port at the other end of the line that goes in at a port; at a crossing it goes straight on."""
    width, height = len(rows[0]), len(rows)
    ends = {where(p, width, height, ports): p for p in range(4 * ports)}
    (x, y), out = where(port, width, height, ports)
    heading = (-out[0], -out[1])
    for _ in range(width * height):
        touched = TOUCHES[rows[y][x]]
        back = (-heading[0], -heading[1])
        assert back in touched, f"the line breaks off before {x},{y}"
        heading = heading if len(touched) == 4 else next(iter(touched - {back}))
        if ((x, y), heading) in ends:
            return ends[(x, y), heading]
        x, y = x + heading[0], y + heading[1]
    raise AssertionError("the line does not end")


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("pattern", [p.strip() for line in PATTERNS.strip().splitlines() for p in line.split("|")])
def test_every_line_of_a_tile_can_be_followed(pattern: str, double: bool) -> None:
    pairs = pairs_of(pattern)
    rows = stroked(Grid(9, 5, 2), pairs, double=double)
    assert (len(rows), {len(row) for row in rows}) == (5, {9})
    for one, other in pairs:
        assert followed(rows, one, 2) == other
        assert followed(rows, other, 2) == one


def test_nothing_is_drawn_that_belongs_to_no_line() -> None:
    """Every stroke of a sign meets a stroke of its neighbour, or is a port that is joined."""
    for pattern in (p.strip() for line in PATTERNS.strip().splitlines() for p in line.split("|")):
        rows = stroked(Grid(9, 5, 2), pairs_of(pattern))
        ports = {where(p, 9, 5, 2) for p in range(8)}
        for (y, row), x in itertools.product(enumerate(rows), range(9)):
            for dx, dy in TOUCHES.get(row[x], ()):
                inside = 0 <= x + dx < 9 and 0 <= y + dy < 5
                meets = inside and (-dx, -dy) in TOUCHES.get(rows[y + dy][x + dx], ())
                assert meets or ((x, y), (dx, dy)) in ports, (pattern, x, y)


# A whole board of such tiles: a letter for each even port (a straight across, b to the next side clockwise, c to the
# other one, d back), row and column. And how many tiles the line from each station passes, clockwise from the left end
# of the top, as counted by a program that was written from the rules alone and scores published boards right.
BOARD = """
cccc76dddd66bcbc56acba75aacb67cbaa07aaaa20badb27ddbc65cbcb50dada64bcbc51aaaa37acba54aacb74acba01bbbb47accd21baac63ccda36
dbcd62dbcd35adbb31bbad57ccda61cbcb72baac26bcdd04dddd45cdac53dbba16cdac11badb52cbcb32bbad42baac46aaaa00cddb15aacb03dbba17
cccc55ddbc71aacb06dada13cbaa30baac12bcbc02adbb22dacc25bbbb41adad73dacc23cbaa70aaaa40cbaa14cddb60bcdd24adad05accd77acba10
"""
PASSED = "4 4 2 6 3 14 4 4 3 2 20 7 2 3 19 2 1 16 6 3 3 3 2 3 2 11 5 6 7 3 11 8"


def whole_board() -> list[str]:
    """The drawn tiles put together: eight by eight of 9 by 5 characters, the middle four empty."""
    placed = re.findall(r"(\w{4})(\d)(\d)", "".join(BOARD.split()))
    tiles = {(int(column), int(row)): code for code, row, column in placed}
    ends = {"a": 5, "b": 3, "c": 7, "d": 1}
    rows = []
    for row in range(8):
        codes = [tiles.get((column, row), "") for column in range(8)]
        pairs = [tuple((2 * i, (2 * i + ends[c]) % 8) for i, c in enumerate(code)) for code in codes]
        drawn = [stroked(Grid(9, 5, 2), joined) for joined in pairs]
        rows += ["".join(tile[y] for tile in drawn) for y in range(5)]
    return rows


def stations() -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The character and direction at which the line of each station goes in: the right-hand track as seen from it."""
    top = [((9 * i + 2, 0), DOWN) for i in range(8)]
    right = [((71, 5 * i + 1), LEFT) for i in range(8)]
    bottom = [((9 * i + 6, 39), UP) for i in reversed(range(8))]
    left = [((0, 5 * i + 3), RIGHT) for i in reversed(range(8))]
    return [*top, *right, *bottom, *left]


def tiles_passed(rows: list[str], at: tuple[int, int], heading: tuple[int, int]) -> int:
    """How many tiles a line goes in at until it comes out at the rim or in the middle."""
    (x, y), tiles = at, 0
    before: tuple[int, int] | None = None
    while 0 <= x < 72 and 0 <= y < 40 and not (27 <= x < 45 and 15 <= y < 25):
        tiles += before != (x // 9, y // 5)
        before = x // 9, y // 5
        touched = TOUCHES[rows[y][x]]
        back = (-heading[0], -heading[1])
        assert back in touched, f"a line breaks off before {x},{y}"
        heading = heading if len(touched) == 4 else next(iter(touched - {back}))
        x, y = x + heading[0], y + heading[1]
    return tiles


def test_lines_go_on_from_tile_to_tile() -> None:
    """Every line of a full board, followed character by character, passes as many tiles as it should."""
    rows = whole_board()
    assert [tiles_passed(rows, at, heading) for at, heading in stations()] == [int(n) for n in PASSED.split()]


@pytest.mark.parametrize(("width", "height", "ports"), [(5, 3, 1), (9, 7, 2), (13, 9, 3)])
def test_tiles_of_other_sizes(width: int, height: int, ports: int) -> None:
    """Straight through from every port of the upper and left side, whatever crosses."""
    n = 4 * ports
    pairs = [(p, 3 * ports - 1 - p) for p in range(ports)] + [(2 * ports - 1 - p, 3 * ports + p) for p in range(ports)]
    rows = stroked(Grid(width, height, ports), tuple(pairs))
    assert all(followed(rows, one % n, ports) == other for one, other in pairs)


def test_where_lines_find_no_room_the_joined_ports_carry_a_letter() -> None:
    rows = stroked(Grid(3, 3, 2), ((0, 2), (1, 3), (4, 6), (5, 7)))
    letters = [c for row in rows for c in row if c.isalpha()]
    assert letters
    assert all(letters.count(letter) in (1, 2) for letter in letters)


def test_a_line_from_corner_to_corner_is_slanted() -> None:
    assert stroked(Grid(9, 3, 1), ((4, 6),)) == (" ╲       ", "    ╲    ", "       ╲ ")
    assert stroked(Grid(9, 3, 1), ((7, 5),)) == ("       ╱ ", "    ╱    ", " ╱       ")
