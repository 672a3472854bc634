"""What one seat, or whoever only watches, may know of a table: the position, what has happened, how it ended.

`viewer` is a seat, or `SPECTATOR`, who sees what all see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.table.event_sites import EventSites
from interpreter.table.outcome import result_lines
from interpreter.views import state_json

if TYPE_CHECKING:
    from interpreter.state import State
    from interpreter.table.table import Table
    from interpreter.texts import Texts


def position(state: State, viewer: int) -> dict[str, Any]:
    """The position by declared names, as a viewer sees it."""
    return state_json(state, viewer)


def happened(texts: Texts, after: State, viewer: int) -> list[str]:
    """The lines about what happened on the way to a state."""
    return texts.log_lines(_told_events(after), viewer)


@dataclass(frozen=True, slots=True)
class Told:
    """A line about what happened, and the sites that it is about."""

    text: str
    sites: tuple[str, ...]


def told(table: Table, texts: Texts, viewer: int, since: int = 0) -> list[tuple[int, list[Told]]]:
    """The lines of each moment from a number on: 0 is what the set-up did, n the n-th decision that stands."""
    places = EventSites(table.game)
    return [(n, _lines(places, texts, state, viewer)) for n, state in enumerate(table.moments[since:], since)]


def _lines(places: EventSites, texts: Texts, after: State, viewer: int) -> list[Told]:
    found = texts.log_lines_of(_told_events(after), viewer)
    return [Told(text, places.of(event)) for text, event in found]


def _told_events(after: State) -> list[Sequence[Any]]:
    return [event for event in after.events or () if event[3:4] != ("turn",)]


def outcome(table: Table, texts: Texts) -> list[str]:
    """How the game ended, in words; nothing while it goes on."""
    result = table.state.result
    return [] if result is None else result_lines(texts, result)
