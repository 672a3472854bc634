"""What makes very many checks quick in one process, and examines no less: what is the same in each is read once.

The folder of each game stays, and so do the trees of its files, which the program knows by their names and texts; only
the damaged file is written and read anew. An expression that was parsed without a problem is not parsed again where its
text stands elsewhere: it is moved there. What reads the words of a command is made once for each command.
"""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

from bench.fuzz.damage import Damaged, sources
from interpreter.cli import main as command_line
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast, parse
from rulespec.source import shipped
from rulespec.source.text import SourceFile, Span

MOST_PARSED = 30_000  #: expressions that are known
LONGEST_PARSED = 300  #: characters of one: longer ones are hardly met twice
_NOWHERE = SourceFile.of("", "")


@dataclass(slots=True)
class Folders:
    """The games' folders in one folder, in which at most one file is damaged at a time."""

    home: Path
    _written: set[str] = field(default_factory=set)

    @contextmanager
    def damaged(self, made: Damaged) -> Iterator[Path]:
        """The folder of a game with its damage, which is mended at the end."""
        folder = self.home / made.game
        whole = sources()[made.game]
        if made.game not in self._written:
            self._written.add(made.game)
            for path, text in whole.items():
                _write(folder / path, text)
        try:
            _write(folder / made.path, made.files[made.path])
            yield folder
        finally:
            _write(folder / made.path, whole[made.path])


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode("utf-8", "surrogateescape"))


@cache
def begin() -> None:
    """Lets this process know the shipped games, what commands can be told, and expressions that were parsed before."""
    command_line._parser = cache(command_line._parser)
    shipped.games_in = cache(shipped.games_in)
    parse._run = Known(parse._run).run


def settle() -> None:
    """Called now and then: Python need not look for circles again in what is made once.

    Each command has Python look no more at what it made, as its process ends with it: what is left of those is freed.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Known:
    """Expressions by their text, as they stand at the beginning of a file."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self._known: dict[tuple[str, str], ast.Expr] = {}

    def run(self, span: Span, start: str, problems: Problems) -> ast.Expr | None:
        """What the parser says of the text at a place."""
        text = span.text
        known = self._known.get((start, text))
        if known is not None:
            moved: ast.Expr = _moved(known, span.file, span.start)
            return moved
        before = len(problems)
        found: ast.Expr | None = self._real(span, start, problems)
        if found is not None and len(problems) == before and len(text) <= LONGEST_PARSED:
            if len(self._known) >= MOST_PARSED:
                self._known.clear()
            self._known[start, text] = _moved(found, _NOWHERE, -span.start)
        return found


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cast("type[ast.Expr]", kind)))


def _moved(value: Any, file: SourceFile, by: int) -> Any:
    """An expression, or a part of one, with its places in another file, or elsewhere in the same."""
    kind = type(value)
    if kind is Span:
        return Span(file, value.start + by, value.end + by)
    if kind is tuple:
        return tuple(_moved(each, file, by) for each in value)
    if isinstance(value, (ast.Expr, ast.Each)):
        made = object.__new__(kind)
        for name in _names(cast("Hashable", kind)):
            object.__setattr__(made, name, _moved(getattr(value, name), file, by))
        return made
    return value
