"""What content hints at: its worth is added to the points, and nothing of how the game is played changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import ContentError, load
from interpreter.players import make_player
from interpreter.players.outlook import worth
from tests.engine.small import folder_of, small


def _worth_after(key: str) -> list[float]:
    state = small("hints").start(0)
    return worth(state.apply(state.option(key)))


@pytest.mark.parametrize(
    ("key", "red"),
    [
        ("pick left", 9 / 4 + 1 / 4),  # nine goods at four for a point, and red's own hint
        ("pick middle", 1 + 1 / 4),  # a coin is a point at once
        ("pick right", 4 / 4 + 1 / 4),
    ],
)
def test_points_and_hints_are_added(key: str, red: float) -> None:
    assert _worth_after(key) == [red, 0]


def test_no_hints_count_when_the_game_is_over() -> None:
    state = small("hints").start(0)
    for key in ("pick left", "pick middle"):
        state = state.apply(state.option(key))
    assert state.decision is None
    assert worth(state) == [0, 1]


def _without_hints(folder: Path) -> str:
    text = (folder_of("hints") / "hints.yaml").read_text("utf-8")
    place = folder / "hints"
    place.mkdir()
    (place / "hints.yaml").write_text(text.split("\nhints:")[0] + "\n", "utf-8")
    return str(place)


def test_greedy_goes_by_them(tmp_path: Path) -> None:
    """Goods are worth nothing by the points alone."""
    for game, key in ((small("hints"), "pick left"), (load(_without_hints(tmp_path)), "pick middle")):
        state = game.start(0)
        assert {make_player("greedy", 0, seed).choose(state, state.options()).key for seed in range(5)} == {key}


def test_they_are_no_part_of_the_rules(tmp_path: Path) -> None:
    """A game's fingerprint, and with it its logs, stay as they are."""
    assert load(_without_hints(tmp_path)).fingerprint == small("hints").fingerprint


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("horizon: 2", "horizon: 0", "RS314"),
        ("unit: 4", "unit: -1", "RS314"),
        ("goods: player.goods\n", "goods: stall\n", "RS3"),
        ("goods: player.goods\n", "goods: player.gold\n", "RS3"),
        ("horizon: 2", "horizont: 2", "RS251"),
    ],
)
def test_faults_in_hints_are_told(tmp_path: Path, old: str, new: str, code: str) -> None:
    place = tmp_path / "hints"
    place.mkdir()
    text = (folder_of("hints") / "hints.yaml").read_text("utf-8")
    assert old in text
    (place / "hints.yaml").write_text(text.replace(old, new), "utf-8")
    with pytest.raises(ContentError) as fault:
        load(str(place))
    assert [problem.code for problem in fault.value.problems if problem.code.startswith(code)]
    assert len(fault.value.problems) == 1
