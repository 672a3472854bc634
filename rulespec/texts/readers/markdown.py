"""Markdown: headings and entries of lists are known as such; the marks themselves and code are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulespec.texts.document import Row

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+")
_CLOSING: Final = re.compile(r"(?<!\s)\s+#+\s*$")
_UNDERLINE: Final = re.compile(r"\s*(?:=+|-{3,}|\*{3,}|_{3,})\s*$")
_TABLE_RULE: Final = re.compile(r"(?=.[^|]*\|)[\s:|-]+$")
_FIELD: Final = re.compile(r"[\w-]+:(?: |$)")
_OF_FIELDS: Final = re.compile(rf"{_FIELD.pattern}|\s+\S|- |#")  #: what stands below the first one
_QUOTE: Final = re.compile(r"\s*>\s?")
# None of these looks past the next mark of its own kind: from each of many that never close, a search to the end of the
# line would take the square of its length.
_IMAGE: Final = re.compile(r"!\[[^\[\]]*\]\([^)\[]*\)")
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\([^)\[]*\)")
_COMMENT: Final = re.compile(r"<!--(?:(?!<!--).)*?-->")


def rows_of_markdown(text: str) -> list[Row]:
    """The lines of a Markdown text."""
    return list(_rows(text))


def _rows(text: str) -> Iterator[Row]:
    fenced = False
    lines = text.split("\n")
    front = _front(lines)
    for number, line in enumerate(lines, 1):
        if number <= front:
            yield Row(number, 1, "")
        elif _FENCE.match(line):
            fenced = not fenced
            yield Row(number, 1, "")
        elif fenced or _UNDERLINE.fullmatch(line) or _TABLE_RULE.fullmatch(line):
            yield Row(number, 1, "")
        elif "|" in line and line.strip().startswith("|"):
            yield from _cells(number, line)
        else:
            yield _row(number, line)


def _front(lines: list[str]) -> int:
    """How many lines at the beginning are fields for programs, between two lines of `---`: no part of the text."""
    if lines[0].strip() != "---":
        return 0
    end = next((n for n, line in enumerate(lines[1:], 2) if line.strip() in ("---", "...")), 0)
    fields = [line for line in lines[1 : end - 1] if line.strip()]
    first = next((line for line in fields if not line.startswith("#")), "")  # a heading, or a remark of YAML
    return end if _FIELD.match(first) and all(_OF_FIELDS.match(line) for line in fields) else 0


def _row(number: int, line: str) -> Row:
    heading = _HEADING.match(line)
    start = heading.end() if heading is not None else 0
    if (quote := _QUOTE.match(line)) is not None:
        start = quote.end()
    words = _blanked(line[start:])
    if heading is not None:
        return Row(number, start + 1, _CLOSING.sub("", words).rstrip(), "heading", begins=True)
    return Row(number, start + 1, words.rstrip())


def _cells(number: int, line: str) -> Iterator[Row]:
    """The cells of a table's row, each a block of its own."""
    at = 0
    for cell in line.split("|"):
        if cell.strip():
            yield Row(number, at + 1, _blanked(cell).rstrip(), "entry", begins=True)
        at += len(cell) + 1


def _blanked(text: str) -> str:
    """A text whose pictures, comments and addresses are blanks, so that every place stays."""
    text = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    text = _IMAGE.sub(lambda match: " " * len(match[0]), text)
    return _LINK.sub(lambda match: f" {match[1]}".ljust(len(match[0])), text)
