"""Findings in words: what each language says, and which stands alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulespec.texts.clusters import Read
from rulespec.texts.differences import Difference, Said
from rulespec.texts.glossary import Glossary
from rulespec.texts.word_use import Habit

_TOLD: Final = 5  #: how many differences of one sentence are told in words
_TURNS: Final = {"not_only": "not only", "no_matter": "no matter"}
_MOODS: Final = {"must": "must", "may": "may", "cannot": "cannot", "need_not": "need not"}


class Words:
    """Names things and puts differences into words."""

    def __init__(self, reads: Sequence[Read], glossary: Glossary) -> None:
        self._glossary = glossary
        self._names: dict[str, str] = {}
        for concept in glossary.concepts.values():
            self._names[concept.id] = concept.name(reads[0].language)

    def name(self, what: str | int) -> str:
        """What a feature is called."""
        return self._names.get(str(what), str(what).replace("_", " "))

    def omission(self, lacking: str, others: list[str]) -> str:
        """A language lacks what the others say."""
        return f"{lacking} lacks what {listed(others)} say{'s' if len(others) == 1 else ''} here."

    def addition(self, language: str, others: list[str]) -> str:
        """Only one language says something."""
        return f"Only {language} says this; {listed(others)} {'do' if len(others) > 1 else 'does'} not."

    def order(self, odd: str | None, number: int) -> str:
        """Something stands elsewhere."""
        what = "This stands" if number == 1 else f"{number} entries of a list stand"
        return f"{what} in another place in {odd}." if odd else f"{what} in another place."

    def avoided(self, own: Sequence[Habit]) -> str:
        """Which forms a language uses that are to be avoided."""
        forms = ", ".join(f"“{form}”" for habit in own for form, _ in habit.forms)
        return f"{own[0].language} uses forms that are to be avoided: {forms}."

    def difference(self, found: Sequence[Difference], odd: str | None) -> str:
        """What each language says, then which stands alone."""
        parts = [self._part(one) for one in found[:_TOLD]]
        more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
        end = f": {odd} differs" if odd else ""
        return f"{'; '.join(parts)}{more}{end}."

    def _part(self, one: Difference) -> str:
        counts = ", ".join(f"{language} {_times(count)}" for language, count in one.counts)
        match one.sort:
            case "number":
                return f"the number {one.what} stands in {counts}"
            case "mood":
                return f"“{_MOODS[str(one.what)]}” in {counts}"
            case "denial":
                return f"denied in {counts}"
            case "turn":
                return f"“{_TURNS[str(one.what)]}” in {counts}"
            case "letter":
                return f"the letter {one.what} in {counts}"
            case "page":
                return f"page {one.what} in {counts}"
            case _:
                return f"“{self.name(one.what)}” in {counts}"

    def spots(self, said: Said, found: Sequence[Difference]) -> Iterator[tuple[int, int, int]]:
        """The stretches of a language's clauses that a finding speaks of."""
        whats = {(one.sort, str(one.what)) for one in found}
        for n, part in enumerate(said.parts):
            for hit in part.hits:
                if any(("concept", concept) in whats for concept in hit.concepts):
                    yield n, hit.start, hit.end
            for number in part.numbers:
                if ("number", str(number.value)) in whats:
                    yield n, number.start, number.end
            for mark in part.marks:
                if ("mood", mark.kind) in whats or ("turn", mark.kind) in whats:
                    yield n, mark.start, mark.end
            for mark in part.denied if ("denial", "not") in whats else ():
                yield n, mark.start, mark.end
            for mark in part.letters:
                if ("letter", mark.kind) in whats:
                    yield n, mark.start, mark.end


def _times(count: tuple[int, int]) -> str:
    least, most = count
    if most == 0:
        return "not"
    return f"{least}x" if least == most or most > 90 else f"{least}-{most}x"


def listed(words: Sequence[str]) -> str:
    """Words in a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
