"""Waiting for content files to change."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulespec.source.files import ENDINGS
from rulespec.source.folders import files_below

#: How often files are looked at, in seconds.
PAUSE = 0.3


def changes(places: Sequence[Path], pause: float = PAUSE) -> Iterator[Path | None]:
    """None at once, then after each change of a content file in `places` (folders or files) one that has changed.

    Several changes within a pause count as one. It never ends by itself.
    """
    before = _state(places)
    yield None
    while True:
        time.sleep(pause)
        now = _state(places)
        changed = _first_difference(before, now)
        if changed is not None:
            before = now
            yield changed


def _state(places: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Every content file with its time and size."""
    found = {}
    for place in places:
        for path in [place] if place.is_file() else files_below(place, ENDINGS, links=True):
            if path.name.endswith(ENDINGS):
                try:
                    stat = path.stat()
                except OSError:
                    continue  # gone since it was listed
                found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


def _first_difference(before: dict[Path, tuple[int, int]], now: dict[Path, tuple[int, int]]) -> Path | None:
    return next((path for path in sorted({*before, *now}) if before.get(path) != now.get(path)), None)
