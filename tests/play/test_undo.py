"""Undo goes back as far as everything could be foreseen, and never takes back what somebody else has decided."""

from __future__ import annotations

import pytest

from interpreter.log_reading import read_log
from interpreter.table.undo_policy import was_foreseeable
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
    together = history.undo_for(0, together=frozenset({0, 1}))
    assert (together.steps, together.seat) == (1, 1)


def test_what_the_person_before_decided_is_taken_back_if_all_agree() -> None:
    """Red has put a card and declined twice; Green, who is asked now, has Red's last decision taken back."""
    typed = ["", "1", "1", "2", "2", "", "undo"]
    asked = play("probe", typed, seats=["human", "human"])
    assert asked.answer(6).startswith("Take back the last decision of Red? Do all agree (Green)? [yes/no] ")
    agreed = play("probe", [*typed, "yes", ""], seats=["human", "human"])
    assert "One decision taken back." in agreed.answer(7)
    assert "The others look away: Red decides." in agreed.answer(7)  # Green's hand is no longer to be seen
    assert [step.key for step in agreed.session.history.steps] == ["put card(1)", "put left", "looking decline"]
    refused = play("probe", [*typed, "no"], seats=["human", "human"])
    assert "Nothing is taken back." in refused.answer(7)
    assert len(refused.session.history.steps) == 4


def test_each_undo_takes_back_one_decision_whoever_made_it() -> None:
    done = play("tic_tac_toe", ["1", "2", "undo", "y", "undo", "y"], seats=["human", "human"])
    assert "Take back the last decision of Nought?" in done.answer(2)
    assert "Take back the last decision of Cross?" in done.answer(4)
    assert done.session.history.steps == []


def test_of_a_turn_with_two_decisions_the_last_one_is_taken_back() -> None:
    done = play("pits", ["1", "2", "undo", "yes"], seats=["human", "human"])
    assert [step.key for step in done.session.history.steps] == ["sow pit[red,1]"]


def test_chance_is_taken_back_by_nobody() -> None:
    """Red has looked at the top of the deck: no agreement makes it unseen."""
    done = play("probe", ["", "1", "1", "1", "undo"], seats=["human", "human"])
    assert CHANCE in done.answer(4)


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
