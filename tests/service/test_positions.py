"""Places as editors name them, and the addresses of files."""

from __future__ import annotations

import random

import pytest

from rulespec.service.positions import Lines, Position, address_of, edited, path_of

# One character each of 1, 2, 3 and 4 bytes, of 1, 1, 1 and 2 units of UTF-16.
TEXT = "a\né得😀b\r\nc\rd"


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-8", (0, 2, 5, 9, 10)), ("utf-16", (0, 1, 2, 4, 5)), ("utf-32", (0, 1, 2, 3, 4))],
)
def test_columns_are_counted_in_the_units_of_the_encoding(encoding: str, columns: tuple[int, ...]) -> None:
    lines = Lines(TEXT)
    for number, column in enumerate(columns):
        assert lines.position(2 + number, encoding) == Position(1, column)
        assert lines.offset(Position(1, column), encoding) == 2 + number


def test_a_line_ends_with_any_break() -> None:
    lines = Lines(TEXT)
    assert lines.position(TEXT.index("c")) == Position(2, 0)
    assert lines.position(TEXT.index("d")) == Position(3, 0)
    assert lines.offset(Position(1, 99)) == TEXT.index("\r\n")


def test_what_lies_outside_is_the_nearest_inside() -> None:
    lines = Lines("ab\n")
    assert [lines.offset(Position(*at)) for at in ((-1, 0), (0, -3), (9, 9))] == [0, 0, 3]
    assert [lines.position(at) for at in (-1, 99)] == [Position(0, 0), Position(1, 0)]


def test_the_middle_of_a_character_is_before_it() -> None:
    assert Lines("😀b").offset(Position(0, 1), "utf-16") == 0


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("file:///home/me/a%20b/g.yaml", "/home/me/a b/g.yaml"),
        ("file:///C:/Users/g.yaml", "c:/Users/g.yaml"),
        ("file:///c%3A/Users/g.yaml", "c:/Users/g.yaml"),
        ("file://server/share/g.yaml", "//server/share/g.yaml"),
        ("file://localhost/x/g.yaml", "/x/g.yaml"),
        ("untitled:Untitled-1", None),
    ],
)
def test_addresses_name_paths(address: str, path: str | None) -> None:
    assert path_of(address) == path
    if path is not None:
        assert path_of(address_of(path)) == path


def test_a_path_of_windows_is_an_address() -> None:
    assert address_of("C:\\Users\\a b\\g.yaml") == "file:///c%3A/Users/a%20b/g.yaml"


#: Line ends of the protocol, and characters that end a line for Python alone.
ODD = "a: 1\x0c\r\nb: \u2028\x85é\rc: 😀\x0b\n\nd: \ud83d"


@pytest.mark.parametrize(
    ("start", "end", "new", "wanted"),
    [
        ((1, 3), (1, 4), "x", "a: 1\x0c\r\nb: x\x85é\rc: 😀\x0b\n\nd: \ud83d"),  # lines end where the protocol says
        ((2, 3), (2, 5), "", "a: 1\x0c\r\nb: \u2028\x85é\rc: \x0b\n\nd: \ud83d"),  # two units of UTF-16
        ((2, 5), (2, 3), "", "a: 1\x0c\r\nb: \u2028\x85é\rc: \x0b\n\nd: \ud83d"),  # the other way round
        ((0, 99), (1, 0), " ", "a: 1\x0c b: \u2028\x85é\rc: 😀\x0b\n\nd: \ud83d"),  # beyond a line is its end
        ((4, 4), (9, 9), "\ude00", "a: 1\x0c\r\nb: \u2028\x85é\rc: 😀\x0b\n\nd: 😀"),  # halves that come apart
    ],
)
def test_a_stretch_is_replaced_by_the_lines_of_the_protocol(
    start: tuple[int, int], end: tuple[int, int], new: str, wanted: str
) -> None:
    assert edited(ODD, Position(*start), Position(*end), new) == wanted


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_edits_by_positions_are_those_by_offsets(encoding: str) -> None:
    chance, text = random.Random(3), ODD
    for _ in range(200):
        first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        new = "".join(chance.choice("a\n\ré😀\u2028\x0c") for _ in range(chance.randrange(4)))
        lines = Lines(text)
        start, end = lines.position(first, encoding), lines.position(last, encoding)
        first, last = lines.offset(start, encoding), lines.offset(end, encoding)  # not between \r and \n
        wanted = text[:first] + new + text[last:]
        assert edited(text, start, end, new, encoding) == wanted
        text = wanted or ODD
