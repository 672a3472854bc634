"""A rulebook as one HTML file: nothing is fetched from elsewhere, and it prints well."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from interpreter.book.document import ADDED, REMOVED, Book, Entry, Paragraph, Part, Picture, Table, Words
from interpreter.book.paragraphs import blocks
from interpreter.book.svg import svg
from interpreter.draw.ink import clean
from rulespec.source.characters import BREAKS

_TAGS = {ADDED: "ins", REMOVED: "del"}


def html(book: Book) -> str:
    """The whole file."""
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{_said(book.language)}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_said(book.title)}</title>",
            f"<style>\n{_style()}</style>",
            "</head>",
            "<body>",
            *_front(book),
            "<main>",
            *(line for part in book.parts for line in _part(book, part, 2)),
            *_index(book),
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _style() -> str:
    return files("interpreter.book").joinpath("book.css").read_text(encoding="utf-8")


def _said(text: str) -> str:
    return escape(clean(text, BREAKS))


# ---- the front ----------------------------------------------------------------------------------------


def _front(book: Book) -> Iterator[str]:
    yield "<header>"
    yield f"<h1>{_said(book.title)}</h1>"
    if book.variants:
        yield f'<p class="variants">{_said(", ".join(book.variants))}</p>'
    if book.reconstructed:
        yield f'<p class="reconstructed">{_said(book.reconstructed)}</p>'
    if any(_changes(part) for part in book.parts):
        marks = f"<ins>{_said(book.labels['added'])}</ins> <del>{_said(book.labels['removed'])}</del>"
        yield f'<p class="key">{_said(book.labels["changed"])} {marks}</p>'
    yield f'<nav aria-label="{_said(book.labels["contents"])}">'
    yield f"<h2>{_said(book.labels['contents'])}</h2>"
    yield from _contents(book.parts)
    yield "</nav>"
    yield "</header>"


def _changes(part: Part) -> bool:
    return any(rule.changed for each in part.every() for rule in each.rules)


def _contents(parts: tuple[Part, ...]) -> Iterator[str]:
    yield "<ol>"
    for part in parts:
        yield f'<li><a href="#{_place(part)}">{part.number} {_said(part.title)}</a>'
        if part.parts:
            yield from _contents(part.parts)
        yield "</li>"
    yield "</ol>"


def _place(part: Part) -> str:
    return f"part-{part.number}"


# ---- parts ----------------------------------------------------------------------------------------------


def _part(book: Book, part: Part, level: int) -> Iterator[str]:
    yield f'<section id="{_place(part)}">'
    yield f'<h{level}><span class="n">{part.number}</span> {_said(part.title)}</h{level}>'
    for show in part.shows:
        yield from _table(show) if isinstance(show, Table) else _picture(show, part)
    for rule in part.rules:
        yield from _rule(book, rule)
    for smaller in part.parts:
        yield from _part(book, smaller, min(level + 1, 6))
    yield "</section>"


def _rule(book: Book, rule: Paragraph) -> Iterator[str]:
    other = f' lang="{_said(rule.language)}"' if rule.language != book.language else ""
    marks = ' class="rule changed"' if rule.changed else ' class="rule"'
    told = f' title="{_said(", ".join(rule.ledger))}"' if rule.ledger else ""
    yield f'<div id="rule-{_said(rule.rule)}"{marks}{other}>'
    yield f'<span class="n"{told}>{rule.number}</span>'
    title = f"<strong>{_said(rule.title)}</strong> " if rule.title else ""
    for block in blocks(rule.text):
        if block.listed:
            yield f"<ul>{''.join(f'<li>{_words(line)}</li>' for line in block.lines)}</ul>"
        else:
            yield f"<p>{title}{_words(block.lines[0])}</p>"
            title = ""
    yield "</div>"


def _words(text: Words) -> str:
    return "".join(_stretch(stretch.text, _TAGS.get(stretch.change)) for stretch in text)


def _stretch(text: str, tag: str | None) -> str:
    return f"<{tag}>{_said(text)}</{tag}>" if tag else _said(text)


def _table(table: Table) -> Iterator[str]:
    yield "<table>"
    if table.title:
        yield f"<caption>{_said(table.title)}</caption>"
    heads = "".join(f'<th scope="col">{_said(head)}</th>' for head in table.head)
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for first, *rest in (row for row in table.rows if row):
        cells = "".join(f"<td>{_words(cell)}</td>" for cell in rest)
        yield f'<tr><th scope="row">{_words(first)}</th>{cells}</tr>'
    yield "</tbody>"
    yield "</table>"


def _picture(picture: Picture, part: Part) -> Iterator[str]:
    yield "<figure>"
    yield svg(picture.lines, clean(picture.title or part.title))
    if picture.title:
        yield f"<figcaption>{_said(picture.title)}</figcaption>"
    yield "</figure>"


# ---- the index ------------------------------------------------------------------------------------------


def _index(book: Book) -> Iterator[str]:
    if not book.index:
        return
    yield '<section id="index">'
    yield f"<h2>{_said(book.labels['index'])}</h2>"
    yield "<ul>"
    for entry in book.index:
        yield f"<li>{_entry(entry)}</li>"
    yield "</ul>"
    yield "</section>"


def _entry(entry: Entry) -> str:
    others = "".join(f' <i lang="{_said(code)}">{_said(term)}</i>' for code, term in entry.elsewhere)
    places = ", ".join(f'<a href="#part-{number}">{number}</a>' for number in entry.parts)
    return f"<b>{_said(entry.term)}</b>{others} {places}"
