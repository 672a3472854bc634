"""The folder for what can be made again: its user's alone."""

from __future__ import annotations

import os
import stat
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
    """A file in that folder, which is made; None when none can be trusted, or RULESPEC_NO_CACHE is set."""
    if os.environ.get("RULESPEC_NO_CACHE"):
        return None
    try:
        folder = user_cache_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder / name if is_private(folder) else None
    except (OSError, RuntimeError):
        return None


def is_private(folder: Path) -> bool:
    """Whether a folder is no link, belongs to the user, and nobody else can enter it; it is closed to readers first.

    What lies in a folder that others could write to may be anybody's: that one is not used. Raises OSError.
    """
    if not hasattr(os, "getuid"):
        return True  # where there are no such owners, the user's folders are the user's
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or not is_own(found):
        return False
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return True


def is_own(about: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user, and nobody else can write to it."""
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o022)
