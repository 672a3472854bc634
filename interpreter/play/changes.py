"""Notices that content files have changed since they were read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulespec.source.files import ENDINGS
from rulespec.source.folders import files_below

Stamp = tuple[int, int]


class Watch:
    """The content files in some folders, and single ones, as they were when they were last looked at."""

    def __init__(self, places: Iterable[Path]):
        self._places = tuple(places)
        self._known = self._stamps()

    def changed(self) -> str | None:
        """The name of a file that has come, gone or changed since the last call; None where none has."""
        now = self._stamps()
        different = [path for path in sorted({*now, *self._known}) if now.get(path) != self._known.get(path)]
        self._known = now
        return different[0].name if different else None

    def _stamps(self) -> dict[Path, Stamp]:
        found: dict[Path, Stamp] = {}
        for place in self._places:
            for path in [place] if place.is_file() else files_below(place, ENDINGS, links=True):
                if path.name.endswith(ENDINGS):
                    try:
                        stat = path.stat()
                    except OSError:
                        continue  # gone since it was listed
                    found[path] = (stat.st_mtime_ns, stat.st_size)
        return found
