"""Where the languages of one cluster disagree, feature by feature, and which language stands alone.

Each feature is a count, the least and the most (`signature`). A language lacks something where its most is below the
others' least, and has too much where its least is above the others' most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rulespec.texts.language import language_of
from rulespec.texts.numbers import reads_words
from rulespec.texts.signature import MOODS, TURNS, Count, Signature

#: Concepts that say in another way that something is not there or does not count.
_LIKE_DENIALS: Final = ("empty", "ignore", "hidden", "outside", "never", "except")

RELATION: Final = "relation"  #: the sort of what the substitution test finds: a set and one of its senses
#: Moods that deny, each with the other one.
_DENYING: Final = {"cannot": "need_not", "need_not": "cannot"}
_ZERO: Final = "0"  #: the number among what all languages say
_ANY_NUMBER: Final = 99
_WORDED: Final = 100  #: up to here numbers are written in words


@dataclass(frozen=True)
class Said:
    """What one language says in a cluster: its clauses together."""

    language: str
    parts: tuple[Signature, ...]

    def count(self, concept: str) -> Count:
        """How often a concept stands there. What the language can leave out may stand there any number of times."""
        least, most = _sum(part.counts.get(concept, (0, 0)) for part in self.parts)
        return least, most + _ANY_NUMBER * (concept in self._implied())

    def _implied(self) -> Iterator[str]:
        """What the language can leave out, under the ids of this game's terms."""
        first = self.parts[0]
        yield from map(first.glossary.id_of, language_of(first.language).implied)

    @cached_property
    def is_known(self) -> bool:
        """Whether there are words of the language: without them nobody knows of moods, denials and general words."""
        return language_of(self.language).is_known

    def has_words_for(self, concept: str) -> bool:
        """Whether a concept has forms in the language: without them it could stand there unseen."""
        first = self.parts[0]
        term = first.glossary.concepts.get(concept)
        if term is not None and term.forms_in(self.language):
            return True
        general = language_of(first.language).concepts
        return concept in general or any(first.glossary.general.get(name) == concept for name in general)

    def value(self, value: float) -> Count:
        """How often a number stands there. None at all can be said by a denial.

        Where numbers in words cannot be read, a small one can stand there any number of times.
        """
        least, most = _sum(part.values.get(value, (0, 0)) for part in self.parts)
        unread = _ANY_NUMBER * (value <= _WORDED and not reads_words(self.language))
        return least, most + unread + (sum(part.denials for part in self.parts) if value == 0 else 0)

    def factor(self, value: float) -> Count:
        """How often a number stands there as a factor (x3); never where it only counts a place (the third)."""
        kinds = [number.kind for part in self.parts for number in part.numbers if number.value == value]
        return kinds.count("factor"), len(kinds) - kinds.count("ordinal")

    def is_of_kind(self, kind: str, value: float) -> bool:
        """Whether a number stands there as a factor, an ordinal number and so on."""
        return any(number.kind == kind and number.value == value for part in self.parts for number in part.numbers)

    def mood(self, mood: str, shared: frozenset[str] = frozenset()) -> Count:
        """How often it says must, may and so on."""
        least, most = _sum(part.moods[mood] for part in self.parts)
        if mood in _DENYING:  # a plain denial can say it too, one that already says the other cannot
            other = sum(part.moods[_DENYING[mood]][0] for part in self.parts)
            most = max(most, self.denials(shared)[1] - other)
        return least, most

    def denials(self, shared: frozenset[str] = frozenset()) -> Count:
        """How often something is denied. What all languages say (`shared`) is no denial said in another way."""
        sure = sum(part.denials for part in self.parts)
        like = any(self.count(concept)[1] for concept in _LIKE_DENIALS if concept not in shared)
        zero = _ZERO not in shared and any(0 in part.values for part in self.parts)
        return sure, sure or int(like or zero)

    def turn(self, turn: str) -> Count:
        """How often a turn stands there that only looks like a denial."""
        least, most = _sum(part.turn(turn) for part in self.parts)
        return min(least, 1), min(most, 1)

    def letter(self, letter: str) -> Count:
        """How often a letter of a figure stands there."""
        number = sum(mark.kind == letter for part in self.parts for mark in part.letters)
        return number, number

    def page(self, page: int) -> Count:
        """How often a page is named."""
        number = sum(part.pages.count(page) for part in self.parts)
        return number, number

    def concepts(self) -> Iterator[str]:
        """The concepts that stand there."""
        for part in self.parts:
            yield from part.counts

    def values(self) -> Iterator[float]:
        """The numbers that stand there."""
        for part in self.parts:
            yield from part.values


def _sum(counts: Iterable[Count]) -> Count:
    least = most = 0
    for one, other in counts:
        least, most = least + one, most + other
    return least, most


@dataclass(frozen=True, slots=True)
class Difference:
    """One feature on which a language differs: `lost` or not (gained), and the counts of all.

    `odd` stands alone against at least two others that agree; None where only two can be compared, then `language`
    is the one that lacks it or has more.
    """

    sort: str
    what: str | int
    language: str
    lost: bool
    alone: bool
    counts: tuple[tuple[str, Count], ...]

    @property
    def absent(self) -> bool:
        """Whether a language lacks the feature altogether, and not only one of several."""
        if self.lost:
            return dict(self.counts)[self.language][1] == 0
        return all(most == 0 for language, (_, most) in self.counts if language != self.language)


def differences(sides: Mapping[str, Said]) -> list[Difference]:
    """Everything on which the languages of a cluster disagree.

    Each feature is compared between the languages of which it is known how they say it.
    """
    found: list[Difference] = []
    for sort, whats, read, can_say in _features(sides):
        for what in whats:
            counts = tuple((one, read(said, what)) for one, said in sides.items() if can_say(said, what))
            if len(counts) > 1:
                found += _odd(sort, what, counts)
    return found


_Reading = Callable[[Said, object], Count]
_Speaking = Callable[[Said, object], bool]


def _features(sides: Mapping[str, Said]) -> Iterator[tuple[str, list[object], _Reading, _Speaking]]:
    """The features: their sort, those that stand there, how often one stands in a text, which languages have words."""
    always: _Speaking = lambda said, what: True  # noqa: E731
    known: _Speaking = lambda said, what: said.is_known  # noqa: E731
    concepts = dict.fromkeys(concept for said in sides.values() for concept in said.concepts())
    worded: _Speaking = lambda said, what: said.has_words_for(str(what))  # noqa: E731
    yield "concept", list(concepts), lambda said, what: said.count(str(what)), worded
    values = dict.fromkeys(value for said in sides.values() for value in said.values() if value != 1)
    yield "number", list(values), lambda said, what: said.value(float(str(what))), always
    shared = _shared(sides)
    factors = [
        value
        for value in values
        if all(any(s.is_of_kind(k, value) for s in sides.values()) for k in ("factor", "ordinal"))
    ]
    yield "factor", [*factors], lambda said, what: said.factor(float(str(what))), always
    yield "mood", list(MOODS), lambda said, what: said.mood(str(what), shared), known
    yield "denial", ["not"], lambda said, _: said.denials(shared), known
    yield "turn", list(TURNS), lambda said, what: said.turn(str(what)), known
    letters = dict.fromkeys(m.kind for said in sides.values() for part in said.parts for m in part.letters)
    yield "letter", list(letters), lambda said, what: said.letter(str(what)), always
    pages = dict.fromkeys(page for said in sides.values() for part in said.parts for page in part.pages)
    yield "page", list(pages), lambda said, what: said.page(int(str(what))), always


def _shared(sides: Mapping[str, Said]) -> frozenset[str]:
    """What can stand for a denial, and stands in all languages: it stands for none then."""
    found = {c for c in _LIKE_DENIALS if all(said.count(c)[1] for said in sides.values())}
    if all(any(0 in part.values for part in said.parts) for said in sides.values()):
        found.add(_ZERO)
    return frozenset(found)


def _odd(sort: str, what: object, counts: tuple[tuple[str, Count], ...]) -> Iterator[Difference]:
    """The languages that differ from all others; of two that differ where a third agrees with both, the one."""
    found = False
    for language, (least, most) in counts:
        others = [count for other, count in counts if other != language]
        for lost in (True, False):
            apart = most < min(c[0] for c in others) if lost else least > max(c[1] for c in others)
            if apart:
                found = True
                yield Difference(sort, _key(what), language, lost, len(others) > 1, counts)
    if not found and len(counts) > 2:
        yield from _split(sort, what, counts)


def _split(sort: str, what: object, counts: tuple[tuple[str, Count], ...]) -> Iterator[Difference]:
    """Two languages that cannot both be right, while the others agree with either."""
    low = min(counts, key=lambda pair: (pair[1][1], pair[0]))
    high = min(counts, key=lambda pair: (-pair[1][0], pair[0]))
    if low[1][1] < high[1][0]:
        yield Difference(sort, _key(what), low[0], lost=True, alone=False, counts=(low, high))


def _key(what: object) -> str | int:
    return what if isinstance(what, (str, int)) else str(what)
