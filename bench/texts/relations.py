"""Faults of relations between things: bounds, roles, order, conditions, whole rows, passages and stale sections."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from bench.texts.book import BULLET, Book, Edit, Maker, exchange, is_rule

#: Kinds of faults of relations, with how often each is put in beside the others.
RELATIONS: Final = {
    "bound": 4,
    "role": 4,
    "order": 4,
    "swapped_steps": 2,
    "condition_moved": 2,
    "adjacency": 3,
    "exception": 3,
    "and_or": 3,
    "unit": 3,
    "comparison": 3,
    "ordinal": 2,
    "plural": 2,
    "row_dropped": 2,
    "passage_moved": 1,
    "untranslated": 1,
}
_PASSAGE: Final = 3  #: lines of a passage that is moved or left in another language
_NEAR: Final = 6  #: how far a step stands, at most, from the one that it changes places with
_FAR: Final = 12  #: how far a passage is moved, at least, in lines
_WORDED: Final = (
    "bound",
    "role",
    "order",
    "adjacency",
    "exception",
    "and_or",
    "unit",
    "comparison",
    "ordinal",
    "plural",
)


@cache
def _tables() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("relations.yaml").read_text(encoding="utf-8"))
    return data


def _worded(kind: str) -> Maker:
    """Exchanges words, in small letters or with a capital."""

    def make(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
        entries = list(_tables()[book.language][kind])
        rng.shuffle(entries)
        for pattern, new in entries:
            if made := exchange(book, rng, n, kind, f"(?i){pattern}", new):
                return made
        return None

    return make


def _condition_moved(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """What holds under a condition holds always, and the sentence behind it holds under the condition."""
    pattern, new = _tables()[book.language]["condition"]
    return exchange(book, rng, n, "condition_moved", pattern, new)


def _swapped_steps(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """Two steps of a list, one behind the other, change places."""
    line = book.lines[n]
    one = BULLET.match(line)
    other = next((m for m in range(n + 1, min(n + _NEAR, len(book.lines))) if book.lines[m].strip()), None)
    two = BULLET.match(book.lines[other]) if other is not None else None
    if one is None or two is None or other is None:
        return None
    body, other_body = line[one.end() :], book.lines[other][two.end() :]
    book.lines[n], book.lines[other] = one[0] + other_body, two[0] + body
    return [Edit("swapped_steps", (n + 1, other + 1), body, other_body)]


def _row_dropped(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """A row of a table, or an entry of a list, is gone."""
    line = book.lines[n]
    if not (BULLET.match(line) or (line.startswith("|") and "---" not in line)):
        return None
    book.lines[n] = ""
    return [Edit("row_dropped", (n + 1, *_before(book, n)), line, "")]


def _before(book: Book, n: int) -> tuple[int, ...]:
    """The line before, at whose end it is told what is missing."""
    return next(((m + 1,) for m in range(n - 1, -1, -1) if book.lines[m].strip()), ())


def _passage_moved(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """A passage of some lines changes places with another one far away."""
    own = _passage(book, n)
    far = [m for m in book.usable if abs(m - n) >= _FAR and len(_passage(book, m)) == len(own)]
    if len(own) < _PASSAGE or not far:
        return None
    others = _passage(book, rng.choice(far))
    if set(own) & set(others):
        return None
    was = " ".join(book.lines[line] for line in own)
    for one, other in zip(own, others, strict=True):
        book.lines[one], book.lines[other] = book.lines[other], book.lines[one]
    return [Edit("passage_moved", tuple(line + 1 for line in (*own, *others)), was, was)]


def _passage(book: Book, n: int) -> list[int]:
    """Some lines of running text that follow each other, nothing but empty lines between."""
    found = [n]
    for m in range(n + 1, len(book.lines)):
        if len(found) == _PASSAGE:
            break
        if m in book.usable:
            found.append(m)
        elif book.lines[m].strip():
            break
    return found if len(found) == _PASSAGE else []


def _untranslated(book: Book, rng: random.Random, n: int) -> list[Edit] | None:
    """A passage is left in the language of the other book."""
    own, other = _passage(book, n), book.other.split("\n") if book.other else []
    start = round(n * len(other) / len(book.lines))
    foreign = [line for line in other[start:] if is_rule(line, book.other_language)][:_PASSAGE]
    if not own or len(foreign) < _PASSAGE:
        return None
    for line, text in zip(own, foreign, strict=True):
        book.lines[line] = text
    return [Edit("untranslated", tuple(line + 1 for line in own), "", foreign[0])]


#: What puts in a fault of each kind.
RELATION_MAKERS: Final[dict[str, Callable[[Book, random.Random, int], list[Edit] | None]]] = {
    **{kind: _worded(kind) for kind in _WORDED},
    "swapped_steps": _swapped_steps,
    "condition_moved": _condition_moved,
    "row_dropped": _row_dropped,
    "passage_moved": _passage_moved,
    "untranslated": _untranslated,
}
