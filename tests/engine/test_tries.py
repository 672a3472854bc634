"""A `try` outside every unit is taken back where it fails while it is open, and not by what fails behind it."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.game import EXECUTORS
from tests.engine.small import cell, folder_of, zone

#: what the tally is at the decision that comes last, by task
TALLIES = {"over": 3, "inside": 5, "called": 5, "late": 7}


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("task", TALLIES)
def test_what_a_try_did_stays_when_it_is_over(task: str, executor: str) -> None:
    state = load(str(folder_of("tries")), options={"task": task}, executor=executor).start(1)
    assert state.decision is not None
    assert state.decision.id == "last"
    assert cell(state, "tally") == TALLIES[task]
    assert zone(state, "hole") == (["disc(1)"] if task == "late" else [])
