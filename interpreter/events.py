"""What happened on the way to a state, as objects with names: `State.what_happened`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.log_lines import LineWriter

if TYPE_CHECKING:
    from interpreter.state import State

_OWN = ("event", "player", "rule", "at")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `kind` is `action`, `emit`, `gain`, `pay`, `score`, `set`, `shuffle`, `draw`, `move`, `flip`, `roll` or `look`;
    `player` is the id of the seat that was acting; `rule` the rule that is bound to what declares it, if any; `place`
    the file and line of that. `values` holds the rest by name, which can also be read as attributes:

    | kind | values |
    | --- | --- |
    | `action` | `action`, `args` |
    | `emit` | `name`, `args` |
    | `gain`, `pay` | `counter`, `amount` |
    | `score` | `amount`, `reason` |
    | `set` | `state`, `was`, `value` |
    | `shuffle` | `zone` |
    | `draw` | `amount`, `zone`, `pieces`, `to` |
    | `move` | `pieces`, `from` (as `origin` too), `to` |
    | `flip` | `pieces`, `face` |
    | `roll` | `pieces` as they lie now, `in` (a list where that differs) |
    | `look` | `pieces`, `in` (a list where that differs), `for` (the ids of those who see them) |
    """

    kind: str
    player: str
    rule: str | None
    place: str | None
    values: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "values":  # what Python itself looks for, and an event that is being made
            raise AttributeError(name)
        try:
            return self.values["from" if name == "origin" else name]
        except KeyError:
            known = ", ".join(self.values)
            raise AttributeError(f"an event of kind {self.kind} has no {name!r}; it has {known}") from None


def events_of(state: State, seat: int | None) -> tuple[Event, ...]:
    """See `State.what_happened`."""
    if state.events is None:
        raise ValueError("what happened was not kept: make the state with events=True")
    lines = LineWriter(state.game, seat).events(state)
    return tuple(_event(line) for line in lines)


def _event(line: dict[str, Any]) -> Event:
    values = {name: value for name, value in line.items() if name not in _OWN}
    return Event(line["event"], line["player"], line.get("rule"), line.get("at"), values)
