"""Pieces that are moved, and answers that are kept: what their labels are then."""

from __future__ import annotations

from dataclasses import replace

from rulespec.lower.ir import Ir, ZoneIr, ZoneRead
from rulespec.lower.make import zone_key
from rulespec.lower.offers.labels import NONE, Label, Seat, Secrets
from rulespec.model.types import ListType, Piece, Record, strip


def keeps_answers(t: object) -> bool:
    """Whether a slot keeps the answers of all players to one question."""
    inner = t.of if isinstance(t, ListType) else None
    return isinstance(inner, Record) and bool(inner.fields) and inner.fields[0][0] == "by"


def zone_left(what: Ir) -> str | None:
    """The zone that moved pieces leave, where it is known."""
    if isinstance(what, ZoneRead):
        return zone_key(what.zone)
    if isinstance(what, ZoneIr):
        return what.zone
    t = strip(what.type)
    t = t.of if isinstance(t, ListType) else t
    return t.zone if isinstance(t, Piece) else None


def seen_anew(label: Label, place: Label) -> Label:
    """The label of pieces that have been moved: seen by whoever saw them before, and whoever sees them now."""
    if not place.front - place.outer:
        return Label(label.outer, NONE, NONE)
    seers: frozenset[Seat] = frozenset().union(*(s.seers for s in place.front - place.outer))

    def more(secrets: Secrets) -> Secrets:
        return frozenset(replace(s, seers=s.seers | seers) for s in secrets)

    return Label(label.outer, more(label.back), more(label.front))
