"""Reading logs: what each line says, and what is wrong with lines that were cut, broken or edited.

    problems = Problems()
    log = read_log("game.log", problems)

Whether the lines are true is another question: `interpreter.log_checking` plays the game again.
"""

from __future__ import annotations

import errno
import itertools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from interpreter.log_lines import LOG_VERSION, LONGEST_LOG, STATES, Line
from rulespec.diagnostics.model import Problems
from rulespec.published import first_fault, place_of
from rulespec.source.text import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: what it says and where it stands. `kind` is header, decision, event or result."""

    kind: str
    span: Span

    @property
    def line(self) -> Line:
        """What it says, read each time: as data a line takes ten times its text, and a log may be long."""
        found: Line = json.loads(self.span.text)
        return found


@dataclass(frozen=True, slots=True)
class Log:
    """A log's lines in order. `is_whole` is False where it could only be read up to a fault (or stops by itself)."""

    file: SourceFile
    entries: tuple[Entry, ...]
    is_whole: bool

    @property
    def header(self) -> Line:
        return self.entries[0].line

    @property
    def decisions(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == "decision")

    @property
    def keys(self) -> tuple[str, ...]:
        """What was chosen, in order."""
        return tuple(entry.line["key"] for entry in self.decisions)

    @property
    def tells_states(self) -> bool:
        """Whether its digests stand for states as they are now; those of an older log say nothing of these."""
        return "states" in self.header

    @property
    def is_of_a_seat(self) -> bool:
        """Whether it holds what one seat may know: it has no seed, and cannot be played again."""
        return "seat" in self.header


_MARKS: Final = {"log": "header", "n": "decision", "event": "event", "result": "result"}
_SAVED: Final = '{"save":'
_AT_ONCE: Final = 1 << 20  # bytes

#: How deep lists and maps of a line may stand in one another. What a game writes is a few deep; whoever compares or
#: reads a line again does it by recursion, and is never to come to the end of that.
DEEPEST: Final = 64


def read_log(path: str | Path, problems: Problems, *, ended: bool = True) -> Log | None:
    """The log in a file, up to its first fault; None where not even its header can be read.

    Reports RS820 to RS824. `ended` says whether a result line must stand at its end; in a saved game none must.
    Raises as `text_of`.
    """
    return parse_log(SourceFile.of(str(path), text_of(path)), problems, ended=ended)


def text_of(path: str | Path) -> str:
    """The text of a log or a save.

    Raises OSError (EOVERFLOW where it is too large), and ValueError for a file that is no UTF-8 text.
    """
    raw = bytearray()  # grown as it is read: asked for the whole bound at once, a file reserves that much for one line
    with Path(path).open("rb") as stream:
        while len(raw) <= LONGEST_LOG and (part := stream.read(min(_AT_ONCE, LONGEST_LOG + 1 - len(raw)))):
            raw += part
    if len(raw) > LONGEST_LOG:
        raise OSError(errno.EOVERFLOW, f"it has more than {LONGEST_LOG // 1_000_000} million bytes", str(path))
    text = raw.decode("utf-8-sig")  # some editors put a mark before the first line
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def parse_log(
    file: SourceFile, problems: Problems, *, ended: bool = True, each: Callable[[], None] | None = None
) -> Log | None:
    """As `read_log`, of a text. `each` is called before each line: it may raise where this takes too long."""
    entries: list[Entry] = []
    spans = _lines(file)
    if spans and spans[-1].text.startswith(_SAVED):  # the line that makes it a save, which is no part of the log
        spans, ended = spans[:-1], False
    if not spans:
        problems.add("RS824", Span(file, 0, 0), what="is empty")
        return None
    n = 0  # the decision before
    for span in spans:
        if each is not None:
            each()
        entry = _entry(span, problems)
        if entry is None or not _in_order(entry, entries, n, problems):
            return Log(file, tuple(entries), is_whole=False) if entries else None
        entries.append(entry)
        n += entry.kind == "decision"
    has_end = entries[-1].kind == "result"
    if ended and not has_end:
        problems.add("RS824", entries[-1].span, what="ends without a result line")
    return Log(file, tuple(entries), is_whole=has_end or not ended)


def _lines(file: SourceFile) -> list[Span]:
    """The places of the lines, without their breaks; the last one may be broken off."""
    starts = [*file.line_starts, len(file.text)]
    spans = [Span(file, a, b) for a, b in itertools.pairwise(starts) if b > a]
    return [Span(file, s.start, s.start + len(s.text.rstrip("\r\n"))) for s in spans]


class _Twice(ValueError):
    """A key that stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice("a field stands twice")
    return found


def data_of(text: str) -> Any:
    """What a line from elsewhere says.

    Raises ValueError for what is no JSON, has a field twice, is too deep, or holds half of a character, which could not
    be written.
    """
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if text.count("[") + text.count("{") > DEEPEST and _is_too_deep(found):
        raise ValueError(_TOO_DEEP)
    if _HALF.search(text):
        _must_be_writable(found)
    return found


#: What half of a character is written as; a whole one may be written as two halves.
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")


def _must_be_writable(data: Any) -> None:
    """Raises ValueError where a text holds half of a character."""
    try:
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as fault:
        half = ord(fault.object[fault.start])
        raise ValueError(f"U+{half:04X} is half of a character, and the other half is not there") from None


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


_TOO_DEEP: Final = f"lists and maps stand more than {DEEPEST} deep in one another"


def _is_too_deep(data: Any) -> bool:
    """Whether data are deeper than `DEEPEST`: level by level, since data from elsewhere may be of any depth."""
    level = [data]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for each in level
            if isinstance(each, (dict, list))
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def _entry(span: Span, problems: Problems) -> Entry | None:
    """One line as data of a known form."""
    try:
        line = data_of(span.text)
    except ValueError as fault:
        reason = fault.msg if isinstance(fault, json.JSONDecodeError) else str(fault)
        problems.add("RS820", span, reason=reason[:1].lower() + reason[1:])
        return None
    kind = next((_MARKS[mark] for mark in _MARKS if mark in line), None) if isinstance(line, dict) else None
    if kind is None:
        marks = ", ".join(f"`{mark}`" for mark in _MARKS)
        problems.add("RS821", span, fault=f"it has none of the fields {marks}")
        return None
    is_other = kind == "header" and _another_version(line) is not None
    wrong = None if is_other else first_fault(line, "log", kind)
    if wrong is not None:
        start, end = place_of(span.text, wrong)
        problems.add("RS821", Span(span.file, span.start + start, span.start + end), fault=wrong.words)
        return None
    return Entry(kind, span)


def _another_version(header: Line) -> tuple[str, str] | None:
    """What it is of and what can be read. What else such a header says is no fault: RS822 is told."""
    if type(header["log"]) is int and header["log"] != LOG_VERSION:
        return f"version {header['log']}", f"version {LOG_VERSION}"
    states = header.get("states")
    if type(states) is int and states != STATES:
        return f"states of form {states}", f"form {STATES}"
    return None


# ---- order -----------------------------------------------------------------------------------------------------------


def _in_order(entry: Entry, before: list[Entry], n: int, problems: Problems) -> bool:
    """Whether a line may stand after the lines before it, of which `n` are decisions."""
    if not before:
        return _begins(entry, problems)
    if before[-1].kind == "result":
        return _misplaced(entry, "the end of the log", problems)
    if entry.kind == "header":
        return _misplaced(entry, f"decision {n + 1}, an event or the result", problems)
    if entry.kind == "decision" and entry.line["n"] != n + 1:
        return _misplaced(entry, f"decision {n + 1}", problems)
    return True


def _begins(entry: Entry, problems: Problems) -> bool:
    if entry.kind != "header":
        return _misplaced(entry, "the header", problems)
    other = _another_version(entry.line)
    if other is not None:
        problems.add("RS822", entry.span, found=other[0], known=other[1])
        return False
    return True


def _misplaced(entry: Entry, expected: str, problems: Problems) -> bool:
    found = f"decision {entry.line['n']}" if entry.kind == "decision" else f"a line of kind {entry.kind}"
    problems.add("RS823", entry.span, found=found, expected=expected)
    return False
