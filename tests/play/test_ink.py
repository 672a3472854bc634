"""Lines measured in cells: cutting, filling and breaking, also of wide characters; marks that tell names apart."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.draw import ink, lattice, marks
from interpreter.draw.canvas import Canvas
from interpreter.draw.ink import clean, cut, join, pad, plain, render, seat_styles, width, wrap
from interpreter.draw.marks import short_marks
from interpreter.table import matching

TEXTS = st.text(alphabet="ab é、ガ日・（）-", max_size=40)


@pytest.mark.parametrize("module", [ink, lattice, marks, matching])
def test_examples(module) -> None:
    assert doctest.testmod(module).failed == 0


@given(TEXTS, st.integers(1, 20))
def test_a_cut_line_fits(text: str, most: int) -> None:
    line = cut(plain(text), most)
    assert width(line) <= most
    assert render(line).rstrip("…") in text


@given(TEXTS, st.integers(1, 20))
def test_a_filled_line_is_as_wide_as_asked(text: str, wanted: int) -> None:
    assert width(pad(plain(text), wanted)) == wanted


@given(st.lists(TEXTS.filter(str.strip), max_size=6), st.integers(8, 30))
def test_wrapped_items_fit_and_nothing_is_lost(texts: list[str], most: int) -> None:
    lines = wrap([plain(text) for text in texts], most, plain("|"), indent=2)
    assert all(width(line) <= most for line in lines)
    letters = "".join(render(line) for line in lines).replace(" ", "").replace("|", "")
    assert letters == "".join(texts).replace(" ", "")


def test_a_line_breaks_behind_a_comma_and_not_before_a_bracket() -> None:
    lines = wrap([plain("日本、日本（？）、日本")], 14)
    assert [render(line) for line in lines] == ["日本、", "日本（？）、", "日本"]


def test_what_a_terminal_would_obey_is_taken_out() -> None:
    assert clean("a\x1b[31mb\u202ec\nd\x07") == "a[31mbc d"


def test_what_scripts_and_emoji_need_stays() -> None:
    """A word of Persian has no joiner between two of its letters, an emoji has joiners between its parts."""
    for text in ("برمی\u200cدارید", "👩\u200d🚀", "م\u200fX", "\u0600۱۲"):
        assert clean(text) == text


def test_places_to_break_lines_stay_where_they_are_asked_for() -> None:
    assert clean("co\u00adin\u200bs") == "coins"
    assert clean("co\u00adin\u200bs\u202e", "\u00ad\u200b") == "co\u00adin\u200bs"


def test_a_sign_of_several_characters_is_measured_and_cut_as_one() -> None:
    """The woman with a rocket takes the two cells of one emoji; a letter with an accent of its own takes one."""
    assert width(plain("👩\u200d🚀")) == 2
    assert width(plain("e\u0301")) == 1
    assert render(cut(plain("👩\u200d🚀👩\u200d🚀"), 4)) == "👩\u200d🚀👩\u200d🚀"
    assert render(cut(plain("👩\u200d🚀👩\u200d🚀"), 3)) == "👩\u200d🚀…"
    assert render(cut(plain("e\u0301e\u0301e\u0301"), 2)) == "e\u0301…"


def test_joined_signs_are_drawn_whole() -> None:
    canvas = Canvas(5, 1)
    canvas.put(1, 0, plain("👩\u200d🚀e\u0301"))
    assert [render(line) for line in canvas.lines()] == [" 👩\u200d🚀e\u0301"]


def test_colours_only_where_they_are_wanted() -> None:
    line = join([plain("a", "31"), plain("b")])
    assert render(line) == "ab"
    assert render(line, colour=True) == "\x1b[31ma\x1b[0mb"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Red", "Green"], ["R", "G"]),
        (["X", "O"], ["X", "O"]),
        (["Brown bear", "Blue bird", "Red fox"], ["Br", "Bl", "R"]),
        (["Brown bear", "Brown calf", "Red fox"], ["BB", "BC", "R"]),
        (["青", "ガーネット", "白"], ["青", "ガ", "白"]),
        (["Olive", "Olive", "Red"], ["O", "O", "R"]),
        (["Card 1", "Card 2"], ["C1", "C2"]),
    ],
)
def test_marks(names: list[str], expected: list[str]) -> None:
    assert short_marks(names) == expected


@given(st.lists(st.text(alphabet="abAB 12", min_size=1, max_size=6).filter(str.strip), max_size=12))
def test_different_names_have_different_marks(names: list[str]) -> None:
    found = dict(zip(names, short_marks(names), strict=True))
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("seats", "styles"),
    [
        # a seat whose id is a colour has it; the others have what is left, in their order
        (("red", "blue"), ["91", "94"]),
        (("yellow", "blue", "orange", "green"), ["38;5;136", "94", "38;5;166", "32"]),
        (("north", "red", "south"), ["94", "91", "33"]),
        (("white", "black"), ["94;10", "91;10"]),  # a picture has them in its ink
        # of two words for one colour the first has it
        (("grey", "gray", "violet", "purple"), ["90", "94", "95", "91"]),
        (("blue",), ["94"]),
        # where there are more seats than colours, those that are left go round before one is there a third time
        (("a", "red", "b", "c", "d", "e", "f", "g", "h"), ["94", "91", "33", "32", "95", "36", "34", "31", "94"]),
    ],
)
def test_seats_have_the_colours_that_they_are_called_by(seats: tuple[str, ...], styles: list[str]) -> None:
    assert [style.removeprefix("1;") for style in seat_styles(seats)] == styles
