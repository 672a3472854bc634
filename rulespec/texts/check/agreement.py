"""Whether a rule says the same in all of its languages: figures, terms, may and must, denials, owners, lists.

Each difference is told once, at the language that is alone with what it says: with three of them the odd one out, with
two the translation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.messages.wording import listed
from rulespec.source.text import Span
from rulespec.texts.check.entries import Entry, Text
from rulespec.texts.check.habits import Listener, Saying
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.check.votes import lacking, put_for, turned
from rulespec.texts.general import plain_id
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.owners import ROLES
from rulespec.texts.signature import Count

#: What texts do with the moods that the readers know.
_MOODS = {"must": "must", "may": "may", "cannot": "cannot", "need_not": "need not"}
#: Directions, places and bounds of which one in a text, where another has the other, turns what is said around.
_OPPOSITES = (
    ("left", "right"), ("leftmost", "rightmost"), ("top", "bottom"), ("highest", "lowest"), ("face_up", "face_down"),
    ("clockwise", "counterclockwise"), ("first", "last"), ("ascending", "descending"), ("before", "after"),
    ("beginning", "end"), ("forward", "back"), ("horizontal", "vertical"), ("more", "fewer"), ("inside", "outside"),
    ("on_top", "under"),
)  # fmt: skip
_ITEM = re.compile(r"^[ \t]*(?:[-*•・]|\d+[.)])[ \t]+", re.MULTILINE)
_BREAK = re.compile(r"\n[ \t]*\n|\n")


@dataclass(frozen=True)
class _Told:
    """A difference: its code and facts, the language that is odd, and where in its text."""

    code: str
    language: str
    at: tuple[int, int] | None
    facts: dict[str, Any]


class Agreement:
    """Compares the texts of rules, for one game's terms: lists in all languages, all else where words are known."""

    def __init__(self, glossary: Glossary, languages: tuple[str, ...]):
        self._glossary = glossary
        self._listeners = {language: Listener(language, glossary) for language in languages}

    def check(self, entry: Entry, reports: Reports) -> None:
        """Reports where the languages of a rule differ."""
        texts = {language: text for language in entry.texts if (text := entry.main(language)) is not None}
        known = {language: text for language, text in texts.items() if language_of(language).is_known}
        sayings = {language: self._listeners[language].read(text.plain) for language, text in known.items()}
        for told in self._differences(texts, sayings):
            if not reports.suppressed(entry, told.code, told.language):
                reports.add(told.code, _span(texts[told.language], told.at), told.facts)

    def _differences(self, texts: Mapping[str, Text], sayings: Mapping[str, Saying]) -> Iterator[_Told]:
        if sayings:
            yield from self._said(texts, sayings)
        if texts:
            yield from _lists(texts)

    def _said(self, texts: Mapping[str, Text], sayings: Mapping[str, Saying]) -> Iterator[_Told]:
        """Differences in what the languages say whose words are known."""
        yield from _numbers(texts, sayings)
        yield from self._terms(sayings)
        yield from _moods(sayings)
        yield from _denials(sayings)
        yield from self._owners(sayings)
        yield from _opposites(sayings)

    # ---- terms and owners ----

    def _terms(self, sayings: Mapping[str, Saying]) -> Iterator[_Told]:
        found = list(self._exchanged(sayings, "term", "RS547"))
        yield from found or self._put_for(sayings)

    def _owners(self, sayings: Mapping[str, Saying]) -> Iterator[_Told]:
        found = list(self._exchanged(sayings, "owner", "RS550"))
        yield from found or _lacking_role(sayings)

    def _exchanged(self, sayings: Mapping[str, Saying], group: str, code: str) -> Iterator[_Told]:
        """A concept that stands in one text, where another has a different one instead."""
        odd = _odd_pair(self._counts(sayings, group))
        if odd is None:
            return
        one, other, mine, theirs = odd
        yield _Told(
            code,
            other,
            _hit(sayings[other], theirs),
            {"one": _named(sayings[one], mine), "other": _named(sayings[other], theirs), "first": one, "second": other},
        )

    def _put_for(self, sayings: Mapping[str, Saying]) -> Iterator[_Told]:
        """A term that one language says once less than all others, and another one once more."""
        counts = self._counts(sayings, "term")
        found = put_for(counts, next(iter(counts.values())))
        if found is not None:
            yield _instead("RS547", sayings, *found)

    def _counts(self, sayings: Mapping[str, Saying], group: str) -> dict[str, dict[str, Count]]:
        """How often each concept of a group stands in each text: at the most as often as all that can be meant by it.

        That is its own forms, those of its kinds, and those of what it is a kind of; not what else is of that kind.
        """
        own = {language: _by_form(saying) for language, saying in sayings.items()}
        concepts = dict.fromkeys(
            c for one, counts in own.items() for c in counts if sayings[one].said.groups[c] == group
        )
        kinds = {c: (c, *self._glossary.below.get(c, ()), *self._glossary.above(c)) for c in concepts}
        return {
            language: {
                c: (
                    sayings[language].said.counts.get(c, (0, 0))[0],
                    sum(own[language].get(kind, 0) for kind in kinds[c]),
                )
                for c in concepts
            }
            for language in sayings
        }


def _by_form(saying: Saying) -> Counter[str]:
    """How often forms of each concept itself stand in a text, surely or maybe."""
    return Counter(concept for hit in saying.said.hits for concept in (*hit.concepts, *hit.maybe))


def _alone(mine: Mapping[str, Count], theirs: Mapping[str, Count]) -> str | None:
    """A concept that surely stands in one text, of which nothing can be meant by the other."""
    return next((concept for concept, (least, _) in mine.items() if least and not theirs[concept][1]), None)


def _odd_pair(counts: Mapping[str, Mapping[str, Count]]) -> tuple[str, str, str, str] | None:
    """Two languages of which each has a concept that the other lacks; the odd one out comes second."""
    languages = list(counts)
    pairs = {}
    for at, one in enumerate(languages):
        for other in languages[at + 1 :]:
            mine, theirs = _alone(counts[one], counts[other]), _alone(counts[other], counts[one])
            if mine is not None and theirs is not None:
                pairs[one, other] = (mine, theirs)
    if not pairs:
        return None
    (one, other), (mine, theirs) = next(iter(pairs.items()))
    shared = [language for language in languages if sum(language in pair for pair in pairs) > 1]
    return (other, one, theirs, mine) if shared == [one] else (one, other, mine, theirs)


def _instead(code: str, sayings: Mapping[str, Saying], odd: str, lost: str, gained: str) -> _Told:
    """What a language says in the place of what another one says."""
    one = next(language for language in sayings if language != odd)
    facts = {
        "one": _named(sayings[one], lost),
        "other": _named(sayings[odd], gained),
        "first": one,
        "second": odd,
    }
    return _Told(code, odd, _hit(sayings[odd], gained), facts)


def _lacking_role(sayings: Mapping[str, Saying]) -> Iterator[_Told]:
    """Who acts or gains, where all languages but one say it."""
    counts = {language: saying.said.counts for language, saying in sayings.items()}
    found = lacking(counts, ROLES)
    if found is not None:
        odd, role = found
        one = next(language for language in sayings if language != odd)
        yield _Told("RS564", odd, None, {"one": _named(sayings[one], role), "first": one, "second": odd})


def _hit(saying: Saying, concept: str) -> tuple[int, int] | None:
    return next(((hit.start, hit.end) for hit in saying.said.hits if concept in (*hit.concepts, *hit.maybe)), None)


def _named(saying: Saying, concept: str) -> str:
    """A concept as it stands in a text."""
    at = _hit(saying, concept)
    return plain_id(concept).replace("_", " ") if at is None else saying.said.text[at[0] : at[1]]


# ---- counts -------------------------------------------------------------------------------------------


def _numbers(texts: Mapping[str, Text], sayings: Mapping[str, Saying]) -> Iterator[_Told]:
    """Numbers that are written out, and differ: of several one that stands where it is told."""
    found = {language: _written(texts[language], saying) for language, saying in sayings.items()}
    differing = []
    for number in sorted({value for values in found.values() for value in values}):
        counts = {language: values.get(number, (0, 0)) for language, values in found.items()}
        odd = odd_one_out(counts)
        if odd is not None:
            at = _place_of(sayings[odd], number)
            differing.append(_Told("RS546", odd, at, {"number": number, "told": told(counts)}))
    yield from sorted(differing, key=lambda each: each.at is None)[:1]


def _place_of(saying: Saying, value: float) -> tuple[int, int] | None:
    found = saying.said.numbers
    return next(((number.start, number.end) for number in found if number.value == value), None)


def _written(text: Text, saying: Saying) -> dict[float, Count]:
    found: dict[float, Count] = {}
    for number in saying.said.numbers:
        if number.kind != "page" and text.is_typed(number.start, number.end):
            least, most = found.get(number.value, (0, 0))
            slight = number.slight or saying.is_weak(number)
            found[number.value] = (least + (not slight), most + 1)
    return found


def _moods(sayings: Mapping[str, Saying]) -> Iterator[_Told]:
    for mood, word in _MOODS.items():
        counts = {language: present(_mood(saying, mood)) for language, saying in sayings.items()}
        odd = odd_one_out(counts)
        if odd is not None:
            yield _Told("RS548", odd, sayings[odd].at.get(mood), {"mood": word, "told": told(counts)})
            return


def _mood(saying: Saying, mood: str) -> Count:
    """How often a mood stands in a text; what is denied may be what cannot be."""
    least, most = saying.moods[mood]
    return (least, most + saying.denials[1]) if mood == "cannot" else (least, most)


def _denials(sayings: Mapping[str, Saying]) -> Iterator[_Told]:
    counts = {language: saying.denials for language, saying in sayings.items()}
    odd = odd_one_out(counts)
    if odd is not None:
        yield _Told("RS549", odd, sayings[odd].at.get("denied"), {"told": told(counts)})


def _opposites(sayings: Mapping[str, Saying]) -> Iterator[_Told]:
    """A direction in one text that is turned around in another, where neither says both, or by the others' counts."""
    counts = {language: saying.said.counts for language, saying in sayings.items()}
    for pair in _OPPOSITES:
        found = turned(counts, pair)
        if found is not None:
            yield _instead("RS561", sayings, *found)
            return
        says = {language: [_has(saying, word) for word in pair] for language, saying in sayings.items()}
        only = {language: pair[at] for language in says for at in (0, 1) if says[language] == _ONLY[at]}
        if len(set(only.values())) < 2:
            continue
        words = list(only.values())
        rare = min(reversed(pair), key=words.count)
        odd = [language for language, word in only.items() if word == rare][-1]
        one = next(language for language, word in only.items() if word != rare)
        facts = {
            "first": one,
            "second": odd,
            "one": _named(sayings[one], only[one]),
            "other": _named(sayings[odd], rare),
        }
        yield _Told("RS561", odd, _hit(sayings[odd], rare), facts)
        return


#: What is found of a pair in a text that surely says one of it and not the other.
_ONLY = ([True, False], [False, True])


def _has(saying: Saying, concept: str) -> bool | None:
    """Whether a text says something: None where it may."""
    least, most = saying.said.counts.get(concept, (0, 0))
    return True if least else None if most else False


def _lists(texts: Mapping[str, Text]) -> Iterator[_Told]:
    """Items of lists, and paragraphs."""
    for what, count in (("items in a list", _items), ("paragraphs", _paragraphs)):
        counts = {language: (count(text), count(text)) for language, text in texts.items()}
        odd = odd_one_out(counts)
        if odd is not None:
            numbers = ", ".join(f"{language} {least}" for language, (least, _) in counts.items())
            yield _Told("RS551", odd, None, {"what": what, "told": numbers})
            return


def _items(text: Text) -> int:
    return len(_ITEM.findall(text.node.text))


def _paragraphs(text: Text) -> int:
    return len([part for part in _BREAK.split(text.node.text.strip()) if part.strip() and not _ITEM.match(part)])


def present(count: Count) -> Count:
    """Whether something stands there at all: the least and the most of 0 and 1."""
    return min(count[0], 1), min(count[1], 1)


def odd_one_out(counts: Mapping[str, Count]) -> str | None:
    """The language whose count does not meet the others'; of as many on both sides the later one. None: all meet."""
    meets = {
        one: sum(_meet(count, other) for language, other in counts.items() if language != one)
        for one, count in counts.items()
    }
    least = min(meets.values())
    if least == len(counts) - 1:
        return None
    return [language for language, number in meets.items() if number == least][-1]


def _meet(one: Count, other: Count) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def told(counts: Mapping[str, Count]) -> str:
    """Counts in words: `once in en and fr, not in ja`."""
    by_count: dict[int, list[str]] = {}
    for language, (least, _) in counts.items():
        by_count.setdefault(least, []).append(language)
    ordered = sorted(by_count.items(), key=lambda item: -item[0])
    return ", ".join(f"{_times(number)} in {listed(languages)}" for number, languages in ordered)


def _times(number: int) -> str:
    return {0: "not", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _span(text: Text, at: tuple[int, int] | None) -> Span:
    return span_of(text.node, *(at or (0, 0)))
