"""Reading a file that may be broken: what cannot be read is left out, the smallest part that will do.

Left out is a stretch that is overwritten with blanks, so that all else keeps its place.
"""

from __future__ import annotations

import re

from rulespec.diagnostics.model import Problems
from rulespec.service.outline import Leaf, List, Map, Part, outline
from rulespec.source.nodes import is_yaml, read_yaml
from rulespec.source.text import SourceFile
from rulespec.source.tree import Mapping

_NOT_BREAK = re.compile(r"[^\r\n]")


def read_broken(name: str, text: str) -> Mapping | None:
    """The sections of a file as far as they can be read; None where nothing can."""
    found = read_yaml(SourceFile.of(name, text), Problems())
    if found is not None:
        return found
    root = outline(text)
    blanks = list(_unreadable(text, root, 0, len(text)))
    found = _read(name, text, blanks)
    if found is None:  # each part may be read by itself: sections that spoil the whole are left out
        blanks += _spoiling(name, text, root)
        found = _read(name, text, blanks)
    return found


Stretch = tuple[int, int]


def _read(name: str, text: str, blanks: list[Stretch]) -> Mapping | None:
    return read_yaml(SourceFile.of(name, _without(text, blanks)), Problems())


def _without(text: str, blanks: list[Stretch]) -> str:
    for start, end in blanks:
        text = text[:start] + _NOT_BREAK.sub(" ", text[start:end]) + text[end:]
    return text


def _unreadable(text: str, part: Part, start: int, end: int) -> list[Stretch]:
    """The smallest stretches of a block collection that are no YAML by themselves."""
    entries = _entries(text, part, end)
    if not entries:
        return [(start, end)]
    first = entries[0][0]
    found: list[Stretch] = [(start, first)] if start < first and not is_yaml(text[start:first]) else []
    for begin, stop, inner in entries:
        if is_yaml(text[begin:stop]):
            continue
        if isinstance(inner, (Map, List)) and inner.column >= 0:
            found += _inner(text, inner, begin, stop)
        else:
            found.append((begin, stop))
    return found


def _inner(text: str, inner: Part, begin: int, stop: int) -> list[Stretch]:
    """What is to be left out of an entry that holds a collection; all of it where that is not enough."""
    entries = _entries(text, inner, stop)
    head = entries[0][0] if entries else stop
    if head <= begin and isinstance(inner, Map):  # `- key:` on one line: the rest of the item may be right
        head = begin
    found = _unreadable(text, inner, head, stop) if entries else [(begin, stop)]
    return found if is_yaml(_without(text[begin:stop], [(a - begin, b - begin) for a, b in found])) else [(begin, stop)]


def _entries(text: str, part: Part, end: int) -> list[tuple[int, int, Part | None]]:
    """The entries of a block collection by whole lines, each with what it holds."""
    if isinstance(part, Leaf) or part.column < 0:
        return []
    if isinstance(part, Map):
        starts = [(_line_start(text, pair.start), pair.value) for pair in part.pairs]
    else:
        starts = [(_line_start(text, item.start), item) for item in part.items if item is not None]
    if not starts:
        return []
    bounds = [*(start for start, _ in starts[1:]), end]
    return [
        (start, max(start, stop), value) for (start, value), stop in zip(starts, bounds, strict=True) if start <= stop
    ]


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _spoiling(name: str, text: str, root: Map) -> list[Stretch]:
    """The sections that cannot be read alone, for a character or a key that no file may hold."""
    entries = _entries(text, root, len(text))
    found = [(0, entries[0][0])] if entries else [(0, len(text))]
    seen: set[str] = set()
    for (start, stop, _), pair in zip(entries, root.pairs, strict=False):
        alone = SourceFile.of(name, text[start:stop])
        if pair.key in seen or read_yaml(alone, Problems()) is None:
            found.append((start, stop))
        seen.add(pair.key)
    return found
