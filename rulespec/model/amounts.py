"""How many declarations and placeholders a game may have: the ones are compared, the others are parsed, each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import MapOf
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.tree import Sequence as List

#: Entries of one section, in all files of a game together; of what people read there may be more.
MOST_DECLARED: Final = 1_000
MOST_TEXTS: Final = 10_000
#: Values of all enums: each is a name that every expression may mean. A large game has some hundred.
MOST_MEMBERS: Final = 20_000
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
_MEMBERS: Final = "enums.values"  #: the values of all enums


def too_many(files: Sequence[Mapping], problems: Problems) -> bool:
    """Whether the files of a game have too much of something; reported at the first one beyond."""
    return (
        _too_many_entries(files, problems)
        or _too_many_members(files, problems)
        or _too_many_placeholders(files, problems)
    )


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


def _too_many_members(files: Iterable[Mapping], problems: Problems) -> bool:
    room = MOST_MEMBERS
    for tree in files:
        enums = tree.get("enums")
        for key, enum in enums.pairs if isinstance(enums, Mapping) else ():
            room -= _members(enum)
            if room < 0:
                problems.add("RS149", key.span, section=_MEMBERS, limit=f"{MOST_MEMBERS:,}")
                return True
    return False


def _members(enum: Node) -> int:
    """How many values an enum has."""
    values = enum.get("values") if isinstance(enum, Mapping) else enum
    if isinstance(values, Mapping):
        return len(values.pairs)
    return len(values.items) if isinstance(values, List) else 0


def within_bounds(files: Sequence[Mapping]) -> list[Mapping]:
    """The files of a game without the entries beyond what it may have, whose names are known to be declared.

    What `too_many` refuses is read by an editor all the same, as far as it may go: it must neither hang nor fill it.
    """
    counts: dict[str, int] = {}
    left = [MOST_PLACEHOLDERS]
    return [_within(tree, counts, left) for tree in files]


def _within(tree: Mapping, counts: dict[str, int], left: list[int]) -> Mapping:
    pairs = tuple((key, _section(key.text, value, counts, left)) for key, value in tree.pairs)
    is_same = all(new is old for (_, new), (_, old) in zip(pairs, tree.pairs, strict=True))
    return tree if is_same else replace(tree, pairs=pairs)


def _section(name: str, node: Node, counts: dict[str, int], left: list[int]) -> Node:
    """A section, or as much of it as fits in with what was counted before."""
    if not isinstance(node, Mapping):
        return node
    if name == "game":
        pairs = tuple(
            (key, _section(_OPTIONS, value, counts, left) if key.text == "options" else value)
            for key, value in node.pairs
        )
        return node if all(a is b for (_, a), (_, b) in zip(pairs, node.pairs, strict=True)) else _with(node, pairs)
    most = MOST_DECLARED if name == _OPTIONS else _MOST.get(name)
    if most is None:
        return node
    room = max(0, most - counts.get(name, 0))
    counts[name] = counts.get(name, 0) + len(node.pairs)
    if name == "enums":
        room = min(room, _with_room_for_members(node, counts))
    if name in _WITH_PLACEHOLDERS:
        room = min(room, _with_room_for_placeholders(node, left))
    return node if len(node.pairs) <= room else _with(node, node.pairs[:room])


def _with(node: Mapping, pairs: tuple[tuple[Scalar, Node], ...]) -> Mapping:
    """A map with other pairs. The names of those that it lacks stay known, no more than of a section with room."""
    lacking = (key.text for key, _ in node.pairs[len(pairs) : len(pairs) + MOST_TEXTS])
    return replace(node, pairs=pairs, broken=(*node.broken, *lacking))


def _with_room_for_members(section: Mapping, counts: dict[str, int]) -> int:
    """How many enums there are before they have too many values."""
    for at, (_, enum) in enumerate(section.pairs):
        counts[_MEMBERS] = counts.get(_MEMBERS, 0) + _members(enum)
        if counts[_MEMBERS] > MOST_MEMBERS:
            return at
    return len(section.pairs)


def _with_room_for_placeholders(section: Mapping, left: list[int]) -> int:
    """How many entries there are before there are too many placeholders in them."""
    if section.span.file.text.count("{") <= left[0]:  # few have so many braces
        left[0] -= section.span.text.count("{")
        return len(section.pairs)
    for at, (_, value) in enumerate(section.pairs):
        left[0] -= value.span.text.count("{")
        if left[0] < 0:
            return at
    return len(section.pairs)


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
