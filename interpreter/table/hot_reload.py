"""Another game in the place of the one that is played: the decisions are made again as far as they fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.state import State
from interpreter.table.history import Step


def step_of(before: State, key: str, *, events: bool = True) -> Step | None:
    """The step that a key leads to; None where no option has the key."""
    option = before.options().find(key)
    if option is None or before.decision is None:
        return None
    after = before.apply(option, events=events)
    return Step(before, option.key, after, before.decision.player, forced=len(before.options()) == 1)


def again(first: State, keys: Iterable[str], *, events: bool = True) -> Iterator[Step]:
    """The steps from a state on, up to the first key that no longer fits."""
    state = first
    for key in keys:
        step = step_of(state, key, events=events)
        if step is None:
            return
        yield step
        state = step.after
