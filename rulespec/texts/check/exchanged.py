"""Numbers that count each other's things: *{a} coins and {b} points* for *{b} coins and {a} points*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rulespec.texts.check.entries import Entry, Text
from rulespec.texts.check.figures import written
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.matcher import Hit, Matcher

_BEHIND: Final = 14  #: characters between a number and what stands behind it and is counted by it, at most
_BEFORE: Final = 4  #: the same where what is counted can stand before its number


@dataclass(frozen=True)
class _Counting:
    """What is counted by something that stands once in a text: where it stands, and which things it may count."""

    start: int
    end: int
    things: frozenset[str]


class Exchanged:
    """Finds numbers and placeholders of one game that count each other's things in two languages."""

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary
        self._matchers: dict[str, Matcher] = {}

    def check(self, entry: Entry, reports: Reports) -> None:
        """Reports, at the language that is odd, of each text at most one exchange."""
        texts = {language: text for language in entry.texts if (text := entry.main(language)) is not None}
        counted = {language: self._counting(text, language) for language, text in texts.items()}
        found = [
            (one, other, pair)
            for one, other in combinations(texts, 2)
            for pair in _crossed(counted[one], counted[other])
        ]
        for language, (first, second) in _odd(found, list(texts)):
            at = counted[language][first]
            if not reports.suppressed(entry, "RS569", language):
                other = next(code for code in texts if code != language)
                span = span_of(texts[language].node, at.start, at.end)
                reports.problems.add("RS569", span, one=first, other=second, language=language, first=other)

    def _matcher(self, language: str) -> Matcher:
        if language not in self._matchers:
            self._matchers[language] = self._glossary.matcher(language, general=True)
        return self._matchers[language]

    def _counting(self, text: Text, language: str) -> dict[str, _Counting]:
        """By what stands there: placeholders as they are written, numbers by their value; only what stands once."""
        places: dict[str, list[tuple[int, int]]] = {}
        for start, end in text.holes:
            places.setdefault(" ".join(text.node.text[start:end].split()), []).append((start, end))
        for number in written(text, language):
            places.setdefault(f"{number.value:g}", []).append((number.start, number.end))
        once = {what: found[0] for what, found in places.items() if len(found) == 1}
        matcher = self._matcher(language)
        hits = [hit for hit in matcher.hits(text.plain) if hit.concepts and not hit.form.weak]
        spaces = language_of(language).spaces
        return {
            what: _Counting(start, end, self._things(hits, (start, end), list(once.values()), spaces=spaces))
            for what, (start, end) in once.items()
        }

    def _things(
        self, hits: Sequence[Hit], at: tuple[int, int], others: Sequence[tuple[int, int]], *, spaces: bool
    ) -> frozenset[str]:
        """What something may count: the next thing behind it, and in some languages the one before it.

        What all games speak of counts too: so many vertical ones.
        """
        start, end = at
        limit = min((other for other, _ in others if other >= end), default=end + _BEHIND)
        behind = [hit for hit in hits if 0 <= hit.start - end <= _BEHIND and hit.end <= max(limit, end)]
        before = [hit for hit in hits if 0 <= start - hit.end <= _BEFORE] if not spaces else []
        near = [*before[-1:], *behind[:1]]
        own = {concept for hit in near for concept in hit.concepts}
        return frozenset(own | {wider for concept in own for wider in self._glossary.above(concept)})


def _crossed(one: Mapping[str, _Counting], other: Mapping[str, _Counting]) -> Iterator[tuple[str, str]]:
    """Pairs of which each counts in the one language what the other one counts in the other language.

    A pair is sorted, so that it is the same pair whichever languages are compared.
    """
    both = [what for what in one if what in other and one[what].things and other[what].things]
    for first, second in combinations(sorted(both), 2):
        a, b, c, d = one[first].things, one[second].things, other[first].things, other[second].things
        if not (a & b) and not (c & d) and a & d and b & c and not (a & c) and not (b & d):
            yield first, second


def _odd(
    found: Sequence[tuple[str, str, tuple[str, str]]], languages: Sequence[str]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """For each crossed pair the language that differs from most; of two the later one."""
    for pair in dict.fromkeys(pair for _, _, pair in found):
        often = {
            language: sum(language in (one, other) for one, other, own in found if own == pair)
            for language in languages
        }
        yield max(languages, key=lambda language: (often[language], languages.index(language))), pair
