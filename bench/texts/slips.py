"""Slips that are put into a game's own rules, for the benchmark of `texts check`."""

from __future__ import annotations

import random
import re
from typing import Final

from bench.texts.book import Book, Edit, Maker, exchange

#: Kinds of slips, with how often each is put in beside the others.
SLIPS: Final = {"twice": 3, "places_exchanged": 4, "article": 3, "counter": 3}
_HOLE: Final = re.compile("[\ue000-\uf8ff]")  # placeholders are such letters while a text is edited
_ARTICLES: Final = {
    "fr": [(r"\bune (?=\w)", "un "), (r"\bun (?=\w)", "une "), (r"\bla (?=\w)", "le "), (r"\ble (?=\w)", "la ")],
    "es": [(r"\buna (?=\w)", "un "), (r"\bun (?=\w)", "una "), (r"\bla (?=\w)", "el ")],
}
_COUNTERS: Final = [("枚", "人"), ("個", "人"), ("つ(?=[^のに])", "人")]


def _twice(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    if book.language == "ja":
        return None
    return exchange(book, rng, n, "twice", r"(?<= )([a-zé]{2,})(?= )", r"\1 \1")


def _places_exchanged(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """Two placeholders of a text change places."""
    found = list(_HOLE.finditer(book.lines[n]))
    if len(found) < 2:
        return None
    one, other = sorted(rng.sample(found, 2), key=re.Match.start)
    line = book.lines[n]
    book.lines[n] = line[: one.start()] + other[0] + line[one.end() : other.start()] + one[0] + line[other.end() :]
    return [Edit("places_exchanged", (n + 1,), one[0], other[0])]


def _table(kind: str, tables: dict[str, list[tuple[str, str]]]) -> Maker:
    def make(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
        entries = list(tables.get(book.language, ()))
        rng.shuffle(entries)
        return next((made for pattern, new in entries if (made := exchange(book, rng, n, kind, pattern, new))), None)

    return make


SLIP_MAKERS: Final[dict[str, Maker]] = {
    "twice": _twice,
    "places_exchanged": _places_exchanged,
    "article": _table("article", _ARTICLES),
    "counter": _table("counter", {"ja": _COUNTERS}),
}
