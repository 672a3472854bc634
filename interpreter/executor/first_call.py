"""Functions that are written and compiled when they are called for the first time: of blocks, asks, declared functions.

A game that is opened needs few of them for its first options, and none where the native executor plays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

from interpreter.executor.blocks import Blocks
from interpreter.executor.writing import Source
from interpreter.middle.events import Events
from interpreter.middle.layout import PIECES

Block = Callable[[list[Any], int, Events | None], int]


class Later:
    """Functions of a namespace that are written together when one of them is called for the first time.

    Until then a function of the same name stands there that writes them. `lock` is held by whoever writes.
    """

    def __init__(self, source: Source, namespace: dict[str, Any], lock: AbstractContextManager[bool]):
        self.source = source
        self.namespace = namespace
        self.lock = lock

    def add(self, names: Sequence[str], write: Callable[[], object], made: Callable[[], None] | None = None) -> None:
        """Functions that `write` adds to the lines of the source; `made` is called when they are there.

        `made` is called now, too, so that whoever holds one of them can take it out of the namespace.
        """
        waits = [True]

        def first(name: str) -> Callable[..., Any]:
            def call(*args: Any) -> Any:
                if waits:
                    with self.lock:
                        if waits:  # no other thread has written it meanwhile
                            self.write(write)
                            if made is not None:
                                made()
                            waits.clear()
                return self.namespace[name](*args)

            return call

        self.namespace.update({name: first(name) for name in names})
        if made is not None:
            made()

    def write(self, write: Callable[[], object]) -> None:
        """Functions that `write` adds to the lines of the source, at once."""
        source = self.source
        source.lines, source.indent, source.counting, source.plainly = [], 0, False, False
        write()
        self.namespace.update(source.constants)
        compile_lines(naming_pieces(source.lines), self.namespace)


class FirstCalls:
    """The blocks of a game by their first instruction, and the same without what tells of events, for look-aheads.

    `blocks` and `looks` hold functions that put what they stand for in their own place when they are called, for the
    instructions of `starts`; None for all others.
    """

    def __init__(self, writer: Blocks, later: Later, starts: set[int], size: int):
        self._writer = writer
        self._namespace = later.namespace
        self._lock = later.lock
        self.blocks: list[Block | None] = [self._first(at, told=True) if at in starts else None for at in range(size)]
        self.looks: list[Block | None] = [self._first(at, told=False) if at in starts else None for at in range(size)]
        self._unwritten = set(starts)

    def _first(self, at: int, *, told: bool) -> Block:
        def call(c: list[Any], floor: int, sink: Events | None) -> int:
            self._make(at)
            made = self.blocks[at] if told else self.looks[at]
            assert made is not None
            return made(c, floor, sink)

        return call

    def _make(self, at: int) -> None:
        """Writes the functions of a block, where another thread has not."""
        with self._lock:
            if at not in self._unwritten:
                return
            source = self._writer.s
            source.lines, source.indent = [], 0
            self._writer.write(at)
            lines = naming_pieces(source.lines)
            self._namespace.update(source.constants)
            compile_lines([*lines, *_looking(lines)], self._namespace)
            self.blocks[at] = self._namespace[f"b{at}"]
            self.looks[at] = self._namespace.get(f"l{at}", self.blocks[at])
            self._unwritten.discard(at)


def compile_lines(lines: list[str], namespace: dict[str, Any]) -> None:
    """Defines the functions of some lines in a namespace."""
    exec(compile("\n".join(lines), "<rulespec>", "exec"), namespace)  # noqa: S102 - written from the typed form alone


def naming_pieces(lines: list[str]) -> list[str]:
    """Each function names the cells of the zones once, where it reads them."""
    found: list[str] = []
    for start, end in pairwise([i for i, line in enumerate(lines) if not line.startswith(" ")] + [len(lines)]):
        found.append(lines[start])
        if lines[start].startswith("def ") and any("z[" in line or "(z, " in line for line in lines[start:end]):
            found.append(f"    z = c[{PIECES}]")
        found += lines[start + 1 : end]
    return found


def _looking(lines: list[str]) -> list[str]:
    """The blocks once more for look-aheads, as `l...`, without the parts that tell what happened."""
    found: list[str] = []
    for start, end in pairwise([i for i, line in enumerate(lines) if not line.startswith(" ")] + [len(lines)]):
        head = lines[start]
        if re.match(r"def b\d+\(", head) and any("if sink is not None" in line for line in lines[start:end]):
            found.append(f"def l{head[5:]}")
            kept = list(_without_sinks(lines[start + 1 : end]))
            found += _filled(kept) or ["    pass"]
    return found


def _filled(lines: list[str]) -> list[str]:
    """The lines, with `pass` in every block of which nothing is left."""
    found: list[str] = []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        found.append(line)
        indent = len(line) - len(line.lstrip())
        if line.endswith(":") and len(after) - len(after.lstrip()) <= indent:
            found.append(" " * (indent + 4) + "pass")
    return found


def _without_sinks(lines: list[str]) -> Iterator[str]:
    skipping: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if skipping is not None and indent > skipping:
            continue
        skipping = indent if line.lstrip().startswith("if sink is not None") else None
        if skipping is None:
            yield line
