"""What a sentence says, whatever its language: concepts, numbers, may and must, denials, letters of figures.

    said = signature("You may place 2 coins.", "en", glossary)
    said.counts["coin"], said.values, said.moods          # (1, 1), {2: (1, 1)}, ...

Counts are pairs, the least and the most: a form that may stand for something else adds to the most only, and so does
a narrower concept to a wider one (a narrow street is a street). Two texts disagree where their pairs do not meet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rulespec.texts.folding import level
from rulespec.texts.glossary import Glossary
from rulespec.texts.initials import is_initial
from rulespec.texts.language import Language, language_of
from rulespec.texts.matcher import Hit, Matcher
from rulespec.texts.numbers import Number, numbers
from rulespec.texts.stretches import Stretches

#: The least and the most of something that a text says.
Count = tuple[int, int]

MOODS: Final = ("must", "may", "cannot", "need_not")
#: Turns that are built with a denial and deny nothing: not only this, no matter which.
TURNS: Final = ("not_only", "no_matter")
#: Concepts of these groups can hold a denial as a part of their name: not covered.
_NAMING: Final = ("term", "thing", "state")
_LETTER: Final = re.compile(r"\*\*([A-Z])\*\*|(?<=[\s、。）)])([B-HJ-Z])(?=[\s.,;:)）、。]|$)")


_MAYBE: Final = "maybe_"  #: begins the kind of what may stand for something else
_SHORT: Final = 4  #: a form that is longer holds a denial as a part of its own: not covered


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a text that means something, such as `must`."""

    start: int
    end: int
    kind: str


def is_turn(mark: Mark) -> bool:
    """Whether a mark is a turn that only looks like a denial, surely or maybe."""
    return mark.kind.removeprefix(_MAYBE) in TURNS


@dataclass(frozen=True)
class Signature:
    """What a text says, each part with its place in the text."""

    text: str
    language: str
    glossary: Glossary
    groups: dict[str, str]
    hits: tuple[Hit, ...]
    numbers: tuple[Number, ...]
    marks: tuple[Mark, ...]
    denied: tuple[Mark, ...]
    letters: tuple[Mark, ...]

    @cached_property
    def counts(self) -> dict[str, Count]:
        """How often each concept stands there: the least and the most."""
        least: dict[str, int] = {}
        most: dict[str, int] = {}
        for hit in self.hits:
            for concept in (*hit.concepts, *hit.maybe):
                most[concept] = most.get(concept, 0) + 1
            if len(hit.concepts) == 1:
                least[hit.concepts[0]] = least.get(hit.concepts[0], 0) + 1
        own = dict(most)
        for concept, number in own.items():
            for wider in self.glossary.above(concept):
                most[wider] = most.get(wider, 0) + number
        return {concept: (least.get(concept, 0), number) for concept, number in most.items()}

    @cached_property
    def values(self) -> dict[float, Count]:
        """How often each number stands there. One is as good as an article: it may stand there or not."""
        found: dict[float, Count] = {}
        for number in self.numbers:
            if number.kind != "page":
                least, most = found.get(number.value, (0, 0))
                found[number.value] = (least + (not number.slight), most + 1)
        return found

    @cached_property
    def moods(self) -> dict[str, Count]:
        """How often it says must, may, cannot and need not."""
        sure = {kind: sum(mark.kind == kind for mark in self.marks) for kind in MOODS}
        maybe = {kind: sum(mark.kind == f"maybe_{kind}" for mark in self.marks) for kind in MOODS}
        maybe["may"] += sure["need_not"]
        maybe["need_not"] += sure["may"]
        return {kind: (sure[kind], sure[kind] + maybe[kind]) for kind in MOODS}

    def turn(self, turn: str) -> Count:
        """Whether a turn stands there: two of them together say no more than one."""
        kinds = {mark.kind for mark in self.marks}
        return int(turn in kinds), int(bool(kinds & {turn, f"maybe_{turn}"}))

    @property
    def denials(self) -> int:
        """How often something is denied."""
        return len(self.denied)

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(sorted(int(number.value) for number in self.numbers if number.kind == "page"))

    def of_group(self, group: str) -> dict[str, Count]:
        """The counts of the concepts of one group."""
        return {concept: count for concept, count in self.counts.items() if self.groups[concept] == group}


class Reader:
    """Reads signatures of one language with one game's glossary."""

    def __init__(self, language: str, glossary: Glossary) -> None:
        self.language: Language = language_of(language)
        self.glossary = glossary
        self._matcher: Matcher = glossary.matcher(language, general=True)
        self.groups = {glossary.id_of(concept.id): concept.group for concept in self.language.concepts.values()}
        self.groups.update({concept.id: concept.group for concept in glossary.concepts.values()})

    def read(self, text: str) -> Signature:
        """What a text says."""
        flat = level(text)
        marks, harmless = _marks(flat, self.language)
        hits = tuple(self._matcher.hits(text))
        return Signature(
            text=text,
            language=self.language.code,
            glossary=self.glossary,
            groups=self.groups,
            hits=hits,
            numbers=tuple(numbers(text, self.language)),
            marks=marks,
            denied=_denied(flat, self.language, harmless, marks, [hit for hit in hits if self._names(hit)]),
            letters=tuple(
                Mark(m.start(), m.end(), m[1] or m[2])
                for m in _LETTER.finditer(text)
                if not is_initial(text, m.end(), self.language.code)
            ),
        )

    def _names(self, hit: Hit) -> bool:
        """Whether a form names a thing or a state, and does not say what is done or by whom."""
        return any(self.groups[concept] in _NAMING for concept in (*hit.concepts, *hit.maybe))


def signature(text: str, language: str, glossary: Glossary) -> Signature:
    """What one text says; for many texts of a language a `Reader` is quicker."""
    return Reader(language, glossary).read(text)


def _marks(flat: str, language: Language) -> tuple[tuple[Mark, ...], list[tuple[int, int]]]:
    """What says may, must and so on; and the stretches that only look so."""
    if language.moods is None:
        return (), []
    found = [Mark(match.start(), match.end(), match.lastgroup or "") for match in language.moods.finditer(flat)]
    harmless = [(mark.start, mark.end) for mark in found if mark.kind == "harmless"]
    return tuple(mark for mark in found if mark.kind != "harmless"), harmless


def _denied(
    flat: str, language: Language, harmless: list[tuple[int, int]], marks: tuple[Mark, ...], hits: Sequence[Hit]
) -> tuple[Mark, ...]:
    """What denies: the phrases of `cannot` and `need_not`, and other denials outside of phrases that mean no denial."""
    if language.denials is None:
        return ()
    denying = [mark for mark in marks if mark.kind in ("cannot", "need_not")]
    taken = Stretches([*harmless, *((mark.start, mark.end) for mark in marks if is_turn(mark) or mark.kind in MOODS)])
    longer = Stretches((hit.start, hit.end) for hit in hits if hit.end - hit.start > _SHORT)
    plain = [
        Mark(match.start(), match.end(), "not")
        for match in language.denials.finditer(flat)
        if match.lastgroup == "denied"
        and not taken.meet(*match.span())
        # it is no part of a longer form, which begins before it or ends behind it
        and not (longer.hold(match.start() - 1, match.end()) or longer.hold(match.start(), match.end() + 1))
    ]
    return tuple(sorted((*denying, *plain), key=lambda mark: mark.start))
