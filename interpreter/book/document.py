"""A rulebook as plain data: parts with rules, tables and pictures; how it is written down is no concern of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.draw.ink import Line

#: What a variant does with a stretch of text.
SAME, ADDED, REMOVED = "", "added", "removed"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of text, and whether a variant adds or removes it."""

    text: str
    change: str = SAME


#: A text in stretches.
Words = tuple[Stretch, ...]


def words(text: str, change: str = SAME) -> Words:
    """A text that is all alike."""
    return (Stretch(text, change),) if text else ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One rule. `language` is the one in which it stands, which is another where its text is missing."""

    rule: str
    number: str
    title: str
    text: Words
    language: str
    ledger: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether a variant changes it."""
        return any(stretch.change for stretch in self.text)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its heading, the headings of its columns, and its lines."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Boards as lines of characters."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with its number, tables and pictures, rules, and smaller parts."""

    number: str
    title: str
    shows: tuple[Table | Picture, ...] = ()
    rules: tuple[Paragraph, ...] = ()
    parts: tuple[Part, ...] = ()

    def every(self) -> Iterator[Part]:
        """This part and all smaller ones."""
        yield self
        for part in self.parts:
            yield from part.every()


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the index: a term, what other languages call it, and the parts that speak of it, by their numbers."""

    term: str
    elsewhere: tuple[tuple[str, str], ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rulebook. `labels` are the book's own words, `variants` the titles of those that are on."""

    title: str
    language: str
    variants: tuple[str, ...]
    parts: tuple[Part, ...]
    index: tuple[Entry, ...]
    labels: dict[str, str]
    reconstructed: str = ""
    """Which figures no source gives, in one sentence; empty where all are known."""

    def every_part(self) -> Iterator[Part]:
        """All parts in reading order."""
        for part in self.parts:
            yield from part.every()
