"""A block that was made, as builds of one check share it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulespec.lower.ir import Instr, Ir, Slot
from rulespec.lower.steps.builder import Wish
from rulespec.lower.steps.commuting import Loop
from rulespec.model.reads import Place


@dataclass(frozen=True, slots=True)
class Kept:
    """A block that was made: what it was made from, and what making it did."""

    reads: tuple[tuple[Place, int], ...]
    names: dict[str, Ir]
    slots: tuple[Slot, ...]
    instrs: tuple[Instr, ...]
    wishes: tuple[Wish, ...]
    interned: tuple[tuple[Any, int], ...]
    written: tuple[tuple[tuple[str, Any], Any], ...]
    filters: tuple[tuple[Any, bool | None], ...]
    streams: tuple[str, ...]
    effects: tuple[tuple[int, frozenset[int] | None], ...]
    loops: tuple[Loop, ...]
    dearest: int

    def performing(self) -> list[tuple[int, frozenset[int] | None]]:
        """At which levels it performs effects as values, and which ones."""
        return [(instr.args[1], instr.args[2]) for instr in self.instrs if instr.op == "callv"]


def shifted(loop: Loop, by: int) -> Loop:
    """The same loop so many instructions further on."""
    return replace(loop, test=loop.test + by, begin=loop.begin + by, end=loop.end + by)
