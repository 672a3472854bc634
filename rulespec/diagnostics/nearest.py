"""The nearest good name to a mistyped one.

>>> nearest("hand_sizes", ["hand_size", "rounds"])
'hand_size'
>>> nearest("handSize", ["hand_size", "rounds"])
'hand_size'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rulespec.diagnostics.fixes import Fix, changed, inside
from rulespec.source.text import Span

#: Longer names are not compared: nobody mistypes them by a letter, and content may hold very long ones.
LONGEST = 60

#: Of so many names of fitting length the slips are counted, the first ones: content may hold any number of names.
MOST_COMPARED = 2_000

#: With fewer letters a name, or a word of one with underscores, that differs is most likely another one.
_FEWEST_LETTERS, _FEWEST_OF_WORD = 5, 4

_NAME = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")

#: What capitals, underscores or a plural ending cost, in slips.
_FORM_SLIP = 0.5


@dataclass(frozen=True, slots=True)
class Near:
    """A good name that is like the one `written`; whether nobody can have meant another one."""

    name: str
    written: str
    is_certain: bool = True

    @property
    def question(self) -> str:
        """The hint that asks for it."""
        return f"Did you mean `{self.name}`?"

    def fixes(self, span: Span) -> tuple[Fix, ...]:
        """The fix that changes to it, in a place that is the name or has it once; none elsewhere."""
        place = inside(span)
        if place.text != self.written:
            found = [*re.finditer(rf"(?<![\w.]){re.escape(self.written)}(?![\w.])", place.text)]
            if len(found) != 1:
                return ()
            place = Span(span.file, place.start + found[0].start(), place.start + found[0].end())
        return (changed(place, self.name, is_certain=self.is_certain),)


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is fewest slips of typing away from `name`, or None when all are too far."""
    found = near_to(name, candidates)
    return None if found is None else found.name


def near_to(name: str, candidates: Iterable[str]) -> Near | None:
    """The candidate that is fewest slips of typing away from `name`, or None when all are too far.

    A slip is a letter too many, missing, wrong, or swapped with its neighbour. Capitals, underscores and a plural
    ending together are half a slip. About one letter in three may be wrong; ties go to the candidate that begins
    alike, then to the first one. Numbers have none. It is certain where no other one is as near, and it `is_slip`.
    """
    if not name or len(name) > LONGEST or name.isdecimal():  # one number is as near as another
        return None
    best: tuple[float, bool, int] | None = None
    found, is_sole = "", True
    bare, compared = _bare(name), 0
    for number, candidate in enumerate(candidates):
        if candidate == name or not 0 < len(candidate) <= LONGEST or compared > MOST_COMPARED:
            continue
        most = max(1, max(len(name), len(candidate)) // 3)
        slips = _slips(name, bare, candidate, most if best is None else min(most, best[0]))
        compared += slips < LONGEST
        rank = (slips, candidate[:1] != name[:1], number)
        if slips > most or (best is not None and slips > best[0]):
            continue
        is_sole = best is None or slips < best[0] or candidate == found
        if best is None or rank < best:
            best, found = rank, candidate
    return Near(found, name, is_sole and is_slip(name, found)) if best is not None else None


def is_slip(written: str, name: str) -> bool:
    """Whether a name was mistyped, and is no other one: it has one letter more, less or wrong, or two exchanged.

    Short names, digits and short words of a name are meant as they stand: `x` for `y`, `row_1` for `row_2`. Capitals
    and underscores do not tell names apart.
    """
    if _NAME.split(written) != _NAME.split(name):
        return False
    pairs = zip(_NAME.findall(written), _NAME.findall(name), strict=True)
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    return len(wrong) == 1 and _is_slip(*wrong[0])


def _is_slip(written: str, name: str) -> bool:
    """The same of one name without dots."""
    if min(map(_letters, (written, name))) < _FEWEST_LETTERS or _DIGITS.findall(written) != _DIGITS.findall(name):
        return False
    written, name = written.lower(), name.lower()
    if written.replace("_", "") == name.replace("_", ""):
        return True
    ours, theirs = written.split("_"), name.split("_")
    wrong = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
    if len(ours) != len(theirs) or len(wrong) != 1:
        return False
    return min(map(_letters, wrong[0])) >= _FEWEST_OF_WORD and distance(*wrong[0], 1) == 1


def _letters(name: str) -> int:
    return sum(map(str.isalpha, name))


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the nearest candidate, or None."""
    found = near_to(name, candidates)
    return None if found is None else found.question


def _slips(name: str, bare: str, candidate: str, most: float) -> float:
    """The slips between two names; more than `most` are counted no further."""
    bare_candidate = _bare(candidate)
    if bare == bare_candidate:
        return _FORM_SLIP
    if most < 1 or abs(len(bare) - len(bare_candidate)) > len(bare) // 3 + 1:  # known without counting
        return float(LONGEST)
    plain = distance(name, candidate, most)
    return min(plain, distance(bare, bare_candidate, most) + _FORM_SLIP)


@lru_cache(maxsize=20_000)
def _bare(name: str) -> str:
    """`name` without capitals, underscores and plural ending."""
    word = name.lower().replace("_", "")
    for ending, single in (("ies", "y"), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            return word[: -len(ending)] + single
    return word


def distance(left: str, right: str, most: float = LONGEST) -> int:
    """How many slips of typing lie between two words; where they are more than `most`, some number above it."""
    two_before: list[int] = []
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        two_before, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            slips = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                slips = min(slips, two_before[j - 2] + 1)
            row.append(slips)
        if min(row) > most and min(before) > most:  # a swap of neighbours looks two rows back
            break
    else:
        return row[-1]
    return LONGEST
