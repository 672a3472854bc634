"""How sure it is that clauses which were put together say the same, and that a clause stands in one language only.

Known only where there is an encoder: by its vectors a pair is surer the more its sides are nearer to each other than
to any other clause, and surer where the clauses beside them are a pair too. The weights are those of a logistic
regression over pairs of which it was known whether they are right (docs/benchmarks.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.encoder import Encoder

#: From here on a pair is sure: what its sides say is compared. Of such pairs 99 of 100 were right in the book that the
#: weights below were fitted to, and 98 where a quarter of its lines was taken out (by `python -m bench.texts.unseen
#: --lines`).
SURE: Final = 0.9
_COSINE: Final = 0.67
_MARGIN: Final = 11.16
_BESIDE: Final = 1.93
_NOTHING: Final = -0.37
#: Above nine of ten pairs of any two sentences in each of 20 pairs of rulebooks (0.21 to 0.34, by
#: `python -m bench.texts.untuned --near`).
_ANY_TWO: Final = 0.35
_AT_ONCE: Final = 256  #: pairs whose rivals are looked for at once
_SLACK: Final = 0.03  #: how much worse a pair may become by a clause that one of its sides says too
_FEW: Final = 0.5  #: of the clauses of the shorter book, below which few are said to pair
_MANY: Final = 8  #: clauses of a book that say that few pair, at least


@dataclass(frozen=True)
class Trust:
    """What is known of pairs: `sure` by cluster, and for each clause that stands alone whether it surely does.

    `encoder` is what it is known by; None where nothing is known.
    """

    sure: Mapping[int, float]
    alone: Mapping[tuple[int, str], bool]
    encoder: Encoder | None = None

    def is_sure(self, cluster: int) -> bool:
        """Whether the sides of a cluster surely say the same."""
        return self.sure.get(cluster, 1.0) >= SURE

    def lacks(self, cluster: int, language: str) -> bool:
        """Whether a language surely has nothing of what a cluster says."""
        return self.alone.get((cluster, language), True)

    def nearer(self, text: str, without: str, other: str) -> float:
        """How much nearer a text comes to another one by what is taken out of it; below 0 where it goes away."""
        if self.encoder is None:
            return 0.0
        whole, rest, there = self.encoder.encode([text, without, other])
        return float(rest @ there) - float(whole @ there)


@dataclass(frozen=True)
class Asking(Trust):
    """Notes the texts that are asked for and says nothing of them, so that all can be encoded at once."""

    asked: list[str] = field(default_factory=list)

    def nearer(self, text: str, without: str, other: str) -> float:
        """Notes the texts; as if they went away from each other."""
        self.asked.extend((text, without, other))
        return -1.0


#: Without an encoder nothing is known, and what was put together is taken to be right.
UNKNOWN: Final = Trust({}, {})


def trust_in(reads: Sequence[Read], clusters: Sequence[Cluster], encoder: Encoder | None) -> Trust:
    """How sure the pairs of the clusters are. Without an encoder nothing is known of them."""
    if encoder is None or not all(read.vectors for read in reads):
        return UNKNOWN
    sure: dict[int, float] = {}
    alone: dict[tuple[int, str], bool] = {}
    for one, other in combinations(reads, 2):
        pairs = _Pairs(one, other, clusters)
        for cluster, confidence in pairs.confidences():
            sure[cluster] = min(confidence, sure.get(cluster, 1.0))
    for one, other in combinations(reads, 2):
        for here, there in ((one, other), (other, one)):
            for cluster, surely in _Pairs(here, there, clusters).alone(sure):
                alone[cluster, there.language] = surely and alone.get((cluster, there.language), True)
    return Trust(sure, alone, encoder)


def few(reads: Sequence[Read], clusters: Sequence[Cluster], trust: Trust) -> list[tuple[str, str, int, int]]:
    """The pairs of languages of which few clauses surely pair: with how many do, of how many of the shorter one."""
    found = []
    for one, other in combinations(reads, 2):
        both = [c for c in clusters if one.language in c.members and other.language in c.members]
        paired = sum(min(len(c.members[r.language]) for r in (one, other)) for c in both if trust.is_sure(c.index))
        shorter = min(len(one.clauses), len(other.clauses))
        if shorter >= _MANY and paired < _FEW * shorter:
            found.append((one.language, other.language, paired, shorter))
    return found


class _Pairs:
    """The clusters of two languages, as vectors."""

    def __init__(self, one: Read, other: Read, clusters: Sequence[Cluster]) -> None:
        import numpy as np

        self._one, self._other, self._clusters = one, other, clusters
        self._both = [c for c in clusters if one.language in c.members and other.language in c.members]
        self._lefts = [one.vector_of(self._left(c)) for c in self._both]
        self._rights = [other.vector_of(self._right(c)) for c in self._both]
        self._all_left, self._all_right = np.stack(one.vectors), np.stack(other.vectors)

    def _left(self, cluster: Cluster) -> tuple[int, ...]:
        return cluster.members[self._one.language]

    def _right(self, cluster: Cluster) -> tuple[int, ...]:
        return cluster.members[self._other.language]

    # ---- pairs

    def confidences(self) -> Iterator[tuple[int, float]]:
        """How sure each cluster's pair is, by the cluster's index.

        What a person has joined is sure. Where there is nothing to choose from, a pair counts by itself: how far it is
        above any two sentences.
        """
        to_left, to_right = self._cosines(self._all_left, self._rights), self._cosines(self._all_right, self._lefts)
        for n, (cluster, lefts, rights) in enumerate(zip(self._both, to_left, to_right, strict=True)):
            if {self._one.language, self._other.language} <= cluster.by_hand:
                yield cluster.index, 1.0
                continue
            cosine = float(self._lefts[n] @ self._rights[n])
            rivals = (
                _rival(self._one, lefts, self._left(cluster)),
                _rival(self._other, rights, self._right(cluster)),
            )
            found = [rival for rival in rivals if rival is not None]
            margin = cosine - max(found, default=_ANY_TWO)
            beside = sum(self._are_beside(m, m + 1) for m in (n - 1, n)) if found else 0
            yield cluster.index, _logistic(_COSINE * cosine + _MARGIN * margin + _BESIDE * beside + _NOTHING)

    def _cosines(self, clauses: Any, sides: Sequence[Any]) -> Iterator[Any]:
        """For each side of a pair how near all clauses are to it: for many at once, which is far quicker."""
        import numpy as np

        for start in range(0, len(sides), _AT_ONCE):
            yield from np.stack(sides[start : start + _AT_ONCE]) @ clauses.T

    def _are_beside(self, n: int, m: int) -> bool:
        """Whether two pairs that follow each other do so in both languages without anything between."""
        if n < 0 or m >= len(self._both):
            return False
        one, other = self._both[n], self._both[m]
        return self._left(other)[0] - self._left(one)[-1] == 1 and self._right(other)[0] - self._right(one)[-1] == 1

    # ---- what stands alone

    def alone(self, sure: Mapping[int, float]) -> Iterator[tuple[int, bool]]:
        """The clusters of the one language that the other lacks, and whether it surely does.

        It does where the pairs before and behind are sure, nothing of the other language is left over between them,
        and neither of them says the clause too: then with it they would be a better pair.
        """
        position = {cluster.index: n for n, cluster in enumerate(self._both)}
        for n, cluster in enumerate(self._clusters):
            if self._one.language not in cluster.members or self._other.language in cluster.members:
                continue
            before = next((position[c.index] for c in reversed(self._clusters[:n]) if c.index in position), -1)
            yield cluster.index, self._is_alone(cluster, before, sure)

    def _is_alone(self, cluster: Cluster, before: int, sure: Mapping[int, float]) -> bool:
        """Whether a cluster behind a pair, -1 for none, surely stands alone."""
        near = [m for m in (before, before + 1) if 0 <= m < len(self._both)]
        unsure = any(sure.get(self._both[m].index, 1.0) < SURE for m in near)
        if not near or unsure or self._is_left_behind(before):
            return False
        vector = self._one.vector_of(self._left(cluster))
        return not any(self._says_too(vector, m) for m in near)

    def _is_left_behind(self, n: int) -> bool:
        """Whether clauses of the other language stand behind a pair and before the next, or before the first (-1) or
        behind the last: they may say the same in other words.
        """
        clauses = self._other.clauses
        start = self._right(self._both[n])[-1] + 1 if n >= 0 else 0
        end = self._right(self._both[n + 1])[0] if n + 1 < len(self._both) else len(clauses)
        return start != end

    def _says_too(self, vector: Any, m: int) -> bool:
        left, right = self._lefts[m], self._rights[m]
        together = left + vector
        with_it = float(together @ right) / math.sqrt(float(together @ together))
        return with_it > float(left @ right) - _SLACK


def _rival(read: Read, cosines: Any, own: tuple[int, ...]) -> float | None:
    """How near the nearest clause is that is none of a pair, and does not say the same word for word; None without."""
    texts = {read.clauses[n].text for n in own}
    left = cosines.copy()
    for _ in range(len(left)):
        n = int(left.argmax())
        if n not in own and read.clauses[n].text not in texts:
            return float(cosines[n])
        left[n] = -math.inf
    return None


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))
