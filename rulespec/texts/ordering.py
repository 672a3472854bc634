"""What stands in another place: clusters whose order differs between languages.

For each pair of languages the longest run that keeps its order stands; the rest was moved. A language in which a
cluster was moved against all others is the odd one; where several runs are as long, the one around which more moved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from rulespec.texts.clusters import Cluster

_NEAR: Final = 8  #: how far around a place what was moved is counted


def moved(clusters: Sequence[Cluster], languages: Sequence[str]) -> dict[int, str | None]:
    """The clusters that stand in another place, by their index, with the language in which they do."""
    pairs = {pair: _out_of_order(clusters, *pair) for pair in combinations(languages, 2)}
    found: dict[int, str | None] = {}
    for index in sorted(set().union(*pairs.values())):
        here = [language for language in languages if language in clusters[index].members]
        odd = [language for language in here if _only_in(language, here, index, pairs)]
        apart = [pair for pair, out in pairs.items() if index in out]
        if odd:
            found[index] = odd[0] if len(here) > 2 else None
        elif len(apart) == 1:  # of two entries that changed places, each pair of languages may keep another one
            found[index] = _restless(apart[0], index, pairs) if len(here) > 2 else None
    return found


def _restless(pair: tuple[str, str], index: int, pairs: dict[tuple[str, str], set[int]]) -> str | None:
    """Of two languages the one in which more is moved around a place; None where it is as much."""
    near = {
        language: sum(abs(other - index) <= _NEAR for both, out in pairs.items() if language in both for other in out)
        for language in pair
    }
    one, other = pair
    return None if near[one] == near[other] else max(pair, key=lambda language: near[language])


def _only_in(language: str, here: list[str], index: int, pairs: dict[tuple[str, str], set[int]]) -> bool:
    """Whether a cluster stands elsewhere in this language, and in the same place in all others."""
    return all((language in pair) == (index in out) for pair, out in pairs.items() if set(pair) <= set(here))


def _out_of_order(clusters: Sequence[Cluster], one: str, other: str) -> set[int]:
    """The clusters outside of the longest run that keeps its order in both languages."""
    both = sorted(
        (cluster for cluster in clusters if one in cluster.members and other in cluster.members),
        key=lambda cluster: cluster.members[one],
    )
    kept = _longest_rise([cluster.members[other][0] for cluster in both])
    return {cluster.index for n, cluster in enumerate(both) if n not in kept}


def _longest_rise(values: Sequence[int]) -> set[int]:
    """The positions of a longest rising run."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for n, value in enumerate(values):
        at = bisect_left(tails, value)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(value)
            ends.append(n)
        else:
            tails[at], ends[at] = value, n
    found: set[int] = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found
