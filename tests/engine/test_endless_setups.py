"""A set-up that comes to a position at which it was before never ends: told by `check`, and by a start at that loop.

There are twelve seeds in a bag; the loops begin at the word `repeat`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.model import ContentError
from tests.engine.test_short_setups import GAME, checked, game_of

#: Loops that end for no answer and no chance.
ENDLESS = {
    "an end that never comes": "- repeat: [{set: red.coins, to: 4}]\n  until: red.coins == 2",
    "a condition that stays": "- repeat: [{set: red.coins, to: 1}]\n  while: red.coins > 0",
    "nothing is done": "- repeat: []\n  until: bag.empty",
    "there and back": (
        "- repeat:\n    - move: bag\n      to: display\n    - move: display\n      to: bag\n  until: bag.empty"
    ),
    "only after some passes": (
        "- repeat:\n    - if: red.coins < 9\n      then: [{as: red, do: [{gain: {coins: 1}}]}]\n  until: red.coins > 9"
    ),
    "it shuffles": "- repeat: [{shuffle: heap}]\n  until: bag.empty",
    "chance decides": "- repeat: [{choose: pit, who: chance}]\n  until: bag.empty",
    "a loop in a loop": ("- repeat:\n    - repeat: [{shuffle: heap}]\n      times: 2\n  until: bag.empty"),
}

#: Loops that come to an end, or may: nothing is said of them before play.
ENDING = {
    "seeds run out": "- repeat:\n    - move: bag.any\n      to: display\n  until: bag.empty",
    "a number grows": "- repeat: [{as: red, do: [{gain: {coins: 1}}]}]\n  until: red.coins == 9",
    "so many times": "- repeat: [{shuffle: heap}]\n  times: 3",
    "chance ends it": (
        "- repeat:\n    - choose: n\n      from: 1..9\n      who: chance\n    - {set: red.coins, to: n}\n"
        "  until: red.coins == 9"
    ),
    "by turns": (
        "- repeat:\n    - if: red.coins == 3\n      then: [{set: red.coins, to: 4}]\n"
        "      else: [{set: red.coins, to: 9}]\n  until: red.coins == 9"
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_check_tells_the_loop(name: str, tmp_path: Path) -> None:
    _, text = game_of(ENDLESS[name], tmp_path)
    [problem] = checked(tmp_path)
    assert problem.code == "RS808"
    assert problem.span.line == text[: text.index("repeat")].count("\n") + 1


@pytest.mark.parametrize("name", [name for name in ENDLESS if name in ("an end that never comes", "chance decides")])
def test_a_start_tells_a_place_in_it(name: str, tmp_path: Path) -> None:
    game, text = game_of(ENDLESS[name], tmp_path)
    with pytest.raises(ContentError) as caught:
        game.start(0)
    [problem] = caught.value.problems
    assert problem.code in ("RS802", "RS803")
    assert text[: text.index("repeat")].count("\n") + 1 <= problem.span.line <= len(GAME.splitlines()) + 6


@pytest.mark.parametrize("name", ENDING)
def test_check_tells_nothing_of_a_loop_that_ends(name: str, tmp_path: Path) -> None:
    game, _ = game_of(ENDING[name], tmp_path)
    assert checked(tmp_path) == ()
    assert game.start(0).decision is not None
