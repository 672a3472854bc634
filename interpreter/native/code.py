"""What is at hand while functions of a game are written: the module, where cells lie, names, tables as data."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.middle.analysis.partition import Grouping
from interpreter.middle.layout import PIECES, Layout, Room
from interpreter.native.module import Module
from interpreter.native.wasm import I32, I64, E, Fn, Global, Local, Operand, const, const64, load, select
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.cost import Costs
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir
from rulespec.model.types import Integer, ListType, Member, Record, SetType, Type, strip

WORD = 64  #: members of a set that fits into one value


class NotCompiled(Exception):
    """Something that this executor has no code for: the game is played by the other one. The text says what."""


@dataclass(slots=True)
class Globals:
    """Variables of a module: the ends of two stacks in memory, work that was done, a search's purse."""

    temps: Global
    """Where the next list or copy of a state may be put."""
    temps_end: Global
    found: Global
    """Where the next candidates are put."""
    found_end: Global
    work: Global
    left: Global
    deep: Global
    """How many answers the running search may still try."""
    chooser: Global
    """For whom the running search looks ahead."""
    notes: Global
    """Where the next cell that is read is noted."""
    reason: Global
    """Why everything was ended."""
    trail: Global
    """Where the next thing that is told is written (see `trail`)."""
    trail_start: Global
    trail_end: Global
    trail_mark: Global
    """What was told before the last `try`: what follows is taken back with it."""
    telling: Global
    """Whether somebody asked for events (see `event_buffer`)."""
    events: Global
    """Where the next event is written."""
    events_start: Global
    events_end: Global
    events_mark: Global
    moments: Global
    """Where the next copy of a state at an event is put."""
    moments_start: Global
    moments_end: Global
    moments_kept: Global
    last_moment: Global


@dataclass(slots=True)
class Shadow:
    """What steps would have written, in variables: for each region and zone the places (-1: none yet) and values.

    Of a slot a value is what its cell holds; of a pool it is a code and what is added to its cell. `closed` are zones
    that cannot be read any more.
    """

    regions: dict[str, list[tuple[Local, Local]]] = field(default_factory=dict)
    slots: dict[str, list[tuple[Local, Local]]] = field(default_factory=dict)
    pools: dict[str, list[tuple[Local, Local, int]]] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)

    def written(self) -> frozenset[str]:
        """The keys of all that was written."""
        return frozenset(self.regions) | frozenset(self.slots) | frozenset(self.pools) | self.closed


class Cells:
    """Where each cell of a state lies in its bytes."""

    def __init__(self, layout: Layout, rooms: Sequence[Room]):
        self.rooms = rooms
        self.offsets: list[int] = []
        at = 0
        #: how many bytes the state has; what lies behind it, from a whole word on, is empty when one begins
        self.state = sum(room.size for room in rooms if room.lasts)
        for room in rooms:
            at = at if room.lasts or self.offsets[-1] >= self.state else (at + 7) // 8 * 8
            self.offsets.append(at)
            at += room.size
        self.size = at
        self.pieces = self.offsets[PIECES]
        self.piece = rooms[PIECES].width
        #: names of blocks are the last cells; all of them empty are zeros
        self.slots = self.offsets[min(layout.slots.values())] if layout.slots else at


def none_of(t: Type) -> int:
    """How none is written for a type."""
    return I.NO_INTEGER if isinstance(strip(t), Integer) else -1


class Code:
    """The writing of one game's functions."""

    def __init__(self, declared: Declared, layout: Layout, rooms: Sequence[Room], costs: Costs):
        from interpreter.native.expressions import FORMS
        from interpreter.native.lookups import Lookups

        self._forms = FORMS
        self.declared = declared
        self.layout = layout
        self.cells = Cells(layout, rooms)
        self.costs = costs
        self.module = Module()
        self.globals = _globals(self.module)
        self.grouping = Grouping(declared)
        self.lookups = Lookups(self)
        self.depth_codes = declared.codes * declared.depth
        self.slot_types: tuple[Type, ...] = ()
        #: the expression of a declared function, made simpler; None for one whose values are kept
        self.body_of: Callable[[str], Ir | None] = lambda _: None
        self.functions: dict[str, Fn] = {}
        self.noting_functions: dict[str, Fn] = {}
        self.waiting: list[tuple[str, bool]] = []
        #: whether what is being written notes which cells it reads, and where
        self.noting = False
        self.notes = 0
        self.runtime: dict[str, Fn] = {}
        #: what can be told in play, by what it is (`points`, `actions`) and its name: its number
        self.told: dict[tuple[str, str], int] = {}
        #: whether events are kept where somebody asks for them, and how the values in them are written
        self.keeps_events = True
        self.event_forms: dict[int, tuple[tuple[str, int], ...]] = {}
        self._lists: dict[tuple[object, ...], int] = {}
        self._tables: dict[tuple[str, str], int] = {}
        self.fn: Fn = Fn(0, (), None)
        self.c: E = const(0)
        self.vars: dict[str, E] = {}
        self.codes_of: dict[str, E] = {}
        self.temps: frozenset[int] = frozenset()
        self.bound: dict[int, Local] = {}
        self.shadow: Shadow | None = None
        #: calls whose values are in variables already
        self.found: dict[I.CallIr, Local] = {}
        #: of which members something holds, for loops that ask it of some of them in every pass (see `masks`)
        self.masks: dict[I.Comprehend, E] = {}
        #: how often memory was asked for in what is being written
        self.allocations = 0

    # ---- functions ----

    def function(self, name: str, *, noting: bool = False) -> Fn:
        """A declared function; it is written when all that calls it has been.

        One that notes what it reads (see `kept`) is another one, and calls such alone.
        """
        noting = noting or self.noting
        known = self.noting_functions if noting else self.functions
        if name not in known:
            declared = self.declared.functions[name]
            assert declared.returns is not None
            params = [I32, *(self.kind(t) for _, t in declared.params)]
            known[name] = self.module.function(params, self.kind(declared.returns), name)
            self.waiting.append((name, noting))
        return known[name]

    @contextmanager
    def writing(self, fn: Fn) -> Iterator[Fn]:
        """Writes a function whose first parameter is a state."""
        outside = self.fn, self.c, self.vars, self.codes_of, self.bound, self.allocations
        temps, found, self.found = self.temps, self.found, {}
        masks, self.masks = self.masks, {}
        self.fn, self.c = fn, fn.params[0]
        self.vars, self.codes_of, self.bound = {}, {}, {}
        shadow, self.shadow = self.shadow, None
        try:
            yield fn
        finally:
            self.fn, self.c, self.vars, self.codes_of, self.bound, self.allocations = outside
            self.shadow, self.temps, self.found, self.masks = shadow, temps, found, masks

    @contextmanager
    def in_place(self, statements: bytearray) -> Iterator[None]:
        """Writes statements apart."""
        outside, self.fn.code = self.fn.code, statements
        yield
        self.fn.code = outside

    def ex(self, node: Ir) -> E:
        """The code of an expression."""
        found = self.lookups.found(node)
        if found is not None:
            return found
        form = self._forms.get(type(node))
        if form is None:
            raise NotCompiled(f"expressions of the kind {type(node).__name__}")
        return form(self, node)

    def scalar(self, node: Ir) -> E:
        """An expression that is one number."""
        if not self.is_scalar(node.type):
            raise NotCompiled(f"a {node.type} where a number is expected")
        return self.ex(node)

    # ---- kinds of values ----

    def is_scalar(self, t: Type) -> bool:
        """Whether values of a type are single numbers."""
        return not isinstance(strip(t), (ListType, Record, SetType))

    def members_of(self, t: SetType) -> int:
        """How many members the sets of a type may have."""
        assert isinstance(t.of, Member)
        return self.declared.domains[t.of.domain].size

    def kind(self, t: Type) -> int:
        """How values of a type are passed: in 32 bits (numbers; addresses of lists and large sets) or in 64 (sets)."""
        inner = strip(t)
        return I64 if isinstance(inner, SetType) and self.members_of(inner) <= WORD else I32

    def parts(self, t: Type) -> int:
        """How many numbers a member of a list has."""
        inner = strip(t)
        if isinstance(inner, ListType):
            inner = strip(inner.of)
        if isinstance(inner, Record):
            if not all(self.is_scalar(each) for _, each in inner.fields):
                raise NotCompiled("lists inside lists")
            return len(inner.fields)
        if not self.is_scalar(inner):
            raise NotCompiled("lists inside lists")
        return 1

    def parts_of(self, node: Ir) -> int:
        """How many numbers a member of this list has; joined lists may know of one part alone what they hold."""
        if isinstance(node, I.Local):
            return self.parts(self.slot_types[node.slot])
        if isinstance(node, I.Join):
            return max(self.parts_of(node.left), self.parts_of(node.right))
        return self.parts(node.type)

    def has_records(self, node: Ir) -> bool:
        """Whether the members of a list are records, however few fields they have."""
        if isinstance(node, I.Local):
            t = strip(self.slot_types[node.slot])
        elif isinstance(node, I.Join):
            return self.has_records(node.left) or self.has_records(node.right)
        else:
            t = strip(node.type)
        return isinstance(t, ListType) and isinstance(strip(t.of), Record)

    # ---- memory ----

    def allocate(self, size: Operand) -> Local:
        """New memory that lasts until what asked for it has been done."""
        fn, top = self.fn, self.globals.temps
        self.allocations += 1
        found = fn.keep(top)
        fn.set(top, found + ((size + 7) // 8 * 8 if isinstance(size, int) else (size + 7) & -8))
        with fn.when(top.op("gt_u", self.globals.temps_end)):
            self.bail("memory")
        return found

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Statements that need the memory that they ask for no longer than themselves."""
        outside, before = self.fn.code, self.allocations
        inside = self.fn.code = bytearray()
        top = self.fn.local()
        yield
        self.fn.code = outside
        if self.allocations > before:
            self.fn.set(top, self.globals.temps)
            self.fn.code += inside
            self.fn.set(self.globals.temps, top)  # what leaves from inside gives it back later: see `allocations`
        else:
            self.fn.code += inside

    def bail(self, reason: str) -> None:
        """Ends everything: the reference does what was asked."""
        self.fn.set(self.globals.reason, REASONS.index(reason))
        self.fn.trap()

    def bail_if(self, condition: E, reason: str) -> None:
        """Ends everything where a condition holds."""
        with self.fn.when(condition):
            self.bail(reason)

    def count(self, work: Operand) -> None:
        """Counts work, and ends everything where it is too much."""
        self.fn.set(self.globals.work, self.globals.work + work)
        self.bail_if(self.globals.work.gt(MOST_WORK), "work")

    def count_in_all(self) -> Callable[[], None]:
        """What is to be written behind each of many decisions: it ends everything where all together are too much."""
        spent = self.fn.keep(0)

        def one_more() -> None:
            self.fn.set(spent, spent + self.globals.work)
            self.bail_if(spent.gt(MOST_IN_ALL), "work")

        return one_more

    # ---- cells ----

    def cell(self, index: int) -> E:
        """What a cell of the state holds that is not a list."""
        room = self.cells.rooms[index]
        return self._read(self.c, self.cells.offsets[index], room)

    def set_cell(self, index: int, value: Operand) -> None:
        """Fills a cell."""
        self.put(self.c, self.cells.offsets[index], self.cells.rooms[index].width, value)

    def _read(self, address: E, at: int, room: Room) -> E:
        if room.width in (1, 2, 4):
            return load(address, room.width, at=at, signed=room.signed)
        return self.wide(address, at, room.width)

    def wide(self, address: E, at: int, width: int) -> E:
        """A value of up to eight bytes."""
        if width == 8:
            return load(address, 8, at=at, kind=I64)
        value, done = const64(0), 0
        for part in (4, 2, 1):
            while width - done >= part:
                piece = load(address, part, at=at + done, kind=I64) << 8 * done
                value, done = (piece if not done else value | piece), done + part
        return value

    def put(self, address: E, at: int, width: int, value: Operand) -> None:
        """Writes a value of so many bytes."""
        if width in (1, 2, 4, 8):
            self.fn.store(address, value, width, at=at)
            return
        whole, done = self.fn.keep(value if isinstance(value, E) else const64(value)), 0
        for part in (4, 2, 1):
            while width - done >= part:
                self.fn.store(address, whole >> 8 * done if done else whole, part, at=at + done)
                done += part

    def region(self, key: str, index: E) -> tuple[E, int, Room]:
        """Where a cell of a region lies: an address, how far behind it, and its room."""
        first = self.layout.regions[key]
        room = self.cells.rooms[first]
        at = self.cells.offsets[first]
        if index.value is not None:
            return self.c, at + index.value * room.width, room
        return self.c + index * room.width, at, room

    def read_region(self, key: str, index: Operand = 0) -> E:
        """What a cell of a region holds."""
        place = const(index) if isinstance(index, int) else index
        if self.shadow is not None and key in self.shadow.regions:
            return self.named(place, lambda i: self._shadowed(key, i))
        address, at, room = self.region(key, place)
        return self._read(address, at, room)

    def _shadowed(self, key: str, place: E) -> E:
        assert self.shadow is not None
        address, at, room = self.region(key, place)
        found = self._read(address, at, room)
        for where, value in self.shadow.regions[key]:
            found = select(where.eq(place), value, found)
        return found

    def write_region(self, key: str, index: Operand, value: Operand) -> None:
        """Fills a cell of a region."""
        address, at, room = self.region(key, const(index) if isinstance(index, int) else index)
        self.put(address, at, room.width, value)

    def piece_cell(self, base: E) -> E:
        """What a cell of the zones holds, by its number."""
        width = self.cells.piece
        return load(self.c + base * width, width, at=self.cells.pieces)

    # ---- constants ----

    def list_data(self, items: Sequence[int] | Sequence[tuple[int, ...]]) -> int:
        """The address of a constant list: how many, then each."""
        key = tuple(items)
        if key not in self._lists:
            flat = [x for item in items for x in (item if isinstance(item, tuple) else (item,))]
            self._lists[key] = self.module.data(struct.pack(f"<{len(flat) + 1}i", len(items), *flat), 4)
        return self._lists[key]

    def set_data(self, value: int, members: int) -> int:
        """The address of a constant large set."""
        return self.module.data(value.to_bytes((members + 63) // 64 * 8, "little"), 8)

    def numbers(self, values: Sequence[int]) -> tuple[int, int, bool]:
        """Numbers as data: the address, bytes for each, whether with a sign. One lies before the first: the last."""
        low, high = min(values), max(values)
        for width, code in ((1, "B"), (2, "H")):
            if low >= 0 and high < 1 << 8 * width:
                return self._packed(values, width, code), width, False
            if low >= -(1 << 8 * width - 1) and high < 1 << 8 * width - 1:
                return self._packed(values, width, code.lower()), width, True
        return self._packed(values, 4, "i"), 4, True

    def _packed(self, values: Sequence[int], width: int, code: str) -> int:
        content = struct.pack(f"<{len(values)}{code}", values[-1], *values[:-1])
        return self.module.data(content, width) + width

    def entry(self, values: Sequence[int], index: E) -> E:
        """One of some constant numbers; the index -1 gives the last one, and so does one that is beyond them."""
        if len(set(values)) == 1:
            return const(values[0])
        if index.value is not None:
            return const(values[_place(index.value, len(values))])
        address, width, signed = self.numbers(values)
        return load(index * width + address, width, signed=signed)  # an `at` would not wrap round below 0

    def table(self, name: str, t: Type, index: E) -> E:
        """An entry of a constant table."""
        inner = strip(t)
        values = self.declared.table(name)
        if isinstance(inner, SetType):
            sets = [max(v, 0) if isinstance(v, int) else 0 for v in values]
            return self.set_entry([*sets, 0], self.members_of(inner), index)
        if isinstance(inner, ListType):
            pointers = [self.list_data(v if isinstance(v, tuple) else ()) for v in values]
            return self.entry([*pointers, self.list_data(())], index)
        numbers = [v for v in values if isinstance(v, int)]
        if isinstance(inner, Record) or len(numbers) < len(values):
            raise NotCompiled(f"tables of {inner}")
        return self.entry([*numbers, none_of(t)], index)

    def set_entry(self, whole: Sequence[int], members: int, index: E) -> E:
        """One of some constant sets; the index -1 gives the last one."""
        if members > WORD:
            return self.entry([self.set_data(v, members) for v in whole], index)
        if index.value is not None:
            return const64(whole[_place(index.value, len(whole))])
        content = struct.pack(f"<{len(whole)}Q", whole[-1], *whole[:-1])
        return load(index * 8 + (self.module.data(content, 8) + 8), 8, kind=I64)

    def inline(self, make: Callable[[], E]) -> E:
        """The expression that `make` gives, behind the statements that it writes."""
        return self.fn.inline(make)

    def named(self, value: E, use: Callable[[E], E]) -> E:
        """An expression in which a value is used more than once, and found once."""
        return self.fn.named(value, use)


def _place(index: int, amount: int) -> int:
    """A constant index; beyond the entries only where what guards it is constant too, so that nobody comes there."""
    return index if -1 <= index < amount - 1 else amount - 1


REASONS = ("", "memory", "work", "number", "range", "stuck", "candidates", "cells", "set-up")
MOST_IN_ALL = 500_000_000  #: work of many decisions that one call makes: seconds, in which nobody can stop it
#: The reference is the one to say that something is too much: it goes on for longer (`middle/analysis/cost.py`).
MOST_WORK = 2_500_000


def _globals(module: Module) -> Globals:
    return Globals(
        temps=module.global_(name="temps"),
        temps_end=module.global_(),
        found=module.global_(name="found"),
        found_end=module.global_(),
        work=module.global_(name="work"),
        left=module.global_(name="left"),
        deep=module.global_(),
        chooser=module.global_(),
        notes=module.global_(),
        reason=module.global_(name="reason"),
        trail=module.global_(name="trail"),
        trail_start=module.global_(),
        trail_end=module.global_(),
        trail_mark=module.global_(),
        telling=module.global_(name="telling"),
        events=module.global_(),
        events_start=module.global_(),
        events_end=module.global_(),
        events_mark=module.global_(),
        moments=module.global_(),
        moments_start=module.global_(),
        moments_end=module.global_(),
        moments_kept=module.global_(),
        last_moment=module.global_(),
    )
