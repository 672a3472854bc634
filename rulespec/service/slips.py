"""Which of two names alike is the slip: the one that the game says less often.

An unknown name that stands in many places was hardly mistyped in all of them: what is declared was, once. No use of
it is changed then without being looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.diagnostics.model import Problem

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def count_words(text: str) -> Counter[str]:
    """How often each word stands in a text."""
    return Counter(_WORD.findall(text))


class Words:
    """How often each word stands in a game: by the counts of its files, which are made when they are first wanted."""

    def __init__(self, files: Callable[[], Iterable[Counter[str]]]) -> None:
        self._files = files
        self._counts: list[Counter[str]] | None = None

    def _count(self, word: str) -> int:
        if self._counts is None:
            self._counts = list(self._files())
        return sum(each[word] for each in self._counts)

    def certain(self, problem: Problem) -> Fix | None:
        """The certain mend of a problem, where no word that it changes is commoner than the one it becomes."""
        fix = problem.certain
        return None if fix is None or any(self._is_common(edit) for edit in fix.edits) else fix

    def _is_common(self, edit: Edit) -> bool:
        old, new = _WORD.findall(edit.span.text), _WORD.findall(edit.text)
        if len(old) != len(new):
            return False
        return any(a != b and self._count(a) > max(1, self._count(b)) for a, b in zip(old, new, strict=True))
