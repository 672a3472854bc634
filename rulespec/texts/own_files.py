"""The program's own files of words: no content, so that they are read as plain data."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Any

import yaml

_SAFE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_data(path: Traversable) -> Any:
    """What a file holds: maps, lists, texts and numbers. Not every PyYAML has its quicker reader."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_SAFE)  # noqa: S506  (as it says)
