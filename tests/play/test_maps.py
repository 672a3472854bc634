"""Maps: where sites of different sizes stand, what is drawn of them for whom, and what is said of a faulty `draw`."""

from __future__ import annotations

import doctest
import itertools
import re
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.draw import EVERYBODY, Drawer, Showing, arranging, canvas, render, shelves, strokes
from interpreter.draw.arranging import Block, arranged
from interpreter.draw.canvas import Canvas
from interpreter.draw.ink import plain, width
from interpreter.draw.shelves import shelved
from interpreter.draw.strokes import Grid, stroked
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.play.table import game_of, play


@pytest.mark.parametrize("module", [arranging, canvas, strokes, shelves])
def test_examples(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


# ---- arranging ------------------------------------------------------------------------------------------------------

PLACES = st.lists(
    st.tuples(st.integers(-3, 6), st.integers(-3, 6), st.integers(1, 12), st.integers(1, 5)),
    min_size=1,
    max_size=25,
    unique_by=lambda block: block[:2],
)


@given(PLACES)
def test_no_block_stands_on_another(places: list[tuple[int, int, int, int]]) -> None:
    blocks = [Block(*place) for place in places]
    found = list(zip(blocks, arranged(blocks), strict=True))
    for (a, (ax, ay)), (b, (bx, by)) in itertools.combinations(found, 2):
        apart = ax + a.width <= bx or bx + b.width <= ax or ay + a.height <= by or by + b.height <= ay
        assert apart, (a, b)


@given(PLACES)
def test_blocks_keep_the_order_of_their_columns_and_rows(places: list[tuple[int, int, int, int]]) -> None:
    blocks = [Block(*place) for place in places]
    found = list(zip(blocks, arranged(blocks), strict=True))
    for (a, (ax, ay)), (b, (bx, by)) in itertools.permutations(found, 2):
        if a.row == b.row and a.column < b.column:
            assert ax + a.width <= bx
        if a.column == b.column and a.row < b.row:
            assert ay + a.height <= by


def test_alike_blocks_in_shifted_rows_stand_at_even_distances() -> None:
    """Two columns in the row above, and one between them below: half a block to the right."""
    assert arranged([Block(0, 0, 4, 1), Block(2, 0, 4, 1), Block(1, 1, 4, 1)]) == [(0, 0), (4, 0), (2, 1)]


# ---- the picture ----------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(-3, 9), st.integers(0, 1), st.text("aб日 ", max_size=6)), max_size=6))
def test_every_line_of_a_picture_is_as_wide_as_the_picture(texts: list[tuple[int, int, str]]) -> None:
    picture = Canvas(8, 2)
    for x, y, text in texts:
        picture.put(x, y, plain(text))
    assert [width(line) for line in picture.lines()] == [8, 8]


def test_what_is_put_through_leaves_what_lies_below() -> None:
    picture = Canvas(5, 1)
    picture.put(0, 0, plain("abcde"))
    picture.put(0, 0, plain(" x 日"), through=True)
    assert render(picture.lines()[0]) == "axc日"


def test_pictures_stand_side_by_side_as_far_as_there_is_room() -> None:
    high, low, wide = [plain("hh")] * 3, [plain("l")], [plain("w" * 9)]
    shown = [[render(line) for line in shelf] for shelf in shelved([low, high, wide], 12)]
    assert shown == [["hh   l", "hh", "hh", ""], ["wwwwwwwww", ""]]


# ---- what is drawn for whom -----------------------------------------------------------------------------------------


def charted(viewer: int | None, kind: str = "", language: str = "en") -> str:
    """The drawing of the map in tests/play/content/charted; options stand for all sites of a kind."""
    game = game_of("charted")
    numbers = {(kind, i): i + 1 for i in range(game.world.domains[kind].size)} if kind else {}
    lines = Drawer(game, game.texts(language)).lines(game.start(0), Showing(viewer, numbers=numbers))
    assert max(width(line) for line in lines) <= 100
    return "\n".join(render(line) for line in lines)


@pytest.mark.parametrize(("viewer", "shown"), [(0, "?"), (1, "?"), (EVERYBODY, "?"), (None, "fe")])
def test_a_value_read_off_a_hidden_piece_is_hidden_too(viewer: int | None, shown: str) -> None:
    """The cellar shows the metal of the stack's top, which nobody sees; how many lie there is no secret."""
    found = re.search(r"\(   1   \) +(\S+) 2 ", charted(viewer))
    assert found is not None
    assert found[1] == shown


@pytest.mark.parametrize(("viewer", "curves"), [(0, "╰"), (1, "╯"), (EVERYBODY, ""), (None, "╰╯")])
def test_the_picture_of_a_piece_in_a_hand_is_shown_to_its_owner_alone(viewer: int | None, curves: str) -> None:
    """North holds a tile that joins top and right, South one that joins top and left."""
    table = charted(viewer).partition("North  ")[2]
    assert "".join(c for c in table if c in "╭╮╰╯") == curves


@pytest.mark.parametrize(
    ("kind", "shown"),
    [("town", "┌1: Harbo…┐"), ("field", "┌2:─────┐"), ("field", "    3:     "), ("gate", "(2:G/S 2)")],
)
def test_the_number_of_an_option_stands_at_its_site(kind: str, shown: str) -> None:
    assert shown in charted(0, kind)


def test_a_short_drawing_explains_its_signs_each_time() -> None:
    game = game_of("charted")
    drawer, known = Drawer(game, game.texts("en")), set[str]()
    first, again = (
        [render(line) for line in drawer.lines(game.start(0), Showing(0, explained=known))] for _ in range(2)
    )
    assert first == again


def test_a_long_drawing_explains_each_sign_once_until_the_board_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.draw.LONG", 5)
    session = play("charted", ["1", "board"])
    assert [session.answer(n).count("= goods") for n in ("start", 0, 1)] == [1, 0, 1]


# ---- what a stranger may write --------------------------------------------------------------------------------------


def test_lines_that_cannot_be_laid_are_given_up_soon() -> None:
    """Sixteen ports all joined across on a wide tile: whatever finds no room in time carries letters."""
    pairs = tuple((p, 15 - p) for p in range(8))
    rows = stroked(Grid(200, 60, 4), pairs)
    assert (len(rows), len(rows[0])) == (60, 200)


FAULTS = {
    "a port that there is not": ("ports: 1, joins: {8: 1}", "RS303", "8"),
    "lines without ports": ("joins: {0: 1}", "RS303", "0"),
    "a port that is no number": ("ports: 1, joins: {top: 1}", "RS259", "top"),
    "an end that is no number": ("ports: 1, joins: {0: true}", "RS303", "true"),
    "a height that changes": ("height: red.score", "RS315", "red.score"),
    "a width of nothing": ("width: cell.col", "RS303", "cell.col"),
    "a height beyond all bounds": ("height: 61", "RS303", "61"),
    "a frame that is no truth": ("frame: 3", "RS303", "3"),
    "an unknown name in a line": ("shows: [[cell.nothing_like_it]]", "RS302", "nothing_like_it"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_drawing_is_reported_at_its_place(fault: str, tmp_path: Path) -> None:
    fields, code, at = FAULTS[fault]
    text = (
        "game: {id: cells, language: 1, title: {en: Cells}, players: 2, seats: [red, green]}\n"
        f"boards:\n  land:\n    cell:\n      for: {{col: 0..1}}\n      draw: {{x: cell.col, y: 0, {fields}}}\n"
        "flow: [{finish: game}]\nranking: [{most: player.score}]\n"
    )
    (tmp_path / "cells").mkdir()
    (tmp_path / "cells" / "cells.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(tmp_path / "cells"), problems)
    assert source is not None
    check_game(source, (), problems)
    errors = [problem for problem in problems.items if problem.severity == "error"]
    assert [problem.span.text for problem in errors] == [at]
    assert errors[0].code == code


# ---- wider than a line ----------------------------------------------------------------------------------------------


def _chart(most: int, *, whole: bool) -> list[str]:
    """The map in tests/play/content/charted in lines of `most` cells, drawn whole or not."""
    game = game_of("charted")
    drawer = Drawer(game, game.texts("en"), whole=whole)
    return [render(line) for line in drawer.boards(game.start(0), ["chart"], most)]


def test_a_map_that_is_cut_says_so() -> None:
    """In 20 columns 19 are shown, and the sign of a cut: the others are missing."""
    wide = max(map(len, _chart(20, whole=True)))
    cut = _chart(20, whole=False)
    assert wide > 20 == max(map(len, cut))
    assert f"{wide - 19} columns of this board have no room here; a wider terminal shows" in " ".join(
        "".join(f"{line.strip()} " for line in cut).split()
    )
    assert "have no room here" not in " ".join(_chart(wide, whole=False))


def test_a_map_is_whole_where_any_width_is_taken() -> None:
    assert _chart(20, whole=True)[:5] == _chart(200, whole=False)[:5]
