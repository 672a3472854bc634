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


@pytest.mark.parametrize(
    "game",
    [
        "tic_tac_toe",
        "connect_four",
        "breakthrough",
        "reversi",
        "hex",
        "english_draughts",
        "go",
        "spades",
        "backgammon",
        "chess",
        "liars_dice",
        "agora_barcelona",
    ],
)
def test_shipped_scenarios_pass_and_leave_nothing_out(run: Run, game: str) -> None:
    done = run("test", game, "--coverage", "--format", "json")
    (found,) = json.loads(done.out)["games"]
    assert found["failed"] == []
    assert found["rules_uncovered"] == []
    assert found["uncovered"] == []
    assert found["scenarios"] >= 10


# ---- variants from elsewhere -----------------------------------------------------------------------------------------

LONGER = """\
variant:
  id: longer
  title: {en: "Longer"}
  changes:
    - set: state.round.start
      to: 1
scenarios:
  begins_later:
    then:
      - round == 2
"""


def _variant(here: Path, text: str) -> str:
    """A variant's file outside of the game's folder."""
    (here / "elsewhere").mkdir(exist_ok=True)
    (here / "elsewhere" / "longer.yaml").write_text(text, "utf-8")
    return "elsewhere/longer.yaml"


def test_scenarios_of_a_variant_from_elsewhere(run: Run, here: Path) -> None:
    """The game begins in round 1, with the variant in round 2: each scenario is about its own."""
    source_of(here / "islands", GOOD)
    file = _variant(here, LONGER)
    done = run("test", "islands", "--variant", file)
    assert (done.status, done.out) == (0, "islands: 2 scenarios passed.\n")
    assert "RS814" not in run("check", "islands", "--variant", file).out


def test_a_false_scenario_of_a_variant_from_elsewhere(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD)
    file = _variant(here, LONGER.replace("round == 2", "round == 3"))
    done = run("test", "islands", "--variant", file)
    assert done.status == 1
    assert done.out.startswith("elsewhere/longer.yaml:10: begins_later: ")
    checked = run("check", "islands", "--variant", file, "--format", "json")
    assert checked.status == 1
    [problem] = [each for each in json.loads(checked.out)["problems"] if each["severity"] == "error"]
    assert (problem["code"], problem["file"], problem["line"]) == ("RS814", "elsewhere/longer.yaml", 10)


def test_a_variant_that_no_scenario_is_about_is_told(run: Run, here: Path) -> None:
    source_of(here / "islands", GOOD)
    done = run("test", "islands", "--variant", _variant(here, LONGER.partition("scenarios:")[0]))
    said = "  No scenario is about the variant 'longer': nothing was tried with it (`variants: [longer]`).\n"
    assert (done.status, done.out) == (0, "islands: 1 scenario passed.\n" + said)


def test_a_variant_is_for_one_game(run: Run, here: Path) -> None:
    done = run("test", "hex", "tic_tac_toe", "--variant", "longer.yaml")
    assert (done.status, done.err) == (2, "rulespec test: --variant needs one GAME.\n")


# ---- said once -------------------------------------------------------------------------------------------------------


def test_what_stops_several_scenarios_is_told_once(run: Run, here: Path) -> None:
    five = "".join(f"  s{n}:\n    then:\n      - round == 1\n" for n in range(5))
    source_of(here / "islands", five)
    game = here / "islands" / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("round + 1", "rund + 1"), "utf-8")
    done = run("test", "islands")
    assert done.status == 1
    told, count = done.out.splitlines()
    assert ": s0, s1, s2 and 2 more: RS301: " in told
    assert count == "islands: 5 of 5 scenarios failed."


# ---- which game ------------------------------------------------------------------------------------------------------


def test_a_folder_with_the_id_of_a_shipped_game(run: Run, here: Path) -> None:
    source_of(here / "tic_tac_toe", GOOD)
    done = run("test", "tic_tac_toe")
    assert done.out.startswith("tic_tac_toe: ")
    said = "'tic_tac_toe' is the shipped game; the folder of that name here is ./tic_tac_toe\n"
    assert done.err == f"rulespec test: {said}"
    own = run("test", "./tic_tac_toe")
    assert (own.out, own.err) == ("islands: 1 scenario passed.\n", "")
    assert run("show", "tic_tac_toe", "game.id").err == f"rulespec show: {said}"


def test_an_empty_folder_with_that_id_is_no_game(run: Run, here: Path) -> None:
    (here / "tic_tac_toe").mkdir()
    assert run("show", "tic_tac_toe", "game.id").err == ""


def test_places_in_sentences_are_paths_from_here(run: Run, here: Path) -> None:
    """The reason of a refusal names the line of the condition."""
    taken = "  one:\n    play:\n      - red: land north\n      - green: land north\n    then:\n      - true\n"
    (here / "sub").mkdir()
    source_of(here / "sub" / "islands", taken)
    done = run("test", "sub/islands")
    assert "not exists island.ship (sub/islands/game.yaml:27)" in done.out
    [game] = json.loads(run("test", "sub/islands", "--format", "json").out)["games"]
    assert "(sub/islands/game.yaml:27)" in game["failed"][0]["message"]
