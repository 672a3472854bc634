"""Hands that only their owners see."""

from __future__ import annotations

import pytest

from interpreter import IllegalOption
from tests.engine.small import keys, small


def test_ones_own_hand_is_looked_into_also_through_a_function() -> None:
    """There are only nuts, so figs cannot be sold; whoever chooses sees that, and is not offered it."""
    state = small("handful").start(1)
    assert keys(state) == ["sell nut"]
    with pytest.raises(IllegalOption) as refused:
        state.option("sell fig")
    assert refused.value.refusal.rule == "in_hand"


def test_set_up_deals_to_each_player() -> None:
    """Two to each: a line for each, and nobody draws."""
    game = small("handful")
    state = game.start(1, events=True)
    drawn = [line for line in game.texts("en").log_lines(state.events or []) if "deck" in line]
    assert drawn == ["nut ×2: deck → Ann, hand", "nut ×2: deck → Bob, hand"]
