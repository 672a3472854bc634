"""Statements about balance: read, judged, and told with their figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.simulate.expect import FORMS, Judge, Verdict, WrongStatement, read_expectations
from interpreter.simulate.plan import Plan
from interpreter.simulate.tally import Tally
from tests.engine.small import small


def _verdict(text: str, wins: int, games: int, confidence: float = 0.95) -> Verdict:
    """On games of the hints game of which seat 1 wins so many; in each of them both seats pick once."""
    tally = Tally(2)
    for game in range(games):
        won = game < wins
        scores, places = ([1, 0], [1, 2]) if won else ([0, 1], [2, 1])
        tally.add({
            "task": game, "arm": 0, "game": game, "seed": 0, "players": [0, 1], "decisions": 2, "turns": 2,
            "scores": scores, "places": places, "points": {"coins": scores}, "actions": {"pick": [1, 1]},
        })  # fmt: skip
    [statement], _ = read_expectations(text)
    plan = Plan("hints", 2, ("greedy", "random"), games)
    return Judge(plan, small("hints"), tally, confidence).judge(statement)


@pytest.mark.parametrize(
    ("text", "wins", "games", "verdict"),
    [
        # 15 of 148 have Wilson's interval 6.24 to 16.05 % (Newcombe 1998)
        ("seat 1 wins between 6 and 17 %", 15, 148, "holds"),
        ("seat 1 wins between 10 and 30 %", 15, 148, "undecided"),
        ("seat 1 wins between 16.1 and 30 %", 15, 148, "refuted"),
        ("seat 1 wins at least 16.1 %", 15, 148, "refuted"),
        ("seat 1 wins at most 6.2 %", 15, 148, "refuted"),
        ("seat 1 wins at most 16.1 %", 15, 148, "holds"),
        ("seat red wins at least 6.2 %", 15, 148, "holds"),
        ("greedy wins at most 16.1 %", 15, 148, "holds"),
        ("random wins at least 80 %", 15, 148, "holds"),
        ("no seat wins under 20 %", 15, 148, "refuted"),
        ("no seat wins over 95 %", 15, 148, "holds"),
        ("no action under 2 % of use", 15, 148, "holds"),
        ("action pick at most 50 % of use", 15, 148, "refuted"),
        ("length between 2 and 3 decisions", 15, 148, "holds"),
        ("length at least 3 turns", 15, 148, "refuted"),
        ("score of the winner at least 1", 15, 148, "holds"),
        ("score of seat 2 between 0.8 and 1", 15, 148, "holds"),
        ("points for coins between 0.3 and 0.7", 15, 148, "holds"),
        ("shared victory at most 5 %", 15, 148, "holds"),
        ("unfinished at most 5 %", 15, 148, "holds"),
        ("seat 1 wins between 20 and 30 %", 0, 0, "undecided"),
        ("length at most 1 turns", 0, 1, "undecided"),
    ],
)
def test_verdicts(text: str, wins: int, games: int, verdict: str) -> None:
    if games == 1:
        text = "length at most 3 turns"  # one game has no interval
    assert _verdict(text, wins, games).verdict == verdict


def test_more_confidence_decides_less() -> None:
    """At 99.9 % the interval of 15 of 148 reaches over 17 %."""
    assert _verdict("seat 1 wins at most 17 %", 15, 148).verdict == "holds"
    assert _verdict("seat 1 wins at most 17 %", 15, 148, 0.999).verdict == "undecided"


def test_figures_that_refute_are_named() -> None:
    found = _verdict("no seat wins under 20 %", 15, 148)
    assert [name for name, _ in found.figures] == ["red"]
    assert found.figures[0][1].value == 15 / 148


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_is_told_is_understood(form: str) -> None:
    words = form.replace("NAME", "pick").replace("REASON", "coins")
    assert _verdict(words, 15, 148).verdict in ("holds", "refuted", "undecided")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("seat 1 wins often", 1, "no bounds"),
        ("# nothing\n\nseat 1 wins between 30 and 20 %", 3, "leaves nothing"),
        ("confidence 100 %", 1, "between 50 % and 100 %"),
        ("# an emptied file\n", 1, "no statement"),
    ],
)
def test_lines_that_cannot_be_read(text: str, line: int, said: str) -> None:
    with pytest.raises(WrongStatement, match=said) as fault:
        read_expectations(text)
    assert fault.value.line == line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seat 3 wins at least 5 %", "there is no seat '3'; there are 1 to 2: red, blue"),
        ("mcts wins at least 5 %", "no 'mcts' plays; there are greedy, random"),
        ("action fly at least 5 % of use", "no action 'fly'"),
        ("points for flags at least 5", "the game has no points for 'flags'"),
        ("weather at least 5", "What can be said: seat 1 wins between 20 and 30 %"),
    ],
)
def test_statements_about_what_there_is_not(text: str, said: str) -> None:
    with pytest.raises(WrongStatement) as fault:
        _verdict(text, 1, 10)
    assert said in str(fault.value)


def _run(folder: Path, text: str) -> int:
    file = folder / "balance.txt"
    file.write_text(text, "utf-8")
    return main(["simulate", "tic_tac_toe", "--games", "40", "--jobs", "1", "--expect", str(file)])


def test_a_refuted_statement_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(tmp_path, "length at most 3 turns\nno action under 50 % of use\nseat 1 wins between 1 and 99 %\n") == 1
    out = capsys.readouterr().out
    assert "refuted    length at most 3 turns\n           length turns: " in out
    assert "holds      no action under 50 % of use" in out


def test_nothing_refuted_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(tmp_path, "confidence 99.9 %\nseat 1 wins between 55 and 57 %   # nobody knows after 40 games\n") == 0
    assert "undecided  seat 1 wins between 55 and 57 %" in capsys.readouterr().out


def test_a_wrong_statement_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(tmp_path, "seat 1 wins often\n") == 2
    assert f"{tmp_path / 'balance.txt'}:1:1: " in capsys.readouterr().err
