"""The instruction form: typed expressions over integers, and flat numbered instructions.

Every value is an integer, a bit set or a list of integers:
- integers, booleans (0, 1), members (their index), effects (index of the interned value); *none* is -1 for members,
  pieces and effects, and `NO_INTEGER` for integers;
- a set over a domain is an integer with one bit per member; a list is a tuple; a record is a tuple of its fields;
- a zone is the number of its place within its declaration;
- a piece is one integer, `(place * depth + position) * codes + code`: the place's number among all places of all zones,
  the position in a stack (else 0) and the code in its kind. A code beyond the kind's own says only which back is seen
  (see `Kind.unseen`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rulespec.model.types import Integer, Optional, Type
from rulespec.source.text import Span

if TYPE_CHECKING:
    from rulespec.lower.declared import Declared

NO_INTEGER = -(1 << 31)
Value = int | tuple  # type: ignore[type-arg]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ir:
    """Any lowered expression, with its type."""

    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Const(Ir):
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Var(Ir):
    """A parameter of a function, or the variable of a closed operator."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Local(Ir):
    """A cell of the running block's frame (or a register, where it never outlives a decision)."""

    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Load(Ir):
    """A cell of a region of the state."""

    region: str
    index: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Ir):
    """An entry of a constant table; the index -1 (none) gives its last entry, which is none."""

    table: str
    index: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Arith(Ir):
    """`op` is `+ - * // %`."""

    op: str
    left: Ir
    right: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(Ir):
    """`op` is `== != < <= > >=`."""

    op: str
    left: Ir
    right: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Ir):
    """`op` is `and` or `or`; read left to right, only as far as needed."""

    op: str
    items: tuple[Ir, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotIr(Ir):
    of: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Ir):
    condition: Ir
    then: Ir
    otherwise: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Ir):
    """A value named once and used in `body`."""

    name: str
    value: Ir
    body: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class CallIr(Ir):
    """A declared function."""

    function: str
    args: tuple[Ir, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow(Ir):
    """A formula kept as data: `row` picks the function out of `functions` (none: not reached)."""

    functions: tuple[str, ...]
    row: Ir
    args: tuple[Ir, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contains(Ir):
    """Whether `item` is in `items`, a set, a list, or a source."""

    item: Ir
    items: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeIr(Ir):
    """The integers from `low` to `high`, both included."""

    low: Ir
    high: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class ListIr(Ir):
    """A list (or record) of the items."""

    items: tuple[Ir, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Ir):
    """All members of a domain of `size`."""

    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Ir):
    """`left + right` of lists, or of sets."""

    left: Ir
    right: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Ir):
    """A list or set without one member (once)."""

    items: Ir
    item: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAt(Ir):
    """`what` of a list: first last any (none if empty), count, empty; at: by `index`; a field of a record by number."""

    what: str
    items: Ir
    index: Ir | None = None
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneIr(Ir):
    """One place of a declared zone: its number within the declaration."""

    zone: str
    place: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRead(Ir):
    """`what` of a place: count empty full top bottom any slot (a piece or none), all (a list)."""

    what: str
    zone: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeOf(Ir):
    """The code of a piece (none stays none)."""

    piece: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOf(Ir):
    """The number, within its zone's declaration, of the place where a piece lies; `first` is that of place 0."""

    piece: Ir
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comprehend(Ir):
    """`count any first sum all list set min max most least sort longest stretch`.

    `source` is a list, set, range, domain or zone; `name` its variable; `value` what is folded or sorted
    by; `around` the member of a stretch. min and max of nothing, and first of nothing, are none.
    """

    op: str
    name: str
    source: Ir
    where: Ir | None = None
    value: Ir | None = None
    around: Ir | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PickIr(Ir):
    """`min` or `max` of some integers."""

    op: str
    items: tuple[Ir, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Within(Ir):
    """An integer that must lie in the range of this expression's type; else the game cannot go on (RS801).

    `span` is the place of what is too high or too low.
    """

    value: Ir
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkIr(Ir):
    """From `start` by `step` until none or a repeat; at most `size` long."""

    name: str
    start: Ir
    step: Ir
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachIr(Ir):
    """The members whose cheapest path from `start` costs at most `within`, the start left out."""

    name: str
    start: Ir
    via: Ir
    cost: Ir
    within: Ir
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeIr(Ir):
    """The first `amount` pieces of a place (a stack from the top), or none where there are fewer."""

    amount: Ir
    zone: Ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Clockwise(Ir):
    """All players in order from one of them."""

    start: Ir
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectValue(Ir):
    """An interned effect found by its arguments: `table` maps the mixed-radix number of the arguments."""

    table: str
    index: Ir


class _Parts(dict[type[Ir], tuple[str, ...]]):
    """The fields of each kind of expression that hold expressions; each kind is looked at once."""

    def __missing__(self, kind: type[Ir]) -> tuple[str, ...]:
        self[kind] = tuple(f.name for f in fields(kind) if "Ir" in str(f.type))
        return self[kind]


#: By kind of expression: the names of its fields that hold expressions.
PARTS_OF = _Parts()


def children(node: Ir) -> list[Ir]:
    """The expressions directly inside one."""
    found: list[Ir] = []
    for name in PARTS_OF[type(node)]:
        value = getattr(node, name)
        if isinstance(value, tuple):
            found += value
        elif value is not None:
            found.append(value)
    return found


def walk_ir(node: Ir) -> Iterator[Ir]:
    """The expression and everything inside it, each before what it holds."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting += reversed(children(at))


# ---- instructions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FilterPart:
    """One of the conditions that a filter joins with `and`: a refusal names the first that fails."""

    test: Ir
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """One name of an `ask`: what it is called, where candidates come from, what filters them."""

    name: str
    slot: int
    var: str
    source: Ir
    where: Ir | None
    if_possible: Ir | None
    type: Type
    seen: Ir | None = None
    """Whether the chooser sees the fronts of the pieces; None: always."""
    span: Span | None = field(default=None, compare=False)
    where_parts: tuple[FilterPart, ...] = field(default=(), compare=False)
    """The parts of `where`, in order; one where it joins nothing."""
    preferred_name: str = ""
    preferred_span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """What a decision asks.

    kind: `one` (one decision over all names), `set` (`amount` picks, one by one, in any order; slot `picked` holds the
    picks, slot `order` the number of each among the candidates, by which both lists are sorted), `may` (slot `answer`:
    1 or 0), `next` (a member of a chosen loop: slot `left` holds what is left; `optional`: slot `answer` is 0).
    """

    kind: str
    id: str
    names: tuple[Name, ...]
    action: str | None = None
    amount: Ir | None = None
    picked: int = -1
    order: int = -1
    left: int = -1
    optional: bool = False
    alike: Ir | None = None
    answer: int = -1
    chance: bool = False
    stream: str = "chance"
    record: bool = False
    owner: str | None = None
    """The effect or trigger that asks, where that is not an action: its texts may speak for the decision."""
    secret: bool = False
    """Whether the others learn of the answer only later (`at_once`)."""


@dataclass(frozen=True, slots=True)
class Instr:
    """One instruction; what `args` holds for each `op` is on the page `docs/instruction_form.md`."""

    op: str
    args: tuple[Any, ...] = ()
    span: Span | None = field(default=None, compare=False)


def expressions_in(operand: object) -> Iterator[Ir]:
    """The expressions in an operand: one by itself, those of a decision, those in a tuple or list, however deep."""
    if isinstance(operand, Ir):
        yield operand
    elif isinstance(operand, Instr):
        yield from expressions_in(operand.args)
    elif isinstance(operand, Ask):
        for name in operand.names:
            yield from expressions_in((name.source, name.where, name.if_possible, name.seen))
        yield from expressions_in((operand.amount, operand.alike))
    elif isinstance(operand, (tuple, list)):
        for part in operand:
            yield from expressions_in(part)


@dataclass(frozen=True, slots=True)
class Slot:
    """A cell of a block's frame: its name, its type and the block it belongs to."""

    name: str
    type: Type
    proc: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Proc:
    """A block of instructions that is called.

    `entry` is its first instruction, `end` the one after its last; `params` the slots of its parameters, `back` that of
    where to go on. Two activations never overlap (see `nests`). `constants` are the effects that it was made for.
    """

    id: int
    name: str
    kind: str
    entry: int
    end: int
    params: tuple[int, ...]
    back: int
    lifted: frozenset[str] = frozenset()
    level: int = 0
    constants: tuple[tuple[str, Const], ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """Cells of the state: `places` of them, each holding `low..high`; where integers may be none, also that."""

    key: str
    places: int
    type: Type
    low: int
    high: int
    start: tuple[int, ...]

    @property
    def may_be_none(self) -> bool:
        """Whether a cell holds none beside its numbers, far below them. None of other types is among `low..high`."""
        return isinstance(self.type, Optional) and isinstance(self.type.of, Integer)

    @property
    def lowest(self) -> int:
        """The lowest value of all that a cell holds."""
        return NO_INTEGER if self.may_be_none else self.low


@dataclass(frozen=True, slots=True)
class Hints:
    """What automatic players go by: where a look ahead ends, and what a position is worth to each player."""

    horizon: int | None = None
    unit: int = 1
    worth: tuple[Ir, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A whole game in the instruction form, with all that it speaks of."""

    declared: Declared
    instrs: tuple[Instr, ...]
    procs: tuple[Proc, ...]
    slots: tuple[Slot, ...]
    regions: tuple[Region, ...]
    streams: tuple[str, ...]
    entries: dict[str, int]
    effect_procs: dict[tuple[int, int], tuple[int, tuple[int, ...]] | None]
    ranking: tuple[tuple[str, Ir], ...]
    always: tuple[tuple[Span, Ir], ...]
    starts: dict[str, list[list[int]]]
    look_cap: int
    hints: Hints = Hints()
    state_slots: tuple[int, ...] = ()  # that belong to the state, upward: found once it is whole (`liveness`)
    unasked: bool = False  # whether it has chosen loops with a way past their question, whether or not it is ever taken
