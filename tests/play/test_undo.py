"""Undo goes back as far as everything could be foreseen, and never takes back what somebody else has decided."""

from __future__ import annotations

import pytest

from interpreter.log_reading import read_log
from interpreter.play.foresight import was_foreseeable
from rulespec.diagnostics.model import Problems
from tests.play.table import game_of, play

CHANCE = "This cannot be taken back: something came up that nobody could foresee."


def _undone(typed: list[str], **more: object) -> str:
    return play("probe", [*typed, "undo"], **more).answer(len(typed))


def test_nothing_has_been_decided() -> None:
    assert "There is nothing to take back." in _undone([])


def test_a_choice_inside_an_action_is_taken_back() -> None:
    done = play("probe", ["2", "undo"])
    assert "One decision taken back." in done.answer(1)
    assert "  2  card 7" in done.answer(1)
    assert done.session.history.steps == []


def test_a_card_of_the_own_hand_that_was_played_is_taken_back() -> None:
    done = play("probe", ["2", "1", "undo", "undo"])
    assert "hand: card 1\n" in done.answer(1)  # it lies on the table, where all see it
    assert "One decision taken back." in done.answer(2)
    assert "hand: card 1, card 7" in done.answer(3)


def test_a_card_that_was_looked_at_stays_looked_at() -> None:
    assert CHANCE in _undone(["1", "1", "1"])


def test_what_was_declined_is_offered_again() -> None:
    assert "Look at the deck?" in _undone(["1", "1", "2"])


def test_a_die_stays_where_it_fell() -> None:
    """Red looks not, rolls; Green's turn follows, so Red can try only in its own next decision."""
    game = game_of("probe")
    state = game.start(3)
    for key in ("put card(1)", "put left", "looking decline"):
        state = state.apply(state.option(key))
    rolled = state.apply(state.option("rolling accept"))
    assert not was_foreseeable(state, "rolling accept", rolled, 0)
    passed = state.apply(state.option("rolling decline"))
    assert was_foreseeable(state, "rolling decline", passed, 0)


def test_what_a_seat_decided_that_plays_by_itself_is_taken_back_too() -> None:
    """Nought answers at once; taking back leads to Cross's own decision, where Nought answers again."""
    done = play("tic_tac_toe", ["1", "undo", "1"])
    assert "One decision taken back." in done.answer(1)
    assert [step.seat for step in done.session.history.steps] == [0, 1]
    before = play("tic_tac_toe", ["1"])
    assert done.session.state == before.session.state


def test_what_came_out_of_a_hidden_hand_stands() -> None:
    """Green, who plays by itself, has put a card on the table since: it cannot be unseen."""
    assert CHANCE in _undone(["1", "1", "2", "2"])


def test_only_what_automatic_seats_decided_is_passed_over() -> None:
    """Cross and Nought have marked a cell each: Cross may go back two steps where nobody plays Nought."""
    history = play("tic_tac_toe", ["1", "1"], seats=["human", "human"]).session.history
    assert history.undo_for(0, frozenset({1})).steps == 2
    assert history.undo_for(0).reason == "other_seat"


def test_the_next_person_cannot_take_back_what_the_one_before_decided() -> None:
    done = play("probe", ["", "1", "1", "2", "2", "", "undo"], seats=["human", "human"])
    assert "This cannot be taken back: Red has decided since." in done.answer(6)


def test_the_log_forgets_what_was_taken_back(tmp_path) -> None:
    file = tmp_path / "game.log"
    play("probe", ["2", "undo", "1", "left"], log=file)
    log = read_log(file, Problems())
    assert log is not None
    assert log.keys == ("put card(1)", "put left")


@pytest.mark.parametrize("seed", range(4))
def test_a_choice_by_the_back_is_chance(seed: int) -> None:
    """In the first phase cards are taken by their backs: what was taken is known only afterwards."""
    game = game_of("agora_barcelona", 3)
    state = game.start(seed)
    assert state.decision is not None
    for option in state.options():
        assert not was_foreseeable(state, option.key, state.apply(option), state.decision.player)
