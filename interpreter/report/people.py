"""People beside automatic seats: what each kind of player does in the same game, how long people think, their notes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter.players import HUMAN
from interpreter.report.choosing import named
from interpreter.report.names import Names
from interpreter.report.tables import Cell, section, table, words
from interpreter.simulate.numbers import Figure, Moments, quantiles, share
from interpreter.simulate.plan import Plan
from interpreter.simulate.records import Record
from interpreter.simulate.run import Results
from interpreter.simulate.tally import Side, shares_of

MOST_ROWS: Final = 60
#: A value that some kind was offered less often than this is not compared.
LEAST_OFFERED: Final = 5
_ABOUT: Final = (
    "Each kind of player in the games that are told of here, seat by seat: a game with two people counts twice for "
    "them. Games that were not played to their end count for thinking times and notes alone."
)
_OF_CHOICES: Final = (
    "How often each kind chose what it was offered, where people differ most surely from another kind. A decision "
    "counts once; intervals are those of Wilson."
)
_OF_TIMES: Final = (
    "Seconds for which people had a question before them while they were there, by what is decided; decisions with one "
    "option alone are left out."
)


def is_of_people(results: Results) -> bool:
    """Whether these are games that people have played."""
    return any(HUMAN in results.plan.in_arm(arm).seats for arm in range(len(results.plan.arms)))


@dataclass(slots=True)
class Kind:
    """What one kind of player came to, over all its seats."""

    side: Side = field(default_factory=Side)
    actions: Side = field(default_factory=Side)
    asked: Moments = field(default_factory=Moments)
    choices: dict[tuple[str, str, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))


@dataclass(frozen=True, slots=True)
class Noted:
    """A note: where the game was kept, after how many decisions, by which seat."""

    source: str
    n: int
    seat: int
    text: str
    stands: bool


class People:
    """Counts games of people and of automatic seats, by kind of player."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = defaultdict(Kind)
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.notes: list[Noted] = []

    def see(self, record: Record, plan: Plan) -> None:
        """One record of a plan."""
        seats = plan.in_arm(record["arm"]).seats
        kinds = [seats[player] for player in record["players"]]
        if "scores" in record:
            self._finished(record, kinds)
        self._think(record, kinds)
        for seat, n, text, stands in record.get("notes", ()):
            self.notes.append(Noted(record.get("source", ""), n, seat, text, bool(stands)))

    def _finished(self, record: Record, kinds: Sequence[str]) -> None:
        won = shares_of(record)
        for seat, kind in enumerate(kinds):
            points = {reason: amounts[seat] for reason, amounts in record["points"].items()}
            used = {action: times[seat] for action, times in record["actions"].items()}
            self.kinds[kind].side.add(record["scores"][seat], won[seat], points)
            self.kinds[kind].actions.add(0, 0, used)
            if record.get("asked") and record["asked"][seat][0]:
                self.kinds[kind].asked.add(record["asked"][seat][1] / record["asked"][seat][0])
        for seat, decision, name, value, chosen, offered in record.get("choices", ()):
            counts = self.kinds[kinds[seat]].choices[decision, name, value]
            counts[0] += chosen
            counts[1] += offered

    def _think(self, record: Record, kinds: Sequence[str]) -> None:
        times: Sequence[Any] = record.get("seconds", ())
        for (seat, _, decision, keys, *_), seconds in zip(
            record.get("moments", ()) if times else (), times, strict=True
        ):
            if seconds is not None and len(keys) > 1 and kinds[seat] == HUMAN:
                self.seconds[decision].append(seconds)


def people_beside(results: Results, people: People) -> str:
    """The part of the page."""
    names = Names(results.games[0], results.language)
    kinds = {kind: people.kinds[kind] for kind in sorted(people.kinds, key=lambda kind: (kind != HUMAN, kind))}
    return (
        section(
            "People beside automatic seats", words(_ABOUT), _whole(kinds), _points(names, kinds), _used(names, kinds)
        )
        + section("What people choose otherwise", *_choices(names, kinds))
        + section("How long people think", *_times(names, people))
        + section("What people noted", _notes(results, people))
    )


def _whole(kinds: dict[str, Kind]) -> str:
    rows: list[Sequence[Cell]] = [
        (
            kind,
            each.side.games,
            each.side.score.figure(),
            each.side.win_rate(),
            each.asked.figure() if each.asked.count else None,
        )
        for kind, each in kinds.items()
        if each.side.games
    ]
    return table(("player", "seats", "points", "wins", "options a decision"), rows, parts=(3,))


def _points(names: Names, kinds: dict[str, Kind]) -> str:
    reasons = dict.fromkeys(reason for each in kinds.values() for reason in each.side.points)
    said = names.told((reason, names.texts.reason(reason)) for reason in reasons)
    return _beside("points for", zip(reasons, said, strict=True), {k: each.side for k, each in kinds.items()})


def _used(names: Names, kinds: dict[str, Kind]) -> str:
    said = names.actions(list(dict.fromkeys(name for each in kinds.values() for name in each.actions.points)))
    return _beside("action, times a game", said.items(), {kind: each.actions for kind, each in kinds.items()})


def _beside(head: str, said: Any, sides: dict[str, Side]) -> str:
    """A row for each thing, with the mean of each kind of player."""
    sides = {kind: side for kind, side in sides.items() if side.games}
    rows: list[Sequence[Cell]] = [(text, *(side.mean_of(key) for side in sides.values())) for key, text in said]
    return table((head, *sides), rows)


def _choices(names: Names, kinds: dict[str, Kind]) -> list[str]:
    others = {kind: each for kind, each in kinds.items() if kind != HUMAN and each.choices}
    own = kinds[HUMAN].choices if HUMAN in kinds else {}
    found: list[tuple[float, Sequence[Cell]]] = []
    for value in own:
        mine = _chosen(kinds[HUMAN], value)
        beside = [_chosen(each, value) for each in others.values()]
        known = [figure for figure in beside if figure is not None]
        if mine is None or not known:
            continue
        away = max(_away(mine, figure) for figure in known)
        found.append((away, (names.action(value[0]), named(names, value), mine, *beside)))
    rows = [row for _, row in sorted(found, key=lambda each: -each[0])[:MOST_ROWS]]
    if not rows:
        return []
    columns = tuple(range(2, 3 + len(others)))
    return [words(_OF_CHOICES), table(("at", "value", HUMAN, *others), rows, parts=columns)]


def _away(one: Figure, other: Figure) -> float:
    """How far two parts are from each other, beside how sure they are."""
    return abs(one.value - other.value) / (one.high - one.low + other.high - other.low)


def _chosen(kind: Kind, value: tuple[str, str, str]) -> Figure | None:
    chosen, offered = kind.choices.get(value, (0, 0))
    return share(chosen, offered) if offered >= LEAST_OFFERED else None


def _times(names: Names, people: People) -> Iterator[str]:
    rows: list[Sequence[Cell]] = []
    said = names.actions(list(people.seconds))
    whole = [seconds for each in people.seconds.values() for seconds in each]
    for name, each in [("all decisions", whole), *((said[key], each) for key, each in people.seconds.items())]:
        tenths = quantiles(Counter(round(10 * seconds) for seconds in each), (0.5, 0.9, 1.0))
        rows += [(name, len(each), *(f"{found / 10:.1f}" for found in tenths))] if each else []
    if rows:
        yield words(_OF_TIMES)
    yield table(("decision", "times", "median", "90 %", "longest"), rows)


def _notes(results: Results, people: People) -> str:
    game = results.games[0]
    seats = [game.texts(results.language).player(seat) for seat in range(game.players)]
    rows: list[Sequence[Cell]] = [
        (
            note.source,
            note.n,
            seats[note.seat] if note.seat < len(seats) else f"seat {note.seat + 1}",
            note.text if note.stands else f"{note.text} (that decision was taken back)",
        )
        for note in sorted(people.notes, key=lambda note: (note.source, note.n))
    ]
    return table(("game", "after decisions", "player", "note"), rows)
