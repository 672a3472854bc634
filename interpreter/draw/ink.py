"""Lines of text with colours, measured in the cells of a terminal: a Japanese letter takes two.

A *run* is a stretch of text in one style, a line is a tuple of runs. A style is what stands in an SGR
escape sequence (`1;34`), or nothing. Colours are put in at the very end, or left out.

>>> line = (*plain("ab"), *plain("日本", BOLD))
>>> width(line)
6
>>> render(cut(line, 5))
'ab日…'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

from wcwidth import wcswidth

from rulespec.source.characters import clusters, is_shown

Run = tuple[str, str]
Line = tuple[Run, ...]

BOLD: Final = "1"
DIM: Final = "2"

#: One colour for each seat, all readable on dark and on light.
SEATS: Final = ("94", "91", "33", "32", "95", "36", "34", "31")
#: The colours of seats whose ids are words for one. One of black and white is a terminal's ground: they have others.
NAMED: Final = {
    "blue": "94", "red": "91", "yellow": "38;5;136", "green": "32", "purple": "95", "violet": "95", "magenta": "95",
    "pink": "95", "teal": "36", "cyan": "36", "turquoise": "36", "navy": "34", "orange": "38;5;166",
    "brown": "38;5;130", "grey": "90", "gray": "90",
}  # fmt: skip

#: Seats whose ids name the ink or the paper of a picture. `TO_INK` says so in a style; a terminal does nothing for it.
INKED: Final = frozenset({"black", "white"})
TO_INK: Final = "10"

BLANK: Final[Line] = ()

COMMAS: Final = ",、，"
#: Signs in Japanese names behind which a line can end.
JOINTS: Final = "・＝"
#: Signs that no line of Japanese begins with.
NOT_FIRST: Final = "）」』】、。，．・：；？！ー"


_OBEYED: Final = ("Cc", "Cf", "Zl", "Zp", "Cs")


@cache
def seat_styles(seats: tuple[str, ...]) -> tuple[str, ...]:
    """The styles in which things of each seat are drawn: by the colour that its id names, else one that is left."""
    found = {seat: NAMED[seat] for seat in seats if seat in NAMED}
    for seat in reversed(seats):
        if list(found.values()).count(found.get(seat, "")) > 1:
            del found[seat]
    free = [style for style in SEATS if style not in found.values()] + list(SEATS)
    others = [seat for seat in seats if seat not in found]
    found |= {seat: free[number % len(free)] for number, seat in enumerate(others)}
    return tuple(f"{BOLD};{found[seat]}" + (f";{TO_INK}" if seat in INKED else "") for seat in seats)


def clean(text: str, keep: str = "") -> str:
    """The text without what a terminal would obey: control characters, line ends, marks that turn the direction.

    What scripts and emoji need stays; `keep` are other invisible characters to be kept.
    """
    if text.isascii() and text.isprintable():
        return text
    kept = (" " if c in "\n\t" else c for c in text)
    return "".join(c for c in kept if unicodedata.category(c) not in _OBEYED or is_shown(c) or c in keep)


def plain(text: str, style: str = "") -> Line:
    """A line of one run."""
    return ((clean(text), style),) if text else BLANK


def text_width(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(map(cluster_width, clusters(text)))


def cluster_width(cluster: str) -> int:
    """How many cells a letter takes with its marks, or a sign that is joined of several."""
    return max(wcswidth(cluster), 0)


def width(line: Line) -> int:
    """How many cells a line takes."""
    return sum(text_width(text) for text, _ in line)


def join(lines: Iterable[Line], between: Line = BLANK) -> Line:
    """Lines one after the other as one line."""
    found: list[Run] = []
    for number, line in enumerate(lines):
        if number:
            found += between
        found += line
    return tuple(found)


def cut(line: Line, most: int) -> Line:
    """The line in at most `most` cells; where it is longer its end is a sign that something is missing."""
    if width(line) <= most:
        return line
    found: list[Run] = []
    left = most - 1
    for text, style in line:
        kept = _fitting(text, left)
        found.append((kept, style))
        left -= text_width(kept)
        if kept != text:
            break
    return (*found, ("…", "")) if most > 0 else BLANK


def _fitting(text: str, most: int) -> str:
    used, at = 0, 0
    for cluster in clusters(text):
        used += cluster_width(cluster)
        if used > most:
            return text[:at]
        at += len(cluster)
    return text


def pad(line: Line, wanted: int, *, right: bool = False, centre: bool = False) -> Line:
    """The line in exactly `wanted` cells: cut, or filled with blanks behind it (`right`: before it)."""
    line = cut(line, wanted)
    missing = wanted - width(line)
    if missing <= 0:
        return line
    before = missing if right else missing // 2 if centre else 0
    return (*_blanks(before), *line, *_blanks(missing - before))


def _blanks(n: int) -> Line:
    return ((" " * n, ""),) if n else BLANK


def wrap(items: Iterable[Line], most: int, between: Line = (("  ", ""),), indent: int = 0) -> list[Line]:
    """Items side by side in lines of at most `most` cells; lines after the first are indented.

    An item that is longer than a line is broken between its words, or cut where it has none.
    """
    found: list[Line] = []
    current: Line = BLANK
    for item in items:
        joined = join([current, item], between) if width(current) > _margin(found, indent) else join([current, item])
        if width(joined) <= most:
            current = joined
            continue
        if width(current) > _margin(found, indent):
            found.append(current)
        *whole, current = _broken(join([_blanks(_margin(found, indent)), item]), most, indent)
        found += whole
    return [*found, current] if current or not found else found


def _margin(found: list[Line], indent: int) -> int:
    return indent if found else 0


def _broken(line: Line, most: int, indent: int) -> list[Line]:
    """A line as several, broken after blanks where it can be."""
    found: list[Line] = []
    while width(line) > most:
        at = _break_at(line, most, indent)
        head, line = _split(line, at)
        found.append(head)
        line = join([_blanks(indent), _lstrip(line)])
    return [*found, line]


def _break_at(line: Line, most: int, indent: int) -> int:
    """After how many characters a line is broken: behind a comma or a blank that fits, else where it is full."""
    letters = "".join(text for text, _ in line)
    fits = len(_fitting(letters, most))
    commas = [at for at in range(indent + 1, fits + 1) if letters[at - 1] in COMMAS]
    blanks = [at for at in range(indent + 1, fits + 1) if letters[at : at + 1] == " " or letters[at - 1] in JOINTS]
    if commas and 3 * commas[-1] >= fits:
        return commas[-1]
    at = blanks[-1] if blanks else max(fits, indent + 1)
    while at > indent + 1 and letters[at : at + 1] in NOT_FIRST and letters[at : at + 1]:
        at -= 1
    return at


def _split(line: Line, at: int) -> tuple[Line, Line]:
    head: list[Run] = []
    tail: list[Run] = []
    for text, style in line:
        if at > 0:
            head.append((text[:at], style))
        if len(text) > at:
            tail.append((text[max(at, 0) :], style))
        at -= len(text)
    return tuple(head), tuple(tail)


def _lstrip(line: Line) -> Line:
    (text, style), *rest = line
    return ((text.lstrip(" "), style), *rest)


def render(line: Line, *, colour: bool = False) -> str:
    """The line as it is printed, without blanks at its end."""
    if not colour:
        return "".join(text for text, _ in line).rstrip(" ")
    return "".join(f"\x1b[{style}m{text}\x1b[0m" if style and text else text for text, style in line).rstrip(" ")
