"""Players against players: every pair of kinds over the same seeds, each kind on every seat, and how strong each is.

A *set* is two games of one seed in which both kinds of a pair take each seat once; its score is the part of the wins
that one of them has. So neither luck of the deal nor the seat speaks for anybody.

Strengths: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952), by the iteration of
D. R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), told as Elo: 400 points are ten to one. Their
intervals: the jackknife over groups of seeds (B. Efron, 1982). Whether one is better: A. Wald's sequential test of 1945
in the form that chess engines are tested with, on the scores of sets, whose variance is that which is seen.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from interpreter.simulate.numbers import CONFIDENCE, Figure, Moments, share, t_quantile
from interpreter.simulate.plan import SEATS, Arm, Plan
from interpreter.simulate.records import Record
from interpreter.simulate.tally import shares_of

#: Games of a set: in the second one both kinds have changed seats.
GAMES_OF_A_SET: Final = 2
#: Groups of seeds, each of which is left out once.
GROUPS: Final = 20
#: A drawn set that each pair is given, so that who never wins is not infinitely weak.
PRIOR: Final = 1.0
#: Sets before the sequential test may end: with fewer the variance that is seen is none.
LEAST_SETS: Final = 16
#: Less of an error of a strength, in Elo, is what rounding leaves.
_NO_ERROR: Final = 1e-6
#: How often the test may be wrong, in either way.
ERROR: Final = 0.05


@dataclass(frozen=True, slots=True)
class Match:
    """A pair of kinds, by their numbers, and the two arms in which they play."""

    first: int
    second: int
    arms: tuple[int, int]


def arms_of_tournament(kinds: Sequence[str], players: int, base: Arm) -> tuple[tuple[Arm, ...], tuple[Match, ...]]:
    """The arms of all matches. The kinds of a pair take seats by turns, and the other ones in the second arm."""
    arms: list[Arm] = []
    matches: list[Match] = []
    for first, second in combinations(range(len(kinds)), 2):
        matches.append(Match(first, second, (len(arms), len(arms) + 1)))
        for pair in ((first, second), (second, first)):
            seats = ",".join(kinds[pair[seat % 2]] for seat in range(players))
            arms.append(Arm(base.variants, levels=(*base.levels, (SEATS, seats))))
    return tuple(arms), tuple(matches)


@dataclass(slots=True)
class Score:
    """What the first kind of a match came to: over all sets, by groups of seeds, and how often each score came."""

    sets: int
    groups: list[list[float]]  # sets and score of each group
    whole: Moments
    counts: Counter[float]

    def part(self, confidence: float = CONFIDENCE) -> Figure:
        """The part of the wins that the first kind has."""
        if not self.whole.variance:  # each set went alike
            return share(self.whole.mean * self.sets, self.sets, confidence)
        found = self.whole.figure(confidence)
        return Figure(found.value, max(0.0, found.low), min(1.0, found.high), found.trials)


class Scores:
    """Takes the records of a tournament, in any order. `on_decided` is called when a `Better` is decided."""

    def __init__(self, plan: Plan, matches: Sequence[Match], test: Better | None = None):
        self.matches = tuple(matches)
        self._plan, self._test = plan, test
        self._match_of = {arm: at for at, match in enumerate(matches) for arm in match.arms}
        self._open: dict[tuple[int, int], list[Record]] = defaultdict(list)
        self._ready: dict[int, float | None] = {}
        self._next = 0
        self.scores = [Score(0, [[0.0, 0.0] for _ in range(GROUPS)], Moments(), Counter()) for _ in matches]
        self.unfinished = 0
        self.is_decided = False
        self.on_decided: Callable[[int], None] = lambda tasks: None

    def see(self, record: Record) -> None:
        """One record; a set counts when both of its games are there and over."""
        match, game = self._match_of[record["arm"]], record["game"]
        row = self._open[match, game]
        row.append(record)
        if len(row) < GAMES_OF_A_SET:
            return
        del self._open[match, game]
        if any("unfinished" in each for each in row):
            self.unfinished += 1
            self._decide(game, None)
            return
        score = sum(self._won(self.matches[match], each) for each in row) / GAMES_OF_A_SET
        if self._test is None:
            self._count(match, game, score)
        else:
            self._decide(game, score)

    def _won(self, match: Match, record: Record) -> float:
        """The part of a game that the first kind has: half where nobody has won.

        In the first arm it is the first, third … player of the plan. Each seat of a team has all that its team has won.
        """
        sits, shares = match.arms.index(record["arm"]), shares_of(record)
        won = sum(share for seat, share in enumerate(shares) if record["players"][seat] % 2 == sits)
        return won / sum(shares) if any(shares) else 0.5

    def _count(self, match: int, game: int, score: float) -> None:
        kept = self.scores[match]
        kept.sets += 1
        group = kept.groups[game % GROUPS]
        group[0] += 1
        group[1] += score
        kept.whole.add(score)
        kept.counts[round(score, 6)] += 1

    def _decide(self, game: int, score: float | None) -> None:
        """With a test, which is about one match, sets count by their seeds, and none after it is decided."""
        if self._test is None or self.is_decided:
            return
        self._ready[game] = score
        while self._next in self._ready and not self.is_decided:
            found = self._ready.pop(self._next)
            if found is not None:
                self._count(0, self._next, found)
            self._next += 1
            if self._test.verdict(self.scores[0]) is not None:
                self.is_decided = True
                self.on_decided(self._next * len(self._plan.arms))


@dataclass(frozen=True, slots=True)
class Better:
    """Whether the second kind is better than the first by at least `elo`, or not better at all."""

    elo: float

    def likelihood(self, score: Score) -> float:
        """The logarithm of how much more probable the scores are if it is better by so much than if it is equal."""
        kept = score.whole
        if kept.count < LEAST_SETS or not kept.variance:
            return 0.0
        equal, better = 0.5, part_of(self.elo)
        mean = 1 - kept.mean  # the score of the second kind
        return kept.count * (better - equal) * (2 * mean - equal - better) / (2 * kept.variance)

    def verdict(self, score: Score) -> str | None:
        """`better`, `not better`, or None: more games are needed."""
        bound, found = math.log((1 - ERROR) / ERROR), self.likelihood(score)
        return "better" if found >= bound else "not better" if found <= -bound else None


def part_of(elo: float) -> float:
    """The part of the wins that somebody has who is stronger by so much.

    >>> round(part_of(400), 4), part_of(0)
    (0.9091, 0.5)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(part: float) -> float:
    """The other way round; infinite where all or nothing is won.

    >>> round(elo_of(0.75))
    191
    """
    if part in (0.0, 1.0):
        return math.inf if part else -math.inf
    return 400 * math.log10(part / (1 - part))


def strengths(scores: Scores, kinds: int, confidence: float = CONFIDENCE) -> list[Figure]:
    """The Elo of each kind beside the first one, which has 0.

    The interval has no ends where it cannot be known: all sets that tell of it went alike, or have one seed.
    """
    whole = _fitted(scores, kinds, None)
    used = [
        group for group in range(GROUPS) if any(score.groups[group][0] for score in scores.scores)
    ]  # fmt: skip
    left = [_fitted(scores, kinds, group) for group in used]
    found = []
    for kind in range(kinds):
        values = [each[kind] for each in left]
        away = math.inf
        if len(values) > 1:
            middle = sum(values) / len(values)
            error = math.sqrt((len(values) - 1) / len(values) * sum((value - middle) ** 2 for value in values))
            if error > _NO_ERROR:
                away = error * t_quantile((1 + confidence) / 2, len(values) - 1)
        sets = sum(s.sets for s, m in zip(scores.scores, scores.matches, strict=True) if kind in (m.first, m.second))
        away = away if kind else 0.0
        found.append(Figure(whole[kind], whole[kind] - away, whole[kind] + away, sets))
    return found


def _fitted(scores: Scores, kinds: int, without: int | None) -> list[float]:
    """Elo by maximum likelihood over all sets but those of one group."""
    won = [[0.0] * kinds for _ in range(kinds)]
    for match, score in zip(scores.matches, scores.scores, strict=True):
        counted = [group for at, group in enumerate(score.groups) if at != without]
        sets = sum(group[0] for group in counted) + PRIOR
        first = sum(group[1] for group in counted) + PRIOR / 2
        won[match.first][match.second], won[match.second][match.first] = first, sets - first
    worth = [1.0] * kinds
    for _ in range(500):
        before = worth
        worth = [
            sum(won[kind]) / sum((won[kind][other] + won[other][kind]) / (before[kind] + before[other])
                                 for other in range(kinds) if other != kind)
            for kind in range(kinds)
        ]  # fmt: skip
        middle = math.exp(sum(map(math.log, worth)) / kinds)
        worth = [each / middle for each in worth]
        if all(abs(math.log(new / old)) < 1e-9 for new, old in zip(worth, before, strict=True)):
            break
    return [400 * math.log10(each / worth[0]) for each in worth]
