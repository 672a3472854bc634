"""Keeps the values of functions that follow a way through the zones, each until one of the cells that it read changes.

A line over a board is long, and a move changes a few cells: most lines are as they were. Which cells a value was made
of is noted when it is found; when a function is asked again, what differs from the cells that were seen last tells
which values hold no more. That says nothing of which state is asked, so that one memory serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from interpreter.executor.layout import PIECES
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, walk_ir
from rulespec.model.types import Member, Piece, strip

Cells = list[Any]
LOOPS = (I.Comprehend, I.WalkIr, I.ReachIr)
MOST_VALUES = 1_024
MOST_KNOWN = 100_000  #: values of a function that are found once
MOST_NODES = 5_000  #: how much of a program is looked through for one function


class Noting:
    """The cells of the zones, read by somebody who notes which."""

    __slots__ = ("cells", "read")

    def __init__(self, cells: bytearray):
        self.cells = cells
        self.read: set[int] = set()

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            self.read.update(range(*at.indices(len(self.cells))))
        else:
            self.read.add(at)
        return self.cells[at]


class Kept:
    """The values of one function by the number of its arguments; `plain` finds one, from the cells `base` to `end`."""

    __slots__ = ("_readers", "base", "now", "plain", "values")

    def __init__(self, plain: Callable[..., Any], base: int, end: int, size: int):
        self.plain = plain
        self.base = base
        self.now: bytearray = bytearray(end - base)
        self.values: list[Any] = [None] * size
        #: for each cell: the values that it was read for, one bit for each
        self._readers = [0] * (end - base)

    def refresh(self, now: bytearray) -> None:
        """Forgets the values that were made of cells that are no longer as they were."""
        differs = int.from_bytes(now, "little") ^ int.from_bytes(self.now, "little")
        stale = 0
        while differs:
            at = ((differs & -differs).bit_length() - 1) >> 3
            stale |= self._readers[at]
            self._readers[at] = 0
            differs = differs >> 8 * (at + 1) << 8 * (at + 1)
        while stale:
            bit = stale & -stale
            self.values[bit.bit_length() - 1] = None
            stale ^= bit
        self.now = now

    def find(self, c: Cells, number: int, *args: int) -> Any:
        """Makes the value for the arguments, and keeps it."""
        noting = Noting(c[PIECES])
        seen = c.copy()
        seen[PIECES] = noting
        value = self.values[number] = self.plain(seen, *args)
        bit = 1 << number
        for cell in noting.read:
            self._readers[cell - self.base] |= bit
        return value


def worth_keeping(declared: Declared) -> dict[str, tuple[str, ...]]:
    """The functions whose values are kept, each with the zones that it reads."""
    found: dict[str, tuple[str, ...]] = {}
    for name, function in declared.functions.items():
        if not function.params or not all(type(t) is Member for _, t in function.params):
            continue
        nodes = _nodes(declared, name)
        if prod(sizes_of(declared, name)) > MOST_VALUES or nodes is None:
            continue
        if any(isinstance(n, (I.Load, I.Local, I.CallRow)) for n in nodes):
            continue
        zones = tuple(sorted({n.zone for n in nodes if isinstance(n, I.ZoneIr)}))
        if zones and any(isinstance(n, I.WalkIr) for n in nodes):
            found[name] = zones
    return found


def known_for_good(declared: Declared) -> set[str]:
    """The functions that go through loops and read nothing of the state: each value is found once.

    Of pieces they read the code alone.
    """
    found: set[str] = set()
    for name, function in declared.functions.items():
        nodes = _nodes(declared, name)
        if not function.params or nodes is None or not any(isinstance(n, LOOPS) for n in nodes):
            continue
        if any(isinstance(n, (I.Load, I.Local, I.ZoneIr, I.CallRow, I.PlaceOf)) for n in nodes):
            continue
        types = [t for _, t in function.params]
        sizes = [declared.domains[t.domain].size if isinstance(t, Member) else declared.codes for t in types]
        fits = all(isinstance(t, (Member, Piece)) for t in types) and prod(sizes) <= MOST_KNOWN
        if fits and not _reads_pieces(declared, nodes):
            found.add(name)
    return found


def _reads_pieces(declared: Declared, nodes: list[Ir]) -> bool:
    """Whether more than the code of a piece is read: a piece is a variable that is given to a function, or coded."""
    coded = sum(1 for n in nodes if isinstance(n, I.CodeOf) and isinstance(n.piece, I.Var))
    given = sum(1 for n in nodes if isinstance(n, I.CallIr) for a in n.args if _is_piece(a))
    return sum(1 for n in nodes if _is_piece(n)) != coded + given


def _is_piece(node: Ir) -> bool:
    return isinstance(strip(node.type), Piece)


def sizes_of(declared: Declared, name: str) -> list[int]:
    """How many members each parameter of a function has."""
    return [declared.domains[t.domain].size for _, t in declared.functions[name].params if isinstance(t, Member)]


def _nodes(declared: Declared, name: str) -> list[Ir] | None:
    body = declared.functions[name].body
    assert body is not None
    return nodes_of(declared, [body])


def nodes_of(declared: Declared, written: list[Ir]) -> list[Ir] | None:
    """All parts of expressions and of the functions that they call; None where there are too many."""
    found: list[Ir] = []
    waiting = list(written)
    seen: set[str] = set()
    while waiting:
        for node in walk_ir(waiting.pop()):
            found.append(node)
            if len(found) > MOST_NODES:
                return None
            called = node.functions if isinstance(node, I.CallRow) else ()
            for name in (node.function,) if isinstance(node, I.CallIr) else called:
                body = declared.functions[name].body
                if name not in seen and body is not None:
                    seen.add(name)
                    waiting.append(body)
    return found


def callers_of(declared: Declared, names: set[str]) -> set[str]:
    """The functions that call one of these, directly or not, and these themselves."""
    found = set(names)
    calls = {
        name: {n.function for n in walk_ir(f.body) if isinstance(n, I.CallIr)}
        for name, f in declared.functions.items()
        if f.body is not None
    }
    while more := {name for name, to in calls.items() if name not in found and to & found}:
        found |= more
    return found
