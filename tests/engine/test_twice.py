"""What a list holds twice is offered once, in the order in which it comes first."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.game import EXECUTORS
from tests.engine.small import folder_of, keys

OFFERED = {
    "listed": ["number 3", "number 1", "number 2"],
    "pairs": ["1 2", "2 2"],
    "picked": ["3", "1", "2"],
    "computed": ["number 0", "number 1"],
}


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("task", OFFERED)
def test_equal_candidates_come_once(task: str, executor: str) -> None:
    game = load(str(folder_of("twice")), options={"task": task}, executor=executor)
    offered = keys(game.start(1))
    assert len(offered) == len(OFFERED[task])
    assert all(key.endswith(value) for key, value in zip(offered, OFFERED[task], strict=True)), offered
