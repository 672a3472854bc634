"""A forgiving scanner for text that the grammar refused: pieces of it with places, and the brackets around a place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rulespec.diagnostics.fixes import Fix
from rulespec.diagnostics.model import Problems, Related
from rulespec.expr.words import INFIX_WORDS, JOINING_WORDS, OPERATOR_FORMS, PREFIX_WORDS, VALUE_WORDS, WORDS
from rulespec.source.text import Span

_PIECE = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<text>"[^"\n]*"?|'[^'\n]*'?|[`“”„«»‘’「」『』])
    | (?P<decimal>[0-9]+\.[0-9]\w*)
    | (?P<number>[0-9]+(?!\w))
    | (?P<word>\w+)
    | (?P<sign>\.\.|===|!==|==|!=|<=|>=|=<|=>|->|:=|\+=|-=|\+\+|&&|\|\||\*\*|<>|//|[-+*/%<>=!&|^~?:.,;()\[\]{}#@$\\])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)

#: Signs that stand between two values.
BINARY_SIGNS = frozenset({"+", "-", "*", "//", "%", "==", "!=", "<=", ">=", "<", ">", ".."})
COMPARING = frozenset({"==", "!=", "<=", ">=", "<", ">", "in"})
PARTNERS = {"(": ")", "[": "]", ")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text: `kind` is one of text, decimal, number, word, member (after a dot), sign, other, end."""

    kind: str
    text: str
    span: Span

    @property
    def ends_value(self) -> bool:
        """Whether a value can end with this piece, so that an operator may follow."""
        if self.kind == "word":
            return self.text not in WORDS or self.text in VALUE_WORDS
        return self.kind in ("number", "decimal", "text", "member") or self.text in (")", "]")

    @property
    def begins_value(self) -> bool:
        """Whether a value can begin with this piece."""
        if self.kind == "word":
            return self.text not in INFIX_WORDS | JOINING_WORDS
        return self.kind in ("number", "decimal", "text") or self.text in ("(", "[", "-")

    @property
    def wants_more(self) -> bool:
        """Whether something must follow this piece: an operator, or a word that joins."""
        if self.kind == "word":
            return self.text in INFIX_WORDS | JOINING_WORDS | PREFIX_WORDS
        return self.text in BINARY_SIGNS


@dataclass(frozen=True, slots=True)
class Scan:
    """All pieces of one expression, and which of them the parser refused (`at`; the last piece is the end)."""

    span: Span
    pieces: tuple[Piece, ...]
    at: int

    @property
    def refused(self) -> Piece:
        return self.pieces[self.at]

    @property
    def before(self) -> Piece | None:
        return self.pieces[self.at - 1] if self.at else None

    @property
    def after(self) -> Piece | None:
        return self.pieces[self.at + 1] if self.at + 1 < len(self.pieces) else None

    def open_brackets(self) -> list[int]:
        """The places of the brackets that are open before the refused piece, outermost first."""
        open_at: list[int] = []
        for number in range(self.at):
            text = self.pieces[number].text
            if text in ("(", "["):
                open_at.append(number)
            elif text in (")", "]") and open_at:
                open_at.pop()
        return open_at

    def level(self) -> list[Piece]:
        """The pieces before the refused one in the same brackets, without what stands in inner ones."""
        found: list[Piece] = []
        depth = 0
        for number in range(self.at - 1, -1, -1):
            piece = self.pieces[number]
            if piece.text in (")", "]"):
                depth += 1
            elif piece.text in ("(", "["):
                if depth == 0:
                    break
                depth -= 1
            elif depth == 0:
                found.append(piece)
        return found[::-1]

    def operator(self) -> Piece | None:
        """The word of the closed operator whose brackets hold the refused piece directly."""
        open_at = self.open_brackets()
        if not open_at or open_at[-1] == 0 or self.pieces[open_at[-1]].text != "(":
            return None
        word = self.pieces[open_at[-1] - 1]
        return word if word.kind == "word" and word.text in OPERATOR_FORMS else None


@dataclass(frozen=True, slots=True)
class Case:
    """What a judge looks at; `wanted` are the grammar's terminals that could have stood there."""

    scan: Scan
    wanted: frozenset[str]
    problems: Problems

    @property
    def piece(self) -> Piece:
        return self.scan.refused

    @property
    def before(self) -> Piece | None:
        return self.scan.before

    @property
    def is_after_value(self) -> bool:
        """Whether a value ended just before, so that an operator could have stood here."""
        return self.before is not None and self.before.ends_value and not self.wants_value

    @property
    def wants_value(self) -> bool:
        """Whether a value should have begun here."""
        return "INT" in self.wanted

    def say(
        self,
        code: str,
        span: Span,
        hint: str | None = None,
        *,
        there: Related | None = None,
        fixes: Iterable[Fix] = (),
        **args: object,
    ) -> bool:
        """Report the mistake; always true, which ends the judging."""
        related = () if there is None else (there,)
        self.problems.add(code, span, hint=hint, near=None, related=related, fixes=fixes, **args)
        return True


def pieces_of(span: Span) -> list[Piece]:
    """The pieces of `span`, without one for its end. Any text has some."""
    pieces: list[Piece] = []
    for found in _PIECE.finditer(span.file.text, span.start, span.end):
        kind = found.lastgroup or "other"
        if kind == "space" and (found.group().isascii()):
            continue
        if kind == "word" and pieces and pieces[-1].text == ".":
            kind = "member"
        pieces.append(Piece(kind, found.group(), Span(span.file, found.start(), found.end())))
    return pieces


def scan(span: Span, refused_at: int) -> Scan:
    """The pieces of `span`; `refused_at` is the offset in the file at which the parser stopped."""
    pieces = pieces_of(span)
    last_end = pieces[-1].span.end if pieces else span.start
    pieces.append(Piece("end", "", Span(span.file, last_end, last_end)))
    at = next((number for number, piece in enumerate(pieces) if piece.span.end > refused_at), len(pieces) - 1)
    return Scan(span, tuple(pieces), at)
