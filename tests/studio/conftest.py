"""No test of the studio waits for ever: what never comes is a failure, and holds up no other test."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.processes import ANSWER

#: Seconds between the interruptions of a test that does not end: what it has begun is ended too.
AGAIN = 20
#: So many times as long has a test that is marked `long`.
LONG = 4


@pytest.fixture(autouse=True)
def bounded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Interrupts whatever the test waits for, when it has waited too long."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: Any) -> None:
        raise TimeoutError("what the test waits for has not come")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, ANSWER * (LONG if request.node.get_closest_marker("long") else 1), AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
