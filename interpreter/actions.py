"""Fixed numbers for whatever can be chosen in a game, for players that learn.

    actions = Actions(game)
    len(actions)                                  # how many numbers there are
    numbers = actions.numbers(state)              # of the options of a state, in their order
    state = state.apply(actions.option(state, numbers[0]))
    actions.meaning(numbers[0]).key               # "place_mark cell[1,1]"

The numbers come from what is declared alone: each question has a block of them, in the order of the program; in the
block each combination of answers has one, in the order of their types. They are the same in every state, for every
seat, and in every game of the same content, options, variants and number of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Final

from interpreter.names import plain_value, value_text
from interpreter.options import Option, arguments, stops
from interpreter.reference.decisions import STOP
from rulespec.lower.ir import NO_INTEGER, Ask, Name, ZoneIr
from rulespec.model.types import (
    Boolean,
    EffectType,
    Integer,
    Member,
    Piece,
    Record,
    Type,
    may_be_none,
    strip,
)
from rulespec.model.world import World

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

#: More numbers than that are of no use to anybody who learns.
MOST: Final = 1_000_000


class NoNumbers(ValueError):
    """A game has no fixed numbers: a question has too many answers, or as many as one likes."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a number stands for: the action (None outside actions) and the choice in it, the option's key, its values.

    `args` is empty for accepting, declining and stopping. `copy` counts from 1 the options of a state that read alike,
    as pieces of one look in several places do.
    """

    action: str | None
    id: str
    key: str
    args: dict[str, Any]
    copy: int


@dataclass(frozen=True, slots=True)
class Question:
    """The block of numbers of one question: `size` of them from `first` on, for answers of these names and types."""

    ask: Ask
    first: int
    sizes: tuple[int, ...]
    copies: int

    @property
    def size(self) -> int:
        """How many numbers it has: for each combination of answers and each copy of it, and one for stopping."""
        if self.ask.kind == "may":
            return 2
        return prod(self.sizes) * self.copies + self.ask.optional

    @property
    def names(self) -> tuple[str, ...]:
        """What is answered, by name."""
        return tuple(name.name for name in self.ask.names)


class Actions:
    """The numbers of one game. Raises NoNumbers where there can be none."""

    def __init__(self, game: Game):
        self._game, self._world = game, game.world
        self._of_ask: dict[int, Question] = {}
        self.questions: tuple[Question, ...] = tuple(self._questions())
        self._size = sum(question.size for question in self.questions)

    def __len__(self) -> int:
        return self._size

    def _questions(self) -> Iterator[Question]:
        """The questions in the order of the program; one that is asked in several places has one block."""
        known: dict[object, Question] = {}
        first = 0
        for at, ask in sorted(self._game.facts.asks.items()):
            if ask.chance:
                continue
            sizes = tuple(size_of(self._world, name.type) for name in ask.names)
            made = Question(ask, first, sizes, prod(_copies(self._world, name) for name in ask.names))
            same = ask.action, ask.id, ask.kind, ask.optional, made.names, sizes, made.copies
            if same not in known:
                if first + made.size > MOST:
                    raise NoNumbers(f"{self._game.id}: {ask.action or ask.id} has too many answers for fixed numbers")
                known[same] = made
                first += made.size
                yield made
            self._of_ask[at] = known[same]

    # ---- from options to numbers ----

    def numbers(self, state: State) -> list[int]:
        """The numbers of a state's options, in their order; none when the game is over."""
        if state.decision is None:
            return []
        question, found, seen = self._of_ask[state.asks_at], [], dict[int, int]()
        for candidate in state.candidates or ():
            number = self._plain(question, candidate)
            copy = seen[number] = seen.get(number, 0) + 1
            if copy > question.copies:
                raise NoNumbers(f"{self._game.id}: more options of {question.ask.id} read alike than are known to")
            found.append(number + copy - 1)
        return found

    def number(self, option: Option) -> int:
        """The number of an option."""
        return self.numbers(option.state)[option.state.options().candidates.index(option.candidate)]

    def _plain(self, question: Question, candidate: Any) -> int:
        """The number of a candidate's first copy."""
        ask, first = question.ask, question.first
        if ask.kind == "may":
            return first + (not candidate)
        if stops(ask, candidate):
            return first + question.size - 1
        at = 0
        for (_, t, value), size in zip(arguments(ask, candidate), question.sizes, strict=True):
            at = at * size + index_of(self._world, t, value)
        return first + at * question.copies

    # ---- from numbers to options ----

    def option(self, state: State, number: int) -> Option:
        """The option of a state with a number. Raises ValueError where it is not offered there."""
        numbers = self.numbers(state)
        if number not in numbers:
            what = f"action {number} ({self.meaning(number).key})" if 0 <= number < len(self) else f"action {number}"
            raise ValueError(f"{what} is not offered: there are {len(numbers)} others")
        return state.options()[numbers.index(number)]

    def meaning(self, number: int) -> Meaning:
        """What a number stands for. Raises ValueError for one that there is not."""
        question = next((q for q in self.questions if q.first <= number < q.first + q.size), None)
        if question is None:
            raise ValueError(f"actions are 0..{len(self) - 1}, not {number}")
        ask, at = question.ask, number - question.first
        head = ask.action or ask.id
        if ask.kind == "may":
            return Meaning(ask.action, ask.id, f"{head if ask.id == 'may' else ask.id} {_ANSWERS[at]}", {}, 1)
        if ask.optional and at == question.size - 1:
            return Meaning(ask.action, ask.id, "stop", {}, 1)
        at, copy = divmod(at, question.copies)
        values: list[Any] = []
        for name, size in zip(reversed(ask.names), reversed(question.sizes), strict=True):
            at, index = divmod(at, size)
            values.insert(0, value_at(self._world, name.type, index))
        key = " ".join([head, *(value_text(self._world, n.type, v) for n, v in zip(ask.names, values, strict=True))])
        args = {n.name: plain_value(self._world, n.type, v) for n, v in zip(ask.names, values, strict=True)}
        return Meaning(ask.action, ask.id, key + (f" #{copy + 1}" if copy else ""), args, copy + 1)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The key of each number."""
        return tuple(self.meaning(number).key for number in range(len(self)))


_ANSWERS: Final = ("accept", "decline")


def _copies(world: World, name: Name) -> int:
    """How many answers may read alike: pieces of one look, where they can lie in several places."""
    inner = strip(name.type)
    if not isinstance(inner, Piece) or isinstance(name.source, ZoneIr):
        return 1
    kind = world.pieces[inner.kind]
    places = sum(zone.places for zone in world.zones.values() if zone.holds == kind.name)
    return max(1, min(places, _most_alike(kind.supply, kind.unseen)))


def _most_alike(supply: tuple[int, ...], unseen: tuple[int, ...]) -> int:
    """How many pieces look alike at most: of one code, or behind one back."""
    behind: dict[int, int] = {}
    for code, back in enumerate(unseen):
        behind[back] = behind.get(back, 0) + supply[code]
    return max([*supply, *behind.values()], default=1)


# ---- values and their numbers ----------------------------------------------------------------------------------------


def size_of(world: World, t: Type) -> int:
    """How many values a type has. Raises NoNumbers where that is not declared."""
    return _plain_size(world, strip(t)) + may_be_none(t)


def _plain_size(world: World, t: Type) -> int:
    if isinstance(t, Integer) and t.low is not None and t.high is not None:
        return t.high - t.low + 1
    if isinstance(t, Boolean):
        return 2
    if isinstance(t, Member):
        return world.domains[t.domain].size
    if isinstance(t, Piece):
        return world.pieces[t.kind].count + len(world.pieces[t.kind].shown)
    if isinstance(t, EffectType):
        return len(world.interned)
    if isinstance(t, Record):
        return prod(size_of(world, inner) for _, inner in t.fields)
    raise NoNumbers(f"a choice of {t} has no fixed numbers")


def index_of(world: World, t: Type, value: Any) -> int:
    """The number of a value among those of its type; none comes last."""
    inner = strip(t)
    if isinstance(inner, Record):
        if value == -1:
            return size_of(world, t) - 1
        at = 0
        for (_, field), part in zip(inner.fields, value, strict=True):
            at = at * size_of(world, field) + index_of(world, field, part)
        return at
    if isinstance(inner, Integer):
        return size_of(world, t) - 1 if value <= NO_INTEGER else int(value) - (inner.low or 0)
    if value < 0:
        return size_of(world, t) - 1
    return int(value % world.codes if isinstance(inner, Piece) else value)


def value_at(world: World, t: Type, index: int) -> Any:
    """The value with a number; a piece lies in no place."""
    inner = strip(t)
    if may_be_none(t) and index == size_of(world, t) - 1:
        return NO_INTEGER if isinstance(inner, Integer) else STOP if isinstance(inner, Record) else -1
    if isinstance(inner, Integer):
        return index + (inner.low or 0)
    if not isinstance(inner, Record):
        return index
    parts: list[Any] = []
    for _, field in reversed(inner.fields):
        index, at = divmod(index, size_of(world, field))
        parts.insert(0, value_at(world, field, at))
    return tuple(parts)
