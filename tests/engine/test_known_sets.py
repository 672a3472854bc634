"""A set that is known before play is gone through by both executors."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.game import EXECUTORS
from tests.engine.small import cell, folder_of


@pytest.mark.parametrize("executor", EXECUTORS)
def test_all_members_come_in_order(executor: str) -> None:
    """Each of the cells 0, 1 and 2 adds a digit, one more than its number."""
    state, seen = load(str(folder_of("known")), executor=executor).start(1), []
    while state.decision is not None:
        seen.append(cell(state, "tally"))
        state = state.apply(state.options()[0])
    assert seen == [1, 12, 123]
