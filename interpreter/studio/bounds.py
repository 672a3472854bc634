"""What one client, one table and all of them may take of the machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Final

from interpreter.table.protocol import LONGEST_MESSAGE

MOST_TABLES: Final = 1_000  #: in the file
MOST_OPEN: Final = 400  #: tables in memory
MOST_CONNECTIONS: Final = 2_000
MOST_WATCHING: Final = 1_000  #: of these, so that there is room for people however many watch
MOST_AT_A_SEAT: Final = 8  #: connections of one seat of a table
MOST_SPECTATORS: Final = 24  #: connections of a table's spectators together
MOST_ENTRIES: Final = 20_000  #: of a table's record
MOST_IN_A_ROW: Final = 5_000  #: decisions of automatic seats
LONGEST_REQUEST: Final = 65_536  #: bytes of what is sent by HTTP
LONGEST_SAVE: Final = 16_000_000  #: bytes of a save or a log that a table is made of
SECONDS_TO_CHECK: Final = 30.0  #: of processor time, in which such a file is to be read and played again
SECONDS_TO_LOOK: Final = 1.0  #: so often it is looked whether whoever sent it still waits
LONGEST_SOCKET_MESSAGE: Final = LONGEST_MESSAGE
SECONDS_TO_SEND: Final = 30.0  #: a client that takes no message for so long is left
SECONDS_TO_JOIN: Final = 10.0  #: so is one that does not say `join`
SECONDS_TO_ASK: Final = 10.0  #: and whoever connects and asks for nothing: anybody may

#: Messages of one client: so many at once, and so many a second in the long run. Some ask for more work than others.
BURST: Final = 40.0
A_SECOND: Final = 10.0
#: So many times as much may all connections of one seat ask for together, and all spectators of a table.
OF_A_SEAT: Final = 2.0
OF_SPECTATORS: Final = 4.0
COSTS: Final = (
    dict.fromkeys(("why_not", "foresee", "join", "look", "language"), 4.0)
    | dict.fromkeys(("draw", "log", "points", "rules", "note", "unpin"), 2.0)
    | {"log_file": 20.0}
)


@dataclass(slots=True)
class Rate:
    """How much a client may ask for just now; `times` as much where it stands for several."""

    times: float = 1.0
    left: float = inf
    at: float = field(default_factory=monotonic)

    def allows(self, kind: object) -> bool:
        """Whether another message may be answered; it counts if so."""
        now = monotonic()
        self.left, self.at = min(self.times * BURST, self.left + (now - self.at) * self.times * A_SECOND), now
        cost = COSTS.get(kind, 1.0) if isinstance(kind, str) else 1.0
        if self.left < cost:
            return False
        self.left -= cost
        return True
