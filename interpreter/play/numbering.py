"""The numbers that options are chosen by: an option keeps its number for as long as it is the same option.

numbering.numbers("red move", turn=4, keys=("move a", "move b"), texts=("a", "b"))    # (1, 2)
numbering.numbers("red move", turn=4, keys=("move b", "move c"), texts=("b", "c"))    # (2, 3)
numbering.gone("red move", 1)                                                         # "a"

Whoever types the number of an option that is there no more chooses no other one. Numbers are given anew only in
another turn, and only where all options are new, or where so many have gone that few of the numbers are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

#: Numbers up to twice as many as there are options, and so many more, are no reason to give them anew.
ROOM = 8


@dataclass(slots=True)
class _Question:
    """The numbers of one question: by key, what each number stood for last, and the turn of the last asking."""

    turn: int
    by_key: dict[str, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)


class Numbering:
    """The numbers of all questions of one game."""

    def __init__(self) -> None:
        self._questions: dict[str, _Question] = {}

    def numbers(self, question: str, turn: int, keys: Sequence[str], texts: Sequence[str]) -> tuple[int, ...]:
        """The numbers of options, which have these keys and texts, in their order."""
        known = self._questions.get(question)
        if known is None or (known.turn != turn and _is_worn(known, keys)):
            known = self._questions[question] = _Question(turn)
        known.turn = turn
        for key, text in zip(keys, texts, strict=True):
            number = known.by_key.setdefault(key, len(known.by_key) + 1)
            known.texts[number] = text
        return tuple(known.by_key[key] for key in keys)

    def gone(self, question: str, number: int) -> str | None:
        """What a number stood for that no option has now; None for one that no option ever had."""
        known = self._questions.get(question)
        return None if known is None else known.texts.get(number)


def _is_worn(known: _Question, keys: Sequence[str]) -> bool:
    """Whether no option is left of those that have numbers, or most numbers stand for what is gone."""
    kept = [key for key in keys if key in known.by_key]
    highest = len(known.by_key) + len(keys) - len(kept)
    return not kept or highest > 2 * len(keys) + ROOM
