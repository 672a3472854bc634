"""The substitution test: whether one relation stands for another in sentences that else say the same.

    found = contrasts({"en": "Move up to 4 spaces.", "fr": "Déplacez-vous d'exactement 4 cases."}, trust)

Words alone are weak evidence: each language has its own way with them. So a sense that one side says and the other one
lacks is tried: its alternatives of the same set are put in its place, and where the two sentences come nearer to each
other by that, one stands for the other. How much nearer is measured (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Final

from rulespec.texts.folding import level
from rulespec.texts.language import language_of
from rulespec.texts.numbers import numbers
from rulespec.texts.relations import NONE, Stretch, relations, senses_of
from rulespec.texts.trust import Trust

_TRIED: Final = 3  #: places of a sentence that one sense is tried at, at most
_BOTH: Final = -0.05  #: how much nearer both exchanges together must bring the sentences where words speak for it too
_ALONE: Final = 0.025  #: the same where only one side has words for it
_BOUND: Final = -0.05  #: the same for a bound directly before a number: encoders hardly tell bounds from each other
_ROLES: Final = frozenset({"who"})  #: sets that languages which do not part their words often leave out
_NOTHING: Final = -1.0  #: how far a sentence can go away
#: The same as `_BOTH` for sets whose words are so frequent that they often stand beside each other by chance.
_FREQUENT: Final = {"joining": 0.05}
#: Sets of which a sense may also stand for nothing: that it is left out is tried too.
_LEFT_OUT: Final = frozenset({"bound"})


#: Sets of which a denial turns one sense into another: not this or that is neither this nor that.
_TURNED: Final = frozenset({"joining", "bound", "amount"})


@dataclass(frozen=True)
class Contrast:
    """One sense in place of another: where it stands in a language, and what the other language says there.

    `there` is the stretch in the other language; None where it has no words for it. `nearer` is how much nearer the
    sentences come by the exchange.
    """

    kind: str
    language: str
    sense: str
    at: Stretch
    other: str
    instead: str
    there: Stretch | None
    nearer: float

    @property
    def is_worded(self) -> bool:
        """Whether both languages have words for what they say."""
        return self.there is not None


def contrasts(texts: Mapping[str, str], trust: Trust) -> list[Contrast]:
    """The relations in which two texts of two languages differ; nothing where words or an encoder are missing."""
    if trust.encoder is None or len(texts) != 2 or not all(senses_of(language) for language in texts):
        return []
    return list(_Test(texts, trust).found())


class _Test:
    """Two texts of two languages, with the relations that each of them says."""

    def __init__(self, texts: Mapping[str, str], trust: Trust) -> None:
        self._texts, self._trust = texts, trust
        self._said = {language: relations(text, language) for language, text in texts.items()}

    def found(self) -> Iterator[Contrast]:
        """The contrasts of all sets, of each set one."""
        first, second = (senses_of(language) for language in self._texts)
        for kind in first:
            if kind in second and not (kind in _TURNED and self._is_denied):
                contrast = next(self._exchanged(kind), None) or next(self._alone(kind), None)
                if contrast is not None:
                    yield contrast

    @cached_property
    def _is_denied(self) -> bool:
        """Whether one of the texts denies something."""
        for language, text in self._texts.items():
            denials = language_of(language).denials
            if denials is not None and any(each.lastgroup == "denied" for each in denials.finditer(level(text))):
                return True
        return False

    def _only(self, kind: str, one: str, other: str) -> list[str]:
        """The senses that one language surely says and the other one surely does not."""
        words, found = senses_of(other)[kind], self._said[one].stretches[kind]
        return [name for name in found if name != NONE and name in words and self._said[other].lacks(kind, name)]

    def _exchanged(self, kind: str) -> Iterator[Contrast]:
        """One sense here and another one there, each unknown to the other side."""
        one, other = self._texts
        for sense in self._only(kind, one, other):
            for instead in self._only(kind, other, one):
                nearer, at = self._best(kind, (one, sense), instead)
                back, there = self._best(kind, (other, instead), sense)
                if nearer + back > _FREQUENT.get(kind, _BOTH):
                    yield Contrast(kind, one, sense, at, other, instead, there, nearer + back)

    def _alone(self, kind: str) -> Iterator[Contrast]:
        """A sense that the other side surely does not say, whether or not it says an alternative."""
        for one, other in permutations(self._texts):
            words = senses_of(one)[kind]
            if kind in _ROLES and not language_of(other).spaces:
                continue
            for sense in self._only(kind, one, other):
                if not words[sense].silent:
                    others = [name for name in words if name not in (sense, NONE)]
                    tried = [
                        (*self._best(kind, (one, sense), instead), instead)
                        for instead in [*others, *([""] if kind in _LEFT_OUT else [])]
                    ]
                    nearer, at, instead = max(tried, default=(_NOTHING, (0, 0), ""))
                    if nearer > (_BOUND if kind in _LEFT_OUT and self._counts(one, at) else _ALONE):
                        yield Contrast(kind, one, sense, at, other, instead, None, nearer)

    def _counts(self, language: str, at: Stretch) -> bool:
        """Whether a number stands directly behind a stretch."""
        found = numbers(self._texts[language], language_of(language))
        return any(0 <= number.start - at[1] <= 1 for number in found)

    def _best(self, kind: str, said: tuple[str, str], instead: str) -> tuple[float, Stretch]:
        """Of the places of a sense the one where the exchange brings the texts nearest to each other, and how near."""
        language, sense = said
        text = self._texts[language]
        [there] = [other for code, other in self._texts.items() if code != language]
        put = senses_of(language)[kind][instead].phrase if instead else ""
        return max(
            (self._trust.nearer(text, f"{text[:start]}{put}{text[end:]}", there), (start, end))
            for start, end in self._said[language].stretches[kind][sense][:_TRIED]
        )
