"""Where a person's own content lies that belongs to shipped games: language packs, and the engine's words.

There is one folder for every person, in the user's data directory, and others that RULESPEC_CONTENT names. An
installation is not changed, and goes on working when it is replaced.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

#: Folders beside the user's own, divided as PATH is.
VARIABLE: Final = "RULESPEC_CONTENT"


def user_content_folder() -> Path:
    """The folder of a person's own content, whether it is there or not. Raises RuntimeError without a home folder."""
    if sys.platform == "win32":
        base, otherwise = os.environ.get("APPDATA"), Path("AppData", "Roaming")
    elif sys.platform == "darwin":
        base, otherwise = None, Path("Library", "Application Support")
    else:
        base, otherwise = os.environ.get("XDG_DATA_HOME"), Path(".local", "share")
    # a relative folder would be another one wherever the command is run
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / otherwise
    return root / "rulespec" / "content"


def own_folders() -> tuple[Path, ...]:
    """The folders that are there, whole paths: the user's own one, then those of RULESPEC_CONTENT."""
    named = [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    with suppress(RuntimeError):  # a person without a home has no folder of their own
        named.insert(0, user_content_folder())
    # one that may not be looked at is not there (a Path raises PermissionError)
    return tuple(dict.fromkeys(folder.resolve() for folder in named if os.path.isdir(folder)))  # noqa: PTH112
