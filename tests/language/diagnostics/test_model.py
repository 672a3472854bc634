"""Collecting problems."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.model import MOST_KEPT, NOT_KEPT, ContentError, Problem, Problems, Related, quotable
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


MANY = SourceFile.of("many.yaml", "word " * 6_000)


def many(code: str, numbers: range, problems: Problems | None = None) -> Problems:
    """A collector with a problem at each of these words."""
    problems = Problems() if problems is None else problems
    for number in numbers:
        problems.add(code, Span(MANY, number * 5, number * 5 + 4), **({"name": "word"} if code == "RS301" else {}))
    return problems


def beyond(problems: Problems) -> list[tuple[str, int]]:
    """What stands for the problems that were not kept: severities and how many."""
    return [(problem.severity, problem.count) for problem in problems.items if problem.code == NOT_KEPT]


def test_what_is_dropped_is_not_counted_among_those_that_were_not_kept_either() -> None:
    problems = many("RS301", range(MOST_KEPT + 500))
    assert beyond(problems) == [("error", 500)]
    problems.drop("RS301")
    assert not problems.has_errors
    assert (problems.items, problems.errors, len(problems)) == ((), (), 0)
    many("RS301", range(MOST_KEPT + 500), problems)  # what was dropped can come again
    assert beyond(problems) == [("error", 500)]


def test_what_is_dropped_leaves_other_codes_and_other_places() -> None:
    problems = many("RS106", range(3), many("RS301", range(MOST_KEPT + 500)))
    assert beyond(problems) == [("error", 503)]
    last = [Span(MANY, number * 5, number * 5 + 4) for number in range(MOST_KEPT + 400, MOST_KEPT + 500)]
    problems.drop("RS301", last)
    assert beyond(problems) == [("error", 403)]
    problems.drop("RS301")
    assert beyond(problems) == [("error", 3)]
    assert problems.has_errors
    problems.drop("RS106")
    assert not problems.has_errors


def test_what_was_not_kept_elsewhere_can_be_dropped_and_counts_once() -> None:
    first, second = many("RS301", range(MOST_KEPT + 500)), many("RS301", range(3_000))
    second.extend(first)  # all that the first one has is among the 3,000
    assert beyond(second) == [("error", 1_000)]
    joined = Problems(many("RS106", range(1)).items)
    joined.extend(first)
    joined.extend(first)
    assert beyond(joined) == [("error", 501)]  # of the first collector's kept ones one has no room
    joined.drop("RS301")
    assert [problem.code for problem in joined.items] == ["RS106"]
