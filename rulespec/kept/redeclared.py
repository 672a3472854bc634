"""Declarations of a build that were found anew, beside what is kept of the same build.

    now = Redeclared.of(cx, shared, rows)     # None: something is wrong with what is declared
    now.differs(record)                       # the places at which something else is declared now
    now.begun                                 # what was declared beside the places that are read by name

Where only figures have changed, declaring finds most of what it found before. A block is another one only where it
has read a place at which something else stands now.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulespec.kept.record import Begun, Record
from rulespec.kept.rows import COSTS, Rows, place_from
from rulespec.lower.context import Context
from rulespec.lower.places import starting_pieces
from rulespec.lower.program import begun, regions_of
from rulespec.lower.sizes import zone_sizes
from rulespec.lower.steps.shared import Shared, versions_of
from rulespec.lower.versions import Versions, layout_of
from rulespec.model.reads import Place
from rulespec.model.types import EffectType, strip

#: The places of which a walk goes by less than all that is declared there: functions and zones.
_SOFT = ("functions", "zones")


class Redeclared:
    """The declarations of one build, before its first block is made."""

    def __init__(self, cx: Context, versions: Versions, rows: Rows) -> None:
        self.cx = cx
        self._versions, self._rows = versions, rows
        self._digests: dict[str, str] = {}
        self.filters = {span: set(values) for span, values in cx.world.constant_filters.items()}
        self.begun = begun_of(cx, rows, tuple(cx.world.interned), starting_pieces(cx))

    @classmethod
    def of(cls, cx: Context, shared: Shared, rows: Rows) -> Redeclared | None:
        """The same, where nothing is wrong with it. Raises Unsealed."""
        versions = versions_of(begun(cx, shared), shared)
        if versions is None or len(cx.problems):
            return None
        found = cls(cx, versions, rows)
        return None if len(cx.problems) else found

    def differs(self, known: Record) -> dict[str, str]:
        """What is declared now at the places at which something else was. Raises Unsealed, and LookupError."""
        return {text: now for text, found in known.places.items() if (now := self.digest(text)) != found}

    def digest(self, text: str) -> str:
        """What is declared at a place. Raises Unsealed, and LookupError."""
        found = self._digests.get(text)
        if found is None:
            place = place_from(text)
            found = cost_of(place, self.cx) or self._rows.found(place, self._versions.of(place))
            self._digests[text] = found
        return found

    def soft(self, text: str) -> str | None:
        """What a walk goes by at a place; None where that is all that is declared there."""
        return soft_of(place_from(text), self.cx, self._versions, self._rows)


def cost_of(place: Place, cx: Context) -> str | None:
    """How dear the function is that a place is about, whether or not that was asked before; None for another place."""
    how, table, key = place
    return str(cx.costs.function(key)) if how == "at" and table == COSTS else None


def soft_of(place: Place, cx: Context, versions: Versions, rows: Rows) -> str | None:
    """What a walk through what is hidden goes by at a place; None where that is all that is declared there."""
    how, table, key = place
    if how != "at" or table not in _SOFT:
        return None
    number = versions.of(place)
    zone = dict.get(cx.world.zones, key) if table == "zones" else None
    if number < 0 or (table == "zones" and zone is None):
        return None
    room = None if zone is None else sum(dict.__getitem__(cx.world.pieces, zone.holds).supply)
    return rows.soft(place, number, room)


def begun_of(cx: Context, rows: Rows, interned: tuple[Any, ...], starts: dict[str, list[list[int]]]) -> Begun:
    """What is declared beside the places that are read by name; `interned` are the effects that had numbers then."""
    w = cx.world
    names = (frozenset(w.in_play), frozenset(w.later), frozenset(w.doubled), frozenset(w.broken), frozenset(w.spoiled))
    teams = w.teams, w.team_type, w.player_range
    formulas = frozenset(cx.formulas)
    frame = rows.anywhere((interned, tuple(w.triggers), *names, *teams, w.divides, dict(w.watched), formulas))
    # the last number of an effect hangs on what blocks make, and these are compared by themselves
    regions = tuple(replace(r, high=0) if isinstance(strip(r.type), EffectType) else r for r in regions_of(w))
    sizes = tuple((size, key) for size, key, _ in zone_sizes(w))
    kinds = tuple(dict.values(w.pieces))
    whole = rows.anywhere((starts, regions, layout_of(w), sizes, kinds, w.codes, w.depth))
    return Begun(frame, whole, cx.steps_to_declare, cx.evaluator.steps)
