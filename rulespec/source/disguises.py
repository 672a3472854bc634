"""Characters in a file's structure, in names and in short values that are invisible or only look like what is meant."""

from __future__ import annotations

import re
from typing import Final

from rulespec.diagnostics.fixes import replaced
from rulespec.diagnostics.model import Problems
from rulespec.source.characters import first_strange, meant_by, mend_of, named
from rulespec.source.text import SourceFile, Span

_STRUCTURE: Final = re.compile(
    r"""
    (?P<before>(?:\s|[-－–—−‐ー\u200b-\u200f\u2060\u00ad](?!\w))*)  # indentation and dashes
    (?P<key>[\w.]*)
    (?P<colon>[^\w\s"'.]?)
    (?P<blank>[^\w"'#]*)        # and what opens a value
    """,
    re.VERBOSE,
)
_OPENS: Final = "｛［“”„「『‘’"
_IN_BRACKETS: Final = re.compile(
    r"""
      [{,，]\s*[\w.]+(：)                  # a colon behind a key
    | ([，、])\s*[\w.]+\s*[:：]            # a comma before one
    | [{,，]\s*[\w.]+:\s*([｛［“”„「『‘’])  # what opens a value
    | [\w"']\s*([｝］])
    """,
    re.VERBOSE,
)
_DASHES: Final = "－–—−‐ー"
#: Characters of a line that are looked at: what stands behind them is no key that anybody writes.
MOST_LOOKED_AT: Final = 400


def report_strange(file: SourceFile, at: int, problems: Problems, code: str = "RS145") -> None:
    """Reports the character at a place, with its name and its mend."""
    mark = file.text[at]
    hint = "Write `-`." if mark in _DASHES else mend_of(mark)
    plain, span = "-" if mark in _DASHES else meant_by(mark), Span(file, at, at + 1)
    fixes = () if plain is None else (replaced(span, plain, title=hint.removesuffix(".")),)
    problems.add(code, span, character=named(mark), hint=hint, fixes=fixes)


def strange_in(span: Span) -> int | None:
    """Where in the file the first character stands, in a stretch of it, that only looks like another one."""
    at = first_strange(span.text)
    return None if at is None else span.start + at


def strange_near(file: SourceFile, began: int, at: int) -> int | None:
    """Where such a character stands in what parts keys and values, in the lines of a place where the YAML parser gave
    up. What stands inside a text is not looked at.
    """
    last = file.line_and_column(at)[0]
    for line in dict.fromkeys((last, max(1, last - 1), file.line_and_column(began)[0])):
        found = _strange_in_line(file.line_text(line))
        if found is not None:
            return file.line_starts[line - 1] + found
    return None


def _strange_in_line(line: str) -> int | None:
    """The first such character of a line: before the key, behind it, or at the value's beginning."""
    structure = _STRUCTURE.match(line)
    if line.isascii() or structure is None:
        return None
    for at in range(min(structure.end(), MOST_LOOKED_AT)):
        if at < structure.end("colon") and _is_meant(line, at):
            return at
        if line[at] in _OPENS or meant_by(line[at]) in ("", " "):
            return at
    found = _IN_BRACKETS.search(line) if "{" in line else None
    return None if found is None or found.lastindex is None else found.start(found.lastindex)


def _is_meant(line: str, at: int) -> bool:
    """Whether another character is meant: a letter only where its whole word is of such ones."""
    if line[at] in _DASHES:
        return True
    strange = first_strange(line[: at + 1])
    return strange == at


def strange_in_key(span: Span) -> int | None:
    """Where in the file a key holds a character that only looks like another one; a dash before it is one too."""
    if span.text[:1] in _DASHES and span.text[1:2].isspace():
        return span.start
    return strange_in(span)
