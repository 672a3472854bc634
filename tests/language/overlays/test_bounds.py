"""Large variants: a bound with a diagnostic, and as much work as there are changes."""

from __future__ import annotations

import pytest

from rulespec.overlay.changes import MAX_CHANGES
from tests.language.overlays.overlay_cases import run

HEAD = 'variant:\n  id: v\n  title: {en: "V"}\n  changes:\n'


def _game(values: int) -> str:
    return "# file: game.yaml\nvalues:\n" + "".join(f"  value_{number}: 0\n" for number in range(values))


def _changes(numbers: range, to: int = 1) -> str:
    return "".join(f"    - set: values.value_{number}\n      to: {to}\n" for number in numbers)


def test_too_many_changes_are_one_problem() -> None:
    text = _game(MAX_CHANGES + 5) + "# file: v.yaml\n" + HEAD + _changes(range(MAX_CHANGES + 5))
    [problem] = run(text).problems
    assert (problem.code, problem.span.text) == ("RS409", f"set: values.value_{MAX_CHANGES}")


def test_as_many_as_allowed_are_made() -> None:
    text = _game(MAX_CHANGES) + "# file: v.yaml\n" + HEAD + _changes(range(MAX_CHANGES))
    case = run(text)
    assert case.problems == ()
    assert len(case.applied.edits) == MAX_CHANGES


@pytest.mark.long
def test_a_long_variant_of_mistakes_has_one_problem_each() -> None:
    """Each path is wrong, in a long list: nothing is compared with everything."""
    rows = "".join(f"      - {{cost: {number}}}\n" for number in range(9_000))
    game = f"# file: game.yaml\npieces:\n  card:\n    rows:\n{rows}"
    changes = "".join(f"    - remove: pieces.card.rows[cost=x{number}]\n" for number in range(MAX_CHANGES))
    case = run(f"{game}# file: v.yaml\n{HEAD}{changes}")
    assert len(case.problems) == MAX_CHANGES


def test_two_large_variants_conflict_once_for_each_change() -> None:
    numbers = range(MAX_CHANGES)
    other = HEAD.replace("id: v", "id: w")
    text = f"{_game(MAX_CHANGES)}# file: v.yaml\n{HEAD}{_changes(numbers)}# file: w.yaml\n{other}{_changes(numbers, 2)}"
    case = run(text)
    assert {problem.code for problem in case.problems} == {"RS410"}
    assert len(case.problems) == MAX_CHANGES
