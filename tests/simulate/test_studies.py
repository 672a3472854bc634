"""Studies: what a YAML file asks of `simulate`, beside what is typed, and where what is wrong stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main

GOOD = """\
about: Which line is fair.
games: 4
seats: [random]
sweep:
  values.goal_length: 3..5
  values.columns: [7, 8]
arms:
  - with: {values.rows: 7}
design: grid
"""


def _run(folder: Path, text: str, *words: str) -> int:
    path = folder / "study.yaml"
    path.write_text(text, "utf-8")
    return main(["simulate", "connect_four", "--study", str(path), "--jobs", "1", "--format", "json", *words])


def test_a_study_says_what_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two arms, three lengths and two widths are twelve games that are compared."""
    assert _run(tmp_path, GOOD) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    arms = [found, *found["arms"]]
    assert len(arms) == 12
    assert arms[0]["levels"] == {"values.goal_length": 3, "values.columns": 7}
    assert arms[-1]["levels"] == {"values.rows": 7, "values.goal_length": 5, "values.columns": 8}
    assert {arm["games"] for arm in arms} == {4}


def test_what_is_typed_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "2", "--sweep", "values.goal_length=4,5", "--against", "values.columns=8"]
    assert _run(tmp_path, GOOD, *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [arm["levels"] for arm in [found, *found["arms"]]] == [
        {"values.goal_length": 4},
        {"values.goal_length": 5},
        {"values.columns": 8, "values.goal_length": 4},
        {"values.columns": 8, "values.goal_length": 5},
    ]
    assert found["games"] == 2


def test_variants_options_players_and_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "games: 60\nplayers: 2\nvariants: [{file}]\nuntil: [length at most 50 decisions]\ndetail: games\nseed: 3\n"
    variant = tmp_path / "five.yaml"
    variant.write_text('variant:\n  id: five\n  title: {en: "5"}\n  changes: [{set: values.goal_length, to: 5}]\n')
    assert _run(tmp_path, text.replace("{file}", str(variant))) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["variants"], found["seed"], found["until"]["games"]) == ([str(variant)], 3, 50)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("games: many\n", "1:8: `games` is a whole number."),
        ("games: 3\nsweeps: {values.a: 1..2}\n", "2:1: a study has no field `sweeps`."),
        ("sweep:\n  values.a: 12\n", "2:13: `sweep.values.a` is a range such as 12..20 or 12..20..4, or a list"),
        ("arms:\n  - with: {values.a: '1,2'}\n", "2:22: `arms[0].with.values.a` is a whole number, true, false, or"),
        ("design: square\n", '1:9: `design` is one of "grid", "latin".'),
        ('players: "9..2"\n', "study.yaml: `players` takes numbers of players"),
        ('players: "2..999999999999"\n', "`players` is a number of players, a range such as 3..5"),
        ("arms: [{}]\n", "`arms[0]` is an arm with variants, or with figures and options"),
        ('seats: [""]\n', "`seats[0]` is a kind of player"),
        ("arms:\n  - with: {players: a}\n", "one number of players"),
        ("games: [\n", "study.yaml:"),
        ("", "study.yaml: there is nothing in this file"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    assert _run(tmp_path, text) == 2
    err = capsys.readouterr().err
    assert told in err
    assert "Traceback" not in err


def test_a_study_that_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "connect_four", "--study", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err
