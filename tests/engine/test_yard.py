"""Handling pieces, failing behind a horizon, the counted cap of a look-ahead, and equal positions."""

from __future__ import annotations

import itertools

import pytest

from interpreter import IllegalOption
from tests.engine.small import cell, keys, play, small, zone


def test_a_stack_takes_pieces_at_both_ends() -> None:
    """1, then 2 on top, then 3 underneath, then 4 on top with its light face."""
    state = small("yard", task="stacking").start(1)
    assert zone(state, "tower") == ["disc(3)", "disc(1)", "disc(2)", "disc(4,light)"]


@pytest.mark.parametrize(
    ("chosen", "tower", "well"),
    [
        ("disc(3)", ["disc(1)"], ["disc(4,light)", "disc(2)"]),
        ("disc(1)", ["disc(3)"], ["disc(4,light)", "disc(2)"]),
        ("disc(2)", ["disc(3)"], ["disc(4,light)", "disc(1)"]),
        ("disc(4,light)", ["disc(3)"], ["disc(2)", "disc(1)"]),
    ],
)
def test_a_piece_out_of_the_middle_leaves_the_others_in_order(chosen: str, tower: list[str], well: list[str]) -> None:
    """Then two from the top go to the well, one after the other, so that they lie there the other way round."""
    state = play(small("yard", task="stacking").start(1), f"d {chosen}")
    assert (zone(state, "tower"), zone(state, "well"), zone(state, "heap")) == (tower, well, [chosen])


def test_pieces_are_turned_where_they_lie() -> None:
    """All to light, in a stack, a pool and a slot; then the top of the stack (2) back to dark, the first face."""
    state = small("yard", task="turning").start(1)
    assert zone(state, "tower") == ["disc(1,light)", "disc(2)"]
    assert zone(state, "heap") == ["disc(3,light)"]
    assert zone(state, "spot.disc", "spot[2]") == ["disc(4,light)"]


def test_a_full_place_takes_no_more() -> None:
    """Two fit. After two, nothing at all can be moved there, and the other way is gone."""
    start = small("yard", task="crowding").start(1)
    assert keys(start) == ["crowd 1", "crowd 2"]
    with pytest.raises(IllegalOption) as refused:
        start.option("crowd 3")
    assert refused.value.refusal.reason == "completion"
    assert keys(play(start, "crowd 1")) == ["crowd 1"]
    full = play(start, "crowd 2")
    assert full.decision is None
    assert cell(full, "tally") == 9
    assert len(zone(full, "pair")) == 2


def test_what_fails_behind_a_horizon_stays_done() -> None:
    """Three discs are drawn one by one; before the first disc is there, each draw fails after it has happened.

    The steps are counted three times and the draws are made; the tally tells when 1 came: at the third, second or
    first draw. The other way of `try` is not for this.
    """
    tallies = []
    for seed in range(40):
        state = small("yard", task="blind").start(seed)
        assert state.decision is None
        assert cell(state, "steps") == 3
        assert zone(state, "heap") == ["disc(1)", "disc(2)", "disc(3)"]
        assert zone(state, "well") == []
        tallies.append(cell(state, "tally"))
    assert set(tallies) == {1, 2, 3}


def test_a_look_ahead_goes_through_all_choices() -> None:
    """Four digits whose sum must be 36: nines only."""
    state = small("yard", task="deep").start(1)
    for _ in range(4):
        assert len(keys(state)) == 1
        assert keys(state)[0].endswith(" 9")
        state = state.apply(state.options()[0])
    assert state.decision is None


def test_a_look_ahead_is_capped_and_then_offers() -> None:
    """Five digits whose sum would have to be 46: there is no way.

    To see that costs 10 + 100 + 1,000 + 10,000 answers for each first digit. Of the 20,000 of one decision, 0 takes
    11,110 and is refused; at 1 they are used up, and all that is left is offered. Whoever takes 1 has 1,110 answers
    for each second digit, 11,100 for all ten: none is left, and play goes on behind the unit.
    """
    state = small("yard", task="wide").start(1)
    assert keys(state) == [f"wide {digit}" for digit in range(1, 10)]
    assert play(state, "wide 1").decision is None


def test_equal_positions_are_equal_whatever_the_order() -> None:
    """Discs 1 and 2 on spots 0 and 1, in both orders, with and without an extra: one state, one hash, one digest."""
    start = small("yard", task="orders").start(1)
    first = ("spot spot[0]", "disc disc(1)")
    second = ("spot spot[1]", "disc disc(2)")
    states = []
    for order in itertools.permutations((first, second)):
        extras = (("may decline",), ("may accept", "extra 1"), ("may accept", "extra 2"))
        states += [play(start, *order[0], *extra, *order[1], "may decline") for extra in extras]
    assert all(state == states[0] for state in states)
    assert len({state.digest() for state in states}) == 1
    assert len(set(states)) == 1
    assert len({state.to_bytes() for state in states}) == 1


def test_other_positions_are_not_equal() -> None:
    start = small("yard", task="orders").start(1)
    one = play(start, "spot spot[0]", "disc disc(1)", "may decline")
    other = play(start, "spot spot[0]", "disc disc(2)", "may decline")
    assert one != other
    assert one.digest() != other.digest()


@pytest.mark.parametrize("players", [2])
def test_transpositions_of_a_shipped_game_are_equal(players: int) -> None:
    """Four cells marked in another order by the same two players: the same position."""
    from interpreter import load

    start = load("tic_tac_toe", players=players).start(1)
    moves = {0: ("cell[0,0]", "cell[1,1]"), 1: ("cell[0,1]", "cell[2,2]")}
    found = []
    for a in itertools.permutations(moves[0]):
        for b in itertools.permutations(moves[1]):
            keys_ = [f"place_mark {cell_}" for pair in zip(a, b, strict=True) for cell_ in pair]
            found.append(play(start, *keys_))
    assert len(found) == 4
    assert len(set(found)) == 1
    assert len({state.digest() for state in found}) == 1
