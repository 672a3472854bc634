"""Lines to blocks: what belongs to one paragraph is put together, however the lines are broken.

A line begins a new block after an empty line, at a bullet, at the next number of a list, or where the file says so. A
sentence that goes on in small letters after an empty line goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from rulespec.texts.document import Block, Kind, Piece, Row

_BULLET: Final = re.compile(r"[-•·*–▪◦‣]\s+|[・●■]\s*")
_STEP: Final = re.compile(r"(\d{1,2})(?:[.)．]\s+|\s+(?=[^\d\W]|[(（]))")
_BOLD_STEP: Final = re.compile(r"\*\*(\d{1,2})\*\*\s+")
_DOTTED: Final = re.compile(r"\d{1,2}[.)．]\s")
_ENDS: Final = re.compile(r"[.!?。！？:：;；…][\"'”’»)\]）」*]*$")
_GLYPH: Final = re.compile(r"[^\W\d_]")
_WIDE: Final = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_KATAKANA: Final = re.compile(r"[\u30a0-\u30ff]")
_BRACKET: Final = re.compile(r"[(（][\u3040-\u30ff\u3400-\u9fff]")
_OUT_OF_ORDER: Final = 4  #: how far a list's number may be from the one before
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_SMALL: Final = re.compile(r"[a-zà-öø-ÿ]")


@dataclass
class _Open:
    """A block that is being put together."""

    kind: Kind
    number: int | None
    text: str = ""
    pieces: list[Piece] = field(default_factory=list)

    def add(self, row: Row, skip: int, known: frozenset[str] = frozenset()) -> None:
        words = row.text[skip:]
        if self.text and _is_hyphenated(self.text, words, known):
            self.text = self.text[:-1]
        elif self.text and words and _parted(self.text, words):
            self.text += " "
        self.pieces.append(Piece(len(self.text), row.number, row.column + skip))
        self.text += words


def _is_hyphenated(before: str, after: str, known: frozenset[str]) -> bool:
    """Whether a word was parted at the end of a line: put together it stands elsewhere too."""
    start, end = re.search(r"(\w+)-$", before), re.match(r"\w+", after)
    return start is not None and end is not None and f"{start[1]}{end[0]}".lower() in known


def _parted(before: str, after: str) -> bool:
    """Whether two lines are parted by a space. In scripts without spaces only between words of other scripts."""
    if _WIDE.match(before[-1]) or _WIDE.match(after[0]) or (before[-1] == "-" and before[-2:-1].isalpha()):
        return False
    if _WIDE.search(before) or _WIDE.search(after):
        return before[-1].isalnum() and after[0].isalnum() and not (before[-1].isdigit() and after[0].isdigit())
    return True


def blocks(rows: Iterable[Row]) -> tuple[Block, ...]:
    """The blocks of a document's lines. An empty row parts paragraphs."""
    rows = list(rows)
    known = frozenset(word for row in rows for word in _WORD.findall(row.text.lower()))
    return tuple(_finished(block) for block in _put_together(rows, known) if _GLYPH.search(block.text))


def _finished(block: _Open) -> Block:
    kind = "heading" if block.kind == "text" and _is_heading(block.text) else block.kind
    return Block(kind, block.text.rstrip(), tuple(block.pieces), block.number)


def _is_heading(text: str) -> bool:
    """A short text without an end, in capitals or of few words."""
    bare = re.sub(r"[*_]", "", text).strip()
    if _ENDS.search(bare) or len(bare) > 70 or re.match(r"[\d(]", bare):
        return False
    return bare.isupper() or (len(bare.split()) <= 8 and len(bare) <= 50)


def _put_together(rows: Iterable[Row], known: frozenset[str]) -> Iterator[_Open]:
    block: _Open | None = None
    parted = True
    counted = 0  # the number of the list's step that was read last
    for row in rows:
        words = row.text.strip()
        if not words:
            parted = True
            continue
        bare = replace(row, column=row.column + len(row.text) - len(row.text.lstrip()), text=words)
        kind, number, skip = _start(bare, block, counted, parted=parted)
        if block is not None and not _begins(bare, block, kind, parted=parted):
            block.add(bare, 0, known)
        else:
            if block is not None:
                yield block
            block = _Open(kind, number)
            block.add(bare, skip)
            counted = number if number is not None else (counted if kind in ("item", "text") else 0)
        parted = False
    if block is not None:
        yield block


def _start(row: Row, block: _Open | None, counted: int, *, parted: bool) -> tuple[Kind, int | None, int]:
    """What a line would begin, and how many characters its bullet or number takes."""
    if row.kind != "text":
        return row.kind, None, 0
    bullet = _BULLET.match(row.text)
    if bullet is not None and (parted or block is None or not _goes_on(block.text, row.text, bullet.end())):
        step = _STEP.match(row.text, bullet.end())
        if step is not None and _next(int(step[1]), counted) and _starts_step(row.text, step.end()):
            return "step", int(step[1]), step.end()
        return "item", None, bullet.end()
    bold = _BOLD_STEP.match(row.text)
    if bold is not None and (parted or block is None) and _next(int(bold[1]), counted):
        return "step", int(bold[1]), bold.end()
    step = _STEP.match(row.text)
    if step is not None and not re.match(r"\d+ ?x\b", row.text):
        value = int(step[1])
        ended = parted or block is None or bool(_ENDS.search(block.text)) or block.kind == "step"
        ended = ended or (block is not None and block.kind == "item" and value == counted + 1 and bool(counted))
        if _next(value, counted) and ended and (_DOTTED.match(row.text) or _starts_step(row.text, step.end())):
            return "step", value, step.end()
    return "text", None, 0


def _goes_on(before: str, line: str, at: int) -> bool:
    """Whether what looks like a bullet is a mark inside of a word or a phrase that was broken there."""
    if _ENDS.search(before):
        return False
    if line[0] == "・":
        return bool(_KATAKANA.match(before[-1]) and _KATAKANA.match(line, at))
    return line[0] == "*"


def _next(value: int, counted: int) -> bool:
    """Whether a number can be a list's next: the first, or near the last one, since entries may be out of order."""
    return value == 1 or (counted > 0 and value != counted and abs(value - counted) <= _OUT_OF_ORDER)


def _starts_step(text: str, at: int) -> bool:
    """Whether what follows a number without a dot can begin a step: not the thing that the number counts."""
    return bool(_WIDE.match(text, at) or _BRACKET.match(text, at))


def _begins(row: Row, block: _Open, kind: Kind, *, parted: bool) -> bool:
    if row.begins or kind != "text":
        return True
    if not parted:
        return block.kind == "heading"
    if block.kind == "heading" or _ENDS.search(block.text):
        return True
    return not (_SMALL.match(row.text) and _SMALL.search(block.text[-1]) and len(block.text) > 40)
