"""Screens and looks: what is offered, and what may be taken back, is the same whatever lies there (`count: owner`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.independence import leaks
from interpreter import Game, State, load
from interpreter.table.seats import SPECTATOR
from interpreter.table.undo_policy import was_foreseeable
from tests.engine.small import GAMES, keys, play, small

RED, BLUE = 0, 1
SCREENS = (GAMES / "screens.yaml").read_text("utf-8")
LOOKS = (GAMES / "looks.yaml").read_text("utf-8")


def _game(folder: Path, text: str, resting: str) -> Game:
    """A game in which who rests (or looks at nothing) does something else."""
    (folder / "game.yaml").write_text(text.replace("do: []", f"do: [{resting}]"), "utf-8")
    return load(str(folder), players=2)


def _after(state: State, key: str) -> State:
    return state.apply(state.option(key), events=True)


@pytest.mark.parametrize(
    "taken",
    [
        '{move: "take(1, me.left.bid)", to: me.won}',
        '{choose: n, from: 0..3}, {move: "take(n, me.left.bid)", to: me.won}',
        '{choose: p, from: player}, {move: "take(1, p.bid)", to: me.won}',
    ],
)
def test_what_can_be_taken_from_another_is_no_matter_of_what_is_offered(taken: str, tmp_path: Path) -> None:
    game = _game(tmp_path, SCREENS, taken)
    offered = set()
    for amount in range(4):  # how much blue has bid when red may take some of it
        state = play(game.start(1), "act rest") if amount < 0 else game.start(1)
        state = play(state, "act look_in", "act bid_some", f"bid_some {amount}")
        first = tuple(keys(state))
        then = play(state, "act rest")
        offered.add((first, tuple(keys(then)) if then.decision is not None and then.decision.player == RED else ()))
    assert len(offered) == 1
    assert list(leaks(game, range(3), decisions=6, others=2)) == []


@pytest.mark.parametrize(
    "learns",
    [
        "{if: me.left.bid.empty, then: [{score: 1, reason: x}]}",
        "{require: me.left.bid.count > 0}, {score: 1, reason: x}",
        "{look: me.left.bid}",
    ],
)
def test_how_many_another_has_is_learnt_for_good(learns: str, tmp_path: Path) -> None:
    """Neither where there are some nor where there are none is it taken back, so that the answer tells nothing."""
    game = _game(tmp_path, SCREENS, learns)
    for amount in range(4):
        state = play(game.start(1), "act look_in", "act bid_some", f"bid_some {amount}")
        after = _after(state, "act rest")
        assert not was_foreseeable(state, "act rest", after, RED)
    own = play(game.start(1), "act look_in", "act earn")
    assert was_foreseeable(own, "act take_back", _after(own, "act take_back"), RED)


def test_that_nothing_was_found_is_learnt_for_good(tmp_path: Path) -> None:
    """Cards are looked for in another's hand, of which there are none."""
    text = LOOKS.replace("{look: mess}", '{look: "list(c for c in me.left.hand where c == c and deck.count < 0)"}')
    assert text != LOOKS
    (tmp_path / "looks.yaml").write_text(text, "utf-8")
    state = load(str(tmp_path), players=3).start(1)
    assert not was_foreseeable(state, "act mess_look", _after(state, "act mess_look"), RED)


@pytest.mark.parametrize("deed", ["two", "own", "show_all"])
def test_a_spectator_is_told_of_a_look_by_what_it_sees(deed: str) -> None:
    """What only some are shown, others and those who only watch are told alike."""
    state = _after(small("looks", 3).start(1), f"act {deed}")
    texts = state.game.texts("en")
    told = list(texts.log_lines(state.events or (), SPECTATOR))
    assert told
    if deed == "two":
        assert told == list(texts.log_lines(state.events or (), BLUE))
