"""The nearest good name."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.nearest import did_you_mean, distance, near_to, nearest

NAMES = ["hand_size", "rounds", "site", "street", "crossing", "coins", "cloth", "player_count"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("hand_sizes", "hand_size"),
        ("handSize", "hand_size"),
        ("handsize", "hand_size"),
        ("round", "rounds"),
        ("sites", "site"),
        ("stie", "site"),  # two letters swapped
        ("sreet", "street"),
        ("streeet", "street"),
        ("crosings", "crossing"),
        ("COINS", "coins"),
        ("player_cuont", "player_count"),
        ("cards", None),
        ("x", None),
        ("", None),
        ("something_else_entirely", None),
    ],
)
def test_the_name_that_was_meant(name: str, found: str | None) -> None:
    assert nearest(name, NAMES) == found


def test_a_name_is_not_its_own_mend() -> None:
    assert nearest("coins", ["coins"]) is None


def test_a_number_is_no_mistyped_name() -> None:
    assert nearest("9", ["1", "2", "3"]) is None
    assert nearest("13", ["12", "14"]) is None


def test_ties_go_to_the_same_beginning_and_then_to_the_first() -> None:
    assert nearest("bat", ["cat", "bad", "bar"]) == "bad"
    assert nearest("bat", ["rat", "cat"]) == "rat"


def test_a_form_is_nearer_than_a_letter() -> None:
    assert nearest("tile", ["file", "tiles"]) == "tiles"


@pytest.mark.parametrize(
    ("left", "right", "slips"), [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xyz", 3)]
)
def test_distance(left: str, right: str, slips: int) -> None:
    assert distance(left, right) == distance(right, left) == slips


def test_the_hint() -> None:
    assert did_you_mean("coinz", NAMES) == "Did you mean `coins`?"
    assert did_you_mean("zebra", NAMES) is None


def test_long_names_are_not_compared() -> None:
    assert nearest("a" * 5000, ["b" * 5000] * 1000) is None
    assert nearest("a" * 50, ["b" * 5000] * 1000) is None


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("coinz", "coins"),
        ("sreet", "street"),
        ("hand_sise", "hand_size"),
        ("palyer_count", "player_count"),
        ("handSize", "hand_size"),
        ("handsize", "hand_size"),
        ("player.conis", "player.coins"),
        ("row_of_card_12", "row_of_cards_12"),
    ],
)
def test_a_slip_is_certain(written: str, name: str) -> None:
    found = near_to(written, [name, "something_else"])
    assert found is not None
    assert (found.name, found.is_certain) == (name, True)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("x", "y"),
        ("p1", "p2"),
        ("cat", "bat"),
        ("row_1", "row_2"),
        ("phase_3", "phase_1"),
        ("players_12", "players_1_2"),
        ("max_row", "min_row"),
        ("cat_in_row", "bat_in_row"),
        ("corner_x", "corner_y"),
        ("corner.x", "corner.y"),
        ("hand_sisse", "hand_size"),
        ("row_3.coinz", "row_2.coins"),
    ],
)
def test_a_name_that_may_be_another_one_is_only_offered(written: str, name: str) -> None:
    found = near_to(written, [name, "something_else"])
    assert found is not None
    assert (found.name, found.is_certain) == (name, False)
