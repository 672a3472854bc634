"""The standard streams: UTF-8 in and out, whatever the system is set to.

Texts come in any script, and what reads a file or a pipe (a browser, a build server, another program) expects UTF-8.
A terminal alone knows its own encoding, and gets that; where it lacks a character, that is told in the end.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

#: Names of file that the system gave as bytes that are no text: as they are meant where they are UTF-8.
_READABLE: Final = "rulespec.readable"
_MARKED: Final = "rulespec.marked"
_MARK: Final = "?"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

#: Characters that no stream of this process could show, as they were met.
_lost: dict[str, None] = {}


def open_streams() -> None:
    """Makes the three streams fit. One that was closed before the start is empty, or takes what nobody reads."""
    codecs.register_error(_READABLE, _readable)
    codecs.register_error(_MARKED, _marked)
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    _lost.clear()
    if not _is_terminal(sys.stdin):
        _set(sys.stdin, "utf-8-sig", "replace")  # some programs begin a pipe with a mark of its encoding
    for stream in (sys.stdout, sys.stderr):
        if _is_terminal(stream) and not _is_utf_8(stream):
            _set(stream, stream.encoding, _MARKED)
        else:
            _set(stream, "utf-8", _READABLE)


def tell_lost() -> None:
    """Says on the standard error which characters a terminal could not show; nothing where it could show all."""
    if not _lost:
        return
    some = ", ".join(f"U+{ord(mark):04X}" for mark in list(_lost)[:5])
    rest = f" and {len(_lost) - 5} more" if len(_lost) > 5 else ""
    print(
        f"rulespec: this terminal's encoding ({sys.stdout.encoding}) has no {some}{rest}; '{_MARK}' stands for them. "
        "Set it to UTF-8, or write into a file: that is always UTF-8.",
        file=sys.stderr,
    )
    _lost.clear()


def _is_terminal(stream: TextIO) -> bool:
    with suppress(ValueError):  # it is closed
        return bool(getattr(stream, "isatty", lambda: False)())
    return False


def _is_utf_8(stream: TextIO) -> bool:
    with suppress(LookupError, TypeError):
        return codecs.lookup(stream.encoding).name == "utf-8"
    return False


def _set(stream: TextIO, encoding: str, errors: str) -> None:
    """Nothing where a stream is none of a file's: a text in memory has no encoding."""
    with suppress(io.UnsupportedOperation):  # it has been read from already
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors=errors)


def _readable(fault: UnicodeError) -> tuple[bytes, int]:
    """Bytes of UTF-8 for what cannot be written: halves of characters, by which Python keeps bytes that are no text."""
    assert isinstance(fault, UnicodeEncodeError)
    part = fault.object[fault.start : fault.end]
    try:
        meant = part.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        meant = _REPLACEMENT * len(part)
    return meant.encode("utf-8"), fault.end


def _marked(fault: UnicodeError) -> tuple[str, int]:
    """A mark for each character that the terminal's encoding lacks."""
    assert isinstance(fault, UnicodeEncodeError)
    part = fault.object[fault.start : fault.end]
    _lost.update(dict.fromkeys(part))
    return _MARK * len(part), fault.end
