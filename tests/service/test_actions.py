"""Mends that an editor offers: where the problem stands now, and only where all that they change is as it was."""

from __future__ import annotations

from rulespec.diagnostics.fixes import Edit, Fix, applied
from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.service.actions import MEND_ALL, actions
from rulespec.service.problems import moved
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span

NAME = "pond/game.yaml"
TEXT = "game: {id: pond}\nvalues: {coins: 1, a: coinz, b: coinz, c: coins + coins}\n"


def problem(start: int, fixes: tuple[Fix, ...] = ()) -> Problem:
    file = SourceFile.of(NAME, TEXT)
    problems = Problems()
    near = None if fixes else near_to("coinz", ["coins"])
    problems.add("RS301", Span(file, start, start + 5), name="coinz", near=near, fixes=fixes)
    return problems.items[0]


FIRST, SECOND = problem(TEXT.index("coinz")), problem(TEXT.rindex("coinz"))


def space(text: str) -> Workspace:
    found = Workspace()
    found.put(NAME, text)
    return found


def offered(text: str, at: int, *problems: Problem) -> dict[str, str]:
    """What each action makes of the text."""
    found = actions(space(text), problems, NAME, at, at)
    return {action.title: applied({NAME: text}, action.edits)[NAME] for action in found}


def test_a_mend_of_the_place_and_of_all_like_it() -> None:
    found = offered(TEXT, FIRST.span.start, FIRST, SECOND)
    both = TEXT.replace("coinz", "coins")
    assert found == {
        "Change to `coins`": TEXT.replace("coinz", "coins", 1),
        "Mend all problems RS301 in this file": both,
        "Mend all that is certain in this file": both,
    }


def test_at_another_place_the_file_as_a_whole_is_offered() -> None:
    found = actions(space(TEXT), (FIRST,), NAME, 0, 3)
    assert [action.kind for action in found] == [MEND_ALL]


def test_the_place_moves_with_what_is_typed_above() -> None:
    text = "# 😀\n" + TEXT
    assert offered(text, text.index("coinz"), FIRST)["Change to `coins`"] == text.replace("coinz", "coins", 1)


def test_nothing_is_offered_where_the_place_itself_was_changed() -> None:
    assert offered(TEXT.replace("coinz", "coi", 1), FIRST.span.start, FIRST) == {}


def test_a_fix_goes_where_one_of_its_places_was_changed_and_the_problem_stays() -> None:
    file = SourceFile.of(NAME, TEXT)
    both = Fix("Both", (Edit(Span(file, 0, 4), "play"), Edit(FIRST.span, "coins")))
    found = moved(problem(FIRST.span.start, (both,)), TEXT.replace("game", "gaame"))
    assert found is not None
    assert found.fixes == ()


def test_a_fix_in_a_file_that_was_changed_since_is_not_offered() -> None:
    other = SourceFile.of("pond/other.yaml", "a: 1\n")
    fix = Fix("Elsewhere", (Edit(Span(other, 0, 1), "b"),))
    pond = space(TEXT)
    pond.put("pond/other.yaml", "a: 1\n")
    asked = (problem(FIRST.span.start, (fix,)),)
    titles = [action.title for action in actions(pond, asked, NAME, FIRST.span.start, FIRST.span.end)]
    assert titles[0] == "Elsewhere"
    pond.put("pond/other.yaml", "a: 2\n")
    assert actions(pond, asked, NAME, FIRST.span.start, FIRST.span.end) == ()


def test_a_name_that_stands_in_many_places_is_no_slip() -> None:
    """The declaration was mistyped, once: no use is changed unless somebody asks for that one."""
    text = "game: {id: pond}\nvalues: {coins: 1, a: coinz, b: coinz, c: coinz}\n"
    file = SourceFile.of(NAME, text)
    problems = Problems()
    at = text.index("coinz")
    problems.add("RS301", Span(file, at, at + 5), name="coinz", near=near_to("coinz", ["coins"]))
    [only] = actions(space(text), problems.items, NAME, at, at)
    assert (only.title, only.is_preferred) == ("Change to `coins`", False)
