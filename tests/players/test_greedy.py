"""The greedy player: it looks one step ahead, by the reference or by the module, and sees the same."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.players import greedy


def test_the_module_goes_on_where_one_decision_is_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """On an empty board each of 25 stones, and what may follow it, is tried: far more work than making the module."""
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")  # so that none is kept
    game = load("go", options={"lines": 5})
    state = game.start(1)
    found = greedy.leads_after(state, 0, [3])
    assert game.native_at_hand is not None
    assert game.machine.worked < 150_000
    assert found == greedy._by_reference(state, 0, [3])
    assert game.machine.worked > 300_000
