"""Texts folded character by character, so that a place in the folded text is the place in the text.

fold("Élan’s ２")  ->  "elan's 2"
"""

from __future__ import annotations

import unicodedata
from functools import cache

_SAME = {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "×": "x", "✕": "x"}


@cache
def _fold(character: str) -> str:
    """One character for one: small, of usual width, without accents (kana keep theirs)."""
    character = _SAME.get(character, character)
    if character.isspace():
        return " "
    wide = unicodedata.normalize("NFKC", character)
    character = wide if len(wide) == 1 else character
    small = character.lower()
    character = small if len(small) == 1 else character
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character


@cache
def _level(character: str) -> str:
    """One character for one: small and of usual width, with its accents."""
    character = _SAME.get(character, character)
    if character.isspace():
        return " "
    wide = unicodedata.normalize("NFKC", character)
    small = (wide if len(wide) == 1 else character).lower()
    return small if len(small) == 1 else character


def fold(text: str) -> str:
    """`text` in small letters of usual width without accents; as long as `text`."""
    return "".join(map(_fold, text))


def level(text: str) -> str:
    """`text` in small letters of usual width with its accents; as long as `text`."""
    return "".join(map(_level, text))
