"""Problems as people see them: places, carets under wide characters, long lines, colours."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from rulespec.diagnostics.model import Problem, Problems, Related
from rulespec.diagnostics.render import WIDEST, render_problem, render_text, summary
from rulespec.source.text import SourceFile, Span


def problem_at(text: str, word: str, *, name: str = "case.yaml") -> Problem:
    start = text.index(word)
    return Problems().add("RS301", Span(SourceFile.of(name, text), start, start + len(word)), name=word)


def excerpt(problem: Problem) -> tuple[str, str]:
    """The source line and the caret line."""
    _, source, carets = render_problem(problem).splitlines()
    return source, carets


def test_the_whole_form() -> None:
    file = SourceFile.of("map.yaml", "values:\n  size: 5\n  size: 6\n")
    other = SourceFile.of("more.yaml", "values: {size: 7}\n")
    problems = Problems()
    problems.add(
        "RS117",
        Span(file, 20, 24),
        hint="Rename one.",
        related=[Related("it stands here first", Span(file, 10, 14)), Related("and here", Span(other, 9, 13))],
        key="size",
    )
    problems.add("RS110", Span(SourceFile.of("none.yaml", ""), 0, 0))
    assert render_text(problems.items) == (
        "map.yaml:3:3: error RS117: The key 'size' stands twice in this map.\n"
        "    3 |   size: 6\n"
        "      |   ^^^^\n"
        "  map.yaml:2:3: it stands here first\n"
        "    2 |   size: 5\n"
        "      |   ^^^^\n"
        "  more.yaml:1:10: and here\n"
        "    1 | values: {size: 7}\n"
        "      |          ^^^^\n"
        "  hint: Rename one.\n"
        "\n"
        "none.yaml:1:1: warning RS110: This file declares nothing.\n"
        "\n"
        "1 error, 1 warning."
    )


@pytest.mark.parametrize(
    ("text", "word", "indent", "carets"),
    [
        ("a: bad\n", "bad", 3, 3),
        ("得点: bad\n", "bad", 6, 3),
        ("得: 悪い値\n", "悪い値", 4, 6),
        ("e\u0301te\u0301: bad\n", "bad", 5, 3),  # two accents that take no cell
        ("k: e\u0301te\u0301\n", "e\u0301te\u0301", 3, 3),
        ("👩\u200d👧: bad\n", "bad", 4, 3),  # one sign of two cells
        ("ｶﾅ: bad\n", "bad", 4, 3),  # narrow ones
        ("a:\tbad\n", "bad", 6, 3),  # a tab is shown as four blanks
        ("\u3000: bad\n", "bad", 4, 3),
    ],
)
def test_carets_stand_under_the_cells_of_the_text(text: str, word: str, indent: int, carets: int) -> None:
    source, line = excerpt(problem_at(text, word))
    assert line == "      | " + " " * indent + "^" * carets
    assert wcswidth(source.removeprefix("    1 | ").split(word)[0]) == indent


def test_a_place_without_length_gets_one_caret() -> None:
    problem = Problems().add("RS301", Span(SourceFile.of("a", "ab\n"), 2, 2), name="")
    assert excerpt(problem) == ("    1 | ab", "      |   ^")


def test_a_place_of_several_lines_is_cut_at_the_first() -> None:
    problem = Problems().add("RS301", Span(SourceFile.of("a", "a: [1,\n  2]\n"), 3, 11), name="")
    assert excerpt(problem) == ("    1 | a: [1,", "      |    ^^^…")


def test_a_line_break_at_the_end_is_not_another_line() -> None:
    problem = Problems().add("RS301", Span(SourceFile.of("a", "a: bc\n"), 3, 6), name="")
    assert excerpt(problem)[1] == "      |    ^^"


def test_control_characters_are_made_visible() -> None:
    source, _ = excerpt(problem_at("a: \x1b[31m\u202ebad\n", "bad"))
    assert "\x1b" not in source
    assert "\u202e" not in source
    assert "\N{REPLACEMENT CHARACTER}" in source
    assert "\x1b" not in render_problem(problem_at("a: bad\n", "bad", name="\x1b[31m"))


def test_long_lines_are_cut_around_the_place() -> None:
    text = "k: [" + "左, " * 100 + "bad, " + "右, " * 100 + "]\n"
    source, carets = excerpt(problem_at(text, "bad"))
    assert source.count("…") == 2
    assert wcswidth(source) <= WIDEST + 8
    assert wcswidth(source.split("bad")[0]) == carets.index("^")
    assert carets.count("^") == 3


def test_a_long_place_is_cut() -> None:
    source, carets = excerpt(problem_at("k: " + "x" * 500 + "\n", "x" * 500))
    assert wcswidth(source) <= WIDEST + 8
    assert wcswidth(carets) <= WIDEST + 8


@given(st.text(st.characters(exclude_characters="\n\r"), max_size=150), st.data())
@settings(max_examples=300, deadline=None)
def test_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    """Whatever a line holds: two lines under the message, none wider than allowed, and the caret within the line."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    problem = Problems().add("RS301", Span(SourceFile.of("a", text + "\n"), start, end), name="")
    lines = render_problem(problem).split("\n")
    assert len(lines) == 3
    assert all(wcswidth(line) <= WIDEST + 10 for line in lines[1:])
    assert "^" in lines[2]


def test_many_problems_are_counted_and_the_first_are_shown() -> None:
    problems = Problems()
    file = SourceFile.of("a", "word " * 200_000)
    for number in range(1000):
        problems.add("RS301", Span(file, number * 5, number * 5 + 4), name="word")
    shown = render_text(problems.items, most=3)
    assert shown.count("error RS301") == 3
    assert shown.endswith("\n\n… and 997 more.\n\n1000 errors.")


def test_colours_only_when_asked() -> None:
    problem = problem_at("a: bad\n", "bad")
    plain, coloured = render_problem(problem), render_problem(problem, colour=True)
    assert "\x1b" not in plain
    assert coloured != plain
    import re

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_summaries() -> None:
    error = problem_at("a: bad\n", "bad")
    assert summary([]) == "No problems."
    assert summary([error, error]) == "2 errors."
