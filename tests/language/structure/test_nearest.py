"""The nearest good name: found for slips of typing, not for other words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.diagnostics.nearest import distance, nearest

WORDS = st.text(alphabet="abc_", max_size=8)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("shufle", "shuffle"),  # a letter missing
        ("shuffles", "shuffle"),  # one too many
        ("shuffke", "shuffle"),  # a wrong one
        ("shfufle", "shuffle"),  # two swapped
        ("upto", "up_to"),
        ("hold", "holds"),
        ("x", None),
        ("somewhere", None),
        ("shuffle", None),  # it is there: nothing else is meant
    ],
)
def test_slips_of_typing(word: str, found: str | None) -> None:
    assert nearest(word, ["choose", "shuffle", "up_to", "holds"]) == found


def test_of_equal_slips_the_one_that_begins_alike() -> None:
    assert nearest("movee", ["lovee", "moved"]) == "moved"


def test_swapped_letters_are_one_slip() -> None:
    assert distance("form", "from") == 1


@given(WORDS, WORDS)
def test_distance_is_the_same_both_ways(left: str, right: str) -> None:
    assert distance(left, right) == distance(right, left)


@given(WORDS, WORDS)
def test_distance_is_nothing_only_between_equals(left: str, right: str) -> None:
    assert (distance(left, right) == 0) == (left == right)


@given(WORDS, WORDS)
def test_distance_is_between_the_lengths(left: str, right: str) -> None:
    assert abs(len(left) - len(right)) <= distance(left, right) <= max(len(left), len(right))


def test_very_long_words_are_not_compared() -> None:
    """They differ in one letter, and are too long to be a slip of the pen: comparing them would take for ever."""
    assert nearest("a" * 100_000, ["a" * 99_999] * 10) is None
