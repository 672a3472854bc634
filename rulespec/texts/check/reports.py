"""Collecting problems of texts, but for those that the content lets pass with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulespec.diagnostics.catalogue import all_entries
from rulespec.diagnostics.model import Problems
from rulespec.source.text import Span
from rulespec.texts.check.entries import Entry, Texts


class Reports:
    """Problems of texts. What an entry suppresses is left out, and its suppression counts as needed."""

    def __init__(self, problems: Problems):
        self.problems = problems
        self._needed: set[int] = set()

    def suppressed(self, entry: Entry, code: str, language: str | None) -> bool:
        """Whether an entry lets a problem pass."""
        fitting = [s for s in entry.suppressions if s.code == code and s.language in (None, language)]
        self._needed.update(id(s.node) for s in fitting)
        return bool(fitting)

    def add(self, code: str, span: Span, facts: Mapping[str, Any]) -> None:
        """Reports a problem by facts that come as a map."""
        self.problems.add(code, span, hint=None, related=(), **facts)

    def unneeded(self, texts: Texts) -> None:
        """Reports suppressions of problems that there are not."""
        for entry in (*texts.rules, *texts.messages):
            for one in entry.suppressions:
                if id(one.node) not in self._needed:
                    self.problems.add("RS559", one.node.span, hint=_unknown(one.code), problem=one.code)


def _unknown(code: str) -> str | None:
    """What is said of a code that there is not at all."""
    if any(entry.code == code for entry in all_entries()):
        return None
    return f"{code} is the code of nothing; `texts check` prints the code of what it tells."


def short(span: Span) -> Span:
    """The first line of a place."""
    end = span.file.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.file, span.start, end)
