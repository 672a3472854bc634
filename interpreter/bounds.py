"""How long a game may be that nobody watches, and what is said of one that is not over by then."""

from __future__ import annotations

from typing import Final

from interpreter.executor.faults import span_of
from interpreter.state import State
from rulespec.diagnostics.model import ContentError, Problems

#: A game of automatic seats that is not over after so many decisions is left.
MOST_DECISIONS: Final = 100_000


def not_over(state: State, decisions: int) -> ContentError:
    """The problem (RS806) that a game is not over after so many decisions, at the declaration of what is asked then."""
    decision = state.decision
    assert decision is not None
    problems = Problems()
    problems.add(
        "RS806",
        span_of(state.game.compiled.program.instrs, state.asks_at),
        hint="End it by `until`, `times` or `finish`; a game that is meant to be longer needs another bound.",
        decisions=f"{decisions:,}",
        seat=state.game.seats[decision.player],
        asked=decision.action or decision.id,
    )
    return ContentError(problems.items)
