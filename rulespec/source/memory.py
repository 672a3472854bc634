"""Reading and checking make very many small things that stay: Python need not look for circles among them often."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: How many new things come before Python looks for circles again; by itself it looks after some hundred.
THINGS = 2_000_000


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Inside, memory that only circles hold is freed less often: a tenth of the time of a check for some megabytes.

    What was made inside counts as old afterwards: else Python looks at all of it at once, for a quarter of a second.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(THINGS, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.set_threshold(*before)


class _Held:
    """What is held until the process ends, where `never_freed` says so."""

    def __init__(self) -> None:
        self.is_on = False
        self.things: list[object] = []


_held = _Held()


@contextmanager
def never_freed() -> Iterator[None]:
    """Inside, the last thing that is given to `hold` stays until the process ends with this, and is never taken apart.

    Taking apart all that a check has made takes a twentieth of its time, for memory that goes back as a whole anyway.
    """
    _held.is_on = True
    try:
        yield
    finally:
        _held.is_on = False
        _held.things.append(_held)  # a circle is only found by whoever looks for circles, and there nobody looks
        gc.freeze()


def hold(thing: object) -> None:
    """Has this stay, where anything does, until the next is held or `let_go`."""
    if _held.is_on:
        _held.things = [thing]


def let_go() -> None:
    """Frees what is held: something as large is about to be made."""
    if _held.is_on:
        _held.things = []
