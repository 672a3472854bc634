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


def test_whoever_gets_the_pieces_has_drawn_them() -> None:
    """Set-up deals two to each: a line for each player, and not two for the first."""
    game = small("handful")
    state = game.start(1, events=True)
    lines = [game.texts("en").log_line(event, state.cells, None) for event in state.events or []]
    drawn = [line for line in lines if line and "deck" in line]
    assert [line.split()[0] for line in drawn] == ["Ann", "Bob"]
