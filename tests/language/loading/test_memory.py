"""What is made last before a process ends is not taken apart; anything else is freed as always."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from rulespec.source.memory import hold, let_go, never_freed


class Thing:
    """Anything that is made."""


@pytest.fixture(autouse=True)
def _unfrozen() -> Iterator[None]:
    yield
    gc.unfreeze()


def _held() -> weakref.ref[Thing]:
    thing = Thing()
    hold(thing)
    return weakref.ref(thing)


def test_only_the_last_thing_of_a_process_that_ends_stays() -> None:
    assert _held()() is None
    with never_freed():
        first = _held()
        assert first() is not None
        let_go()
        assert first() is None
        last = _held()
    assert last() is not None
    assert _held()() is None
