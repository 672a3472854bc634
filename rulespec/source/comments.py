"""Comments that break a value off, found where the YAML parser gave up some lines later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulespec.source.text import SourceFile, Span

_KEY: Final = re.compile(r"\s*(?:- *)*[\w.]+:(?:\s|$)")
_BEFORE_A_VALUE: Final = ":,{[-"
#: How many lines a text without quotes is looked for above the one that does not fit.
_FARTHEST: Final = 20


def comment_at(line: str) -> int | None:
    """Where the comment of a line begins; None where it has none. Quotes open where a value can begin."""
    at, closing = 0, ""
    while at < len(line):
        mark = line[at]
        if closing:
            at += closing == '"' and mark == "\\"
            closing = "" if mark == closing else closing
        elif mark in "\"'" and line[:at].rstrip()[-1:] in (*_BEFORE_A_VALUE, ""):
            closing = mark
        elif mark == "#" and line[at - 1 : at].strip() == "":
            return at
        at += 1
    return None


def comment_in_brackets(file: SourceFile, began: int, at: int) -> Span | None:
    """The comment between two places that took a closing bracket away, or a comma that a value needs behind it."""
    for line in _lines(file, began, at):
        text = file.line_text(line)
        start = comment_at(text)
        if start and (_closes(text[start:]) or ("," in text[start:] and _ends_value(text[:start]))):
            return _comment(file, line, start)
    return None


def _closes(comment: str) -> bool:
    return sum(map(comment.count, "}]")) > sum(map(comment.count, "{["))


def _ends_value(before: str) -> bool:
    return before.rstrip()[-1:] not in (*"{[,:", "")


def _lines(file: SourceFile, began: int, at: int) -> Iterator[int]:
    yield from range(file.line_and_column(began)[0], file.line_and_column(at)[0] + 1)


def without_comments(text: str) -> str:
    """A text with blanks in the place of its comments."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        start = comment_at(line)
        if start is not None:
            lines[number] = line[:start].ljust(len(line))
    return "\n".join(lines)


def comment_in_text(file: SourceFile, at: int) -> Span | None:
    """The comment above a line that goes on with a text without quotes, and that it cannot go on behind."""
    number = file.line_and_column(at)[0]
    if _KEY.match(file.line_text(number)):
        return None
    found: Span | None = None
    for line in range(number - 1, max(0, number - _FARTHEST), -1):
        text = file.line_text(line)
        start = comment_at(text)
        if start is not None:
            found = _comment(file, line, start)
        if text[:start].strip():
            return found if start is not None or found is not None else None
    return None


def _comment(file: SourceFile, line: int, start: int) -> Span:
    place = file.line_starts[line - 1]
    return Span(file, place + start, place + len(file.line_text(line).rstrip()))
