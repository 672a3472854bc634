"""Drawings of named positions, line by line. Each file in golden/ was checked against the position by hand.

`python -m tests.play.test_drawing` writes the files anew, to be looked at again one by one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from interpreter.draw import EVERYBODY, Drawer, Showing, render
from interpreter.draw.ink import width
from interpreter.players import make_player
from interpreter.state import State
from tests.play.table import game_of

GOLDEN = Path(__file__).parent / "golden"


def drawn(state: State, language: str, viewer: int | None, cells: int = 100, *, colour: bool = False) -> str:
    drawer = Drawer(state.game, state.game.texts(language))
    lines = drawer.lines(state, Showing(viewer, cells, you=viewer if viewer not in (None, EVERYBODY) else None))
    assert max(width(line) for line in lines) <= cells
    return "".join(f"{render(line, colour=colour)}\n" for line in lines)


def played(state: State, keys: list[str]) -> State:
    for key in keys:
        state = state.apply(state.option(key))
    return state


def won() -> State:
    """Cross takes the upper row, nought has two cells of the middle column."""
    keys = ["[0,0]", "[1,1]", "[1,0]", "[1,2]", "[2,0]"]
    return played(game_of("tic_tac_toe").start(0), [f"place_mark cell{key}" for key in keys])


def half_way() -> State:
    """Two marks on the board, cross to play."""
    return played(game_of("tic_tac_toe").start(0), ["place_mark cell[0,0]", "place_mark cell[2,1]"])


def after(name: str, players: int, decisions: int) -> State:
    """The position after so many decisions; which options are taken goes by their number."""
    state = game_of(name, players).start(2)
    for n in range(decisions):
        state = state.apply(state.options()[5 * n % len(state.options())])
    return state


def classic(name: str, keys: list[str]) -> State:
    """The position of a two-player game after these moves."""
    return played(game_of(name).start(0), keys)


def rack() -> State:
    columns = [(4, 1), (4, 2), (5, 1), (3, 1), (4, 3), (4, 4), (6, 1)]
    return classic("connect_four", [f"drop_disc cell[{col},{row}]" for col, row in columns])


def men() -> State:
    """White's man went up the middle and captured one that came down."""
    moves = [((3, 2), (4, 3)), ((6, 7), (5, 6)), ((4, 3), (4, 4)), ((5, 6), (5, 5)), ((4, 4), (5, 5))]
    return classic("breakthrough", [f"move_man cell[{a},{b}] cell[{c},{d}]" for (a, b), (c, d) in moves])


def turned() -> State:
    """The disc at 4/3 was laid dark and is light now; that at 4/4 was turned three times."""
    return classic("reversi", [f"place_disc cell[{col},{row}]" for col, row in [(4, 3), (3, 3), (3, 4), (5, 3)]])


def stones() -> State:
    """A stone in the acute corner of each side, three in the middle."""
    return classic("hex", [f"place_stone hex[{c},{r}]" for c, r in [(6, 6), (5, 6), (1, 1), (11, 11), (6, 5)]])


def at_random(name: str, players: int, seed: int, decisions: int, **options: Any) -> State:
    """The position after so many decisions of seats that play at random, or at the end of the game."""
    state = game_of(name, players, **options).start(seed)
    while state.decision is not None and decisions:
        seat = state.decision.player
        state = state.apply(make_player("random", seat, 1000 * seed + decisions).choose(state, state.options()))
        decisions -= 1
    return state


POSITIONS = {
    "marks_en": lambda: drawn(half_way(), "en", EVERYBODY),
    "marks_won_ja": lambda: drawn(won(), "ja", None),
    "board_en": lambda: drawn(after("agora_barcelona", 4, 31), "en", 0),
    "board_fr_five": lambda: drawn(after("agora_barcelona", 5, 49), "fr", EVERYBODY),
    "board_ja": lambda: drawn(after("agora_barcelona", 3, 30), "ja", 1),
    "board_ja_narrow": lambda: drawn(after("agora_barcelona", 3, 30), "ja", 1, 48),
    "rack_fr": lambda: drawn(rack(), "fr", EVERYBODY),
    "men_en": lambda: drawn(men(), "en", 0),
    "turned_ja": lambda: drawn(turned(), "ja", EVERYBODY),
    "stones_en": lambda: drawn(stones(), "en", 1),
    "hexes_en": lambda: drawn(game_of("drawn").start(0), "en", EVERYBODY),
    "charted_en": lambda: drawn(game_of("charted").start(0), "en", 0),
    "charted_ja": lambda: drawn(game_of("charted").start(0), "ja", None),
    "city_start_en": lambda: drawn(at_random("barcelona", 4, 1, 0), "en", 0),
    "city_middle_fr": lambda: drawn(at_random("barcelona", 3, 2, 150), "fr", 1),
    "city_late_ja": lambda: drawn(at_random("barcelona", 4, 3, 400), "ja", None),
    "net_middle_en": lambda: drawn(at_random("metro", 4, 1, 70), "en", 1),
    "net_end_fr": lambda: drawn(at_random("metro", 6, 2, 1000), "fr", EVERYBODY),
    "net_paris_en": lambda: drawn(at_random("metro", 2, 3, 90, city="paris", centre="rails"), "en", 0),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_drawing(name: str) -> None:
    assert POSITIONS[name]() == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_file_is_a_position() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(POSITIONS)


def test_colours_change_nothing_but_colours() -> None:
    coloured = drawn(half_way(), "en", EVERYBODY, colour=True)
    assert "\x1b[1;94mX\x1b[0m" in coloured  # the first seat's colour
    assert "\x1b[1;91mO\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == drawn(half_way(), "en", EVERYBODY)


@pytest.mark.parametrize("cells", [30, 40, 60, 80])
def test_narrow_terminals(cells: int) -> None:
    """All that is shown in a wide terminal is shown in a narrow one too, below each other."""
    text = drawn(after("agora_barcelona", 5, 49), "en", 0, cells)
    assert "Magic Fountain" in text
    for name in ("Blue", "Garnet", "Topaz", "Olive", "White"):
        assert re.search(rf"^[▸ ] {name}(?: .you.)?  0 points", text, re.MULTILINE)


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, EVERYBODY])
def test_a_hand_is_shown_to_its_owner_alone(viewer: int) -> None:
    text = drawn(after("agora_barcelona", 4, 31), "en", viewer)
    for seat, name in enumerate(["Blue", "Garnet", "Topaz", "Olive"]):
        found = re.search(rf"[▸ ] {name}(?: .you.)?  0 points(.*?)played cards", text, re.DOTALL)
        assert found is not None
        assert ("(?)" in found[1]) == (seat != viewer)


@pytest.mark.parametrize(
    ("name", "players", "decisions"), [("agora_barcelona", 4, 31), ("barcelona", 3, 60), ("metro", 4, 40)]
)
def test_the_same_for_whoever_cannot_tell(name: str, players: int, decisions: int) -> None:
    """Hidden pieces dealt anew, another seed: the drawing for a seat stays as it is."""
    from interpreter.imagine import imagine

    state = after(name, players, decisions)
    assert {drawn(imagine(state, 1, seed), "en", 1) for seed in range(5)} == {drawn(state, "en", 1)}


if __name__ == "__main__":
    for name, position in POSITIONS.items():
        (GOLDEN / f"{name}.txt").write_text(position(), encoding="utf-8")
