"""The operations of the instruction form: one row for each, and all that the code needs to know of it.

A row says what the operands are, whether the operation may fail, whether a look-ahead ends there, what it changes, and
how it prints. Analyses and executors ask the row. Who treats each operation in its own way keeps a table by name, made
by `for_each` or `for_some`: a name that is missing or unknown is a fault when the module is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

Kind = Literal[
    "value",  # an expression
    "values",  # a tuple of expressions
    "names",  # a tuple of names with their expressions
    "zone",  # an expression: a place of a zone
    "pieces",  # an expression: a piece, a list of pieces, or all of a place
    "slot",  # the number of a slot of the block
    "region",  # the key of a region; the operand behind it is the index of its cell
    "index",  # an expression: which cell of the region before
    "question",  # an `Ask`
    "block",  # the number of a block
    "trigger",  # the name of a trigger that turns on a condition
    "effects",  # the numbers of some interned effects; None: any
    "stream",  # the name of a stream of chance
    "label",  # what the content calls the step: what is said where it fails, and what `without` lifts
    "word",  # one of some words, or a name that is only told
    "number",
    "flag",
]

#: Regions of one cell that the instruction form keeps for itself.
REGISTERS = ("me", "active", "units", "together", "over")
#: An open unit keeps how things stood in one number: `me` + UNIT_ME * `units` + UNIT_TOGETHER * `together`.
UNIT_ME, UNIT_TOGETHER = 64, 4096

#: How play goes on: to the next instruction; into something, over to its other way, out of it; out of the loop around;
#: into another block; with an answer; back to the caller; nowhere in this block any more.
Flow = Literal["on", "opens", "divides", "closes", "breaks", "calls", "asks", "returns", "ends"]

#: What it changes: slots (also of the block that it begins or ends), a cell of a region, the registers, where pieces
#: lie or which way up.
Changed = Literal["slot", "cell", "register", "pieces"]

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand: what it is called, its kind, the words it may be, and whether it may be None."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    `shown` prints the operands: `{name}` an operand; what is in `[ ]` is left out where the operand in it is None,
    false, or the first of its words. `missing` says in words what is not so where it fails; without it, it never fails
    by itself. `horizon`: a look-ahead ends here. `unit` is 1 where a unit begins and -1 where it ends. `tells` says
    whether it leaves a line in the log: of itself, `always`; `only`: it does nothing else. `adds` names the operand
    that is added to the cell.
    """

    name: str
    operands: tuple[Operand, ...]
    does: str
    shown: str = ""
    flow: Flow = "on"
    closed_by: str = ""
    divided_by: str = ""
    changes: frozenset[Changed] = frozenset()
    missing: str = ""
    horizon: bool = False
    unit: int = 0
    tells: Literal["", "always", "only"] = ""
    adds: str = ""

    @property
    def may_fail(self) -> bool:
        """Whether it can fail by itself, blocks that it calls aside."""
        return bool(self.missing)

    @property
    def reads(self) -> bool:
        """Whether it has expressions to compute, those of a decision aside."""
        return any(o.kind in ("value", "values", "names", "zone", "pieces", "index") for o in self.operands)

    @property
    def is_plain(self) -> bool:
        """Whether it always goes well and changes nothing but slots."""
        return self.flow == "on" and not (self.may_fail or self.horizon or self.changes - {"slot"})

    @property
    def added(self) -> int | None:
        """Which operand is added to the cell; None where none is."""
        return next((number for number, operand in enumerate(self.operands) if operand.name == self.adds), None)

    def at(self, kind: Kind) -> int | None:
        """Which operand is the first of a kind; None where there is none."""
        return next((number for number, operand in enumerate(self.operands) if operand.kind == kind), None)


# ---- the rows --------------------------------------------------------------------------------------------------------


def _operand(text: str) -> Operand:
    """`name:kind`, with `?` where it may be None, and its words behind `=`."""
    head, _, words = text.partition("=")
    name, _, kind = head.partition(":")
    return Operand(name, kind.rstrip("?"), tuple(words.split("|")) if words else (), kind.endswith("?"))  # type: ignore[arg-type]


def _row(name: str, operands: str, shown: str, does: str, changes: str = "", **more: object) -> Operation:
    made = tuple(map(_operand, operands.split()))
    return Operation(name, made, does, shown, changes=frozenset(changes.split()), **more)  # type: ignore[arg-type]


_MODE = "mode:word=one|list|all"
_NO_PIECE = "a piece is not there"

_ROWS = (
    _row("set", "slot:slot value:value", "{slot} = {value}", "fills a slot", "slot"),
    _row("forget", "slot:slot", "{slot}", "empties it: 0, or an empty list", "slot"),
    _row(
        "store", "region:region index:index value:value", "{region} = {value}",
        "fills a cell; a value outside its range is a fault of the content (RS801)", "cell",
    ),
    _row(
        "gain", "region:region index:index amount:value", "{region} by {amount}",
        "adds; stops at both ends of the range", "cell", tells="always", adds="amount",
    ),
    _row(
        "pay", "region:region index:index amount:value label:label", "{region} by {amount} ({label})",
        "takes; below the lower end it *fails*", "cell", missing="there is too little to pay with", tells="always",
    ),
    _row(
        "score", "player:value amount:value reason:word", "{amount} for {player} ({reason})",
        "adds to a player's points", "cell", tells="always", adds="amount",
    ),
    _row(
        "require", "condition:value label:label", "{condition}[ ({label})]",
        "fails where it is false", missing="what must be true is false",
    ),
    _row(
        "move", f"{_MODE} what:pieces goal:zone face:value? side:word=top|bottom",
        "{mode} {what} to {goal}[ face {face}][ at the {side}]",
        "moves one piece, a list, or all of a place, one by one; fails where a piece is not there or does not fit, "
        "and then moves none",
        "pieces", missing="a piece is not there, or has no room",
    ),
    _row(
        "flip", f"{_MODE} what:pieces face:value", "{mode} {what} to {face}",
        "turns pieces where they lie; fails where one is not there, and then turns none", "pieces", missing=_NO_PIECE,
    ),
    _row(
        "roll", f"{_MODE} what:pieces stream:stream name:slot?", "{mode} {what} by {stream}[ kept in {name}]",
        "chance. Turns each piece that is there to a face, each face equally likely. A slot that held them gets them "
        "as they lie now",
        "pieces slot", horizon=True, tells="always",
    ),
    _row(
        "look", f"{_MODE} what:pieces seers:value", "{mode} {what} for {seers}",
        "shows each piece that is there to a set of players, who know it then", horizon=True, tells="always",
    ),
    _row(
        "draw", "amount:value source:zone goal:zone renewed:zone? stream:stream",
        "{amount} from {source} to {goal}[ renewed from {renewed}] by {stream}",
        "*chance*. Moves as many as there are and fit: evenly at random from a pool, else from the top; in the set-up "
        "fewer than the amount are a fault. An empty source is renewed first: what lies ready is shuffled in",
        "pieces", horizon=True, tells="always",
    ),
    _row(
        "shuffle", "stack:zone stream:stream", "{stack} by {stream}", "chance. A random order",
        "pieces", horizon=True, tells="always",
    ),
    _row(
        "resolve", "slot:slot stream:stream field:number?", "{slot} {stream}[ field {field}]",
        "where a piece was chosen by its back: chance picks one of those that look like it, evenly; for each member of "
        "a list (of records: in field `field`), none twice",
        "slot", horizon=True,
    ),
    _row(
        "horizon", "reason:word", "{reason}",
        "what the chooser may not see was read, or pieces that nobody sees were moved", horizon=True,
    ),
    _row(
        "ask", "question:question", "{question}", "a decision", "slot",
        flow="asks", missing="there is nothing to choose",
    ),
    _row(
        "if_any", "question:question", "{question}",
        "to `else` or `end` where the decision would have no candidate", flow="opens", closed_by="end",
        divided_by="else",
    ),
    _row("if", "condition:value", "{condition}", "a branch", flow="opens", closed_by="end", divided_by="else"),
    _row("else", "", "", "the other way of a branch", flow="divides"),
    _row("end", "", "", "the end of a branch", flow="closes"),
    _row("loop", "", "", "again and again, up to its `end_loop`", flow="opens", closed_by="end_loop"),
    _row("end_loop", "", "", "back to its `loop`", flow="closes"),
    _row("break_if", "condition:value", "{condition}", "to the end of the loop around", flow="breaks"),
    _row(
        "break_unless_any", "question:question", "{question}",
        "the same where the decision would have no candidate", flow="breaks",
    ),
    _row(
        "unit", "slot:slot", "{slot}", "opens a unit; the slot keeps `me`, `units` and `together` as they were",
        "slot register", flow="opens", closed_by="unit_end", unit=1,
    ),
    _row("unit_end", "slot:slot", "{slot}", "closes a unit", "slot register", flow="closes", unit=-1),
    _row(
        "try", "slot:slot thin:flag", "{slot}[ {thin}]",
        "a unit that is entered only where it can be completed, else what follows `orelse`. *Thin*: it holds one "
        "action and nothing else, whose own unit is the one that counts",
        "slot register", flow="opens", closed_by="end_try", divided_by="orelse", unit=1,
    ),
    _row(
        "orelse", "slot:slot thin:flag", "{slot}[ {thin}]", "the end of a `try`, and the other way", "slot register",
        flow="divides", unit=-1,
    ),
    _row("end_try", "", "", "the end of the other way", flow="closes"),
    _row(
        "together", "by:number", "{by}",
        "1 or -1: opens and closes steps after which conditions are looked at once", "register",
    ),
    _row("call", "block:block arguments:values", "{block}({arguments})", "runs a block", "slot", flow="calls"),
    _row(
        "callv", "effect:value level:number among:effects?", "{effect} ({among}, nested {level})",
        "runs the block of an effect value; fails where it nests too deep", "slot", flow="calls",
        missing="the effect nests too deep",
    ),
    _row(
        "check", "trigger:trigger", "{trigger}",
        "not inside `together` and not inside its own steps: for each binding, if the condition has turned true, its "
        "steps", "slot", flow="calls",
    ),
    _row("ret", "", "", "ends a block", "slot", flow="returns"),
    _row(
        "log", "line:word names:names part:word=whole|early|late|nothing", "{line}[ {names}][ ({part})]",
        "a line of the log: its own choices are made. The part is `whole`; `early`, where a `late` one at the end of "
        "the list knows more names; `nothing`, where there was no candidate", tells="only",
    ),
    _row("event", "name:word arguments:values", "{name}({arguments})", "a line of the log", tells="only"),
    _row(
        "finish", "", "", "leaves everything that is open and goes on with the block `end`", "slot register",
        flow="ends",
    ),
    _row("halt", "", "", "the game is over", "register", flow="ends"),
)  # fmt: skip

#: All operations by name, in the order of the page.
OPERATIONS: Final[Mapping[str, Operation]] = {row.name: row for row in _ROWS}


# ---- what is often asked ---------------------------------------------------------------------------------------------


def such_as(holds: Callable[[Operation], bool]) -> frozenset[str]:
    """The names of the operations of which something is so."""
    return frozenset(row.name for row in OPERATIONS.values() if holds(row))


#: What closes each of those that open something.
CLOSED_BY: Final = {row.name: row.closed_by for row in OPERATIONS.values() if row.flow == "opens"}
#: The same of those that lead somewhere: a unit by itself is left where it ends, whatever is in it.
BRANCHES: Final = {name: end for name, end in CLOSED_BY.items() if name != "unit"}
DIVIDES: Final = such_as(lambda row: row.flow == "divides")
BREAKS: Final = such_as(lambda row: row.flow == "breaks")
OPENS_UNIT: Final = such_as(lambda row: row.unit > 0)
CLOSES_UNIT: Final = such_as(lambda row: row.unit < 0)
HORIZONS: Final = such_as(lambda row: row.horizon)
#: Those that ask of candidates, whether or not somebody decides.
QUESTIONS: Final = such_as(lambda row: row.at("question") is not None)
#: What can fail by itself, where what it calls is looked at for itself.
FAILING: Final = such_as(lambda row: row.may_fail and row.flow != "calls")
CALLS: Final = such_as(lambda row: row.flow == "calls")
ONLY_TELLS: Final = such_as(lambda row: row.tells == "only")
#: By operation: which operand says what the content calls the step.
LABELS: Final = {row.name: at for row in OPERATIONS.values() if (at := row.at("label")) is not None}
MISSING: Final = {row.name: row.missing for row in OPERATIONS.values() if row.may_fail}


def cell_of(op: str, args: Sequence[object]) -> str | None:
    """The key of the region whose cell an instruction changes; None where it changes none."""
    row = OPERATIONS[op]
    if "cell" not in row.changes:
        return None
    at = row.at("region")
    return "player.score" if at is None else str(args[at])


# ---- tables by operation ---------------------------------------------------------------------------------------------


def for_each(entries: Mapping[str, Entry], *, known: Iterable[str] = OPERATIONS) -> dict[str, Entry]:
    """A table with an entry for each operation. Raises LookupError where one is missing, or no operation."""
    missing = set(known) - entries.keys()
    if missing:
        raise LookupError(f"no entry for {', '.join(sorted(missing))}")
    return for_some(entries, known=known)


def for_some(entries: Mapping[str, Entry], *, known: Iterable[str] = OPERATIONS) -> dict[str, Entry]:
    """A table with entries for some operations. Raises LookupError where one is no operation."""
    unknown = entries.keys() - set(known)
    if unknown:
        raise LookupError(f"no operation: {', '.join(sorted(unknown))}")
    return dict(entries)
