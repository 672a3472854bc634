"""What happens on the way to the next decision, as tuples: what logs, traces and explanations are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.middle.layout import Room, from_bytes
from interpreter.middle.pieces import Cells
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Instr, Ir
from rulespec.program.meaning import MEANING
from rulespec.program.ops import REGISTERS


class Moment:
    """The cells at an event, kept as bytes: found when somebody looks at them."""

    __slots__ = ("_cells", "_data", "_rooms")

    def __init__(self, data: bytes, rooms: tuple[Room, ...]):
        self._data, self._rooms = data, rooms
        self._cells: Cells | None = None

    def copy(self) -> Cells:
        """The cells."""
        if self._cells is None:
            self._cells = from_bytes(self._data, self._rooms)
        return self._cells.copy()

    def __getitem__(self, key: Any) -> Any:
        if self._cells is None:
            self._cells = from_bytes(self._data, self._rooms)
        return self._cells[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self[:])

    def __len__(self) -> int:
        return len(self._rooms)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Moment):
            return self._data == other._data
        return bool(self[:] == other)

    __hash__ = None  # type: ignore[assignment]


# ---- what is told of an instruction ----------------------------------------------------------------------------------


def is_told(region: str) -> bool:
    """Whether a region is one that the content declares, and not one that the instruction form keeps for itself."""
    return region not in REGISTERS and not region.startswith("was ")


def values_of(instr: Instr) -> tuple[tuple[str, Ir], ...]:
    """Of a `log`: the names that have a value, with what it is."""
    return tuple((name, ir) for name, ir in instr.args[1] if type(ir) in MEANING)


def word_of(instr: Instr, declared: Declared) -> str:
    """Of a `log`: which kind of event it is."""
    name, _, part = instr.args
    return "late" if part == "late" else "action" if name in declared.actions else "effect"
