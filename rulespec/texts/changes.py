"""What changed between two editions of a rulebook in one language: sentence by sentence, whatever their lines.

    for change in changes(old, new):
        change.kind, change.old, change.new, change.signs

Sentences with the same words are found first. What is left between them is put together by the words that it shares, in
order; then what was taken out here and put in there with the same words has moved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final, Literal

from rulespec.texts.clusters import Read
from rulespec.texts.differences import Difference, Said, differences
from rulespec.texts.findings import Spot
from rulespec.texts.folding import level
from rulespec.texts.language import language_of
from rulespec.texts.relations import relations

Kind = Literal["changed", "added", "dropped", "moved", "respelled"]
KINDS: Final[tuple[Kind, ...]] = ("changed", "added", "dropped", "moved", "respelled")
OLD: Final = "old"
NEW: Final = "new"

#: Words, figures and signs that mean something; of scripts that do not part words each character.
_WORD: Final = re.compile(
    r"(?<![\w)])[-−]\d[\d.,]*|\d+(?:[.,]\d+)*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]|[^\W\d_]+|[%€$£¥×÷+=<>]"
)
_SHARED: Final = 0.5  #: how many of their words two sentences share, at least, to be one that changed
_MOVED: Final = 0.8  #: the same of one that changed and stands elsewhere
_TELLING: Final = 5  #: words of a sentence that is known again elsewhere, at least
_SPLIT_COST: Final = 0.1  #: for one sentence that became two
_LARGEST: Final = 40_000  #: pairs of sentences of a stretch that are looked at one by one
_SHAPES: Final = ((1, 1), (1, 0), (0, 1), (1, 2), (2, 1))
#: The sort of a sign that is a set of relations, such as before and after.
RELATION: Final = "relation"


@dataclass(frozen=True)
class Sign:
    """Something that a sentence says otherwise now: its sort and what it is, such as the number 3."""

    sort: str
    what: str


@dataclass(frozen=True)
class Change:
    """Sentences of the old edition and what became of them. `signs`: of what they say otherwise; none where only words
    that mean nothing to a comparison changed.
    """

    kind: Kind
    old: tuple[int, ...]
    new: tuple[int, ...]
    signs: tuple[Sign, ...] = ()
    is_moved: bool = False


def words(text: str) -> list[str]:
    """The words of a text, as they are compared."""
    return _WORD.findall(level(text))


def changes(old: Read, new: Read) -> list[Change]:
    """All that changed, in the order of the new edition; what was taken out stands where it stood."""
    found = _Editions(old, new)
    return sorted(found.all(), key=found.place)


class _Editions:
    """Two editions, and which sentences of them are the same."""

    def __init__(self, old: Read, new: Read) -> None:
        self._old, self._new = old, new
        self._words = ([words(clause.text) for clause in old.clauses], [words(clause.text) for clause in new.clauses])
        self._counts = tuple([Counter(each) for each in side] for side in self._words)

    def all(self) -> Iterator[Change]:
        """The changes, those that stand elsewhere put together."""
        kept: list[Change] = []
        dropped: list[Change] = []
        added: list[Change] = []
        for change in self._in_order():
            into = dropped if not change.new else added if not change.old else kept
            into.append(change)
        moved, rest = self._moved(dropped, added)
        for change in (*kept, *moved):
            yield self._with_signs(change)
        yield from rest

    def place(self, change: Change) -> tuple[int, int]:
        """Where a change stands in the new edition."""
        if change.new:
            return change.new[0], 1
        before = [n for n in self._partner if n < change.old[0]]
        return (self._partner[max(before)] if before else -1), 2

    @cached_property
    def _partner(self) -> dict[int, int]:
        """For each sentence of the old edition that is in the new one where it stands there."""
        return dict(self._same)

    @cached_property
    def _same(self) -> list[tuple[int, int]]:
        keys = [[" ".join(each) for each in side] for side in self._words]
        blocks = SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_matching_blocks()
        return [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]

    def _in_order(self) -> Iterator[Change]:
        """What is otherwise between sentences that are the same, and these where they are only written otherwise."""
        i = j = 0
        for a, b in [*self._same, (len(self._old.clauses), len(self._new.clauses))]:
            yield from self._between(range(i, a), range(j, b))
            if a < len(self._old.clauses) and self._old.clauses[a].text != self._new.clauses[b].text:
                yield Change("respelled", (a,), (b,))
            i, j = a + 1, b + 1

    def _between(self, olds: range, news: range) -> Iterator[Change]:
        if not olds or not news or len(olds) * len(news) > _LARGEST:
            yield from (Change("dropped", (n,), ()) for n in olds)
            yield from (Change("added", (), (n,)) for n in news)
            return
        for ones, others in self._beads(olds, news):
            kind: Kind = "changed" if ones and others else "dropped" if ones else "added"
            yield Change(kind, ones, others)

    def _beads(self, olds: range, news: range) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The best pairs in order: one sentence with one, or with two that it became."""
        best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0.0, 0, 0)}
        for i in range(len(olds) + 1):
            for j in range(len(news) + 1):
                tried = [
                    (best[i - n, j - m][0] + self._gain(olds[i - n : i], news[j - m : j]), n, m)
                    for n, m in _SHAPES
                    if i >= n and j >= m
                ]
                if tried:
                    best[i, j] = max(tried, key=lambda one: one[0])
        found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        i, j = len(olds), len(news)
        while i or j:
            _, n, m = best[i, j]
            found.append((tuple(olds[i - n : i]), tuple(news[j - m : j])))
            i, j = i - n, j - m
        return found[::-1]

    def _gain(self, olds: range, news: range) -> float:
        """What speaks for two stretches being one that changed; nothing for what stands alone."""
        if not olds or not news:
            return 0.0
        kinds = {self._old.clauses[n].kind == "heading" for n in olds} | {
            self._new.clauses[n].kind == "heading" for n in news
        }
        if len(kinds) > 1:
            return -1.0
        shared = self._shared(olds, news) - _SPLIT_COST * (len(olds) + len(news) - 2)
        return (shared - _SHARED) * (len(olds) + len(news)) / 2 if shared >= _SHARED else -1.0

    def _shared(self, olds: Sequence[int], news: Sequence[int]) -> float:
        """The share of words that two stretches have in common."""
        one = sum((self._counts[0][n] for n in olds), Counter[str]())
        other = sum((self._counts[1][n] for n in news), Counter[str]())
        total = one.total() + other.total()
        return 2 * (one & other).total() / total if total else 0.0

    def _moved(self, dropped: list[Change], added: list[Change]) -> tuple[list[Change], list[Change]]:
        """What was taken out and put in elsewhere, and the rest; the likest first."""
        offers = []
        for one in dropped:
            own = self._counts[0][one.old[0]]
            for other in added:
                there = self._counts[1][other.new[0]]
                if 2 * min(own.total(), there.total()) >= _MOVED * (own.total() + there.total()):
                    shared = self._shared(one.old, other.new)
                    if shared == 1.0 or (shared >= _MOVED and own.total() >= _TELLING):
                        offers.append((-shared, one.old[0], other.new[0]))
        left: set[int] = set()
        right: set[int] = set()
        moved = []
        for _, i, j in sorted(offers):
            if i not in left and j not in right:
                left.add(i)
                right.add(j)
                is_same = self._words[0][i] == self._words[1][j]
                moved.append(Change("moved" if is_same else "changed", (i,), (j,), is_moved=True))
        rest = [c for c in dropped if c.old[0] not in left] + [c for c in added if c.new[0] not in right]
        return moved, rest

    def _with_signs(self, change: Change) -> Change:
        if change.kind != "changed":
            return change
        sides = {OLD: said_of(self._old, change.old), NEW: said_of(self._new, change.new)}
        signs = [sign_of(each) for each in differences(sides)]
        senses = {name: senses_in(self._text(name, change), self._old.language) for name in (OLD, NEW)}
        kinds = {*senses[OLD], *senses[NEW]}
        signs += [Sign(RELATION, kind) for kind in kinds if senses[OLD].get(kind) != senses[NEW].get(kind)]
        return replace(change, signs=tuple(sorted(set(signs), key=lambda sign: (sign.sort, sign.what))))

    def _text(self, name: str, change: Change) -> str:
        read, members = (self._old, change.old) if name == OLD else (self._new, change.new)
        return text_of(read, members)


def text_of(read: Read, members: Sequence[int]) -> str:
    """Sentences of a book that belong together, as one text."""
    return (" " if language_of(read.language).spaces else "").join(read.clauses[n].text for n in members)


def said_of(read: Read, members: Sequence[int]) -> Said:
    """What sentences of a book say together."""
    return Said(read.language, tuple(read.said[n] for n in members))


def sign_of(difference: Difference) -> Sign:
    """A difference as something that can be asked of a third text."""
    return Sign(difference.sort, str(difference.what))


def senses_in(text: str, language: str) -> dict[str, frozenset[str]]:
    """The senses that a text surely says, of each set of relations that it says something of."""
    found = relations(text, language).stretches
    return {kind: frozenset(senses) for kind, senses in found.items() if senses}


def marks(old: str, new: str) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    """The stretches of two texts that are not in the other one."""
    sides = [list(_WORD.finditer(level(text))) for text in (old, new)]
    matcher = SequenceMatcher(None, [m[0] for m in sides[0]], [m[0] for m in sides[1]], autojunk=False)
    found: tuple[list[Spot], list[Spot]] = ([], [])
    for tag, a, b, c, d in matcher.get_opcodes():
        for own, matches, start, end in ((found[0], sides[0], a, b), (found[1], sides[1], c, d)):
            if tag != "equal" and end > start:
                own.append(Spot(matches[start].start(), matches[end - 1].end()))
    return tuple(found[0]), tuple(found[1])
