"""The cases of cases.yaml: what files and variants are together, and what is wrong with them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from rulespec.diagnostics.model import Problem, Problems, Related
from rulespec.overlay.apply import apply
from tests.language.cases import load_cases, span_of
from tests.language.overlays.overlay_cases import plain, run, tree

CASES = load_cases(__file__, "cases.yaml")


def test_there_are_twenty_cases_of_merging_and_removing() -> None:
    assert len(CASES) >= 20


@pytest.mark.parametrize("name", CASES)
def test_problems(name: str) -> None:
    case = run(CASES[name]["files"])
    expected = CASES[name].get("problems", [])
    assert [problem.code for problem in case.problems] == [each["code"] for each in expected]
    for problem, each in zip(case.problems, expected, strict=True):
        assert _place(problem) == (each["file"], *span_of(case.files[each["file"]], each["at"]))
        assert [f"{there.span.file.name}: {there.span.text}" for there in problem.related] == each["related"]
        assert "hint" not in each or problem.hint == each["hint"]
        assert "message" not in each or problem.message == each["message"]


def _place(problem: Problem | Related) -> tuple[str, int, int]:
    return problem.span.file.name, problem.span.start, problem.span.end


@pytest.mark.parametrize("name", [name for name in CASES if "gives" in CASES[name]])
def test_results(name: str) -> None:
    case: dict[str, Any] = CASES[name]
    assert plain(run(case["files"]).applied.tree) == plain(tree(case["gives"]))


@pytest.mark.parametrize("name", CASES)
def test_the_order_in_which_variants_are_named_means_nothing(name: str) -> None:
    case = run(CASES[name]["files"])
    expected = plain(case.applied.tree)
    for variants in permutations(case.applied.variants):
        assert plain(apply(case.base, variants, Problems())) == expected


@pytest.mark.parametrize("name", CASES)
def test_the_game_itself_stays_as_it_was(name: str) -> None:
    case = run(CASES[name]["files"])
    assert plain(case.base) == plain(apply(case.base, [], Problems()))
