"""How long a game may be that nobody watches, and what is said of one that is not over by then.

Decisions are counted by whoever plays. Seconds are measured from `clocked` on, by every loop over decisions and by the
automatic seats while they think: each single step is bounded by its work (RS803).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter as now
from typing import Final

from interpreter.reference.faults import span_of
from interpreter.state import State
from rulespec.diagnostics.model import ContentError, Problems

#: A game of automatic seats that is not over after so many decisions is left.
MOST_DECISIONS: Final = 100_000
#: The same in seconds, where all seats choose at random, and where some of them think.
MOST_SECONDS: Final = 60.0
MOST_SECONDS_THINKING: Final = 3_600.0


class _Clock:
    """When the game that is played now is to be over, and how many seconds it was given."""

    until = math.inf
    given = math.inf


def seconds_for(kinds: Sequence[str]) -> float:
    """How long a game of these automatic seats may take, where nobody says otherwise."""
    return MOST_SECONDS if all(kind == "random" for kind in kinds) else MOST_SECONDS_THINKING


@contextmanager
def clocked(seconds: float) -> Iterator[None]:
    """What is played inside is to be over after so many seconds."""
    before = _Clock.until, _Clock.given
    wind_up(seconds)
    try:
        yield
    finally:
        _Clock.until, _Clock.given = before


def wind_up(seconds: float) -> None:
    """The time begins anew."""
    _Clock.until, _Clock.given = now() + seconds, seconds


def is_late() -> bool:
    """Whether the game takes too long."""
    return now() > _Clock.until


def in_time(state: State) -> None:
    """Raises ContentError (RS807) where the game takes too long, at the declaration of what is asked just now."""
    if is_late():
        raise ContentError(_told("RS807", state, seconds=f"{_Clock.given:,g}").items)


def not_over(state: State, decisions: int) -> ContentError:
    """The problem (RS806) that a game is not over after so many decisions, at the declaration of what is asked then."""
    hint = "End it by `until`, `times` or `finish`; a game that is meant to be longer needs another bound."
    return ContentError(_told("RS806", state, hint, decisions=f"{decisions:,}").items)


def _told(code: str, state: State, hint: str | None = None, **facts: str) -> Problems:
    decision = state.decision
    assert decision is not None
    problems = Problems()
    where = span_of(state.game.facts.program.instrs, state.asks_at)
    facts |= {"seat": state.game.seats[decision.player], "asked": decision.action or decision.id}
    problems.add(code, where, hint=hint, near=None, related=(), fixes=(), **facts)
    return problems
