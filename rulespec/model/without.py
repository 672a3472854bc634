"""A tree without what the structural check has reported, so that later stages do not report it again.

    tree = without(tree, validate_whole(tree, problems))

What is left out is noted in `Mapping.broken`: a name that stands there is known to be declared, and nothing is
known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rulespec.model.naming import better_name
from rulespec.model.registry import SECTIONS, VERBS
from rulespec.model.validate import Bad
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

_WORDS_ONLY = ("about", "source", "title", "draw", "constraint", "switches")
_STEP_LISTS = ("do", "then", "else", "repeat", "may", "try", "together", "past_top", "past_bottom")
_WITH_STEPS = ("effects", "actions", "triggers")


class Faultless:
    """Which nodes have nothing in them that could not be read: each is looked at once for all trees that share it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Node, bool]] = {}

    def holds(self, node: Node) -> bool:
        """Whether no map in a node, itself among them, has a broken value."""
        if isinstance(node, Scalar):
            return True
        known = self._known.get(id(node))
        if known is None or known[0] is not node:
            known = self._known[id(node)] = node, self._is_faultless(node)
        return known[1]

    def _is_faultless(self, node: Node) -> bool:
        if isinstance(node, Mapping):
            return not node.broken and all(self.holds(value) for _, value in node.pairs)
        return all(self.holds(item) for item in node.items) if isinstance(node, Sequence) else True


def without(tree: Mapping, bad: Bad, faultless: Faultless | None = None) -> Mapping:
    """The tree without bad declarations, fields and steps. The good ones are the very same nodes.

    `faultless` is what is known already of nodes that the tree may share with others.
    """
    cut = _Cut(bad)
    if not (faultless or Faultless()).holds(tree):
        cut.look(tree)
    return _kept(cut, tree, lambda key, node: _section(cut, key, node)) if cut.touches(tree) else tree


class _Cut:
    """What is to be left out: bad nodes, and maps in which a value could not be read."""

    def __init__(self, bad: Bad) -> None:
        self._bad = bad
        self._broken: set[int] = set()

    def look(self, node: Node) -> bool:
        """Notes every map with a broken value, and what such maps lie in; whether `node` is among these."""
        inner = node.items if isinstance(node, Sequence) else ()
        values = [value for _, value in node.pairs] if isinstance(node, Mapping) else []
        found = [self.look(child) for child in (*inner, *values)]
        if any(found) or (isinstance(node, Mapping) and bool(node.broken)):
            self._broken.add(id(node))
        return id(node) in self._broken

    def __contains__(self, node: object) -> bool:
        return node in self._bad or (isinstance(node, Mapping) and bool(node.broken))

    def touches(self, node: Node) -> bool:
        """Whether `node`, or anything inside it, is bad or broken."""
        return self._bad.touches(node) or id(node) in self._broken


def _kept(bad: _Cut, node: Mapping, clean: Callable[[str, Node], Node | None]) -> Mapping:
    """A map without its bad members; what was mentioned in them is noted as broken."""
    pairs: list[tuple[Scalar, Node]] = []
    broken = list(node.broken)
    for key, value in node.pairs:
        good = clean(key.text, value) if bad.touches(value) or key in bad else value
        if good is None:
            broken += [key.text, better_name(key.text), *_words(value)]
        else:
            pairs.append((key, good))
    return replace(node, pairs=tuple(pairs), broken=tuple(dict.fromkeys(broken)))


def _words(node: Node) -> Iterator[str]:
    """Everything in a bad declaration that may be a name which others use."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _words(item)
    elif isinstance(node, Mapping):
        yield from node.broken
        for key, value in node.pairs:
            yield key.text
            yield better_name(key.text)
            yield from _words(value)


# ---- sections ----------------------------------------------------------------------------------------


def _section(bad: _Cut, name: str, node: Node) -> Node | None:
    if name not in SECTIONS:
        return None
    if isinstance(node, Sequence):
        return _steps(bad, node) if name in ("setup", "flow", "end") else _items(bad, node)
    if not isinstance(node, Mapping):
        return None
    if name == "game":
        return _kept(bad, node, lambda key, value: _fields(bad, value) if key == "options" else None)
    if name == "boards":
        return _kept(bad, node, lambda _, group: _fields(bad, group))
    return _kept(bad, node, lambda _, entry: _entry(bad, entry, steps=name in _WITH_STEPS))


def _fields(bad: _Cut, node: Node) -> Node | None:
    """A map of entries, each kept where only its words for people are bad."""
    return _kept(bad, node, lambda _, entry: _entry(bad, entry, steps=False)) if isinstance(node, Mapping) else None


def _items(bad: _Cut, node: Sequence) -> Sequence:
    return replace(node, items=tuple(item for item in node.items if not bad.touches(item)))


def _entry(bad: _Cut, node: Node, *, steps: bool) -> Node | None:
    """One declaration: whole, or without bad words and steps; None where something else in it is bad."""
    if not isinstance(node, Mapping) or node in bad:
        return None
    pairs: list[tuple[Scalar, Node]] = []
    for key, value in node.pairs:
        if not bad.touches(value):
            pairs.append((key, value))
        elif steps and key.text == "do" and isinstance(value, Sequence):
            pairs.append((key, _steps(bad, value)))
        elif key.text not in _WORDS_ONLY:
            return None
    return replace(node, pairs=tuple(pairs))


# ---- steps -------------------------------------------------------------------------------------------


def _steps(bad: _Cut, node: Sequence) -> Sequence:
    return replace(node, items=tuple(_step(bad, item) if bad.touches(item) else item for item in node.items))


def _step(bad: _Cut, node: Node) -> Node:
    """A step with its inner steps cleaned; a bad one keeps only what binds names, and is marked as broken."""
    if not isinstance(node, Mapping):
        return Mapping(node.span, (), ("step",))
    pairs: list[tuple[Scalar, Node]] = []
    broken = list(node.broken)
    for key, value in node.pairs:
        if not bad.touches(value):
            pairs.append((key, value))
        elif key.text in _STEP_LISTS and isinstance(value, Sequence) and value not in bad:
            pairs.append((key, _steps(bad, value)))
        else:
            broken.append(key.text)
    if node in bad and not broken:
        broken.append("step")
    if not any(key.text in VERBS for key, _ in node.pairs):
        broken += _words(node)  # a misspelt verb may have been one that binds names
    if broken:
        pairs = [(key, value) for key, value in pairs if key.text in VERBS or key.text == "each"]
    return replace(node, pairs=tuple(pairs), broken=tuple(broken))
