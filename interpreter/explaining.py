"""Why an option is offered, why another is not, and where a player's points came from: with the places in the content.

    explainer = Explainer(game)
    explainer.offered(state, option)       # its conditions, each with its place and what it was made of
    explainer.refused(state, key)          # the first condition that forbids it
    points(replay, seat)                   # points by reason and place, whose sum is the score

Nothing of this is kept while a game is played: conditions are looked at again, by the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.condition_parts import parts
from interpreter.middle.pieces import copy_cells
from interpreter.names import value_text
from interpreter.options import Option, arguments, stops
from interpreter.refusal import Raw, Refusal, why_not
from rulespec.lower.ir import Instr, Ir
from rulespec.lower.make import const
from rulespec.lower.missing import is_for_payment
from rulespec.lower.show_ir import Writer
from rulespec.lower.substitute import substitute
from rulespec.model.types import Piece, strip
from rulespec.program.ops import LABELS
from rulespec.source.text import Span

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

#: How far a way to the end of an action is followed.
MOST_STEPS = 64


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that holds: its name (a label, a function or its text), its place, and what it was made of."""

    name: str
    span: Span | None
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """Why an option is offered: its conditions in order, and the choices (keys) after it that complete the action."""

    option: Option
    conditions: tuple[Condition, ...]
    then: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Points:
    """Points of a player from one place of the content, for one reason."""

    reason: str
    span: Span | None
    amount: int
    times: int


class Explainer:
    """Explanations of one game's states."""

    def __init__(self, game: Game):
        self.game = game
        self._machine = game.machine
        self._writer = Writer(game.world, game.built.program, numbered=False)
        self._places = game.places

    # ---- offered ----

    def offered(self, state: State, option: Option) -> Offered:
        """The conditions that an option passed: of its choice, then of the steps up to the end of its action.

        What comes behind a horizon is not told: nobody can see it who may choose the option.
        """
        conditions = self._of_choice(state, option)
        then: list[str] = []
        me, candidate = state.cells[self._machine.me], option.candidate
        for _ in range(MOST_STEPS):
            after, sink = self._after(state, candidate)
            conditions += [self._of_event(state, me, e) for e in self._met(sink) if e[2] == me]
            if (sink and _ends(sink[-1])) or not self._goes_on(after, me):
                break
            state, candidate = after, after.options()[0].candidate
            then.append(after.options()[0].key)
        return Offered(option, tuple(dict.fromkeys(conditions)), tuple(then))

    def _met(self, sink: list[Any]) -> list[Any]:
        """The conditions among events: of a step that pays from several counters, what is paid of each, once."""
        instrs = self.game.built.program.instrs
        return [e for e in sink if e[0] == "condition" and not is_for_payment(instrs, e[1])]

    def _after(self, state: State, candidate: Any) -> tuple[State, list[Any]]:
        """The state after an answer, and what happened up to the next turn or a horizon, with that."""
        from interpreter.state import State

        cells = copy_cells(state.cells)
        sink: list[Any] = []
        found = self._machine.run(cells, self._machine.answer(cells, cells[0], candidate), sink, conditions=True)
        ends = (i for i, e in enumerate(sink, 1) if _ends(e))
        return State(self.game, cells, found), sink[: next(ends, len(sink))]

    def _goes_on(self, after: State, me: int) -> bool:
        """Whether the same player still has to complete the same unit."""
        machine = self._machine
        return after.candidates is not None and after.cells[machine.me] == me and after.cells[machine.units] > 0

    def _of_event(self, state: State, me: int, event: Sequence[Any]) -> Condition:
        instr = self.game.built.program.instrs[event[1]]
        names = self._names_of(instr)
        values = tuple((n, self._text(state, me, ir, value)) for (n, ir), value in zip(names, event[3], strict=True))
        return Condition(_name_of(instr), self._places.span(event[1]), values)

    def _names_of(self, instr: Instr) -> list[tuple[str, Ir | None]]:
        if instr.op == "pay":
            return [(f"{instr.args[0].removeprefix('player.')} there", None), ("to pay", None)]
        return [(self._writer.ex(part), part) for part in parts(instr.args[0])]

    def _text(self, state: State, me: int, ir: Ir | None, value: Any) -> str:
        """A value in words; a piece by the side that whoever chooses sees of it."""
        kind = None if ir is None else strip(ir.type)
        if isinstance(kind, Piece) and kind.zone != "-" and value >= 0:
            sight = self.game.knowledge.sight
            return sight.text(value, sight.side(state.cells, value, me))
        return str(value) if ir is None else value_text(self.game.world, ir.type, value)

    def _of_choice(self, state: State, option: Option) -> list[Condition]:
        """The conditions of the decision itself."""
        ask = state.ask
        if ask.kind == "may" or stops(ask, option.candidate):
            return []
        values = [value for _, _, value in arguments(ask, option.candidate)]
        found = []
        for i, name in enumerate(ask.names):
            bound: dict[str, Ir] = {n.var: const(v, n.type) for n, v in zip(ask.names[: i + 1], values, strict=False)}
            found += [Condition(p.name, p.span, self._told(state, p.test, bound)) for p in name.where_parts]
        return found

    def _told(self, state: State, test: Ir, bound: dict[str, Ir]) -> tuple[tuple[str, str], ...]:
        """What a condition was made of, for the values chosen."""
        shown = {part: self._writer.ex(part) for part in parts(test, frozenset(bound))}
        found = []
        for part, text in shown.items():
            value = self._machine.value(substitute(part, bound), state.cells)
            found.append((text, self._text(state, state.cells[self._machine.me], part, value)))
        return tuple(found)

    # ---- refused ----

    def refused(self, state: State, key: str) -> Refusal:
        """The first condition that forbids an option, written as a person writes it."""
        return why_not(state, key)

    def about(self, state: State, text: str) -> list[tuple[str, Offered | Refusal]]:
        """All that could be chosen now with a thing in it (a site, a piece, a word of the key), offered or not."""
        from interpreter.options import key_text

        raw, options = Raw(state), state.options()
        found: list[tuple[str, Offered | Refusal]] = []
        for candidate in raw.candidates():
            key = key_text(state, candidate)
            if text not in key.replace(", ", ",").split():
                continue
            option = options.find(key)
            found.append((key, raw.refusal(candidate) if option is None else self.offered(state, option)))
        return list(dict(found).items())


def _ends(event: Sequence[Any]) -> bool:
    """Whether what comes behind an event is another turn, or nothing that could be foreseen."""
    return bool(event[0] == "horizon" or (event[0] == "event" and event[3] == "turn"))


def _name_of(instr: Instr) -> str:
    return str(instr.args[LABELS[instr.op]])


# ---- points ----------------------------------------------------------------------------------------------------------


class Earned:
    """Where a seat's points came from, found while the states of a game go by."""

    def __init__(self, game: Game, seat: int):
        self.seat = seat
        self._places = game.places
        self._found: dict[tuple[str, int], Points] = {}

    def take(self, state: State) -> None:
        """Adds what happened on the way to a state, which was made with its events."""
        for event in state.events or ():
            if event[0] == "score" and event[2] == self.seat:
                _, at, _, amount, reason = event
                before = self._found.get((reason, at), Points(reason, self._places.span(at), 0, 0))
                self._found[reason, at] = Points(reason, before.span, before.amount + amount, before.times + 1)

    def points(self) -> list[Points]:
        """In order of first appearance; of all states from the first on, their sum is the score of the last one."""
        return list(self._found.values())


def points(game: Game, states: Iterable[State], seat: int) -> list[Points]:
    """Where a seat's points came from, in order of first appearance; their sum is the score of the last state.

    The states are those of one game from its first on, made with their events.
    """
    earned = Earned(game, seat)
    for state in states:
        earned.take(state)
    return earned.points()
