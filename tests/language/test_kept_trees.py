"""A tree that was kept is the tree that was read: each node, where it stands, and where its own characters are."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.source.kept_trees import decoded, encoded
from rulespec.source.nodes import read_yaml, value_of
from rulespec.source.shipped import content_root
from rulespec.source.text import SourceFile
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

STYLES = """\
game:
  id: demo
  'quoted key': "an \\u00e9scape and a 'mark'"
  folded: >-
    one line
    and the same
  literal: |
    two
    lines
  numbers: [1, -2, true, 99999999999, 'three', []]
  deep: {a: {b: {c: [d, {e: [[f, g], {}]}]}}, long: [a, b, c, d, e, f, g, h, i, j, k]}
"""


def parsed(text: str, name: str = "game.yaml") -> Mapping:
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text), problems)
    assert tree is not None
    assert not problems.items
    return tree


def again(tree: Mapping) -> Mapping:
    return decoded(tree.span.file, encoded(tree), value_of)


def described(node: Node) -> Iterator[tuple[Any, ...]]:
    """All that there is of a node and of those in it, in order."""
    yield type(node), node.span
    if isinstance(node, Scalar):
        yield node.text, node.style, type(node.value), node.value, node.content
    for part in node.items if isinstance(node, Sequence) else ():
        yield from described(part)
    if isinstance(node, Mapping):
        yield node.keys(), node.broken
        for pair in node.pairs:
            for part in pair:
                yield from described(part)


def test_all_styles_come_back() -> None:
    tree = parsed(STYLES)
    assert list(described(again(tree))) == list(described(tree))
    assert again(tree) == tree
    assert hash(again(tree)) == hash(tree)


def test_all_shipped_content_comes_back() -> None:
    places = sorted(content_root().rglob("*.yaml"))
    assert len(places) > 100
    for place in places:
        tree = parsed(place.read_text(encoding="utf-8"), place.name)
        assert list(described(again(tree))) == list(described(tree))


def test_what_is_made_later_is_as_any_other_node() -> None:
    """It is made once, and can be compared, copied, changed and sent elsewhere before anybody has looked at it."""
    tree = parsed(STYLES)
    assert again(tree).pairs is not None
    later = again(tree)
    assert later.get("game") is later.get("game")
    assert later.pairs is later.pairs
    assert replace(again(tree), broken=("x",)) == replace(tree, broken=("x",))
    assert list(described(pickle.loads(pickle.dumps(again(tree))))) == list(described(tree))
    assert list(described(copy.deepcopy(again(tree)))) == list(described(tree))
    assert "game" in again(tree)
    assert again(tree).key_node("game") == tree.key_node("game")
    with pytest.raises(AttributeError, match="items"):
        again(tree).items  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("at", range(4))
def test_data_of_another_form_is_refused(at: int) -> None:
    tree = parsed(STYLES)
    numbers, texts = encoded(tree)
    bad = [["?", texts], [numbers[:-8], texts], [numbers, texts[1:]], ["", texts]][at]
    with pytest.raises((ValueError, TypeError, LookupError)):
        decoded(tree.span.file, bad, value_of)
