"""What of a position is drawn: all of it where there is room, else what has changed since it was last seen.

Where not all has room at once, what is looked at most stands last, right above the question: first what signs mean
and what lies beside the boards, then the players, then the boards from the smallest to the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.draw import Part
from interpreter.draw.ink import Line

_ORDER = {"legend": 0, "table": 1, "player": 2, "boards": 3}


@dataclass(frozen=True, slots=True)
class Picture:
    """The lines to be drawn; `is_whole` is False where something of the position is left out."""

    lines: list[Line]
    is_whole: bool


class Screen:
    """Remembers what has been seen last."""

    def __init__(self) -> None:
        self._seen: tuple[Part, ...] = ()

    def forget(self) -> None:
        """Nothing is to be seen any more, or all is asked for: the next drawing is whole."""
        self._seen = ()

    def picture(self, parts: Sequence[Part], bare: Sequence[Part], width: int, room: int | None) -> Picture:
        """What to draw of a position that has `room` for so many lines; None for any number.

        `bare` are the same parts without the numbers of options.
        """
        seen, self._seen = self._seen, tuple(bare)
        whole = [line for part in parts for line in part.lines(width)]
        if room is None or len(whole) <= room:
            return Picture(whole, is_whole=True)
        if len(seen) != len(bare):
            return Picture(_lines(parts, width), is_whole=True)
        changed = [_changed(part, new, old) for part, new, old in zip(parts, bare, seen, strict=True)]
        left = room - len(_lines([part for part in changed if part is not None], width))
        for i, part in enumerate(parts):  # boards with numbers, as far as there is room
            if changed[i] is None and part != bare[i] and len(part.lines(width)) <= left:
                changed[i] = part
                left -= len(part.lines(width))
        return Picture(_lines([part for part in changed if part is not None], width), is_whole=False)


def _changed(part: Part, new: Part, old: Part) -> Part | None:
    """What is to be drawn of a part because it is not as it was; None for nothing."""
    if part.kind == "legend":
        return part if part.items else None
    if part.kind == "table":
        items = tuple(item for item in part.items if item not in old.items)
        return Part("table", items) if items else None
    return part if new != old else None


def _lines(parts: Sequence[Part], width: int) -> list[Line]:
    """The parts, the boards last and of these the first one last."""
    boards = [part for part in parts if part.kind == "boards"]
    others = sorted((part for part in parts if part.kind != "boards"), key=lambda part: _ORDER[part.kind])
    return [
        line
        for part in (*others, *([BETWEEN] if boards and others else ()), *reversed(boards))
        for line in part.lines(width)
    ]


BETWEEN = Part("legend", ((),))
