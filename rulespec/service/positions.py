"""Offsets in a text, and the lines and columns by which editors name places; files, and the addresses of editors.

Lines are counted from 0, and so are columns, in units of an encoding: `utf-8` (bytes), `utf-16` or `utf-32`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_DRIVE = re.compile(r"/?([A-Za-z])[:|](?=/|$)")
_ADDRESS = re.compile(r"file:(?://([^/]*))?(/[^?#]*)", re.IGNORECASE)
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_TO_ESCAPE = re.compile(r"[^A-Za-z0-9/_.~-]")
_BREAK = re.compile("\r\n|\n|\r")
_HALF = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: line and column from 0."""

    line: int
    column: int


class Lines:
    """The lines of a text, to go from offsets to positions and back. A line ends with LF, CRLF or CR."""

    def __init__(self, text: str) -> None:
        self._text = text
        breaks = list(_BREAK.finditer(text))
        self._starts = [0, *(found.end() for found in breaks)]
        self._ends = [*(found.start() for found in breaks), len(text)]

    def offset(self, position: Position, encoding: str = "utf-16") -> int:
        """The offset of a position. One beyond the end of its line, or of the text, is that end."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[position.line], self._ends[position.line]
        line = self._text[start:end]
        if encoding == "utf-32" or line.isascii():
            return start + min(max(position.column, 0), len(line))
        units = 0
        for number, character in enumerate(line):
            size = _units(character, encoding)
            if units + size > position.column:  # before it, or in its middle
                return start + number
            units += size
        return end

    def position(self, offset: int, encoding: str = "utf-16") -> Position:
        """The position of an offset; one outside the text counts as the nearest inside."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[line] : offset]
        if encoding == "utf-32" or before.isascii():
            return Position(line, len(before))
        return Position(line, sum(_units(character, encoding) for character in before))


def edited(text: str, start: Position, end: Position, new: str, encoding: str = "utf-16") -> str:
    """A text with the stretch between two positions, in either order, replaced."""
    lines = Lines(text)
    first, last = sorted((lines.offset(start, encoding), lines.offset(end, encoding)))
    return joined(text[:first] + new + text[last:])


def joined(text: str) -> str:
    """A text in which halves of a character that came one after the other are that character."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _units(character: str, encoding: str) -> int:
    if encoding == "utf-32":
        return 1
    if encoding == "utf-16":
        return 2 if ord(character) > 0xFFFF else 1
    code = ord(character)
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)


def path_of(address: str) -> str | None:
    """The path that a `file:` address names, with `/`; None for other addresses.

    Drives of Windows are written `c:/…` however the address writes them (`/C:/`, `/c%3A/`); `//host/…` is a share.
    """
    found = _ADDRESS.match(address)
    if found is None:
        return None
    host, path = found.group(1) or "", _unescaped(found.group(2))
    if host and host.lower() != "localhost":
        return f"//{host}{path}"
    drive = _DRIVE.match(path)
    return f"{drive.group(1).lower()}:{path[drive.end() :] or '/'}" if drive else path


def address_of(path: str) -> str:
    """The `file:` address of a whole path, of Windows or any other system."""
    path = path.replace("\\", "/") if re.match(r"[A-Za-z]:\\|\\\\", path) else path
    drive = _DRIVE.match(path)
    if drive and not path.startswith("/"):
        return f"file:///{drive.group(1).lower()}%3A{_escaped(path[drive.end() :])}"
    if path.startswith("//"):
        host, _, rest = path[2:].partition("/")
        return f"file://{host}/{_escaped(rest)}"
    return f"file://{_escaped(path)}"


def _unescaped(path: str) -> str:
    raw = _ESCAPED.sub(lambda found: bytes([int(found.group(1), 16)]), path.encode("utf-8", "surrogatepass"))
    return raw.decode("utf-8", "replace")


def _escaped(path: str) -> str:
    def escape(found: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in found.group().encode("utf-8", "surrogatepass"))

    return _TO_ESCAPE.sub(escape, path)
