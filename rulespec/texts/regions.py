"""Languages of regions: what holds for a language holds for the regions that have nothing of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

_Value = TypeVar("_Value")
_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")


@cache
def bases(language: str) -> tuple[str, ...]:
    """A language and what it is a kind of, the nearest first: `fr-CA` and `fr`; nothing where that is no language."""
    if not _CODE.fullmatch(language):
        return ()
    parts = language.replace("_", "-").split("-")
    return tuple(dict.fromkeys((language, *("-".join(parts[:n]) for n in range(len(parts), 0, -1)))))


def nearest(language: str, by_language: Mapping[str, _Value]) -> _Value | None:
    """What there is for a language, or else for what it is a kind of."""
    return next((by_language[base] for base in bases(language) if base in by_language), None)
