"""Events from the module: the same as the reference's (see `test_differential`), and what becomes of too many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State, load
from interpreter.middle.events import Moment
from interpreter.middle.layout import to_bytes
from interpreter.native import build, event_buffer, store
from interpreter.native.code import NotCompiled
from interpreter.native.event_reader import KeptEvents
from interpreter.native.executor import Native
from rulespec.diagnostics.model import ContentError


def fresh(name: str, executor: str = "reference") -> Game:
    """A game of its own."""
    return load(name, executor=executor)


def uncached(game: Game) -> Native:
    """The module of a game, made anew."""
    return Native(game.built, game.facts, [], cache=False)


def plain(game: Game, state: State) -> list[list[Any]]:
    """The events on the way to a state, with moments as bytes."""
    assert state.events is not None
    is_moment = (list, Moment)
    return [
        [to_bytes(part[:], game.facts.rooms) if isinstance(part, is_moment) else part for part in event]
        for event in state.events
    ]


def test_the_native_executor_keeps_events_where_it_plays() -> None:
    native, plainly = fresh("metro", "native"), fresh("metro")
    states = [game.start(3, events=True) for game in (native, plainly)]
    assert [type(state.events) for state in states] == [KeptEvents, list]
    for _ in range(12):
        states = [state.apply(state.options()[-1], events=True) for state in states]
        assert plain(native, states[0]) == plain(plainly, states[1])
        assert states[0].what_happened() == states[1].what_happened()
        assert states[0].what_happened(1) == states[1].what_happened(1)
    assert states[0].events
    assert not states[0].apply(states[0].options()[0]).events


def test_what_is_too_much_for_the_module_is_kept_by_the_other_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "EVENTS_ROOM", event_buffer.FEW)
    game, plainly = fresh("tic_tac_toe"), fresh("tic_tac_toe")
    game.executor, game.__dict__["native"] = "native", uncached(game)
    state, other = (each.start(1, events=True) for each in (game, plainly))
    state, other = (each.apply(each.options()[0], events=True) for each in (state, other))
    assert isinstance(state.events, list)
    assert plain(game, state) == plain(plainly, other)
    assert game.__dict__["native"].engine.variable("telling") == 0
    assert state.apply(state.options()[0])._found is not None, "without events the module plays on"


#: 60 cells with 60 waves, for each of which something changes 28 times: 100,800 events on the way to one decision.
MANY = """\
game: {id: many, language: 1, title: {en: "Many"}, players: 1, seats: [solo]}
boards: {land: {cell: {for: {x: 0..59}}}, sea: {wave: {for: {x: 0..59}}}}
state: {n: {type: 0..9, start: 0}}
flow:
  - choose: number
    from: 1..2
  - for_each: cell
    do:
      - for_each: wave
        do: [STEPS]
  - choose: other
    from: 1..2
"""


@pytest.mark.parametrize("executor", ["reference", "native"])
def test_no_executor_keeps_more_events_than_may_be(executor: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        MANY.replace("STEPS", ", ".join(["{set: n, to: 1}", "{set: n, to: 0}"] * 14)), encoding="utf-8"
    )
    game = load(str(tmp_path), executor=executor)
    state = game.start(0)
    assert not state.apply(state.options()[0]).events  # nobody asked: that many steps may be done
    with pytest.raises(ContentError) as fault:
        state.apply(state.options()[0], events=True)
    assert [problem.code for problem in fault.value.problems] == ["RS803"]


def test_a_value_without_code_leaves_all_events_to_the_other_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NotCompiled("such values")

    game = fresh("metro")
    assert uncached(game).made.keeps_events
    monkeypatch.setattr(event_buffer, "_note", refuse)
    native = uncached(game)
    assert not native.made.keeps_events
    assert native.made.event_forms == {}
    game.executor, game.__dict__["native"] = "native", native
    state = game.start(3, events=True)
    assert isinstance(state.events, list)
    assert game.start(3)._found is not None, "without events the module plays"


def test_a_module_that_is_kept_knows_how_values_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "cache_file", lambda name: tmp_path / name)
    native = uncached(fresh("metro"))
    store.keep("events", native.made, b"ready")
    known = store.recall("events")
    assert known is not None
    assert known[0].event_forms == native.made.event_forms != {}
    assert known[0].keeps_events


def test_a_moment_is_read_when_it_is_looked_at() -> None:
    game = fresh("metro")
    state = game.start(5)
    moment, cells = Moment(state.to_bytes(), game.facts.rooms), state.cells
    lasting = game.facts.layout.lasting
    assert (moment[0], moment[:lasting], moment.copy()[:lasting]) == (cells[0], cells[:lasting], cells[:lasting])
    assert list(moment)[:lasting] == cells[:lasting]
    assert len(moment) == len(cells)
    assert moment == Moment(state.to_bytes(), game.facts.rooms)
    assert moment != Moment(game.start(6).to_bytes(), game.facts.rooms)
