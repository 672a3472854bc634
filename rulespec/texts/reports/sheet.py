"""CSV that spreadsheets open as it is meant: no cell is a formula, none is cut, none becomes a date."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

#: What parts cells, by its name: where numbers have a decimal comma, spreadsheets want semicolons.
SEPARATORS: Final = {"comma": ",", "semicolon": ";", "tab": "\t"}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")
_LONGEST: Final = 32_000  #: characters of a cell; the best known spreadsheet cuts behind 32,767
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def csv_text(rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """The rows, each as a line."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    return out.getvalue()


def _plain(cell: object) -> object:
    """A cell that is text and no formula, and that nothing is cut from by the spreadsheet itself."""
    if not isinstance(cell, str):
        return cell
    words = _UNSEEN.sub(" ", cell)
    words = f"'{words}" if words.lstrip(" ").startswith(_FORMULA) else words
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
