"""What of a file can be folded away, and which stretches grow around a position. Also of a text that is no YAML."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.expr.parse import parse_span
from rulespec.expr.walk import parts
from rulespec.model.shapes import Data, Expression
from rulespec.service.outline import Leaf, List, Map, Pair, Part, outline
from rulespec.service.place import place_at
from rulespec.service.shape_at import held_at
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span

_COMMENTS = re.compile(r"(?:^[ \t]*#[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z0-9_]+")

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines, counted from 0, of which all but the first go; `kind` is `region` or `comment`."""

    first: int
    last: int
    kind: str = "region"


def folds(text: str) -> tuple[Fold, ...]:
    """Every key and item of several lines, and comments of several lines; of those that begin in a line the longest."""
    found: dict[int, Fold] = {}
    ends = [each.start() for each in re.finditer("\n", text)]
    for start, end in _stretches(text, outline(text)):
        first, last = bisect_left(ends, start), bisect_left(ends, _end_of_words(text, start, end))
        if last > first and (first not in found or found[first].last < last):
            found[first] = Fold(first, last)
    for comment in _COMMENTS.finditer(text):
        first, last = bisect_left(ends, comment.start()), bisect_left(ends, comment.end() - 1)
        found.setdefault(first, Fold(first, last, "comment"))
    return tuple(found[first] for first in sorted(found))


def _stretches(text: str, part: Part | None) -> Iterator[Stretch]:
    if isinstance(part, Map):
        for pair in part.pairs:
            yield pair.start, _end_of(pair)
            yield from _stretches(text, pair.value)
    elif isinstance(part, List):
        for item in part.items:
            if item is not None:
                yield item.start, item.end
                yield from _stretches(text, item)


def _end_of(pair: Pair) -> int:
    return pair.end if pair.value is None else max(pair.end, pair.value.end)


def _end_of_words(text: str, start: int, end: int) -> int:
    """The end of what stands in a stretch without the comments and empty lines at its end."""
    while end > start:
        line = text.rfind("\n", start, end) + 1
        if line <= start:
            break
        words = text[line:end].strip()
        if words and not words.startswith("#"):
            break
        end = line - 1
    return end


def selections(space: Workspace, name: str, offset: int) -> tuple[Stretch, ...]:
    """The stretches around an offset, the smallest first, each inside the next: the word, the parts of its expression,
    the value, its key with it, and so on up to the whole file.
    """
    text = space.text(name)
    found = [*_around(outline(text), offset), *_parts_of_expression(name, text, offset)]
    found += [each.span() for each in _WORD.finditer(text, max(0, offset - 200), offset + 200) if _holds(each, offset)]
    kept: list[Stretch] = []
    for start, end in sorted(set(found), key=lambda each: each[1] - each[0]):
        if start < end and (not kept or (start <= kept[-1][0] and kept[-1][1] <= end)):
            kept.append((start, end))
    whole = (0, len(text))
    return tuple(kept) if kept and kept[-1] == whole else (*kept, whole)


def _holds(word: re.Match[str], offset: int) -> bool:
    return word.start() <= offset <= word.end()


def _around(part: Part | None, offset: int) -> Iterator[Stretch]:
    while part is not None:
        yield part.start, part.end
        inner: Part | None = None
        if isinstance(part, Map):
            for pair in part.pairs:
                if pair.start <= offset <= _end_of(pair):
                    if offset <= pair.end:
                        yield pair.start, pair.end
                    yield pair.start, _end_of(pair)
                    inner = pair.value
        elif isinstance(part, List):
            inner = next((item for item in part.items if item is not None and item.start <= offset <= item.end), None)
        part = inner if inner is not None and (isinstance(inner, Leaf) or inner.start <= offset <= inner.end) else None


def _parts_of_expression(name: str, text: str, offset: int) -> Iterator[Stretch]:
    place = place_at(text, offset)
    if place.role not in ("value", "item"):
        return
    held = held_at(place.way, place.around)
    if not any(isinstance(shape, (Expression, Data)) for shape in held.shapes):
        return
    quotes = place.style in ("single", "double")
    span = Span(SourceFile.of(name, text), place.first + quotes, max(place.first, place.last - quotes))
    e = parse_span(span, Problems())
    for part in parts(e) if e is not None else ():
        inner: Span | None = getattr(part, "span", None)
        if inner is not None and inner.start <= offset <= inner.end:
            yield inner.start, inner.end
