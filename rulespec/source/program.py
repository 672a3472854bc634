"""A digest of the program itself: what an other version has found says nothing."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from rulespec.source.shipped import PACKAGE
from rulespec.source.store import digest

_ENDINGS = (".py", ".yaml", ".lark")
_LIBRARIES = ("yaml", "lark", "babel", "wcwidth")


@cache
def program_digest(*packages: Path) -> str:
    """Changes as soon as a file of this package or of other `packages` does, by size and time, or Python, or a library.

    The files do not change while the program runs.
    """
    found: list[str] = []
    for package in (PACKAGE, *packages):
        for folder, folders, names in os.walk(package):
            folders[:] = sorted(name for name in folders if name not in ("__pycache__", "_shipped"))
            wanted = (name for name in sorted(names) if name.endswith(_ENDINGS))
            found += (_about(os.path.join(folder, name)) for name in wanted)  # noqa: PTH118 - many, and quick
    return digest(sys.version, *map(_library, _LIBRARIES), *found)


def _about(place: str) -> str:
    about = os.stat(place)  # noqa: PTH116 - as above
    return f"{place} {about.st_size} {about.st_mtime_ns}"


def _library(name: str) -> str:
    """The library's first file, which is written anew when another version is installed."""
    spec = find_spec(name)
    return name if spec is None or spec.origin is None else _about(spec.origin)
