"""Sweeps: which arms are played, that each is the game that its levels say, and what is told of them."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.arguments import player_counts
from interpreter.cli.main import main
from interpreter.report import page
from interpreter.simulate.design import Contrast, Factor, NoDesign, cells, contrasts, factors_of, swept
from interpreter.simulate.numbers import Figure
from interpreter.simulate.plan import Arm, Plan, by_arm, plan_from_json
from interpreter.simulate.records import Record
from interpreter.simulate.trends import Trend, Trends, alike, findings_by_seats
from rulespec.published import first_fault
from tests.simulate.runs import plan, records, results

RACE = """\
game: {id: race, language: 1, title: {en: "Race"}, players: 2..4, seats: [red, blue, green, black],
       options: {double: {type: boolean, start: false}}}
values: {bonus: 0, rounds: 5}
actions:
  move_on:
    do:
      - choose: length
        from: 1..6
      - score: length
        reason: way
flow:
  - score: bonus
    for: red
    reason: start
  - repeat:
      - turns: player
        do: [{perform: move_on}, {if: option.double, then: [{perform: move_on}]}]
    times: rounds
ranking: [{most: player.score}]
"""


@pytest.fixture
def race(tmp_path: Path) -> str:
    """Everybody goes on by 1 to 6, five times; red begins with a bonus. Without it all are level."""
    folder = tmp_path / "race"
    folder.mkdir()
    (folder / "race.yaml").write_text(RACE, "utf-8")
    return str(folder)


def _json(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    assert main(["simulate", *words, "--jobs", "1", "--format", "json"]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _arms(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [found, *found["arms"]]


def _trend(found: dict[str, Any], factor: str, group: str, name: str) -> dict[str, Any]:
    [trend] = [
        each
        for each in found["sweep"]["trends"]
        if (each["factor"], each["group"], each["name"]) == (factor, group, name)
    ]
    return dict(trend)


# ---- designs ---------------------------------------------------------------------------------------------------------


def test_a_grid_has_every_combination_once() -> None:
    found = cells([Factor("a.b", (1, 2, 3)), Factor("c", (True, False))])
    assert len(found) == len(set(found)) == 6
    assert {dict(cell)["a.b"] for cell in found} == {1, 2, 3}


@pytest.mark.parametrize(("factors", "levels"), [(3, 2), (3, 4), (4, 3), (6, 5)])
def test_of_a_latin_square_any_two_factors_have_all_pairs_once(factors: int, levels: int) -> None:
    listed = [Factor(f"f.{at}", tuple(range(levels))) for at in range(factors)]
    found = cells(listed, "latin")
    assert len(found) == levels**2
    for one, other in combinations(range(factors), 2):
        assert len({(cell[one][1], cell[other][1]) for cell in found}) == levels**2


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((2, 2, 3), "as many levels of each factor: f.0 has 2, f.1 has 2, f.2 has 3"),
        ((3, 3), "three factors or more"),
        ((4, 4, 4, 4), "at most three factors"),
        ((3,) * 5, "at most 4 factors"),
    ],
)
def test_latin_squares_that_there_are_not(sizes: tuple[int, ...], words: str) -> None:
    with pytest.raises(NoDesign, match=words):
        cells([Factor(f"f.{at}", tuple(range(size))) for at, size in enumerate(sizes)], "latin")


def test_what_is_asked_of_factors() -> None:
    """Slopes of 12, 14, 19: the middle is 15, the squares of -3, -1 and 4 are 26. Words: each beside the first one."""
    arms = tuple(Arm(levels=(("a.b", figure), ("c", word))) for figure in (12, 14, 19) for word in ("x", "y"))
    made = Plan("g", 2, ("random",) * 2, 1, arms=arms, swept=("a.b", "c"))
    assert factors_of(made) == [Factor("a.b", (12, 14, 19)), Factor("c", ("x", "y"))]
    slope, beside = contrasts(made)
    assert slope.weights == pytest.approx([each / 52 for each in (-3, -3, -1, -1, 4, 4)])
    assert (beside.level, beside.weights) == ("y", pytest.approx([-1 / 3, 1 / 3] * 3))


def test_arms_that_have_other_variants_are_a_factor_too() -> None:
    arms = swept((Arm(), Arm(("v",))), [Factor("a.b", (1, 2))])
    assert [(arm.variants, arm.levels) for arm in arms] == [
        ((), (("a.b", 1),)),
        ((), (("a.b", 2),)),
        (("v",), (("a.b", 1),)),
        (("v",), (("a.b", 2),)),
    ]
    made = Plan("g", 2, ("random",) * 2, 1, arms=arms, swept=("a.b",))
    assert [factor.levels for factor in factors_of(made)] == [("none", "v"), (1, 2)]


# ---- trends ----------------------------------------------------------------------------------------------------------


def _record(arm: int, game: int, scores: tuple[int, ...], actions: int) -> Record:
    best = max(scores)
    return {
        "task": 3 * game + arm,
        "arm": arm,
        "game": game,
        "scores": list(scores),
        "places": [1 if score == best else 2 for score in scores],
        "decisions": 10 + actions,
        "turns": 4,
        "points": {},
        "actions": {"dig": [actions] * len(scores)},
    }


def _told(trends: Trends, group: str, name: str) -> Trend:
    [found] = [each for each in trends.found() if (each.group, each.name) == (group, name)]
    return found


def test_a_trend_is_the_mean_slope_of_rows_with_one_seed() -> None:
    """Levels 1, 2, 3. Row 0: digs 0, 2, 4, slope 2. Row 1: 1, 1, 3, slope 1. Row 2: 5, 5, 5: none. By both seats."""
    made = Plan("g", 2, ("random",) * 2, 3, arms=tuple(Arm(levels=(("a.b", at),)) for at in (1, 2, 3)), swept=("a.b",))
    trends = Trends(made)
    rows = [(0, 2, 4), (1, 1, 3), (5, 5, 5)]
    for arm in (2, 0, 1):
        for game, digs in enumerate(rows):
            trends.add(_record(arm, game, (3, 1), digs[arm]))
    assert trends.games == 3
    dug = _told(trends, "actions", "dig")
    assert dug.change.value == pytest.approx(2 * (2 + 1 + 0) / 3)
    assert _told(trends, "game", "decisions").change.value == pytest.approx(1.0)
    same = _told(trends, "seat points", "seat 1")
    assert (same.change.value, same.stands_out) == (0.0, False)


def test_what_cancels_leaves_nothing_that_rounding_made() -> None:
    """Three levels by three of another factor, which alone matters: by weights such as 0.1 the sum is not 0 exactly."""
    arms = swept((Arm(),), [Factor("a.b", (2, 3, 7)), Factor("c.d", (1, 4, 9))])
    made = Plan("g", 2, ("random",) * 2, 9, arms=arms, swept=("a.b", "c.d"))
    trends = Trends(made)
    for game in range(9):
        for arm, own in enumerate(arms):
            trends.add(_record(arm, game, (3, 1), int(dict(own.levels)["c.d"]) * (game + 1)))
    first = [each for each in trends.found() if each.contrast.factor.name == "a.b"]
    assert {each.change.value for each in first} == {0.0}
    assert not any(each.stands_out for each in first)


def test_what_says_the_same_of_several_names_is_told_once() -> None:
    made = Plan("g", 2, ("random",) * 2, 9, arms=tuple(Arm(levels=(("a.b", at),)) for at in (1, 2)), swept=("a.b",))
    trends = Trends(made)
    for game in range(9):
        for arm in range(2):
            trends.add(_record(arm, game, (3, 1), arm * (game + 1)))
    trends.add({**_record(0, 9, (3, 1), 0), "actions": {"dig": [0, 0], "fill": [0, 0]}})
    trends.add({**_record(1, 9, (3, 1), 9), "actions": {"dig": [9, 9], "fill": [0, 0]}})
    told = {(trend.group, trend.name): others for trend, others in alike(trends.found())}
    assert told["actions", "dig"] == ()  # both seats dig: twice as many as there are more decisions
    assert told["game", "decisions"] == ()
    assert "game: turns" in told["actions", "fill"]  # neither ever changes


def test_few_games_that_go_alike_are_no_finding() -> None:
    """Two rows with one sign come by chance in one of two cases, five in one of sixteen; twenty hardly."""

    def stands_out(games: int) -> bool:
        arms = tuple(Arm(levels=(("a.b", n),)) for n in (1, 2))
        trends = Trends(Plan("g", 2, ("random",) * 2, games, arms=arms, swept=("a.b",)))
        for game in range(games):
            for arm in range(2):
                trends.add(_record(arm, game, (3, 1), arm))
        return _told(trends, "actions", "dig").stands_out

    assert [stands_out(games) for games in (2, 5, 20)] == [False, False, True]


def test_rows_in_which_a_game_has_no_end_do_not_count() -> None:
    made = Plan("g", 2, ("random",) * 2, 1, arms=tuple(Arm(levels=(("a.b", at),)) for at in (1, 2)), swept=("a.b",))
    trends = Trends(made)
    trends.add(_record(0, 0, (1, 0), 1))
    trends.add({"task": 1, "arm": 1, "game": 0, "unfinished": "too long"})
    assert trends.games == 0


def _part(seats: str, change: float, *, stands_out: bool) -> Trend:
    contrast = Contrast(Factor("a.b", (1, 2)), None, (), seats)
    return Trend(contrast, "game", "turns", Figure(change, change - 1, change + 1, 9), 0.01, stands_out)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ([3, 2, 4], "holds"),
        ([3, 2, 0], "vanishes"),
        ([3, 0, 0], "vanishes"),
        ([0, 2, 4], "appears"),
        ([3, 2, -4], "turns"),
        ([3, 0, -4], "turns"),
        ([3, 0, 4], "varies"),
        ([0, 2, 0], "varies"),
    ],
)
def test_whether_a_finding_hangs_on_who_plays(changes: list[int], verdict: str) -> None:
    """0 stands for what may be chance."""
    kinds = ("random", "greedy", "mcts")
    parts = [_part(kind, change, stands_out=bool(change)) for kind, change in zip(kinds, changes, strict=True)]
    whole = Trend(Contrast(Factor("a.b", (1, 2)), None, ()), "game", "turns", Figure(1, 0, 2, 9), 0.01, stands_out=True)
    [found] = findings_by_seats([whole, *parts])
    assert (found.verdict, found.by_seats) == (verdict, tuple(parts))


def test_what_may_be_chance_everywhere_is_no_finding() -> None:
    whole = Trend(Contrast(Factor("a.b", (1, 2)), None, ()), "game", "turns", Figure(1, 0, 2, 9), 0.5, stands_out=False)
    assert findings_by_seats([whole, _part("random", 0, stands_out=False)]) == []


# ---- the command -----------------------------------------------------------------------------------------------------


def test_a_figure_is_swept(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same throws at all levels, so red's points differ by the bonus alone, to the digit."""
    found = _json(capsys, race, "--games", "60", "--sweep", "values.bonus=0..9..3")
    assert [arm["levels"] for arm in _arms(found)] == [{"values.bonus": bonus} for bonus in (0, 3, 6, 9)]
    assert found["sweep"]["rows"] == 60
    red = _trend(found, "values.bonus", "seat points", "seat 1")
    assert (red["change"], red["stands_out"]) == (1.0, True)
    assert _trend(found, "values.bonus", "seat points", "seat 2")["change"] == 0
    wins = [arm["by_place"][0]["win_rate"] for arm in _arms(found)]
    assert wins == sorted(wins)
    assert wins[-1] > 0.8
    level = {each["levels"]["values.bonus"]: each["level"] for each in found["sweep"]["seats_level"]}
    assert (level[0], level[9]) == (True, False)


def test_numbers_of_players_and_options_are_swept(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten throws of two, fifteen of three; twice as many with the option."""
    found = _json(capsys, race, "--games", "10", "--players", "2..3", "--sweep", "double=true,false")
    told = [(arm["levels"], arm["players"], arm["length"]["mean"]) for arm in _arms(found)]
    assert told == [
        ({"players": 2, "double": True}, 2, 20),
        ({"players": 2, "double": False}, 2, 10),
        ({"players": 3, "double": True}, 3, 30),
        ({"players": 3, "double": False}, 3, 15),
    ]
    assert _trend(found, "players", "game", "decisions")["change"] == 7.5
    assert _trend(found, "double", "game", "decisions")["change"] == 12.5
    seats = {(each["factor"], each["name"]) for each in found["sweep"]["trends"] if each["group"] == "seat points"}
    assert seats == {("double", "seat 1"), ("double", "seat 2")}  # of a third seat only half of the arms can tell


def test_who_plays_is_swept_too(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Who looks ahead takes 6 each time, so that a bonus always wins; who does not wins more often with it."""
    found = _json(capsys, race, "--games", "80", "--sweep", "values.bonus=0,4", "--sweep", "seats=random,greedy")
    assert [arm["by_agent"][0]["agent"] for arm in _arms(found)] == ["random", "greedy"] * 2
    [wins] = [each for each in found["sweep"]["by_seats"] if (each["group"], each["name"]) == ("seat wins", "seat 1")]
    assert [part["seats"] for part in wins["seats"]] == ["random", "greedy"]
    assert wins["seats"][1]["change"] == 0.125  # from one half to all, in four steps
    points = [each for each in found["sweep"]["by_seats"] if each["name"] == "points of a seat"]
    assert [each["verdict"] for each in points] == ["holds"]


def test_an_arm_has_figures_options_and_players(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, race, "--games", "8", "--against", "values.rounds=2", "--against", "players=4,double=true")
    assert [arm["length"]["mean"] for arm in _arms(found)] == [10, 4, 40]
    assert "compared" in found["arms"][0]
    assert "compared" not in found["arms"][1]  # other seats: nothing to set beside each other


def test_the_levels_that_a_run_names_show_one_of_its_games(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A figure, an option and a number of players, as the command that is told for games without an end has them."""
    words = ["simulate", race, "--players", "3", "--option", "double=true", "--sweep", "values.rounds=1", "--only", "0"]
    assert main(words) == 0
    assert "6 " in capsys.readouterr().out
    found = _json(capsys, *words[1:-2], "--games", "1")
    assert found["length"]["mean"] == 6


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_any_number_of_processes_gives_the_same_sweep(race: str, capsys: pytest.CaptureFixture[str], jobs: str) -> None:
    words = ["simulate", race, "--games", "12", "--sweep", "values.bonus=0,5", "--seats", "greedy,random"]
    assert main([*words, "--jobs", jobs]) == 0
    told = capsys.readouterr().out
    assert main([*words, "--jobs", "1"]) == 0
    assert capsys.readouterr().out == told


def test_very_many_arms_are_played_arm_by_arm(race: str) -> None:
    """Few games stay in memory then; the records are those of any order."""
    arms = tuple(Arm(levels=(("values.bonus", bonus),)) for bonus in range(33))
    made = plan(race, 2, arms=arms, swept=("values.bonus",))
    tasks = range(made.tasks)
    assert [made.task(task)[0] for task in by_arm(made, tasks)] == sorted(made.task(task)[0] for task in tasks)
    found = records(made, jobs=1)
    assert [record["task"] for record in found] == list(tasks)
    red = [record["points"]["start"][0] if "start" in record["points"] else 0 for record in found if not record["game"]]
    assert red == list(range(33))


def test_a_plan_with_levels_is_data_of_its_schema(race: str) -> None:
    made = plan(race, 3, arms=(Arm(levels=(("values.bonus", 2), ("double", True), ("players", 3))), Arm()))
    data = json.loads(json.dumps(made.to_json()))
    assert plan_from_json(data) == made
    assert first_fault(data, "simulate_plan") is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--sweep", "values.bonus"], "takes NAME=VALUES"),
        (["--sweep", "values.bonus=1,,2"], "nothing between two commas"),
        (["--sweep", "values.bonus=5..1"], "empty range"),
        (["--sweep", "values.bonus=1..9,4"], "stands twice"),
        (["--sweep", "values.bonus=0..9999"], "more than 256 values"),
        (["--sweep", "values.bonus=1,2", "--sweep", "values.bonus=3,4"], "values.bonus stands twice"),
        (["--sweep", "values.bonus=0..20", "--sweep", "values.rounds=1..20"], "makes 420 arms, and at most 256"),
        (["--sweep", "values.bonuses=1,2"], "There is no 'bonuses' in 'values'"),
        (["--sweep", "values.bonus=1,a b"], "no operator between"),
        (["--sweep", "treble=1,2"], "no option 'treble'"),
        (["--sweep", "double=maybe,true"], "maybe"),
        (["--sweep", "players=2,3"], "--players 3..5"),
        (["--sweep", "seats=greedy,nobody"], "there is no 'nobody'"),
        (["--players", "2..9"], "2 to 4 players, not 5"),
        (["--players", "3,2", "--seats", "greedy,random,random"], "--seats names 3 seats, and 2 play"),
        (["--design", "latin"], "there are not several"),
        (["--design", "latin", "--sweep", "values.bonus=1,2", "--sweep", "double=true,false"], "three factors or more"),
        (["--against", "values.bonus="], "NAME=VALUE"),
        (["--against", "players=x"], "one number of players"),
        (["--against", "players=-3"], "one number of players"),
        (["--against", "players=3..4"], "one number of players"),
        (["--against", "none.yaml"], "none.yaml"),
        (["--sweep", f"values.bonus={'9' * 5000}"], "at most 15 digits"),
        (["--against", f"values.bonus={'9' * 5000}"], "at most 15 digits"),
        (["--seats", f"mcts:{'9' * 5000}"], "there is no"),
        (["--sweep", "values.bonus=1,2", "--against", "values.bonus=9"], "values.bonus is swept, so no arm"),
        (["--players", "2,3", "--against", "double=true,players=4"], "players is swept, so no arm"),
        (["--against", "values.bonus=1,values.bonus=2"], "each stands once"),
    ],
)
def test_what_cannot_be_swept(race: str, capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert main(["simulate", race, "--games", "2", "--jobs", "1", *words]) in (1, 2)
    out, err = capsys.readouterr()
    assert told in out + err
    assert "Traceback" not in out + err


def test_a_path_with_signs_and_commas_in_brackets(race: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The path of a row, as a variant has it."""
    path = Path(race) / "race.yaml"
    coins = "pieces: {coin: {attributes: {of: 1..2}, rows: [{of: 1, count: 3}, {of: 2, count: 4}]}}\n"
    shown = "zones: {bank: {shape: pool, holds: coin, start: true}}\n"
    scored = "flow:\n  - score: bank.count\n    for: blue\n    reason: coins\n"
    path.write_text(RACE.replace("flow:\n", coins + shown + scored), "utf-8")
    words = ["--sweep", "pieces.coin.rows[of=2].count=4,6", "--against", "pieces.coin.rows[of=1, count=3].count=5"]
    found = _json(capsys, race, "--games", "3", *words)
    assert _trend(found, "pieces.coin.rows[of=2].count", "points", "coins")["change"] == 0.5  # of two seats, one
    assert len(_arms(found)) == 4


def test_numbers_of_players_as_they_are_typed() -> None:
    assert (player_counts("3"), player_counts("2..4"), player_counts("5,2..3")) == ((3,), (2, 3, 4), (5, 2, 3))


# ---- the report ------------------------------------------------------------------------------------------------------


def test_the_report_draws_each_response_over_its_factor(race: str) -> None:
    arms = swept((Arm(),), [Factor("values.bonus", (0, 4, 8)), Factor("double", (True, False))])
    told = page(results(plan(race, 12, arms=arms, swept=("values.bonus", "double"))))
    for title in ("Wins by seat", "Points", "Decisions of a game", "Wins of the first seat"):
        assert f'aria-label="{title}"' in told
    assert told.count('class="curve"') >= 4  # figures have a band, what is true or false has none
    assert told.count('class="band"') == told.count('class="curve"')
    assert "values.bonus = 4, double = false" in told


def test_the_report_of_other_numbers_of_players(race: str) -> None:
    arms = tuple(Arm(levels=(("players", players),)) for players in (2, 3, 4))
    told = page(results(plan(race, 6, arms=arms, swept=("players",))))
    assert "18 games of 2 or 3 or 4" in told
    assert "number of players" in told


def test_nothing_that_content_names_is_markup(race: str, tmp_path: Path) -> None:
    """An option's value and a variant's file may hold anything."""
    path = tmp_path / "a<b>.yaml"
    path.write_text('variant:\n  id: v\n  title: {en: "v"}\n  changes: [{set: values.rounds, to: 2}]\n', "utf-8")
    arms = swept((Arm(), Arm((str(path),))), [Factor("values.bonus", (0, 4))])
    told = page(results(plan(race, 4, arms=arms, swept=("values.bonus",))))
    assert "a&lt;b&gt;" in told
    assert "a<b>" not in told


def test_a_data_set_has_the_levels_and_who_sat_where(race: str, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra 'simulate' is not installed")
    words = ["--players", "2..3", "--seats", "greedy,random", "--sweep", "double=true,false", "--games", "3"]
    assert main(["simulate", race, *words, "--jobs", "1", "--out", str(tmp_path / "run")]) == 0
    games = pq.read_table(tmp_path / "run" / "games.parquet").to_pylist()
    levels = ["players=2,double=true", "players=2,double=false", "players=3,double=true", "players=3,double=false"]
    assert [row["levels"] for row in games] == levels * 3
    seats = pq.read_table(tmp_path / "run" / "seats.parquet").to_pylist()
    three = [row["agent"] for row in seats if row["arm"] >= 2]
    assert (three.count("greedy"), three.count("random")) == (6, 12)
