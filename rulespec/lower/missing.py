"""What is missing where a step of the set-up cannot be done, in words (RS805)."""

from __future__ import annotations


def too_few_drawn(wanted: int, drawn: int) -> str:
    """Where fewer pieces can be drawn than are wanted."""
    return f"{wanted} are to be drawn, and {drawn} can be"
