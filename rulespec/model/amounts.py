"""How many declarations a game may have: what is done with them compares many of them with many others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import MapOf
from rulespec.source.nodes import Mapping, Node

#: Entries of one section, in all files of a game together; of what people read there may be more.
MOST_DECLARED: Final = 1_000
MOST_TEXTS: Final = 10_000

_TEXTS: Final = frozenset({"messages", "terms", "rules", "rulebooks", "scenarios"})
_MOST: Final = {
    field.name: MOST_TEXTS if field.name in _TEXTS else MOST_DECLARED
    for field in REGISTRY.root.fields
    if isinstance(field.shape, MapOf)
}


_OPTIONS: Final = "game.options"


def too_many(files: Iterable[Mapping], problems: Problems) -> bool:
    """Whether the files of a game have too many entries in a section; reported at the first one beyond."""
    most_of = _MOST | {_OPTIONS: MOST_DECLARED}
    counts = dict.fromkeys(most_of, 0)
    for tree in files:
        for section, most in most_of.items():
            entries = _options(tree) if section == _OPTIONS else tree.get(section)
            if not isinstance(entries, Mapping):
                continue
            room = most - counts[section]
            counts[section] += len(entries.pairs)
            if len(entries.pairs) > room:
                problems.add("RS149", entries.pairs[room][0].span, section=section, limit=f"{most:,}")
                return True
    return False


def _options(tree: Mapping) -> Node | None:
    game = tree.get("game")
    return game.get("options") if isinstance(game, Mapping) else None
