"""Cases of a test that take long, while its others are quick."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def long_where(is_long: Callable[..., bool], cases: Iterable[Any]) -> list[Any]:
    """The cases for `parametrize`, those for which `is_long` holds marked; a tuple is the values of several names."""
    rows = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*row, marks=pytest.mark.long) if is_long(*row) else pytest.param(*row) for row in rows]
