"""How many declarations and placeholders a game may have: the ones are compared, the others are parsed, each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import MapOf
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.tree import Sequence as List

#: Entries of one section, in all files of a game together; of what people read there may be more.
MOST_DECLARED: Final = 1_000
MOST_TEXTS: Final = 10_000
#: Placeholders of all texts that have some; each is an expression. A large game has five thousand.
MOST_PLACEHOLDERS: Final = 50_000

_WITH_PLACEHOLDERS: Final = ("messages", "rules")

_TEXTS: Final = frozenset({"messages", "terms", "rules", "rulebooks", "scenarios"})
_MOST: Final = {
    field.name: MOST_TEXTS if field.name in _TEXTS else MOST_DECLARED
    for field in REGISTRY.root.fields
    if isinstance(field.shape, MapOf)
}


_OPTIONS: Final = "game.options"


def too_many(files: Sequence[Mapping], problems: Problems) -> bool:
    """Whether the files of a game have too much of something; reported at the first one beyond."""
    return _too_many_entries(files, problems) or _too_many_placeholders(files, problems)


def _too_many_entries(files: Iterable[Mapping], problems: Problems) -> bool:
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


def _too_many_placeholders(files: Sequence[Mapping], problems: Problems) -> bool:
    if sum(tree.span.file.text.count("{") for tree in files) <= MOST_PLACEHOLDERS:  # few have so many braces
        return False
    count = 0
    for tree in files:
        waiting = [section for name in _WITH_PLACEHOLDERS if (section := tree.get(name)) is not None]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Scalar):
                count += node.text.count("{")
                if count > MOST_PLACEHOLDERS:
                    problems.add("RS151", node.span, limit=f"{MOST_PLACEHOLDERS:,}")
                    return True
            elif isinstance(node, Mapping):
                waiting += [value for _, value in reversed(node.pairs)]
            elif isinstance(node, List):
                waiting += reversed(node.items)
    return False


def _options(tree: Mapping) -> Node | None:
    game = tree.get("game")
    return game.get("options") if isinstance(game, Mapping) else None
