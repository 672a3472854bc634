"""The folder for what can be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_cache_folder() -> Path:
    """Where rulespec may keep what it can make again. Raises RuntimeError when the user has no home folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
    # a relative folder would be another one wherever the command is run
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "rulespec"


def cache_file(name: str) -> Path | None:
    """A file in that folder, which is made; None when there is none or RULESPEC_NO_CACHE is set."""
    if os.environ.get("RULESPEC_NO_CACHE"):
        return None
    try:
        folder = user_cache_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError):
        return None
    return folder / name
