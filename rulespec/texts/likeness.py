"""How much two stretches of text say the same, by their signatures: numbers from 0 to 1.

A stretch is one clause or several, of one language or of several: its features are what its clauses say, weighed by
kind and by how rare they are, as a mean over the languages.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rulespec.texts.folding import fold
from rulespec.texts.signature import Signature

#: What a concept of each group weighs.
GROUPS: Final = {
    "term": 1.0,
    "thing": 0.5,
    "act": 0.4,
    "direction": 0.5,
    "state": 0.5,
    "colour": 0.6,
    "owner": 0.3,
    "time": 0.3,
    "extent": 0.25,
    "choice": 0.25,
}
_CONCEPTS: Final = 0.58
_NUMBERS: Final = 0.20
_LENGTH: Final = 0.12
_DENIALS: Final = 0.06
_LETTERS: Final = 0.10
_NAME: Final = 0.5  #: what a word that is the same in both weighs, such as the name of a place
_FEATURELESS: Final = 0.36  #: two stretches of which nothing is known: as good as any, if order allows
_STRANGERS: Final = 0.3  #: the most for two stretches that have nothing in common
_WORD: Final = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]{3,}")
_SLIGHT: Final = 0.5  #: what a possible reading counts, beside a sure one


@dataclass(frozen=True, slots=True)
class Features:
    """What a stretch says, as weights."""

    concepts: dict[str, float]
    size: float
    values: dict[float, float]
    length: float
    denials: float
    letters: frozenset[str]


class Weights:
    """What each concept weighs in the documents that are compared."""

    def __init__(self, documents: Iterable[Sequence[Signature]]) -> None:
        seen: Counter[str] = Counter()
        number = 0
        for signatures in documents:
            number += len(signatures)
            for said in signatures:
                seen.update({*said.counts, *_names(said)})
        self._rarity = {concept: math.log((number + 1) / (count + 0.5)) for concept, count in seen.items()}

    def features(self, said: Signature, scale: float) -> Features:
        """One clause's features. `scale` takes its length to that of the first language."""
        concepts = {
            concept: (least + _SLIGHT * (most - least)) * GROUPS[said.groups[concept]] * self._rarity[concept]
            for concept, (least, most) in said.counts.items()
            if concept in self._rarity
        }
        concepts.update((name, _NAME * self._rarity[name]) for name in _names(said))
        values = {value: least + 0.2 * (most - least) for value, (least, most) in said.values.items()}
        letters = frozenset(mark.kind for mark in said.letters)
        return Features(
            concepts, sum(concepts.values()), values, len(said.text) * scale, float(said.denials > 0), letters
        )


def _names(said: Signature) -> set[str]:
    """The words with capitals that are no terms, as features: names, headings that were left in another language."""
    return {
        f"={fold(match[0])}"
        for match in _WORD.finditer(said.text)
        if match.start() > 3 and not any(hit.start < match.end() and match.start() < hit.end for hit in said.hits)
    }


def joined(parts: Sequence[Features]) -> Features:
    """Clauses that follow each other, as one stretch."""
    if len(parts) == 1:
        return parts[0]
    concepts: dict[str, float] = {}
    values: dict[float, float] = {}
    for part in parts:
        for concept, weight in part.concepts.items():
            concepts[concept] = concepts.get(concept, 0.0) + weight
        for value, weight in part.values.items():
            values[value] = values.get(value, 0.0) + weight
    letters = frozenset().union(*(part.letters for part in parts))
    return Features(
        concepts,
        sum(part.size for part in parts),
        values,
        sum(part.length for part in parts),
        max(part.denials for part in parts),
        letters,
    )


def mean(parts: Sequence[Features]) -> Features:
    """The same stretch in several languages."""
    if len(parts) == 1:
        return parts[0]
    share = 1 / len(parts)
    concepts: dict[str, float] = {}
    values: dict[float, float] = {}
    for part in parts:
        for concept, weight in part.concepts.items():
            concepts[concept] = concepts.get(concept, 0.0) + weight * share
        for value, weight in part.values.items():
            values[value] = values.get(value, 0.0) + weight * share
    letters = frozenset().union(*(part.letters for part in parts))
    return Features(
        concepts,
        sum(concepts.values()),
        values,
        sum(part.length for part in parts) * share,
        sum(part.denials for part in parts) * share,
        letters,
    )


def likeness(one: Features, other: Features) -> float:
    """How much two stretches say the same."""
    if not (one.size or other.size or one.values or other.values):
        return _FEATURELESS
    score, weight = 0.0, 0.0
    if one.size or other.size:
        score += _CONCEPTS * _dice(one, other)
        weight += _CONCEPTS
    if one.values or other.values:
        score += _NUMBERS * _dice_of_values(one.values, other.values)
        weight += _NUMBERS
    if one.letters or other.letters:
        score += _LETTERS * len(one.letters & other.letters) / len(one.letters | other.letters)
        weight += _LETTERS
    strangers = score == 0.0
    score += _LENGTH * max(0.0, 1 - abs(math.log((one.length + 8) / (other.length + 8))))
    score += _DENIALS * (1 - abs(one.denials - other.denials))
    return min(score / (weight + _LENGTH + _DENIALS), _STRANGERS if strangers else 1.0)


def _dice(one: Features, other: Features) -> float:
    small, large = (
        (one.concepts, other.concepts)
        if len(one.concepts) < len(other.concepts)
        else (
            other.concepts,
            one.concepts,
        )
    )
    common = 0.0
    for concept, weight in small.items():
        there = large.get(concept)
        if there is not None:
            common += min(there, weight)
    return 2 * common / (one.size + other.size)


def _dice_of_values(one: dict[float, float], other: dict[float, float]) -> float:
    if not (one and other):
        return 0.0
    common = sum(min(weight, other[value]) for value, weight in one.items() if value in other)
    total = sum(one.values()) + sum(other.values())
    return 2 * common / total
