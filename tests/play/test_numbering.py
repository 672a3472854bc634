"""Numbers of options stay with them: whoever types one number three times chooses one thing, or none."""

from __future__ import annotations

import pytest

from interpreter.play.numbering import Numbering
from tests.play.table import play

ASKED = "red sow"


def _numbers(numbering: Numbering, turn: int, letters: str) -> tuple[int, ...]:
    return numbering.numbers(ASKED, turn, tuple(letters), tuple(f"house {x}" for x in letters))


def test_an_option_keeps_its_number_and_new_ones_get_new_numbers() -> None:
    numbering = Numbering()
    assert _numbers(numbering, 1, "abcd") == (1, 2, 3, 4)
    assert _numbers(numbering, 1, "acd") == (1, 3, 4)
    assert _numbers(numbering, 1, "aecd") == (1, 5, 3, 4)
    assert _numbers(numbering, 1, "abecd") == (1, 2, 5, 3, 4)


def test_a_number_that_is_gone_says_what_it_was() -> None:
    numbering = Numbering()
    _numbers(numbering, 1, "abcd")
    _numbers(numbering, 1, "acd")
    assert numbering.gone(ASKED, 2) == "house b"
    assert numbering.gone(ASKED, 5) is None
    assert numbering.gone("green sow", 2) is None


def test_within_a_turn_numbers_are_never_given_anew() -> None:
    numbering = Numbering()
    assert _numbers(numbering, 1, "abcd") == (1, 2, 3, 4)
    assert _numbers(numbering, 1, "xy") == (5, 6)


def test_in_another_turn_what_is_all_new_is_counted_from_1() -> None:
    numbering = Numbering()
    assert _numbers(numbering, 1, "abcd") == (1, 2, 3, 4)
    assert _numbers(numbering, 2, "xy") == (1, 2)


def test_what_stays_keeps_its_number_into_another_turn() -> None:
    numbering = Numbering()
    assert _numbers(numbering, 1, "abcd") == (1, 2, 3, 4)
    assert _numbers(numbering, 2, "acd") == (1, 3, 4)


def test_numbers_do_not_grow_without_bound() -> None:
    """Two options, one of them new each turn: up to 2 · 2 + 8 numbers, then from 1 on again."""
    numbering = Numbering()
    letters = "abcdefghijklmnopqrstuvwxyz"
    highest = [max(_numbers(numbering, turn, letters[turn : turn + 2])) for turn in range(20)]
    assert highest == [*range(2, 13), *range(2, 11)]


@pytest.mark.parametrize("language", ["en", "fr", "ja", "es"])
def test_a_house_that_is_empty_is_not_another_one(language: str) -> None:
    """`4` three times: the fourth house is sown once, and never one of the others."""
    done = play("pits", ["4", "4", "4"], seats=["human", "human"], language=language)
    assert [step.key for step in done.session.history.steps] == ["sow pit[red,4]"]
    assert {"en": "4 was", "fr": "4 était", "ja": "4番は", "es": "4 era"}[language] in done.answer(1)


def test_a_number_that_no_option_ever_had() -> None:
    done = play("pits", ["4", "7", "0"], seats=["human", "human"])
    assert "No option has the number 7." in done.answer(1)
    assert "No option has the number 0." in done.answer(2)


def test_what_comes_back_has_the_number_that_it_had() -> None:
    done = play("pits", ["4", "undo", "4", "5"], seats=["human", "human"])
    assert [step.key for step in done.session.history.steps] == ["sow pit[red,4]", "sow pit[red,5]"]


def test_why_goes_by_the_numbers_that_are_shown() -> None:
    done = play("pits", ["2", "why 3"], seats=["human", "human"])
    assert "3 of Red is offered" in done.answer(1)


def test_numbers_on_the_board_are_those_of_the_list() -> None:
    """Nought's eight cells are 1 to 8; Cross has numbered nine, of which 5 and 9 are gone."""
    done = play("tic_tac_toe", ["5", "8", "9"], seats=["human", "human"])
    assert "│ 2 │ X │ 7 │\n" in done.answer(0)
    assert "│ 3 │ 6 │ O │\n" in done.answer(1)
    assert '9 was "column 3, row 3", which is not offered now.' in done.answer(2)
