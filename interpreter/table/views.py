"""What one seat, or whoever only watches, may know of a table: the position, what has happened, how it ended.

`viewer` is a seat, or `SPECTATOR`, who sees what all see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    events = [event for event in after.events or () if event[3:4] != ("turn",)]
    return texts.log_lines(events, viewer)


def told(table: Table, texts: Texts, viewer: int, since: int = 0) -> list[tuple[int, list[str]]]:
    """The lines of each moment from a number on: 0 is what the set-up did, n the n-th decision that stands."""
    moments = table.moments[since:]
    return [(n, happened(texts, state, viewer)) for n, state in enumerate(moments, since)]


def outcome(table: Table, texts: Texts) -> list[str]:
    """How the game ended, in words; nothing while it goes on."""
    result = table.state.result
    return [] if result is None else result_lines(texts, result)
