"""Options tell nothing of what is hidden: contents that try to make them do so, and contents that do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.independence import leaks
from interpreter import load
from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.lower import program
from rulespec.lower.context import Context
from rulespec.lower.ir import Program
from tests.language.cases import load_cases

BASE = Path(__file__).with_name("base.yaml").read_text(encoding="utf-8")
CASES = load_cases(__file__, "cases.yaml")
BAD = [name for name, case in CASES.items() if "code" in case]
GOOD = [name for name in CASES if name not in BAD]
#: Cases in which a look-ahead would read what is hidden, were it not ended before.
AHEAD = [name for name in GOOD if CASES[name].get("ahead")]
SEEDS = range(2)


def _folder(case: dict[str, Any], tmp_path: Path) -> str:
    """The base with what the case adds; a turn is played twice by everybody."""
    added = {key: value for key, value in case.items() if key not in ("turn", "code", "at", "ahead")}
    if "turn" in case:
        added["flow"] = [{"repeat": [{"turns": "player", "do": case["turn"]}], "times": 2}]
    folder = tmp_path / "offers"
    folder.mkdir()
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    (folder / "case.yaml").write_text(yaml.safe_dump(added, sort_keys=False, width=1000), encoding="utf-8")
    return str(folder)


def _errors(folder: str) -> list[Problem]:
    problems = Problems()
    source = read_game(folder, problems)
    assert source is not None
    check_game(source, [], problems)
    return [problem for problem in problems.items if problem.severity == "error"]


def _untouched(cx: Context, made: Program, *_: object) -> Program:
    return made


@pytest.mark.parametrize("name", BAD)
def test_what_tells_is_refused(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    [problem] = _errors(_folder(case, tmp_path))
    assert problem.code == case["code"]
    assert problem.hint or problem.code == "RS603"  # whose message says what to do
    assert "at" not in case or problem.span.text.startswith(case["at"])


@pytest.mark.parametrize("name", GOOD)
def test_what_tells_nothing_is_allowed_and_tells_nothing(name: str, tmp_path: Path) -> None:
    folder = _folder(CASES[name], tmp_path)
    assert _errors(folder) == []
    assert list(leaks(load(folder, players=3), SEEDS)) == []


@pytest.mark.parametrize("name", AHEAD)
def test_without_horizons_the_look_ahead_would_tell(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: with the horizons left out that are put in where hidden things are read, it does."""
    monkeypatch.setattr(program, "end_before_hidden", _untouched)
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")  # such a program is kept for nobody, nor is a right one taken
    game = load(_folder(CASES[name], tmp_path), players=3)
    assert list(leaks(game, SEEDS)) != []


def test_whether_a_place_holds_a_card_is_looked_ahead_to(tmp_path: Path) -> None:
    """Everybody sees the number of cards: once the card of ann is taken, she is not offered any more."""
    take = [{"choose": "whom", "from": "player"}, {"require": "exists whom.face_down"}]
    turn = [{"try": [*take, {"move": "whom.face_down", "to": "display"}]}]
    state = load(_folder({"turn": turn}, tmp_path), players=3).start(seed=1)
    offered = [option.key for option in state.options()]
    after = state.apply(state.options()[0])
    assert len(offered) == 3
    assert "ann" in offered[0]
    assert [option.key for option in after.options()] == offered[1:]
