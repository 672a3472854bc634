"""Random games of which nothing but counts is kept: the same results as from a record of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.native import build
from interpreter.native.executor import Native
from interpreter.simulate import local, playing
from interpreter.simulate.order import Order
from interpreter.simulate.plan import Plan, game_of
from interpreter.simulate.playing import count_stretches, play_task
from interpreter.simulate.records import Record, counts_of, to_counts, to_line
from interpreter.simulate.run import Results
from interpreter.simulate.summary import results_json
from interpreter.simulate.swift import Counted
from interpreter.simulate.tally import Tally
from tests.simulate.runs import plan, results
from tests.simulate.test_swift import ENDLESS


def _said(found: Results) -> dict[str, Any]:
    return results_json(found.plan, found.games, found.tallies, 1.0)


def _recorded(of: Plan, **how: Any) -> Results:
    """The results from a record of each game: somebody looks at them."""
    return results(of, see=lambda record: None, **how)


# ---- runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "games", "jobs"),
    [("tic_tac_toe", 2, 1_500, 2), ("connect_four", 2, 300, 1), ("metro", 3, 40, 2)],
)
def test_results_are_those_of_records(name: str, players: int, games: int, jobs: int) -> None:
    made = plan(name, games, ("random",) * players, seed=5)
    found = results(made, jobs=jobs)
    assert found.tallies[0].games == games
    wanted = _recorded(made, jobs=jobs)
    assert json.dumps(_said(found)) == json.dumps(_said(wanted))  # the order of names too
    assert found.tallies[0].shown == wanted.tallies[0].shown


def test_games_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "endless.yaml").write_text(ENDLESS, encoding="utf-8")
    made = plan(str(tmp_path), 3, most=50)
    found = results(made)
    [(reason, times)] = found.tallies[0].unfinished.items()
    assert (reason.partition(" (")[0], times) == ("not over after 50 decisions", 3)
    assert [record["game"] for record in found.tallies[0].examples.values()] == [0]


def test_no_lines_come_of_games_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    came = local.Pool._came
    monkeypatch.setattr(local.Pool, "_came", lambda pool, line: (seen.append(line), came(pool, line)))
    made = plan(games=2_000, seed=9)
    assert game_of(made, 0).native is not None  # kept for the process that plays
    results(made)
    assert sum(behind - first for line in seen if (told := counts_of(line)) for first, behind in [told[:2]]) > 1_000


# ---- stretches -------------------------------------------------------------------------------------------------------


def _one_by_one(of: Plan, tasks: range) -> list[str]:
    """What came of tasks, without the heads of the records."""
    found = (play_task(of, task) for task in tasks)
    return [to_line({key: value for key, value in record.items() if key not in HEAD}) for record in found]


HEAD = ("task", "arm", "game", "seed")


@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", 2), ("agora_barcelona", 3)])
def test_counts_are_in_the_order_in_which_records_come_up(name: str, players: int) -> None:
    made, tasks = plan(name, 40, ("random",) * players, seed=7), range(4, 17)
    assert game_of(made, 0).native is not None
    wanted, at = _one_by_one(made, tasks), tasks.start
    for some in count_stretches(made, tasks):
        assert isinstance(some, Counted)
        assert some.first == at
        own = wanted[some.first - tasks.start : some.behind - tasks.start]
        assert some.counts == tuple((at + own.index(line), own.count(line), line) for line in dict.fromkeys(own))
        at = some.behind
    assert at == tasks.stop


def test_what_is_too_much_for_the_module_is_played_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for four entries it gives up where five things are told between two decisions."""
    made = plan("metro", 12, seed=8)
    wanted = _one_by_one(made, range(12))
    game = game_of(made, 0)
    monkeypatch.setattr(build, "TRAIL_ROOM", 12 * 4)
    native = Native(game.built, game.facts, (), cache=False)
    monkeypatch.setitem(game.__dict__, "native", native)
    one_by_one: list[int] = []

    def noted(of: Plan, task: int) -> Record:
        one_by_one.append(task)
        return play_task(of, task)

    monkeypatch.setattr(playing, "play_task", noted)
    found: list[str] = []
    for some in count_stretches(made, range(12)):
        if isinstance(some, Counted):
            found += [line for _, games, line in some.counts for _ in range(games)]
        else:
            found += [to_line({key: value for key, value in record.items() if key not in HEAD}) for record in some]
    assert sorted(found) == sorted(wanted)
    assert 0 < len(one_by_one) < 12


@pytest.mark.parametrize(("seed", "first"), [(0, 0), (7, 95), (2**63 + 11, 99_990), (2**64 - 1, 2**28 - 20)])
def test_seeds_are_made_in_the_module(seed: int, first: int) -> None:
    made = plan(seed=seed)
    native = load("tic_tac_toe").native
    assert native is not None
    text = made.text_of_seeds
    with native.alone:
        place = native.made.outcomes
        native.engine.write(place + 1_000, text)
        native.engine.call("seeds", place + 1_000, len(text), first, 20, place)
        data = native.engine.read(place, 8 * 20)
    found = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]
    assert found == [made.seed_of(game) for game in range(first, first + 20)]


# ---- order, counts ---------------------------------------------------------------------------------------------------


def test_counts_wait_for_their_turn() -> None:
    kept: list[str] = []
    order = Order(plan(games=20), (), kept.append, lambda counts: kept.extend(line for _, _, line in counts))
    assert order.hand_out(8) == (0, 8)
    assert order.hand_out(8) == (8, 16)
    order.come_counted(12, 16, [(12, 4, "d")])
    order.come_counted(8, 12, [(8, 4, "c")])
    assert kept == []
    order.come_counted(0, 3, [(0, 3, "a")])
    order.lost(0, 8)  # the process is gone: what it did not tell is played again
    assert order.hand_out(99) == (3, 8)
    order.come(3, "line")
    order.come_counted(4, 8, [(4, 4, "b")])
    assert kept == ["a", "line", "b", "c", "d"]
    order.come_counted(4, 8, [(4, 4, "b")])  # twice is once
    assert (order.finished, order.is_done) == (16, False)
    order.come_counted(16, 20, [(16, 4, "e")])
    assert order.is_done
    assert kept[5:] == ["e"]


def test_counts_that_wait_when_a_run_ends_are_kept() -> None:
    kept: list[str] = []
    order = Order(plan(games=20), (), kept.append, lambda counts: kept.extend(line for _, _, line in counts))
    order.come_counted(8, 12, [(8, 4, "c")])
    order.flush()
    assert kept == ["c"]


def test_a_line_of_counts() -> None:
    line = to_counts(3, 9, [(3, 2, '{"players":[0,1]}'), (5, 4, "{}")])
    assert counts_of(line) == (3, 9, [(3, 2, '{"players":[0,1]}'), (5, 4, "{}")])
    assert counts_of('{"task":3}') is None


RECORD: Record = {
    "task": 0,
    "arm": 0,
    "game": 0,
    "seed": 1,
    "players": [1, 0],
    "decisions": 7,
    "turns": 6,
    "scores": [1, 3],
    "places": [2, 1],
    "points": {"line": [1, 3]},
    "actions": {"place": [4, 3]},
}
OTHER: Record = RECORD | {"players": [0, 1], "scores": [0, 0], "places": [1, 1], "points": {}, "decisions": 9}


@pytest.mark.parametrize("games", [1, 2, 7, 64, 1_000])
def test_the_same_record_of_many_games(games: int) -> None:
    one, many = Tally(2), Tally(2)
    for tally in (one, many):
        tally.add(OTHER)
    for _ in range(games):
        one.add(RECORD)
    many.add_often(RECORD, games)
    assert many.lengths == {7: games, 9: 1}
    assert many.actions["place"].times == 7 * (games + 1)
    assert many.by_both[1, 0].won == one.by_both[1, 0].won == games
    assert many.by_both[1, 0].scores == {3: games}
    for name in ("decisions", "turns", "winning", "spread", "wins"):
        mine, theirs = getattr(many, name), getattr(one, name)
        assert (mine.count, round(mine.mean, 9), round(mine.squares, 6)) == (
            theirs.count,
            round(theirs.mean, 9),
            round(theirs.squares, 6),
        )
