"""Which clauses of two documents say the same: in order first, then lists in another order and moved paragraphs.

The order is found by dynamic programming over groups of clauses (1-1, 1-2, 2-1 and so on). Then a clause may leave its
partner for a much better one elsewhere, and clauses that are left over are paired with each other where they fit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from rulespec.texts.likeness import Features, joined, likeness
from rulespec.texts.nearness import Nearness
from rulespec.texts.ruled import FREE, Ruled, gaps

_BAND: Final = 70  #: how far from the diagonal partners are looked for, at least
_ENOUGH: Final = 0.34  #: how much two clauses say the same, at least, to be partners
_BETTER: Final = 0.03  #: how much better another partner must be
_NEAR: Final = 60  #: how far a list's entries may be from their partners
_FAR: Final = 0.62  #: how much moved paragraphs say the same, at least
_SANDWICHED: Final = 0.2  #: how much two clauses between the same neighbours say the same, at least
_TELLING: Final = 6.0  #: how much a clause says, at least, to be known again far from its place
_SHAPES: Final = ((1, 1), (1, 0), (0, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
_SHAPE_COST: Final = {(1, 2): 0.06, (2, 1): 0.06, (1, 3): 0.16, (3, 1): 0.16, (2, 2): 0.45}
_CROSSING_COST: Final = 0.10  #: for a group of sentences of two paragraphs
_HEADING_COST: Final = 0.18
_HOPELESS: Final = 0.16  #: below this two clauses are not put into one group
_MEANING: Final = 0.7  #: how much an encoder has a say beside the words
_ALIKE: Final = 1.0  #: the most that two groups say the same
_LOWEST: Final = -1e9
_NEVER: Final = -1.0  #: how much two clauses say the same that are none of a pair by decision


@dataclass(frozen=True, slots=True)
class Item:
    """A clause, or clauses of several languages that say the same, as alignment sees it.

    `block` is the same for what may be put into one group: entries of a list never are. `vector` is what an encoder
    makes of it, where there is one.
    """

    features: Features
    heading: bool
    block: tuple[int, ...]
    entry: bool
    vector: Any = None


@dataclass(frozen=True, slots=True)
class Bead:
    """Items of both sides that belong together, by their positions; one side may be empty."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class _Group:
    """Items that follow each other, as one: whether they may be one, and whether they are of several blocks."""

    features: Features
    together: bool
    crosses: bool


class _Side:
    """The items of a side, and their groups, each put together once: it is compared with many of the other side."""

    def __init__(self, items: Sequence[Item], ends: frozenset[int], unmixed: frozenset[tuple[int, int]]) -> None:
        self._items, self._ends, self._unmixed = items, ends, unmixed
        self._known: dict[tuple[int, int], _Group] = {}

    def __getitem__(self, n: int) -> Item:
        return self._items[n]

    def group(self, start: int, number: int) -> _Group:
        found = self._known.get((start, number))
        if found is None:
            items = self._items[start : start + number]
            features = joined([item.features for item in items])
            found = self._known[start, number] = _Group(
                features, _together(items) and self._may_be_one(start, number), _crosses(items)
            )
        return found

    def _may_be_one(self, start: int, number: int) -> bool:
        """Whether nothing that was decided stands between items that follow each other here."""
        own = range(start, start + number)
        return not any(n in self._ends for n in own[1:]) and not any(i in own and j in own for i, j in self._unmixed)


class _Pairs:
    """The likeness of groups of items; of two single ones each worked out once.

    Two larger groups are asked for at one place of the order and where the way back is found: there are six times as
    many of them, so that keeping them would take most of the memory.
    """

    def __init__(
        self,
        left: Sequence[Item],
        right: Sequence[Item],
        ruled: Ruled = FREE,
        ends: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset()),
    ) -> None:
        self._left, self._right = _Side(left, ends[0], ruled.unmixed), _Side(right, ends[1], frozenset())
        self._apart = ruled.apart
        self._known: dict[int, float] = {i * len(right) + j: _NEVER for i, j in ruled.apart}
        self._columns = len(right)
        self._near = _nearness(left, right)

    def one(self, i: int, j: int) -> float:
        key = i * self._columns + j
        found = self._known.get(key)
        if found is None:
            one, other = self._left[i], self._right[j]
            found = self._mixed(likeness(one.features, other.features), i, 1, j, 1)
            found -= _HEADING_COST * (one.heading != other.heading)
            self._known[key] = found
        return found

    def may_be(self, i: int, j: int) -> bool:
        """Whether two items may be a pair."""
        return (i, j) not in self._apart

    def smaller(self, i: int, j: int) -> float:
        """How much the one of two items says that says less."""
        return min(self._left[i].features.size, self._right[j].features.size)

    def advantage(self, i: int, j: int) -> float:
        """What two items have ahead of others for standing in order: the more, the less is known of what they say."""
        unknown = 1 / (1 + self.smaller(i, j))
        return _BETTER + (0.3 if self._near is None else 0.3 * (1 - _MEANING)) * unknown

    def group(self, i: int, n: int, j: int, m: int) -> float:
        if n == m == 1:
            return self.one(i, j)
        left, right = self._left.group(i, n), self._right.group(j, m)
        if not (left.together and right.together) or (left.crosses and right.crosses):
            return 0.0
        single = [self.one(i + a, j + b) for a in range(n) for b in range(m)]
        if min(single) < _HOPELESS:
            return 0.0
        score = self._mixed(likeness(left.features, right.features), i, n, j, m)
        if self._near is not None and score <= max(single):  # one of them says it all: the rest belongs elsewhere
            return 0.0
        return score - (left.crosses + right.crosses) * _CROSSING_COST

    def _mixed(self, score: float, i: int, n: int, j: int, m: int) -> float:
        """What the words say, together with what an encoder says, where there is one."""
        if self._near is None:
            return score
        return (1 - _MEANING) * score + _MEANING * self._near.group(i, n, j, m)


def _nearness(left: Sequence[Item], right: Sequence[Item]) -> Nearness | None:
    """How near items are by their vectors; None where they have none."""
    if not (left and right) or any(item.vector is None for item in (*left, *right)):
        return None
    return Nearness([item.vector for item in left], [item.vector for item in right])


def _together(items: Sequence[Item]) -> bool:
    """Whether items may form one group: sentences of one block, or of paragraphs that follow each other."""
    first = items[0]
    return all(item.block == first.block or not (item.entry or first.entry) for item in items) and not any(
        item.heading for item in items if len(items) > 1
    )


def _crosses(items: Sequence[Item]) -> bool:
    return any(item.block != items[0].block for item in items)


def align(left: Sequence[Item], right: Sequence[Item], ruled: Ruled = FREE) -> list[Bead]:
    """The beads of two documents, in the order of the left one; what stands only on the right is where it belongs.

    What is joined by decision is a bead, and the others are aligned without it.
    """
    if not ruled.joined:
        return _in_order(_aligned(left, right, _Pairs(left, right, ruled)))
    lefts, rights = ruled.free(0, len(left)), ruled.free(1, len(right))
    own, others = [left[i] for i in lefts], [right[j] for j in rights]
    pairs = _Pairs(own, others, ruled.among(lefts, rights), (gaps(lefts), gaps(rights)))
    found = _aligned(own, others, pairs) if own and others else _alone(len(own), len(others))
    beads = [Bead(tuple(lefts[i] for i in b.left), tuple(rights[j] for j in b.right), b.score) for b in found]
    return _in_order([*beads, *(Bead(ones, theirs, _ALIKE) for ones, theirs in ruled.joined)])


def _alone(lefts: int, rights: int) -> list[Bead]:
    return [*(Bead((i,), ()) for i in range(lefts)), *(Bead((), (j,)) for j in range(rights))]


def _aligned(left: Sequence[Item], right: Sequence[Item], pairs: _Pairs) -> list[Bead]:
    beads = _monotone(left, right, pairs)
    beads = _swapped(beads, pairs)
    beads = _left_over(beads, pairs)
    return _between_the_same(_in_order(beads), left, right, pairs)


# ---- in order ---------------------------------------------------------------------------------------


def _monotone(left: Sequence[Item], right: Sequence[Item], pairs: _Pairs) -> list[Bead]:
    """The best beads that keep the order of both sides."""
    rows, columns = len(left), len(right)
    slope = columns / rows if rows else 1.0
    band = max(_BAND, ceil(slope))  # of a much longer side the bands of two rows must meet
    best: list[dict[int, tuple[float, int, int]]] = [{} for _ in range(rows + 1)]
    best[0][0] = (0.0, 0, 0)
    for i in range(rows + 1):
        middle = int(i * slope)
        for j in range(max(0, middle - band), min(columns, middle + band) + 1):
            if i or j:
                best[i][j] = _step(best, pairs, i, j)
    return _traced(best, rows, columns, pairs)


def _step(best: list[dict[int, tuple[float, int, int]]], pairs: _Pairs, i: int, j: int) -> tuple[float, int, int]:
    top = (_LOWEST, 0, 0)
    for n, m in _SHAPES:
        before = best[i - n].get(j - m) if i >= n and j >= m else None
        if before is None:
            continue
        score = before[0]
        if n and m:
            items, cost = (n + m) / 2, _SHAPE_COST.get((n, m), 0.0)
            if score + (items * (_ALIKE - _ENOUGH) - cost) <= top[0]:  # it cannot win, however alike they are
                continue
            if n + m > 2 and pairs.one(i - 1, j - 1) < _HOPELESS:
                continue
            score += items * (pairs.group(i - n, n, j - m, m) - _ENOUGH) - cost
        if score > top[0]:
            top = (score, n, m)
    return top


def _traced(best: list[dict[int, tuple[float, int, int]]], rows: int, columns: int, pairs: _Pairs) -> list[Bead]:
    beads = []
    i, j = rows, min(columns, max(best[rows]))
    while i or j:
        _, n, m = best[i][j]
        if not n and not m:
            break
        i, j = i - n, j - m
        score = pairs.group(i, n, j, m) if n and m else 0.0
        beads.append(Bead(tuple(range(i, i + n)), tuple(range(j, j + m)), score))
    return beads[::-1]


# ---- in another order -------------------------------------------------------------------------------


def _swapped(beads: list[Bead], pairs: _Pairs) -> list[Bead]:
    """Single clauses are paired anew where that fits clearly better, each with the best that is free."""
    single = [bead for bead in beads if len(bead.left) <= 1 and len(bead.right) <= 1]
    kept = [bead for bead in beads if len(bead.left) > 1 or len(bead.right) > 1]
    present = {(bead.left[0], bead.right[0]) for bead in single if bead.left and bead.right}
    lefts = [bead.left[0] for bead in single if bead.left]
    rights = [bead.right[0] for bead in single if bead.right]
    offers = _offers(lefts, rights, present, pairs, _positions(beads))
    return [*kept, *_uncrossed(_married(lefts, rights, offers, pairs), present, pairs)]


def _uncrossed(beads: list[Bead], present: set[tuple[int, int]], pairs: _Pairs) -> list[Bead]:
    """Two pairs that exchanged partners stay as they were where that says as much in all.

    The best of two exchanged pairs is taken first, whatever it leaves for the other one.
    """
    partner = {bead.left[0]: bead.right[0] for bead in beads if bead.left and bead.right}
    holder = {j: i for i, j in partner.items()}
    for i, j in sorted(present):
        other, taken = holder.get(j), partner.get(i)
        if other is None or taken is None or other == i or (other, taken) not in present:
            continue
        before = sum(pairs.one(*pair) + pairs.advantage(*pair) for pair in ((i, j), (other, taken)))
        if before >= pairs.one(i, taken) + pairs.one(other, j):
            partner[i], partner[other] = j, taken
            holder[j], holder[taken] = i, other
    alone = [bead for bead in beads if not (bead.left and bead.right)]
    return [*(Bead((i,), (j,), pairs.one(i, j)) for i, j in partner.items()), *alone]


def _positions(beads: list[Bead]) -> tuple[dict[int, int], dict[int, int]]:
    """Where in the common order each side's clauses stand."""
    left = {i: n for n, bead in enumerate(beads) for i in bead.left}
    right = {j: n for n, bead in enumerate(beads) for j in bead.right}
    return left, right


def _offers(
    lefts: list[int],
    rights: list[int],
    present: set[tuple[int, int]],
    pairs: _Pairs,
    positions: tuple[dict[int, int], dict[int, int]],
) -> list[tuple[float, int, int]]:
    """Possible pairs with what speaks for them, the best first; those that there are have a small advantage."""
    at_left, at_right = positions
    partner = dict(present)
    by_place = sorted(rights, key=at_right.__getitem__)
    places = [at_right[j] for j in by_place]
    found = []
    for i in lefts:
        near = by_place[bisect_left(places, at_left[i] - _NEAR) : bisect_right(places, at_left[i] + _NEAR)]
        own = partner.get(i)
        for j in near if own is None or own in near else [*near, own]:
            far = abs(at_left[i] - at_right[j])
            score = pairs.one(i, j) + (pairs.advantage(i, j) if (i, j) in present else 0.0) - 0.0004 * far
            if score >= (_ENOUGH if (i, j) in present else _ENOUGH + 0.14):
                found.append((score, i, j))
    return sorted(found, key=lambda offer: (-offer[0], offer[1], offer[2]))


def _married(lefts: list[int], rights: list[int], offers: list[tuple[float, int, int]], pairs: _Pairs) -> list[Bead]:
    left_free, right_free = set(lefts), set(rights)
    found = []
    for _, i, j in offers:
        if i in left_free and j in right_free:
            left_free.remove(i)
            right_free.remove(j)
            found.append(Bead((i,), (j,), pairs.one(i, j)))
    found += [Bead((i,), ()) for i in left_free]
    found += [Bead((), (j,)) for j in right_free]
    return found


def _left_over(beads: list[Bead], pairs: _Pairs) -> list[Bead]:
    """What is left alone on both sides is paired wherever it stands, where it says nearly the same."""
    alone_left = [bead.left[0] for bead in beads if len(bead.left) == 1 and not bead.right]
    alone_right = [bead.right[0] for bead in beads if len(bead.right) == 1 and not bead.left]
    offers = [(pairs.one(i, j), i, j) for i in alone_left for j in alone_right if pairs.smaller(i, j) >= _TELLING]
    offers = sorted((o for o in offers if o[0] >= _FAR), key=lambda offer: (-offer[0], offer[1], offer[2]))
    kept = [bead for bead in beads if (bead.left and bead.right) or len(bead.left) > 1 or len(bead.right) > 1]
    return [*kept, *_married(alone_left, alone_right, offers, pairs)]


def _between_the_same(beads: list[Bead], left: Sequence[Item], right: Sequence[Item], pairs: _Pairs) -> list[Bead]:
    """What is alone on both sides between the same neighbours is paired in order: headings, and what is nearly so."""
    found: list[Bead] = []
    run: list[Bead] = []
    for bead in [*beads, Bead((), ())]:
        if bool(bead.left) != bool(bead.right):
            run.append(bead)
            continue
        found += _paired_in_order(run, left, right, pairs)
        run = []
        if bead.left:
            found.append(bead)
    return found


def _paired_in_order(run: list[Bead], left: Sequence[Item], right: Sequence[Item], pairs: _Pairs) -> list[Bead]:
    ones = [bead for bead in run if bead.left]
    others = [bead for bead in run if bead.right]
    headings = all(right[bead.right[0]].heading for bead in others)
    if len(ones) != len(others) and not (headings and ones and others and left[ones[0].left[0]].heading):
        return run
    found = [*ones[len(others) :], *others[len(ones) :]]
    for one, other in zip(ones, others, strict=False):
        score = pairs.one(one.left[0], other.right[0])
        same = left[one.left[0]].heading and right[other.right[0]].heading and pairs.may_be(one.left[0], other.right[0])
        if same or score >= _SANDWICHED:
            found.append(Bead(one.left, other.right, score))
        else:
            found += [one, other]
    return found


def _in_order(beads: list[Bead]) -> list[Bead]:
    """In the order of the left side; what stands only on the right follows what stands before it there."""
    after: Callable[[Bead], tuple[int, ...]] = lambda bead: bead.right  # noqa: E731
    ordered = sorted((bead for bead in beads if bead.left), key=lambda bead: bead.left)
    place = {j: n for n, bead in enumerate(ordered) for j in bead.right}
    alone = sorted((bead for bead in beads if not bead.left), key=after)
    keyed = [((float(n), 0), bead) for n, bead in enumerate(ordered)]
    for bead in alone:
        before = max((j for j in place if j < bead.right[0]), default=None)
        keyed.append(((place[before] + 0.5 if before is not None else -1.0, bead.right[0]), bead))
    return [bead for _, bead in sorted(keyed, key=lambda pair: pair[0])]
