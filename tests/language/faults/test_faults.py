"""Each fault gives exactly one problem: its code, at its line and column, with its hint. Nothing follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.faults.corpus import HERE, Fault, all_problems_of, faults, problems_of, shown

FAULTS = faults()


def test_the_game_without_a_fault_has_no_problem(tmp_path: Path) -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "base").glob("*.yaml")}
    assert problems_of(files, tmp_path / "base") == ()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_one_problem_at_its_place(fault: Fault, tmp_path: Path) -> None:
    files = fault.files()
    problems = problems_of(files, tmp_path / "base", fault.variants)
    assert [shown(problem) for problem in problems] == [fault.expected(files)]
    assert fault.hint in (problems[0].hint or "")


def test_there_are_many_faults() -> None:
    assert len(FAULTS) >= 100
    edits = {(fault.file, fault.replace, fault.into, tuple(fault.add.values())) for fault in FAULTS}
    assert len(edits) == len(FAULTS)


BRANCHES = """
actions:
  look_or_ask:
    do:
      - if: me.coins > 3
        then:
          - draw: 1
            from: deck
            to: me.hand
        else:
          - require: me.coins > 0
triggers:
  looking:
    when: {turn: begins}
    do: [{perform: look_or_ask}]
"""
BEHIND_BOTH = """          - require: me.coins > 0
      - require: me.coins > 1
"""


@pytest.mark.parametrize(
    ("end", "codes"),
    [("          - require: me.coins > 0\n", []), (BEHIND_BOTH, ["RS619"])],
    ids=["in_the_other_branch", "behind_both"],
)
def test_what_one_branch_reveals_is_not_known_in_the_other(tmp_path: Path, end: str, codes: list[str]) -> None:
    """A condition in the other branch stands behind nothing; one behind both stands behind the draw."""
    files = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "base").glob("*.yaml")}
    files["branches.yaml"] = BRANCHES.replace("          - require: me.coins > 0\n", end)
    found = all_problems_of(files, tmp_path / "base")
    assert [problem.code for problem in found if problem.span.file.name.endswith("branches.yaml")] == codes
