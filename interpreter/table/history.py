"""The decisions of a game in progress, and which of them can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.game import Game
from interpreter.state import State
from interpreter.table.undo_policy import was_foreseeable


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: the states around it, what was chosen, who chose, and whether there was nothing else to choose."""

    before: State
    key: str
    after: State
    seat: int
    forced: bool


@dataclass(frozen=True, slots=True)
class Undo:
    """How many steps can be taken back, or (then `steps` is 0) why none: `nothing`, `chance` or `other_seat`.

    `seat` is whose decision is taken back, or stands between.
    """

    steps: int = 0
    reason: str = ""
    seat: int = -1


@dataclass(slots=True)
class History:
    """All steps from the beginning; what the set-up did lies before them."""

    steps: list[Step] = field(default_factory=list)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all steps."""
        return tuple(step.key for step in self.steps)

    def undo_for(
        self, seat: int, automatic: frozenset[int] = frozenset(), together: frozenset[int] = frozenset()
    ) -> Undo:
        """Taking back the last decision of a seat, which decides now, or of one of those who sit `together` with it.

        Never behind chance or something hidden that was revealed, and never behind the decision of a person who is
        not asked. Steps that left no choice, and those of `automatic` seats, are taken back with the decision before;
        whether another seat had a choice is not told where that may hang on what it alone sees.
        """
        for back, step in enumerate(reversed(self.steps), 1):
            is_forced = step.forced and (step.seat == seat or not _hides(step.before.game))
            is_own_choice = not is_forced and step.seat not in automatic
            if is_own_choice and step.seat != seat and step.seat not in together:
                return Undo(reason="other_seat", seat=step.seat)
            judge = step.seat if is_own_choice else seat
            if not was_foreseeable(step.before, step.key, step.after, judge, asker=seat):
                return Undo(reason="chance")
            if is_own_choice:
                return Undo(back, seat=step.seat)
        return Undo(reason="nothing")


def _hides(game: Game) -> bool:
    """Whether there is a zone in which not everybody sees what lies."""
    return any(zone.front != "all" for zone in game.world.zones.values())
