"""A set-up that is gone through once more with the blocks that it comes to alone, where a state begins otherwise.

stage = Staged(rows)
stage.again(build, rows, now, declare, shared)    # None: something may be wrong with it, or it needs more
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.kept.bodies import Parts
from rulespec.kept.record import Seen
from rulespec.kept.redeclared import Redeclared
from rulespec.kept.rows import Row, Rows, filters_of, is_declared, place_text
from rulespec.kept.seals import key_text
from rulespec.lint.rehearsal import Rehearsal
from rulespec.lower.context import Context, reporting
from rulespec.lower.declaring import declared_of
from rulespec.lower.ir import Program
from rulespec.lower.places import starting_pieces
from rulespec.lower.program import begun, close, make_block, regions_of
from rulespec.lower.sizes import MOST_STATE, check_state, zone_sizes
from rulespec.lower.steps.builder import NO_SLOT, Builder
from rulespec.lower.steps.shared import Shared, make_shared, versions_of
from rulespec.program.memory import may_forget

#: What a set-up begins with.
_ENTRIES = ("watch", "setup")


@dataclass(frozen=True, slots=True)
class _Done:
    """A set-up that was gone through: of which blocks, how it began, and what was read and found."""

    sizes: str
    wholes: dict[str, str]
    reads: dict[str, str]
    seen: Seen
    came_to: frozenset[str]


class Staged:
    """The set-ups of one check that were gone through once more."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._done: list[_Done] = []

    def again(
        self,
        wanted: Mapping[str, Row],
        parts: Parts,
        now: Redeclared,
        declare: Callable[[], Context | None],
        shared: Shared,
    ) -> tuple[Seen, frozenset[str]] | None:
        """What going through a set-up finds, and the blocks that it comes to, where nothing is wrong with it.

        `wanted` are the blocks that it came to before, as they are now. Raises Unsealed, and LookupError.
        """
        wholes = {key: f"{row.deeds} {row.whole}" for key, row in wanted.items()}
        for done in self._done:
            if (done.sizes, done.wholes) == (now.begun.sizes, wholes) and _reads_so(done, now):
                return done.seen, done.came_to
        cx = declare()
        found = None if cx is None else self._gone_through(wanted, parts, cx, shared)
        if found is None:
            return None
        seen, came_to = found
        reads = {text: now.digest(text) for text in seen.reads}
        self._done.append(_Done(now.begun.sizes, wholes, reads, seen, came_to))
        return found

    def _gone_through(
        self, wanted: Mapping[str, Row], parts: Parts, cx: Context, shared: Shared
    ) -> tuple[Seen, frozenset[str]] | None:
        builder = begun(cx, shared)
        if not self._has_made(builder, wanted, parts, shared) or cx.world.reads is None:
            return None
        program, found = _program(builder), Problems()
        with reporting(cx, found), cx.world.reads.noting() as notes:
            rehearsal = Rehearsal(cx, program)
            rehearsal.run(found)  # raises KeyError where it comes to a block that is not there
            check_state(cx, program)
        bytes_at_most = sum(size for size, _, _ in zone_sizes(cx.world)) + 8 * sum(r.places for r in program.regions)
        if len(found) or len(cx.problems) or may_forget(program.declared) or bytes_at_most > MOST_STATE:
            return None
        keys = {wanted.id: key_text(key) for key, wanted in builder.wanted.items()}
        reads = frozenset(place_text(place) for place in notes.read if is_declared(place))
        seen = Seen(reads, tuple(filters_of(self._rows.seals, notes.filters)))
        return seen, frozenset(keys[number] for number in rehearsal.matched)

    def _has_made(self, builder: Builder, wanted: Mapping[str, Row], parts: Parts, shared: Shared) -> bool:
        """Makes the blocks; whether each of them has come out as it is in the whole build."""
        versions = versions_of(builder, shared)
        for name in _ENTRIES:
            builder.want((name, frozenset(), 0), ())
        made: set[str] = set()
        while builder.queue and versions is not None:
            each = builder.queue.pop(0)
            key = key_text(each.key)
            if key not in wanted:
                continue
            kept = make_shared(shared, versions, builder, each, make_block, close)
            if kept is None or kept.loops or kept.performing():
                return False
            row = self._rows.of(each.key, kept, parts)
            if (row.whole, row.names) != (wanted[key].whole, wanted[key].names):
                return False
            made.add(key)
        return made == wanted.keys()


def _reads_so(done: _Done, now: Redeclared) -> bool:
    return all(now.digest(text) == found for text, found in done.reads.items())


def _program(builder: Builder) -> Program:
    """The blocks that there are, as a program of which nothing but its set-up can be gone through."""
    cx = builder.cx
    return Program(
        declared=declared_of(cx.world),
        instrs=tuple(builder.instrs),
        procs=tuple(builder.procs[number] for number in sorted(builder.procs)),
        slots=tuple(builder.slots.get(number, NO_SLOT) for number in range(builder.numbering.used)),
        regions=regions_of(cx.world),
        streams=tuple(builder.streams),
        entries={name: builder.want((name, frozenset(), 0), ()).id for name in _ENTRIES},
        effect_procs={},
        ranking=(),
        always=(),
        starts=starting_pieces(cx),
        look_cap=0,
    )
