"""Words that a game's terms say to avoid."""

from __future__ import annotations

from rulespec.texts.check.entries import Entry, Text
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.glossary import Glossary, Matchers


class Forbidden:
    """Finds the forms that terms list under `avoid`."""

    def __init__(self, glossary: Glossary):
        self._glossary = glossary
        self._matchers = Matchers(glossary)

    def check(self, entry: Entry, reports: Reports) -> None:
        """Reports avoided words in every text of a rule or message."""
        for language, forms in entry.texts.items():
            if not reports.suppressed(entry, "RS552", language):
                for text in forms.values():
                    self._check(text, language, reports)

    def _check(self, text: Text, language: str, reports: Reports) -> None:
        for hit in self._matchers[language].hits(text.plain):
            if hit.form.avoided and text.is_typed(hit.start, hit.end):
                word, concept = text.plain[hit.start : hit.end], self._glossary.concepts[hit.concepts[0]]
                span = span_of(text.node, hit.start, hit.end)
                reports.problems.add("RS552", span, word=word, term=concept.name(language))
