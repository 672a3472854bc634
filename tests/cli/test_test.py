"""The command `test`: its forms, its exit status, and the shipped scenarios."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scenarios.islands import source_of

Run = Callable[..., object]

GOOD = "  one:\n    then:\n      - round == 1\n"
BAD = "  two:\n    play:\n      - green: land north\n    then:\n      - true\n"


def test_what_passes(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD)
    done = run("test", "islands")
    assert (done.status, done.out) == (0, "islands: 1 scenario passed.\n")


def test_what_fails_is_told_with_file_and_line(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD + BAD)
    done = run("test", "islands")
    assert done.status == 1
    assert done.out == (
        "islands/scenarios.yaml:7: two: green does not decide here: red is asked for land.\n"
        "islands: 1 of 2 scenarios failed.\n"
    )


def test_json(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD + BAD)
    done = run("test", "islands", "--format", "json")
    assert done.status == 1
    assert json.loads(done.out) == {
        "games": [
            {
                "id": "islands",
                "scenarios": 2,
                "failed": [
                    {
                        "scenario": "two",
                        "file": "islands/scenarios.yaml",
                        "line": 7,
                        "message": "green does not decide here: red is asked for land.",
                    }
                ],
                "rules": 0,
                "rules_uncovered": [],
            }
        ]
    }


def test_coverage_as_json(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD)
    (game,) = json.loads(run("test", "islands", "--coverage", "--format", "json").out)["games"]
    assert {gap["kind"] for gap in game["uncovered"]} == {"step"}
    assert game["uncovered"][0] == {
        "kind": "step",
        "name": "choose: island",
        "reason": "no scenario carries it out",
        "file": "islands/game.yaml",
        "line": 26,
    }


def test_coverage_as_text(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD)
    done = run("test", "islands", "--coverage")
    assert done.status == 0
    assert "  step require: me.luck < 3: no scenario carries it out (islands/game.yaml:28)\n" in done.out


def test_a_game_that_is_not_there(run: Run) -> None:
    assert run("test", "nowhere").status == 2


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "breakthrough", "reversi", "hex", "agora_barcelona"])
def test_shipped_scenarios_pass_and_leave_nothing_out(run: Run, game: str) -> None:
    done = run("test", game, "--coverage", "--format", "json")
    (found,) = json.loads(done.out)["games"]
    assert found["failed"] == []
    assert found["rules_uncovered"] == []
    assert found["uncovered"] == []
    assert found["scenarios"] >= 10
