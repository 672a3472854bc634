"""A step that cannot be done, where no unit is open: it is left, and everything around it is as before."""

from __future__ import annotations

from tests.engine.small import cell, small


def test_who_decides_and_what_is_settled_are_as_before() -> None:
    """Ann slips while bob acts: bob keeps his coin, and the point of the turn is ann's own.

    Conditions are looked at again afterwards: cyd's coin at the end pays cyd 10, as nothing stays `together`.
    """
    state = small("slips").start(1)
    assert state.result is not None
    assert cell(state, "player.coins") == {"ann": 0, "bob": 1, "cyd": 1}
    assert state.result.scores[0] == 1
    assert state.result.scores[2] == 1 + 10
