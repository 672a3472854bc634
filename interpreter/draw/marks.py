"""Short marks for things on a small place: an initial, as long as no other thing of the same kind has it.

>>> short_marks(["Blue", "Garnet"])
['B', 'G']
>>> short_marks(["Bleu", "Grenat", "Blanc"])
['Be', 'G', 'Ba']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from interpreter.draw.ink import text_width


def short_marks(names: Sequence[str]) -> list[str]:
    """A mark for each name, in order; different names have different marks.

    A name of one or two cells is its own mark.
    """
    marks = {name: _initial(name) for name in names}
    for attempt in (_two_words, _telling_letter):
        shared = _shared(marks)
        marks = {name: attempt(name, names) if mark in shared else mark for name, mark in marks.items()}
    shared = _shared(marks)
    taken = set(marks.values()) - shared
    for name, mark in marks.items():
        if mark in shared:
            marks[name] = _numbered(name, taken)
            taken.add(marks[name])
    return [marks[name] for name in names]


def _shared(marks: Mapping[str, str]) -> set[str]:
    """Marks that several names have."""
    return {mark for mark, n in Counter(marks.values()).items() if n > 1}


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


def _numbered(name: str, taken: set[str]) -> str:
    """The initial with the first number that makes it another one."""
    return next(mark for n in count(1) if (mark := f"{_initial(name)}{n}") not in taken)
