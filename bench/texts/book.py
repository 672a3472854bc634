"""A text that is being edited: its lines, what an edit is, and exchanging words in a line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

BULLET: Final = re.compile(r"^\s*(?:[-•・*]|\d+[.)]?)\s")


@dataclass(frozen=True)
class Edit:
    """An edit: of which kind, in which lines (from 1), what it took and what it put there."""

    kind: str
    lines: tuple[int, ...]
    was: str
    now: str


@dataclass(frozen=True)
class Edited:
    """An edited text with its edits. `lines` takes a line of the edited text to the line it was made from."""

    text: str
    edits: tuple[Edit, ...]
    origin: tuple[int, ...]


@dataclass(frozen=True)
class Other:
    """A book of another language."""

    text: str
    language: str


@cache
def _edits() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("edits.yaml").read_text(encoding="utf-8"))
    return data


def tables(language: str, game: str = "") -> dict[str, Any]:
    """What is changed in a language, with what is changed in this game instead."""
    data = _edits()
    return {**data[language], **data.get(game, {}).get(language, {})}


def is_edited(language: str) -> bool:
    """Whether it is known what to change in books of a language."""
    return language in _edits()


Maker = Callable[["Book", random.Random, int], "list[Edit] | None"]


class Book:
    """The lines of a text that is being edited."""

    def __init__(self, text: str, language: str, game: str = "", other: Other | None = None) -> None:
        self.other = other.text if other is not None else ""
        self.other_language = other.language if other is not None else ""
        self.lines = text.split("\n")
        self.language = language
        self.table = tables(language, game)
        self.usable = [n for n, line in enumerate(self.lines) if is_rule(line, language)]

    def sentences(self, n: int) -> list[str]:
        """The sentences of a line, with the spaces that part them."""
        return [part for part in re.split(f"({self.table['sentence_end']})", self.lines[n]) if part is not None]


def is_rule(line: str, language: str) -> bool:
    """Whether a line is running text of the language: no heading, no credits, no address."""
    if language == "ja":
        return len(re.findall(r"[ぁ-んァ-ヶ一-龥]", line)) >= 12
    words = re.findall(r"[^\W\d_]+", line)
    small = sum(word.islower() for word in words)
    return len(words) >= 6 and small > 0.5 * len(words) and "@" not in line and "http" not in line


# ---- exchanging words -------------------------------------------------------------------------------


def exchange(book: Book, rng: random.Random, n: int, kind: str, pattern: str, new: str) -> list[Edit] | None:
    """Replaces one of the finds of a pattern in a line."""
    found = list(re.finditer(pattern, book.lines[n]))
    if not found:
        return None
    match = rng.choice(found)
    put = match.expand(new)
    line = book.lines[n]
    if match.start() == 0 or (match[0][:1].isupper() and put[:1].islower() and book.language != "ja"):
        put = put[:1].upper() + put[1:]
    changed = line[: match.start()] + put + line[match.end() :]
    if changed == line:
        return None
    book.lines[n] = changed
    return [Edit(kind, (n + 1,), match[0], put)]


def from_table(kind: str, table: str) -> Maker:
    def make(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
        entries = list(book.table[table])
        rng.shuffle(entries)
        for pattern, new in entries:
            if made := exchange(book, rng, n, kind, pattern, new):
                return made
        return None

    return make


def exchange_of(kind: str, table: str) -> Maker:
    """Like a table of patterns, for plain words."""

    def make(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
        entries = list(book.table[table])
        rng.shuffle(entries)
        for word, new in entries:
            pattern = re.escape(word) if book.language == "ja" else rf"\b{re.escape(word)}(?=s?\b)"
            if made := exchange(book, rng, n, kind, pattern, new):
                return made
        return None

    return make
