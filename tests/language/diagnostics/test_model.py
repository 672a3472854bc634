"""Collecting problems."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.model import ContentError, Problem, Problems, Related, quotable
from rulespec.source.text import SourceFile, Span

FILE = SourceFile.of("b.yaml", "one: two\nthree: four\n")
OTHER = SourceFile.of("a.yaml", "five: six\n")


def test_a_problem_takes_words_and_severity_from_the_catalogue() -> None:
    problems = Problems()
    there = Related("first here", Span(FILE, 0, 3))
    problem = problems.add("RS301", Span(FILE, 5, 8), hint="Did you mean `too`?", related=[there], name="two")
    assert problem == Problem(
        "RS301", "error", "Unknown name 'two'.", Span(FILE, 5, 8), "Did you mean `too`?", (there,)
    )
    assert problem.args == {"name": "two"}
    assert problems.items == (problem,)


def test_problems_come_by_file_and_place_and_once() -> None:
    problems = Problems()
    problems.add("RS301", Span(FILE, 9, 14), name="three")
    problems.add("RS301", Span(FILE, 5, 8), name="two")
    problems.add("RS301", Span(OTHER, 6, 9), name="six")
    problems.add("RS301", Span(FILE, 5, 8), name="two")
    assert [(problem.span.file.name, problem.span.start) for problem in problems.items] == [
        ("a.yaml", 6),
        ("b.yaml", 5),
        ("b.yaml", 9),
    ]
    assert len(problems) == 3


def test_other_words_at_one_place_are_another_problem() -> None:
    problems = Problems()
    problems.add("RS301", Span(FILE, 5, 8), name="two")
    problems.add("RS301", Span(FILE, 5, 8), name="too")
    assert len(problems) == 2


def test_only_errors_are_errors() -> None:
    problems = Problems()
    assert not problems.has_errors
    problems.add("RS110", Span(FILE, 0, 0))  # a warning
    assert not problems.has_errors
    assert problems.errors == ()
    error = problems.add("RS301", Span(FILE, 5, 8), name="two")
    assert problems.has_errors
    assert problems.errors == (error,)


def test_collectors_can_be_joined() -> None:
    first, second = Problems(), Problems()
    first.add("RS301", Span(FILE, 5, 8), name="two")
    second.add("RS301", Span(FILE, 5, 8), name="two")
    second.add("RS301", Span(OTHER, 6, 9), name="six")
    first.extend(second)
    assert len(first) == 2
    assert Problems(second.items).items == second.items


def test_unknown_codes_and_missing_facts_are_our_own_faults() -> None:
    with pytest.raises(KeyError):
        Problems().add("RS999", Span(FILE, 0, 1))
    with pytest.raises(KeyError):
        Problems().add("RS301", Span(FILE, 0, 1))


def test_content_cannot_speak_to_the_terminal() -> None:
    problem = Problems().add("RS301", Span(FILE, 0, 1), name="\x1b[2J\u202eevil\nname" + "x" * 200, hint="a\x07b")
    assert problem.message.isprintable()
    assert len(problem.message) < 120
    assert problem.hint == "a b"


def test_braces_in_facts_are_only_text() -> None:
    assert Problems().add("RS301", Span(FILE, 0, 1), name="{0} {x!r}").message == "Unknown name '{0} {x!r}'."


@pytest.mark.parametrize(("value", "quoted"), [("a  b\n", "a b"), (3, "3"), ("駒", "駒"), ("x" * 90, "x" * 79 + "…")])
def test_quotable(value: object, quoted: str) -> None:
    assert quotable(value) == quoted


def test_an_exception_shows_its_problems() -> None:
    problems = Problems()
    problems.add("RS301", Span(FILE, 5, 8), name="two")
    error = ContentError(problems.items)
    assert error.problems == problems.items
    assert str(error).splitlines() == [
        "b.yaml:1:6: error RS301: Unknown name 'two'.",
        "    1 | one: two",
        "      |      ^^^",
        "",
        "1 error.",
    ]
