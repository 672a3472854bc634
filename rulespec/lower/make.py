"""Constructors of lowered expressions that compute what is constant at once, and the intervals of integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import count

from rulespec.lower.ir import (
    NO_INTEGER,
    Arith,
    CodeOf,
    Compare,
    Comprehend,
    Const,
    If,
    Ir,
    ItemAt,
    Let,
    ListIr,
    Load,
    Local,
    Logic,
    NotIr,
    PickIr,
    Table,
    Value,
    Var,
    Within,
    ZoneIr,
    ZoneRead,
)
from rulespec.model.types import (
    BOOLEAN,
    NONE,
    UNKNOWN,
    Integer,
    ListType,
    Member,
    Optional,
    Piece,
    SetType,
    Type,
    Zone,
    may_be_none,
    optional,
    strip,
)
from rulespec.model.world import Declarations, World
from rulespec.source.text import Span

#: What variables are made in, and the numbers that they take there.
_made_in: ContextVar[tuple[str, Iterator[int]]] = ContextVar("made_in", default=("", count()))


def fresh(prefix: str) -> str:
    """A variable name that no content can hold, and that no other variable of one program has."""
    place, numbers = _made_in.get()
    return f"{prefix}${place}{next(numbers)}"


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Variables are numbered by themselves where something is lowered that is one of its kind: a function, a block.

    So their names hang on nothing that is lowered before, and what is lowered twice in the same way is the same.
    """
    token = _made_in.set((f"{place}.", count()))
    try:
        yield
    finally:
        _made_in.reset(token)


def const(value: Value, type: Type) -> Const:
    """A value that is known."""
    return Const(type=type, value=value)


def integer(value: int) -> Const:
    """A known whole number, of the type that holds just it."""
    return Const(type=Integer(value, value), value=value)


def boolean(value: bool) -> Const:
    """True or false, known."""
    return Const(type=BOOLEAN, value=int(value))


#: The word `none`.
NOTHING = Const(type=NONE, value=-1)

#: Stands where something was reported; agrees with everything.
BAD = Const(type=UNKNOWN, value=0)


def none_value(t: Type) -> int:
    """How none is written for a type."""
    return NO_INTEGER if isinstance(strip(t), Integer) else -1


def missing_value(t: Type) -> int | tuple[int, ...]:
    """What stands where a value is missing, which is reported: none, or a set or list without members.

    Read as a set, the number of none would be one without end.
    """
    if isinstance(t, SetType):
        return 0
    return () if isinstance(t, ListType) else -1


def known_number(ir: Ir) -> int | None:
    """The integer of a constant; None for what is not known, and for a constant list."""
    return ir.value if isinstance(ir, Const) and isinstance(ir.value, int) else None


def is_true(ir: Ir) -> bool:
    """Whether it is known to be true."""
    return isinstance(ir, Const) and ir.value == 1


def is_false(ir: Ir) -> bool:
    """Whether it is known to be false."""
    return isinstance(ir, Const) and ir.value == 0


def retype(ir: Ir, t: Type) -> Ir:
    """The same value, taken as of another type."""
    if ir.type == t:
        return ir
    return Const(type=t, value=ir.value) if type(ir) is Const else replace(ir, type=t)


def is_simple(ir: Ir) -> bool:
    """Whether reading it twice costs nothing."""
    return isinstance(ir, (Const, Var, Local)) or (isinstance(ir, Load) and is_simple(ir.index))


def let_in(value: Ir, body: Callable[[Ir], Ir], type: Type | None = None) -> Ir:
    """`body` of a value that is computed once."""
    if is_simple(value):
        made = body(value)
        return made if type is None else retype(made, type)
    var = Var(type=value.type, name=fresh("v"))
    made = body(var)
    return Let(type=type or made.type, name=var.name, value=value, body=made)


def guarded(value: Ir, body: Callable[[Ir], Ir]) -> Ir:
    """`body` of a value where there is one, else none; plain `body` where the value is never none."""
    if not may_be_none(value.type):
        return body(value)
    if isinstance(value, Const):
        known = value.value != none_value(value.type)
        return _optional(body(retype(value, strip(value.type)))) if known else NOTHING

    def check(v: Ir) -> Ir:
        made = body(retype(v, strip(value.type)))
        result = optional(made.type)
        is_none = Compare(type=BOOLEAN, op="==", left=v, right=const(none_value(v.type), v.type))
        return If(type=result, condition=is_none, then=const(none_value(result), result), otherwise=made)

    return let_in(value, check)


def _optional(ir: Ir) -> Ir:
    """The same value as one that may be none: what is declared so stays so, though this one is known."""
    return retype(ir, optional(ir.type))


def table_at(w: World, table: str, index: Ir, type: Type) -> Ir:
    """A table's entry; an index that may be none gives none."""
    if may_be_none(index.type):
        type = optional(type)
    if isinstance(index, Const) and table in w.tables and isinstance(index.value, int) and index.value >= 0:
        values = w.tables[table]  # too short only where the table itself was reported
        return const(values[index.value], type) if index.value < len(values) else BAD
    return Table(type=type, table=table, index=index)


_FOLD: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
}
#: What each sign of comparison says of two numbers.
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def bounds(t: Type) -> tuple[int | None, int | None]:
    """The lowest and the highest value of a type; None where it has no bound or is no number."""
    t = strip(t)
    return (t.low, t.high) if isinstance(t, Integer) else (None, None)


def within(value: Ir, t: Type, span: Span | None = None) -> Ir:
    """A value as of a declared type, whose range is looked at in play where the value is not known to be inside."""
    low, high = bounds(t)
    least, most = bounds(value.type)
    below = low is not None and (least is None or least < low)
    above = high is not None and (most is None or most > high)
    if isinstance(value, Const) or may_be_none(t) or may_be_none(value.type) or not (below or above):
        return value
    return Within(type=t, value=value, span=span)


def clamped(value: Ir, low: int, high: int) -> Ir:
    """An integer, or the nearest one of a range where it lies outside."""
    least, most = bounds(value.type)
    if isinstance(value, Const):
        return integer(min(max(int(value.value), low), high))  # type: ignore[arg-type]
    if most is None or most > high:
        value = PickIr(type=Integer(least, high), op="min", items=(value, integer(high)))
    if least is None or least < low:
        value = PickIr(type=Integer(low, high), op="max", items=(value, integer(low)))
    return value


def has_no_zero(w: World, number: Ir) -> bool:
    """Whether a number is known and not 0, or an entry of a table in which none is 0."""
    if isinstance(number, Const):
        return number.value != 0
    if not isinstance(number, Table) or (number.table not in w.tables and number.table not in w.pending):
        return False
    try:
        entries = w.table(number.table)
    except RecursionError:  # a circle, or a chain too long: told where the table is made
        return False
    return all(isinstance(entry, int) and entry != 0 for entry in entries)


def arith(op: str, left: Ir, right: Ir) -> Ir:
    """Integer arithmetic; `//` and `%` round down, and give 0 when the divisor is 0."""
    a, b = known_number(left), known_number(right)
    if a is not None and b is not None:
        return integer(_FOLD[op](a, b))
    return Arith(type=interval(op, bounds(left.type), bounds(right.type)), op=op, left=left, right=right)


def interval(op: str, a: tuple[int | None, int | None], b: tuple[int | None, int | None]) -> Integer:
    """The bounds of a result from the bounds of its operands."""
    (al, ah), (bl, bh) = a, b
    if op == "%" and bl is not None and bl == bh and bl > 0:
        return Integer(0, bl - 1)
    if al is None or ah is None or bl is None or bh is None:
        return Integer()
    if op in "//%" and bl <= 0 <= bh:
        return Integer()
    if op == "%":
        return Integer(0 if bl > 0 else bl + 1, bh - 1 if bl > 0 else 0)
    ends = [_FOLD[op](x, y) for x in (al, ah) for y in (bl, bh)]
    return Integer(min(ends), max(ends))


def compare(op: str, left: Ir, right: Ir) -> Ir:
    """A comparison, worked out where both sides are known."""
    a, b = known_number(left), known_number(right)
    if a is not None and b is not None:
        return boolean(COMPARE[op](a, b))
    return Compare(type=BOOLEAN, op=op, left=left, right=right)


def negate(of: Ir) -> Ir:
    """The opposite of a condition, worked out where it is known."""
    if isinstance(of, Const):
        return boolean(not of.value)
    return of.of if isinstance(of, NotIr) else NotIr(type=BOOLEAN, of=of)


def logic(op: str, items: list[Ir]) -> Ir:
    """`and` / `or` with constants dropped."""
    stop = 0 if op == "and" else 1
    kept: list[Ir] = []
    for item in items:
        if isinstance(item, Const):
            if item.value == stop:
                kept.append(item)
                break
            continue
        kept.append(item)
    if not kept:
        return boolean(op == "and")
    if len(kept) == 1 or (isinstance(kept[0], Const)):
        return kept[0]
    return Logic(type=BOOLEAN, op=op, items=tuple(kept))


def if_else(condition: Ir, then: Ir, otherwise: Ir, type: Type) -> Ir:
    """One of two values, and only that one where the condition is known."""
    if isinstance(condition, Const):
        return retype(then if condition.value else otherwise, type)
    return If(type=type, condition=condition, then=none_as(then, type), otherwise=none_as(otherwise, type))


def none_as(ir: Ir, type: Type) -> Ir:
    """A literal none written as the type writes it."""
    return const(none_value(type), type) if isinstance(ir, Const) and ir.type == NONE else ir


def exists_value(of: Ir) -> Ir:
    """Whether a value is there."""
    if not may_be_none(of.type):
        return boolean(True)
    if isinstance(of, Const):
        return boolean(of.value != none_value(of.type))
    return Compare(type=BOOLEAN, op="!=", left=of, right=const(none_value(of.type), of.type))


def list_of(items: list[Ir], of: Type) -> Ir:
    """A list of these members, known where all of them are."""
    type = ListType(of, len(items))
    if all(isinstance(i, Const) for i in items):
        return const(tuple(i.value for i in items if isinstance(i, Const)), type)
    return ListIr(type=type, items=tuple(items))


# ---- zones ------------------------------------------------------------------------------------------


def zone_key(ir: Ir) -> str | None:
    """The key of the declared zone that an expression is a place of, or None."""
    t = strip(ir.type)
    return t.key if isinstance(t, Zone) else None


def zone_at(w: World, key: str, place: Ir) -> Ir:
    """The zone with this key at a place; none where the place is."""
    type: Type = Zone(key)
    return ZoneIr(type=optional(type) if may_be_none(place.type) else type, zone=key, place=place)


def read_zone(w: World, zone: Ir, what: str) -> Ir:
    """One reading of a place; of no place: none."""

    def read(z: Ir) -> Ir:
        key = zone_key(z) or ""
        decl = w.zones[key]
        piece = Piece(decl.holds, key)
        most = most_held(w, key)
        types: dict[str, Type] = {
            "count": Integer(0, most),
            "empty": BOOLEAN,
            "full": BOOLEAN,
            "all": ListType(piece, max(most, 1)),
        }
        return ZoneRead(type=types.get(what, Optional(piece)), what=what, zone=z)

    if may_be_none(zone.type) and isinstance(zone, ZoneIr):
        return guarded(zone.place, lambda p: read(ZoneIr(type=strip(zone.type), zone=zone.zone, place=p)))
    return read(zone)


def is_slot(w: World, ir: Ir) -> bool:
    """Whether an expression is a zone that holds one piece or none."""
    key = zone_key(ir)
    return key is not None and w.zones[key].shape == "slot"


def as_value(w: World, ir: Ir) -> Ir:
    """A slot as its piece or none; anything else as it is."""
    return read_zone(w, ir, "slot") if is_slot(w, ir) else ir


# ---- sources ----------------------------------------------------------------------------------------


def as_collection(w: World, ir: Ir, want: Type) -> Ir:
    """A set where a list is asked for, as the list of its members in order; a list of members as a set."""
    found, wanted = strip(ir.type), strip(want)
    if isinstance(found, SetType) and isinstance(wanted, ListType):
        return guarded(ir, lambda v: _collected(w, v, "list", ListType(found.of, most_of(w, v))))
    if isinstance(found, ListType) and isinstance(found.of, Member) and isinstance(wanted, SetType):
        return guarded(ir, lambda v: _collected(w, v, "set", SetType(found.of)))  # type: ignore[arg-type]
    return ir


def _collected(w: World, source: Ir, op: str, type: ListType | SetType) -> Ir:
    if isinstance(source, Table) and source.table.endswith(".bits") and op == "list":
        return replace(source, table=source.table.removesuffix("bits") + "items", type=type)
    name = fresh("x")
    return Comprehend(type=type, op=op, name=name, source=source, value=Var(type=type.of, name=name))


def element_type(w: Declarations, source: Ir) -> Type | None:
    """The type of the members of a list, set, range or zone; None if it has none."""
    t = strip(source.type)
    if isinstance(t, (ListType, SetType)):
        return t.of
    if isinstance(t, Zone):
        return Piece(w.zones[t.key].holds, t.key)
    return None


def most_of(w: Declarations, source: Ir) -> int:
    """How many members a source can have at most."""
    t = strip(source.type)
    if isinstance(t, ListType):
        return t.most
    if isinstance(t, SetType):
        return _largest_set(w, source) if isinstance(source, Table) else w.domains[t.of.domain].size
    return most_held(w, t.key) if isinstance(t, Zone) else 0


def _largest_set(w: Declarations, source: Table) -> int:
    """The size of the largest set in a table that is known."""
    assert isinstance(source.type, SetType)
    known = w.tables.get(source.table)
    sizes = [v.bit_count() for v in known if isinstance(v, int) and v >= 0] if known is not None else []
    return max(sizes, default=0) if known is not None else w.domains[source.type.of.domain].size


def most_held(w: Declarations, key: str) -> int:
    """How many pieces a place of a zone holds at most."""
    decl = w.zones[key]
    supply = sum(w.pieces[decl.holds].supply)
    return min(decl.room, supply) if decl.capacity else supply


def item_of(what: str, items: Ir, type: Type, at: int = 0, index: Ir | None = None) -> Ir:
    """One member of a list: `what` says which, `at` and `index` where from."""
    return ItemAt(type=type, what=what, items=items, at=at, index=index)


def code_of(ir: Ir) -> Ir:
    """The code of a piece; none stays the piece that is none. A described piece is its code."""
    type = ir.type if may_be_none(ir.type) else Integer(0, None)
    return const(ir.value, type) if isinstance(ir, Const) else CodeOf(type=type, piece=ir)
