"""What the fuzz test has found, made small: problems of the right kinds, and no fault of the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from tests.language.cases import load_cases

FRAME = """\
game: {id: found, language: 1, title: {en: "Found"}, players: 2, seats: [red, green]}
flow:
  - score: 1
    for: red
    reason: being_there
ranking:
  - most: player.score
"""
CASES = load_cases(__file__, "found.yaml")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_it_gives_problems_and_nothing_worse(case: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "found"
    folder.mkdir()
    (folder / "frame.yaml").write_text(FRAME, encoding="utf-8")
    (folder / "case.yaml").write_text(case["text"], encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_game(source, [], problems)
    assert sorted({problem.code for problem in problems.errors}) == case["codes"]
