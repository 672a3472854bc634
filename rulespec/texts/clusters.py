"""All languages aligned together: clusters of clauses that say the same.

The first two documents are aligned, then each further one with what is there: a clause that one language lacks is found
by the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from rulespec.texts.align import Item, align
from rulespec.texts.clauses import Clause
from rulespec.texts.encoder import Encoder
from rulespec.texts.folding import fold
from rulespec.texts.likeness import Features, Weights, joined, mean
from rulespec.texts.ruled import FREE, NOTHING, Hand, Ruled, Sides
from rulespec.texts.signature import Signature

_NEAR: Final = 3  #: how far apart a sentence and its double are, at most
_OPENING: Final = "([（［"
_SHORTEST: Final = 14  #: characters of a sentence that is no repeated heading
_LISTED: Final = ("item", "step", "entry")


@dataclass(frozen=True)
class Read:
    """A document's clauses with what each says, and their features."""

    language: str
    clauses: tuple[Clause, ...]
    said: tuple[Signature, ...]
    features: tuple[Features, ...] = ()
    vectors: tuple[Any, ...] = ()

    def vector_of(self, indexes: Sequence[int]) -> Any:
        """The vector of clauses together, of length 1; None where there is no encoder."""
        if not self.vectors:
            return None
        total = sum(self.vectors[n] for n in indexes)
        return total / float(total @ total) ** 0.5

    @cached_property
    def doubles(self) -> frozenset[int]:
        """The clauses that say word for word what one shortly before says: they are told, and not aligned.

        A remark in brackets belongs to what it follows: it says the same again only directly behind itself.
        """
        return frozenset(n for n in range(len(self.clauses)) if self._repeated_by(n) is not None)

    def original(self, n: int) -> int:
        """The clause that a double repeats."""
        repeated = self._repeated_by(n)
        assert repeated is not None, n
        return repeated

    def heading_of(self, n: int) -> int | None:
        """The heading that a clause stands under; None where there is none, or it is one itself."""
        above = self._headings[n]
        return above if above != n else None

    @cached_property
    def _headings(self) -> list[int | None]:
        found: list[int | None] = []
        for n, clause in enumerate(self.clauses):
            heads = clause.kind == "heading" or clause.text.isupper()
            found.append(n if heads else (found[-1] if found else None))
        return found

    @cached_property
    def _bare(self) -> list[str]:
        """The clauses' texts as they are compared with each other."""
        return [fold(" ".join(clause.text.split())).strip(" .。") for clause in self.clauses]

    def _repeated_by(self, n: int) -> int | None:
        """The clause shortly before that says the same, the nearest; None where there is none."""
        own = self._bare[n]
        if len(own) < _SHORTEST or self.clauses[n].kind == "heading":
            return None
        reach = 1 if own[0] in _OPENING else _NEAR
        return next((m for m in range(n - 1, max(0, n - reach) - 1, -1) if self._bare[m] == own), None)


@dataclass
class Cluster:
    """Clauses that say the same, by language. `by_hand`: languages between which a person has joined them."""

    members: dict[str, tuple[int, ...]] = field(default_factory=dict)
    index: int = 0
    by_hand: frozenset[str] = frozenset()


def aligned(documents: Sequence[Read], hand: Hand = NOTHING) -> list[Cluster]:
    """The clusters of all documents, in the order of the first, as a person has decided of them."""
    first = documents[0]
    clusters = [Cluster({first.language: (n,)}) for n in _single(first, hand)]
    known = {document.language: document for document in documents}
    for document in documents[1:]:
        clusters = _with(clusters, document, known, hand)
    for n, cluster in enumerate(clusters):
        cluster.index = n
    return clusters


def _single(document: Read, hand: Hand) -> list[int]:
    """The clauses that are aligned: what repeats another one is where a person speaks of it."""
    doubles = document.doubles - hand.named_in(document.language)
    return [n for n in range(len(document.clauses)) if n not in doubles]


def _with(clusters: list[Cluster], document: Read, known: dict[str, Read], hand: Hand) -> list[Cluster]:
    left = [_item(cluster, known) for cluster in clusters]
    single = _single(document, hand)
    right = [_own_item(document, n) for n in single]
    ruled = _ruled(clusters, document.language, single, hand)
    joined = dict(_languages(clusters, document.language, hand))
    found = []
    for bead in align(left, right, ruled):
        members: dict[str, tuple[int, ...]] = {}
        for n in bead.left:
            for language, indexes in clusters[n].members.items():
                members[language] = tuple(sorted((*members.get(language, ()), *indexes)))
        if bead.right:
            members[document.language] = tuple(single[n] for n in bead.right)
        by_hand = frozenset().union(*(clusters[n].by_hand for n in bead.left))
        found.append(Cluster(members, by_hand=by_hand | joined.get(bead.left, frozenset())))
    return found


def _ruled(clusters: Sequence[Cluster], language: str, single: Sequence[int], hand: Hand) -> Ruled:
    """What was decided, of the clusters there are and the clauses of the next language."""
    if hand is NOTHING:
        return FREE
    place = {n: at for at, n in enumerate(single)}
    own = [sides for sides in hand.joined if language in sides and _holding(clusters, sides, language)]
    joined = [(_holding(clusters, sides, language), tuple(place[n] for n in sides[language])) for sides in own]
    apart, unmixed = set(), set()
    for sides in hand.split:
        by_other = {
            other: _holding(clusters, {other: ns}, language) for other, ns in sides.items() if other != language
        }
        apart |= {(i, place[n]) for held in by_other.values() for i in held for n in sides.get(language, ())}
        unmixed |= {(i, j) for one, two in combinations(by_other.values(), 2) for i in one for j in two if i != j}
    return Ruled(tuple(joined), frozenset(apart), frozenset(unmixed))


def _languages(
    clusters: Sequence[Cluster], language: str, hand: Hand
) -> Iterator[tuple[tuple[int, ...], frozenset[str]]]:
    """For the clusters of each join between which languages a person has made it."""
    for sides in hand.joined:
        if language in sides:
            yield _holding(clusters, sides, language), frozenset(sides)


def _holding(clusters: Sequence[Cluster], sides: Sides, language: str) -> tuple[int, ...]:
    """The clusters that hold clauses of other languages than one."""
    return tuple(
        i
        for i, cluster in enumerate(clusters)
        if any(n in cluster.members.get(other, ()) for other, ns in sides.items() if other != language for n in ns)
    )


def _item(cluster: Cluster, known: dict[str, Read]) -> Item:
    parts = []
    blocks: list[int] = []
    for language, indexes in cluster.members.items():
        read = known[language]
        parts.append(joined([read.features[n] for n in indexes]))
        blocks.append(read.clauses[indexes[0]].block_index)
    clauses = [known[language].clauses[n] for language, indexes in cluster.members.items() for n in indexes]
    heading = sum(clause.kind == "heading" for clause in clauses) * 2 > len(clauses)
    vectors = [known[language].vector_of(indexes) for language, indexes in cluster.members.items()]
    vector = None if vectors[0] is None else sum(vectors) / float(sum(vectors) @ sum(vectors)) ** 0.5
    return Item(mean(parts), heading, tuple(blocks[:1]), any(clause.kind in _LISTED for clause in clauses), vector)


def _own_item(document: Read, n: int) -> Item:
    clause = document.clauses[n]
    vector = document.vectors[n] if document.vectors else None
    return Item(document.features[n], clause.kind == "heading", (clause.block_index,), clause.kind in _LISTED, vector)


def with_features(documents: Sequence[Read], encoder: Encoder | None = None) -> list[Read]:
    """The documents with features that can be compared, and with vectors where there is an encoder."""
    weights = Weights([document.said for document in documents])
    lengths = [sum(len(said.text) for said in document.said) or 1 for document in documents]
    return [
        Read(
            document.language,
            document.clauses,
            document.said,
            tuple(weights.features(said, lengths[0] / length) for said in document.said),
            () if encoder is None else tuple(encoder.encode([clause.text for clause in document.clauses])),
        )
        for document, length in zip(documents, lengths, strict=True)
    ]
