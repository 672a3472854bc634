"""What happens on the way to the next decision, where that is asked for: entries in memory, in order.

An entry is numbers of 32 bits: how many bytes it has, the instruction, the seat, and what the operation of the
instruction says. Values of names and of arguments are written by their types; a `Form` says how, so that they are read
back (`event_reader.py`). A moment is the address of a copy of the state. A look-ahead keeps nothing, and what a `try`
takes back was not kept.

The code of entries stands in the blocks, behind one question: whether somebody asked for events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from interpreter.native import lists
from interpreter.native.code import Code, NotCompiled
from interpreter.native.pieces import runtime
from interpreter.native.wasm import E, Fn, Local, Operand, both, call, const, load
from interpreter.reference.events import MOST_MOMENTS
from rulespec.lower.ir import Ir
from rulespec.model.types import ListType, Record, SetType, strip

if TYPE_CHECKING:
    from interpreter.native.blocks import Blocks


class NotKept(NotCompiled):
    """A value that events tell of has no code here: the module is to be made without events."""


HEAD: Final = 12  #: bytes: size, instruction, seat
SIZES: Final = 8  #: bytes before the first entry
FEW: Final = 1024  #: bytes that an entry takes without its lists

#: How a value is written: `number`; `set` of so many bytes; `list`, of members of so many numbers; `record` of so many.
#: A list of records says so, since those may have one field.
Form = tuple[str, int]


class Entry:
    """An entry that is being written: it counts once it is `done`."""

    def __init__(self, s: Code, at: Operand):
        self._s, self._fn = s, s.fn
        s.bail_if((s.globals.events + FEW).op("gt_u", s.globals.events_end), "memory")
        self.start = s.fn.keep(s.globals.events)
        self._fn.store(self.start, at, at=4)
        self._to: Local | None = None
        self._fixed = HEAD

    def number(self, value: Operand) -> None:
        """Adds a number."""
        if self._to is not None:
            self._fn.store(self._to, value)
            self._fn.set(self._to, self._to + 4)
            return
        assert self._fixed < FEW
        self._fn.store(self.start, value, at=self._fixed)
        self._fixed += 4

    def numbers(self, source: Operand, size: Operand) -> None:
        """Adds so many bytes that lie in memory."""
        fn, g = self._fn, self._s.globals
        at, amount = fn.keep(source), fn.keep(size)
        to = self.moving()
        self._s.bail_if((to + amount + FEW).op("gt_u", g.events_end), "memory")
        fn.copy(to, at, amount)
        fn.set(to, to + amount)

    def moving(self) -> Local:
        """Where the next number goes, for entries whose size is found in play."""
        if self._to is None:
            self._to = self._fn.keep(self.start + self._fixed)
        return self._to

    def whole_list(self, items: Operand, parts: int = 1) -> None:
        """Adds a list: how many, then its members; -1 for none."""
        fn = self._fn
        at, to = fn.keep(items), self.moving()
        with fn.when(at.eq(0)):
            fn.store(to, -1)
            fn.set(to, to + 4)
        with fn.otherwise():
            self.numbers(at, load(at) * (4 * parts) + 4)

    def moment(self) -> None:
        """Adds the state as it is."""
        self.number(call(runtime(self._s, "moment", 1, _moment), self._s.c))

    def done(self, seat: Operand) -> None:
        """It has happened."""
        fn = self._fn
        fn.store(self.start, seat, at=8)
        end = fn.keep(self.start + self._fixed) if self._to is None else self._to
        fn.store(self.start, end - self.start)
        fn.set(self._s.globals.events, end)

    # ---- values by their types ----

    def value(self, ir: Ir) -> Form:
        """Adds the value of an expression; how it is written. Raises NotCompiled."""
        s, t = self._s, strip(ir.type)
        if isinstance(t, SetType):
            return self._set(ir, t)
        if isinstance(t, ListType):
            self.whole_list(lists.as_list(s, ir), s.parts_of(ir))
            return ("records" if s.has_records(ir) else "list"), s.parts_of(ir)
        if isinstance(t, Record):
            if not all(s.is_scalar(of) for _, of in t.fields):
                raise NotCompiled("records of lists")
            self.numbers(s.ex(ir), 4 * len(t.fields))
            return "record", len(t.fields)
        self.number(s.scalar(ir))
        return "number", 1

    def _set(self, ir: Ir, t: SetType) -> Form:
        s = self._s
        size = (s.members_of(t) + 63) // 64 * 8
        found = lists.as_type(s, ir, t)
        if size > 8:
            self.numbers(found, size)
        else:
            to = self.moving()
            s.fn.store(to, found, 8)
            s.fn.set(to, to + 8)
        return "set", size


def _moment(s: Code, fn: Fn) -> None:
    """A copy of the state. Past some thousands of them the last one serves on."""
    (c,) = fn.params
    g, size = s.globals, s.cells.state
    with fn.when(g.moments_kept.lt(MOST_MOMENTS)):
        fn.set(g.moments_kept, g.moments_kept + 1)
        fn.set(g.last_moment, g.moments)
        s.bail_if((g.moments + size).op("gt_u", g.moments_end), "memory")
        fn.blit(fn.keep(g.moments), c, size)
        fn.set(g.moments, g.moments + size)
    fn.give(g.last_moment)
    fn.trap()


@contextmanager
def kept(b: Blocks, condition: E | None = None) -> Iterator[None]:
    """Statements that are run where events are kept, but in a look-ahead."""
    asked = both(b.s.globals.telling, b.floor.eq(0))
    with b.s.fn.when(asked if condition is None else both(asked, condition)):
        yield


def note(b: Blocks, at: int, *numbers: Operand, seat: E | None = None, condition: E | None = None) -> None:
    """Adds an entry of a few numbers, of whoever acts or of another seat, where a condition holds."""
    if not b.s.keeps_events:
        return
    with kept(b, condition):
        _note(b.s, at, b.s.read_region("me") if seat is None else seat, numbers, moment=False)


def _note(s: Code, at: int, seat: E, numbers: Sequence[Operand], *, moment: bool) -> None:
    """Calls the function that writes an entry of so many numbers: there are many such places."""
    name, few = f"note {len(numbers)}{' moment' * moment}", len(numbers)

    def make(s: Code, fn: Fn) -> None:
        _, at, seat, *given = fn.params
        entry = Entry(s, at)
        for number in given:
            entry.number(number)
        if moment:
            entry.moment()
        entry.done(seat)

    s.fn.run(runtime(s, name, few + 3, make, result=None), s.c, at, seat, *numbers)


@contextmanager
def noting_pieces(b: Blocks, at: int, number: E, items: Callable[[], E], *, one: bool) -> Iterator[None]:
    """Around a step that moves or turns pieces, which may fail: a place or face, the moment before, the pieces.

    `items` is a list, or one piece.
    """
    s = b.s
    if not s.keeps_events:
        yield
        return
    begin = runtime(s, "note one piece" if one else "note pieces", 4, _one_piece if one else _some_pieces, result=None)
    with kept(b), s.passing():
        s.fn.run(begin, s.c, at, number, items())
    yield
    with kept(b):
        s.fn.run(runtime(s, "pieces noted", 1, _pieces_noted, result=None), s.c)


def _one_piece(s: Code, fn: Fn) -> None:
    _, at, number, piece = fn.params
    entry = _of_pieces(s, at, number)
    entry.number(1)
    entry.number(piece)


def _some_pieces(s: Code, fn: Fn) -> None:
    _, at, number, pieces = fn.params
    _of_pieces(s, at, number).whole_list(pieces)


def _of_pieces(s: Code, at: E, number: E) -> Entry:
    entry = Entry(s, at)
    entry.number(number)
    entry.moment()
    return entry


def _pieces_noted(s: Code, fn: Fn) -> None:
    """The entry that was begun last counts, if it speaks of any piece."""
    start = fn.keep(s.globals.events)
    amount = fn.keep(load(start, at=HEAD + 8))
    with fn.when(amount.gt(0)):
        fn.store(start, (amount << 2) + (HEAD + 12))
        fn.store(start, s.read_region("me"), at=8)
        fn.set(s.globals.events, start + (amount << 2) + (HEAD + 12))


@contextmanager
def noting_draw(b: Blocks, at: int, goal: E, is_setup: E, most: int) -> Iterator[E]:
    """Around a draw: where the list of codes is to be written (0: nowhere)."""
    with _noting_list(b, at, (goal, is_setup), most, 2) as (entry, out):
        yield out
        if entry is not None:
            with b.s.fn.when(out):
                _end_list(b, entry, out, 2)


@contextmanager
def noting_roll(b: Blocks, at: int, most: int) -> Iterator[E]:
    """Around a roll: where the pieces and their codes are to be written (0: nowhere)."""
    with _noting_list(b, at, (), most, 3) as (entry, out):
        yield out
        if entry is not None:
            with b.s.fn.when(out), b.s.fn.when(load(out)):
                _end_list(b, entry, out, 3)


@contextmanager
def _noting_list(b: Blocks, at: int, numbers: tuple[E, ...], most: int, width: int) -> Iterator[tuple[Entry | None, E]]:
    """An entry with some numbers, and where a list of at most so many is to be written behind them (0: nowhere).

    Each of the list has 1 << `width` bytes.
    """
    s, fn = b.s, b.s.fn
    if not s.keeps_events:
        yield None, const(0)
        return
    out = fn.keep(0)
    with kept(b):
        entry = Entry(s, at)
        for number in numbers:
            entry.number(number)
        s.bail_if((entry.moving() + ((most << width) + FEW)).op("gt_u", s.globals.events_end), "memory")
        fn.set(out, entry.moving())
        fn.store(out, 0)
    yield entry, out


def _end_list(b: Blocks, entry: Entry, out: E, width: int) -> None:
    """The entry ends behind the list that was written."""
    b.s.fn.set(entry.moving(), out + (load(out) << width) + 4)
    entry.done(b.s.read_region("me"))


def note_values(b: Blocks, at: int, values: tuple[Ir, ...]) -> None:
    """Adds an entry of values and the moment. Raises NotKept."""
    s = b.s
    if not s.keeps_events:
        return
    try:
        with kept(b), s.passing():
            if all(s.is_scalar(ir.type) for ir in values):
                s.event_forms[at] = (("number", 1),) * len(values)
                _note(s, at, s.read_region("me"), [s.scalar(ir) for ir in values], moment=True)
            else:
                entry = Entry(s, const(at))
                s.event_forms[at] = tuple(entry.value(ir) for ir in values)
                entry.moment()
                entry.done(s.read_region("me"))
    except NotCompiled as why:
        raise NotKept(str(why)) from why


def begun(s: Code) -> None:
    """From here on events are kept, none as yet."""
    fn, g = s.fn, s.globals
    fn.set(g.telling, 1)
    fn.set(g.events, g.events_start)
    fn.set(g.events_mark, g.events_start)
    fn.set(g.moments, g.moments_start)
    fn.set(g.moments_kept, 0)


def ended(s: Code, value: E) -> E:
    """The value, and none are kept any more. How many bytes of events and states there are is written before them."""
    found, g = s.fn.keep(value), s.globals
    s.fn.store(g.events_start - SIZES, g.events - g.events_start)
    s.fn.store(g.events_start - SIZES, g.moments - g.moments_start, at=4)
    s.fn.set(g.telling, 0)
    return found
