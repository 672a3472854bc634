"""What is missing where a step of the set-up cannot be done, in words (RS805)."""

from __future__ import annotations

#: by operation
MISSING = {
    "move": "a piece is not there, or has no room",
    "flip": "a piece is not there",
    "require": "what must be true is false",
    "pay": "there is too little to pay with",
    "ask": "there is nothing to choose",
    "callv": "the effect nests too deep",
}


def too_few_drawn(wanted: int, drawn: int) -> str:
    """Where fewer pieces can be drawn than are wanted."""
    return f"{wanted} are to be drawn, and {drawn} can be"
