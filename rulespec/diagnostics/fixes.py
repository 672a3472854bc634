"""Mends as data: what is to stand elsewhere so that a problem is gone, and how such edits are put into texts.

    fix = Fix("Change to `coins`", (Edit(span, "coins"),))
    texts = applied(texts, edits_of([fix]))

A fix is *certain* where nobody who wrote the faulty text can have meant another one; only such are made without being
looked at, by `rulespec check --fix`. All others are offered in an editor.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from rulespec.source.text import Span

_BREAK: Final = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a file, and what is to stand there instead."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One mend of a problem: what it does in a few words, and the edits that belong together."""

    title: str
    edits: tuple[Edit, ...]
    is_certain: bool = True

    def placed(self, place: Callable[[Span], Span]) -> Fix:
        """The same fix at other places, such as those of files with other names."""
        return replace(self, edits=tuple(Edit(place(edit.span), edit.text) for edit in self.edits))


def inside(span: Span) -> Span:
    """A value without the quotes around it: a name is changed between them."""
    text = span.text
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return Span(span.file, span.start + 1, span.end - 1) if is_quoted else span


def replaced(span: Span, text: str, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """Another text in the place of all that stands there."""
    return Fix(title or f"Change to `{text}`", (Edit(span, text),), is_certain)


def changed(span: Span, text: str, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """Another text in the place of one, with its quotes kept."""
    return replaced(inside(span), text, title, is_certain=is_certain)


def either(span: Span, texts: Iterable[str]) -> tuple[Fix, ...]:
    """The fixes that change to one of these texts: certain where there is one alone."""
    listed = tuple(texts)
    return tuple(changed(span, text, is_certain=len(listed) == 1) for text in listed)


def added(span: Span, at: int, text: str, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """A text that is put in at an offset of a file."""
    return Fix(title or f"Add `{text.strip()}`", (Edit(Span(span.file, at, at), text),), is_certain)


def removed(span: Span, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """A stretch that is taken out."""
    return Fix(title or f"Delete `{' '.join(span.text.split())}`", (Edit(span, ""),), is_certain)


def quoted(text: str) -> str:
    """A text as a value of YAML in the quotes that need the fewest escapes, on one line; blanks in it stay."""
    flat = _BREAK.sub(" ", text.strip())
    if '"' not in flat and "\\" not in flat:
        return f'"{flat}"'
    return "'" + flat.replace("'", "''") + "'"


def in_quotes(span: Span, title: str = "Put it in quotes", *, is_certain: bool = True) -> Fix:
    """A value in quotes, which says what its characters say."""
    return Fix(title, (Edit(span, quoted(span.text)),), is_certain)


# ---- putting edits in ------------------------------------------------------------------------------------------------


class Together:
    """Edits that can be made at once: of two that touch one place the first is taken, and the other waits.

    Two that only put something in between stand one behind the other, but for those that put in the same key: the
    second goes into what the first makes.
    """

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._known: set[Edit] = set()
        self._places: dict[str, list[tuple[int, int]]] = {}  # of each file, in order; none meets another
        self._put_in: set[tuple[str, int, str]] = set()

    def take(self, fix: Fix) -> bool:
        """Takes all edits of a fix, or none; whether it could."""
        new = [edit for edit in fix.edits if edit not in self._known]
        if any(map(self._meets, new)):
            return False
        for edit in new:
            self._known.add(edit)
            self.edits.append(edit)
            place, places = (edit.span.start, edit.span.end), self._places.setdefault(edit.span.file.name, [])
            at = bisect_left(places, place)
            if places[at : at + 1] != [place]:
                places.insert(at, place)
            self._put_in.add((edit.span.file.name, edit.span.start, _first_word(edit.text)))
        return True

    def _meets(self, edit: Edit) -> bool:
        place, places = (edit.span.start, edit.span.end), self._places.get(edit.span.file.name, [])
        at = bisect_left(places, place)
        if places[at : at + 1] == [place]:
            is_put_in = place[0] == place[1]
            return not is_put_in or (edit.span.file.name, place[0], _first_word(edit.text)) in self._put_in
        return any(_touch(place, other) for other in places[max(0, at - 1) : at + 1])


def edits_of(fixes: Iterable[Fix]) -> tuple[Edit, ...]:
    """The edits of fixes that go together."""
    together = Together()
    for fix in fixes:
        together.take(fix)
    return tuple(together.edits)


def _touch(left: tuple[int, int], right: tuple[int, int]) -> bool:
    (a, b), (c, d) = left, right
    return a <= d and c <= b if a == b or c == d else a < d and c < b


def _first_word(text: str) -> str:
    return text.lstrip(" ,\r\n").partition(":")[0]


def applied(texts: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The texts of files after edits, which do not overlap; those without any stay as they are."""
    found = dict(texts)
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file.name, []).append(edit)
    for name, inner in by_file.items():
        found[name] = "".join(_pieces(found[name], sorted(inner, key=lambda one: (one.span.start, one.span.end))))
    return found


def _pieces(text: str, edits: Iterable[Edit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield text[at : edit.span.start]
        yield edit.text
        at = edit.span.end
    yield text[at:]
