"""Sets: 64 bits where all members fit in, else the address of as many words as are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter.native.code import Code
from interpreter.native.wasm import I64, E, Local, choose, const, const64, load, select


def words(members: int) -> int:
    """How many words a set takes."""
    return (members + 63) // 64


def bit(item: E) -> E:
    """The set with one member."""
    return const64(1) << item.wide()


def has(s: Code, items: E, item: E) -> E:
    """Whether a set has a member."""
    if items.type == I64:
        return ((items >> item.wide()) & 1).narrow()
    return s.named(item, lambda i: (load(items + (i >> 3), 1) >> (i & 7)) & 1)


def in_table(s: Code, sets: Sequence[object], index: E, item: E) -> E:
    """Whether the set that a table has for an index has a member: the table has one bit for each pair."""
    values = [v if isinstance(v, int) and v > 0 else 0 for v in (*sets, 0)]
    width = max((max(v.bit_length() for v in values) + 7) // 8, 1)
    content = b"".join(v.to_bytes(width, "little") for v in (values[-1], *values[:-1]))
    address = s.module.data(content, 1) + width
    if width == 1:
        return (load(index + address, 1) >> item) & 1
    return s.named(item, lambda i: (load(index * width + (i >> 3) + address, 1) >> (i & 7)) & 1)


def read_of(s: Code, what: str, items: E, members: int) -> E:
    """How many members a set has, whether none; its first or last one."""
    if items.type == I64:
        return _of_word(s, what, items)
    many = words(members)
    if what in ("count", "empty"):
        return s.named(items, lambda x: _sum(x, many, what))
    order = range(many) if what != "last" else range(many - 1, -1, -1)

    def made(x: E) -> E:
        found = const(-1)
        for w in reversed(order):
            word = load(x, 8, at=8 * w, kind=I64)
            inside = (_of_word(s, what, word)) + 64 * w
            found = choose(word.ne(0), inside, found)
        return found

    return s.named(items, made)


def _sum(x: E, many: int, what: str) -> E:
    parts = [load(x, 8, at=8 * w, kind=I64) for w in range(many)]
    whole = parts[0].unary("popcnt") if what == "count" else parts[0]
    for part in parts[1:]:
        whole = whole + part.unary("popcnt") if what == "count" else whole | part
    return whole.narrow() if what == "count" else whole.eq(0)


def _of_word(s: Code, what: str, word: E) -> E:
    if what == "count":
        return word.unary("popcnt").narrow()
    if what == "empty":
        return word.eq(0)
    if what == "last":
        return const(63) - word.unary("clz").narrow()
    return s.named(word, lambda x: select(x.eq(0), const(-1), x.unary("ctz").narrow()))


@contextmanager
def members(s: Code, items: E, most: int) -> Iterator[Local]:
    """A loop over a set, in order."""
    fn = s.fn
    item, rest = fn.local(), fn.local(I64)
    if items.type == I64:
        fn.set(rest, items)
        with _bits(s, rest, item, None):
            yield item
        return
    source = fn.keep(items)
    with fn.count(words(most)) as w:
        fn.set(rest, load(source + (w << 3), 8, kind=I64))
        with _bits(s, rest, item, w):
            yield item


@contextmanager
def _bits(s: Code, rest: Local, item: Local, word: E | None) -> Iterator[None]:
    fn = s.fn
    with fn.block() as out, fn.loop() as again:
        fn.br_if(out, rest.eq(0))
        lowest = rest.unary("ctz").narrow()
        fn.set(item, lowest if word is None else lowest + (word << 6))
        fn.set(rest, rest & (rest - 1))
        yield
        fn.br(again)


# ---- large sets -----------------------------------------------------------------------------------------------------


def fresh(s: Code, most: int) -> Local:
    """An empty large set."""
    made = s.allocate(8 * words(most))
    s.fn.fill(made, 8 * words(most))
    return made


def add(s: Code, items: Local, item: E) -> None:
    """Puts a member into a set that is being made."""
    if items.type == I64:
        s.fn.set(items, items | bit(item))
        return
    at = s.fn.keep(item)
    byte = items + (at >> 3)
    s.fn.store(byte, load(byte, 1) | (const(1) << (at & 7)), 1)


def _made(s: Code, most: int, word: Callable[[int], E]) -> E:
    def made() -> E:
        found = s.allocate(8 * words(most))
        for w in range(words(most)):
            s.fn.store(found, word(w), 8, at=8 * w)
        return found

    return s.inline(made)


def union(s: Code, a: E, b: E, most: int) -> E:
    """All members of two large sets."""
    return s.named(a, lambda x: s.named(b, lambda y: _made(s, most, lambda w: _word(x, w) | _word(y, w))))


def _word(x: E, w: int) -> E:
    return load(x, 8, at=8 * w, kind=I64)


def without(s: Code, items: E, item: E, most: int) -> E:
    """A large set without a member."""

    def made() -> E:
        found, at = s.allocate(8 * words(most)), s.fn.keep(item)
        s.fn.copy(found, items, 8 * words(most))
        byte = found + (at >> 3)
        s.fn.store(byte, load(byte, 1) & ((const(1) << (at & 7)) ^ -1), 1)
        return found

    return s.inline(made)


def equal(s: Code, a: E, b: E, most: int) -> E:
    """Whether two large sets have the same members."""

    def test(x: E, y: E) -> E:
        differs = _word(x, 0) ^ _word(y, 0)
        for w in range(1, words(most)):
            differs = differs | (_word(x, w) ^ _word(y, w))
        return differs.eq(0)

    return s.named(a, lambda x: s.named(b, lambda y: test(x, y)))


def read(s: Code, at: int, width: int) -> E:
    """A large set of the state, written out."""

    def made() -> E:
        found = s.allocate(width + 8)
        s.fn.store(found, 0, 8, at=width // 8 * 8)
        s.fn.copy(found, s.c + at, width)
        return found

    return s.inline(made)


def write(s: Code, at: int, width: int, value: E) -> None:
    """Fills a large set of the state."""
    s.fn.copy(s.c + at, value, width)
