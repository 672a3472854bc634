"""What is drawn where the terminal has no room for all: what has changed, with the boards right above the question."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise

from interpreter.draw import Part
from interpreter.draw.ink import Line, plain, render
from interpreter.play.screen import Screen
from interpreter.play.session import Session
from interpreter.play.terminal import Terminal
from interpreter.table.seats import Seating
from tests.play.table import Typed, game_of


def _part(kind: str, *texts: str) -> Part:
    return Part(kind, tuple(plain(text) for text in texts))  # type: ignore[arg-type]


MAP, NUMBERED = _part("boards", "map", "of two lines"), _part("boards", "map", "of 1:two lines")
CITIZENS, SIGNS = _part("boards", "tracks"), _part("legend")
TABLE, RED, GREEN = _part("table", "round: 1", "deck: 5"), _part("player", "red: 0"), _part("player", "green: 0")
FIRST = (MAP, CITIZENS, SIGNS, TABLE, RED, GREEN)


def _shown(screen: Screen, parts: Sequence[Part], bare: Sequence[Part], room: int | None) -> list[str]:
    lines: list[Line] = screen.picture(parts, bare, 80, room).lines
    return [text for line in lines if (text := render(line, colour=False).strip())]


def test_where_all_has_room_all_is_drawn_each_time() -> None:
    screen = Screen()
    whole = ["map", "of two lines", "tracks", "round: 1 │ deck: 5", "red: 0", "green: 0"]
    for room in (None, 6):
        assert _shown(screen, FIRST, FIRST, room) == whole


def test_the_first_drawing_is_whole_with_the_map_last() -> None:
    wanted = ["round: 1 │ deck: 5", "red: 0", "green: 0", "tracks", "map", "of two lines"]
    assert _shown(Screen(), FIRST, FIRST, 4) == wanted


def test_then_what_has_changed_is_drawn() -> None:
    screen = Screen()
    _shown(screen, FIRST, FIRST, 4)
    later = (MAP, CITIZENS, SIGNS, _part("table", "round: 1", "deck: 4"), RED, _part("player", "green: 7"))
    assert _shown(screen, later, later, 4) == ["deck: 4", "green: 7"]
    assert _shown(screen, later, later, 4) == []


def test_a_board_with_numbers_is_drawn_if_it_has_room() -> None:
    screen = Screen()
    _shown(screen, FIRST, FIRST, 5)
    numbered = (NUMBERED, *FIRST[1:])
    assert _shown(screen, numbered, FIRST, 5) == ["map", "of 1:two lines"]
    assert _shown(screen, numbered, FIRST, 1) == []


def test_what_is_asked_for_or_was_taken_away_is_drawn_whole() -> None:
    screen = Screen()
    _shown(screen, FIRST, FIRST, 4)
    screen.forget()
    assert len(_shown(screen, FIRST, FIRST, 4)) == 6


def _played(typed: list[str], height: int | None) -> list[str]:
    """What is printed before each line that is typed."""
    output = io.StringIO()
    source = Typed(typed, output)
    terminal = Terminal(source, output, width=100, height=height)
    Session(game_of("probe"), Seating(("human", "random"), 3), terminal).run()
    ends = [0, *map(len, source.seen)]
    return [output.getvalue()[a:b] for a, b in pairwise(ends)]


HINT = "Shown is what has changed; `board` shows all."


def test_a_low_terminal_shows_what_changed_and_says_so() -> None:
    """A card is chosen, which changes nothing yet; then it lies on the left, and Red has points."""
    first, chosen, put, asked, *_ = _played(["2", "1", "board"], 8)
    assert "┌ Left" in first
    assert "  Green  0 points" in first
    assert HINT not in first
    assert "points" not in chosen
    assert HINT in chosen
    assert "┌ Left" in put
    assert "Red (you)  7 points" in put
    assert "Green" not in put
    assert "  Green  0 points" in asked
    assert HINT not in asked


def test_a_high_terminal_and_a_pipe_show_all() -> None:
    for height in (None, 400):
        for printed in _played(["2", "1"], height):
            assert "  Green  0 points" in printed
            assert HINT not in printed
