"""What the reference does with pieces and chance, and states in bytes."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import rng
from interpreter.middle.layout import Room, from_bytes, to_bytes, width_for
from interpreter.reference import chance, pieces
from interpreter.reference.definition import Kind, Place
from interpreter.reference.events import Events
from interpreter.reference.faults import Fails, Fault
from interpreter.reference.position import Position

#: nobody remembers what lies there: a slot, a pool for five pieces, a stack of four, a pool for one piece; codes 0 and
#: 1 have the back 3, code 2 has 4
SLOT, POOL, STACK, FULL = 0, 1, 2, 3
CODES, DEPTH = 5, 4
KIND = Kind("token", 3, 1, (3, 3, 4, 3, 4))
PLACES = tuple(
    Place(number, zone, 0, shape, capacity, True, KIND, 0, 0, 0, front_on_top=False, memory=0, rowless=0)
    for number, (zone, shape, capacity) in enumerate(
        [("one", "slot", 1), ("bag", "pool", 5), ("heap", "stack", 4), ("full", "pool", 1)]
    )
)


def _piece(place: int, code: int, position: int = 0) -> int:
    return (place * DEPTH + position) * CODES + code


@pytest.fixture
def p() -> Position:
    """A position with empty places and one stream of chance."""
    return position()


def position(**content: list[int]) -> Position:
    found = Position(SimpleNamespace(codes=CODES, depth=DEPTH, places=PLACES))  # type: ignore[arg-type]
    found.zones = [tuple(content.get(place.zone, ())) for place in PLACES]
    found.known = [() for _ in PLACES]
    found.streams = {"test": rng.start(rng.seed_stream(1, "test"), rng.increment("test"))}
    return found


# ---- pieces ----------------------------------------------------------------------------------------------------------


def test_pieces_lie_as_their_place_has_it(p: Position) -> None:
    for place, codes in ((SLOT, [2]), (POOL, [1, 0, 1]), (STACK, [1, 0, 1])):
        for code in codes:
            pieces.put(p, place, code)
    assert p.zones[:3] == [(2,), (0, 1, 1), (1, 0, 1)]
    assert p.pieces_at(STACK) == [_piece(STACK, 1, 0), _piece(STACK, 0, 1), _piece(STACK, 1, 2)]
    assert p.pieces_at(POOL) == [_piece(POOL, 0), _piece(POOL, 1), _piece(POOL, 1)]
    assert pieces.alike(p, _piece(POOL, 1)) == pieces.alike(p, _piece(STACK, 1)) == 2
    assert not pieces.has_room(p, SLOT)
    assert pieces.has_room(p, STACK)


def test_a_piece_goes_under_a_stack(p: Position) -> None:
    pieces.put(p, STACK, 0)
    pieces.put(p, STACK, 1)
    pieces.put(p, STACK, 2, bottom=True)
    assert p.zones[STACK] == (2, 0, 1)


def test_a_piece_is_found_where_it_is_or_the_nearest_one_like_it() -> None:
    p = position(heap=[1, 0, 2, 0])
    assert pieces.find(p, _piece(STACK, 0, 3)) == (STACK, 3)
    assert pieces.find(p, _piece(STACK, 2, 0)) == (STACK, 2)
    for missing in (_piece(SLOT, 0), _piece(POOL, 0), -1, _piece(STACK, 4)):  # the last one is a back, and no piece
        with pytest.raises(Fails):
            pieces.find(p, missing)


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.permutations(range(4)), st.integers(0, 4))
def test_a_list_out_of_a_stack_moves_the_pieces_that_were_meant(codes: list[int], order: list[int], n: int) -> None:
    """Though positions shift while the list is moved."""
    p, chosen = position(heap=codes), order[:n]
    pieces.move_pieces(p, [_piece(STACK, codes[i], i) for i in chosen], POOL, lambda k: k, bottom=False)
    assert p.zones[STACK] == tuple(code for i, code in enumerate(codes) if i not in chosen)
    assert p.zones[POOL] == tuple(sorted(codes[i] for i in chosen))


def test_a_list_that_does_not_fit_or_is_not_there_moves_nothing() -> None:
    p = position(bag=[0, 1])
    for moved, goal in (([_piece(POOL, 0), _piece(POOL, 1)], FULL), ([_piece(POOL, 0), _piece(POOL, 2)], STACK)):
        with pytest.raises(Fails):
            pieces.move_pieces(p, moved, goal, lambda k: k, bottom=False)
        assert p.zones == [(), (0, 1), (), ()]


def test_pieces_are_turned_where_they_lie() -> None:
    p = position(heap=[0, 2, 0])
    pieces.flip_pieces(p, [_piece(STACK, 0, 2)], lambda k: k + 1)
    assert p.zones[STACK] == (0, 2, 1)
    for missing in (_piece(SLOT, 0), -1):
        with pytest.raises(Fails):
            pieces.flip_pieces(p, [missing], lambda k: k)


def test_a_copy_has_pieces_of_its_own(p: Position) -> None:
    other = p.copy()
    pieces.put(other, SLOT, 1)
    assert (p.zones[SLOT], other.zones[SLOT]) == ((), (1,))


# ---- chance ----------------------------------------------------------------------------------------------------------


def test_draws_go_on_where_the_last_one_ended(p: Position) -> None:
    first = [chance.below(p, "test", 6) for _ in range(50)]
    again = position()
    assert [chance.below(again, "test", 6) for _ in range(50)] == first
    assert set(first) == set(range(6))


def test_a_shuffle_gives_every_order(p: Position) -> None:
    """Six orders of three pieces in 600 shuffles: a hundred each, four standard deviations are 37."""
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(600):
        p.zones[STACK] = (0, 1, 2)
        chance.shuffle(p, STACK, "test")
        found[p.zones[STACK]] += 1
    assert len(found) == 6
    assert all(abs(count - 100) < 37 for count in found.values())


def test_a_draw_comes_from_the_top_of_a_stack() -> None:
    p = position(heap=[0, 1, 2])
    before = dict(p.streams)
    assert chance.draw(p, 2, STACK, POOL, None, "test") == [2, 1]
    assert p.zones[STACK] == (0,)
    assert p.streams == before, "nothing was left to chance"


def test_a_draw_out_of_a_pool_is_even(p: Position) -> None:
    """Of two, one and one: the first comes half of the time, in 400 draws 200 times, four deviations are 40."""
    found: Counter[int] = Counter()
    for _ in range(400):
        p.zones[STACK], p.zones[POOL] = (), (0, 0, 1, 2)
        found.update(chance.draw(p, 1, POOL, STACK, None, "test"))
    assert abs(found[0] - 200) < 40
    assert found[1] > 60
    assert found[2] > 60


def test_a_draw_takes_what_there_is_and_what_fits() -> None:
    p = position(heap=[0, 1])
    assert chance.draw(p, 5, STACK, POOL, None, "test") == [1, 0]
    assert chance.draw(p, 5, POOL, FULL, None, "test") in ([0], [1])
    assert len(p.zones[POOL]) == 1
    assert chance.draw(p, -3, POOL, STACK, None, "test") == []


def test_an_empty_source_is_renewed_only_when_a_piece_is_missing() -> None:
    p = position(heap=[0], bag=[1, 2, 2])
    assert chance.draw(p, 1, STACK, SLOT, POOL, "test") == [0]
    assert p.zones[POOL] == (1, 2, 2), "nothing was missing"
    p.zones[SLOT] = ()
    drawn = chance.draw(p, 1, STACK, SLOT, POOL, "test")
    assert p.zones[POOL] == ()
    assert Counter([*drawn, *p.zones[STACK]]) == Counter([1, 2, 2])


def test_one_of_those_that_look_alike_is_picked() -> None:
    p = position(bag=[0, 1, 2])
    picked = {chance.resolve(p, _piece(POOL, 3), "test") for _ in range(60)}
    assert picked == {_piece(POOL, 0), _piece(POOL, 1)}
    assert chance.resolve(p, _piece(POOL, 4), "test") == _piece(POOL, 2)
    p.zones[POOL] = (0,)
    assert chance.resolve(p, _piece(POOL, 4), "test") == -1


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
    monkeypatch.setattr("interpreter.reference.events.MOST_EVENTS", 2)
    events = Events()
    events.append(("log", 7))
    events.append(("log", 8))
    with pytest.raises(Fault, match="RS803"):
        events.append(("log", 9))
    assert len(events) == 2
