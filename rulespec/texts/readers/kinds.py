"""What a file is by its first bytes, whatever its ending says, and bytes as text."""

from __future__ import annotations

from typing import Final

from rulespec.texts.readers.plain import UnreadableRulebook

#: What a file begins with, and what it is then.
_BEGINNINGS: Final = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a package, such as a Word document (.docx)"),
    (b"\xd0\xcf\x11\xe0", "an old Word document (.doc), or one with a password"),
    (b"{\\rtf", "rich text (RTF)"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x1f\x8b", "a compressed file"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
)
_SAVE: Final = "Save it as text (UTF-8), Markdown, Word (.docx) or PDF"
BEGINNING: Final = 64  #: bytes of a file that are looked at
#: Marks at the beginning of a text with the encoding that they say. Those of four bytes come before those of two.
_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def kind_of(data: bytes) -> str | None:
    """What a file is that begins so, in words; None where that is not known, as of every text."""
    start = data[:BEGINNING].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((kind for beginning, kind in _BEGINNINGS if start.startswith(beginning.lower())), None)


def check_kind(name: str, data: bytes, wanted: bytes, what: str) -> None:
    """Raises UnreadableRulebook where the beginning of a file is not one of the kind that its ending says."""
    if not data:
        raise UnreadableRulebook(f"{name} is empty.")
    if wanted not in data:
        kind = kind_of(data)
        found = f"it is {kind}" if kind is not None else "it does not begin like one"
        raise UnreadableRulebook(f"{name} is named like {what}, and {found}. Name it by what it is.")


def decoded(name: str, data: bytes) -> str:
    """The text of a file, its lines parted by line feeds. Raises UnreadableRulebook."""
    kind = kind_of(data)
    if kind is not None:
        raise UnreadableRulebook(f"{name} is read as text, and it is {kind}. {_SAVE}, and name it so.")
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8-sig")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        where = f" (line {line})" if encoding == "utf-8-sig" else ""
        raise UnreadableRulebook(f"{name} is not written in UTF-8{where}. {_SAVE}.") from error
    if "\0" in text:
        raise UnreadableRulebook(f"{name} holds bytes that are no text. {_SAVE}.")
    return text.replace("\r\n", "\n").replace("\r", "\n")
