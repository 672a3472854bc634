"""The union of trees: maps merge by new keys, lists never merge, a key declared twice is a problem with both places.

Nodes are taken over as they are, so each part of the union still knows the file and line that it came from.

    game = merge([board_file, actions_file], problems)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulespec.diagnostics.model import Problems, Related
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar
from rulespec.source.tree import Sequence as List

#: A place in a tree: keys of maps, and for members of lists the file and offset at which they stand.
Locator = tuple["str | tuple[str, int]", ...]

#: Places that may say the same thing in several files: they tell which file belongs to what.
_REPEATED = frozenset({("variant", "id"), ("pack", "game")})


@dataclass(frozen=True, slots=True)
class Addition:
    """A key that a variant adds. `locator` is the shallowest new place; `key` is where it is written."""

    variant: str
    locator: Locator
    key: Span
    value: Node


@dataclass(frozen=True, slots=True)
class _Clash:
    """A key that stands in two trees with values that cannot be put together."""

    path: tuple[str, ...]
    first: Scalar
    second: Scalar


@dataclass(slots=True)
class _Union:
    """What one union finds."""

    variant: str = ""
    clashes: list[_Clash] = field(default_factory=list)
    additions: list[Addition] = field(default_factory=list)


def merge(trees: Sequence[Mapping], problems: Problems) -> Mapping:
    """The union of a game's files. A key declared twice is reported (RS401); the first one is kept.

    `trees` holds at least one tree; the order of the keys is that of the files.
    """
    merged = trees[0]
    for tree in trees[1:]:
        found = _Union()
        united = _union(merged, tree, (), found)
        for clash in _by_entry(found.clashes, merged, tree):
            there = Related(f"'{clash.first.text}' is declared here too", clash.first.span)
            problems.add("RS401", clash.second.span, related=[there], path=".".join(clash.path))
        merged = united
    return merged


def add_sections(tree: Mapping, sections: Mapping, variant: str, problems: Problems) -> tuple[Mapping, list[Addition]]:
    """`tree` with a variant's sections added, and what was new. What is there already is reported (RS402)."""
    found = _Union(variant)
    united = _union(tree, sections, (), found)
    for clash in _by_entry(found.clashes, tree, sections):
        dotted = ".".join(clash.path)
        there = Related(f"'{clash.first.text}' is declared here", clash.first.span)
        hint = f"To change it, write it in the variant's `changes`, for example `set: {dotted}`."
        if isinstance(_value_at(tree, clash.path), List) and isinstance(_value_at(sections, clash.path), List):
            word = "rows" if clash.path == ("checks",) else "steps` or `rows"
            hint = f"To add to the list, write `insert: {dotted}` with `{word}` in the variant's `changes`."
        problems.add("RS402", clash.second.span, hint=hint, related=[there], path=dotted)
    return united, found.additions


def _by_entry(clashes: list[_Clash], first: Mapping, second: Mapping) -> list[_Clash]:
    """One clash for each declaration: where several of its keys clash, the declaration as a whole stands twice."""
    entries: dict[tuple[str, ...], list[_Clash]] = {}
    for clash in clashes:
        entries.setdefault(clash.path[: 1 if clash.path[0] == "game" else 2], []).append(clash)
    return [same[0] if len(same) == 1 else _whole(path, same[0], first, second) for path, same in entries.items()]


def _whole(path: tuple[str, ...], clash: _Clash, first: Mapping, second: Mapping) -> _Clash:
    left, right = _key_at(first, path), _key_at(second, path)
    return clash if left is None or right is None else _Clash(path, left, right)


def _key_at(tree: Mapping, path: tuple[str, ...]) -> Scalar | None:
    node: Node | None = tree
    for name in path[:-1]:
        node = node.get(name) if isinstance(node, Mapping) else None
    return node.key_node(path[-1]) if isinstance(node, Mapping) else None


def _value_at(tree: Mapping, path: tuple[str, ...]) -> Node | None:
    node: Node | None = tree
    for name in path:
        node = node.get(name) if isinstance(node, Mapping) else None
    return node


def _union(first: Mapping, second: Mapping, path: tuple[str, ...], found: _Union) -> Mapping:
    """`first` with the new keys of `second`; maps under the same key are united in turn."""
    pairs = {key.text: (key, value) for key, value in first.pairs}
    for key, value in second.pairs:
        here = (*path, key.text)
        known = pairs.get(key.text)
        if known is None:
            pairs[key.text] = (key, value)
            _note_new(here, key, value, found)
            continue
        left, right = as_members(known[1], here), as_members(value, here)
        if isinstance(left, Mapping) and isinstance(right, Mapping) and (left.pairs or right.pairs or not path):
            pairs[key.text] = (known[0], _union(left, right, here, found))
        elif here not in _REPEATED or left != right:
            found.clashes.append(_Clash(here, known[0], key))
    broken = (*first.broken, *(name for name in second.broken if name not in first.broken))
    return Mapping(first.span, tuple(pairs.values()), broken)


def _note_new(path: tuple[str, ...], key: Scalar, value: Node, found: _Union) -> None:
    """A new section is not new itself: what stands in it is."""
    if len(path) > 1 or not isinstance(value, Mapping):
        found.additions.append(Addition(found.variant, path, key.span, value))
        return
    for inner, node in value.pairs:
        found.additions.append(Addition(found.variant, (*path, inner.text), inner.span, node))


def as_members(node: Node, path: Locator) -> Node:
    """An enum's plain list of names, or an enum that is one, in its long form; any other node as it is.

    A list of names is short for values without attributes, so further values can be added to it.
    """
    if not isinstance(node, List) or path[:1] != ("enums",):
        return node
    if len(path) == 2:
        name = Scalar(node.span, "values", "plain", "values", node.span)
        return Mapping(node.span, ((name, _members(node)),))
    return _members(node) if len(path) == 3 and path[2] == "values" else node


def _members(names: List) -> Mapping:
    return Mapping(names.span, tuple((n, Mapping(n.span, ())) for n in names.items if isinstance(n, Scalar)))
