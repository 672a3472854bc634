"""Under which name what the stages of a game's check found is kept, by its folder and the variants that are on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulespec.source import store
from rulespec.source.program import program_digest


def stages_of(folder: Path, variants: Sequence[str] = ()) -> str:
    """The name under which the stages of a game's check are kept."""
    return f"stages-{store.digest(program_digest(), str(folder.resolve()), *variants)}"
