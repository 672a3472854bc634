"""Values of expressions before play: for tables made at load, what the executors prepare, and rehearsals of a set-up.

What they mean is in `rulespec/program/meaning.py`; here is what may be read, and how much work may be done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rulespec.lower.ir import Ir
from rulespec.model.types import Integer
from rulespec.model.world import Declarations
from rulespec.program.meaning import MEANING, NO_NAMES, DeclaredZone, Names, Reader, members
from rulespec.source.text import Span

MOST_STEPS = 5_000_000


class NotConstant(Exception):
    """A constant was asked for and the expression reads the state of the game."""


class OutsideRange(NotConstant):
    """A function gives, or is given, a value outside its declared range."""

    def __init__(self, value: int, declared: Integer, span: Span | None):
        super().__init__(value)
        self.value, self.declared, self.span = value, declared, span


class TooMuchWork(Exception):
    """The tables of the game need more steps than are allowed."""


class StateReader(Protocol):
    """What an evaluator needs of a running game."""

    def load(self, region: str, index: int) -> int:
        """The value of one cell of a region."""
        ...

    def pieces(self, zone: str, place: int) -> list[int]:
        """The codes of the pieces at a place, from the bottom up."""
        ...

    def local(self, slot: int) -> Any:
        """What a name of an open block holds."""
        ...


class Evaluator(Reader):
    """Evaluates lowered expressions; without a state what reads one is refused by NotConstant."""

    def __init__(
        self,
        world: Declarations,
        body_of: Callable[[str], tuple[tuple[str, ...], Ir]],
        state: StateReader | None = None,
    ):
        self.world = world
        self.body_of = body_of
        self.state = state
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Counts work that is done beside expressions. Raises TooMuchWork."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise TooMuchWork

    def may_spend(self, steps: int) -> bool:
        """Whether so much more work can be done."""
        return self.steps + steps <= MOST_STEPS

    def value(self, node: Ir, names: Names = NO_NAMES) -> Any:
        """The value of an expression. Raises TooMuchWork after too many steps."""
        self.spend(1)
        return MEANING[type(node)](self, node, names)

    def items(self, node: Ir, names: Names) -> list[Any]:
        """The members of a source in order."""
        return list(members(self, node, names))

    # ---- what is read ----

    @property
    def _known(self) -> StateReader:
        if self.state is None:
            raise NotConstant
        return self.state

    @property
    def codes(self) -> int:
        """How many codes a piece has room for."""
        return self.world.codes

    @property
    def depth(self) -> int:
        """How many positions a piece has room for."""
        return self.world.depth

    def slot(self, slot: int) -> Any:
        """What a slot holds. Raises NotConstant without a state, as all that reads one."""
        return self._known.local(slot)

    def load(self, region: str, index: int) -> int:
        """A cell of a region."""
        return self._known.load(region, index)

    def pieces(self, zone: str, place: int) -> list[int]:
        """The pieces at a place of a zone."""
        return self._known.pieces(zone, place)

    def how_many(self, zone: str, place: int) -> int:
        """How many pieces lie at a place of a zone."""
        return len(self._known.pieces(zone, place))

    def table(self, name: str) -> Sequence[Any]:
        """The entries of a constant table."""
        return self.world.table(name)

    def function(self, name: str) -> tuple[tuple[str, ...], Ir]:
        """The parameters of a declared function, and its expression."""
        return self.body_of(name)

    def zone(self, name: str) -> DeclaredZone:
        """The declaration of a zone."""
        return self.world.zones[name]

    def faces(self, kind: str) -> int:
        """How many faces the pieces of a kind have."""
        return len(self.world.pieces[kind].faces)

    def outside(self, value: int, declared: Integer, span: Span | None) -> OutsideRange:
        """What is raised for a value outside its declared range."""
        return OutsideRange(value, declared, span)
