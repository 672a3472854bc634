"""Fixes of syntax errors in expressions, made of the pieces around the place where the parser stopped."""

from __future__ import annotations

import re
from typing import Final

from rulespec.diagnostics.fixes import Edit, Fix, added, removed, replaced
from rulespec.expr.scan import Case, Piece
from rulespec.expr.words import INFIX_WORDS, JOINING_WORDS
from rulespec.source.text import Span

#: A value that may stand twice in an expression: a name, a member of it, a number.
_SIMPLE: Final = re.compile(r"[\w.]+(\[[\w, ]+\])?")
_LIST_IN_BRACKETS: Final = re.compile(r"(list|set)\s*(?:\[\s*([^\[\]]+?)\s*\]|<\s*([^<>]+?)\s*>|\(\s*([^()]+?)\s*\))")
_RANGE_OF_OTHERS: Final = re.compile(r"([a-z0-9_]+)\s*(?:-|to|\.\.\.)\s*([a-z0-9_]+)")
_MAY_BE_NONE: Final = re.compile(r"([a-z0-9_.]+(?:\s+of\s+[a-z0-9_]+)?)\s*\?")
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
#: What an escape may say so that it can stand in an expression as it is.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_+*/%<>=!.,()\[\] -]")


def sign_as(span: Span, text: str) -> Fix:
    """A word or sign in the place of a sign, with blanks around a word."""
    whole, before, after = span.file.text, span.file.text[: span.start][-1:], span.file.text[span.end : span.end + 1]
    if text.isalpha():
        text = f"{' ' if before.isalnum() or before in ('_', ')', ']') else ''}{text}"
        text = f"{text}{' ' if span.end < len(whole) and not after.isspace() else ''}"
    return replaced(span, text, title=f"Change to `{text.strip()}`")


def as_choice(case: Case) -> tuple[Fix, ...]:
    """`a ? b : c` as `if a then b else c`, where that is the whole expression."""
    pieces = case.scan.pieces
    signs = [piece for piece in pieces if piece.text in ("?", ":")]
    if [piece.text for piece in signs] != ["?", ":"] or case.scan.open_brackets():
        return ()
    start = pieces[0].span.start
    edits = (
        Edit(Span(case.scan.span.file, start, start), "if "),
        *sign_as(signs[0].span, "then").edits,
        *sign_as(signs[1].span, "else").edits,
    )
    return (Fix("Write `if … then … else …`", edits),)


def joined_comparisons(case: Case, first: Piece) -> tuple[Fix, ...]:
    """`a < b < c` as `a < b and b < c`."""
    piece = case.piece
    middle = Span(piece.span.file, first.span.end, piece.span.start).text.strip()
    if not _SIMPLE.fullmatch(middle) or piece.text in ("not", "in"):
        return ()
    return (added(piece.span, piece.span.start, f"and {middle} ", "Join two comparisons with `and`"),)


def grouped(case: Case) -> tuple[Fix, ...]:
    """A looser operator in brackets: up to where what stands around it goes on."""
    ends = {*INFIX_WORDS, *JOINING_WORDS} - {"in"} if case.piece.text != "if" else set[str]()
    depth, end = 0, case.piece.span.end
    for piece in case.scan.pieces[case.scan.at + 1 :]:
        depth += (piece.text in ("(", "[")) - (piece.text in (")", "]"))
        if piece.kind == "end" or depth < 0 or (depth == 0 and (piece.text == "," or piece.text in ends)):
            break
        end = piece.span.end
    file, start = case.piece.span.file, case.piece.span.start
    edits = (Edit(Span(file, start, start), "("), Edit(Span(file, end, end), ")"))
    return (Fix(f"Put brackets around `{case.piece.text} …`", edits),)


def closed(case: Case, bracket: str) -> tuple[Fix, ...]:
    """The bracket that is missing, at the end: it may also belong before."""
    end = case.scan.pieces[-1].span.start
    return (added(case.piece.span, end, bracket, f"Add `{bracket}` at the end", is_certain=False),)


def without_comma(case: Case) -> tuple[Fix, ...]:
    """A list that ends with a comma without it; in the brackets of a call a value may be missing."""
    before, piece = case.before, case.piece
    if before is None or before.text != "," or piece.text == ",":
        return ()
    span = Span(piece.span.file, before.span.start, piece.span.start)
    return (removed(span, "Delete the comma", is_certain=piece.text == "]"),)


def type_as(case: Case) -> tuple[Fix, ...]:
    """A type as it is written here, where it is written as in other languages."""
    span = case.scan.span
    text = span.text.strip()
    start = span.start + span.text.index(text) if text else span.start
    place = Span(span.file, start, start + len(text))
    if found := _LIST_IN_BRACKETS.fullmatch(text):
        return (replaced(place, f"{found[1]} of {found[2] or found[3] or found[4]}"),)
    if found := _MAY_BE_NONE.fullmatch(text):
        return (replaced(place, f"{found[1]} or none"),)
    if found := _RANGE_OF_OTHERS.fullmatch(text):
        return (replaced(place, f"{found[1]}..{found[2]}"),)
    return ()


def without_escape(span: Span) -> tuple[Fix, ...]:
    """The character that an escape in double quotes says, where it may stand there as it is."""
    found = _ESCAPE.match(span.file.text, span.start)
    if found is None:
        return ()
    code = int(found[1] or found[2] or found[3], 16)
    mark = chr(code) if code <= 0x7F else ""
    return (replaced(Span(span.file, *found.span()), mark),) if _PLAIN.fullmatch(mark) else ()


def range_of(case: Case) -> tuple[Fix, ...]:
    """`1 to 4` as `1..4`."""
    before, after = case.before, case.scan.after
    if before is None or after is None or after.kind == "end":
        return ()
    span = Span(case.piece.span.file, before.span.end, after.span.start)
    return (replaced(span, "..", title="Write `..`"),)


def comparison_of(case: Case) -> tuple[str, tuple[Fix, ...]]:
    """`is`, `is not`, `is in` and `is not in` as one sign or word, with the hint that says it."""
    pieces, at, end = case.scan.pieces, case.scan.at, case.piece.span.end
    words = ["is"]
    for piece in pieces[at + 1 : at + 3]:
        if piece.text not in ("not", "in") or words[-1] == "in":
            break
        words.append(piece.text)
        end = piece.span.end
    sign = {"is": "==", "is not": "!=", "is in": "in", "is not in": "not in"}.get(" ".join(words))
    if sign is None:  # `is not not`
        return "Write `!=` to compare.", ()
    use = "to compare" if len(sign) == 2 and sign != "in" else "to ask for a member"
    return f"Write `{sign}` {use}.", (replaced(Span(case.piece.span.file, case.piece.span.start, end), sign),)
