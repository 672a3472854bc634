"""Players that somebody wrote in a Python file of their own, named `FILE.py:NAME`.

# bold.py
class Bold:
    def __init__(self, seat, seed):
        self.seat = seat

    def choose(self, state, options):
        return options[-1]

The file is run: use only one that you trust.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

_BETWEEN = ".py:"


class NoPlayer(Exception):
    """The file cannot be run, or has nothing of that name that makes players."""


def is_own(name: str) -> bool:
    """Whether a name means a file."""
    return _BETWEEN in name


@lru_cache(maxsize=32)
def maker(name: str) -> Callable[[int, int], Any]:
    """What makes players for a seat and a seed. Raises NoPlayer."""
    place, _, attribute = name.rpartition(":")
    path = Path(place)
    spec = importlib.util.spec_from_file_location(f"rulespec_player_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise NoPlayer(f"{place} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        raise NoPlayer(f"{place}: {type(fault).__name__}: {fault}") from fault
    found = getattr(module, attribute, None)
    if not callable(found):
        raise NoPlayer(f"{place} has no {attribute!r} that can be called with a seat and a seed")
    return found  # type: ignore[no-any-return]
