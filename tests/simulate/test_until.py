"""Playing until a question is decided: when the results are looked at, how sure each look is, and where it stops."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from interpreter.game import load
from interpreter.simulate.expect import REFUTED, UNDECIDED, WrongStatement
from interpreter.simulate.order import Order
from interpreter.simulate.plan import Arm, Plan
from interpreter.simulate.records import Record
from interpreter.simulate.until import Watch, confidence_of_a_look, looks, needs, question_of
from tests.simulate.runs import kept, plan


def _plan(games: int, arms: int = 1) -> Plan:
    return Plan("tic_tac_toe", 2, ("random", "random"), games, arms=(Arm(),) * arms)


def _watch(games: int, *words: str, arms: int = 1, sure: float = 0.95) -> Watch:
    return Watch(_plan(games, arms), [load("tic_tac_toe")] * arms, [question_of(each) for each in words], sure)


def _record(task: int, first_wins: bool, arms: int = 1) -> Record:
    return {
        "task": task,
        "arm": task % arms,
        "game": task // arms,
        "players": [0, 1],
        "scores": [int(first_wins), int(not first_wins)],
        "places": [1, 2] if first_wins else [2, 1],
        "decisions": 5,
        "turns": 5,
        "points": {},
        "actions": {},
    }


def _seen(watch: Watch, results: list[bool]) -> int | None:
    """The number of games after which all was decided."""
    stopped: list[int] = []
    watch.on_decided = stopped.append
    for task, first_wins in enumerate(results):
        watch.see(_record(task, first_wins))
    return stopped[0] if stopped else None


# ---- looks -----------------------------------------------------------------------------------------------------------


def test_looks_are_a_third_apart_and_end_with_the_last_game() -> None:
    assert looks(50) == [50]
    assert looks(30) == [30]
    assert looks(100) == [50, 66, 88, 100]
    assert looks(1_000_000)[-1] == 1_000_000


def test_all_looks_together_are_as_sure_as_one_question() -> None:
    """Four looks share the twentieth that may go wrong."""
    assert confidence_of_a_look(100, 0.95) == pytest.approx(1 - 0.05 / 4)
    assert confidence_of_a_look(30, 0.95) == pytest.approx(0.95)


def test_what_is_clear_is_decided_at_the_first_look() -> None:
    assert _seen(_watch(1000, "seat 1 wins at least 60 %"), [True] * 200) == 50
    assert _seen(_watch(1000, "seat 1 wins at most 60 %"), [True] * 200) == 50


def test_what_is_not_clear_goes_on() -> None:
    """Half of all games: whether that is at least a half is never decided."""
    watch = _watch(1000, "seat 1 wins at least 50 %")
    assert _seen(watch, [bool(task % 2) for task in range(1000)]) is None
    assert [answer.verdict for answer in watch.answers()] == [UNDECIDED]
    assert watch.games == 1000


def test_it_goes_on_until_the_last_question_is_decided() -> None:
    """Of 100 % the interval at 0.9953 (of 12 looks) is 1/(1 + z²/n) wide: 14 % after 50 games, 0.7 % after 1,185."""
    games = [True] * 2000
    alone = _seen(_watch(2000, "seat 1 wins at least 60 %"), games)
    both = _seen(_watch(2000, "seat 1 wins at least 60 %", "seat 1 wins at least 97 %"), games)
    assert alone == 50
    assert both is not None
    assert both > 250  # z² is over 8, and 8 / n must be under 3 %


def test_how_precise_a_figure_is_to_be() -> None:
    """Half of the games, two seats: z / (2 √n) reaches 5 % with z about 3.3 after some 1,100 games."""
    watch = _watch(3000, "precise=5%")
    stopped = _seen(watch, [bool(task % 2) for task in range(3000)])
    assert stopped is not None
    assert 850 < stopped < 1300
    assert [answer.verdict for answer in watch.answers()] == ["reached"]
    points = _watch(3000, "precise=0.05")  # of points, which are 0 or 1 here: the same, but for how intervals are made
    assert _seen(points, [bool(task % 2) for task in range(3000)]) == stopped


def test_games_may_come_in_any_order() -> None:
    watch, stopped = _watch(1000, "seat 1 wins at least 60 %"), []
    watch.on_decided = stopped.append
    tasks = list(range(120))
    random.Random(3).shuffle(tasks)
    for task in tasks:
        watch.see(_record(task, first_wins=True))
    assert stopped == [50]


def test_all_arms_that_are_judged_must_be_decided() -> None:
    """The first arm is what others are compared with, and not asked; the second goes on until it is clear."""
    watch, stopped = _watch(1000, "seat 1 wins at least 60 %", arms=2), []
    watch.on_decided = stopped.append
    for task in range(400):
        watch.see(_record(task, first_wins=task % 2 == 1, arms=2))
    assert stopped == [100]  # tasks: fifty games of each


@pytest.mark.long
def test_who_looks_again_and_again_is_not_wrong_more_often() -> None:
    """Fair games: that the first seat wins less than half, or more, is wrong. 400 runs of up to 600 games.

    5 % of 400 are 20, and three deviations of that are 13. With ordinary intervals at each look it happens in some
    60: the seeds are fixed, so that both counts are the same each time.
    """
    chance = random.Random(11)
    runs = [[chance.random() < 0.5 for _ in range(600)] for _ in range(400)]

    def wrong(sure: float) -> int:
        found = 0
        for results in runs:
            watch = _watch(600, "seat 1 wins between 50 and 50 %", sure=sure)
            _seen(watch, results)
            found += any(answer.verdict == REFUTED for answer in watch.answers())
        return found

    assert wrong(0.95) <= 33
    assert wrong(1 - 0.05 * len(looks(600))) > 33  # as if each look were the only one


# ---- what is asked ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["seat 1 wins", "precise", "precise=0%", ""])
def test_what_is_no_question(words: str) -> None:
    with pytest.raises(WrongStatement):
        question_of(words)


def test_how_many_games_a_question_needs() -> None:
    """One look, so that z is 1.96: half ± 10 points takes 1.96² × 0.25 / 0.1² = 96.04 games."""
    made = _plan(30)
    [need] = needs(made, [question_of("seat 1 wins between 40 and 60 %")], 0.95)
    assert (need.games, need.value) == (97, 0.5)
    [unknown] = needs(made, [question_of("length at most 7 decisions")], 0.95)
    assert unknown.games is None


TEAMS = """game:
  {{id: g, language: 1, title: {{en: G}}, players: 4, seats: [red, blue, green, white], teams: {teams}}}
flow:
  - turns: player
    do: [{{may: [{{score: 1, reason: a}}], id: b}}]
ranking: [{{won: true}}]
"""


@pytest.mark.parametrize(("teams", "part", "games"), [("player.index % 2", 0.5, 156), ("player.index", 0.25, 117)])
def test_a_team_wins_as_one(teams: str, part: float, games: int, tmp_path: Path) -> None:
    """One look at four seats, so that z is 2.4977 (all four with 95 %): z² × 0.25 / 0.1² and z² × 0.1875 / 0.1²."""
    (tmp_path / "g.yaml").write_text(TEAMS.format(teams=teams), "utf-8")
    [need] = needs(Plan(str(tmp_path), 4, ("random",) * 4, 30, arms=(Arm(),)), [question_of("precise=10%")], 0.95)
    assert (need.value, need.games) == (part, games)


# ---- the order of tasks ----------------------------------------------------------------------------------------------


def test_what_comes_after_the_stop_is_left() -> None:
    said: list[str] = []
    order = Order(_plan(100), [], said.append)
    assert order.hand_out(10) == (0, 10)
    for task in (0, 1, 3):
        order.come(task, str(task))
    order.stop(3)
    assert not order.is_done
    order.come(2, "2")
    order.come(4, "4")
    order.flush()
    assert order.is_done
    assert said == ["0", "1", "2"]
    assert order.hand_out(10) is None


# ---- the command -----------------------------------------------------------------------------------------------------


def _json(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    assert main(["simulate", "connect_four", "--format", "json", *words]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_run_ends_when_its_question_is_decided(capsys: pytest.CaptureFixture[str]) -> None:
    """A game of four in a row has at least seven moves; no board of 42 cells takes 50."""
    found = _json(capsys, "--games", "5000", "--until", "length between 7 and 50 decisions", "--jobs", "1")
    assert (found["games"], found["until"]["games"], found["until"]["decided"]) == (50, 50, True)
    assert [each["verdict"] for each in found["until"]["answers"]] == ["holds"]
    refuted = _json(capsys, "--games", "5000", "--until", "length at most 6 decisions", "--jobs", "2", status=1)
    assert refuted["games"] == 50


def test_points_for_a_reason_are_asked_before_anybody_has_some(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "--games", "500", "--until", "points for line at most 1", "--jobs", "1")
    assert [each["verdict"] for each in found["until"]["answers"]] == ["holds"]


def test_it_stops_after_as_many_games_whoever_plays_and_when(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--games", "3000", "--until", "precise=6%", "--seats", "random"]
    one = _json(capsys, *words, "--jobs", "1", "--out", str(tmp_path / "one"))
    three = _json(capsys, *words, "--jobs", "3", "--out", str(tmp_path / "three"))
    again = _json(capsys, *words, "--jobs", "2", "--out", str(tmp_path / "three"), "--resume")
    assert one["until"] == three["until"] == again["until"]
    assert 400 < one["games"] == three["games"] == again["games"] < 3000
    assert len(kept(tmp_path / "one")) == len(kept(tmp_path / "three")) == one["games"]


def test_what_a_run_needs_is_told_before_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "connect_four", "--games", "60", "--jobs", "1", "--until", "seat 1 wins between 54 and 55 %"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "more than the 60 of --games" in err
    assert "Not all decided after 60 games" in out
    assert "undecided  seat 1 wins between 54 and 55 %" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("seat 9 wins at least 3 %", "there is no seat '9'"),
        ("action fly at most 3 % of use", "no action 'fly'"),
        ("seat 1 wins often", "has no bounds"),
        ("points for fame at least 3", "no points for 'fame'; its reasons for points: line"),
    ],
)
def test_questions_about_what_there_is_not(capsys: pytest.CaptureFixture[str], words: str, told: str) -> None:
    assert main(["simulate", "connect_four", "--games", "60", "--until", words]) == 2
    assert told in capsys.readouterr().err


def test_a_question_is_part_of_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that goes on with another question would look at other times, and be less sure than it says."""
    words = ["simulate", "connect_four", "--games", "60", "--jobs", "1", "--out", str(tmp_path / "run")]
    assert main([*words, "--until", "precise=20%"]) == 0
    assert main([*words, "--until", "precise=30%", "--resume"]) == 2
    assert main([*words[:3], "90", *words[4:], "--until", "precise=20%", "--resume"]) == 2
    assert "holds a run of other games" in capsys.readouterr().err
    assert plan("connect_four", 3).until == ()
