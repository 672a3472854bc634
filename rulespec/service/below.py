"""Which keys fit what stands below them: while a key is typed anew, the lines that belong to it may be there already.

below = below_at(text, offset)
fits_below(field.shape, below)     # True, False, or None where nothing tells
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, ListOf, MapOf, Record, Shape, Use

_LINE: Final = re.compile(r"( *)((?:- +)*)(?:([\"']?)([A-Za-z_][\w.]*)\3:(?: +\{ *([a-z_]+):)?)?")
#: How many lines are looked at.
MOST: Final = 40


@dataclass(frozen=True, slots=True)
class Below:
    """The keys of the map, or of the items of a list, below a place, and those of the maps under these."""

    keys: frozenset[str]
    inner: frozenset[str]
    is_list: bool


def below_at(text: str, offset: int) -> Below:
    """What stands below the key that is typed at an offset, moved in further than it."""
    start = text.rfind("\n", 0, offset) + 1
    lead = re.match(r" *(?:- +)*", text[start:])
    column = min(offset - start, len(lead.group()) if lead is not None else 0)
    keys: set[str] = set()
    inner: set[str] = set()
    is_list, first = False, -1
    for line in text[offset:].split("\n", MOST + 1)[1 : MOST + 1]:
        found = _LINE.match(line)
        if found is None or not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(found.group(1))
        if indent <= column:
            break
        first = indent if first < 0 else first
        is_list = is_list or (indent == first and bool(found.group(2)))
        at = indent + len(found.group(2)) if is_list else indent
        if found.group(4) and at == first + (2 if is_list else 0):
            keys.add(found.group(4))
            inner |= {found.group(5)} - {None} if found.group(5) else set()
        elif found.group(4) and at == first + 2:
            inner.add(found.group(4))
    return Below(frozenset(keys), frozenset(inner), is_list)


def fits_below(shape: Shape, below: Below) -> bool | None:
    """Whether what stands below can be under a key of such a shape; None where it is not known."""
    if not below.keys:
        return None
    if isinstance(shape, ByNode):
        found = [fits_below(each, below) for each in (shape.sequence, shape.mapping) if each is not None]
        return True if True in found else None if None in found else False
    if isinstance(shape, ListOf):
        return below.is_list and (_has(shape.item, below.keys) is not False)
    if below.is_list:
        return False
    if isinstance(shape, MapOf):
        return _has(shape.value, below.inner) if below.inner else None
    return _has(shape, below.keys)


def _has(shape: Shape, keys: frozenset[str]) -> bool | None:
    """Whether a map of some shape can have all of some keys."""
    if isinstance(shape, ByNode) and shape.mapping is not None:
        return _has(shape.mapping, keys)
    if not isinstance(shape, Use):
        return None
    record = REGISTRY.record(shape.record)
    if not keys or record.others is not None:
        return None
    return keys <= _fields(record)


def _fields(record: Record) -> frozenset[str]:
    return frozenset(field.name for field in record.all_fields())
