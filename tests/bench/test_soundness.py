"""The report on whole games: what it counts, and that it can be had again."""

from __future__ import annotations

import re

import pytest

from bench.soundness import lines, main, play_all


def report(seats: str = "random", games: int = 12, within: dict[str, range] | None = None) -> list[str]:
    return list(lines(play_all("tic_tac_toe", None, seats, range(1, games + 1), 1), within or {}))


def test_all_games_end_and_figures_lie_where_they_can() -> None:
    """A game has five to nine marks, and one point for the winner or none."""
    text = "\n".join(report(within={"winner": range(2), "decisions": range(5, 10)}))
    assert text.startswith("12 of 12 games ended.")
    assert text.count("100.0% within") == 2
    least, most = re.search(r"^decisions +(\d+)(?: +\d+){3} +(\d+)", text, re.MULTILINE).groups()  # type: ignore[union-attr]
    assert 5 <= int(least) <= int(most) <= 9


def test_points_are_counted_by_what_they_are_for() -> None:
    """Greedy seats take a line when they can: every point is for a line, and is counted once."""
    courses = play_all("tic_tac_toe", None, "greedy", range(1, 13), 1)
    won = sum(max(course.scores) for course in courses)
    assert won > 0
    assert sum(course.points["points for", "line"] for course in courses) == won
    assert all(course.taken["actions", "place_mark"] == course.decisions for course in courses)


def test_the_same_seeds_give_the_same_report() -> None:
    assert report(games=4) == report(games=4)


def test_a_range_must_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["tic_tac_toe", "--within", "round=few"])
    assert "is not NAME=LOW..HIGH" in capsys.readouterr().err
