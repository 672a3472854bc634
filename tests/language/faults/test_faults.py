"""Each fault gives exactly one problem: its code, at its line and column, with its hint. Nothing follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.faults.corpus import HERE, Fault, faults, problems_of, shown

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
