"""A rulebook as Markdown: headings, numbered rules, tables, pictures as blocks of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.book.document import ADDED, REMOVED, Book, Paragraph, Part, Picture, Table, Words
from interpreter.book.paragraphs import blocks
from interpreter.draw.ink import clean, render
from rulespec.source.characters import BREAKS

#: What Markdown would read as its own, at any place of a text.
_SIGNS = re.compile(r"[\\`*_\[\]<>|#~]")
_MARKS = {ADDED: ("<ins>", "</ins>"), REMOVED: ("<del>", "</del>")}


def markdown(book: Book) -> str:
    """The whole text."""
    lines = [f"# {_said(book.title)}", ""]
    if book.variants:
        lines += [_said(", ".join(book.variants)), ""]
    if book.reconstructed:
        lines += [_said(book.reconstructed), ""]
    for part in book.parts:
        lines += _part(book, part, 2)
    if book.index:
        lines += [f"## {_said(book.labels['index'])}", ""]
        for entry in book.index:
            others = "".join(f" ({code}: {_said(term)})" for code, term in entry.elsewhere)
            lines.append(f"- **{_said(entry.term)}**{others} {', '.join(entry.parts)}")
        lines.append("")
    return "\n".join(lines)


def _said(text: str) -> str:
    return _SIGNS.sub(lambda sign: "\\" + sign[0], clean(text, BREAKS))


def _part(book: Book, part: Part, level: int) -> Iterator[str]:
    yield f"{'#' * min(level, 6)} {part.number} {_said(part.title)}"
    yield ""
    for show in part.shows:
        yield from _table(show) if isinstance(show, Table) else _picture(show)
    for rule in part.rules:
        yield from _rule(book, rule)
    for smaller in part.parts:
        yield from _part(book, smaller, level + 1)


def _rule(book: Book, rule: Paragraph) -> Iterator[str]:
    head = f"({rule.number}) "
    head += f"**{_said(rule.title)}** " if rule.title else ""
    head += f"[{_said(rule.language)}] " if rule.language != book.language else ""
    for block in blocks(rule.text):
        if block.listed:
            yield from (f"- {_words(line)}" for line in block.lines)
        else:
            yield f"{head}{_words(block.lines[0])}"
            head = ""
        yield ""


def _words(text: Words) -> str:
    parts = ((*_MARKS.get(stretch.change, ("", "")), _said(stretch.text)) for stretch in text)
    return "".join(f"{before}{words}{after}" for before, after, words in parts)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"**{_said(table.title)}**"
        yield ""
    yield f"| {' | '.join(map(_said, table.head))} |"
    yield f"|{' --- |' * len(table.head)}"
    for row in table.rows:
        yield f"| {' | '.join(_words(cell) for cell in row)} |"
    yield ""


def _picture(picture: Picture) -> Iterator[str]:
    if picture.title:
        yield f"**{_said(picture.title)}**"
        yield ""
    yield "```text"
    yield from (render(line) for line in picture.lines)
    yield "```"
    yield ""
