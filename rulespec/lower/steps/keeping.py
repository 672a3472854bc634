"""A block that was made, as builds of one check share it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulespec.lower.context import Context
from rulespec.lower.ir import Instr, Ir, Slot
from rulespec.lower.steps.builder import Builder, Wanted, Wish
from rulespec.lower.steps.commuting import Loop
from rulespec.lower.versions import Versions
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


def written_again(kept: Kept, cx: Context, versions: Versions) -> None:
    """Writes and notes what making the block has written and noted."""
    for (table, key), value in kept.written:
        versions.table(table)[key] = value
        versions.forget(table, key)
    for span, fixed in kept.filters:
        cx.world.note_filter(span, fixed)


def put_again(kept: Kept, builder: Builder, wanted: Wanted) -> None:
    """Puts what the block holds behind what the builder has."""
    first = len(builder.instrs)
    for name in kept.streams:
        builder.stream(name)
    builder.effects.update(kept.effects)
    builder.loops += [shifted(loop, first) for loop in kept.loops]
    builder.instrs += kept.instrs
    builder.dearest[wanted.id] = kept.dearest
