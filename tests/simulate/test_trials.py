"""What choices are worth: games that are played on twice from a decision, and the counts of these trials."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from interpreter import load
from interpreter.cli.main import main
from interpreter.game import Game
from interpreter.options import Option, places_of
from interpreter.players import make_player
from interpreter.simulate.numbers import Moments
from interpreter.simulate.playing import Wanted, play_game
from interpreter.simulate.records import Record
from interpreter.simulate.tally import Tally
from interpreter.simulate.worth import Worths, stands_out
from interpreter.state import State
from tests.simulate.runs import plan, records, results

#: A seat picks a kind of coin three times, and then nothing happens: gold is worth 5 points, tin 1, and lead none.
COINS = """
game: {id: coins, language: 1, title: {en: "Coins"}, players: 2, seats: [ada, bea]}
enums:
  metal:
    attributes: {worth: 0..9, dull: boolean}
    values:
      gold: {worth: 5, dull: false}
      tin: {worth: 1, dull: true}
      lead: {worth: 0, dull: true}
actions:
  pick:
    do:
      - choose: metal
        where: metal.worth < 9 and (not metal.dull or true)
      - score: metal.worth
        reason: coin
state: {round: {type: 0..3, start: 0}}
flow:
  - repeat:
      - set: round
        to: round + 1
      - turns: player
        do: [{perform: pick}]
    until: round == 3
ranking: [{most: player.score}]
"""


PLANTED = Path(__file__).with_name("planted")


class First:
    """Takes the first of the options that it is given."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        return options[0]


@pytest.fixture(scope="module")
def coins(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("coins")
    (folder / "coins.yaml").write_text(COINS, "utf-8")
    return load(str(folder))


def _tried(game: Game, amount: int, seed: int = 0) -> Record:
    wanted = Wanted(full=True, worth=amount, players=lambda _: [First(), First()])
    return play_game(game, seed, [First(), First()], wanted)


def test_what_a_value_is_worth(coins: Game) -> None:
    """Whoever takes the first option picks gold, so that without a change it is 15 to 15.

    Gold is worth 5 less the 1 of tin, which comes next; tin 1 less 5, lead 0 less 5; what is dull 1 less 5, and what is
    not the other way round.
    """
    points = {"gold": 4, "tin": -4, "lead": -5, "true": -4, "false": 4}
    seen = set()
    for seed in range(30):
        for seat, n, decision, name, value, worth, won, others, alike, taken in _tried(coins, 6, seed)["worth"]:
            assert (decision, name) in {("pick", "metal"), ("pick", "metal.dull")}
            assert seat == n % 2
            assert worth == points[value]
            # gold beside tin: with it the victory is shared, and without it lost; or the other way
            assert won == (0.5 if worth > 0 else -0.5)
            assert (others, alike, taken) == (0, 0, int(value in {"gold", "false"}))
            seen.add((name, value))
    assert seen == {
        ("metal", "gold"),
        ("metal", "tin"),
        ("metal", "lead"),
        ("metal.dull", "true"),
        ("metal.dull", "false"),
    }


def test_no_value_is_tried_twice_in_a_game(coins: Game) -> None:
    """Six decisions, and five values at most."""
    for seed in range(10):
        tried = [tuple(row[2:5]) for row in _tried(coins, 6, seed)["worth"]]
        assert len(set(tried)) == len(tried)
        assert 1 <= len(tried) <= 5


def test_trials_do_not_change_the_game(coins: Game) -> None:
    without = play_game(coins, 3, [First(), First()], Wanted(full=True))
    tried = _tried(coins, 3, 3)
    assert {key: value for key, value in tried.items() if key not in ("worth", "trials_left")} == without


def test_what_is_asked_is_counted(coins: Game) -> None:
    """Each seat decides three times with three options; ada begins."""
    found = _tried(coins, 1)
    assert found["asked"] == [[3, 9, 0], [3, 9, 0]]
    assert found["starter"] == 0


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:20"])
def test_players_choose_among_some_of_the_options(kind: str) -> None:
    """Of the options that are left, and of all the same as ever."""
    game = load("tic_tac_toe")
    state = game.start(1)
    options = state.options()
    for some in ([options[8]], [options[2], options[5]], list(options[1:])):
        assert make_player(kind, 0, 7).choose(state, some) in some
    assert list(places_of(state, [options[2], options[5]])) == [2, 5]
    assert list(places_of(state, options)) == list(range(9))


def test_greedy_takes_the_best_that_is_left(coins: Game) -> None:
    state = coins.start(1)
    gold, tin, lead = state.options()
    for some, best in (((gold, tin, lead), gold), ((tin, lead), tin), ((lead, tin), tin)):
        assert make_player("greedy", 0, 7).choose(state, list(some)) == best


# ---- counting --------------------------------------------------------------------------------------------------------


def test_trials_are_counted_by_thirds_of_the_game() -> None:
    """Four trials of one value in games of 9 decisions: after 0, 2, 3 and 8. 2 · 3 / 9 is still the first third."""
    worths = Worths()
    for game, (n, points, won) in enumerate([(0, 4, 1.0), (2, 2, 0.0), (3, -1, 0.0), (8, 3, 0.5)]):
        worths.add(game, 9, [[0, n, "pick", "metal", "gold", points, won, 1.0, int(points == 2), 1]])
    thirds = worths.by_value["pick", "metal", "gold"]
    assert [third.points.count for third in thirds] == [2, 1, 1]
    assert [third.points.mean for third in thirds] == [3, -1, 3]
    whole = worths.whole(("pick", "metal", "gold"))
    assert (whole.points.mean, whole.won.mean, whole.taken) == (2, 0.375, 4)
    assert whole.shown == (0, 0)  # it brought most in the first game
    assert worths.by_value["pick", "metal", "gold"][1].shown == (2, 3)  # where it cost
    assert worths.widest == 4
    assert whole.unseen(9) == 8  # of mean 2; against it there was -1
    assert (worths.by_decision["pick"].trials, worths.by_decision["pick"].alike) == (4, 1)
    assert worths.won_by_point == pytest.approx((4 * 1 + 3 * 0.5) / (16 + 4 + 1 + 9))
    assert worths.own.mean == pytest.approx((4 + 2 + 1 + 3) / 4)
    both = Worths()
    both.merge(worths)
    both.merge(worths)
    assert both.whole(("pick", "metal", "gold")).points.count == 8
    assert both.whole(("pick", "metal", "gold")).shown == (0, 0)
    assert both.won_by_point == worths.won_by_point


def test_who_begins_is_counted() -> None:
    """Three games, begun by seats 1, 2 and 1, and won by 1, 1 and 2: who begins wins one of three."""
    tally = Tally(2)
    for game, (starter, winner) in enumerate([(0, 0), (1, 0), (0, 1)]):
        places = [1, 2] if winner == 0 else [2, 1]
        tally.add({
            "game": game, "players": [0, 1], "scores": [1 - winner, winner], "places": places, "decisions": 4,
            "turns": 2, "points": {}, "actions": {}, "asked": [[2, 5, 1], [2, 3, 0]], "starter": starter,
        })  # fmt: skip
    assert tally.starters == {0: 2, 1: 1}
    assert tally.starting.mean == pytest.approx(1 / 3)
    assert tally.offered.mean == 2  # eight options in four decisions
    assert tally.forced.mean == 0.25
    assert tally.shown["starter wins"] == 0


# ---- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_is_the_same_whoever_plays_it() -> None:
    one = plan("connect_four", 8, detail="full", worth=2)
    alone, two = records(one, jobs=1), records(one, jobs=2)
    assert sorted(alone, key=lambda each: each["task"]) == sorted(two, key=lambda each: each["task"])
    assert all(each["worth"] for each in alone)


def test_the_command_tells_what_choices_are_worth(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["simulate", "connect_four", "--games", "6", "--jobs", "1", "--out", str(tmp_path / "run")]
    assert main([*words, "--worth", "2", "--format", "json"]) == 0
    assert '"points_moved"' in capsys.readouterr().out
    assert (tmp_path / "run" / "worth.parquet").exists()
    assert "In short" in (tmp_path / "run" / "report.html").read_text("utf-8")
    assert main([*words, "--worth", "101"]) == 2
    assert "--worth takes a number of decisions, from 0 to 100." in capsys.readouterr().err


def test_the_fingerprint_of_hints_hangs_on_the_content_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program that is kept on disk has other local names than one that was just lowered."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    arms = [plan("agora_barcelona", 1, ("greedy",) * 3).arms for _ in range(2)]
    assert arms[0] == arms[1]
    assert arms[0][0].hints


def test_counts_of_a_run() -> None:
    tally = results(plan("connect_four", 5, detail="full", worth=1), jobs=1).tallies[0]
    assert sum(thirds.points.count for value in tally.worths.by_value.values() for thirds in value) == 5


class Stubborn:
    """Takes the first option of the state, whatever is left to choose from."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        return state.options()[0]


def test_a_player_who_chooses_something_else_is_no_trial(coins: Game) -> None:
    """Gold is what it takes, with and without: nothing could be said of a difference."""
    wanted = Wanted(full=True, worth=6, players=lambda _: [Stubborn(), Stubborn()])
    found = play_game(coins, 0, [First(), First()], wanted)
    assert found["worth"] == []
    assert found["trials_left"] == 6


def test_trials_without_an_end_are_counted(tmp_path: Path) -> None:
    """Whoever takes the second way goes round for ever."""
    game = """
game: {id: endless, language: 1, title: {en: "Endless"}, players: 1, seats: [ada]}
enums: {way: [out, round]}
flow:
  - repeat:
      - turns: player
        do:
          - choose: way
            then: [{if: way == out, then: [{finish: game}]}]
    until: player_count == 0
"""
    (tmp_path / "endless.yaml").write_text(game, "utf-8")
    found = play_game(load(str(tmp_path)), 0, [First()], Wanted(worth=1, players=lambda _: [Last()]), most=50)
    assert (found["worth"], found["trials_left"]) == ([], 1)


class Last:
    """Takes the last of the options that it is given."""

    def choose(self, state: State, options: Sequence[Option]) -> Option:
        return options[-1]


# ---- what is certain -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "unseen", "is_certain"),
    [
        ([-1] * 40, 1, True),  # 40 of one kind, and nothing but 1 against it was ever seen: 0.13
        ([-1] * 40, 19, False),  # one of 19 in twenty trials would make it level: ln(2 / 0.01) * 19 / 40 is 2.5
        ([-1] * 400, 19, True),  # 0.25
        ([1, -1] * 50, 0, False),
        ([5], 0, False),
    ],
)
def test_a_mean_is_certain_where_what_was_not_seen_cannot_undo_it(
    values: list[int], unseen: int, is_certain: bool
) -> None:
    moments = Moments()
    for value in values:
        moments.add(value)
    assert stands_out(moments, 0.99, unseen) is is_certain


def test_a_game_is_shown_till_a_moment(capsys: pytest.CaptureFixture[str]) -> None:
    """The game that a finding names: as many of its decisions as are said, and how it stands then."""
    words = ["simulate", str(PLANTED / "harvest"), "--option", "planted=dominant", "--only", "4", "--seed", "3"]
    assert main([*words, "--to", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line[:4].strip().isdigit()][-1] == "2"
    assert lines[-1].startswith("ada: ")  # who decides next: both have sown once
    assert main([*words[:-4], "--to", "2"]) == 2
    assert "--to goes with --only" in capsys.readouterr().err
