"""Sentences that YAML reads otherwise than they are written: cut at ` #`, with comments inside, with blanks put in.

YAML allows all three, so that only a place where a sentence is expected tells them from what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import east_asian_width, name

from rulespec.diagnostics.fixes import Fix, in_quotes, quoted, removed
from rulespec.diagnostics.model import Problems
from rulespec.source.text import Span
from rulespec.source.tree import Scalar

_COMMENT: Final = re.compile(r"[ \t]+(#[^\n]*)")
_COMMENT_LINE: Final = re.compile(r"^[ \t]*(#[ \t][^\n]*)$", re.MULTILINE)
_FOLD: Final = re.compile(r"(\S)([ \t]*\r?\n[ \t]*)(?=(\S))")
_BLOCKS: Final = ("literal", "folded")
_SENTENCE_ENDS: Final = "。！？…」』）"  #: a blank behind them is seen often


def check_sentence(node: Scalar, problems: Problems) -> None:
    """Reports where a text for people is not what stands in the file."""
    if node.style == "plain":
        _check_cut(node, problems)
    if node.style in _BLOCKS:
        _check_comment_lines(node, problems)
    if node.style != "literal":
        _check_folds(node, problems)


def _check_cut(node: Scalar, problems: Problems) -> None:
    """A text without quotes ends where a comment begins, whether a comment was meant or not."""
    file = node.span.file
    comment = _COMMENT.match(file.text, node.span.end)
    if comment is None:
        return
    rest = comment[0].rstrip()
    hint = f"Put the text in quotes: {quoted(node.text + rest)}. A comment stands on a line of its own."
    whole = Span(file, node.span.start, node.span.end + len(rest))
    fixes = () if "\n" in whole.text else _quotes(node.span, whole, is_text=not comment[1].startswith(("# ", "#\t")))
    problems.add("RS267", Span(file, comment.start(1), whole.end), hint=hint, fixes=fixes)


def _quotes(read: Span, whole: Span, *, is_text: bool) -> tuple[Fix, ...]:
    """Quotes around all of a text, or around what YAML reads of it: by how the sign of comments stands there."""
    fixes = (
        in_quotes(whole, is_certain=is_text),
        in_quotes(read, "Put what stands before the comment in quotes", is_certain=not is_text),
    )
    return fixes if is_text else fixes[::-1]


def _check_comment_lines(node: Scalar, problems: Problems) -> None:
    """A line that looks like a comment, in a block, where there are no comments."""
    for found in _COMMENT_LINE.finditer(node.content.text):
        start = node.content.start + found.start(1)
        problems.add("RS268", Span(node.span.file, start, start + len(found[1].rstrip())))


def _check_folds(node: Scalar, problems: Problems) -> None:
    """A line break that YAML reads as a blank, between characters that have no blanks between them."""
    if node.text.isascii():
        return
    for found in _folds(node):
        start = node.content.start + found.start(1)
        line = Span(node.span.file, node.content.start + found.start(2), node.content.start + found.end(2))
        fix = removed(line, "Join the two lines")
        problems.add("RS269", Span(node.span.file, start, start + 1), fixes=(fix,))


def _folds(node: Scalar) -> Iterator[re.Match[str]]:
    for found in _FOLD.finditer(node.content.text):
        if found[1] not in _SENTENCE_ENDS and _stands_close(found[1]) and _stands_close(found[3]):
            yield found


def _stands_close(character: str) -> bool:
    """Whether a character stands directly beside the next one: wide ones do, but for those of Korean."""
    return east_asian_width(character) in "WF" and not name(character, "").startswith("HANGUL")
