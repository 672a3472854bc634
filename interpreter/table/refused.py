"""What a table does not do, as a value with a reason: whoever shows it has the words."""

from __future__ import annotations

from typing import Literal

#: `other_seat`: somebody else decides. `no_option`: it is not offered. `late`: the position is another one by now.
#: `over`: the game has ended. `spectator`: whoever asks sits on no seat. The rest are about undo: `nothing` was
#: decided, `chance` or hidden things came up since, a person who is `not_asked` decided since, `no_question` is open,
#: the others have `declined` already, or another question is open. And two about notes: `no_note` of that number is
#: the seat's, and it has as many as there may be (`many_notes`).
Reason = Literal[
    "other_seat",
    "no_option",
    "late",
    "over",
    "spectator",
    "nothing",
    "chance",
    "not_asked",
    "no_question",
    "declined",
    "no_note",
    "many_notes",
]


class Refused(Exception):
    """`reason` says why; `seat` whom it is about, where it is about somebody else."""

    def __init__(self, reason: Reason, seat: int | None = None):
        super().__init__(reason)
        self.reason = reason
        self.seat = seat
