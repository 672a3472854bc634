"""A program as plain data and back: what is kept on disk of a game that was made ready to be run.

    data = to_data(program)                # lists, texts, numbers: JSON
    from_data(data, files.__getitem__, fresh)     # the same program

Each distinct part has one row, behind the rows of its own parts: `[kind, fields...]`. In a row, a list begins with what
it is: a reference to a row, a tuple, a list, a set, a map, a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from rulespec.lower import declared, ir
from rulespec.model import types
from rulespec.source.text import SourceFile, Span

REF, TUPLE, LIST, SET, MAP, FILE, ELSEWHERE = range(7)

FileOf = Callable[[str], SourceFile]

#: Names of variables that were made while lowering: a prefix, where they were made, and a number.
MADE = re.compile(r"(\w+)\$(?:[^$]+\.)?\d+")


@dataclass(frozen=True)
class Form:
    """What data consists of: the kinds of its parts by name, and those that are the same only where they are one.

    What is of a kind of `elsewhere` is no part: it is only referred to.
    """

    kinds: Mapping[str, type]
    by_identity: tuple[type, ...]
    elsewhere: tuple[type, ...] = ()

    @cached_property
    def names(self) -> dict[type, str]:
        """The names of the kinds."""
        return {kind: name for name, kind in self.kinds.items()}

    @cached_property
    def fields(self) -> dict[type, tuple[str, ...]]:
        """What a part of each kind has."""
        return {kind: tuple(f.name for f in fields(kind)) for kind in self.kinds.values()}


def _frozen(module: Any) -> dict[str, type]:
    """The kinds of parts that a module declares, by a name that is theirs alone."""
    name = module.__name__
    return {f"{name}.{k}": v for k, v in vars(module).items() if is_dataclass(v) and v.__module__ == name}  # type: ignore[misc]


KINDS: dict[str, type] = {**_frozen(types), **_frozen(ir), **_frozen(declared), "span": Span}
#: Of a program: a decision that several instructions ask has one number.
PROGRAM = Form(KINDS, (ir.Ask, ir.Instr))


def _nowhere(what: Any) -> Any:
    raise TypeError(f"nothing lies elsewhere: {what}")


def to_data(value: Any, form: Form = PROGRAM, place_of: Callable[[Any], Any] = _nowhere) -> dict[str, Any]:
    """A part of a program, or a tuple or map of some, as plain data; or of what else `form` says.

    `place_of` says as plain data where something lies that is elsewhere. Raises TypeError for what has another form.
    """
    return _Writer(form, place_of).data(value)


def from_data(
    data: Mapping[str, Any],
    file_of: FileOf,
    fresh: Callable[[str], str],
    form: Form = PROGRAM,
    at_place: Callable[[Any], Any] = _nowhere,
) -> Any:
    """What `to_data` was given. `fresh` makes the names anew that lowering had made, so that no other is like them.

    `at_place` gives what lies elsewhere. Raises KeyError, IndexError, TypeError or ValueError where it is not such
    data, or `file_of` does not know a file.
    """
    return _Reader(data, file_of, fresh, form, at_place).value(data["value"])


class _Writer:
    def __init__(self, form: Form, place_of: Callable[[Any], Any]) -> None:
        self._form = form
        self._place_of = place_of
        self._rows: list[list[Any]] = []
        self._kinds: dict[type, int] = {}
        self._files: dict[str, int] = {}
        self._known: dict[Any, int] = {}
        self._row_of: dict[int, int] = {}
        self._alive: list[Any] = []  #: what `_row_of` speaks of stays, so that nothing else gets its identity

    def data(self, value: Any) -> dict[str, Any]:
        waiting = list(self._parts_in(value))
        while waiting:
            part = waiting[-1]
            if id(part) in self._row_of:
                waiting.pop()
                continue
            values = [getattr(part, name) for name in self._form.fields[type(part)]]
            missing = [inner for inner in self._parts_in(values) if id(inner) not in self._row_of]
            if missing:
                waiting += missing
                continue
            self._row_of[id(part)] = self._row(part, values)
            self._alive.append(part)
            waiting.pop()
        found = self._value(value)
        kinds = [self._form.names[kind] for kind in self._kinds]
        return {"kinds": kinds, "files": list(self._files), "rows": self._rows, "value": found}

    def _row(self, part: Any, values: list[Any]) -> int:
        kind = self._kinds.setdefault(type(part), len(self._kinds))
        row = [kind, *map(self._value, values)]
        key = (id(part),) if isinstance(part, self._form.by_identity) else _hashable(row)
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
        if isinstance(value, self._form.elsewhere):
            return [ELSEWHERE, self._place_of(value)]
        return [REF, self._row_of[id(value)]]

    def _parts_in(self, value: Any) -> Iterator[Any]:
        """The parts with rows of their own in a value, however deep in tuples and maps."""
        if isinstance(value, (tuple, list, frozenset)):
            for part in value:
                yield from self._parts_in(part)
        elif isinstance(value, Mapping):
            yield from self._parts_in(list(value.items()))
        elif type(value) in self._form.fields:
            yield value
        elif not (value is None or isinstance(value, (bool, int, str, SourceFile, *self._form.elsewhere))):
            raise TypeError(f"this does not consist of {type(value).__name__}")


def _hashable(value: Any) -> Any:
    """A row as something that can be looked up; `True` and `1` are two things."""
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    return ("truth", value) if isinstance(value, bool) else value


class _Reader:
    def __init__(
        self,
        data: Mapping[str, Any],
        file_of: FileOf,
        fresh: Callable[[str], str],
        form: Form,
        at_place: Callable[[Any], Any],
    ) -> None:
        self._fresh = fresh
        self._at_place = at_place
        kinds = [form.kinds[name] for name in data["kinds"]]
        self._made: list[Any] = []
        self._files = [file_of(name) for name in data["files"]]
        self._names: dict[str, str] = {}
        builders = [_builder(kind, form.fields[kind]) for kind in kinds]
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
        if what == ELSEWHERE:
            return self._at_place(value[1])
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


def _builder(kind: type, names: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    return lambda values: kind(**dict(zip(names, values, strict=True)))
