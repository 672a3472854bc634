"""The arms of a run of many games: which variants each of them is played with, out of what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interpreter.cli.common import UsageError

if TYPE_CHECKING:
    from interpreter.simulate.plan import Arm, Plan

#: As many as the report has colours that stay apart.
MOST_ARMS: Final = 9


def arms_of(variants: Sequence[str], against: Sequence[str]) -> tuple[Arm, ...]:
    """The first arm, with `variants`, and one for each `against`, with the variants that it names and no other.

    Raises UsageError for too many, and for one that names nothing.
    """
    from interpreter.simulate.plan import Arm

    if len(against) >= MOST_ARMS:
        raise UsageError(f"--against stands {len(against)} times; a run has at most {MOST_ARMS - 1} of them.")
    return (Arm(tuple(dict.fromkeys(variants))), *(Arm(_named(each)) for each in against))


def _named(words: str) -> tuple[str, ...]:
    """The variants of an arm: `A` is one, `A,B` are two; a file's name may hold a comma."""
    if Path(words).is_file():
        return (words,)
    found = tuple(dict.fromkeys(part.strip() for part in words.split(",") if part.strip()))
    if not found:
        raise UsageError("--against names the variants of another arm: --against A, or --against A,B for both in one.")
    return found


def refuse_equal(plan: Plan) -> None:
    """Raises UsageError where two arms of a plan with its fingerprints are the same game: they tell nothing."""
    for first, second in combinations(plan.arms, 2):
        if (first.fingerprint, first.hints) == (second.fingerprint, second.hints):
            raise UsageError(
                f"{_told(first)} and {_told(second)} are the same game, so there is nothing to compare. "
                "--variant says what the first arm is played with, --against what another one is."
            )


def _told(arm: Arm) -> str:
    return f"the arm with {', '.join(arm.variants)}" if arm.variants else "the game as it is"
