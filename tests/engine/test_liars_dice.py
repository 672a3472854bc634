"""Liar's dice: information states of small settings, beside OpenSpiel's where that is there."""

from __future__ import annotations

import importlib.util
from math import comb

import pytest

from bench import beside
from bench.beside_liars_dice import SETTINGS
from tests.lengths import long_where


@pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not there")
@pytest.mark.parametrize("number", long_where((1, 2, 3, 4).__contains__, range(len(SETTINGS))))
def test_information_states_beside_open_spiel(number: int) -> None:
    """Whoever decides knows its dice, in no order, and what was bid: any rising row of the bids that there are.

    Half of the rows, those of even length, come to the first player, the others to the second one.
    """
    dice, sides, *_ = SETTINGS[number]
    bids, hands = 2 * dice * sides, comb(dice + sides - 1, dice)
    counts = beside.compare("liars_dice", 1, 0, number)
    assert counts["information states"] == hands * 2**bids
    assert counts["positions"] == hands**2 * 2**bids
    assert counts["games to their end"] == hands**2 * (2**bids - 1)
