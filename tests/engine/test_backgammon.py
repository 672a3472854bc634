"""Backgammon: how it begins, and games beside OpenSpiel's where that is there."""

from __future__ import annotations

import importlib.util

import pytest

from bench import beside


@pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not there")
@pytest.mark.parametrize("games", [3, pytest.param(30, marks=pytest.mark.long)])
def test_beside_open_spiel(games: int) -> None:
    """Every position that a turn can lead to, with all three ways of counting victories."""
    counts = beside.compare("backgammon", games, 0, 40)
    assert counts["games"] == games
    assert counts["turns"] > 20 * games
