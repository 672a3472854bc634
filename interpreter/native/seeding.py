"""The seeds of numbered games, as a function of the module: BLAKE2b (RFC 7693) of a text and a number behind it.

As `Plan.seed_of`: a digest of 8 bytes, read with the highest byte first.
"""

from __future__ import annotations

from typing import Final

from interpreter.native.code import Code
from interpreter.native.pieces import runtime
from interpreter.native.wasm import I32, I64, E, Fn, Local, call, const, const64, load

BLOCK: Final = 128  #: bytes: a text and its number are shorter
MOST_TEXT: Final = BLOCK - 16
ROUNDS: Final = 12
#: Digest of 8 bytes, no key, one leaf.
_PARAMETERS: Final = 0x01010008
_START: Final = (
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
)
#: In which order a round takes the words of a block.
_ORDERS: Final = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
#: The words that are mixed together: the columns, then the diagonals.
_MIXED: Final = (
    *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
    *((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),
)


def write_seeding(s: Code) -> None:
    """The function that writes the seeds of games with the numbers from `first` on."""
    block = s.module.room(BLOCK)
    digest = runtime(s, "blake2b_8", 1, lambda _, fn: _digest(s, fn, block), result=I64)
    with s.writing(s.module.function((I32,) * 5, I32, "seeds", export=True)) as fn:
        text, size, first, amount, out = fn.params
        fn.fill(const(block), BLOCK)
        fn.copy(const(block), text, size)
        with fn.count(amount) as i:
            length = fn.keep(_numbered(fn, size + block, first + i) - block)
            fn.store(out + (i << 3), _turned(fn, call(digest, length)), 8)
        fn.give(amount)
        fn.trap()


def _numbered(fn: Fn, at: E, number: E) -> Local:
    """Writes a number in decimals from an address on; the address behind it."""
    left, digits, power = fn.keep(number), fn.keep(1), fn.keep(10)
    with fn.forever() as (over, _):
        fn.br_if(over, left.below(power) | digits.ge(9))
        fn.set(digits, digits + 1)
        fn.set(power, power * 10)
    behind = fn.keep(at + digits)
    place = fn.keep(behind)
    with fn.forever() as (over, _):
        fn.set(place, place - 1)
        fn.store(place, left.op("rem_u", 10) + ord("0"), 1)
        fn.set(left, left.op("div_u", 10))
        fn.set(digits, digits - 1)
        fn.br_if(over, digits.eq(0))
    return behind


def _digest(s: Code, fn: Fn, block: int) -> None:
    """The first word of the digest of so many bytes in the block."""
    (length,) = fn.params
    first = _START[0] ^ _PARAMETERS
    begun = [first, *_START[1:], *_START]
    v = [fn.keep(const64(word)) for word in begun]
    fn.set(v[12], v[12] ^ length.wide())
    fn.set(v[14], v[14] ^ -1)  # this block is the last one
    orders = bytes(8 * at for n in range(ROUNDS) for at in _ORDERS[n % len(_ORDERS)])
    table = s.module.data(orders, 1)
    order = fn.keep(const(table))
    with fn.count(ROUNDS):
        for at, (a, b, c, d) in enumerate(_MIXED):
            words = (load(load(order, 1, at=2 * at + i), 8, at=block, kind=I64) for i in (0, 1))
            for word, turns in zip(words, ((32, 24), (16, 63)), strict=True):
                fn.set(v[a], v[a] + v[b] + word)
                fn.set(v[d], (v[d] ^ v[a]).op("rotr", turns[0]))
                fn.set(v[c], v[c] + v[d])
                fn.set(v[b], (v[b] ^ v[c]).op("rotr", turns[1]))
        fn.set(order, order + 16)
    fn.give(v[0] ^ v[8] ^ first)


def _turned(fn: Fn, word: E) -> E:
    """The bytes of a word the other way round."""
    kept = fn.keep(word)
    for turn, mask in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF)):
        left, right = kept.op("rotl", turn) & (mask << turn), kept.op("rotr", turn) & mask
        fn.set(kept, left | right)
    return kept.op("rotl", 32)
