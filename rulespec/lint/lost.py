"""What of a game could not be read, so that names may be missing elsewhere that were declared there."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import nearest
from rulespec.game_source import GameSource
from rulespec.model.registry import REGISTRY
from rulespec.source.nodes import Mapping

#: Problems of reading have smaller codes than these.
FIRST_PARSED, FIRST_TYPED = "RS200", "RS300"

#: Sections whose entries are read by name in others.
NAMING = frozenset({
    "values", "enums", "boards", "relations", "pieces", "zones", "state", "tracks", "functions", "effects", "actions",
    "events",
})  # fmt: skip


def lost_files(source: GameSource, problems: Problems) -> bool:
    """Whether a whole file is missing: then nothing is known of the names that it may have declared."""
    read = _files_read(source)
    return any(p.code < FIRST_PARSED and p.span.file.name not in read for p in problems.errors)


def lost_sections(source: GameSource, problems: Problems) -> bool:
    """Whether a section that declares names is misspelt or holds no map, and stands nowhere else: then none of its
    names is known.
    """
    base = source.base
    there = {key.text for key, section in base.pairs if isinstance(section, Mapping)}
    return not (NAMING - there).isdisjoint((*base.broken, *base.keys(), *_meant(problems)))


def _meant(problems: Problems) -> list[str]:
    """The sections that misspelt ones are most like."""
    sections = [field.name for field in REGISTRY.record("file").fields]
    found = (nearest(problem.span.text, sections) for problem in problems.errors if problem.code == "RS250")
    return [name for name in found if name is not None]


def _files_read(source: GameSource) -> set[str]:
    trees = [*source.trees, *(file for variant in source.variants.values() for file in variant.files)]
    return {tree.span.file.name for tree in trees}


def lost_variant(source: GameSource, problems: Problems) -> bool:
    """Whether a variant's id could not be read: then it may be the one that others name."""
    read = _files_read(source)
    return "variant" in _meant(problems) or any(
        p.code >= FIRST_PARSED and p.code != "RS423" and p.span.file.name not in read for p in problems.errors
    )


def players_unknown(source: GameSource, problems: Problems) -> bool:
    """Whether players or seats are missing or wrong: then nearly everything that names one would be a fault too."""
    game = source.base.get("game")
    parts = [game.get(key) for key in ("players", "seats")] if isinstance(game, Mapping) else []
    places = [part.span for part in parts if part is not None]
    return len(places) < len(parts) or any(
        place.file is error.span.file and place.start <= error.span.start <= place.end
        for error in problems.errors
        for place in places
    )
