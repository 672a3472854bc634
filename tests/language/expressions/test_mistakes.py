"""Each syntax error gives exactly one problem, in words, at its place."""

from __future__ import annotations

import pytest
import yaml

from rulespec.diagnostics.catalogue import all_entries
from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import MAX_DEPTH, MAX_LENGTH, parse_expression, parse_type
from rulespec.source.tree import Mapping
from tests.language.cases import expected, found, load_cases, parse, read

CASES = load_cases(__file__, "mistakes.yaml")


@pytest.mark.parametrize("name", CASES)
def test_one_problem_at_its_place(name: str) -> None:
    case = CASES[name]
    tree, problems = parse(case["text"], "type" if case.get("type") else "expr")
    assert tree is None
    assert found(problems) == expected(case)
    assert case.get("hint", "") in (problems[0].hint or "")


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.get("type")])
@pytest.mark.parametrize("around", ["値: |\n  {}\n", "値: >-\n\n    {}\n次: 1\n"])
def test_the_same_inside_a_file(name: str, around: str) -> None:
    """The place moves with the text, also in a block and after wide characters."""
    case = CASES[name]
    text = around.format(case["text"])
    tree, _ = read(text)
    assert tree is not None
    node = tree.get("値")
    assert node is not None
    problems = Problems()
    assert parse_expression(node, problems) is None
    shift = text.index(case["text"])
    [(code, start, end)] = expected(case)
    assert found(problems.items) == [(code, start + shift, end + shift)]


def test_every_code_of_expressions_has_a_case() -> None:
    """The four others are about the YAML around an expression, and about its size: they follow below."""
    below = {"RS200", "RS201", "RS216", "RS217", "RS218"}
    codes = {entry.code for entry in all_entries() if "RS200" <= entry.code <= "RS249"}
    assert {case["code"] for case in CASES.values()} - {"RS312"} == codes - below


# ---- the YAML around an expression ------------------------------------------------------------------


def problems_of(text: str, key: str = "key", *, is_type: bool = False) -> list[tuple[str, str]]:
    """Codes and marked texts for the value of `key`."""
    tree, _ = read(text)
    assert isinstance(tree, Mapping)
    node = tree.get(key)
    assert node is not None
    problems = Problems()
    result = parse_type(node, problems) if is_type else parse_expression(node, problems)
    assert result is None
    return [(problem.code, problem.span.text) for problem in problems.items]


@pytest.mark.parametrize("written", ['""', "''", '"  "', "|\n  \n", ">\n"])
def test_empty(written: str) -> None:
    [(code, _)] = problems_of(f"key: {written}\n")
    assert code == "RS201"


def test_a_map_is_no_expression() -> None:
    assert problems_of("key:\n  a: 1\n  b: 2\n") == [("RS200", "a: 1")]
    assert problems_of("key: [a, {b: 1}, c +, {d: 1}]\n") == [("RS200", "{b: 1}"), ("RS203", "+"), ("RS200", "{d: 1}")]


def test_only_texts_are_types() -> None:
    assert problems_of("key: [a, b]\n", is_type=True) == [("RS200", "[a, b]")]
    assert problems_of("key: 3\n", is_type=True) == [("RS200", "3")]


def test_escapes_would_move_places() -> None:
    assert problems_of('key: "a\\x20+ b"\n') == [("RS218", "\\x")]
    assert problems_of('key: "a +\\\n  b"\n') == [("RS218", "\\\n")]


# ---- bounds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(" * 900 + "a" + ")" * 900,
        "not " * 900 + "a",
        "-" * 900 + "a",
        "a" + ".b" * 900,
        "a" + "[1" * 900 + "]" * 900,
        "a" + "(1)" * 900,
        "1" + " + 1" * 900,
        "if a then b else " * 200 + "c",
        "max(1, " * 400 + "1" + ")" * 400,
        "f(" * 900,
    ],
)
def test_deep_expressions_are_refused_without_overflow(text: str) -> None:
    tree, problems = parse(text)
    assert tree is None
    assert [problem.code for problem in problems] == ["RS216"]


def test_depth_is_allowed_up_to_the_bound() -> None:
    assert parse("not " * (MAX_DEPTH - 1) + "a")[1] == ()
    assert parse("not " * MAX_DEPTH + "a")[1] != ()
    assert parse("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH)[1] == ()
    assert parse(" and ".join("abcdefgh" * 60))[1] == ()  # wide is not deep


def test_length_is_bounded() -> None:
    text = " and ".join(["a"] * (MAX_LENGTH // 6))
    assert parse(text + " " * (MAX_LENGTH - len(text)))[1] == ()
    assert [problem.code for problem in parse(text + " " * (MAX_LENGTH - len(text) + 1))[1]] == ["RS217"]


def test_cases_are_named_once() -> None:
    """A second case of one name would silently replace the first."""
    from pathlib import Path

    text = Path(__file__).with_name("mistakes.yaml").read_text(encoding="utf-8")
    names = [key.value for key, _ in yaml.compose(text).value]
    assert len(names) == len(set(names))
