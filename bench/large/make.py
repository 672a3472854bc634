"""Writes a game of `boards.yaml` for a size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_FILE: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("boards.yaml").read_text(encoding="utf-8"))
KINDS = tuple(_FILE["kinds"])


def text_of(kind: str, size: int) -> str:
    """The content of a game."""
    of = _FILE["kinds"][kind]
    functions = "".join(_FILE[name] for name in of.get("functions", ()))
    filled = {
        "FUNCTIONS": f"functions:\n{functions}" if functions else "",
        "LINES": of.get("lines", ""),
        "BESIDE": _FILE[of["beside"]],
        "REACHED": of["reached"],
        "THEN": of["then"],
        "KIND": kind,
        "SIZE": str(size),
        "EACH": str((size * size + 1) // 2),
    }
    text: str = _FILE["game"]
    for word, value in filled.items():
        text = text.replace(word, value)
    return text


def write(folder: Path, kind: str, size: int) -> Path:
    """The folder of a game that is written into `folder`."""
    home = folder / f"large_{kind}_{size}"
    home.mkdir()
    (home / f"{home.name}.yaml").write_text(text_of(kind, size), encoding="utf-8")
    return home
