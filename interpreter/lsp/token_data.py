"""Coloured stretches as the numbers of the protocol, and what changed in them since an editor asked last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from lsprotocol import types as lsp

from rulespec.service.positions import Lines
from rulespec.service.tokens import KINDS, MODIFIERS, Token

LEGEND = lsp.SemanticTokensLegend(list(KINDS), list(MODIFIERS))

#: How many files' last answers are kept.
MOST = 64

_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


class TokenData:
    """The last answer for each file, so that the next one can be told as a change of it."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[str, list[int]]] = OrderedDict()
        self._count = 0

    @staticmethod
    def numbers(tokens: Iterable[Token], lines: Lines, encoding: str) -> list[int]:
        """Five numbers for each: lines and columns from the one before, length, kind, modifiers."""
        found: list[int] = []
        line = column = 0
        for token in tokens:
            at, end = lines.position(token.start, encoding), lines.position(token.end, encoding)
            if at.line != end.line or (at.line, at.column) < (line, column):
                continue  # no word spans lines; what stands twice is told once
            found += [
                at.line - line,
                at.column - (column if at.line == line else 0),
                end.column - at.column,
                _NUMBERS[token.kind],
                token.modifiers,
            ]
            line, column = at.line, at.column
        return found

    def whole(self, uri: str, numbers: list[int]) -> lsp.SemanticTokens:
        """All of a file's numbers."""
        self._count += 1
        self._last[uri] = str(self._count), numbers
        self._last.move_to_end(uri)
        while len(self._last) > MOST:
            self._last.popitem(last=False)
        return lsp.SemanticTokens(numbers, str(self._count))

    def changed(self, uri: str, before: str, numbers: list[int]) -> lsp.SemanticTokens | lsp.SemanticTokensDelta:
        """What is another since an answer; the whole where that one is not known any more."""
        identity, old = self._last.get(uri, ("", []))
        whole = self.whole(uri, numbers)
        if identity != before:
            return whole
        return lsp.SemanticTokensDelta(edits(old, numbers), whole.result_id)


def edits(old: list[int], new: list[int]) -> list[lsp.SemanticTokensEdit]:
    """The one stretch of numbers that is replaced, or none."""
    if old == new:
        return []
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    return [lsp.SemanticTokensEdit(first, len(old) - last - first, new[first : len(new) - last])]
