"""The outline of a file is that of its tree where it can be read, and there is one whatever the text is."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.service.mend import read_broken
from rulespec.service.outline import List, Map, outline
from rulespec.service.place import place_at
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from rulespec.source.tree import Mapping, Scalar, Sequence
from tests.service.spaces import shipped_texts


def _of_tree(node: object) -> object:
    if isinstance(node, Mapping):
        return {key.text: (key.span.start, _of_tree(value)) for key, value in node.pairs}
    if isinstance(node, Sequence):
        return [_of_tree(item) for item in node.items]
    assert isinstance(node, Scalar)
    return node.span.start, node.span.end, node.style


def _of_outline(part: object) -> object:
    if isinstance(part, Map):
        return {pair.key: (pair.start, _of_outline(pair.value)) for pair in part.pairs}
    if isinstance(part, List):
        return [_of_outline(item) for item in part.items]
    return None if part is None else (part.start, part.end, part.style)  # type: ignore[attr-defined]


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_outline_of_shipped_files_is_that_of_their_trees(ending: str) -> None:
    for name, written in shipped_texts().items():
        text = written.replace("\n", ending)
        tree = read_yaml(SourceFile.of(name, text), Problems())
        assert _of_outline(outline(text)) == _of_tree(tree), name


@pytest.mark.parametrize(
    ("text", "role", "way", "keys"),
    [
        ("zo|", "key", (), ()),
        ("zones:\n  |", "item", ("zones",), ()),
        ("zones:\n  deck: {sh|}", "key", ("zones", "deck"), ()),
        ("zones:\n  deck: {shape: |", "value", ("zones", "deck", "shape"), ("shape",)),
        ("zones:\n  deck: {shape: st, ho|lds: x}", "key", ("zones", "deck"), ("shape",)),
        ("flow:\n  - choose: x\n    wh|\n    then: []", "key", ("flow", 0), ("choose", "then")),
        ("zones:\n  |\n  deck: {}", "key", ("zones",), ("deck",)),
        ("flow:\n  - |\n    then: []", "key", ("flow", 0), ("then",)),
        ("flow:\n  - |", "item", ("flow", 0), ()),
        ("flow:\n  - if: >-\n      not |\n      and x\n    then: []", "value", ("flow", 0, "if"), ("if", "then")),
        ("flow:\n- set: x\n  to: |\n- set: y", "value", ("flow", 0, "to"), ("set", "to")),
        ("rules:\n  a:\n    binds: [x, |]", "value", ("rules", "a", "binds", 1), ()),
        ('messages:\n  a: {en: "one {me|', "value", ("messages", "a", "en"), ("en",)),
        ("a: 1  # no |word", "none", (), ("a",)),
    ],
)
def test_what_a_position_belongs_to(text: str, role: str, way: tuple[object, ...], keys: tuple[str, ...]) -> None:
    at = text.index("|")
    place = place_at(text[:at] + text[at + 1 :], at)
    assert (place.role, place.way if role != "none" else ()) == (role, way)
    held = (
        len(place.way) - 1 if role == "value" else len(place.way)
    )  # a value lies in a map or list, a key is one of it
    assert place.around[held : held + 1] in ((keys,), () if not keys else None)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a: {x: 1}\nb: {y: [1, 2}\nc: {z: 3}\n", ["a", "c"]),  # a section in one line goes
        ("a:\n  x: 1\n  y: [1\n  z: 3\nb: 1\n", ["a", "b"]),  # of one in lines, only the entry that is wrong
        ("a: 1\n\tb: 2\nc: 3\n", ["a", "c"]),
        ("a: 1\nb: 'x\nc: 3\n", ["a"]),  # what is open goes on as YAML says: to the end
        ("a: 1\nb\nc: 3\n", ["a", "c"]),
    ],
)
def test_what_is_broken_is_left_out(text: str, kept: list[str]) -> None:
    tree = read_broken("x.yaml", text)
    assert tree is not None
    assert set(kept) <= set(tree.keys())
    for key in kept:
        assert tree.key_node(key).span.start == text.index(f"{key}:")  # type: ignore[union-attr]


def test_only_the_wrong_entry_is_left_out() -> None:
    tree = read_broken("x.yaml", "a:\n  x: 1\n  y: [1\n  z: 3\nb: 1\n")
    assert tree is not None
    section = tree.get("a")
    assert isinstance(section, Mapping)
    assert section.keys() == ("x", "z")
