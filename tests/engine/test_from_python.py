"""The Python interface beyond playing: positions, executors, single values, events with names."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from interpreter import ContentError, Event, Game, load
from tests.engine.small import small
from tests.shipped import shipped

# ---- positions -------------------------------------------------------------------------------------------------------


def test_a_position_holds_what_is_given() -> None:
    """Cross has two in a row, with its turn: seven cells are free, and the third mark wins."""
    given = {"cell[0,0].mark": "mark(cross)", "cell[1,0].mark": ["mark(cross)"]}
    state = shipped("tic_tac_toe").position(given, at="cross place_mark")
    assert state.decision is not None
    assert (state.decision.player, state.decision.action, len(state.options())) == (0, "place_mark", 7)
    won = state.apply(state.option("place_mark cell[2,0]"))
    assert won.result is not None
    assert won.result.winners == (0,)


def test_a_position_of_numbers_and_names() -> None:
    """A pear costs 2, an apple 1 and a fig 5: with 2 coins the fig cannot be bought."""
    game = small("market")
    state = game.position({"south.coins": 2, "wished": "fig"}, at="south buy")
    assert [option.args["good"] for option in state.options()] == ["apple", "pear"]
    assert state.value("wished") == "fig"
    assert game.position({"wished": None}).value("wished") is None


def test_a_position_is_that_of_the_scenario() -> None:
    """With nothing given it is the beginning after set-up: `start` of the same seed, where set-up asks nothing."""
    game = small("market")
    assert game.position({}, seed=3) == game.start(3)


@pytest.mark.parametrize(
    ("given", "at", "code", "line"),
    [
        ({"cell[0,0].mark": [], "cell[9,9].mark": "mark(cross)"}, None, "RS642", 6),
        ({"cell[0,0].mark": ["mark(cross)", "mark(cross)"]}, None, "RS811", 5),
        ({"cell[0,0].mork": []}, None, "RS30", 5),
        ({}, "cross plaice_mark", "RS812", 4),
    ],
)
def test_what_cannot_be_names_its_line(given: dict[str, Any], at: str | None, code: str, line: int) -> None:
    with pytest.raises(ContentError) as refused:
        shipped("tic_tac_toe").position(given, at=at)
    problem = refused.value.problems[0]
    assert problem.code.startswith(code)
    assert (problem.span.file.name, problem.span.line) == ("position", line)


@pytest.mark.parametrize("wrong", [{"wished": 1.5}, {"wished": {"a": 1}}, {5: "fig"}])
def test_what_is_no_value_at_all(wrong: dict[Any, Any]) -> None:
    with pytest.raises(TypeError, match="what is given"):
        small("market").position(wrong)


def test_a_start_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="start is one of setup, empty"):
        small("market").position({}, start="middle")


# ---- which executor plays --------------------------------------------------------------------------------------------


def _keys(game: Game) -> list[str]:
    state, taken = game.start(5), []
    while state.decision is not None:
        taken.append(state.digest())
        state = state.apply(state.options()[-1])
    return [*taken, state.digest()]


def test_each_executor_plays_the_same() -> None:
    native, other = (load("connect_four", executor=name) for name in ("native", "reference"))
    assert native.native is not None
    assert other.native is None
    assert other.native_refused == "the reference is to play"
    assert _keys(native) == _keys(other)
    assert native.playouts(None, 2, 1) == other.playouts(None, 2, 1)


def test_the_reference_plays_alone() -> None:
    game = load("tic_tac_toe", executor="reference")
    assert game.start(1).options()[0].key == "place_mark cell[0,0]"
    state = game.position({"cell[0,0].mark": "mark(cross)", "cell[0,1].mark": "mark(cross)"}, at="cross place_mark")
    after = state.apply(state.option("place_mark cell[0,2]"), events=True)
    assert after.result is not None
    assert after.result.scores == (1, 0)
    assert [event.kind for event in after.what_happened()] == ["action", "move", "score"]
    again = game.state_from_bytes(state.to_bytes())
    assert again.options().keys() == state.options().keys()


@pytest.mark.parametrize("executor", ["native", "reference"])
def test_the_choice_of_executor_goes_with_the_game(executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tic_tac_toe", executor=executor)
    assert pickle.loads(pickle.dumps(game)).executor == executor
    asked: list[str] = []
    whole = type(game)._run
    monkeypatch.setattr(Game, "_run", lambda self, *rest: asked.append("here") or whole(self, *rest))
    state = game.start(1)
    state.apply(state.options()[0])
    assert asked == ([] if executor == "native" else ["here", "here"])


def test_an_executor_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="executor is one of native, reference, not 'quick'"):
        load("tic_tac_toe", executor="quick")


# ---- one value, one zone ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["agora_barcelona", "metro", "barcelona"])
def test_single_values_are_those_of_the_whole(name: str) -> None:
    state = shipped(name).start(3)
    for of, whole in ((state, state.to_json()), (state.view(0), state.view(0).to_json())):
        assert of.value("score") == whole["score"]
        for key, values in whole["state"].items():
            assert of.value(key) == values
        for key, content in whole["zones"].items():
            assert of.zone(key) == content
            if state.game.world.zones[key].domain is not None:
                assert {member: of.zone(key, member) for member in content} == content


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s.value("player.coin"), "there is no state 'player.coin'; did you mean 'player.coins'?"),
        (lambda s: s.value("player.coins", "nort"), "there is no player 'nort'; did you mean 'north'?"),
        (lambda s: s.value("wished", "north"), "there is only one of it, and so no 'north'"),
        (lambda s: s.zone("deck"), "there is no zone 'deck'"),
    ],
)
def test_what_there_is_not(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        call(small("market").start(1))


# ---- events ----------------------------------------------------------------------------------------------------------


def test_events_have_names() -> None:
    """A pear costs 2 coins, and is one good."""
    state = small("market").position({}, at="north buy")
    after = state.apply(state.option("buy pear"), events=True)
    events = after.what_happened()
    assert [(e.kind, e.player, e.counter, e.amount) for e in events if e.kind in ("pay", "gain")] == [
        ("pay", "north", "coins", 2),
        ("gain", "north", "goods", 1),
    ]
    assert all(e.place is not None and e.place.startswith("market/market.yaml:") for e in events)
    assert pickle.loads(pickle.dumps(events)) == events
    with pytest.raises(AttributeError, match="an event of kind pay has no 'zone'; it has counter, amount"):
        _ = next(e for e in events if e.kind == "pay").zone


def test_events_that_were_not_kept() -> None:
    with pytest.raises(ValueError, match="events=True"):
        small("market").start(1).what_happened()


def test_a_seat_is_told_what_it_may_know() -> None:
    """Of two cards that jon is dealt, ivy sees the backs."""
    state = small("secrets", 2, task="taking").start(7, events=True)
    dealt = {e.to: e.pieces for e in state.what_happened(seat=0) if e.kind == "draw"}
    assert set(dealt["jon.hand"]) <= {"card(sun)", "card(moon)"}
    assert all("," in piece for piece in dealt["ivy.hand"])
    assert isinstance(state.what_happened()[0], Event)
