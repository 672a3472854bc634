"""What a designer expects of a game, as sentences in a file, held against the results.

```
# balance.txt
confidence 95 %
seat 1 wins between 20 and 30 %
no action under 2 % of use
length at most 250 decisions
```

A statement is refuted where the whole interval of its figure lies outside of what is said, at the stated confidence; it
holds where the interval lies inside; else there are too few games to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.game import Game
from interpreter.simulate.numbers import CONFIDENCE, Figure, Moments, share
from interpreter.simulate.plan import Plan
from interpreter.simulate.summary import actions_of, reasons_of
from interpreter.simulate.tally import Side, Tally

HOLDS: Final = "holds"
REFUTED: Final = "refuted"
UNDECIDED: Final = "undecided"

#: What can be said, for messages and the guide.
FORMS: Final = (
    "seat 1 wins between 20 and 30 %",
    "greedy wins at least 60 %",
    "no seat wins under 20 %",
    "no action under 2 % of use",
    "action NAME at most 30 % of use",
    "shared victory at most 5 %",
    "unfinished at most 0 %",
    "length between 60 and 90 turns",
    "length at most 250 decisions",
    "score of seat 1 at least 100",
    "score of the winner between 150 and 350",
    "points for REASON at least 5",
)

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_BOUNDS: Final = (
    (re.compile(rf"between {_NUMBER} ?%? and {_NUMBER} ?(%?)"), "both"),
    (re.compile(rf"(?:at least|not under) {_NUMBER} ?(%?)"), "low"),
    (re.compile(rf"(?:at most|not over) {_NUMBER} ?(%?)"), "high"),
)
_CONFIDENCE = re.compile(rf"confidence {_NUMBER} ?%")
_NO = re.compile(rf"no (action|seat)( wins)? (under|over) {_NUMBER} ?%( of use)?")


class WrongStatement(Exception):
    """A statement that says nothing that can be held against results. `line` and `column` count from 1."""

    def __init__(self, line: int, words: str, column: int = 1):
        self.line, self.column = line, column
        super().__init__(words)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: where it stands, what it is about, and between which bounds that shall lie."""

    line: int
    column: int
    text: str
    subject: str
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the results say of a statement: the figures with their names, those that refute it first."""

    statement: Statement
    verdict: str
    figures: tuple[tuple[str, Figure], ...]


def read_expectations(text: str) -> tuple[list[Statement], float]:
    """The statements of a file and their confidence. Raises WrongStatement."""
    found: list[Statement] = []
    confidence = CONFIDENCE
    for number, line in enumerate(text.splitlines(), 1):
        words = " ".join(line.partition("#")[0].split())
        if not words:
            continue
        column = len(line) - len(line.lstrip()) + 1
        said = _CONFIDENCE.fullmatch(words)
        if said is None:
            found.append(statement_of(number, column, words))
        elif 50 <= float(said[1]) < 100:
            confidence = float(said[1]) / 100
        else:
            raise WrongStatement(number, "a confidence lies between 50 % and 100 %", column)
    if not found:
        raise WrongStatement(1, "there is no statement in this file, so nothing would be checked")
    return found, confidence


def statement_of(line: int, column: int, words: str) -> Statement:
    """What a sentence says. Raises WrongStatement."""
    said = _NO.fullmatch(words)
    if said is not None:
        bound = float(said[4]) / 100
        low, high = (bound, None) if said[3] == "under" else (None, bound)
        return Statement(line, column, words, f"every {said[1]}", low, high)
    for pattern, kind in _BOUNDS:
        match = pattern.search(words)
        if match is not None:
            subject = f"{words[: match.start()].strip()} {words[match.end() :].strip()}".strip()
            low, high = _bounds(match, kind)
            if low is not None and high is not None and low > high:
                raise WrongStatement(line, f"{match[0]!r} leaves nothing between", column)
            return Statement(line, column, words, subject, low, high)
    raise WrongStatement(line, f"{words!r} has no bounds: at least, at most, or between … and …", column)


def _unfit(statement: Statement, words: str) -> WrongStatement:
    """A statement about what the game or the run has not."""
    return WrongStatement(statement.line, words, statement.column)


def _bounds(match: re.Match[str], kind: str) -> tuple[float | None, float | None]:
    scale = 100 if match.groups()[-1] else 1
    numbers = [float(number) / scale for number in match.groups()[:-1]]
    if kind == "both":
        return numbers[0], numbers[1]
    return (numbers[0], None) if kind == "low" else (None, numbers[0])


class Judge:
    """Holds statements against the results of one arm."""

    def __init__(self, plan: Plan, game: Game, tally: Tally, confidence: float):
        self._plan, self._game, self._tally, self._confidence = plan, game, tally, confidence
        self._uses = sum(use.times for use in tally.actions.values())

    def judge(self, statement: Statement) -> Verdict:
        """The verdict on one statement. Raises WrongStatement for one about what there is not."""
        figures = self._figures(statement)
        verdicts = [_verdict(statement, figure) for _, figure in figures]
        for verdict in (REFUTED, UNDECIDED):
            if verdict in verdicts:
                named = tuple(f for f, each in zip(figures, verdicts, strict=True) if each == verdict)
                return Verdict(statement, verdict, named)
        return Verdict(statement, HOLDS, tuple(figures) if len(figures) == 1 else ())

    def _figures(self, statement: Statement) -> list[tuple[str, Figure]]:
        subject = statement.subject
        if subject == "every action":
            return self._all(actions_of(self._game, self._tally), self._action)
        if subject == "every seat":
            return self._all(list(self._game.seats), lambda seat, sure: self._seat(seat, statement).win_rate(sure))
        for pattern, figure in _SUBJECTS:
            match = re.fullmatch(pattern, subject)
            if match is not None:
                return [(subject, figure(self, match, statement))]
        raise _unfit(statement, f"nothing is known about {subject!r}. What can be said: {'; '.join(FORMS)}")

    def _all(self, names: Sequence[str], figure: Callable[[str, float], Figure]) -> list[tuple[str, Figure]]:
        """Figures of many, each with so much more confidence that together they have what is asked (Bonferroni)."""
        sure = 1 - (1 - self._confidence) / max(len(names), 1)
        return [(name, figure(name, sure)) for name in names]

    def _action(self, name: str, sure: float) -> Figure:
        return share(self._tally.actions[name].times, self._uses, sure)

    def _seat(self, name: str, statement: Statement) -> Side:
        seats = self._game.seats
        if name.isdecimal() and 1 <= int(name) <= len(seats):
            return self._tally.by_seat[int(name) - 1]
        if name in seats:
            return self._tally.by_seat[seats.index(name)]
        raise _unfit(statement, f"there is no seat {name!r}; there are 1 to {len(seats)}: {', '.join(seats)}")

    def _agent(self, name: str, statement: Statement) -> Side:
        """All seats of one kind of player together."""
        at = [player for player, kind in enumerate(self._plan.seats) if kind == name]
        if not at:
            raise _unfit(statement, f"no {name!r} plays; there are {', '.join(dict.fromkeys(self._plan.seats))}")
        found = Side()
        for player in at:
            side = self._tally.by_player[player]
            found.games, found.won = self._tally.games, found.won + side.won
        return found

    # ---- what statements are about ----

    def seat_wins(self, match: re.Match[str], statement: Statement) -> Figure:
        """How often a seat wins."""
        return self._seat(match[1], statement).win_rate(self._confidence)

    def agent_wins(self, match: re.Match[str], statement: Statement) -> Figure:
        """How often a kind of player wins."""
        return self._agent(match[1], statement).win_rate(self._confidence)

    def action_used(self, match: re.Match[str], statement: Statement) -> Figure:
        """The part of all actions that is this one."""
        if match[1] not in actions_of(self._game, self._tally):
            raise _unfit(statement, f"the game has no action {match[1]!r}")
        return self._action(match[1], self._confidence)

    def shared(self, match: re.Match[str], statement: Statement) -> Figure:
        """How often a victory is shared."""
        return share(self._tally.shared, self._tally.games, self._confidence)

    def unfinished(self, match: re.Match[str], statement: Statement) -> Figure:
        """How many games have no end."""
        missing = sum(self._tally.unfinished.values())
        return share(missing, self._tally.games + missing, self._confidence)

    def length(self, match: re.Match[str], statement: Statement) -> Figure:
        """How long games are."""
        return (self._tally.turns if match[1] == "turns" else self._tally.decisions).figure(self._confidence)

    def score(self, match: re.Match[str], statement: Statement) -> Figure:
        """How many points a seat or the winner has."""
        kept: Moments = self._tally.winning if match[1] == "the winner" else self._seat(match[2], statement).score
        return kept.figure(self._confidence)

    def points(self, match: re.Match[str], statement: Statement) -> Figure:
        """How many points a seat has for a reason."""
        known = reasons_of(self._game, self._tally)
        if match[1] not in known:
            told = f"its reasons for points: {', '.join(known)}" if known else "nobody scores in it"
            raise _unfit(statement, f"the game has no points for {match[1]!r}; {told}")
        return self._tally.whole.mean_of(match[1], self._confidence)


_Reading = Callable[[Judge, "re.Match[str]", Statement], Figure]
_SUBJECTS: Final[tuple[tuple[str, _Reading], ...]] = (
    (r"seat (\w+) wins", Judge.seat_wins),
    (r"action (\w+) of use", Judge.action_used),
    (r"shared victory", Judge.shared),
    (r"unfinished", Judge.unfinished),
    (r"length (decisions|turns)", Judge.length),
    (r"score of (the winner|seat (\w+))", Judge.score),
    (r"points for (\w+)", Judge.points),
    (r"(\S+) wins", Judge.agent_wins),
)


def _verdict(statement: Statement, figure: Figure) -> str:
    """Whether a figure's whole interval lies outside, or inside, of the bounds."""
    low = statement.low if statement.low is not None else float("-inf")
    high = statement.high if statement.high is not None else float("inf")
    if figure.trials and (figure.high < low or figure.low > high):
        return REFUTED
    inside = low <= figure.low and figure.high <= high
    return HOLDS if inside and figure.trials > 1 else UNDECIDED
