"""Counting the records of one arm, one after the other: what is kept grows with the content, not with the games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from interpreter.simulate.numbers import Figure, Moments, correlation, share
from interpreter.simulate.records import Record
from interpreter.simulate.worth import Worths

TENTHS: Final = 10
#: The tenth that ends with half of the game.
HALF: Final = 4
#: What a game can show (see `Tally.shown`), beside `seat_wins`.
COMEBACK: Final = "comeback"
LEADER_WINS: Final = "leader wins"
STARTER_WINS: Final = "starter wins"


def seat_wins(seat: int) -> str:
    """What a game shows that a seat wins alone."""
    return f"seat {seat} wins"


@dataclass(slots=True)
class Use:
    """How often something was used by seats in games, and how those seats fared.

    `used` counts seats (in games) that used it at all, `times` all uses, `offered` how often it could have been chosen.
    """

    times: int = 0
    offered: int = 0
    used: int = 0
    won: float = 0.0
    _xx: int = 0
    _xy: float = 0.0

    def add(self, times: int, won: float, offered: int = 0) -> None:
        """One seat of one game."""
        self.times += times
        self.offered += offered
        if times:
            self.used += 1
            self.won += won
            self._xx += times * times
            self._xy += times * won

    def merge(self, other: Use) -> None:
        """As if what the other has counted had been added here too."""
        self.times += other.times
        self.offered += other.offered
        self.used += other.used
        self.won += other.won
        self._xx += other._xx
        self._xy += other._xy

    def correlation(self, seats: Moments, games: int, confidence: float = 0.95) -> Figure | None:
        """Of how often it was used and winning, over all seats of all games.

        It is as sure as so many games are: what one seat wins or holds the others of its game do not.
        """
        wins = seats.mean * seats.count
        squares = seats.squares + seats.count * seats.mean**2
        return correlation((self.times, wins, self._xx, squares, self._xy), seats.count, confidence, games)


@dataclass(slots=True)
class Side:
    """What a seat, a player or both together came to."""

    games: int = 0
    won: float = 0.0
    first: int = 0
    score: Moments = field(default_factory=Moments)
    scores: Counter[int] = field(default_factory=Counter)
    points: defaultdict[str, Moments] = field(default_factory=lambda: defaultdict(Moments))

    def add(self, score: int, won: float, points: dict[str, int]) -> None:
        """One game."""
        self.games += 1
        self.won += won
        self.first += won > 0
        self.score.add(score)
        self.scores[score] += 1
        for reason, amount in points.items():
            self.points[reason].add(amount)

    def merge(self, other: Side) -> None:
        """As if the other's games had been added here too."""
        self.games += other.games
        self.won += other.won
        self.first += other.first
        self.score.merge(other.score)
        self.scores.update(other.scores)
        for reason, points in other.points.items():
            self.points[reason].merge(points)

    def win_rate(self, confidence: float = 0.95) -> Figure:
        """The part of the games that it has won; a shared victory is a part of one."""
        return share(self.won, self.games, confidence)

    def mean_of(self, reason: str, confidence: float = 0.95) -> Figure:
        """Points for a reason in a game. Games before the reason first came up count as 0."""
        kept = self.points[reason]
        whole = Moments(kept.count, kept.mean, kept.squares)
        missing = self.games - whole.count
        if missing:
            both = whole.count + missing
            whole.squares += whole.mean**2 * whole.count * missing / both
            whole.mean *= whole.count / both
            whole.count = both
        return whole.figure(confidence)


class Tally:
    """All counts of one arm. `seats` and `players` are numbers of seats and of the plan's players."""

    def __init__(self, seats: int):
        self.seats = seats
        self.games = 0
        self.unfinished: Counter[str] = Counter()
        self.examples: dict[str, Record] = {}  # of each reason why a game has no end, the first game
        self.shared = 0
        self.lost = 0  # games that nobody won
        self._sides: set[int] = set()  # of the games that were counted: how many could win, a team as one
        self.decisions, self.turns = Moments(), Moments()
        self.lengths: Counter[int] = Counter()
        self.winning = Moments()
        self.spread = Moments()
        self.by_both: dict[tuple[int, int], Side] = defaultdict(Side)
        self._sums: dict[str, dict[int, Side]] = {}  # of `by_both`, as far as they were asked for since the last record
        self._reasons: dict[str, None] = {}
        self.wins = Moments()  # of all seats of all games: what uses are compared with
        self.actions: dict[str, Use] = defaultdict(Use)
        self.choices: dict[tuple[str, str, str], Use] = defaultdict(Use)
        self.holdings: dict[tuple[str, str], Use] = defaultdict(Use)
        self.course: dict[str, list[int]] = defaultdict(lambda: [0] * TENTHS)
        self.leads = [Moments() for _ in range(TENTHS)]  # the part of the victory of who leads after each tenth
        self.growing = Moments()  # how many points more than the others who leads after half gets in the second half
        self.comebacks = 0  # games that somebody wins who was last, or shared the last place, after half of it
        self.starters: Counter[int] = Counter()  # how often each seat begins
        self.starting = Moments()  # the part of the victory of whoever begins
        self.offered, self.forced = Moments(), Moments()  # of each game: options a decision, part with one option
        self.worths = Worths()
        self.shown: dict[str, int] = {}  # for what is said of games, the first one that shows it

    def add(self, record: Record) -> None:
        """One record."""
        if "unfinished" in record:
            self._left(record)
            return
        self.games += 1
        self._sums.clear()
        self._reasons.update(dict.fromkeys(record["points"]))
        self.decisions.add(record["decisions"])
        self.turns.add(record["turns"])
        self.lengths[record["decisions"]] += 1
        scores = record["scores"]
        self.winning.add(max(scores))
        self.spread.add(max(scores) - min(scores))
        won = shares_of(record)
        sides = sides_of(record)
        self.shared += sides > 1
        self.lost += not sides
        self._sides.add(len({*teams_of(record)}))
        for seat in range(self.seats):
            self._seat(record, seat, won[seat])
            if won[seat] == 1:
                self._show(seat_wins(seat), record)
        self._uses(record, won)
        self._asked(record, won)

    def add_often(self, record: Record, games: int) -> None:
        """The same record of so many games, that of the first one of them."""
        if games == 1:
            self.add(record)
            return
        part = Tally(self.seats)
        part.add(record)
        while games:  # twice as many with each round
            if games & 1:
                self.merge(part)
            games >>= 1
            part.merge(part)

    def merge(self, other: Tally) -> None:
        """As if the other's records had been added here too."""
        self._sums.clear()
        self.games += other.games
        self.unfinished.update(other.unfinished)
        for reason, record in other.examples.items():
            self.examples.setdefault(reason, record)
        self.shared += other.shared
        self.lost += other.lost
        self._sides |= other._sides
        self.lengths.update(other.lengths)
        for own, others in (
            (self.decisions, other.decisions),
            (self.turns, other.turns),
            (self.winning, other.winning),
            (self.spread, other.spread),
            (self.wins, other.wins),
        ):
            own.merge(others)
        for both, side in other.by_both.items():
            self.by_both[both].merge(side)
        self._reasons.update(other._reasons)
        for action, use in other.actions.items():
            self.actions[action].merge(use)
        for value, use in other.choices.items():
            self.choices[value].merge(use)
        for piece, use in other.holdings.items():
            self.holdings[piece].merge(use)
        for mine, theirs in zip(self.leads, other.leads, strict=True):
            mine.merge(theirs)
        self.comebacks += other.comebacks
        self.starters.update(other.starters)
        for own, others in (
            (self.growing, other.growing),
            (self.starting, other.starting),
            (self.offered, other.offered),
            (self.forced, other.forced),
        ):
            own.merge(others)
        self.worths.merge(other.worths)
        for what, game in other.shown.items():
            self._shown_by(what, game)
        for reason, tenths in other.course.items():
            self.course[reason] = [own + more for own, more in zip(self.course[reason], tenths, strict=True)]

    def _left(self, record: Record) -> None:
        """A game without an end: the reason, with its place, and a game that shows it."""
        reason = f"{record['unfinished']} ({record['place']})" if "place" in record else record["unfinished"]
        self.unfinished[reason] += 1
        first = self.examples.setdefault(reason, record)
        if record["game"] < first["game"]:
            self.examples[reason] = record

    def _seat(self, record: Record, seat: int, won: float) -> None:
        points = {reason: amounts[seat] for reason, amounts in record["points"].items()}
        self.by_both[seat, record["players"][seat]].add(record["scores"][seat], won, points)
        self.wins.add(won)

    def _uses(self, record: Record, won: list[float]) -> None:
        for action, times in record["actions"].items():
            for seat, amount in enumerate(times):
                self.actions[action].add(amount, won[seat])
        for seat, decision, name, value, chosen, offered in record.get("choices", ()):
            self.choices[decision, name, value].add(chosen, won[seat], offered)
        for seat, zone, piece, count in record.get("holdings", ()):
            self.holdings[zone, piece].add(count, won[seat])
        for reason, _, tenth, points in record.get("course", ()):
            self.course[reason][tenth] += points
        if "course" in record:
            self._lead(record, won)

    def _asked(self, record: Record, won: list[float]) -> None:
        """Who begins, how much there is to choose, and what trials say."""
        if "asked" in record:
            decisions, offered, forced = map(sum, zip(*record["asked"], strict=True))
            if decisions:
                self.offered.add(offered / decisions)
                self.forced.add(forced / decisions)
                self.starters[record["starter"]] += 1
                self.starting.add(won[record["starter"]])
                if won[record["starter"]] == 1:
                    self._show(STARTER_WINS, record)
        self.worths.add(record["game"], record["decisions"], record.get("worth", ()))
        self.worths.left += record.get("trials_left", 0)

    def _show(self, what: str, record: Record) -> None:
        self._shown_by(what, record["game"])

    def _shown_by(self, what: str, game: int) -> None:
        self.shown[what] = min(game, self.shown.get(what, game))

    def _lead(self, record: Record, won: list[float]) -> None:
        """Who leads after each tenth of the game, by the points that were scored until then, and whether they win."""
        teams = teams_of(record)
        firsts = sorted({*teams})  # a team leads by its sum, and wins as its first seat does
        won, amount = [won[seat] for seat in firsts], len(firsts)
        scored = [[0] * amount for _ in range(TENTHS)]
        for _, seat, tenth, points in record["course"]:
            scored[tenth][firsts.index(teams[seat])] += points
        have = [0] * amount
        left = [sum(tenth[side] for tenth in scored[HALF + 1 :]) for side in range(amount)]
        for tenth, points in enumerate(scored):
            have = [before + now for before, now in zip(have, points, strict=True)]
            leaders = [side for side in range(amount) if have[side] == max(have)]
            if len(leaders) < amount:  # while all are level nobody leads
                self.leads[tenth].add(sum(won[side] for side in leaders) / len(leaders))
                if tenth == HALF:
                    self.growing.add(_mean_of(left, leaders) - _mean_of(left, set(range(amount)) - set(leaders)))
                    is_comeback = any(won[side] and have[side] == min(have) for side in range(amount))
                    self.comebacks += is_comeback
                    if is_comeback or any(won[side] == 1 for side in leaders):
                        self._show(COMEBACK if is_comeback else LEADER_WINS, record)

    @property
    def sides(self) -> int | None:
        """How many play for themselves, a team as one; None where that is not the same in all games."""
        return self.seats if not self._sides else next(iter(self._sides)) if len(self._sides) == 1 else None

    @property
    def part(self) -> float | None:
        """What a seat wins by chance, as a part of all games: nobody's victories are not shared out.

        None where no seat can win more often than another: all are one team, or there are games of several kinds.
        """
        if self.sides is None or self.sides < 2:
            return None
        return (1 - self.lost / max(self.games, 1)) / self.sides

    @property
    def by_seat(self) -> dict[int, Side]:
        return self._summed("seat", lambda seat, player: seat)

    @property
    def by_player(self) -> dict[int, Side]:
        return self._summed("player", lambda seat, player: player)

    def by_kind(self, kinds: Sequence[str]) -> dict[str, Side]:
        """Players of one kind together; `kinds` has that of each of the plan's players."""
        found: dict[str, Side] = {kind: Side() for kind in kinds}
        for player, side in self.by_player.items():
            found[kinds[player]].merge(side)
        return found

    @property
    def whole(self) -> Side:
        return self._summed("whole", lambda seat, player: 0)[0]

    def _summed(self, name: str, key: Callable[[int, int], int]) -> dict[int, Side]:
        """Sides put together by a number of each."""
        found = self._sums.get(name)
        if found is None:
            found = self._sums[name] = defaultdict(Side)
            for (seat, player), side in sorted(self.by_both.items()):
                found[key(seat, player)].merge(side)
        return found

    @property
    def reasons(self) -> list[str]:
        return list(self._reasons)


def _mean_of(points: Sequence[int], seats: Collection[int]) -> float:
    return sum(points[seat] for seat in seats) / len(seats)


def shares_of(record: Record) -> list[float]:
    """The part of the victory that each seat has."""
    places = record["places"]
    sides = sides_of(record)
    return [1 / sides if place == 1 else 0.0 for place in places]


def sides_of(record: Record) -> int:
    """How many share the first place, a team as one; 0 where nobody has won."""
    return len({team for team, place in zip(teams_of(record), record["places"], strict=True) if place == 1})


def teams_of(record: Record) -> Sequence[int]:
    """The first seat of each seat's team; without teams each seat itself."""
    return record.get("teams") or range(len(record["places"]))
