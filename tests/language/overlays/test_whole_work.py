"""A check has one bound of work over all variants, numbers of players, combinations and scenarios; the rest is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import read_game
from rulespec.kept import run
from rulespec.kept.memo import Memo

GAME = """
game: {id: small, language: 1, title: {en: Small}, players: 1..3, seats: [red, green, blue]OPTIONS}
values: {n: n0 + n1 + n2 + n3, n0: 1, n1: 1, n2: 1, n3: 1}
flow:
  - score: n
    reason: x
ranking: [{most: player.score}]
"""
VARIANT = """
variant:
  id: v{0}
  title: {{en: V}}
  changes:
    - set: values.n{0}
      to: {0}
"""
SCENARIO = """
scenarios:
  two: {players: 2, variants: [v1], then: [n == 4]}
"""


def found_in(folder: Path, memo: Memo | None = None, *, more: str = "", options: str = "") -> list[Problem]:
    """What a check says of a game with four variants."""
    (folder / "game.yaml").write_text(GAME.replace("OPTIONS", options) + more, encoding="utf-8")
    for number in range(4):
        (folder / f"v{number}.yaml").write_text(VARIANT.format(number), encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_game(source, [], problems, memo)
    return list(problems.items)


def told(problems: list[Problem]) -> list[str]:
    """The messages of what was left out."""
    return [problem.message for problem in problems if problem.code == "RS437"]


def test_a_game_that_is_not_much_is_checked_whole(tmp_path: Path) -> None:
    assert told(found_in(tmp_path, more=SCENARIO)) == []


def test_what_is_left_out_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One build is always made: two of three numbers of players and the four variants are not."""
    monkeypatch.setattr(run, "MOST_WHOLE", 1)
    problems = found_in(tmp_path)
    [message] = told(problems)
    assert message.endswith("What was left out: numbers of players: 2, variants: 4.")
    [problem] = [problem for problem in problems if problem.code == "RS437"]
    assert (problem.severity, problem.span.text) == ("warning", "game")


def test_what_scenarios_ask_for_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenario's game, with its variant on, is asked for once, for the most players, and cannot be made."""
    monkeypatch.setattr(run, "MOST_WHOLE", 1)
    [message] = told(found_in(tmp_path, more=SCENARIO))
    assert "numbers of players and variants of scenarios: 1," in message


@pytest.mark.parametrize("most", [1, 20_000, 30_000, 40_000, 60_000, 10**9])
def test_what_was_kept_changes_nothing(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MOST_WHOLE", most)
    wrong = SCENARIO + "  other: {variants: [v2, v3], players: 3, then: [nosuch == 1]}\n"
    plain, memo = found_in(tmp_path, more=wrong), Memo()
    for _ in range(3):
        memo.begin()
        assert found_in(tmp_path, memo, more=wrong) == plain
    if most == 10**9:
        assert told(plain) == []
        assert "RS301" in {problem.code for problem in plain}


def test_what_was_kept_with_more_work_before_is_not_used_where_there_is_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memo = Memo()
    found_in(tmp_path, memo, more=SCENARIO)
    memo.begin()
    monkeypatch.setattr(run, "MOST_WHOLE", 1)
    assert found_in(tmp_path, memo, more=SCENARIO) == found_in(tmp_path, more=SCENARIO)


def test_very_many_options_are_sampled_and_told_by_a_number_that_can_be_read(tmp_path: Path) -> None:
    """20 options of a hundred values, with three numbers of players: far more than is counted for each of these."""
    switching = "type: 0..99, start: 0, switches: {1: v1}"
    options = ", options: {" + ", ".join(f"o{n}: {{{switching}}}" for n in range(20)) + "}"
    problems = found_in(tmp_path, options=options)
    [problem] = [problem for problem in problems if problem.code == "RS435"]
    assert problem.message.startswith("There are 3,000,000,000,000 or more combinations")
