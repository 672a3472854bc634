"""A stretch of a file taken out, with what belongs to it: its comma, its lines, and the comments above and behind it.

edit = taken_out(span, in_braces=False)
"""

from __future__ import annotations

import re
from typing import Final

from rulespec.diagnostics.fixes import Edit
from rulespec.source.comments import comment_at
from rulespec.source.text import SourceFile, Span

_TO_COMMA: Final = re.compile(r"(?:\s|(?<=\s)#[^\n]*)*,")
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
_NEXT: Final = re.compile(r"\s*")
#: A line for editors at the top of a file: it is said of the whole file.
_OF_FILE: Final = re.compile(r"\s*#\s*yaml-language-server:")


def line_break(file: SourceFile) -> str:
    """How the lines of a file end."""
    return "\r\n" if "\r\n" in file.text else "\n"


def end_of_line(file: SourceFile, at: int) -> int:
    """Where the line of a place ends, before its break."""
    end = file.text.find("\n", at)
    end = len(file.text) if end < 0 else end
    return end - 1 if file.text[max(0, end - 1) : end] == "\r" else end


def indent_of(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip(" "))


def taken_out(span: Span, *, in_braces: bool) -> Edit:
    """A stretch taken out: in braces with its comma, else with its lines, where nothing else stands in them."""
    return _from_braces(span) if in_braces else _from_lines(span)


def leaves_nothing(edit: Edit) -> bool:
    """Whether a file says nothing any more after an edit: blanks, comments and empty braces are all that is left."""
    text = edit.span.file.text
    return not any(map(_says, text[: edit.span.start].split("\n"))) and not any(
        map(_says, text[edit.span.end :].split("\n"))
    )


def _says(line: str) -> bool:
    return bool(line[: comment_at(line)].strip(" \t\r{},")) and line.rstrip() not in ("---", "...")


# ---- in lines --------------------------------------------------------------------------------------------------------


def _from_lines(span: Span) -> Edit:
    file, text = span.file, span.file.text
    start, end = file.line_starts[span.line - 1], _last_end(span)
    if not text[start : span.start].strip():
        return Edit(Span(file, _comments_above(file, span.line), _next_line(text, end)), "")
    following = re.compile(r"\r?\n *").match(text, end)  # the first entry of an item stands on the line of its dash
    if following is None:
        return Edit(Span(file, span.start, end), "")
    if text.startswith("#", following.end()):  # the comment of the next entry stays over it
        return Edit(Span(file, start + len(text[start : span.start].rstrip()), end), "")
    return Edit(Span(file, span.start, following.end()), "")


def _last_end(span: Span) -> int:
    """The end of the last line of an entry: comments behind it that stand deeper than its key are its own."""
    file = span.file
    end, indent = end_of_line(file, span.end), span.column - 1
    for line in range(file.line_and_column(span.end)[0] + 1, len(file.line_starts) + 1):
        text = file.line_text(line)
        if not text.lstrip().startswith("#") or indent_of(text) <= indent:
            break
        end = file.line_starts[line - 1] + len(text)
    return end


def _comments_above(file: SourceFile, line: int) -> int:
    """Where the comments begin that stand directly above a line; those that stand deeper are of what is above them."""
    indent, first = indent_of(file.line_text(line)), line
    while _is_comment(file, first - 1):
        first -= 1
    above = file.line_text(first - 1) if first > 1 else ""
    if above.strip() and not _OF_FILE.match(above) and indent_of(above) >= indent:
        first = line
        while _is_comment(file, first - 1) and indent_of(file.line_text(first - 1)) <= indent:
            first -= 1
    return file.line_starts[first - 1]


def _is_comment(file: SourceFile, line: int) -> bool:
    text = file.line_text(line) if line > 0 else ""
    return text.lstrip().startswith("#") and not _OF_FILE.match(text)


def _next_line(text: str, end: int) -> int:
    """Behind the break of a line that ends at a place."""
    end += text.startswith("\r", end)
    return end + text.startswith("\n", end)


# ---- in braces -------------------------------------------------------------------------------------------------------


def _from_braces(span: Span) -> Edit:
    file, text = span.file, span.file.text
    start = file.line_starts[span.line - 1]
    comma = _TO_COMMA.match(text, span.end)
    end = _REST_OF_LINE.match(text, span.end if comma is None else comma.end()).end()  # type: ignore[union-attr]
    begins, ends = not text[start : span.start].strip(), end == end_of_line(file, end)
    first = _comments_above(file, span.line) if begins and (ends or comma is None) else span.start
    if comma is None:
        return _last(span, first, _next_line(text, end) if begins and ends else end if ends else span.end)
    if begins and ends:
        return Edit(Span(file, first, _next_line(text, end)), "")
    return Edit(Span(file, *_on_a_line(span, end, ends=ends)), "")


def _on_a_line(span: Span, end: int, *, ends: bool) -> tuple[int, int]:
    """What goes of a line on which other things stand before an entry, or behind it."""
    text = span.file.text
    if not ends:
        return span.start, end
    before = text[span.file.line_starts[span.line - 1] : span.start].rstrip()
    start = span.file.line_starts[span.line - 1] + len(before)
    following = _NEXT.match(text, end)
    if before.endswith(("{", "[")) and following is not None and not text.startswith("#", following.end()):
        return span.start, following.end()  # the next entry takes its place
    return start, end


def _last(span: Span, first: int, end: int) -> Edit:
    """Without the last entry: the comma before it goes too, and what is said of the entries before it stays."""
    file, text = span.file, span.file.text
    comma = _comma_before(file, first)
    if comma is None:
        return Edit(Span(file, first, end), "")
    kept = text[comma + 1 : first]
    if end > span.end and text[end - 1] == "\n":
        return Edit(Span(file, comma, end), kept)
    if not kept.strip():
        return Edit(Span(file, comma, end), "")
    return Edit(Span(file, comma, end), kept + text[file.line_starts[span.line - 1] : span.start])


def _comma_before(file: SourceFile, at: int) -> int | None:
    """The comma before a place, where only blanks and comments stand between."""
    for line in range(file.line_and_column(at)[0], 0, -1):
        start = file.line_starts[line - 1]
        text = file.line_text(line)[: max(0, at - start)]
        said = text[: comment_at(text)].rstrip()
        if said:
            return start + len(said) - 1 if said.endswith(",") else None
    return None
