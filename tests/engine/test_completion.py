"""An option exists only if it can be completed: payments, conditions over several choices, `try` and `may`."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import IllegalOption, load
from tests.engine.small import cell, keys, play, small


def test_what_cannot_be_paid_is_not_offered() -> None:
    """Three coins buy an apple (1) or a pear (2); a fig costs 5."""
    state = play(small("market").start(1), "plan buy_one")
    assert keys(state) == ["buy apple", "buy pear"]
    with pytest.raises(IllegalOption) as refused:
        state.option("buy fig")
    assert refused.value.refusal.reason == "completion"
    assert refused.value.refusal.rule == "price"
    assert refused.value.refusal.span is not None
    assert refused.value.refusal.span.text == "coins"


def test_paying_takes_the_coins_and_gaining_adds() -> None:
    state = play(small("market").start(1), "plan buy_one", "buy pear", "polishing decline")
    assert cell(state, "player.coins", "north") == 1
    assert cell(state, "player.goods", "north") == 1


def test_what_may_be_done_is_asked_only_where_it_can_be_done() -> None:
    """A pear leaves one coin for the polish. With two coins it leaves none, and nobody is asked."""
    after_pear = play(small("market").start(1), "plan buy_one", "buy pear")
    assert keys(after_pear) == ["polishing accept", "polishing decline"]
    polished = play(after_pear, "polishing accept")
    assert cell(polished, "player.coins", "north") == 0
    assert polished.to_json()["score"] == {"north": 2, "south": 0}
    two_left = play(small("market").start(1), "plan buy_one", "buy apple", "polishing decline", "plan rest")
    spent = play(two_left, "plan buy_one", "buy pear")
    assert spent.decision is not None
    assert (spent.decision.player, spent.decision.id) == (1, "plan")


def test_a_condition_over_two_choices_is_seen_before_the_first() -> None:
    """With three coins: apple and pear together, in either order. A fig goes with nothing."""
    state = play(small("market").start(1), "plan buy_two")
    assert keys(state) == ["buy_pair apple", "buy_pair pear"]
    assert keys(play(state, "buy_pair apple")) == ["buy_pair pear"]
    with pytest.raises(IllegalOption) as refused:
        state.option("buy_pair fig")
    assert refused.value.refusal.rule == "enough_coins"


def test_an_action_that_cannot_be_carried_through_leaves_nothing_behind() -> None:
    """Selling without a good: the other way is taken, and the coins are as they were."""
    state = play(small("market").start(1), "plan sell_off")
    assert cell(state, "player.coins", "north") == 3
    assert state.to_json()["score"]["north"] == 2


def test_gain_stops_at_the_upper_end() -> None:
    """Nine coins at most: 9 + 2 is 9."""
    bought = play(small("market").start(1), "plan buy_one", "buy apple", "polishing decline", "plan rest")
    sold = play(bought, "plan sell_off")
    assert cell(sold, "player.coins", "north") == 9
    assert cell(sold, "player.goods", "north") == 0


def test_a_preference_is_dropped_where_nothing_satisfies_it() -> None:
    """A pear is affordable with three coins and a fig is not; with none, either may be wished for."""
    game = small("market")
    assert keys(play(game.start(1), "plan hope")) == ["wish pear"]
    with pytest.raises(IllegalOption) as refused:
        play(game.start(1), "plan hope").option("wish fig")
    assert refused.value.refusal.reason == "condition"
    with pytest.raises(IllegalOption) as never:
        play(game.start(1), "plan hope").option("wish apple")
    assert never.value.refusal.rule == "good != apple"
    poor = play(game.start(1), "plan buy_one", "buy pear", "polishing accept", "plan rest", "plan hope")
    assert keys(poor) == ["wish pear", "wish fig"]


def test_try_inside_try_goes_in_only_as_far_as_it_can_be_completed() -> None:
    """Two coins are paid once: the inner payment cannot be made again with the one that is left."""
    state = play(small("market").start(1), "plan gloss")
    assert cell(state, "player.coins", "north") == 1
    assert state.to_json()["score"]["north"] == 5
    again = play(state, "plan rest", "plan gloss")
    assert cell(again, "player.coins", "north") == 1
    assert again.to_json()["score"]["north"] == 6


def test_the_old_state_is_untouched() -> None:
    state = small("market").start(1)
    before = state.to_bytes(), state.digest(), keys(state)
    play(state, "plan buy_one", "buy pear")
    assert (state.to_bytes(), state.digest(), keys(state)) == before


def test_a_preference_of_a_later_name_is_of_the_whole_combination(tmp_path: Path) -> None:
    """Two numbers that make five, if possible; the first alone says nothing of that. With 1 and 2 none do."""
    (tmp_path / "sums.yaml").write_text(
        "game: {id: sums, language: 1, title: {en: Sums}, players: 2, seats: [red, blue]}\n"
        "state: {total: {type: 0..9, start: 0}, top: {type: 2..4, start: 4}}\n"
        "actions:\n"
        "  add:\n"
        "    do:\n"
        "      - choose:\n"
        "          one: {from: 1..top}\n"
        "          other: {from: 1..top, where: other > one, if_possible: one + other == 5}\n"
        "      - set: total\n"
        "        to: one + other\n"
        "      - set: top\n"
        "        to: 2\n"
        "flow: [{turns: player, do: [{perform: add}]}]\n",
        encoding="utf-8",
    )
    state = load(str(tmp_path)).start(1)
    assert keys(state) == ["add 1 4", "add 2 3"]
    with pytest.raises(IllegalOption):
        state.option("add 1 2")
    assert keys(play(state, "add 1 4")) == ["add 1 2"]


def test_of_joined_conditions_the_first_that_fails_is_named(tmp_path: Path) -> None:
    """2 is even and too small; 7 is not even, and 1 neither large nor even: the first is told."""
    (tmp_path / "joined.yaml").write_text(
        "game: {id: joined, language: 1, title: {en: Joined}, players: 2, seats: [red, blue]}\n"
        "state: {total: {type: 0..9, start: 0}}\n"
        "functions:\n"
        "  even: {params: {n: integer}, type: boolean, is: n % 2 == 0}\n"
        "actions:\n"
        "  add:\n"
        "    do:\n"
        "      - choose: number\n"
        "        from: 1..9\n"
        "        where: number > 3 and (even(number) and number != 8)\n"
        "      - set: total\n"
        "        to: number\n"
        "flow: [{turns: player, do: [{perform: add}]}]\n",
        encoding="utf-8",
    )
    state = load(str(tmp_path)).start(1)
    assert keys(state) == ["add 4", "add 6"]
    refused = {}
    for number in (1, 2, 7, 8):
        with pytest.raises(IllegalOption) as error:
            state.option(f"add {number}")
        refusal = error.value.refusal
        assert refusal.span is not None
        refused[number] = refusal.rule, refusal.span.text
    small, odd = ("number > 3", "number > 3"), ("even", "even(number)")
    assert refused == {1: small, 2: small, 7: odd, 8: ("number != 8", "number != 8")}


def test_numbers_below_zero_can_be_chosen(tmp_path: Path) -> None:
    """Minus one is a number like any other where there is nothing to stop."""
    (tmp_path / "below.yaml").write_text(
        "game: {id: below, language: 1, title: {en: Below}, players: 2, seats: [red, blue]}\n"
        "state: {total: {type: 0..9, start: 5}}\n"
        "actions: {wander: {do: [{choose: stride, from: -1..1}, {set: total, to: total + stride}]}}\n"
        "flow: [{turns: player, do: [{perform: wander}]}]\n",
        encoding="utf-8",
    )
    state = load(str(tmp_path)).start(1)
    assert keys(state) == ["wander -1", "wander 0", "wander 1"]
    assert cell(play(state, "wander -1", "wander -1"), "total") == 3


def test_a_choice_of_another_state_is_taken_by_its_key() -> None:
    game = small("market")
    first, second = game.start(1), game.start(2)
    option = first.option("plan gloss")
    assert second.apply(option) == play(second, "plan gloss")
    with pytest.raises(IllegalOption):
        play(first, "plan buy_one").apply(option)
