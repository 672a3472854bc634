"""Reads events back from a module's memory: the same as the reference keeps, in the same order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from interpreter.middle.events import Moment, values_of, word_of
from interpreter.middle.facts import Facts
from interpreter.middle.layout import Room
from interpreter.native.build import Made
from interpreter.native.event_buffer import SIZES
from rulespec.lower.ir import Instr

Event = tuple[Any, ...]
HEAD_OF_ALL = SIZES // 4  #: numbers before the first entry


class KeptEvents(Sequence[Event]):
    """What happened on the way to a decision. It is read when somebody looks at it."""

    __slots__ = ("_end", "_first", "_list", "_moments", "_numbers", "_reader")

    def __init__(self, reader: EventReader, numbers: array[int], end: int, moments: bytes, first: Event | None):
        self._reader, self._numbers, self._moments, self._first = reader, numbers, moments, first
        self._end = end
        self._list: list[Event] | None = None

    def _read(self) -> list[Event]:
        if self._list is None:
            found = self._reader.events(self._numbers, self._end, self._moments)
            self._list = [*found] if self._first is None else [self._first, *found]
        return self._list

    def __len__(self) -> int:
        return len(self._read())

    def __bool__(self) -> bool:
        return self._first is not None or self._end > HEAD_OF_ALL

    def __iter__(self) -> Iterator[Event]:
        return iter(self._read())

    @overload
    def __getitem__(self, key: int) -> Event: ...
    @overload
    def __getitem__(self, key: slice) -> list[Event]: ...
    def __getitem__(self, key: int | slice) -> Event | list[Event]:
        return self._read()[key]


class EventReader:
    """Reads the events of one game."""

    def __init__(self, made: Made, facts: Facts):
        self._made, self._facts = made, facts
        self._instrs = facts.program.instrs
        self._rooms: tuple[Room, ...] = facts.rooms

    def events(self, numbers: array[int], end: int, moments: bytes) -> Iterator[Event]:
        """The events that entries up to (without) a number stand for."""
        at = HEAD_OF_ALL
        while at < end:
            size, number, seat = numbers[at : at + 3]
            instr = self._instrs[number]
            word, rest = _READ[instr.op](self, instr, _Entry(numbers, at + 3, number, moments))
            yield (word, number, seat, *rest)
            at += size // 4

    def moment(self, entry: _Entry) -> Moment:
        """A moment, by the address of its copy."""
        at = entry.number() - self._made.moments
        return Moment(entry.moments[at : at + self._made.size], self._rooms)

    def values(self, entry: _Entry) -> tuple[Any, ...]:
        """The values of names or arguments."""
        return tuple(_VALUES[form](entry, size) for form, size in self._made.event_forms[entry.instruction])

    def word(self, instr: Instr) -> str:
        """Which kind of event a `log` is."""
        return word_of(instr, self._facts.program.declared)


class _Entry:
    """The numbers of an entry behind its head, read one after the other."""

    __slots__ = ("at", "instruction", "moments", "numbers")

    def __init__(self, numbers: array[int], at: int, instruction: int, moments: bytes):
        self.numbers, self.at, self.instruction, self.moments = numbers, at, instruction, moments

    def number(self) -> int:
        self.at += 1
        return self.numbers[self.at - 1]

    def some(self, amount: int) -> tuple[int, ...]:
        self.at += amount
        return tuple(self.numbers[self.at - amount : self.at])


# ---- values ----------------------------------------------------------------------------------------------------------


def _number(entry: _Entry, _: int) -> int:
    return entry.number()


def _set(entry: _Entry, size: int) -> int:
    words = entry.some(size // 4)
    return int.from_bytes(array("i", words).tobytes(), "little")


def _list(entry: _Entry, parts: int) -> Any:
    amount = entry.number()
    return -1 if amount < 0 else entry.some(amount * parts)


def _records(entry: _Entry, parts: int) -> Any:
    amount = entry.number()
    return -1 if amount < 0 else tuple(entry.some(parts) for _ in range(amount))


def _record(entry: _Entry, parts: int) -> tuple[int, ...]:
    return entry.some(parts)


_VALUES: dict[str, Callable[[_Entry, int], Any]] = {
    "number": _number,
    "set": _set,
    "list": _list,
    "records": _records,
    "record": _record,
}


# ---- events ----------------------------------------------------------------------------------------------------------

Read = tuple[str, tuple[Any, ...]]


def _store(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    return "set", (instr.args[0], *entry.some(3))


def _change(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    return instr.op, (instr.args[0], entry.number())


def _score(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    return "score", (entry.number(), instr.args[2])


def _pieces(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    number, moment = entry.number(), reader.moment(entry)
    return instr.op, (entry.some(entry.number()), number, moment)


def _draw(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    goal, is_setup = entry.some(2)
    codes = entry.some(entry.number())
    return "draw", (len(codes), instr.args[1].zone, codes, goal, bool(is_setup))


def _roll(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    both = entry.some(2 * entry.number())
    codes = both[1::2]  # twice the code, and 1 more where the piece lies on top
    return "roll", (both[::2], tuple(code >> 1 for code in codes), tuple(code & 1 for code in codes))


def _shuffle(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    return "shuffle", ()


def _log(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    names = [name for name, _ in values_of(instr)]
    values = reader.values(entry)
    return reader.word(instr), (instr.args[0], tuple(zip(names, values, strict=True)), reader.moment(entry))


def _event(reader: EventReader, instr: Instr, entry: _Entry) -> Read:
    return "event", (instr.args[0], reader.values(entry), reader.moment(entry))


_READ: dict[str, Callable[[EventReader, Instr, _Entry], Read]] = {
    "store": _store,
    "gain": _change,
    "pay": _change,
    "score": _score,
    "move": _pieces,
    "flip": _pieces,
    "look": _pieces,
    "roll": _roll,
    "draw": _draw,
    "shuffle": _shuffle,
    "log": _log,
    "event": _event,
}
