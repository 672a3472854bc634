"""What each expression means: one function a class, in the order of docs/instruction_form.md ("Expressions").

An expression is computed by a `Reader`, with the values of its variables by name. It changes nothing. Whoever needs a
value asks here: tables made at load, rehearsals of a set-up, play by the reference. Each brings a reader of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Any, Protocol

from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.ir import NO_INTEGER, Ir
from rulespec.model.types import Integer, ListType, Piece, SetType, Type, Zone, strip
from rulespec.source.text import Span

Names = dict[str, Any]
NO_NAMES: Names = {}


class DeclaredZone(Protocol):
    """What expressions need of the declaration of a zone."""

    @property
    def shape(self) -> str: ...
    @property
    def capacity(self) -> Sequence[int]: ...
    @property
    def holds(self) -> str: ...


class Reader(ABC):
    """What an expression may read of a game. `codes` and `depth` are how many codes and positions a piece has room for.

    What a reader does not know it refuses by an exception of its own.
    """

    __slots__ = ()

    def value(self, node: Ir, names: Names = NO_NAMES) -> Any:
        """The value of an expression."""
        return MEANING[type(node)](self, node, names)

    def count(self) -> None:  # noqa: B027 - most readers need not count
        """Counts one member that is gone through; may refuse to go on."""

    @property
    @abstractmethod
    def codes(self) -> int: ...

    @property
    @abstractmethod
    def depth(self) -> int: ...

    @abstractmethod
    def slot(self, slot: int) -> Any:
        """What a slot of the running block holds."""

    @abstractmethod
    def load(self, region: str, index: int) -> int:
        """A cell of a region."""

    @abstractmethod
    def pieces(self, zone: str, place: int) -> list[int]:
        """The pieces at a place of a zone, from the bottom up; of a pool by code."""

    @abstractmethod
    def how_many(self, zone: str, place: int) -> int:
        """How many pieces lie at a place of a zone."""

    @abstractmethod
    def table(self, name: str) -> Sequence[Any]:
        """The entries of a constant table."""

    @abstractmethod
    def function(self, name: str) -> tuple[tuple[str, ...], Ir]:
        """The variables that are the parameters of a declared function, and its expression."""

    @abstractmethod
    def zone(self, name: str) -> DeclaredZone:
        """The declaration of a zone."""

    @abstractmethod
    def faces(self, kind: str) -> int:
        """How many faces the pieces of a kind have; 0 where they have none of their own."""

    @abstractmethod
    def outside(self, value: int, declared: Integer, span: Span | None) -> Exception:
        """What is raised for a value outside its declared range."""


def none_of(t: Type) -> int:
    """How none is written for a type."""
    return NO_INTEGER if isinstance(strip(t), Integer) else -1


def bits(members: int) -> list[int]:
    """The members of a set, upward."""
    return [i for i in range(members.bit_length()) if members >> i & 1]


def set_of(members: Iterable[int]) -> int:
    """Members as a set; none is no member."""
    found = 0
    for member in members:
        if member >= 0:
            found |= 1 << member
    return found


def members(p: Reader, source: Ir, names: Names) -> Iterable[Any]:
    """What a source holds, in its own order: a kind, set, range, list or a place of a zone."""
    if isinstance(source, I.Whole):
        return range(source.size)
    if isinstance(source, I.ZoneIr):
        return p.pieces(*place_of(p, source, names))
    found = p.value(source, names)
    return bits(found) if isinstance(strip(source.type), SetType) else found


def place_of(p: Reader, zone: Ir, names: Names = NO_NAMES) -> tuple[str, Any]:
    """The zone that an expression names, and the place in it."""
    assert isinstance(zone, I.ZoneIr)
    return zone.zone, p.value(zone.place, names)


def is_pieces(t: Type) -> bool:
    """Whether a type is that of lists of pieces."""
    t = strip(t)
    return isinstance(t, ListType) and isinstance(strip(t.of), Piece)


# ---- values, cells, tables -------------------------------------------------------------------------------------------


def const(p: Reader, n: I.Const, names: Names) -> Any:
    """A constant; the empty list may be written as 0."""
    return () if n.value == 0 and isinstance(n.type, ListType) else n.value


def var(p: Reader, n: I.Var, names: Names) -> Any:
    """A parameter of a function, or the variable of an operator."""
    return names[n.name]


def local(p: Reader, n: I.Local, names: Names) -> Any:
    """A slot of the running block. The only cell of a region has the index "slot -1", which is 0."""
    return p.slot(n.slot) if n.slot >= 0 else 0


def load(p: Reader, n: I.Load, names: Names) -> int:
    """A cell of a region."""
    return p.load(n.region, p.value(n.index, names))


def table(p: Reader, n: I.Table | I.EffectValue, names: Names) -> Any:
    """An entry of a constant table; the index -1 gives none. Of effects: the entry for their arguments."""
    index = p.value(n.index, names)
    return none_of(n.type) if index < 0 else p.table(n.table)[index]


# ---- numbers, conditions ---------------------------------------------------------------------------------------------


def arith(p: Reader, n: I.Arith, names: Names) -> int:
    """`+ - * // %`; the last two round down, and give 0 where there is nothing to divide by."""
    found: int = _ARITH[n.op](p.value(n.left, names), p.value(n.right, names))
    return found


_ARITH: dict[str, Callable[[int, int], int]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def compare(p: Reader, n: I.Compare, names: Names) -> int:
    """`== != < <= > >=`."""
    return int(_COMPARE[n.op](p.value(n.left, names), p.value(n.right, names)))


def logic(p: Reader, n: I.Logic, names: Names) -> int:
    """`and`, `or`: read from the left, only as far as needed."""
    read = (p.value(item, names) for item in n.items)
    return int(all(read) if n.op == "and" else any(read))


def negation(p: Reader, n: I.NotIr, names: Names) -> int:
    """Not."""
    return int(not p.value(n.of, names))


def choice(p: Reader, n: I.If, names: Names) -> Any:
    """One of two values; the other one is not computed."""
    return p.value(n.then if p.value(n.condition, names) else n.otherwise, names)


def let(p: Reader, n: I.Let, names: Names) -> Any:
    """A value that is named once and used in a body."""
    return p.value(n.body, {**names, n.name: p.value(n.value, names)})


# ---- functions -------------------------------------------------------------------------------------------------------


def call(p: Reader, n: I.CallIr, names: Names) -> Any:
    """A declared function."""
    return _called(p, n.function, n.args, names)


def call_row(p: Reader, n: I.CallRow, names: Names) -> Any:
    """A formula kept as data: the row picks the function."""
    return _called(p, n.functions[p.value(n.row, names)], n.args, names)


def _called(p: Reader, function: str, args: tuple[Ir, ...], names: Names) -> Any:
    parameters, body = p.function(function)
    return p.value(body, {name: p.value(arg, names) for name, arg in zip(parameters, args, strict=True)})


# ---- lists, sets, records --------------------------------------------------------------------------------------------


def contains(p: Reader, n: I.Contains, names: Names) -> int:
    """Whether an item is in a set, list, range, kind or zone; pieces are compared by code, faces aside."""
    item, found = p.value(n.item, names), members(p, n.items, names)
    if isinstance(strip(n.items.type), Zone):
        faces = p.faces(p.zone(place_of(p, n.items, names)[0]).holds) or 1
        found = [code - code % faces for code in (piece % p.codes for piece in found)]
    elif is_pieces(n.items.type):
        found = [piece % p.codes for piece in found]
    return int(item in found)


def number_range(p: Reader, n: I.RangeIr, names: Names) -> tuple[int, ...]:
    """The integers from one to another, both included."""
    return tuple(range(p.value(n.low, names), p.value(n.high, names) + 1))


def listed(p: Reader, n: I.ListIr, names: Names) -> tuple[Any, ...]:
    """A list or record of some items."""
    return tuple(p.value(item, names) for item in n.items)


def whole(p: Reader, n: I.Whole, names: Names) -> int:
    """All members of a kind."""
    return (1 << n.size) - 1


def join(p: Reader, n: I.Join, names: Names) -> Any:
    """Two lists, one after the other; or the union of two sets."""
    left, right = p.value(n.left, names), p.value(n.right, names)
    return left | right if isinstance(strip(n.type), SetType) else left + right


def drop(p: Reader, n: I.Drop, names: Names) -> Any:
    """A list without the first item like this one; or a set without a member."""
    items, item = p.value(n.items, names), p.value(n.item, names)
    if isinstance(strip(n.type), SetType):
        return items & ~set_of((item,))
    return without(p, items, item, pieces=is_pieces(n.type))


def without(p: Reader, items: tuple[Any, ...], item: Any, *, pieces: bool) -> tuple[Any, ...]:
    """A list without an item, once; of pieces the same one, else the first with the same code."""
    alike = [i for i, other in enumerate(items) if other == item]
    if not alike and pieces:
        alike = [i for i, other in enumerate(items) if other % p.codes == item % p.codes]
    return items[: alike[0]] + items[alike[0] + 1 :] if alike else items


def item_at(p: Reader, n: I.ItemAt, names: Names) -> Any:
    """Of a list: `first last any` (none if empty), `count`, `empty`, `at` an index; of a record: `field`."""
    if n.what == "field":
        return p.value(n.items, names)[n.at]
    items = list(members(p, n.items, names))
    if n.what in ("count", "empty"):
        return len(items) if n.what == "count" else int(not items)
    at = p.value(n.index, names) if n.what == "at" and n.index is not None else 0
    if n.what == "last":
        at = len(items) - 1
    return items[at] if 0 <= at < len(items) else none_of(n.type)


# ---- zones and pieces ------------------------------------------------------------------------------------------------


def zone(p: Reader, n: I.ZoneIr, names: Names) -> int:
    """A place of a zone: its number within the declaration."""
    found: int = p.value(n.place, names)
    return found


def zone_read(p: Reader, n: I.ZoneRead, names: Names) -> Any:
    """Of a place: `count empty full top bottom any slot` (a piece or none), `all` (a list)."""
    name, place = place_of(p, n.zone, names)
    if n.what in ("count", "empty"):
        count = p.how_many(name, place)
        return count if n.what == "count" else int(not count)
    if n.what == "full":
        return int(p.how_many(name, place) >= p.zone(name).capacity[place])
    found = p.pieces(name, place)
    if n.what == "all":
        return tuple(found)
    is_top = n.what == "top" and p.zone(name).shape == "stack"
    return (found[-1] if is_top else found[0]) if found else -1


def code_of(p: Reader, n: I.CodeOf, names: Names) -> int:
    """A piece's code; none stays none."""
    piece: int = p.value(n.piece, names)
    return piece % p.codes if piece >= 0 else -1


def place_of_piece(p: Reader, n: I.PlaceOf, names: Names) -> int:
    """The place, within its zone's declaration, where a piece lies."""
    found: int = p.value(n.piece, names) // (p.codes * p.depth) - n.first
    return found


def take(p: Reader, n: I.TakeIr, names: Names) -> Any:
    """The first pieces of a place, of a stack from the top; none where there are fewer."""
    name, place = place_of(p, n.zone, names)
    amount, found = p.value(n.amount, names), p.pieces(name, place)
    if p.zone(name).shape == "stack":
        found = found[::-1]
    return tuple(found[: max(amount, 0)]) if len(found) >= amount else -1


# ---- over the members of a source ------------------------------------------------------------------------------------


def comprehend(p: Reader, n: I.Comprehend, names: Names) -> Any:
    """`count any first sum all list set min max most least sort longest stretch` over a source, with a filter."""
    if n.op in ("longest", "stretch"):
        return _run(p, n, names)
    kept = (inner for inner in _inside(p, n, names) if n.where is None or p.value(n.where, inner))
    if n.op == "any":
        return int(next(kept, None) is not None)
    if n.op == "first":
        inner = next(kept, None)
        return none_of(n.type) if inner is None else inner[n.name]
    if n.op == "count":
        return sum(1 for _ in kept)
    assert n.value is not None
    if n.op == "all":
        return int(all(p.value(n.value, inner) for inner in kept))
    return _FOLD[n.op](n, [(inner[n.name], p.value(n.value, inner)) for inner in kept])


def _inside(p: Reader, n: I.Comprehend, names: Names) -> Iterator[Names]:
    """For each member of the source: the names that are known inside."""
    for member in members(p, n.source, names):
        p.count()
        yield {**names, n.name: member}


Pairs = list[tuple[Any, Any]]


def _level(pairs: Pairs, best: Callable[..., Any]) -> tuple[Any, ...]:
    """All members whose values are level with the best, in order."""
    wanted = best((v for _, v in pairs), default=None)
    return tuple(member for member, v in pairs if v == wanted)


#: From the members that are kept, each with its value. `sort` keeps equal ones in order.
_FOLD: dict[str, Callable[[I.Comprehend, Pairs], Any]] = {
    "sum": lambda n, pairs: sum(v for _, v in pairs),
    "list": lambda n, pairs: tuple(v for _, v in pairs),
    "set": lambda n, pairs: set_of(v for _, v in pairs),
    "min": lambda n, pairs: min((v for _, v in pairs), default=none_of(n.type)),
    "max": lambda n, pairs: max((v for _, v in pairs), default=none_of(n.type)),
    "most": lambda n, pairs: _level(pairs, max),
    "least": lambda n, pairs: _level(pairs, min),
    "sort": lambda n, pairs: tuple(member for member, _ in sorted(pairs, key=lambda pair: pair[1])),
}


def _run(p: Reader, n: I.Comprehend, names: Names) -> tuple[Any, ...]:
    """`longest`: of the unbroken runs of members that are kept the longest, of equals the first.

    `stretch`: the run around a member; nothing where it is not kept. Equal pieces of a pool come once.
    """
    runs: list[list[Any]] = [[]]
    for inner in _inside(p, n, names):
        member = inner[n.name]
        if n.where is not None and not p.value(n.where, inner):
            runs.append([])
        elif not (isinstance(n.source, (I.ZoneIr, I.ZoneRead)) and member in runs[-1]):
            runs[-1].append(member)
    if n.op == "longest":
        longest: list[Any] = max(runs, key=len)
        return tuple(longest)
    around = -1 if n.around is None else p.value(n.around, names)
    return next((tuple(run) for run in runs if around in run), ())


def pick(p: Reader, n: I.PickIr, names: Names) -> int:
    """`min` or `max` of some integers."""
    read = [p.value(item, names) for item in n.items]
    found: int = min(read) if n.op == "min" else max(read)
    return found


def within(p: Reader, n: I.Within, names: Names) -> int:
    """An integer that must lie in the range of its type; else a fault of the content at its own place."""
    found: int = p.value(n.value, names)
    t = strip(n.type)
    assert isinstance(t, Integer)
    if not t.holds(found):
        raise p.outside(found, t, n.span)
    return found


# ---- ways ------------------------------------------------------------------------------------------------------------


def walk(p: Reader, n: I.WalkIr, names: Names) -> tuple[int, ...]:
    """From a start by a step, until there is none or one comes again."""
    path: list[int] = []
    at = p.value(n.start, names)
    while at >= 0 and at not in path:
        p.count()
        path.append(at)
        at = p.value(n.step, {**names, n.name: at})
    return tuple(path)


def reach(p: Reader, n: I.ReachIr, names: Names) -> int:
    """The set of members whose cheapest path costs at most so much, the start left out; costs are of entering."""
    start, most = p.value(n.start, names), p.value(n.within, names)
    cheapest = {start: 0} if start >= 0 else {}
    waiting = list(cheapest)
    for at in waiting:
        for to in members(p, n.via, {**names, n.name: at}):
            p.count()
            cost = cheapest[at] + p.value(n.cost, {**names, n.name: to})
            if cost <= most and cost < cheapest.get(to, cost + 1):
                cheapest[to] = cost
                waiting.append(to)
    return set_of(member for member in cheapest if member != start)


def clockwise(p: Reader, n: I.Clockwise, names: Names) -> tuple[int, ...]:
    """All players in order, from one of them."""
    start = p.value(n.start, names)
    return tuple((start + i) % n.size for i in range(n.size))


MEANING: dict[type[Ir], Callable[[Reader, Any, Names], Any]] = {
    I.Const: const,
    I.Var: var,
    I.Local: local,
    I.Load: load,
    I.Table: table,
    I.EffectValue: table,
    I.Arith: arith,
    I.Compare: compare,
    I.Logic: logic,
    I.NotIr: negation,
    I.If: choice,
    I.Let: let,
    I.CallIr: call,
    I.CallRow: call_row,
    I.Contains: contains,
    I.RangeIr: number_range,
    I.ListIr: listed,
    I.Whole: whole,
    I.Join: join,
    I.Drop: drop,
    I.ItemAt: item_at,
    I.ZoneIr: zone,
    I.ZoneRead: zone_read,
    I.CodeOf: code_of,
    I.PlaceOf: place_of_piece,
    I.TakeIr: take,
    I.Comprehend: comprehend,
    I.PickIr: pick,
    I.Within: within,
    I.WalkIr: walk,
    I.ReachIr: reach,
    I.Clockwise: clockwise,
}
