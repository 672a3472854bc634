"""The random generator: PCG32 (O'Neill 2014, XSH-RR 64/32), as pure functions over integers.

A game keeps one 64-bit state for each *stream*, and a stream for each purpose (set-up, a bag, the dice, a seat that
plays by itself). A changed rule that draws once more from one stream does not shift the draws of another.

How a stream starts is part of the language, so that any executor does the same:

- `increment(purpose)`: FNV-1a (64 bit) of the purpose's UTF-8 bytes, doubled, plus one, modulo 2**64.
- `seed_stream(seed, purpose)`: `start` of SplitMix64(SplitMix64(seed) xor FNV-1a(purpose)), where SplitMix64 is the
  first output of Vigna's generator for that seed, and `start` the reference seeding of PCG.

Each of these steps is a bijection of the 64-bit numbers, so no two seeds start a stream alike.

>>> inc = increment("dice")
>>> state = seed_stream(7, "dice")
>>> state, face = below(state, inc, 6)
>>> 0 <= face < 6
True
"""

from __future__ import annotations

from collections.abc import MutableSequence
from functools import lru_cache
from typing import Final, TypeVar

Item = TypeVar("Item")

MASK_32: Final = (1 << 32) - 1
MASK_64: Final = (1 << 64) - 1
MULTIPLIER: Final = 6364136223846793005
LARGEST_BOUND: Final = 1 << 32

_FNV_OFFSET: Final = 0xCBF29CE484222325
_FNV_PRIME: Final = 0x100000001B3
_GOLDEN: Final = 0x9E3779B97F4A7C15


def fnv1a_64(data: bytes) -> int:
    """FNV-1a, 64 bit, of some bytes."""
    value = _FNV_OFFSET
    for byte in data:
        value = ((value ^ byte) * _FNV_PRIME) & MASK_64
    return value


def split_mix_64(seed: int) -> int:
    """The first output of SplitMix64 for a 64-bit seed: a bijection of the 64-bit numbers that scatters close ones."""
    mixed = (seed + _GOLDEN) & MASK_64
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK_64
    return mixed ^ (mixed >> 31)


@lru_cache(maxsize=1024)
def increment(purpose: str) -> int:
    """The odd 64-bit constant that tells this purpose's stream from the others. It never changes during a game."""
    return (fnv1a_64(purpose.encode()) << 1 | 1) & MASK_64


def start(initial: int, inc: int) -> int:
    """PCG's reference seeding (`pcg32_srandom_r`): the state before the first draw."""
    return ((inc + initial) * MULTIPLIER + inc) & MASK_64


def seed_stream(seed: int, purpose: str) -> int:
    """The state with which the stream of this purpose starts in a game with this seed.

    Raises ValueError for a seed outside 0..2**64-1: cutting it silently would give two seeds the same game.
    """
    if not 0 <= seed <= MASK_64:
        raise ValueError(f"a seed lies between 0 and {MASK_64}, not {seed}")
    initial = split_mix_64(split_mix_64(seed) ^ fnv1a_64(purpose.encode()))
    return start(initial, increment(purpose))


def next32(state: int, inc: int) -> tuple[int, int]:
    """The state after one draw, and the 32 bits drawn."""
    word = ((state >> 18 ^ state) >> 27) & MASK_32
    turn = state >> 59
    return (state * MULTIPLIER + inc) & MASK_64, (word >> turn | word << (32 - turn)) & MASK_32


def below(state: int, inc: int, bound: int) -> tuple[int, int]:
    """The state after the draw, and a number in `0..bound-1`, each equally likely.

    The lowest `2**32 % bound` words are thrown away, so that what is left is a multiple of `bound`. A bound of 1 draws
    too: how often a stream is used then depends on how often it is asked, not on what it is asked.
    Raises ValueError for a bound outside 1..2**32.
    """
    if not 1 <= bound <= LARGEST_BOUND:
        raise ValueError(f"a bound lies between 1 and {LARGEST_BOUND}, not {bound}")
    thrown_away = LARGEST_BOUND % bound
    while True:  # `next32` once more, here without the call: every draw of a game passes through this loop
        word = ((state >> 18 ^ state) >> 27) & MASK_32
        turn = state >> 59
        word = (word >> turn | word << (32 - turn)) & MASK_32
        state = (state * MULTIPLIER + inc) & MASK_64
        if word >= thrown_away:
            return state, word % bound


def shuffle(state: int, inc: int, items: MutableSequence[Item]) -> int:
    """Put `items` into a random order, in place, each order equally likely; the state after it.

    Fisher-Yates from the end: one draw for each item but the first.
    """
    for last in range(len(items) - 1, 0, -1):
        state, chosen = below(state, inc, last + 1)
        items[chosen], items[last] = items[last], items[chosen]
    return state
