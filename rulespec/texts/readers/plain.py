"""Plain text: each line is a row."""

from __future__ import annotations

from typing import Final

from rulespec.texts.document import Row

LARGEST: Final = 60_000_000  #: bytes of one file


class UnreadableRulebook(Exception):
    """A rulebook that cannot be read; the words say why, and what to do."""


def rows_of_text(text: str) -> list[Row]:
    """The lines of a text."""
    return [Row(number, 1, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
