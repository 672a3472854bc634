"""Random games that the module plays: the same records as those of the Python executor, whatever happens on the way."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.differential import Setting
from interpreter import ContentError, Game, load
from interpreter.game import WORK_FOR_ANY_MODULE, WORK_FOR_INSTRUCTION
from interpreter.native import build
from interpreter.native.executor import Native
from interpreter.native.tallies import row_size
from interpreter.players import make_player
from interpreter.simulate import playing, swift
from interpreter.simulate.plan import Plan, game_of
from interpreter.simulate.playing import Wanted, play_game, play_task, play_tasks
from interpreter.simulate.records import Record, to_line
from interpreter.simulate.swift import record_of
from rulespec.source.shipped import games
from tests.engine.small import folder_of, names
from tests.shipped import every_setting
from tests.simulate.runs import Arm, plan

SEEDS = (0, 11, 2**64 - 1)
#: Seats that play by chance do not come to its end.
ENDS_SELDOM = "no_lower_end"
ALL = [each for each in every_setting() if ENDS_SELDOM not in each.variants]
SAMPLE = random.Random(2).sample(ALL, 8)


def _natively(game: Game, seeds: Sequence[int]) -> list[Record | None]:
    assert game.native is not None, game.native_refused
    rows: array[int] = array("i")
    size = row_size(game.players, len(game.native.made.told))
    played = game.native.tallied(seeds, rows)
    return [record_of(game.native, rows[i * size : (i + 1) * size].tolist(), game.world.teams) for i in range(played)]


def _one_by_one(game: Game, seed: int) -> Record:
    return play_game(game, seed, [make_player("random", seat, seed) for seat in range(game.players)])


def _same(game: Game, seeds: Sequence[int]) -> list[Record | None]:
    found = _natively(game, seeds)
    assert len(found) == len(seeds)
    for seed, record in zip(seeds, found, strict=True):
        assert record is not None
        assert to_line(record) == to_line(_one_by_one(game, seed))  # the order of reasons and actions too
    return found


# ---- the same records -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(games()))
def test_shipped_games(name: str) -> None:
    _same(load(name), SEEDS)


@pytest.mark.parametrize("setting", [s for s in ALL if not s.options and not s.variants], ids=str)
def test_all_numbers_of_players(setting: Setting) -> None:
    _same(setting.load(), (5,))


@pytest.mark.long
@pytest.mark.parametrize("setting", SAMPLE, ids=str)
def test_some_options_and_variants(setting: Setting) -> None:
    try:
        game = setting.load()
    except ContentError:
        pytest.skip("a variant that needs another one")
    _same(game, (1, 2))


@pytest.mark.parametrize("name", names())
def test_small_games(name: str) -> None:
    """They hold what the shipped games use seldom: steps that are taken back, effects that are picked, loops."""
    game = load(str(folder_of(name)))
    for seed, record in zip(range(4), _natively(game, range(4)), strict=False):
        wanted = _one_by_one(game, seed)
        assert record == (None if "unfinished" in wanted else wanted)
        if record is None:  # it never ends, and takes long
            break


TAKEN_BACK = """\
game: {id: back, language: 1, title: {en: "Back"}, players: 2, seats: [ivy, jon]}
state:
  player.coins: {type: 0..9, start: 1}
actions:
  buy:
    do:
      - {score: 5, reason: goods}
      - {choose: price, from: 1..2}
      - pay: {coins: price + 1}
  wait:
    do:
      - {score: 1, reason: patience}
flow:
  - repeat:
      - turns: player
        do:
          - try: [{perform: buy}]
            else: [{perform: wait}]
    times: 3
"""


def test_what_is_taken_back_is_not_counted(tmp_path: Path) -> None:
    """Nobody can pay: the five points for goods are given and taken back each time, the one for waiting stays."""
    (tmp_path / "back.yaml").write_text(TAKEN_BACK, encoding="utf-8")
    game = load(str(tmp_path))
    [record] = _same(game, (3,))
    assert record is not None
    assert record["scores"] == [3, 3]
    assert record["points"] == {"patience": [3, 3]}
    assert record["actions"] == {"wait": [3, 3]}


# ---- step by step ---------------------------------------------------------------------------------------------------


def _stepwise(name: str, players: int) -> tuple[Game, Game]:
    """The same game twice: one that the reference plays, and one whose steps the module plays."""
    plain, quick = load(name, players=players), load(name, players=players)
    plain.__dict__["native"] = None
    assert quick.native is not None
    return plain, quick


@pytest.mark.parametrize(
    ("name", "players", "kinds"),
    [
        ("tic_tac_toe", 2, ("greedy", "random")),
        ("metro", 3, ("random",) * 3),
        pytest.param("agora_barcelona", 3, ("random",) * 3, marks=pytest.mark.long),
        pytest.param("barcelona", 2, ("random",) * 2, marks=pytest.mark.long),
    ],
)
def test_full_detail_is_the_same_by_steps_of_the_module(name: str, players: int, kinds: tuple[str, ...]) -> None:
    """Course, choices and holdings too."""
    found = []
    for game in _stepwise(name, players):
        seats = [make_player(kind, seat, 4) for seat, kind in enumerate(kinds)]
        found.append(play_game(game, 4, seats, Wanted(full=True)))
    assert to_line(found[0]) == to_line(found[1])
    assert found[0]["choices"]


@pytest.mark.long
def test_steps_that_are_too_much_for_the_module_are_played_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room for anything to be told: whatever tells something is the reference's."""
    monkeypatch.setattr(build, "TRAIL_ROOM", 0)
    plain, quick = load("metro", players=2), load("metro", players=2)
    plain.__dict__["native"] = None  # else it would keep a module of no room for all others
    quick.__dict__["native"] = Native(quick.built, quick.facts, (), cache=False)
    first, second = (
        play_game(g, 9, [make_player("random", s, 9) for s in range(2)], Wanted(full=True)) for g in (plain, quick)
    )
    assert to_line(first) == to_line(second)


# ---- runs -----------------------------------------------------------------------------------------------------------


def _plain(of: Plan) -> list[Record]:
    return [play_task(of, task) for task in range(of.tasks)]


def _ready(of: Plan) -> list[Game]:
    found = [game_of(of, arm) for arm in range(len(of.arms))]
    assert all(game.native is not None for game in found)
    return found


def _only(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Record:
        raise AssertionError("the Python executor was asked")

    monkeypatch.setattr(playing, "play_task", never)


@pytest.mark.parametrize(
    ("name", "players", "amount"), [("tic_tac_toe", 2, 40), ("metro", 3, 5), ("agora_barcelona", 3, 3)]
)
def test_seats_move_on_and_all_games_are_those_of_python(
    name: str, players: int, amount: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan(name, amount, ("random",) * players, seed=3)
    wanted = _plain(made)
    _ready(made)
    _only(monkeypatch)
    found = list(play_tasks(made, range(made.tasks)))
    assert list(map(to_line, found)) == list(map(to_line, wanted))
    assert [record["players"][0] for record in found[:3]] == [0, 1, 2 % players]


def test_both_arms_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan("connect_four", 20, arms=(Arm(), Arm()))
    wanted = _plain(made)
    _ready(made)
    _only(monkeypatch)
    assert list(play_tasks(made, range(3, made.tasks))) == wanted[3:]


def test_a_game_that_is_too_much_for_the_module_is_played_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for four entries it gives up where five things are told between two decisions."""
    made = plan("metro", 12, ("random",) * 2, seed=8)
    wanted = _plain(made)
    [game] = _ready(made)  # first: a module of little room would be kept for all others
    monkeypatch.setattr(build, "TRAIL_ROOM", 12 * 4)
    native = Native(game.built, game.facts, (), cache=False)
    monkeypatch.setitem(game.__dict__, "native", native)
    asked: list[int] = []

    def noted(of: Plan, task: int) -> Record:
        asked.append(task)
        return play_task(of, task)

    monkeypatch.setattr(playing, "play_task", noted)
    assert list(play_tasks(made, range(made.tasks))) == wanted
    assert 0 < len(asked) < made.tasks


def test_a_game_without_an_end_is_left_as_the_reference_leaves_it(tmp_path: Path) -> None:
    (tmp_path / "endless.yaml").write_text(ENDLESS, encoding="utf-8")
    made = plan(str(tmp_path), 2, ("random",) * 2, most=50)
    _ready(made)
    found = list(play_tasks(made, range(2)))
    assert [record["unfinished"] for record in found] == ["not over after 50 decisions"] * 2


ENDLESS = """\
game: {id: endless, language: 1, title: {en: "Endless"}, players: 2, seats: [ivy, jon]}
flow:
  - repeat:
      - turns: player
        do: [{choose: number, from: 1..2}]
    while: 1 == 1
"""


def test_the_module_is_made_when_the_reference_has_worked_for_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan("tic_tac_toe", 5, seed=77)
    [game] = [game_of(made, 0)]
    monkeypatch.setitem(game.__dict__, "_is_module_kept", False)
    game.__dict__.pop("native", None)
    due = WORK_FOR_ANY_MODULE + WORK_FOR_INSTRUCTION * len(game.facts.program.instrs)
    for worked, is_there in ((0, False), (due - 1, False), (due, True)):
        monkeypatch.setattr(game.machine, "worked", worked)
        assert (game.native_at_hand is not None) == is_there


def test_stretches_grow_while_they_are_short() -> None:
    pace = swift.Pace()
    for _ in range(20):
        pace.took(pace.at_once, 0.001)
    assert pace.at_once == swift.MOST_AT_ONCE
    pace.took(pace.at_once, 0.5)
    assert pace.at_once == swift.MOST_AT_ONCE // 2
    pace.took(3, 0.001)  # what was left at the end of what was asked for says nothing
    assert pace.at_once == swift.MOST_AT_ONCE // 2


def test_thinking_seats_and_full_detail_go_another_way() -> None:
    assert swift.is_random(plan())
    assert not swift.is_random(plan(seats=("greedy", "random")))
    assert not swift.is_random(plan(detail="full"))
