"""Values, places and bounds of a content file's tree."""

from __future__ import annotations

import pytest
import yaml

from rulespec.source import nodes
from rulespec.source.nodes import Mapping, Scalar, Sequence
from tests.language.cases import read

STYLES = """\
plain: a b
folded plain: a
  b
single: 'it''s'
double: "tab\\there"
literal: |
  one
    two
folded: >-  # with a comment

  one
  two

last: end
"""


def tree_of(text: str) -> Mapping:
    tree, problems = read(text)
    assert problems == ()
    assert tree is not None
    return tree


def scalar(tree: Mapping, key: str) -> Scalar:
    node = tree.get(key)
    assert isinstance(node, Scalar)
    return node


@pytest.mark.parametrize(
    ("key", "style", "text", "content"),
    [
        ("plain", "plain", "a b", "a b"),
        ("folded plain", "plain", "a b", "a\n  b"),
        ("single", "single", "it's", "it''s"),
        ("double", "double", "tab\there", "tab\\there"),
        ("literal", "literal", "one\n  two\n", "  one\n    two"),
        ("folded", "folded", "\none two", "\n  one\n  two"),
    ],
)
def test_styles(key: str, style: str, text: str, content: str) -> None:
    node = scalar(tree_of(STYLES), key)
    assert (node.style, node.text, node.content.text) == (style, text, content)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("yes", "yes"),
        ("off", "off"),
        ("12", 12),
        ("-3", -3),
        ("007", 7),
        ("+5", "+5"),
        ("0x1F", "0x1F"),
        ("0o17", "0o17"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1.5", "1.5"),
        ("2024-01-31", "2024-01-31"),
        ("2147483647", 2147483647),
        ("2147483648", "2147483648"),
        ("9" * 5000, "9" * 5000),
        ("'12'", "12"),
        ('"true"', "true"),
        ("'null'", "null"),
        ("none", "none"),
        ("一", "一"),
        ("１２", "１２"),  # wide digits are text
    ],
)
def test_only_the_core_values_of_yaml_1_2_are_read(written: str, value: object) -> None:
    node = scalar(tree_of(f"key: {written}\n"), "key")
    assert (type(node.value), node.value) == (type(value), value)


def test_integers_as_keys_are_texts_to_look_up() -> None:
    tree = tree_of("3: {a: 1}\n4: 2\n")
    assert tree.keys() == ("3", "4")
    assert "3" in tree
    assert "5" not in tree
    key = tree.key_node("4")
    assert key is not None
    assert key.value == 4


def test_places_of_collections() -> None:
    tree = tree_of("first:\n  a: 1\n  b: [x,\n      y]\n\n# comment\nsecond: {c: 2}  # more\n")
    first, second = tree.get("first"), tree.get("second")
    assert isinstance(first, Mapping)
    assert isinstance(second, Mapping)
    assert first.span.text == "a: 1\n  b: [x,\n      y]"
    assert second.span.text == "{c: 2}"
    inner = first.get("b")
    assert isinstance(inner, Sequence)
    assert [item.span.text for item in inner.items] == ["x", "y"]


def test_lines_and_columns_count_characters() -> None:
    node = scalar(tree_of("得点: 1\n題: {名: 駒}\n"), "得点")
    assert (node.span.line, node.span.column) == (1, 5)


@pytest.mark.parametrize("text", ["a: 1\r\nb: |\r\n  x\r\n  y\r\nc: 2\r\n"])
def test_windows_line_ends(text: str) -> None:
    tree = tree_of(text)
    assert scalar(tree, "b").text == "x\ny\n"
    assert scalar(tree, "b").content.text == "  x\r\n  y"
    assert scalar(tree, "c").span.line == 5


def test_equality_ignores_places() -> None:
    assert tree_of("a: [1, b]\n") == tree_of("# moved\na:   [1,   b]\n")
    assert tree_of("a: '1'\n") != tree_of("a: 1\n")


def test_values_with_problems_leave_their_keys_behind() -> None:
    """So that a missing key is not reported a second time."""
    tree, problems = read("a:\nb: *x\nc: ~\nd: 1\n")
    assert tree is not None
    assert (tree.keys(), tree.broken) == (("d",), ("a", "b", "c"))
    assert [problem.code for problem in problems] == ["RS115", "RS122", "RS116"]


def test_a_cut_expression_is_joined_so_that_checking_goes_on() -> None:
    tree, problems = read("a: {size: near(x, y), other: 2}\nb: [near(x, y), z]\n")
    assert [problem.code for problem in problems] == ["RS120", "RS120"]
    assert tree is not None
    first, second = tree.get("a"), tree.get("b")
    assert isinstance(first, Mapping)
    assert first.keys() == ("size", "other")
    assert scalar(first, "size").text == "near(x, y)"
    assert isinstance(second, Sequence)
    assert [item.span.text for item in second.items] == ["near(x, y)", "z"]


def test_the_first_place_of_a_key_is_shown() -> None:
    _, (problem,) = read("size: 1\nsize: 2\n")
    assert [related.span.line for related in problem.related] == [1]


@pytest.mark.parametrize("escape", ["\\UFFFFFFFF", "\\uD800", "\\xZZ", "\\q"])
@pytest.mark.parametrize("loader", [nodes._LOADER, yaml.SafeLoader])
def test_wrong_escapes_are_problems_for_both_parsers(
    escape: str, loader: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "_LOADER", loader)
    _, problems = read(f'key: "{escape}"\n')
    assert len(problems) == 1


@pytest.mark.parametrize("escape", ["\\t", "\\n", "\\u202f", "\\u99d2", "\\\\", '\\"', "\\U0001F600", "\\_"])
def test_useful_escapes_stay(escape: str) -> None:
    assert len(scalar(tree_of(f'key: "a{escape}b"\n'), "key").text) == 3


# ---- bounds -----------------------------------------------------------------------------------------


def nested(depth: int, opening: str, closing: str) -> str:
    return "a: " + opening * depth + "x" + closing * depth + "\n"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{k: ", "}")])
def test_nesting_is_bounded(opening: str, closing: str) -> None:
    assert read(nested(nodes.MAX_DEPTH - 1, opening, closing))[1] == ()  # the file itself is the first map
    _, (problem,) = read(nested(nodes.MAX_DEPTH, opening, closing))
    assert problem.code == "RS112"
    assert problem.span.start == len("a: " + opening * (nodes.MAX_DEPTH - 1))


@pytest.mark.parametrize(
    "text", ["[" * 900_000, "a: " + "{k: " * 200_000, "- " * 400_000, "? " * 400_000, "!" * 900_000]
)
def test_hostile_nesting_is_refused_at_once(text: str) -> None:
    tree, problems = read(text)
    assert tree is None
    assert len(problems) == 1


def test_values_are_counted() -> None:
    _, problems = read("a: [" + "1, " * (nodes.MAX_NODES - 3) + "1]\n")  # the list and the map count too
    assert [problem.code for problem in problems] == ["RS113"]
    assert read("a: [" + "1, " * (nodes.MAX_NODES - 5) + "1]\n")[1] == ()


def test_keys_of_one_map_are_counted() -> None:
    keys = "".join(f"k{number}: 1\n" for number in range(nodes.MAX_KEYS))
    assert read(keys)[1] == ()
    assert [problem.code for problem in read(keys + "one_more: 1\n")[1]] == ["RS114"]


@pytest.mark.parametrize("form", ["a: {}\n", 'a: "{}"\n', "a: '{}'\n", "a: |\n  {}\n", "b: [{}]\n"])
def test_characters_of_one_value_are_counted(form: str) -> None:
    assert read(form.format("w" * (nodes.MAX_TEXT - 1)))[1] == ()  # a block ends with a line break
    assert [problem.code for problem in read(form.format("w" * (nodes.MAX_TEXT + 1)))[1]] == ["RS150"]


def test_size_is_bounded() -> None:
    comment = "# " + "x" * nodes.MAX_CHARACTERS
    assert [problem.code for problem in read("a: 1\n" + comment)[1]] == ["RS104"]


def test_many_duplicate_keys_give_one_problem_each() -> None:
    _, problems = read("a: 1\n" * 4)
    assert [problem.span.line for problem in problems] == [2, 3, 4]
