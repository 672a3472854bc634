"""Answers in parts, for an editor that asks so with a token: the parts are told, and the answer has nothing left in it.

told, rest = portions([a, b, c])   # told: [[a, b, c]], rest: []
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from lsprotocol import types as lsp

#: How many results are told at a time, and how many numbers stand for a coloured word: no part ends within one.
BATCH, NUMBERS = 100, 5

T = TypeVar("T")


def portions(answer: Any) -> tuple[list[Any], Any]:
    """The parts of an answer, and what is answered behind them; no parts of what is no list."""
    match answer:
        case list():
            return list(cut(answer, BATCH)), []
        case lsp.CompletionList(items=items):  # the first part says what holds of all of them
            first, *more = [*cut(items, BATCH)] or [[]]
            return [lsp.CompletionList(answer.is_incomplete, first, answer.item_defaults), *more], []
        case lsp.SemanticTokens(data=data, result_id=known):
            parts = [lsp.SemanticTokensPartialResult(each) for each in cut(data, BATCH * NUMBERS)]
            return list(parts), lsp.SemanticTokens([], known)
        case lsp.SemanticTokensDelta(edits=edits, result_id=known):
            changes = [lsp.SemanticTokensDeltaPartialResult(each) for each in cut(edits, BATCH)]
            return list(changes), lsp.SemanticTokensDelta([], known)
    return [], answer


def cut(whole: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """A list in stretches of at most so many."""
    return (whole[at : at + size] for at in range(0, len(whole), size))
