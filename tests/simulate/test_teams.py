"""What a simulation says of teams, and of games that nobody wins."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from interpreter import Game, load
from interpreter.cli.main import main
from interpreter.report.findings import findings
from interpreter.simulate.level import level_seats
from interpreter.simulate.run import Results
from interpreter.simulate.tally import HALF, Tally

GAME = """game:
  {{id: g, language: 1, title: {{en: G}}, players: 2..4, seats: [red, blue, green, white], teams: {teams}}}
flow:
  - turns: player
    do: [{{may: [{{score: 1, reason: a}}], id: b}}]
ranking: [{{won: {won}}}]
"""


PAIRS, ALL, ALONE = (0, 1, 0, 1), (0, 0, 0, 0), ()


def record(game: int, places: Sequence[int], teams: Sequence[int], **more: Any) -> dict[str, Any]:
    return {
        "task": game, "arm": 0, "game": game, "seed": 0, "players": list(range(len(places))), "decisions": 2,
        "turns": 2, "scores": [0] * len(places), "places": list(places), "points": {}, "actions": {},
        **({"teams": list(teams)} if teams else {}), **more,
    }  # fmt: skip


def tally_of(teams: Sequence[int], **games: int) -> Tally:
    """So many games that the first seat's side wins, the second's, and nobody."""
    seats = len(teams) or 2
    tally, n = Tally(seats), 0
    for who, amount in games.items():
        won = {"first": 0, "second": 1, "nobody": -1}[who]
        for _ in range(amount):
            tally.add(record(n, [1 if side == won else 2 for side in teams or range(seats)], teams))
            n += 1
    return tally


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("four")
    (folder / "g.yaml").write_text(GAME.format(teams=0, won="true"), "utf-8")
    return load(folder, players=4)


def said(game: Game, tally: Tally) -> list[str]:
    return [each.text for each in findings(game, tally)]


def test_of_one_team_no_seat_is_better(four: Game) -> None:
    """118 of 200: a seat of three would be far from a third, and no seat is better than its partners."""
    [text] = said(four, tally_of(ALL[:3], first=118, nobody=82))
    assert text.startswith("All are one team: 59.0 %")
    assert text.endswith("of 200 games are won, and nobody wins 82.")


def test_a_seats_part_is_that_of_its_team(four: Game) -> None:
    """Of two pairs each seat wins half of the games by chance, not a quarter."""
    assert said(four, tally_of(PAIRS, first=100, second=100)) == []
    [text] = said(four, tally_of(PAIRS, first=140, second=60))
    assert text.startswith("Seat 1 (red) wins more often than its part: 70.0 %")


def test_what_nobody_wins_is_not_shared_out(four: Game) -> None:
    """Of 200 games 40 are won by each of two: a fifth each, which is half of those that somebody wins."""
    [text] = said(four, tally_of(ALONE, first=40, second=40, nobody=120))
    assert text.startswith("Nobody wins 60.0 %")
    tally = tally_of(ALONE, first=60, second=20, nobody=120)  # 30 % and 10 %, where 20 % would be level
    assert tally.part == pytest.approx(0.2)
    assert [text for text in said(four, tally) if "Seat 1 (red) wins more often than its part: 30.0 %" in text]


@pytest.mark.parametrize(
    ("teams", "games", "seen"),
    [
        (PAIRS, {"first": 60, "second": 40}, [0.1]),  # 60 % is 10 away from a half
        (ALL, {"first": 60, "nobody": 40}, []),
        (ALONE, {"first": 30, "second": 10, "nobody": 40}, [0.125]),  # 37.5 % is 12.5 away from a quarter
    ],
)
def test_how_far_from_level_an_arm_is(teams: Sequence[int], games: dict[str, int], seen: list[float]) -> None:
    tally = tally_of(teams, **games)
    plan = SimpleNamespace(in_arm=lambda arm: SimpleNamespace(players=tally.seats))
    found = level_seats(cast("Results", SimpleNamespace(tallies=[tally], plan=plan)))
    assert [each.seen for each in found] == pytest.approx(seen)


def test_tallies_that_are_merged_say_the_same() -> None:
    one, other = tally_of(PAIRS, first=3), tally_of(PAIRS, second=2, nobody=5)
    one.merge(other)
    assert (one.lost, one.sides, one.part) == (5, 2, 0.25)  # 5 of 10 are won, by one of two
    one.merge(tally_of(ALL, first=1))
    assert (one.sides, one.part) == (None, None)


def test_a_team_leads_by_its_sum() -> None:
    """At half-time 4 + 0 against 3 + 3: the second team leads, though the first seat has most; and it wins."""
    tally = Tally(4)
    course = [["a", 0, HALF, 4], ["a", 1, HALF, 3], ["a", 3, HALF, 3], ["a", 0, 9, 1]]
    tally.add(record(0, (2, 1, 2, 1), PAIRS, course=course))
    lead = tally.leads[HALF]
    assert (lead.count, lead.mean, tally.comebacks) == (1, 1.0, 0)
    assert tally.growing.mean == -1  # the other team gets 1 afterwards
    of_one = Tally(4)
    of_one.add(record(0, (1, 1, 1, 1), ALL, course=course))
    assert of_one.leads[HALF].count == 0


@pytest.mark.parametrize(("won", "part", "lost"), [("true", "100.0 %", 0), ("false", "0.0 %", 20)])
def test_the_terminal_and_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], won: str, part: str, lost: int
) -> None:
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "g.yaml").write_text(GAME.format(teams=0, won=won), "utf-8")
    words = ["simulate", str(tmp_path / "g"), "--players", "3", "--games", "20", "--jobs", "1"]
    assert main([*words, "--out", str(tmp_path / "o")]) == 0
    assert f"nobody won     {5 * lost:.1f}%" in capsys.readouterr().out
    page = unescape((tmp_path / "o" / "report.html").read_text("utf-8"))
    assert "its part" not in page
    assert "The dashed line" not in page
    assert f"All are one team: {part} (" in page
    assert f"of 20 games are won, and nobody wins {lost}." in page
    assert main([*words, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["won_by_nobody"]["share"] == lost / 20


def test_a_sweep_does_not_say_how_level_one_team_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "g.yaml").write_text(GAME.format(teams=0, won="true"), "utf-8")
    out = tmp_path / "o"
    words = ["simulate", str(tmp_path / "g"), "--players", "2..3", "--games", "10", "--jobs", "1"]
    assert main([*words, "--out", str(out)]) == 0
    assert "away" not in capsys.readouterr().out
    assert "its part" not in (out / "report.html").read_text("utf-8")
