"""What a variant changes in a book: stretches that it adds or removes, word by word where a language has words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby

from interpreter.book.document import ADDED, REMOVED, SAME, Book, Paragraph, Part, Picture, Stretch, Table, Words, words

#: A number, a word, a blank, or one sign: of a script without blanks each letter.
_TOKEN = re.compile(r"\d+|[^\W\d_぀-ヿ㐀-鿿]+|\s+|.", re.DOTALL)
#: Two texts that have less in common than this are shown whole, one after the other.
_ALIKE = 0.4


def marked(old: Book, new: Book) -> Book:
    """The new book, with what is not as in the old one marked; rules that are gone stand where they stood."""
    return replace(new, parts=_parts(old, new))


def _parts(old: Book, new: Book) -> tuple[Part, ...]:
    before = {each.rule: each for part in old.every_part() for each in part.rules}
    kept = {each.rule for part in new.every_part() for each in part.rules}
    gone = {part.title: [each for each in part.rules if each.rule not in kept] for part in old.every_part()}
    tables = {(part.title, at): show for part in old.every_part() for at, show in enumerate(part.shows)}
    parts = [_part(part, before, gone, tables) for part in new.parts]
    for title, rules in gone.items():  # where the whole part is gone
        if rules:
            removed = tuple(replace(each, text=_all(each.text, REMOVED)) for each in rules)
            parts.append(Part(str(len(parts) + 1), title, rules=removed))
    return tuple(parts)


def _part(
    part: Part,
    before: Mapping[str, Paragraph],
    gone: dict[str, list[Paragraph]],
    tables: Mapping[tuple[str, int], Table | Picture],
) -> Part:
    rules = [_rule(before.get(each.rule), each) for each in part.rules]
    rules += [replace(each, text=_all(each.text, REMOVED)) for each in gone.pop(part.title, [])]
    shows = tuple(_show(tables.get((part.title, at)), show) for at, show in enumerate(part.shows))
    smaller = tuple(_part(each, before, gone, tables) for each in part.parts)
    return replace(part, rules=tuple(rules), shows=shows, parts=smaller)


def _rule(old: Paragraph | None, new: Paragraph) -> Paragraph:
    return replace(new, text=_all(new.text, ADDED) if old is None else compared(_plain(old.text), _plain(new.text)))


def _show(old: Table | Picture | None, new: Table | Picture) -> Table | Picture:
    """A table with marks; lines are told apart by their first cell. Of pictures no change is shown."""
    if not (isinstance(old, Table) and isinstance(new, Table)):
        return new
    lines = {_plain(row[0]): row for row in old.rows if row}
    kept = {_plain(row[0]) for row in new.rows if row}
    rows = [_row(lines.get(_plain(row[0])) if row else None, row) for row in new.rows]
    rows += [tuple(_all(cell, REMOVED) for cell in row) for first, row in lines.items() if first not in kept]
    return replace(new, rows=tuple(rows))


def _row(old: tuple[Words, ...] | None, new: tuple[Words, ...]) -> tuple[Words, ...]:
    if old is None or len(old) != len(new):
        return tuple(_all(cell, ADDED) for cell in new)
    return tuple(compared(_plain(one), _plain(other)) for one, other in zip(old, new, strict=True))


def compared(old: str, new: str) -> Words:
    """Two texts as one, with what was removed before what was added in its place."""
    if old == new:
        return words(new)
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return (*words(old, REMOVED), *words(new, ADDED))
    return tuple(_joined(_steps(matcher, before, after)))


def _steps(matcher: SequenceMatcher[str], before: list[str], after: list[str]) -> Iterator[Stretch]:
    for kind, start, end, begin, stop in matcher.get_opcodes():
        if kind == "equal":
            yield from words("".join(after[begin:stop]), SAME)
        else:
            yield from words("".join(before[start:end]), REMOVED)
            yield from words("".join(after[begin:stop]), ADDED)


def _joined(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    for change, run in groupby(stretches, key=lambda each: each.change):
        yield Stretch("".join(each.text for each in run), change)


def _plain(text: Words) -> str:
    return "".join(stretch.text for stretch in text if stretch.change != REMOVED)


def _all(text: Words, change: str) -> Words:
    return words(_plain(text), change)
