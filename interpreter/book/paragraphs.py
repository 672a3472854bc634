"""A rule's text as paragraphs and lists: a blank line ends a paragraph, a line that begins with `- ` is of a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from interpreter.book.document import Stretch, Words

_MARK = "- "


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, which is one line, or the lines of a list."""

    lines: tuple[Words, ...]
    listed: bool


def blocks(text: Words) -> list[Block]:
    """The paragraphs and lists of a text."""
    found = []
    lines = [line for line in _lines(text) if any(stretch.text.strip() for stretch in line)]
    for listed, run in groupby(lines, key=_is_listed):
        if listed:
            found.append(Block(tuple(_unmarked(line) for line in run), listed=True))
        else:
            found += [Block((line,), listed=False) for line in run]
    return found


def _lines(text: Words) -> Iterator[Words]:
    line: list[Stretch] = []
    for stretch in text:
        first, *rest = stretch.text.split("\n")
        line += [Stretch(first, stretch.change)] if first else []
        for part in rest:
            yield tuple(line)
            line = [Stretch(part, stretch.change)] if part else []
    yield tuple(line)


def _is_listed(line: Words) -> bool:
    return "".join(stretch.text for stretch in line).startswith(_MARK)


def _unmarked(line: Words) -> Words:
    """A line without the mark at its beginning, which may stand in several stretches."""
    left, found = len(_MARK), []
    for stretch in line:
        text, left = stretch.text[left:], max(0, left - len(stretch.text))
        found += [Stretch(text, stretch.change)] if text else []
    return tuple(found)
