"""The generator against what its authors published, and its bounds and independence as properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import rng

SEEDS = st.integers(min_value=0, max_value=2**64 - 1)
PURPOSES = st.text(max_size=20)

# pcg32-demo of PCG's minimal C library, rounds 1 and 2, with seed 42 and stream 54.
DEMO_WORDS = [
    [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E],
    [0x74AB93AD, 0x1C1DA000, 0x494FF896, 0x34462F2F, 0xD308A3E5, 0x0FA83BAB],
]
DEMO_COINS = [
    "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT",
    "HHHHHHHHHHTHHHTHTHTHTHTTTTHHTTTHHTHHTHTTHHTTTHHHHHHTHTTHTHTTTTTTT",
]
DEMO_ROLLS = [
    "3 4 1 1 2 2 3 2 4 3 2 4 3 3 5 2 3 1 3 1 5 1 4 1 5 6 4 6 6 2 6 3 3",
    "5 1 1 3 3 2 4 5 3 2 2 6 4 3 2 4 2 4 3 2 3 6 3 2 3 4 2 4 1 1 5 4 4",
]
DEMO_CARDS = [
    "Qd Ks 6d 3s 3d 4c 3h Td Kc 5c Jh Kd Jd As 4s 4h Ad Th Ac Jc 7s Qs 2s 7h Kh 2d 6c Ah 4d Qh 9h 6s 5s 2c 9c Ts "
    "8d 9s 3c 8c Js 5d 2h 6h 7d 8s 9d 5h 8h Qc 7c Tc",
    "7d 2s 7h Td 8s 3c 3d Js 2d Tc 4h Qs 5c 9c Th 2c Jc Qd 9d Qc 7s 3s 5s 6h 4d Jh 4c Ac 4s 5h 5d Kc 8h 8d Jd 9s "
    "Ad 6s 6c Kd 2h 3h Kh Ts Qh 9h 6d As 7c Ks Ah 8c",
]


def draws(state: int, inc: int, bounds: list[int]) -> tuple[int, list[int]]:
    values = []
    for bound in bounds:
        state, value = rng.below(state, inc, bound)
        values.append(value)
    return state, values


def test_published_demo() -> None:
    """Words, coins, dice and a shuffled deck, in turn from one generator, as PCG's own demo prints them."""
    inc = 54 << 1 | 1
    state = rng.start(42, inc)
    for words, coins, rolls, cards in zip(DEMO_WORDS, DEMO_COINS, DEMO_ROLLS, DEMO_CARDS, strict=True):
        for word in words:
            state, drawn = rng.next32(state, inc)
            assert drawn == word
        state, tossed = draws(state, inc, [2] * 65)
        assert "".join("TH"[coin] for coin in tossed) == coins
        state, rolled = draws(state, inc, [6] * 33)
        assert [face + 1 for face in rolled] == [int(face) for face in rolls.split()]
        deck = [number + suit for number in "A23456789TJQK" for suit in "hcds"]
        state = rng.shuffle(state, inc, deck)
        assert " ".join(deck) == cards


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C), (b"foobar", 0x85944171F73967E8)],
)
def test_published_fnv1a(data: bytes, expected: int) -> None:
    """Test vectors of the FNV authors."""
    assert rng.fnv1a_64(data) == expected


def test_published_split_mix() -> None:
    """Outputs of the reference code: the second one of a seed is the first one of the seed a golden step further."""
    golden = 0x9E3779B97F4A7C15
    assert rng.split_mix_64(0) == 0xE220A8397B1DCDAF
    assert rng.split_mix_64(1234567) == 6457827717110365317
    assert rng.split_mix_64(1234567 + golden) == 3203168211198807973
    assert rng.split_mix_64(1234567 + 2 * golden) == 9817491932198370423


@given(SEEDS, PURPOSES, st.integers(min_value=1, max_value=2**32))
def test_a_bounded_draw_is_in_bounds_and_keeps_the_state_in_64_bits(seed: int, purpose: str, bound: int) -> None:
    state, value = rng.below(rng.seed_stream(seed, purpose), rng.increment(purpose), bound)
    assert 0 <= value < bound
    assert 0 <= state < 2**64


@given(SEEDS)
def test_words_below_the_threshold_are_thrown_away(seed: int) -> None:
    """With this bound nearly every second word is: 2**32 = 1 * (2**31 + 1) + (2**31 - 1)."""
    inc = rng.increment("x")
    state = rng.seed_stream(seed, "x")
    after, value = rng.below(state, inc, 2**31 + 1)
    word = 0
    while word < 2**31 - 1:
        state, word = rng.next32(state, inc)
    assert (after, value) == (state, word % (2**31 + 1))


@given(SEEDS, st.lists(st.integers(), max_size=40))
def test_a_shuffle_keeps_the_items_and_draws_once_for_all_but_one(seed: int, items: list[int]) -> None:
    inc = rng.increment("deck")
    state = rng.seed_stream(seed, "deck")
    shuffled = list(items)
    after = rng.shuffle(state, inc, shuffled)
    assert sorted(shuffled) == sorted(items)
    assert after == draws(state, inc, list(range(len(items), 1, -1)))[0]


def test_a_shuffle_reaches_every_order() -> None:
    inc = rng.increment("deck")
    orders = set()
    for seed in range(200):
        items = [0, 1, 2, 3]
        rng.shuffle(rng.seed_stream(seed, "deck"), inc, items)
        orders.add(tuple(items))
    assert len(orders) == 24


def test_streams_of_one_seed_differ() -> None:
    purposes = ["setup", "dice", "bag.a", "bag.b", "chance", "seat.0", "seat.1", ""]
    assert len({rng.increment(purpose) for purpose in purposes}) == len(purposes)
    assert len({rng.seed_stream(5, purpose) for purpose in purposes}) == len(purposes)
    assert all(rng.increment(purpose) % 2 == 1 for purpose in purposes)


@given(SEEDS, SEEDS, PURPOSES)
def test_two_seeds_never_start_a_stream_alike(one: int, other: int, purpose: str) -> None:
    alike = rng.seed_stream(one, purpose) == rng.seed_stream(other, purpose)
    assert alike == (one == other)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        rng.seed_stream(seed, "setup")


@pytest.mark.parametrize("bound", [0, -3, 2**32 + 1])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        rng.below(1, 1, bound)
