"""What is kept of games, what is counted, and what is said of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.cli.main import main
from interpreter.options import Option
from interpreter.simulate.compare import Pairs
from interpreter.simulate.playing import Wanted, play_game
from interpreter.simulate.tally import HALF, Tally
from interpreter.state import State
from tests.engine.small import small


class First:
    """Takes the first option."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        return options[0]


def _first_game(*, full: bool) -> dict[str, Any]:
    return play_game(small("hints"), 0, [First(), First()], Wanted(full=full))


def test_a_game() -> None:
    """Red takes the left stall, with nothing that scores; blue the middle one, with one coin."""
    assert _first_game(full=False) == {
        "decisions": 2,
        "turns": 2,
        "scores": [0, 1],
        "places": [2, 1],
        "points": {"coins": [0, 1]},
        "actions": {"pick": [1, 1]},
    }


def test_a_game_in_full() -> None:
    found = _first_game(full=True)
    assert found["choices"] == [
        [0, "pick", "stall", "left", 1, 1],
        [0, "pick", "stall", "middle", 0, 1],
        [0, "pick", "stall", "right", 0, 1],
        [1, "pick", "stall", "middle", 1, 1],
        [1, "pick", "stall", "right", 0, 1],
    ]
    assert found["course"] == [["coins", 0, 5, 0], ["coins", 1, 9, 1]]  # after one of two decisions, and at the end
    assert found["holdings"] == []


def _record(game: int, scores: Sequence[int], places: Sequence[int], **more: Any) -> dict[str, Any]:
    players = [game % 2, (game + 1) % 2]
    record = {"task": game, "arm": 0, "game": game, "seed": 0, "players": players, "decisions": 10, "turns": 4}
    return {**record, "scores": list(scores), "places": list(places), "points": {}, "actions": {}, **more}


def test_counts() -> None:
    """Three games: player 1 wins on seat 1, then player 1 on seat 2, then both share."""
    tally = Tally(2)
    tally.add(_record(0, (5, 3), (1, 2), points={"coins": [5, 3]}, actions={"pick": [2, 0]}))
    tally.add(_record(1, (1, 9), (2, 1), points={"coins": [1, 4], "end": [0, 5]}))
    tally.add(_record(2, (4, 4), (1, 1), actions={"pick": [1, 3]}))
    tally.add({"task": 3, "arm": 0, "game": 3, "seed": 0, "players": [1, 0], "unfinished": "why"})
    assert (tally.games, tally.shared, dict(tally.unfinished)) == (3, 1, {"why": 1})
    assert [(side.won, side.first) for side in tally.by_seat.values()] == [(1.5, 2), (1.5, 2)]
    assert {player: side.won for player, side in tally.by_player.items()} == {0: 2.5, 1: 0.5}
    assert tally.by_both[0, 1].games == 1
    assert tally.winning.mean == (5 + 9 + 4) / 3
    assert tally.whole.mean_of("end").value == pytest.approx(5 / 6)  # six seats, and one had any
    use = tally.actions["pick"]
    assert (use.times, use.used, use.won) == (6, 3, 1 + 0.5 + 0.5)


def test_pairs_of_games() -> None:
    """The second arm gives two points more in each game, and as many points for coins as before."""
    pairs = Pairs()
    for game in range(20):
        pairs.add(_record(game, (game, 3), (2, 1), points={"coins": [1, game]}))
        later = _record(game, (game + 2, 5), (2, 1), points={"coins": [1, game], "new": [2, 2]})
        pairs.add({**later, "arm": 1})
    found = {(each.group, each.name): each for each in pairs.differences()}
    assert pairs.games == 20
    assert found["seat points", "seat 2"].change.value == 2
    assert found["seat points", "seat 2"].stands_out
    assert found["points", "coins"].change.value == 0
    assert not found["points", "coins"].stands_out
    assert (found["points", "new"].before, found["points", "new"].after) == (0, 2)


def test_a_figure_that_comes_up_late_counts_from_the_beginning() -> None:
    """In the last of four pairs alone there are points for flags: two for each of two seats."""
    pairs = Pairs()
    for game in range(4):
        pairs.add(_record(game, (1, 2), (2, 1)))
        points = {"flags": [2, 2]} if game == 3 else {}
        pairs.add({**_record(game, (1, 2), (2, 1), points=points), "arm": 1})
    [found] = [each for each in pairs.differences() if each.name == "flags"]
    assert (found.before, found.after, found.change.value, found.change.trials) == (0, 0.5, 0.5, 4)
    # 0, 0, 0, 2: the variance is 1, the error 1/2, and t of 3 degrees 3.182
    assert found.change.high == pytest.approx(0.5 + 3.182 / 2, abs=0.01)


# ---- the command -----------------------------------------------------------------------------------------------------


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["simulate", *words, "--format", "json", "--jobs", "1"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_form_of_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    """As the contract of the commands has it."""
    found = _json(capsys, "tic_tac_toe", "--games", "12", "--seats", "greedy,random")
    assert {"game", "games", "seats", "seconds", "per_second", "length", "by_seat", "options_used"} <= found.keys()
    assert (found["game"], found["games"], found["seats"], found["unfinished"]) == (
        "tic_tac_toe", 12, ["greedy", "random"], 0,
    )  # fmt: skip
    assert {"mean", "ci95"} <= found["length"].keys()
    assert len(found["by_seat"]) == 4  # two players on two seats
    for row in found["by_seat"]:
        assert {"seat", "agent", "wins", "win_rate", "win_rate_ci95", "score", "points_by_reason"} <= row.keys()
        assert {"mean", "ci95", "quantiles"} <= row["score"].keys()
        assert row["games"] == 6
    assert sum(row["win_rate"] * row["games"] for row in found["by_agent"]) == pytest.approx(12)
    assert found["options_used"]["place_mark"]["share"] == 1
    assert set(found["versions"]) == {"rulespec", "language", "python"}
    assert len(found["fingerprint"]) == 32


def test_the_results_do_not_hang_on_the_processes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", "tic_tac_toe", "--games", "10", "--format", "json")
    found = []
    for jobs in ("1", "2"):
        assert main([*words, "--jobs", jobs]) == 0
        found.append(json.loads(capsys.readouterr().out))
    for each in found:
        del each["seconds"], each["per_second"]
    assert found[0] == found[1]


def test_a_variant_against_the_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With three in a row to win, games of four in a row are shorter."""
    file = tmp_path / "three.yaml"
    change = "  changes: [{set: values.goal_length, to: 3}]\n"
    file.write_text(f'variant:\n  id: three\n  title: {{en: "Three"}}\n{change}', "utf-8")
    found = _json(capsys, "connect_four", "--games", "60", "--against", str(file))
    assert found["variants"] == []
    assert found["against"]["variants"] == [str(file)]
    assert found["against"]["fingerprint"] != found["fingerprint"]
    assert found["compared"]["pairs"] == 60
    [length] = [each for each in found["compared"]["differences"] if each["name"] == "decisions"]
    assert length["after"] < length["before"]
    assert length["stands_out"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--games", "0"], "--games takes a number from 1"),
        (["--jobs", "0"], "--jobs takes a number from 1"),
        (["--seats", "genius"], "there is no 'genius'; there are greedy, mcts, random, uct, mcts:500 or mcts:2s"),
        (["--seats", "random,random,random"], "2"),
        (["--players", "2", "--seats", "random,random,random"], "names 3 seats, and 2 play"),
        (["--seats", "nowhere.py:Bold"], "nowhere.py is no Python file"),
        (["--resume"], "--resume needs --out"),
        (["--variant", "nothing"], "nothing"),
        (["--against", "nothing"], "nothing"),
        (["--expect", "nowhere.txt"], "nowhere.txt"),
        (["--seed", "-1"], "--seed lies between"),
    ],
)
def test_what_cannot_be_done(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main(["simulate", "tic_tac_toe", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_player_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Who always takes the first option beats who always takes the last: hand-made, rows fill from one end."""
    file = tmp_path / "bots.py"
    choose = "    def choose(self, state, options): return options[self.at]\n"
    start = "    def __init__(self, seat, seed): self.at = {}\n"
    file.write_text(f"class A:\n{start.format(0)}{choose}class B:\n{start.format(-1)}{choose}", "utf-8")
    found = _json(capsys, "tic_tac_toe", "--games", "4", "--seats", f"{file}:A,{file}:B")
    assert [row["agent"] for row in found["by_agent"]] == [f"{file}:A", f"{file}:B"]
    # whoever begins has a whole line of three of its own side first
    assert [row["win_rate"] for row in found["by_place"]] == [1.0, 0.0]


def test_pieces_are_held_as_ones_own_or_anothers() -> None:
    """Whose colour a piece has is no property of it: in the end cross has a mark less than nought, or as many."""
    game = load("tic_tac_toe")
    found = play_game(game, 0, [First(), First()], Wanted(full=True))
    held = {seat: count for seat, zone, piece, count in found["holdings"] if piece == "mark(own)"}
    assert found["decisions"] == 10 - sum(held.values())
    assert {zone for _, zone, _, _ in found["holdings"]} == {"player.hand"}


def test_what_becomes_of_who_leads_at_half_time() -> None:
    """Four games of three. Leads after the fifth tenth: red, who wins; blue, who does not, and red, who was last, does;
    red and blue together, of whom red wins; nobody. The second game is a comeback.
    """
    tally = Tally(3)
    for course, places in (
        ([["way", 0, 1, 5], ["way", 1, 4, 3], ["way", 2, 3, 1], ["way", 2, 9, 2]], [1, 2, 3]),
        ([["way", 1, 0, 2], ["way", 2, 4, 1], ["way", 0, 5, 9]], [1, 2, 3]),
        ([["way", 0, 2, 4], ["way", 1, 4, 4], ["way", 0, 9, 1]], [1, 2, 3]),
        ([["way", 0, 5, 1]], [1, 2, 2]),
    ):
        record = {"players": [0, 1, 2], "scores": [9, 5, 3], "places": places, "decisions": 10, "turns": 3}
        tally.add({**record, "game": 0, "points": {}, "actions": {}, "course": course})
    assert [lead.count for lead in tally.leads] == [1, 2, 3, 3, 3, 4, 4, 4, 4, 4]
    assert tally.leads[HALF].mean == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert tally.comebacks == 1
    # afterwards: red gets 0, the others 0 and 2; blue 0, the others 9 and 0; red 1 and blue 0 for two, green 0; red 1
    assert tally.growing.count == 3
    assert tally.growing.mean == pytest.approx((-1 - 4.5 + 0.5) / 3)
    assert tally.leads[5].mean == pytest.approx((1 + 1 + 1 / 2 + 1) / 4)
    both = Tally(3)
    both.merge(tally)
    both.merge(tally)
    assert (both.comebacks, both.leads[HALF].count, both.leads[HALF].mean) == (2, 6, tally.leads[HALF].mean)
