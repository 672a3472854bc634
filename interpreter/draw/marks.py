"""Short marks for things on a small place: an initial, as long as no other thing of the same kind has it.

>>> short_marks(["Blue", "Garnet"])
['B', 'G']
>>> short_marks(["Bleu", "Grenat", "Blanc"])
['Be', 'G', 'Ba']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from interpreter.draw.ink import text_width


def short_marks(names: Sequence[str]) -> list[str]:
    """A mark for each name, in order; different names have different marks.

    A name of one or two cells is its own mark.
    """
    marks = [_initial(name) for name in names]
    for attempt in (_two_words, _telling_letter, _numbered):
        shared = {mark for mark, n in Counter(_distinct(names, marks)).items() if n > 1}
        if not shared:
            break
        marks = [attempt(name, names) if mark in shared else mark for name, mark in zip(names, marks, strict=True)]
    return marks


def _distinct(names: Sequence[str], marks: Sequence[str]) -> list[str]:
    """The marks of names that differ."""
    return list(dict(zip(names, marks, strict=True)).values())


def _initial(name: str) -> str:
    if text_width(name) <= 2:
        return name
    letters = [c for c in name if c.isalnum()]
    return letters[0].upper() if letters else name[:1] or "?"


def _two_words(name: str, names: Sequence[str]) -> str:
    words = [word for word in name.split() if word[0].isalnum()]
    return "".join(_initial(word) for word in words[:2]) if len(words) > 1 else _initial(name)


def _telling_letter(name: str, names: Sequence[str]) -> str:
    """The initial and the first letter in which the name differs from all that begin alike."""
    others = [other for other in names if other != name and _initial(other) == _initial(name)]
    for at in range(1, len(name)):
        if name[at].isalnum() and all(other[at : at + 1] != name[at] for other in others):
            return _initial(name) + name[at]
    return _initial(name)


def _numbered(name: str, names: Sequence[str]) -> str:
    return f"{_initial(name)}{list(dict.fromkeys(names)).index(name) + 1}"
