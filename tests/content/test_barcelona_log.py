"""Barcelona's log: where each citizen goes when a building is constructed."""

from __future__ import annotations

from random import Random

from interpreter.state import State
from tests.shipped import shipped


def _held(state: State) -> dict[str, list[str]]:
    """What lies on each space of the Citizen tracks."""
    return dict(state.zone("berth.citizen"))


def test_each_citizen_that_leaves_a_crossing_is_told_with_its_space() -> None:
    """The spaces that fill between two states are those that the events between them name; none fills unsaid."""
    game, chance = shipped("barcelona", 2), Random(5)
    state, told = game.start(5, events=True), 0
    while state.decision is not None and told < 12:
        before = _held(state)
        options = state.options()
        state = state.apply(options[chance.randrange(len(options))], events=True)
        filled = {place for place, pieces in _held(state).items() if pieces and not before[place]}
        events = [each for each in state.what_happened() if each.kind == "emit" and each.name == "citizen_on_track"]
        assert sorted(each.args["berth"] for each in events) == sorted(filled)
        told += len(events)
    assert told >= 12
