"""Where a stretch of a text stands in its file: YAML folds lines and reads escapes, so that both have other places."""

from __future__ import annotations

import re
from functools import lru_cache

from rulespec.source.text import Span
from rulespec.source.tree import Scalar

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)", re.DOTALL)
_BLANKS = re.compile(r"\s+")


def span_of(node: Scalar, start: int, end: int) -> Span:
    """The place in the file of `node.text[start:end]`; that of the whole value where it cannot be told."""
    places = _places(node.style, node.content.text, node.text)
    if places is None or not 0 <= start < end <= len(node.text):
        return _first_line(node)
    base = node.content.start
    first, last = places[start], places[end - 1]
    return Span(node.span.file, base + first[0], base + last[1])


def _first_line(node: Scalar) -> Span:
    span = node.content
    end = span.file.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.file, span.start, end)


@lru_cache(maxsize=4)  # of one text very many places may be asked
def _places(style: str, raw: str, text: str) -> list[tuple[int, int]] | None:
    """For each character of the value, where it begins and ends in the file's own text; None where they part ways."""
    at = 0
    found: list[tuple[int, int]] = []
    for character in text:
        at, length = _next(style, raw, at, character)
        if length == 0:
            return None
        found.append((at, at + length))
        at += length
    return found


def _next(style: str, raw: str, at: int, character: str) -> tuple[int, int]:
    """Where the next character of a value begins, and how long it is there; a length of 0 where it is not there."""
    if character in " \n" and at < len(raw) and raw[at].isspace():
        blanks = _BLANKS.match(raw, at)
        if blanks is not None and "\n" in blanks[0]:
            return at, len(blanks[0])
        return at, 1
    if character == "\n":
        return (at, 0) if style != "folded" else (at, 1)
    while at < len(raw) and raw[at].isspace() and raw[at] != character:
        at += 1
    escape = _ESCAPE.match(raw, at) if style == "double" else None
    if escape is not None:
        if escape[0][1] in "\r\n":
            return _next(style, raw, escape.end(), character)
        return at, len(escape[0])
    if style == "single" and raw.startswith("''", at):
        return at, 2
    return (at, 1) if at < len(raw) and raw[at] == character else (at, 0)
