"""Reading and checking make very many small things that stay: Python need not look for circles among them often."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: How many new things come before Python looks for circles again; by itself it looks after some hundred.
THINGS = 2_000_000


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Inside, memory that only circles hold is freed less often: a tenth of the time of a check for some megabytes."""
    before = gc.get_threshold()
    gc.set_threshold(max(THINGS, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
