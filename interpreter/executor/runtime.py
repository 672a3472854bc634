"""What generated code calls: the few operations that are too long to write out in place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter.middle.faults import OutOfRange
from rulespec.source.text import Span

LOOKED = -1
HALTED = -2
FAILED = -3

Items = tuple[Any, ...]


def bits(value: int) -> list[int]:
    """The members of a bit set, in order."""
    found = []
    while value > 0:
        low = value & -value
        found.append(low.bit_length() - 1)
        value ^= low
    return found


def divide(a: int, b: int) -> int:
    """Division that rounds down; by zero it gives 0."""
    return a // b if b else 0


def within(value: int, low: int | None, high: int | None, span: Span | None) -> int:
    """The value. Raises OutOfRange where it is outside a range, an end of which may be open."""
    if (low is not None and value < low) or (high is not None and value > high):
        raise OutOfRange(-1, value, low, high, span)
    return value


def remainder(a: int, b: int) -> int:
    """What is left over by a division; 0 where there is nothing to divide by."""
    return a % b if b else 0


def longest(items: Sequence[int], kept: Sequence[bool]) -> tuple[int, ...]:
    """The longest unbroken stretch of kept items, the first of equals."""
    best: tuple[int, int] = (0, 0)
    start = 0
    for i, keep in enumerate([*kept, False]):
        if not keep:
            if i - start > best[1] - best[0]:
                best = (start, i)
            start = i + 1
    return tuple(items[best[0] : best[1]])


def stretch(items: Sequence[int], kept: Sequence[bool], around: int) -> tuple[int, ...]:
    """The unbroken stretch of kept items that holds `around`; nothing where it is not kept."""
    for at, item in enumerate(items):
        if item == around and kept[at]:
            low = high = at
            while low > 0 and kept[low - 1]:
                low -= 1
            while high + 1 < len(items) and kept[high + 1]:
                high += 1
            return tuple(items[low : high + 1])
    return ()


def reach(start: int, within: int, via: Callable[[int], Iterable[int]], cost: Callable[[int], int]) -> int:
    """The bit set of members whose cheapest path from `start` costs at most `within`, the start left out."""
    if start < 0:
        return 0
    best = {start: 0}
    todo = [start]
    while todo:
        at = todo.pop()
        spent = best[at]
        for to in via(at):
            price = spent + cost(to)
            if price <= within and price < best.get(to, within + 1):
                best[to] = price
                todo.append(to)
    found = 0
    for member in best:
        if member != start:
            found |= 1 << member
    return found


def drop(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    """A list without one item, once."""
    if item not in items:
        return items
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def drop_piece(items: tuple[int, ...], item: int, codes: int) -> tuple[int, ...]:
    """A list of pieces without one: the same one, else one just like it."""
    if item in items:
        return drop(items, item)
    for at, other in enumerate(items):
        if other % codes == item % codes:
            return items[:at] + items[at + 1 :]
    return items


def with_pick(picked: Items, order: Items, pick: tuple[int, Any]) -> tuple[Items, Items]:
    """The picks of a set with one more, and their numbers: by number, so that the same set is the same state."""
    number, value = pick
    at = bisect_right(order, number)
    return (*picked[:at], value, *picked[at:]), (*order[:at], number, *order[at:])
