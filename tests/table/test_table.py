"""A table without anybody who shows it: its record, undo by consent, other content, kept games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from interpreter.log_reading import parse_log
from interpreter.save import load_save
from interpreter.table.history import Undo
from interpreter.table.notes import MOST_NOTES
from interpreter.table.notes import from_json as note_from_json
from interpreter.table.record import Decided, Reloaded, Undone, from_json, standing, to_json
from interpreter.table.refused import Refused
from interpreter.table.saving import keys_of, log_lines, saved_text, seats_of
from interpreter.table.seats import Seating
from interpreter.table.table import Table
from rulespec.diagnostics.model import Problems
from rulespec.source.text import SourceFile
from tests.play.table import game_of

PROBE = game_of("probe")
TIC_TAC_TOE = game_of("tic_tac_toe")


def table_of(*keys: str, kinds: Sequence[str] = ("human", "human"), game: object = TIC_TAC_TOE, seed: int = 3) -> Table:
    table = Table(game, Seating(tuple(kinds), seed))
    for key in keys:
        assert table.decider is not None
        table.decide(table.decider, key)
    return table


def _refused(reason: str, call: object, *given: object, **more: object) -> Refused:
    with pytest.raises(Refused) as refused:
        call(*given, **more)
    assert refused.value.reason == reason
    return refused.value


# ---- the record ----


def test_what_stands_follows_from_all_that_was_done() -> None:
    done = [Decided(0, "a"), Decided(1, "b"), Undone(1, 1), Decided(1, "c"), Decided(0, "d")]
    assert standing(done) == ("a", "c", "d")
    assert standing([*done, Reloaded(2)]) == ("a", "c")
    assert standing([*done, Undone(3, 0)]) == ()
    assert standing([]) == ()


def test_the_record_only_grows_and_leads_to_the_same_position() -> None:
    table = table_of("place_mark cell[0,0]", "place_mark cell[1,1]")
    table.take_back(1, 0)
    assert table.record == [Decided(0, "place_mark cell[0,0]"), Decided(1, "place_mark cell[1,1]"), Undone(1, 0)]
    assert table.revision == 3
    again = Table.of_record(TIC_TAC_TOE, table.seats, map(from_json, map(to_json, table.record)))
    assert (again.state, again.record, again.n) == (table.state, table.record, 1)


def test_of_a_record_whose_game_is_another_one_by_now_the_first_decisions_stand() -> None:
    table = table_of("place_mark cell[0,0]", "place_mark cell[1,1]")
    other = Table.of_record(
        TIC_TAC_TOE, table.seats, [*table.record, Decided(0, "place_mark cell[7,7]"), Decided(1, "x")]
    )
    assert other.state == table.state
    assert other.record[-1] == Reloaded(2)
    assert standing(other.record) == ("place_mark cell[0,0]", "place_mark cell[1,1]")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"did": "won"},
        {"did": "undone", "steps": 1},
        {"did": "reloaded", "kept": "1"},
        {"did": "reloaded", "kept": True},
        {"did": "decided", "seat": 0, "key": "a", "more": 1},
    ],
)
def test_other_data_are_no_entry(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="there is no entry"):
        from_json(data)


# ---- decisions ----


def test_only_who_decides_decides_and_only_what_is_offered() -> None:
    table = table_of("place_mark cell[0,0]")
    assert _refused("other_seat", table.decide, 0, "place_mark cell[1,1]").seat == 1
    _refused("no_option", table.decide, 1, "place_mark cell[0,0]")
    assert table.n == 1


def test_a_choice_that_was_made_looking_at_another_position_is_late() -> None:
    """Taken back and made anew, the position is the same: whoever has not seen it chooses nothing."""
    table = table_of("place_mark cell[0,0]")
    seen = table.revision
    table.take_back(1, 0)
    table.decide(0, "place_mark cell[0,0]")
    _refused("late", table.decide, 1, "place_mark cell[1,1]", seen)
    table.decide(1, "place_mark cell[1,1]", table.revision)


def test_a_game_that_is_over_takes_no_decision() -> None:
    """Cross takes the left column: the third cell ends the game."""
    table = table_of(*[f"place_mark cell[{at}]" for at in ("0,0", "1,0", "0,1", "1,1", "0,2")])
    assert table.decider is None
    _refused("over", table.decide, 0, "place_mark cell[2,2]")


def test_automatic_seats_choose_alike_in_the_same_place_of_the_same_game() -> None:
    def ended() -> Table:
        table = table_of(kinds=("random", "human"))
        while table.decider is not None:
            if table.is_automatic:
                table.play_alone()
            else:
                table.decide(1, table.state.options()[0].key)
        return table

    assert ended().record == ended().record


def test_without_people_nothing_is_kept() -> None:
    table = table_of(kinds=("random", "random"))
    while table.is_automatic:
        table.play_alone()
    assert (table.record, table.history.steps, len(table.moments)) == ([], [], 1)
    assert table.n >= 5


# ---- notes ----


def test_a_note_stands_as_long_as_its_moment_does() -> None:
    """Noted at the first and the second decision; the second is taken back, and the content is loaded anew."""
    table = table_of("place_mark cell[0,0]", "place_mark cell[1,1]")
    revision = table.revision
    for moment in (1, 2):
        assert table.pin(0, moment, "x", revision) == moment
    table.take_back(1, 1)
    assert [note.stands for note in table.notes.values()] == [True, False]
    table.decide(1, "place_mark cell[2,2]")
    _refused("late", table.pin, 0, 2, "of what is no more", revision)
    _refused("late", table.pin, 0, 3, "of what is not yet")
    assert [note.stands for note in table.notes.values()] == [True, False]
    again = Table.of_record(TIC_TAC_TOE, table.seats, [Decided(0, "no such thing")], table.notes)
    assert [note.stands for note in again.notes.values()] == [False, False]


def test_only_who_noted_takes_a_note_away_and_there_are_so_many() -> None:
    table = table_of("place_mark cell[0,0]")
    number = table.pin(1, 1, "x")
    _refused("no_note", table.unpin, 0, number)
    _refused("no_note", table.unpin, 1, number + 1)
    for _ in range(MOST_NOTES - 1):
        table.pin(1, 0, "y")
    _refused("many_notes", table.pin, 1, 0, "z")
    table.pin(0, 0, "another seat has room")
    table.unpin(1, number)
    table.pin(1, 0, "z")


def test_decisions_that_stand_keep_their_times() -> None:
    table = table_of("place_mark cell[0,0]", "place_mark cell[1,1]")
    table.thought = {0: 1.5, 1: 9.0}
    table.take_back(1, 1)
    table.decide(1, "place_mark cell[2,2]")
    assert table.seconds() == [1.5, None]


@pytest.mark.parametrize("data", [{}, {"seat": 0, "moment": 1, "text": 5, "stands": True}, {"seat": 0}])
def test_other_data_are_no_note(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="there is no note"):
        note_from_json(data)


# ---- undo ----


def test_the_own_decision_is_taken_back_alone_while_nobody_else_was_asked() -> None:
    """Red has chosen a card, and is asked where to put it."""
    table = table_of("put card(7)", game=PROBE)
    assert table.ask_undo(0) is None
    assert table.record[-1] == Undone(1, 0)
    assert table.n == 0


def test_else_all_others_agree_first() -> None:
    table = table_of("place_mark cell[0,0]")
    asked = table.ask_undo(0)
    assert asked is not None
    assert asked.wanted == {1}
    _refused("no_question", table.answer_undo, 0, agrees=True)
    assert table.answer_undo(1, agrees=True)
    assert (table.n, table.asked) == (0, None)


def test_one_who_does_not_agree_ends_the_question() -> None:
    table = table_of("place_mark cell[0,0]")
    table.ask_undo(0)
    assert not table.answer_undo(1, agrees=False)
    _refused("no_question", table.answer_undo, 1, agrees=True)
    assert table.n == 1


def test_who_was_declined_asks_again_when_the_table_has_changed() -> None:
    table = table_of("place_mark cell[0,0]")
    table.ask_undo(0)
    table.answer_undo(1, agrees=False)
    _refused("declined", table.ask_undo, 0)
    assert table.asked is None
    table.decide(1, "place_mark cell[1,1]")
    assert table.ask_undo(0) is not None


def test_whoever_asked_withdraws_and_may_ask_again() -> None:
    table = table_of("place_mark cell[0,0]")
    table.ask_undo(0)
    assert not table.answer_undo(0, agrees=False)
    assert table.asked is None
    assert table.ask_undo(0) is not None


def test_a_question_is_not_replaced_by_another_and_who_wants_the_same_agrees() -> None:
    table = Table(game_of("probe", 3), Seating(("human",) * 3, 3))
    for key in (table.state.options()[0].key, "put left", "looking decline", "rolling decline"):
        table.decide(0, key)
    table.ask_undo(0)
    table.answer_undo(1, agrees=True)
    asked = table.ask_undo(1)  # it has agreed: nothing is asked anew
    assert asked is not None
    assert (asked.by, asked.wanted) == (0, {2})
    n = table.n
    assert table.ask_undo(2) is None  # the last one who was asked
    assert table.record[-1] == Undone(n - table.n, 0)


def test_what_was_asked_for_looking_at_another_position_is_late() -> None:
    """A double click: what the first one took back is not what the second one was for."""
    table = table_of("put card(7)", "put left", game=PROBE)
    assert table.ask_undo(0, 2) is None
    assert (table.n, table.revision) == (1, 3)
    _refused("late", table.ask_undo, 0, 2)
    assert table.n == 1
    other = table_of("place_mark cell[0,0]")
    other.ask_undo(0, 1)
    _refused("late", other.answer_undo, 1, 0, agrees=True)
    assert other.answer_undo(1, 1, agrees=True)


def test_a_decision_ends_the_question_too() -> None:
    table = table_of("place_mark cell[0,0]")
    table.ask_undo(0)
    table.decide(1, "place_mark cell[1,1]")
    _refused("no_question", table.answer_undo, 1, agrees=True)


def test_with_three_both_others_agree_and_who_is_away_is_not_asked() -> None:
    three = game_of("probe", 3)
    keys = ("put card(1)", "put left", "looking decline", "rolling decline")
    table = Table(three, Seating(("human",) * 3, 3))
    hand = [option.key for option in table.state.options()]
    for key in (hand[0], *keys[1:]):
        table.decide(0, key)
    asked = table.ask_undo(0)
    assert asked is not None
    assert asked.wanted == {1, 2}
    assert not table.answer_undo(2, agrees=True)
    assert table.answer_undo(1, agrees=True)
    table.decide(0, "rolling decline")
    table.away = frozenset({1})
    asked = table.ask_undo(0)
    assert asked is not None
    assert asked.wanted == {2}


def test_nobody_takes_back_what_somebody_decided_who_is_away() -> None:
    table = table_of("place_mark cell[0,0]")
    table.away = frozenset({0})
    asked = table.ask_undo(1)
    assert asked is not None
    assert asked.wanted == {0}


def test_seats_that_are_no_persons_ask_for_nothing() -> None:
    table = table_of("place_mark cell[0,0]", kinds=("human", "random"))
    _refused("spectator", table.ask_undo, 1)
    _refused("spectator", table.ask_undo, -1)
    _refused("nothing", table_of().ask_undo, 0)


def test_what_chance_has_shown_stands() -> None:
    """Red has looked at the top of the deck."""
    table = table_of("put card(1)", "put left", "looking accept", game=PROBE)
    _refused("chance", table.ask_undo, 0)
    assert table.undo_for(0) == Undo(reason="chance")


# ---- other content ----


def test_with_other_content_the_decisions_are_made_again_and_new_seats_play_at_random() -> None:
    table = table_of("put card(1)", "put left", game=PROBE)
    assert table.reload(game_of("probe", 3)) == 2
    assert table.seats.kinds == ("human", "human", "random")
    assert standing(table.record) == ("put card(1)", "put left")
    assert table.reload(TIC_TAC_TOE) == 0  # which has no cards to put
    assert table.seats.kinds == ("human", "human")
    assert standing(table.record) == ()
    assert table.record[-2:] == [Reloaded(2), Reloaded(0)]


# ---- kept games ----


def test_a_table_is_kept_as_a_save_and_gone_on_with(tmp_path: Path) -> None:
    table = table_of("put card(7)", "put left", game=PROBE)
    file = tmp_path / "game.save"
    file.write_text(saved_text(table), encoding="utf-8")
    problems = Problems()
    saved = load_save(file, problems, str(PROBE.source.folder))
    assert saved is not None, problems.items
    other = table_of(game=PROBE, kinds=("random", "random"), seed=5)
    assert other.resume(saved.game, seats_of(saved, other.seats.kinds), keys_of(saved)) == 2
    assert other.seats == table.seats
    assert other.state.digest() == table.state.digest()
    assert other.record == table.record


def test_its_log_is_read_as_any_other() -> None:
    table = table_of("place_mark cell[0,0]", "place_mark cell[1,1]")
    table.take_back(1, 0)
    text = saved_text(table).rpartition('{"save"')[0]
    log = parse_log(SourceFile.of("log", text), Problems(), ended=False)
    assert log is not None
    assert log.keys == ("place_mark cell[0,0]",)
    assert [line["n"] for line in log_lines(table) if "n" in line] == [1]
