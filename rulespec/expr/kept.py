"""Good expressions that earlier processes have read, kept by their texts: to read one costs far more.

    kept = KeptReadings()
    kept.get("expr", span)             # the expression, in the file where this text stands; None where it is not kept
    kept.write(known)                  # keeps these as well, for processes that come after

An expression is kept as lists: its kind, then what its fields say, places as two numbers from the beginning of the
text. Nothing of it is run, and only kinds of expressions are made of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from rulespec.expr import ast
from rulespec.source import store
from rulespec.source.program import program_digest
from rulespec.source.text import SourceFile, Span

MOST_TEXTS: Final = 4_000  #: of more, those that this process has not asked for are left out
MOST_BYTES: Final = store.LARGEST * 3 // 4  #: where one file does not take all of them

#: What begins the list of a tuple: no kind is called so.
_TUPLE: Final = 0
_KINDS: Final[dict[str, type[Any]]] = {
    name: kind
    for name, kind in vars(ast).items()
    if isinstance(kind, type) and issubclass(kind, (ast.Expr, ast.Each)) and kind is not ast.Expr
}
#: The fields of each kind, each with whether it is a place.
_FIELDS: Final[dict[str, tuple[tuple[str, bool], ...]]] = {
    name: tuple((field.name, field.type == "Span") for field in fields(kind)) for name, kind in _KINDS.items()
}

Known = Mapping[tuple[str, str], ast.Expr]


class KeptReadings:
    """What was kept, by what an expression begins with in the grammar and by its text; read when first asked for."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Any]] | None = None
        self._used: set[tuple[str, str]] = set()

    def get(self, start: str, span: Span) -> ast.Expr | None:
        """The expression of a text, where it stands."""
        if self._kept is None:
            self._kept = _read()
        text = span.text
        data = self._kept.get(start, {}).get(text)
        if data is None:
            return None
        try:
            found = decoded(data, span.file, span.start)
        except (LookupError, TypeError, ValueError, RecursionError):  # not what was written
            del self._kept[start][text]
            return None
        self._used.add((start, text))
        return found if isinstance(found, ast.Expr) else None

    def write(self, known: Known) -> None:
        """Keeps expressions without a file that are not kept yet, where there are any."""
        kept = self._kept if self._kept is not None else _read()
        new = {key: found for key, found in known.items() if key[1] not in kept.get(key[0], {})}
        if not new:
            return
        if len(new) + sum(map(len, kept.values())) > MOST_TEXTS:
            kept = self._asked_for(kept, known)
        for (start, text), found in [*new.items()][:MOST_TEXTS]:
            kept.setdefault(start, {})[text] = encoded(found)
        self._kept = kept
        if not store.write(_name(), kept):
            self._kept = _within_bytes(self._asked_for(kept, known))
            store.write(_name(), self._kept)

    def _asked_for(self, kept: dict[str, dict[str, Any]], known: Known) -> dict[str, dict[str, Any]]:
        """What this process has read or asked for; the rest goes where there is no room for all."""
        return {
            start: {text: data for text, data in of.items() if (start, text) in self._used or (start, text) in known}
            for start, of in kept.items()
        }


def _within_bytes(kept: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """As many of these as one file of the store takes, with some room for those that come after."""
    found: dict[str, dict[str, Any]] = {start: {} for start in kept}
    room = MOST_BYTES
    for start, of in kept.items():
        for text, data in of.items():
            size = len(json.dumps([text, data], separators=(",", ":")))
            if size <= room:
                found[start][text] = data
                room -= size
    return found


def _name() -> str:
    return f"expressions-{store.digest(program_digest())}"


def _read() -> dict[str, dict[str, Any]]:
    data = store.read(_name())
    if isinstance(data, dict) and all(isinstance(of, dict) for of in data.values()):
        return data
    return {}


def encoded(part: Any) -> Any:
    """An expression, or a part of one, as plain data; its places count from the beginning of its text."""
    if isinstance(part, tuple):
        return [_TUPLE, *map(encoded, part)]
    if not isinstance(part, (ast.Expr, ast.Each)):
        return part
    name = type(part).__name__
    data: list[Any] = [name]
    for field, is_place in _FIELDS[name]:
        value = getattr(part, field)
        if is_place:
            data += (value.start, value.end)
        else:
            data.append(encoded(value))
    return data


def decoded(data: Any, file: SourceFile, by: int) -> Any:
    """The part again, in `file`, where its text begins at `by`. Raises LookupError or TypeError for anything else."""
    if not isinstance(data, list):
        return data
    name, at = data[0], 1
    if name == _TUPLE:
        return tuple([decoded(each, file, by) for each in data[1:]])
    made: dict[str, Any] = {}
    for field, is_place in _FIELDS[name]:
        if is_place:
            made[field] = Span(file, data[at] + by, data[at + 1] + by)
            at += 2
        else:
            made[field] = decoded(data[at], file, by)
            at += 1
    return _KINDS[name](**made)
