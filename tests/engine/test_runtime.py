"""The operations that generated code calls, the layout in bytes, and what chance does to pieces."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import rng
from interpreter.executor import chance, runtime
from interpreter.middle.events import Events
from interpreter.middle.faults import Overwork
from interpreter.middle.layout import PIECES, Room, from_bytes, to_bytes, width_for
from interpreter.middle.pieces import Pieces, copy_cells

CODES, DEPTH = 5, 4
SLOT, POOL, STACK, FULL = 0, 1, 2, 3
#: a slot, a pool of three codes for five pieces, a stack of four, a pool for one piece
PLACES = [("slot", 0, 1, 1, 3), ("pool", 1, 3, 5, 3), ("stack", 4, 5, 4, 3), ("pool", 9, 3, 1, 3)]


def _piece(place: int, code: int, position: int = 0) -> int:
    return (place * DEPTH + position) * CODES + code


@pytest.fixture
def handling() -> Pieces:
    return Pieces(PLACES, CODES, DEPTH)


@pytest.fixture
def cells(handling: Pieces) -> list[Any]:
    """A state with empty places and one stream of chance, in cell 2."""
    return [0, bytearray(12), rng.start(rng.seed_stream(1, "test"), rng.increment("test"))]


STREAM = (2, rng.increment("test"))

# ---- sets, numbers, lists --------------------------------------------------------------------------------------------


def test_bits_are_members_in_order() -> None:
    assert runtime.bits(0) == []
    assert runtime.bits(0b101001) == [0, 3, 5]
    assert runtime.bits(1 << 200) == [200]


@pytest.mark.parametrize(("a", "b", "quotient", "rest"), [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (5, 0, 0, 0)])
def test_division_rounds_down_and_by_zero_gives_zero(a: int, b: int, quotient: int, rest: int) -> None:
    assert (runtime.divide(a, b), runtime.remainder(a, b)) == (quotient, rest)


def test_the_longest_stretch_is_the_first_of_equals() -> None:
    kept = [True, True, False, True, True, False, True]
    assert runtime.longest(range(10, 17), kept) == (10, 11)
    assert runtime.longest([1, 2], [False, False]) == ()
    assert runtime.longest([], []) == ()


def test_a_stretch_goes_both_ways_from_its_member() -> None:
    kept = [True, False, True, True, True, False]
    assert runtime.stretch(range(6), kept, 3) == (2, 3, 4)
    assert runtime.stretch(range(6), kept, 1) == ()
    assert runtime.stretch(range(6), kept, 9) == ()


def test_reach_takes_the_cheapest_way() -> None:
    """0 to 1 costs 5, but over 2 and 3 only 1 + 1 + 1; nothing leads to 4."""
    ways = {0: [1, 2], 1: [], 2: [3], 3: [1], 4: []}
    price = {0: 0, 1: 5, 2: 1, 3: 1, 4: 0}
    assert runtime.reach(0, 7, lambda s: ways[s], lambda s: price[s]) == 0b1110
    assert runtime.reach(0, 2, lambda s: ways[s], lambda s: price[s]) == 0b1100
    assert runtime.reach(0, 0, lambda s: ways[s], lambda s: price[s]) == 0
    assert runtime.reach(-1, 5, lambda s: ways[s], lambda s: price[s]) == 0


@given(st.integers(1, 6), st.data())
def test_reach_agrees_with_trying_all_ways(size: int, data: st.DataObject) -> None:
    ways = [data.draw(st.lists(st.integers(0, size - 1), max_size=size, unique=True)) for _ in range(size)]
    price = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    within = data.draw(st.integers(0, 6))
    best = {0: 0}
    for _ in range(size):  # as many rounds as there are members settle every cheapest way
        for at, spent in list(best.items()):
            for to in ways[at]:
                best[to] = min(best.get(to, 99), spent + price[to])
    expected = sum(1 << member for member, spent in best.items() if member != 0 and spent <= within)
    assert runtime.reach(0, within, lambda s: ways[s], lambda s: price[s]) == expected


def test_drop_takes_one_away() -> None:
    assert runtime.drop((3, 1, 3), 3) == (1, 3)
    assert runtime.drop((3, 1), 2) == (3, 1)
    lying = (_piece(STACK, 1, 0), _piece(STACK, 1, 1), _piece(STACK, 2, 2))
    assert runtime.drop_piece(lying, _piece(STACK, 1, 1), CODES) == (lying[0], lying[2])
    assert runtime.drop_piece(lying, _piece(SLOT, 2), CODES) == lying[:2]
    assert runtime.drop_piece(lying, _piece(SLOT, 0), CODES) == lying


# ---- pieces ----------------------------------------------------------------------------------------------------------


def test_pieces_lie_as_their_place_has_it(handling: Pieces, cells: list[Any]) -> None:
    for place, codes in ((SLOT, [2]), (POOL, [1, 0, 1]), (STACK, [1, 0, 1])):
        for code in codes:
            handling.put(cells, place, code)
    assert handling.content(cells, SLOT) == [2]
    assert handling.content(cells, POOL) == [0, 1, 1]
    assert handling.content(cells, STACK) == [1, 0, 1]
    assert handling.refs(cells, STACK) == [_piece(STACK, 1, 0), _piece(STACK, 0, 1), _piece(STACK, 1, 2)]
    assert handling.refs(cells, POOL) == [_piece(POOL, 0), _piece(POOL, 1), _piece(POOL, 1)]
    assert handling.held(cells, _piece(POOL, 1)) == handling.held(cells, _piece(STACK, 1)) == 2
    assert not handling.room(cells, SLOT)
    assert handling.room(cells, STACK)


def test_a_piece_goes_under_a_stack(handling: Pieces, cells: list[Any]) -> None:
    handling.put(cells, STACK, 0)
    handling.put(cells, STACK, 1)
    handling.put(cells, STACK, 2, bottom=True)
    assert handling.content(cells, STACK) == [2, 0, 1]


def test_taking_gives_the_code_or_nothing(handling: Pieces, cells: list[Any]) -> None:
    handling.set_content(cells, STACK, [1, 0, 2, 0])
    assert handling.take(cells, _piece(STACK, 0, 3)) == 0
    assert handling.content(cells, STACK) == [1, 0, 2]
    assert handling.take(cells, _piece(STACK, 2, 0)) == 2, "one like it, where it has moved to"
    assert handling.take(cells, _piece(STACK, 2, 0)) == -1
    assert handling.take(cells, _piece(SLOT, 0)) == -1
    assert handling.take(cells, _piece(POOL, 0)) == -1
    assert handling.take(cells, -1) == -1
    assert handling.take(cells, _piece(STACK, 4)) == -1, "a back is no piece"


@given(st.lists(st.integers(0, 2), min_size=1, max_size=4), st.data())
def test_taking_out_of_a_stack_keeps_the_order_of_the_others(codes: list[int], data: st.DataObject) -> None:
    handling, cells = Pieces(PLACES, CODES, DEPTH), [0, bytearray(12), 0]
    handling.set_content(cells, STACK, codes)
    at = data.draw(st.integers(0, len(codes) - 1))
    assert handling.take(cells, _piece(STACK, codes[at], at)) == codes[at]
    assert handling.content(cells, STACK) == codes[:at] + codes[at + 1 :]
    assert not any(cells[PIECES][4 + len(codes) :]), "nothing is left behind"


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.permutations(range(4)), st.integers(0, 4))
def test_a_list_out_of_a_stack_moves_the_pieces_that_were_meant(codes: list[int], order: list[int], n: int) -> None:
    """Though positions shift while the list is moved."""
    handling, cells = Pieces(PLACES, CODES, DEPTH), [0, bytearray(12), 0]
    handling.set_content(cells, STACK, codes)
    chosen = order[:n]
    moved = handling.move_list(cells, [_piece(STACK, codes[i], i) for i in chosen], POOL, lambda k: k, bottom=False)
    assert moved == n
    assert handling.content(cells, STACK) == [code for i, code in enumerate(codes) if i not in chosen]
    assert Counter(handling.content(cells, POOL)) == Counter(codes[i] for i in chosen)


def test_a_list_that_does_not_fit_or_is_not_there(handling: Pieces, cells: list[Any]) -> None:
    handling.set_content(cells, POOL, [0, 1])
    pieces = [_piece(POOL, 0), _piece(POOL, 1)]
    assert handling.move_list(cells, pieces, FULL, lambda k: k, bottom=False) == -1
    handling.set_content(cells, POOL, [0])
    assert handling.move_list(cells, [_piece(POOL, 2)], STACK, lambda k: k, bottom=False) == -1


def test_pieces_are_turned_where_they_lie(handling: Pieces, cells: list[Any]) -> None:
    handling.set_content(cells, STACK, [0, 2, 0])
    assert chance.flip_pieces(handling, cells, [_piece(STACK, 0, 2)], lambda k: k + 1)
    assert handling.content(cells, STACK) == [0, 2, 1]
    assert not chance.flip_pieces(handling, cells, [_piece(SLOT, 0)], lambda k: k)
    assert not chance.flip_pieces(handling, cells, [-1], lambda k: k)


def test_a_copy_has_pieces_of_its_own(handling: Pieces, cells: list[Any]) -> None:
    other = copy_cells(cells)
    handling.put(other, SLOT, 1)
    assert handling.content(cells, SLOT) == []
    assert handling.content(other, SLOT) == [1]


# ---- chance ----------------------------------------------------------------------------------------------------------


def test_draws_go_on_where_the_last_one_ended(cells: list[Any]) -> None:
    first = [chance.below(cells, STREAM, 6) for _ in range(50)]
    again = [0, bytearray(12), rng.start(rng.seed_stream(1, "test"), rng.increment("test"))]
    assert [chance.below(again, STREAM, 6) for _ in range(50)] == first
    assert set(first) == set(range(6))


def test_a_shuffle_gives_every_order(handling: Pieces, cells: list[Any]) -> None:
    """Six orders of three pieces in 600 shuffles: a hundred each, four standard deviations are 37."""
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(600):
        handling.set_content(cells, STACK, [0, 1, 2])
        chance.shuffle_stack(handling, cells, STACK, STREAM)
        found[tuple(handling.content(cells, STACK))] += 1
    assert len(found) == 6
    assert all(abs(count - 100) < 37 for count in found.values())


def test_a_draw_comes_from_the_top_of_a_stack(handling: Pieces, cells: list[Any]) -> None:
    handling.set_content(cells, STACK, [0, 1, 2])
    before = cells[2]
    assert chance.draw(handling, cells, 2, (STACK, POOL, -1), STREAM) == [2, 1]
    assert handling.content(cells, STACK) == [0]
    assert cells[2] == before, "nothing was left to chance"


def test_a_draw_out_of_a_pool_is_even(handling: Pieces, cells: list[Any]) -> None:
    """Of two, one and one: the first comes half of the time, in 400 draws 200 times, four deviations are 40."""
    found: Counter[int] = Counter()
    for _ in range(400):
        handling.set_content(cells, STACK, [])
        handling.set_content(cells, POOL, [0, 0, 1, 2])
        found.update(chance.draw(handling, cells, 1, (POOL, STACK, -1), STREAM))
    assert abs(found[0] - 200) < 40
    assert found[1] > 60
    assert found[2] > 60


def test_a_draw_takes_what_there_is_and_what_fits(handling: Pieces, cells: list[Any]) -> None:
    handling.set_content(cells, STACK, [0, 1])
    assert chance.draw(handling, cells, 5, (STACK, POOL, -1), STREAM) == [1, 0]
    assert chance.draw(handling, cells, 5, (POOL, FULL, -1), STREAM) in ([0], [1])
    assert len(handling.content(cells, POOL)) == 1
    assert chance.draw(handling, cells, -3, (POOL, STACK, -1), STREAM) == []


def test_an_empty_source_is_renewed_only_when_a_piece_is_missing(handling: Pieces, cells: list[Any]) -> None:
    handling.set_content(cells, STACK, [0])
    handling.set_content(cells, POOL, [1, 2, 2])
    assert chance.draw(handling, cells, 1, (STACK, SLOT, POOL), STREAM) == [0]
    assert handling.content(cells, POOL) == [1, 2, 2], "nothing was missing"
    handling.set_content(cells, SLOT, [])
    drawn = chance.draw(handling, cells, 1, (STACK, SLOT, POOL), STREAM)
    assert handling.content(cells, POOL) == []
    assert Counter([*drawn, *handling.content(cells, STACK)]) == Counter([1, 2, 2])


def test_one_of_those_that_look_alike_is_picked(handling: Pieces, cells: list[Any]) -> None:
    """Codes 0 and 1 have the back 3, code 2 has 4."""
    unseen = (3, 3, 4)
    handling.set_content(cells, POOL, [0, 1, 2])
    picked = {chance.pick_unseen(handling, cells, _piece(POOL, 3), unseen, STREAM) for _ in range(60)}
    assert picked == {_piece(POOL, 0), _piece(POOL, 1)}
    assert chance.pick_unseen(handling, cells, _piece(POOL, 4), unseen, STREAM) == _piece(POOL, 2)
    handling.set_content(cells, POOL, [0])
    assert chance.pick_unseen(handling, cells, _piece(POOL, 4), unseen, STREAM) == -1


# ---- bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "width", "signed"),
    [
        (0, 0, 1, False), (0, 255, 1, False), (0, 256, 2, False), (-1, 127, 1, True), (-1, 128, 2, True),
        (-129, 0, 2, True), (0, 1 << 31, 4, False), (0, (1 << 64) - 1, 8, False), (-1, 1 << 31, 8, True),
    ],
)  # fmt: skip
def test_the_fewest_bytes_that_hold_a_range(low: int, high: int, width: int, signed: bool) -> None:
    room = width_for(low, high)
    assert (room.width, room.signed) == (width, signed)
    assert from_bytes(to_bytes([low, high], (room, room)), (room, room)) == [low, high]


ROOMS = (
    Room(2),
    Room(1, pieces=3),
    Room(1, signed=True),
    Room(2, signed=True, most=3),
    Room(1, signed=True, most=2, parts=2, records=True),
    Room(1, signed=True, most=2, parts=1, records=True),
)


@given(
    st.integers(0, 65535),
    st.binary(min_size=3, max_size=3),
    st.integers(-128, 127),
    st.lists(st.integers(-32768, 32767), max_size=3),
    st.lists(st.tuples(st.integers(-128, 127), st.integers(-128, 127)), max_size=2),
    st.lists(st.tuples(st.integers(-128, 127)), max_size=2),
)
def test_cells_as_bytes_and_back(
    number: int, pieces: bytes, small: int, items: list[int], records: list[Any], singles: list[Any]
) -> None:
    """Always 2 + 3 + 1 + (2 + 6) + (2 + 4) + (2 + 2) bytes; a record of one field stays a record."""
    cells = [number, bytearray(pieces), small, tuple(items), tuple(records), tuple(singles)]
    data = to_bytes(cells, ROOMS)
    assert len(data) == 24
    assert from_bytes(data, ROOMS) == cells


def test_bytes_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="24 bytes, not 3"):
        from_bytes(b"abc", ROOMS)


# ---- events ----------------------------------------------------------------------------------------------------------


def test_no_more_events_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.middle.events.MOST_EVENTS", 2)
    events = Events()
    events.append(("log", 7))
    events.append(("log", 8))
    with pytest.raises(Overwork) as caught:
        events.append(("log", 9))
    assert (len(events), caught.value.at) == (2, 9)
