"""Findings in words: what each language says, and which stands alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulespec.texts.clusters import Read
from rulespec.texts.differences import Difference, Said
from rulespec.texts.glossary import Glossary
from rulespec.texts.signature import Count
from rulespec.texts.word_use import Habit

_TOLD: Final = 5  #: how many differences of one sentence are told in words
_ANY: Final = 90  #: so many are any number: what a language can leave out, or say without a word
_TURNS: Final = {"not_only": "not only", "no_matter": "no matter"}
_SPELT: Final = {"and_or": "and/or"}  #: concepts that their id does not spell
_MOODS: Final = {"must": "must", "may": "may", "cannot": "cannot", "need_not": "need not"}


class Words:
    """Names things and puts differences into words."""

    def __init__(self, reads: Sequence[Read], glossary: Glossary) -> None:
        self._glossary = glossary
        self._all = len(reads)
        self._names: dict[str, str] = {}
        for concept in glossary.concepts.values():
            self._names[concept.id] = concept.name(reads[0].language)

    def name(self, what: str | int) -> str:
        """What a feature is called."""
        return self._names.get(str(what), _SPELT.get(str(what), str(what).replace("_", " ")))

    def omission(self, lacking: str, others: list[str]) -> str:
        """A language lacks what the others say."""
        return f"{lacking} lacks what {listed(others)} say{'s' if len(others) == 1 else ''} here."

    def addition(self, language: str, others: list[str]) -> str:
        """Only one language says something."""
        return f"Only {language} says this; {listed(others)} {'do' if len(others) > 1 else 'does'} not."

    def few(self, one: str, other: str, paired: int, shorter: int) -> str:
        """Of few sentences it is sure which of the other book say the same."""
        return (
            f"Only {paired} of the {shorter} sentences of the shorter book surely have a partner: what the others say "
            f"is not compared between {one} and {other}. Are these two editions of one rulebook?"
        )

    def order(self, odd: str | None, number: int, where: Mapping[str, tuple[str, str]]) -> str:
        """Something stands elsewhere: in each language under which heading, and behind what."""
        what = "This stands" if number == 1 else f"{number} entries of a list stand"
        first = "" if number == 1 else "the first "
        told = "; ".join(f"{first}in {language} {_spot(*place)}" for language, place in where.items())
        return f"{what} in another place{f' in {odd}' if odd else ''}: {told}."

    def left(self, language: str, other: str | None) -> str:
        """Something was left in another language, which is named where it is known."""
        what = f"Headings or sentences in {language} are left in another language"
        return f"{what}: {other}." if other else f"{what}."

    def avoided(self, own: Sequence[Habit]) -> str:
        """Which forms a language uses that are to be avoided."""
        forms = ", ".join(f"“{form}”" for habit in own for form, _ in habit.forms)
        return f"{own[0].language} uses forms that are to be avoided: {forms}."

    def several(self, habit: Habit) -> str:
        """One thing that a language calls by several names, and how often by each."""
        forms = ", ".join(f"“{form}” {number}x" for form, number in habit.forms)
        return f"{habit.language} calls one thing by several names: {forms}."

    def difference(self, found: Sequence[Difference], odd: str | None) -> str:
        """Which stands alone, then what stands where: things that stand in the same languages are told together."""
        alike: dict[str, list[str]] = {}
        for one in found[:_TOLD]:
            alike.setdefault(_where(one.counts, self._all), []).append(self._what(one))
        parts = [f"{listed(whats)} stand{'s' if len(whats) == 1 else ''} {where}" for where, whats in alike.items()]
        more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
        told = f"{'; '.join(parts)}{more}."
        return f"{odd} differs: {told}" if odd else f"{told[0].upper()}{told[1:]}"

    def _what(self, one: Difference) -> str:
        match one.sort:
            case "number" | "letter":
                return f"the {one.sort} {one.what}"
            case "factor":
                return f"{one.what} as a factor"
            case "page":
                return f"page {one.what}"
            case "mood":
                return f"“{_MOODS[str(one.what)]}”"
            case "denial":
                return "a “not”"
            case "turn":
                return f"“{_TURNS[str(one.what)]}”"
            case _:
                return f"“{self.name(one.what)}”"

    def spots(self, said: Said, found: Sequence[Difference]) -> Iterator[tuple[int, int, int]]:
        """The stretches of a language's clauses that a finding speaks of."""
        whats = {(one.sort, str(one.what)) for one in found}
        for n, part in enumerate(said.parts):
            for hit in part.hits:
                if any(("concept", concept) in whats for concept in hit.concepts):
                    yield n, hit.start, hit.end
            for number in part.numbers:
                if ("number", str(number.value)) in whats or ("factor", str(number.value)) in whats:
                    yield n, number.start, number.end
            for mark in part.marks:
                if ("mood", mark.kind) in whats or ("turn", mark.kind) in whats:
                    yield n, mark.start, mark.end
            for mark in part.denied if ("denial", "not") in whats else ():
                yield n, mark.start, mark.end
            for mark in part.letters:
                if ("letter", mark.kind) in whats:
                    yield n, mark.start, mark.end


def _where(counts: Sequence[tuple[str, Count]], languages_in_all: int) -> str:
    """In which languages something stands, how often where that tells them apart, and in which it does not.

    A language that can leave it out is not named. "Only" is said where each of all languages has a say.
    """
    sayable = [(language, count) for language, count in counts if count[0] or count[1] < _ANY]
    without = [language for language, (_, most) in sayable if not most]
    by_times: dict[str, list[str]] = {}
    for language, count in sayable:
        if count[1]:
            by_times.setdefault(_times(*count), []).append(language)
    if without and set(by_times) <= {_times(1, 1), _times(1, 2)}:  # that it stands there at all tells them apart
        having = [language for languages in by_times.values() for language in languages]
        having = [language for language, _ in sayable if language in having]
        if len(having) == 1 and len(sayable) == languages_in_all:
            return f"only in {having[0]}"
        return f"in {listed(having)}, not in {listed(without, 'or')}"
    parts = [f"{times} in {listed(languages)}" for times, languages in by_times.items()]
    return ", ".join([*parts, *([f"not in {listed(without, 'or')}"] if without else [])])


def _times(least: int, most: int) -> str:
    if not least:
        return f"{_number(most)} at most"
    if least == most or most >= _ANY:
        return _number(least)
    return "once or twice" if (least, most) == (1, 2) else f"{least} to {most} times"


def _number(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence, with what joins the last two."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _spot(above: str, before: str) -> str:
    """Where something stands: under a heading, behind something, or first of all."""
    parts = [f"under “{above}”" if above else "", f"behind “{before}”" if before else ""]
    return " ".join(part for part in parts if part) or "at the beginning"
