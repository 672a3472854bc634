"""What goes wrong at the server, as a value: a code, what its words name, and what stands behind it in English.

    Trouble("many_tables", limit="1,000").text("fr")

The words stand in message files (`engine.studio.error.CODE`), so that a page says them in its own language by the code.
What stands behind (`detail`) is a problem of content or of the machine, for whoever mends it.
"""

from __future__ import annotations

import re
from typing import Any, Final

from interpreter.studio.words import error_words
from interpreter.table.protocol import Message, error

#: Codes that clients of a table know as reasons of their own; all others are faults.
_REASONS: Final = frozenset({"full", "crowded", "rate"})


class Trouble:
    """One thing that went wrong. Equal where the same is told."""

    __slots__ = ("code", "detail", "given")

    def __init__(self, code: str, detail: str = "", **given: object):
        self.code, self.detail = code, detail
        self.given = {name: str(value) for name, value in given.items()}

    def text(self, language: str = "en") -> str:
        """Its words in a language, with what stands behind it."""
        told = re.sub(r"{(\w+)}", lambda found: self.given[found[1]], error_words(self.code, language))
        return f"{told} {self.detail}".strip()

    def data(self) -> dict[str, Any]:
        """What a client is told beside its text: enough to say it in another language."""
        found: dict[str, Any] = {"code": self.code}
        found |= {"given": dict(self.given)} if self.given else {}
        return found | ({"detail": self.detail} if self.detail else {})

    def message(self, language: str = "en", number: int | None = None) -> Message:
        """For somebody at a table."""
        reason = self.code if self.code in _REASONS else "fault"
        return error(reason, self.text(language), number) | self.data()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trouble) and self._all == other._all

    def __hash__(self) -> int:
        return hash(self.code)

    @property
    def _all(self) -> tuple[str, str, dict[str, str]]:
        return self.code, self.detail, self.given


class Troubled(Exception):
    """What was asked for cannot be done. Its text is in English."""

    def __init__(self, trouble: Trouble):
        super().__init__(trouble.text())
        self.trouble = trouble
