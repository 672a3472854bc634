"""Pictures of pages as Debian's Chromium shows them, as rows of colours."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.processes import PATIENCE

CHROMIUM = shutil.which("chromium")
Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True)
class Screen:
    """A picture: rows of bytes, three for each dot."""

    width: int
    rows: tuple[bytes, ...]

    def colours(self) -> dict[Colour, int]:
        """How many dots there are of each colour."""
        found: dict[Colour, int] = {}
        for row in self.rows:
            for at in range(0, len(row), 3):
                dot = (row[at], row[at + 1], row[at + 2])
                found[dot] = found.get(dot, 0) + 1
        return found

    def column(self, at: int) -> set[Colour]:
        """The colours that stand in a column of dots."""
        return {(row[3 * at], row[3 * at + 1], row[3 * at + 2]) for row in self.rows}


def shot(page: Path, width: int, height: int) -> Screen:
    """What the browser shows of a page in a window of that size."""
    target = page.with_suffix(f".{width}.png")
    _run(page, f"--window-size={width},{height}", f"--screenshot={target}")
    return _read(target.read_bytes())


def printed(page: Path) -> bytes:
    """The page as it is printed: a PDF."""
    target = page.with_suffix(".pdf")
    _run(page, "--no-pdf-header-footer", f"--print-to-pdf={target}")
    return target.read_bytes()


def _run(page: Path, *words: str) -> None:
    assert CHROMIUM is not None
    home = page.parent / "browser"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={home}"]
    command = [CHROMIUM, *options, *words, page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)


@cache
def has_japanese(folder: Path) -> bool:
    """Whether the browser has letters for Japanese: they look otherwise than one that no font has."""
    page = folder / "letters.html"
    shots = []
    for letter in ("市", "\ue123"):
        page.write_text(f'<meta charset="utf-8"><p style="font-size:40px">{letter}</p>', encoding="utf-8")
        shots.append(shot(page, 120, 120).rows)
    return shots[0] != shots[1]


# ---- PNG ------------------------------------------------------------------------------------------------


def _read(data: bytes) -> Screen:
    """A PNG of eight bits for each colour, without interlacing, as the browser writes it."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind in (2, 6)) == (8, True)
    size = 4 if kind == 6 else 3
    raw = zlib.decompress(b"".join(_parts(data)))
    stride, rows, before = width * size, [], bytes(width * size)
    for at in range(0, height * (stride + 1), stride + 1):
        before = _unfiltered(raw[at], raw[at + 1 : at + 1 + stride], before, size)
        rows.append(before if size == 3 else b"".join(before[n : n + 3] for n in range(0, stride, 4)))
    return Screen(width, tuple(rows))


def _parts(data: bytes):
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            yield data[at + 8 : at + 8 + length]
        at += 12 + length


def _unfiltered(kind: int, row: bytes, above: bytes, size: int) -> bytes:
    if kind == 0:
        return row
    found = bytearray(row)
    for at in range(len(row)):
        left = found[at - size] if at >= size else 0
        corner = above[at - size] if at >= size else 0
        guess = (left, above[at], (left + above[at]) // 2, _paeth(left, above[at], corner))[kind - 1]
        found[at] = (found[at] + guess) & 255
    return bytes(found)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    distances = abs(guess - left), abs(guess - up), abs(guess - corner)
    return (left, up, corner)[distances.index(min(distances))]
