"""Which of two names alike is the slip: the one that the game says less often.

An unknown name that stands in many places was hardly mistyped in all of them: what is declared was, once. No use of
it is changed then without being looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.diagnostics.model import Problem

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Words:
    """How often each word stands in the texts of a game."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        for text in texts:
            self._counts.update(_WORD.findall(text))

    def certain(self, problem: Problem) -> Fix | None:
        """The certain mend of a problem, where no word that it changes is commoner than the one it becomes."""
        fix = problem.certain
        return None if fix is None or any(self._is_common(edit) for edit in fix.edits) else fix

    def _is_common(self, edit: Edit) -> bool:
        old, new = _WORD.findall(edit.span.text), _WORD.findall(edit.text)
        if len(old) != len(new):
            return False
        return any(a != b and self._counts[a] > max(1, self._counts[b]) for a, b in zip(old, new, strict=True))
