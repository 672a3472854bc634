"""Rulebooks against the declared rules: where each rulebook says a rule, and whether its figures agree.

A rule is found by what its own text says in that language: its terms, and its words. Figures are left out of the
search, since a figure that differs is what is looked for. All languages are searched together.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.folding import fold
from rulespec.texts.glossary import Glossary
from rulespec.texts.language import language_of
from rulespec.texts.signature import Reader, Signature

_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 0.26  #: how well a sentence fits a rule, at least
_LEAST: Final = 0.16  #: the same in each single language
_HINTED: Final = 0.3  #: what it counts that a sentence stands where the rule says
_SOMETHING: Final = 0.08  #: how well a sentence fits, at least, for such a hint to count
_ASIDE: Final = 0.5  #: what headings, stories and examples count beside rules
_WORDS: Final = 0.5  #: what the words count, beside the terms
_COVERED: Final = 0.2  #: how well a sentence fits some rule, at least, to be covered by it
_BROKEN: Final = re.compile(r"[\W\d]")
_LATIN_NOISE: Final = 2  #: words of so few letters say nothing


@dataclass(frozen=True)
class Rule:
    """A declared rule as its own text says it, with its figures filled in, by language.

    `lines` are where each language's rulebook says it, as the rule's sources tell: a hint. `acting` are those who act
    in the declarations that it binds (`owners`); it is empty where they do not say.
    """

    id: str
    texts: Mapping[str, str]
    lines: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    acting: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Link:
    """A rule with the cluster that says it, how well it fits, and the clauses by language."""

    rule: str
    cluster: int
    score: float
    clauses: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Links:
    """Where the rules are said."""

    said: dict[str, Link]
    missing: dict[str, tuple[str, ...]]
    uncovered: dict[str, tuple[int, ...]]

    @cached_property
    def by_cluster(self) -> dict[int, list[Link]]:
        """The links of each cluster, the best first."""
        found: dict[int, list[Link]] = {}
        for link in sorted(self.said.values(), key=lambda link: -link.score):
            found.setdefault(link.cluster, []).append(link)
        return found


class _Index:
    """Bags of words or terms that are compared with another bag: how like each one is."""

    def __init__(self, bags: Sequence[dict[str, float]]) -> None:
        seen = Counter(word for bag in bags for word in bag)
        self._rare = {word: math.log((len(bags) + 1) / (number + 0.5)) for word, number in seen.items()}
        self._sizes = [self._size(bag) for bag in bags]
        self._where: dict[str, list[tuple[int, float]]] = {}
        for n, bag in enumerate(bags):
            for word, weight in bag.items():
                self._where.setdefault(word, []).append((n, weight * self._rare[word] ** 2))

    def _size(self, bag: dict[str, float]) -> float:
        return math.sqrt(sum((weight * self._rare.get(word, 1.0)) ** 2 for word, weight in bag.items())) or 1.0

    def likeness(self, bag: dict[str, float]) -> list[float]:
        """The cosine of a bag and each of the known ones."""
        found = [0.0] * len(self._sizes)
        for word, weight in bag.items():
            for n, worth in self._where.get(word, ()):
                found[n] += weight * worth
        size = self._size(bag)
        return [common / (size * own) for common, own in zip(found, self._sizes, strict=True)]


class Searcher:
    """Finds the clauses of one document that fit a text."""

    def __init__(self, read: Read, glossary: Glossary) -> None:
        self._read = read
        self._spaces = language_of(read.language).spaces
        self._reader = Reader(read.language, glossary)
        self._words = _Index([self._bag(said.text) for said in read.said])
        self._terms = _Index([_concepts(said) for said in read.said])
        self._lines = [(clause.line, clause.end_line) for clause in read.clauses]
        self._worth = [
            _ASIDE if clause.kind == "heading" or clause.label in ("story", "names", "example") else 1.0
            for clause in read.clauses
        ]

    def signature(self, text: str) -> Signature:
        """What a text says in the document's language."""
        return self._reader.read(text)

    def scores(self, said: Signature, lines: Sequence[tuple[int, int]]) -> list[float]:
        """How well each clause fits a text. `lines` are where it is said, as a hint."""
        words = self._words.likeness(self._bag(said.text))
        terms = self._terms.likeness(_concepts(said))
        found = [
            (_WORDS * one + (1 - _WORDS) * other) * worth
            for one, other, worth in zip(words, terms, self._worth, strict=True)
        ]
        for n, (start, end) in enumerate(self._lines if lines else ()):
            if found[n] >= _SOMETHING and any(a <= end and start <= b for a, b in lines):
                found[n] += _HINTED
        return found

    def _bag(self, text: str) -> dict[str, float]:
        flat = fold(text)
        if self._spaces:
            base = language_of(self._read.language).base
            words = [base(word) for word in _WORD.findall(flat) if len(word) > _LATIN_NOISE]
        else:
            words = [flat[n : n + 2] for n in range(len(flat) - 1) if not _BROKEN.search(flat, n, n + 2)]
        return {word: float(number) for word, number in Counter(words).items()}


def _concepts(said: Signature) -> dict[str, float]:
    return {concept: least + 0.4 * (most - least) for concept, (least, most) in said.counts.items()}


def link_rules(rules: Iterable[Rule], reads: Sequence[Read], clusters: Sequence[Cluster], glossary: Glossary) -> Links:
    """Where each rule is said: the cluster that fits best in all languages together."""
    searchers = {read.language: Searcher(read, glossary) for read in reads}
    said: dict[str, Link] = {}
    missing: dict[str, list[str]] = {read.language: [] for read in reads}
    best = {read.language: [0.0] * len(read.clauses) for read in reads}
    for rule in rules:
        scores = {
            language: searcher.scores(searcher.signature(rule.texts[language]), rule.lines.get(language, ()))
            for language, searcher in searchers.items()
            if language in rule.texts
        }
        for language, own in scores.items():
            best[language] = [max(pair) for pair in zip(best[language], own, strict=True)]
        link = _best(rule.id, scores, clusters)
        if link is not None:
            said[rule.id] = link
        for language in scores:
            if link is None or language not in link.clauses:
                missing[language].append(rule.id)
    uncovered = {read.language: _uncovered(read, best[read.language]) for read in reads}
    return Links(said, {language: tuple(ids) for language, ids in missing.items()}, uncovered)


def _best(rule: str, scores: dict[str, list[float]], clusters: Sequence[Cluster]) -> Link | None:
    """The cluster that fits a rule best, where one fits."""
    top, found = 0.0, None
    for cluster in clusters:
        here = {
            language: max(own[n] for n in cluster.members[language])
            for language, own in scores.items()
            if language in cluster.members
        }
        if not here:
            continue
        score = sum(here.values()) / len(scores)
        if score > top:
            top, found = score, (cluster, here)
    if found is None or top < _ENOUGH:
        return None
    cluster, here = found
    clauses = {language: cluster.members[language] for language, score in here.items() if score >= _LEAST}
    return Link(rule, cluster.index, top, clauses) if clauses else None


def _uncovered(read: Read, best: Sequence[float]) -> tuple[int, ...]:
    """The lines of rule sentences that no rule covers."""
    lines = {
        clause.line
        for clause, score in zip(read.clauses, best, strict=True)
        if score < _COVERED and clause.label == "rule" and clause.kind != "heading" and len(clause.text) > 20
    }
    return tuple(sorted(lines))
