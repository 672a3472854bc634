"""Playing until a question is decided: statements as in a file of expectations, or how precise a figure is to be.

The results are looked at after numbers of games that are fixed beforehand, each about a third more than the last one.
Every look is as sure as it must be for all looks together to be as sure as was asked (the union bound: a confidence
sequence over the looks), so that whoever stops at a look that decides is wrong no more often than that, whatever the
question. H. Robbins, "Some aspects of the sequential design of experiments" (1952), says why looking again and again at
ordinary intervals would be wrong; S. R. Howard and others, "Time-uniform, nonparametric, nonasymptotic confidence
sequences" (2021), how such sequences are made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.game import Game
from interpreter.simulate.expect import UNDECIDED, Judge, Statement, Verdict, WrongStatement, statement_of
from interpreter.simulate.numbers import Figure, normal_quantile
from interpreter.simulate.plan import Plan, game_of
from interpreter.simulate.records import Record
from interpreter.simulate.tally import Tally

#: Games before the first look: with fewer the intervals of means are not to be trusted.
FIRST_LOOK: Final = 50
GROWTH: Final = 4 / 3
_PRECISE = re.compile(r"precise ?= ?(\d+(?:\.\d+)?) ?(%?)")


@dataclass(frozen=True, slots=True)
class Precision:
    """What is to be known how well: `within` is half of the interval, of seats' parts of wins or of their points."""

    text: str
    within: float
    of_wins: bool

    def figures(self, tally: Tally, confidence: float) -> list[tuple[str, Figure]]:
        """The figures that are to be so precise."""
        sure = 1 - (1 - confidence) / max(len(tally.by_seat), 1)
        sides = sorted(tally.by_seat.items())
        return [
            (f"seat {seat + 1}", side.win_rate(sure) if self.of_wins else side.score.figure(sure))
            for seat, side in sides
        ]

    def is_reached(self, tally: Tally, confidence: float) -> bool:
        """Whether all of them are."""
        found = self.figures(tally, confidence)
        return bool(found) and all((each.high - each.low) / 2 <= self.within for _, each in found)


Question = Statement | Precision


def question_of(words: str) -> Question:
    """What is to be decided, as it was typed. Raises WrongStatement.

    >>> question_of("precise=1%").within
    0.01
    """
    said = _PRECISE.fullmatch(" ".join(words.split()))
    if said is None:
        return statement_of(1, 1, " ".join(words.split()))
    within = float(said[1]) / (100 if said[2] else 1)
    if not within:
        raise WrongStatement(1, "no number of games makes a figure precise to 0")
    return Precision(words.strip(), within, bool(said[2]))


def looks(games: int) -> list[int]:
    """After how many games the results are looked at, at most so many.

    >>> looks(120)
    [50, 66, 88, 118, 120]
    """
    found, at = [], float(FIRST_LOOK)
    while at < games:
        found.append(int(at))
        at *= GROWTH
    return [*found, games]


def confidence_of_a_look(games: int, confidence: float) -> float:
    """How sure every look must be for all looks of a run together to be as sure as was asked."""
    return 1 - (1 - confidence) / len(looks(games))


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a question in one arm: `verdict` is `holds`, `refuted`, `undecided`, or `reached`."""

    arm: int
    text: str
    verdict: str
    figures: tuple[tuple[str, Figure], ...]


REACHED: Final = "reached"


class Watch:
    """Takes the records of a plan in any order, and looks at them in the order of their tasks.

    When all questions are decided in all arms that statements are about, `on_decided` is called, once, with the number
    of tasks until then.
    """

    def __init__(self, plan: Plan, games: Sequence[Game], questions: Sequence[Question], sure: float):
        self._plan, self._games, self._questions = plan, games, questions
        self.confidence = confidence_of_a_look(plan.games, sure)
        self._looks = looks(plan.games)
        self._tallies = [Tally(plan.in_arm(arm).players) for arm in range(len(plan.arms))]
        self._waiting: dict[int, Record] = {}
        self._next = 0
        self.is_decided = False
        self.on_decided: Callable[[int], None] = lambda tasks: None

    def see(self, record: Record) -> None:
        """One record. Raises WrongStatement for a question about what there is not."""
        if self.is_decided:
            return
        self._waiting[record["task"]] = record
        while (found := self._waiting.pop(self._next, None)) is not None:
            self._tallies[found["arm"]].add(found)
            self._next += 1
            games, rest = divmod(self._next, len(self._plan.arms))
            if not rest and games in self._looks and all(each.verdict != UNDECIDED for each in self.answers()):
                self.is_decided = True
                self.on_decided(self._next)
                return

    @property
    def games(self) -> int:
        """How many games of each arm were looked at."""
        return self._next // len(self._plan.arms)

    def answers(self) -> list[Answer]:
        """What is known now, at a look."""
        return [self._answer(arm, question) for arm in self._plan.judged for question in self._questions]

    def _answer(self, arm: int, question: Question) -> Answer:
        tally = self._tallies[arm]
        if isinstance(question, Precision):
            verdict = REACHED if question.is_reached(tally, self.confidence) else UNDECIDED
            return Answer(arm, question.text, verdict, tuple(question.figures(tally, self.confidence)))
        judge = Judge(self._plan.in_arm(arm), self._games[arm], tally, self.confidence)
        said: Verdict = judge.judge(question)
        return Answer(arm, question.text, said.verdict, said.figures)


# ---- how many games that will take -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Need:
    """About how many games decide a question, if its figure is `value`; None where that hangs on how it scatters."""

    text: str
    games: int | None
    value: float | None


def needs(plan: Plan, questions: Sequence[Question], confidence: float) -> list[Need]:
    """What the questions will take, as far as that can be known before a game is played."""
    sure = confidence_of_a_look(plan.games, confidence)
    return [_need(plan, question, sure) for question in questions]


def _need(plan: Plan, question: Question, sure: float) -> Need:
    """A share with the part p is known to within w after z² p (1 - p) / w² games."""
    if isinstance(question, Precision):
        part = 1 / _sides(plan)
        joint = 1 - (1 - sure) / plan.players
        games = _games_for(part, question.within, joint) if question.of_wins else None
        return Need(question.text, games, part if question.of_wins else None)
    if "%" not in question.text or question.subject == "unfinished":
        return Need(question.text, None, None)
    low, high = question.low, question.high
    if low is not None and high is not None:
        part, within = (low + high) / 2, (high - low) / 2
    else:
        bound = low if low is not None else high
        assert bound is not None
        within = _AWAY if bound + _AWAY < 1 else _AWAY / 10
        part = min(bound + within, 1.0) if low is not None else max(bound - within, 0.0)
    return Need(question.text, _games_for(part, within, sure) if within else None, part)


def _sides(plan: Plan) -> int:
    """How many can win: teams, or seats where there are none."""
    return len(set(game_of(plan, 0).world.teams)) or plan.players


#: How far from a single bound a figure is taken to lie, where nothing is known of it: five points of a hundred.
_AWAY: Final = 0.05


def _games_for(part: float, within: float, sure: float) -> int:
    z = normal_quantile(sure)
    return max(FIRST_LOOK, math.ceil(z * z * max(part * (1 - part), 0.01) / within**2))
