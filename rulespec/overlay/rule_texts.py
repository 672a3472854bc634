"""Which rule texts a variant changes: those that it writes anew, and those whose figures it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.overlay.paths import Found, find
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*(?:\[[a-z0-9_]+\])?")
_INDEXED = re.compile(r"(?P<name>[^\[]+)\[(?P<key>[^\]]+)\]")

#: What stands among the languages of a text and is none.
_NO_LANGUAGES = frozenset({"select", "note", "about", "source", "suppress"})

#: How many names a value may go by before a figure stands there.
_LONGEST_CHAIN = 16


@dataclass(frozen=True, slots=True)
class TextChange:
    """A rule's text in one language (and plural form, or ""), before and after; None where there is none."""

    rule: str
    language: str
    form: str
    old: str | None
    new: str | None


#: Puts figures into a text: the declarations, the text's language, and the text where it stands.
Filler = Callable[[Mapping, str, Scalar], str]


def changed_texts(base: Mapping, tree: Mapping, filler: Filler | None = None) -> Iterator[TextChange]:
    """The rule texts that differ, with their figures filled in, by rule and language in the order of the files.

    Without a `filler` only such figures are filled in that stand as they are in `values` or in an enum's rows.
    """
    said = filler or (lambda where, _, text: fill(where, text.text))
    before, after = _texts(base), _texts(tree)
    for place in [*before, *(place for place in after if place not in before)]:
        old = said(base, place[1], before[place]) if place in before else None
        new = said(tree, place[1], after[place]) if place in after else None
        if old != new:
            yield TextChange(*place, old, new)


def _texts(tree: Mapping) -> dict[tuple[str, str, str], Scalar]:
    """Every text of every rule, by rule, language and plural form."""
    rules = tree.get("rules")
    found = {}
    for rule, entry in rules.pairs if isinstance(rules, Mapping) else ():
        text = entry.get("text") if isinstance(entry, Mapping) else None
        for language, node in text.pairs if isinstance(text, Mapping) else ():
            for form, words in _forms(node) if language.text not in _NO_LANGUAGES else ():
                found[rule.text, language.text, form] = words
    return found


def _forms(node: Node) -> list[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        return [("", node)]
    pairs = node.pairs if isinstance(node, Mapping) else ()
    return [(key.text, value) for key, value in pairs if isinstance(value, Scalar)]


def fill(tree: Mapping, text: str) -> str:
    """`text` with the figures that stand in `values` or in an enum's rows; other placeholders stay as they are."""
    return " ".join(_PLACEHOLDER.sub(lambda match: figure(tree, match[1]) or match[0], text).split())


def figure(tree: Mapping, name: str) -> str | None:
    """The figure that a name such as `hand_size`, `hands[3]` or `kind.hill.points` stands for, or None."""
    for _ in range(_LONGEST_CHAIN):
        if not _NAME.fullmatch(name):
            return None
        node = _declared(tree, name)
        if not isinstance(node, Scalar):
            return None
        if not isinstance(node.value, str):
            return node.text
        name = node.text
    return None


def _declared(tree: Mapping, name: str) -> Node | None:
    indexed = _INDEXED.fullmatch(name)
    if indexed is not None:
        return _member(_value(tree, indexed["name"]), indexed["key"])
    first, _, rest = name.partition(".")
    if not rest:
        return _value(tree, name)
    found = find(tree, f"enums.{first}.values.{rest}")
    return found.node if isinstance(found, Found) else None


def _value(tree: Mapping, name: str) -> Node | None:
    found = find(tree, f"values.{name}.is")
    return found.node if isinstance(found, Found) else None


def _member(table: Node | None, key: str) -> Node | None:
    """A table's value by key, or by position from 0."""
    if isinstance(table, Mapping):
        return table.get(key)
    if isinstance(table, Sequence) and key.isdigit() and int(key) < len(table.items):
        return table.items[int(key)]
    return None
