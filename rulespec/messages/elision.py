"""Where a word loses its last vowel before the next one: "de Orange" is "d'Orange" in French.

A text knows what stands before a placeholder, and not what is put into it; so this is seen to when they are joined.
An `h` is left alone, as spelling does not tell whether it is silent: such a text is written around it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

#: By language: the words that lose their last letter.
_ELIDED: Final = {"fr": "ce de je jusque la le lorsque me ne puisque que quoique se te", "ca": "de"}
#: By language: what begins with a vowel and is treated as if it did not.
_NOT_BEFORE: Final = {"fr": ("onz", "oui")}
_VOWELS: Final = frozenset("aeiouæœ")
_APOSTROPHE: Final = "'"


@cache
def _before(language: str) -> re.Pattern[str] | None:
    words = _ELIDED.get(language.partition("-")[0])
    return None if words is None else re.compile(rf"(?<![\w'’-])({'|'.join(words.split())}) $", re.IGNORECASE)


def joined(language: str, parts: Iterable[str]) -> str:
    """The stretches of a text, literals and what fills its placeholders, as one text of the language."""
    pattern = _before(language)
    if pattern is None:
        return "".join(parts)
    text = ""
    for part in parts:
        if part and text.endswith(" ") and _begins_with_vowel(language, part):
            text = pattern.sub(_elided, text)
        text += part
    return text


def _elided(found: re.Match[str]) -> str:
    return found[1][:-1] + _APOSTROPHE


def _begins_with_vowel(language: str, text: str) -> bool:
    plain = unicodedata.normalize("NFD", text[:4].lower())
    return plain[:1] in _VOWELS and not plain.startswith(_NOT_BEFORE.get(language.partition("-")[0], "\0"))
