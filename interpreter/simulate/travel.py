"""Content that travels to other machines: the texts of a game's folder and of variants that lie elsewhere."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from interpreter.simulate.plan import Arm, Plan, is_shipped
from rulespec.source.files import ENDINGS
from rulespec.source.folders import files_below

Files = tuple[tuple[str, str], ...]
_ROOT = "content"


def packed(plan: Plan) -> Plan:
    """The plan with the texts of all that a machine with the same program does not have anyway."""
    own = {} if is_shipped(plan.game) else _folder(Path(plan.game))
    arms: list[Arm] = []
    extra: dict[str, str] = {}
    for arm in plan.arms:
        names = []
        for variant in arm.variants:
            path = Path(variant)
            if path.is_file():
                inside = f"variants_from_elsewhere/{len(extra)}_{path.name}"
                extra[inside] = path.read_text("utf-8")
                names.append(inside)
            else:
                names.append(variant)
        arms.append(replace(arm, variants=tuple(names)))
    if not own and not extra:
        return plan
    name = f"{_ROOT}/{Path(plan.game).resolve().name}" if own else plan.game
    return replace(plan, game=name, arms=tuple(arms), files=tuple(sorted({**own, **extra}.items())))


def _folder(folder: Path) -> dict[str, str]:
    name = folder.resolve().name
    found = (path for path in files_below(folder, ENDINGS, links=True) if path.is_file())
    return {f"{_ROOT}/{name}/{path.relative_to(folder).as_posix()}": path.read_text("utf-8") for path in found}


def unpacked(files: Files, game: str, variants: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The game and its variants as names on this machine."""
    folder, names = Path(_written(files).name), {name for name, _ in files}
    own = any(name.startswith(f"{game}/") for name in names)
    return str(folder / game) if own else game, tuple(str(folder / v) if v in names else v for v in variants)


@lru_cache(maxsize=4)
def _written(files: Files) -> tempfile.TemporaryDirectory[str]:
    """A folder with the files, which lasts as long as the process."""
    digest = hashlib.blake2b(repr(files).encode(), digest_size=6).hexdigest()
    folder = tempfile.TemporaryDirectory(prefix=f"rulespec-{digest}-")
    for name, text in files:
        path = Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
