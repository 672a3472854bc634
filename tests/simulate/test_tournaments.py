"""Tournaments: who sits where, what a set counts, how strengths follow from it, and when a test is decided."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from interpreter.game import load
from interpreter.report.tournament import page
from interpreter.simulate.plan import Arm, Plan
from interpreter.simulate.records import Record
from interpreter.simulate.tournament import (
    Better,
    Match,
    Scores,
    arms_of_tournament,
    elo_of,
    part_of,
    strengths,
)


def _plan(kinds: list[str], games: int, players: int = 2) -> tuple[Plan, tuple[Match, ...]]:
    arms, matches = arms_of_tournament(kinds, players, Arm(("v",)))
    return Plan("g", players, (kinds[0],) * players, games, arms=arms), matches


def _record(plan: Plan, arm: int, game: int, winner: int) -> Record:
    """A game that a player of the arm has won, by its number; seats as the plan has them."""
    players = [plan.entrant(game, seat) for seat in range(plan.players)]
    places = [1 if player == winner else 2 for player in players]
    return {"task": game * len(plan.arms) + arm, "arm": arm, "game": game, "players": players, "places": places}


def _scored(plan: Plan, scores: Scores, match: int, game: int, wins: int) -> None:
    """A set of a match in which the first kind wins so many of the two games."""
    for at, arm in enumerate(scores.matches[match].arms):
        scores.see(_record(plan, arm, game, winner=at if at < wins else 1 - at))


# ---- who sits where --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_kinds_take_each_seat_once_in_a_set(players: int) -> None:
    plan, [match] = _plan(["a", "b"], 3, players)
    for game in range(3):
        sat = Counter(
            (plan.in_arm(arm).seats[plan.entrant(game, seat)], seat) for arm in match.arms for seat in range(players)
        )
        assert sat == {(kind, seat): 1 for kind in "ab" for seat in range(players)}


def test_every_pair_plays() -> None:
    plan, matches = _plan(["a", "b", "c"], 1)
    assert [(match.first, match.second) for match in matches] == [(0, 1), (0, 2), (1, 2)]
    assert [plan.in_arm(arm).seats for arm in matches[2].arms] == [("b", "c"), ("c", "b")]
    assert {arm.variants for arm in plan.arms} == {("v",)}


# ---- what is counted -------------------------------------------------------------------------------------------------


def test_a_set_counts_once_both_games_are_there() -> None:
    plan, matches = _plan(["a", "b"], 5)
    scores = Scores(plan, matches)
    scores.see(_record(plan, 0, 3, winner=0))
    assert scores.scores[0].sets == 0
    scores.see(_record(plan, 1, 3, winner=1))  # in the second arm the first kind is the second player
    assert (scores.scores[0].sets, scores.scores[0].part().value) == (1, 1.0)
    _scored(plan, scores, 0, 4, 1)
    assert scores.scores[0].counts == {1.0: 1, 0.5: 1}


def test_a_set_with_a_game_without_an_end_does_not_count() -> None:
    plan, matches = _plan(["a", "b"], 1)
    scores = Scores(plan, matches)
    scores.see(_record(plan, 0, 0, winner=0))
    scores.see({"task": 1, "arm": 1, "game": 0, "unfinished": "too long"})
    assert (scores.unfinished, scores.scores[0].sets) == (1, 0)


@pytest.mark.parametrize(
    ("first", "second", "part"),
    [
        ([1, 3, 1, 3], [1, 3, 1, 3], 0.5),  # seats 1 and 3 win both: each kind has sat there once
        ([1, 3, 1, 3], [3, 1, 3, 1], 1.0),
        ([1, 1, 1, 1], [3, 1, 3, 1], 0.75),  # a tie of both teams, then a win
        ([2, 2, 2, 2], [2, 2, 2, 2], 0.5),  # nobody wins
    ],
)
def test_a_team_that_wins_is_one_win(first: list[int], second: list[int], part: float) -> None:
    plan, matches = _plan(["a", "b"], 4, 4)
    scores = Scores(plan, matches)
    for arm, places in enumerate((first, second)):
        scores.see({**_record(plan, arm, 0, winner=0), "places": places, "teams": [0, 1, 0, 1]})
    assert scores.scores[0].part().value == part


def test_the_strength_of_two_is_the_odds_of_their_sets() -> None:
    """The second wins 30 of 40, and half of the drawn set that each pair is given: 30.5 to 10.5."""
    plan, matches = _plan(["a", "b"], 40)
    scores = Scores(plan, matches)
    for game in range(40):
        _scored(plan, scores, 0, game, 0 if game % 4 else 2)
    first, second = strengths(scores, 2)
    assert (first.value, first.low, first.high) == (0, 0, 0)
    assert second.value == pytest.approx(400 * math.log10(30.5 / 10.5), abs=0.01)
    assert second.low < second.value < second.high


def test_strengths_of_three_are_found_again() -> None:
    """Sets as 0, 150 and 300 Elo give them; the drawn sets that are added draw them a little together."""
    elo, chance = (0, 150, 300), random.Random(5)
    plan, matches = _plan(["a", "b", "c"], 2000)
    scores = Scores(plan, matches)
    for game in range(2000):
        for at, match in enumerate(matches):
            part = part_of(elo[match.first] - elo[match.second])
            _scored(plan, scores, at, game, (chance.random() < part) + (chance.random() < part))
    for figure, true in zip(strengths(scores, 3), elo, strict=True):
        assert figure.low - 5 <= true <= figure.high + 5
        assert figure.value == pytest.approx(true, abs=15)


def test_nobody_is_infinitely_strong() -> None:
    plan, matches = _plan(["a", "b"], 10)
    scores = Scores(plan, matches)
    for game in range(10):
        _scored(plan, scores, 0, game, 0)
    assert strengths(scores, 2)[1].value == pytest.approx(400 * math.log10(10.5 / 0.5), abs=0.01)
    assert strengths(scores, 2)[1].high == math.inf
    assert scores.scores[0].part().high == pytest.approx(0.278, abs=0.001)  # Wilson's for 0 of 10
    assert elo_of(0) == -math.inf


# ---- whether one is better -------------------------------------------------------------------------------------------


def test_the_likelihood_is_that_of_normal_scores() -> None:
    """Twenty sets, ten of them 1/2 and ten 1 for the second: mean 3/4, variance 0.25² × 20/19. At 100 Elo 0.6401."""
    plan, matches = _plan(["a", "b"], 20)
    scores = Scores(plan, matches)
    for game in range(20):
        _scored(plan, scores, 0, game, game % 2)
    better, variance = 1 / (1 + 10**-0.25), 0.0625 * 20 / 19
    expected = 20 * (better - 0.5) * (1.5 - 0.5 - better) / (2 * variance)
    assert Better(100).likelihood(scores.scores[0]) == pytest.approx(expected)
    assert Better(100).verdict(scores.scores[0]) == "better"  # over log 19, which is 2.94


def test_sets_are_counted_by_their_seeds_until_it_is_decided() -> None:
    """In whatever order they come, so that the result is the same for any number of processes."""
    found = []
    for order in (1, 2):
        plan, matches = _plan(["a", "b"], 200)
        scores, games, stopped = Scores(plan, matches, Better(50)), list(range(200)), []
        scores.on_decided = stopped.append
        random.Random(order).shuffle(games)
        for game in games:
            _scored(plan, scores, 0, game, [0, 1, 0, 2][game % 4])
        found.append((stopped, scores.scores[0].sets))
    assert found[0] == found[1]
    assert found[0][0] == [2 * found[0][1]]
    assert 16 <= found[0][1] < 200


@pytest.mark.long
def test_the_test_errs_as_seldom_as_it_says() -> None:
    """Two equal kinds, whether one is better by 60 Elo: 300 tournaments, of which one in twenty may say so.

    15 of 300, and three deviations of that are 11.
    """
    chance, wrong, undecided = random.Random(9), 0, 0
    for _ in range(300):
        plan, matches = _plan(["a", "b"], 2000)
        scores = Scores(plan, matches, Better(60))
        for game in range(2000):
            _scored(plan, scores, 0, game, chance.randrange(2) + chance.randrange(2))
            if scores.is_decided:
                break
        wrong += Better(60).verdict(scores.scores[0]) == "better"
        undecided += not scores.is_decided
    assert wrong <= 26
    assert undecided == 0


# ---- the command -----------------------------------------------------------------------------------------------------


def _json(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    assert main(["tournament", "connect_four", "--format", "json", *words]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_who_looks_ahead_is_stronger(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--seats", "random,greedy", "--games", "30"]
    found = _json(capsys, *words, "--jobs", "1", "--out", str(tmp_path / "t"))
    assert [kind["kind"] for kind in found["kinds"]] == ["random", "greedy"]
    assert found["kinds"][1]["elo"] > 60
    [pair] = found["pairs"]
    assert pair["sets"] == 30 == sum(pair["scores"].values())
    assert set(pair["scores"]) <= {"0", "0.25", "0.5", "0.75", "1"}
    assert _json(capsys, *words, "--jobs", "3") == found
    assert _json(capsys, *words, "--jobs", "1", "--out", str(tmp_path / "t"), "--resume") == found
    assert "Elo of each kind" in (tmp_path / "t" / "report.html").read_text("utf-8")


def test_it_stops_when_it_is_decided(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--seats", "random,greedy", "--games", "2000", "--better", "40"]
    found = _json(capsys, *words, "--jobs", "2")
    assert found["better"]["verdict"] == "better"
    assert found["pairs"][0]["sets"] < 300
    assert _json(capsys, *words, "--jobs", "1")["pairs"] == found["pairs"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seats", "random"], "2 to 12 kinds"),
        (["--seats", "random,random"], "each once"),
        (["--seats", "random,nobody"], "there is no 'nobody'"),
        (["--seats", "random,greedy,mcts", "--better", "20"], "about two kinds"),
        (["--better", "0"], "above 0"),
        (["--games", "0"], "from 1 to"),
        (["--resume"], "--resume needs --out"),
    ],
)
def test_what_is_no_tournament(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert main(["tournament", "connect_four", "--jobs", "1", *words]) == 2
    assert told in capsys.readouterr().err


def test_the_report_has_the_curve_of_thinking() -> None:
    kinds = ["random", "mcts:20", "mcts:80"]
    plan, matches = _plan(kinds, 30)
    scores = Scores(plan, matches)
    for game in range(30):
        for at in range(3):
            _scored(plan, scores, at, game, [0, 1, 1][(game + at) % 3])
    told = page(plan, load("connect_four"), kinds, scores)
    assert 'aria-label="Strength by thinking"' in told
    assert told.count("<td>mcts:80</td>") == 3
