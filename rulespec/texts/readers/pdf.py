"""PDF: lines are put together from words by their places on the page; columns are read one after the other.

A row's number is that of its page times 1000, and of its line on that page: 3012 is line 12 of page 3. Needs
pdfplumber, which `pip install 'rulespec[pdf]'` brings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rulespec.texts.document import Row
from rulespec.texts.readers.plain import UnreadableRulebook

PAGE: Final = 1000  #: what a page counts in the number of a row
_MOST_PAGES: Final = 400
_MIDDLE: Final = (0.35, 0.65)  #: where on the page the gap between two columns is looked for
_CROSSING: Final = 0.06  #: the part of the words that may cross the gap: headings over both columns
_SHARE: Final = 0.2  #: the part of the words that each column has, at least
_PARAGRAPH: Final = 1.55  #: a distance between lines that parts paragraphs, in heights of a line
_EVERYWHERE: Final = 0.5  #: what stands on so many of the pages is furniture


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    left: float
    right: float
    top: float
    bottom: float


def rows_of_pdf(path: Path) -> list[Row]:
    """The lines of all pages. Raises UnreadableRulebook."""
    pages = [_lines(words, width) for words, width in _pages(path)]
    furniture = _furniture(pages)
    rows: list[Row] = []
    for number, lines in enumerate(pages, 1):
        kept = [line for line in lines if _text(line) not in furniture and not _text(line).isdigit()]
        rows += _rows(kept, number)
        rows.append(Row(number * PAGE + len(kept) + 1, 1, ""))
    return rows


def _pages(path: Path) -> Iterator[tuple[list[_Word], float]]:
    try:
        import pdfplumber
    except ImportError as error:
        raise UnreadableRulebook(
            f"Reading {path.name} needs pdfplumber: pip install 'rulespec[pdf]'. Or save the rulebook as text."
        ) from error
    try:
        with pdfplumber.open(path) as document:
            for page in document.pages[:_MOST_PAGES]:
                yield [_word(word) for word in page.extract_words(x_tolerance_ratio=0.15)], float(page.width)
                page.close()
    except UnreadableRulebook:
        raise
    except Exception as error:  # a damaged file can fail anywhere in the library
        if "Password" in repr(error):
            raise UnreadableRulebook(f"{path.name} has a password. Save it without one.") from error
        raise UnreadableRulebook(f"{path.name} is a damaged PDF: {str(error) or type(error).__name__}.") from error


def _word(word: dict[str, Any]) -> _Word:
    return _Word(str(word["text"]), float(word["x0"]), float(word["x1"]), float(word["top"]), float(word["bottom"]))


# ---- columns ----------------------------------------------------------------------------------------


def _lines(words: Sequence[_Word], width: float) -> list[list[_Word]]:
    """The lines of a page in the order in which they are read."""
    gap = _gap(words, width)
    if gap is None:
        return _by_height(words)
    found: list[list[_Word]] = []
    left: list[_Word] = []
    right: list[_Word] = []
    for line in _by_height(words):
        if any(word.left < gap < word.right for word in line):  # over both columns
            found += [*_by_height(left), *_by_height(right), line]
            left, right = [], []
        else:
            left += [word for word in line if word.right <= gap]
            right += [word for word in line if word.left >= gap]
    return [*found, *_by_height(left), *_by_height(right)]


def _gap(words: Sequence[_Word], width: float) -> float | None:
    """Where two columns are parted; None where there is one."""
    if len(words) < 20:
        return None
    best, where = len(words), None
    for step in range(int(width * _MIDDLE[0]), int(width * _MIDDLE[1]), 2):
        crossing = sum(word.left < step + 3 and word.right > step - 3 for word in words)
        nearer = where is None or abs(step - width / 2) < abs(where - width / 2)
        if crossing < best or (crossing == best and nearer):
            best, where = crossing, step
    if where is None or best > _CROSSING * len(words):
        return None
    left = sum(word.right <= where for word in words)
    right = sum(word.left >= where for word in words)
    return float(where) if min(left, right) >= _SHARE * len(words) else None


def _by_height(words: Sequence[_Word]) -> list[list[_Word]]:
    """Words put together to lines, from the top."""
    lines: list[list[_Word]] = []
    for word in sorted(words, key=lambda word: ((word.top + word.bottom) / 2, word.left)):
        middle = (word.top + word.bottom) / 2
        if lines and lines[-1][0].top <= middle <= lines[-1][0].bottom:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.left) for line in lines]


# ---- rows -------------------------------------------------------------------------------------------


def _text(line: Sequence[_Word]) -> str:
    out = ""
    for word in line:
        wide = out and (ord(out[-1]) > 0x2E80 or ord(word.text[0]) > 0x2E80)
        out += word.text if not out or wide else f" {word.text}"
    return out


def _furniture(pages: Sequence[list[list[_Word]]]) -> set[str]:
    """What stands on most pages: the title of the book, the chapter."""
    if len(pages) < 4:
        return set()
    seen = Counter(text for lines in pages for text in {_text(line) for line in (*lines[:2], *lines[-2:])})
    return {text for text, number in seen.items() if number >= max(3, _EVERYWHERE * len(pages))}


def _rows(lines: Sequence[list[_Word]], page: int) -> Iterator[Row]:
    before: list[_Word] | None = None
    for number, line in enumerate(lines, 1):
        if before is not None and _parted(before, line):
            yield Row(page * PAGE + number, 1, "")
        yield Row(page * PAGE + number, 1, _text(line))
        before = line


def _parted(before: Sequence[_Word], line: Sequence[_Word]) -> bool:
    """Whether a paragraph ends between two lines: there is a gap, or another column or size of letters begins."""
    height = max(word.bottom - word.top for word in before)
    own = max(word.bottom - word.top for word in line)
    down = line[0].top - before[0].top
    return down > _PARAGRAPH * height or down < 0 or abs(own - height) > 0.2 * height
