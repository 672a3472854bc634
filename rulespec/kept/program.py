"""A digest of the program itself: what an other version has found says nothing."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rulespec.source.shipped import PACKAGE
from rulespec.source.store import digest

_ENDINGS = (".py", ".yaml", ".lark")
_LIBRARIES = ("PyYAML", "lark", "babel", "wcwidth")


@cache
def program_digest(*packages: Path) -> str:
    """Changes as soon as a file of this package or of other `packages` does, by size and time, or Python, or a library.

    The files do not change while the program runs.
    """
    found: list[str] = []
    for package in (PACKAGE, *packages):
        for folder, folders, names in os.walk(package):
            folders[:] = sorted(name for name in folders if name not in ("__pycache__", "_shipped"))
            for name in sorted(names):
                if name.endswith(_ENDINGS):
                    about = Path(folder, name).stat()
                    found.append(f"{folder}/{name} {about.st_size} {about.st_mtime_ns}")
    return digest(sys.version, *map(_version, _LIBRARIES), *found)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
