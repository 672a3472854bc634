"""Effects as values, lifted rules, nesting, and an end in the middle of everything."""

from __future__ import annotations

import pytest

from interpreter import IllegalOption
from tests.engine.small import cell, keys, play, small


def test_effects_printed_on_sites_are_performed() -> None:
    """Three coins at first. The bank gives 3; the arch costs 1 and gives two points; the mill gives one of each."""
    start = small("tasks").start(1)
    assert cell(play(start, "visit bank"), "player.coins", "east") == 6
    arch = play(start, "visit arch")
    assert (cell(arch, "player.coins", "east"), arch.to_json()["score"]["east"]) == (2, 2)
    mill = play(start, "visit mill")
    assert (cell(mill, "player.coins", "east"), mill.to_json()["score"]["east"]) == (3, 1)


def test_the_rule_is_lifted_where_the_effect_says_so() -> None:
    """The shop sells for two coins, the club for nothing."""
    start = small("tasks").start(1)
    assert cell(play(start, "visit shop"), "player.coins", "east") == 1
    assert cell(play(start, "visit club"), "player.coins", "east") == 3


def test_an_effect_is_kept_in_the_state_and_performed_later() -> None:
    """`rest 2` performs the last effect again; with one coin left nobody can buy again."""
    start = small("tasks").start(1)
    bank = play(start, "visit bank")
    assert cell(bank, "last") == "coins(3)"
    assert cell(play(bank, "rest 2"), "player.coins", "east") == 9
    assert keys(play(start, "visit shop")) == ["rest 1"]
    assert keys(play(start, "visit club")) == ["rest 1", "rest 2"]
    assert cell(play(start, "visit club"), "last") == "buy without price"


def test_an_effect_is_an_argument_of_another() -> None:
    """Twice two coins, on top of three."""
    state = play(small("tasks").start(1), "visit mill", "rest 1")
    assert cell(state, "player.coins", "east") == 3 + 2 * 2


def test_a_list_of_effects_is_one_value() -> None:
    state = play(small("tasks").start(1), "visit mill", "rest 2")
    assert (cell(state, "player.coins", "east"), state.to_json()["score"]["east"]) == (4, 2)


def test_nesting_ends_at_its_bound() -> None:
    """Each visit to the maze costs a coin. The third visit inside a visit may not begin a fourth.

    The shop wants two coins, and there is one left.
    """
    deep = play(small("tasks").start(1), "visit maze", "visit maze")
    assert keys(deep) == ["visit bank", "visit arch", "visit mill", "visit club", "visit exit"]
    assert [frame["block"] for frame in deep.to_json()["stack"]] == ["main", "flow", "visit", "visit", "visit"]
    with pytest.raises(IllegalOption) as refused:
        deep.option("visit maze")
    assert refused.value.refusal.reason == "completion"
    out = play(deep, "visit bank")
    assert cell(out, "player.visits", "east") == 3
    assert cell(out, "player.coins", "east") == 3 - 2 + 3


def test_a_filter_is_named_when_it_refuses() -> None:
    with pytest.raises(IllegalOption) as refused:
        small("tasks").start(1).option("visit void")
    assert refused.value.refusal.rule == "house != void"


def test_finishing_leaves_everything_that_is_open() -> None:
    """The exit ends the game inside an effect inside an action: west has 7, and the steps of `end` give east 1."""
    over = play(small("tasks").start(1), "visit maze", "visit exit")
    assert over.decision is None
    assert len(over.options()) == 0
    assert over.result is not None
    assert over.result.scores == (1, 7)
    assert over.result.ranking == ((1,), (0,))
    assert over.to_json()["stack"] == []
    with pytest.raises(IllegalOption) as refused:
        over.option("visit bank")
    assert refused.value.refusal.reason == "over"
