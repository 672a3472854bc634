"""What has room for all pieces of a kind is never full, also for pieces that lie in it."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.game import EXECUTORS
from tests.engine.small import cell, folder_of, zone


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("task", ["one", "taken", "whole", "several", "stack"])
def test_a_move_to_where_a_piece_lies_is_done(task: str, executor: str) -> None:
    state = load(str(folder_of("round")), options={"task": task}, executor=executor).start(1)
    assert cell(state, "tally") == 3
    if task == "stack":  # 1 under 2: the top goes under, then the one that is on top now
        assert zone(state, "tower") == ["disc(1)", "disc(2)"]
    else:
        assert zone(state, "heap") == ["disc(1)", "disc(2)"]
