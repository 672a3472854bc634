"""Edits of the small game by chance: what is typed, deleted and put in while somebody works."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.service.spaces import ISLANDS

BREAKS = ("[", "]", "{", "}", '"', "'", "\t", ": ", "- ", "#", "|", "(", ")", "&a ", "\r", "é", "😀", "\n", "where: ")


def edits(seed: int, count: int) -> Iterator[tuple[str, int]]:
    """A text after each of some edits, and where the last one was."""
    chance, text = random.Random(seed), ISLANDS
    for _ in range(count):
        at = chance.randrange(len(text))
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:at] + chance.choice(BREAKS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + chance.randrange(1, 12) :]
        elif kind == 2:
            begin = chance.randrange(len(ISLANDS))
            text = text[:at] + ISLANDS[begin : begin + chance.randrange(1, 30)] + text[at:]
        else:
            text = ISLANDS
        at = min(at, len(text))
        yield text, at
