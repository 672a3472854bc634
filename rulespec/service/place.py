"""What a position in a file belongs to: the way of keys and numbers that leads there, and what is being typed.

A mark is put at the position and the outline is read with it, so that also an empty line, or a place behind a colon, is
some part of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from string import ascii_letters, digits

from rulespec.service.outline import Leaf, List, Map, Pair, Part, outline

MARK = "\ue000"  #: a character of nobody's; a file that holds it is asked about as if it did not

#: The characters of names.
IN_WORDS = ascii_letters + digits + "_"
_WORD_AFTER = re.compile(r"[A-Za-z0-9_]*")

Way = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What a position belongs to.

    `way` leads to the map, list or value that holds it; `around` gives the keys of each map on it, and of the map at
    its end. `role` is `key` (a key of that map is typed), `value` (a value is typed that may not become a key), `item`
    (one that may) or `none` (a comment, or what nobody reads). `word` is the part of a name before the position, which
    begins at `start`; `end` is where the name ends behind it. `first` and `last` are the bounds of the whole value or
    key, `typed` is what stands of it before the position, and `style` how it is written.
    """

    offset: int
    role: str
    way: Way = ()
    around: tuple[tuple[str, ...], ...] = ()
    word: str = ""
    start: int = 0
    end: int = 0
    first: int = 0
    last: int = 0
    typed: str = ""
    style: str = "plain"
    is_flow: bool = False


def place_at(text: str, offset: int) -> Place:
    """The place of an offset in a text that may be broken anywhere."""
    text = text.replace(MARK, " ")
    offset = min(max(offset, 0), len(text))
    before, after = text[:offset], text[offset:]
    typed = before[len(before.rstrip(IN_WORDS)) :]  # a pattern that ends with \Z would begin again at each letter
    rest = _WORD_AFTER.match(after)
    end = offset + (len(rest.group()) if rest else 0)
    found = _search(outline(before + MARK + after), offset, before)
    whole = text[found.first : offset] if found.role != "none" else ""
    return replace(found, offset=offset, word=typed, start=offset - len(typed), end=end, typed=whole)


def _search(root: Map, offset: int, before: str) -> Place:
    way: list[str | int] = []
    around: list[tuple[str, ...]] = []
    part: Part | None = root
    held: Map | List | None = None
    while True:
        if isinstance(part, (Map, List)) and part.column < 0 and part.is_closed and offset >= part.end:
            return _nothing(way, around)  # a remark behind it
        if isinstance(part, Map):
            pair = _pair_at(part, offset)
            around.append(tuple(key for key in part.keys if MARK not in key))
            if pair is None:
                return _nothing(way, around)
            if pair.start <= offset < pair.end:
                return _typed("key", way, around, pair.start, pair.end, "plain", part.column < 0)
            way.append(pair.key)
            held, part = part, pair.value
        elif isinstance(part, List):
            number = _item_at(part, offset)
            if number is None:
                return _nothing(way, around)
            way.append(number)
            around.append(())
            held, part = part, part.items[number]
        elif isinstance(part, Leaf):
            role = "item" if _may_become_key(part, held, before) else "value"
            return _typed(role, way, around, part.start, part.end, part.style, held is not None and held.column < 0)
        else:
            return _nothing(way, around)


def _may_become_key(leaf: Leaf, held: Map | List | None, before: str) -> bool:
    """Whether a value is the first word of a block line or item, so that a colon behind it would make a map of it."""
    if held is None or held.column < 0 or leaf.style != "plain":
        return False
    start = before.rfind("\n", 0, leaf.start) + 1
    lead = before[start : leaf.start]
    return lead.strip(" -") == "" and (isinstance(held, List) or lead.strip() == "")


def _pair_at(part: Map, offset: int) -> Pair | None:
    for number, pair in enumerate(part.pairs):
        if pair.start <= offset < pair.end:
            return pair
        last = number + 1 == len(part.pairs)
        value = pair.value
        if value is not None and value.start <= offset < max(value.end, value.start + 1):
            return pair
        if value is not None and not isinstance(value, Leaf) and pair.colon <= offset:
            nexts = len(part.pairs) if last else number + 1
            if last or part.pairs[nexts].start > offset:
                return pair
    return None


def _item_at(part: List, offset: int) -> int | None:
    for number, item in enumerate(part.items):
        if item is None:
            continue
        following = next((each for each in part.items[number + 1 :] if each is not None), None)
        if item.start <= offset and (following is None or following.start > offset):
            return number
    return None


def _typed(  # noqa: PLR0913, PLR0917  (the parts of a place)
    role: str, way: list[str | int], around: list[tuple[str, ...]], start: int, end: int, style: str, is_flow: bool
) -> Place:
    last = max(start, end - 1)  # without the mark
    return Place(0, role, tuple(way), tuple(around), first=start, last=last, style=style, is_flow=is_flow)


def _nothing(way: list[str | int], around: list[tuple[str, ...]]) -> Place:
    return Place(0, "none", tuple(way), tuple(around))
