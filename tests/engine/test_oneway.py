"""Relations that hold one way only, and options that do not go together."""

from __future__ import annotations

import pytest

from interpreter import ContentError
from tests.engine.small import keys, play, small


def test_a_pair_holds_one_way_where_it_says_so() -> None:
    """From p to q and from q to r; never back."""
    state = small("oneway").start(1)
    assert keys(state) == ["go q"]
    assert keys(play(state, "go q")) == ["go r"]


def test_options_that_a_constraint_forbids_are_refused() -> None:
    assert small("oneway", big=True).options == {"big": True}
    with pytest.raises(ContentError) as refused:
        small("oneway", big=True, fast=True)
    [problem] = refused.value.problems
    assert (problem.code, problem.span.text) == ("RS433", "not (option.big and option.fast)")
