"""A program as plain data and back: what is kept on disk of a game that was made ready to be run.

    data = to_data(program)                # lists, texts, numbers: JSON
    from_data(data, files.__getitem__, fresh)     # the same program

Each distinct part has one row, behind the rows of its own parts: `[kind, fields...]`. In a row, a list begins with what
it is: a reference to a row, a tuple, a list, a set, a map, a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from rulespec.lower import declared, ir
from rulespec.model import types
from rulespec.source.text import SourceFile, Span

REF, TUPLE, LIST, SET, MAP, FILE = range(6)

FileOf = Callable[[str], SourceFile]

#: Names of variables that were made while lowering: a prefix and a number.
MADE = re.compile(r"(\w+)\$\d+")

#: Parts that are the same only where they are one: a decision that several instructions ask has one number.
_BY_IDENTITY = (ir.Ask, ir.Instr)


def _frozen(module: Any) -> dict[str, type]:
    """The kinds of parts that a module declares, by a name that is theirs alone."""
    name = module.__name__
    return {f"{name}.{k}": v for k, v in vars(module).items() if is_dataclass(v) and v.__module__ == name}  # type: ignore[misc]


KINDS: dict[str, type] = {**_frozen(types), **_frozen(ir), **_frozen(declared), "span": Span}
_NAMES = {kind: name for name, kind in KINDS.items()}
_FIELDS = {kind: tuple(f.name for f in fields(kind)) for kind in KINDS.values()}


def to_data(value: Any) -> dict[str, Any]:
    """A part of a program, or a tuple or map of some, as plain data.

    Raises TypeError for what a program does not consist of.
    """
    return _Writer().data(value)


def from_data(data: Mapping[str, Any], file_of: FileOf, fresh: Callable[[str], str]) -> Any:
    """What `to_data` was given. `fresh` makes the names anew that lowering had made, so that no other is like them.

    Raises KeyError, IndexError, TypeError or ValueError where it is not such data, or `file_of` does not know a file.
    """
    return _Reader(data, file_of, fresh).value(data["value"])


class _Writer:
    def __init__(self) -> None:
        self._rows: list[list[Any]] = []
        self._kinds: dict[type, int] = {}
        self._files: dict[str, int] = {}
        self._known: dict[Any, int] = {}
        self._row_of: dict[int, int] = {}
        self._alive: list[Any] = []  #: what `_row_of` speaks of stays, so that nothing else gets its identity

    def data(self, value: Any) -> dict[str, Any]:
        waiting = list(_parts_in(value))
        while waiting:
            part = waiting[-1]
            if id(part) in self._row_of:
                waiting.pop()
                continue
            values = [getattr(part, name) for name in _FIELDS[type(part)]]
            missing = [inner for inner in _parts_in(values) if id(inner) not in self._row_of]
            if missing:
                waiting += missing
                continue
            self._row_of[id(part)] = self._row(part, values)
            self._alive.append(part)
            waiting.pop()
        found = self._value(value)
        kinds = [_NAMES[kind] for kind in self._kinds]
        return {"kinds": kinds, "files": list(self._files), "rows": self._rows, "value": found}

    def _row(self, part: Any, values: list[Any]) -> int:
        kind = self._kinds.setdefault(type(part), len(self._kinds))
        row = [kind, *map(self._value, values)]
        key = (id(part),) if isinstance(part, _BY_IDENTITY) else _hashable(row)
        number = self._known.setdefault(key, len(self._rows))
        if number == len(self._rows):
            self._rows.append(row)
        return number

    def _value(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, (tuple, list)):
            return [TUPLE if isinstance(value, tuple) else LIST, *map(self._value, value)]
        if isinstance(value, frozenset):
            return [SET, *map(self._value, sorted(value))]
        if isinstance(value, Mapping):
            return [MAP, *(self._value(part) for pair in value.items() for part in pair)]
        if isinstance(value, SourceFile):
            return [FILE, self._files.setdefault(value.name, len(self._files))]
        return [REF, self._row_of[id(value)]]


def _hashable(value: Any) -> Any:
    """A row as something that can be looked up; `True` and `1` are two things."""
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    return (value,) if isinstance(value, bool) else value


def _parts_in(value: Any) -> Iterator[Any]:
    """The parts with rows of their own in a value, however deep in tuples and maps."""
    if isinstance(value, (tuple, list, frozenset)):
        for part in value:
            yield from _parts_in(part)
    elif isinstance(value, Mapping):
        yield from _parts_in(list(value.items()))
    elif type(value) in _FIELDS:
        yield value
    elif not (value is None or isinstance(value, (bool, int, str, SourceFile))):
        raise TypeError(f"a program does not consist of {type(value).__name__}")


class _Reader:
    def __init__(self, data: Mapping[str, Any], file_of: FileOf, fresh: Callable[[str], str]) -> None:
        self._fresh = fresh
        kinds = [KINDS[name] for name in data["kinds"]]
        self._made: list[Any] = []
        self._files = [file_of(name) for name in data["files"]]
        self._names: dict[str, str] = {}
        builders = [_builder(kind) for kind in kinds]
        for row in data["rows"]:
            self._made.append(builders[row[0]](map(self.value, row[1:])))

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._renamed(value) if "$" in value and MADE.fullmatch(value) else value
        if not isinstance(value, list):
            return value
        what = value[0]
        if what == REF:
            return self._made[value[1]]
        if what == FILE:
            return self._files[value[1]]
        parts = map(self.value, value[1:])
        if what == TUPLE:
            return tuple(parts)
        if what == MAP:
            return dict(zip(parts, parts, strict=True))
        return frozenset(parts) if what == SET else list(parts)

    def _renamed(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self._fresh(name.partition("$")[0])
        return self._names[name]


def _builder(kind: type) -> Callable[[Iterable[Any]], Any]:
    names = _FIELDS[kind]
    return lambda values: kind(**dict(zip(names, values, strict=True)))
