"""Word documents: a row for each paragraph, with its style. A row's number is the paragraph's.

The file is a package of XML; nothing but its main part is read, up to a size, and without declarations of entities.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from rulespec.texts.document import Kind, Row
from rulespec.texts.readers.plain import UnreadableRulebook

_PART: Final = "word/document.xml"
_LARGEST: Final = 40_000_000
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING: Final = re.compile(r"(?:heading|titre|title|überschrift|見出し)", re.IGNORECASE)


def rows_of_docx(path: Path) -> list[Row]:
    """The paragraphs of a document. Raises UnreadableRulebook."""
    try:
        root = ET.fromstring(_main_part(path))  # noqa: S314  (no entities: see `_main_part`)
    except ET.ParseError as error:
        raise UnreadableRulebook(f"{path.name} is a damaged Word document: {error}.") from error
    paragraphs = [node for node in _inside(root, whole=True) if node.tag == f"{_W}p"]
    return [_row(number, paragraph) for number, paragraph in enumerate(paragraphs, 1)]


def _main_part(path: Path) -> bytes:
    try:
        with zipfile.ZipFile(path) as package:
            if package.getinfo(_PART).file_size > _LARGEST:
                raise UnreadableRulebook(f"{path.name} is too large.")
            data = package.read(_PART)
    except (zipfile.BadZipFile, KeyError) as error:
        raise UnreadableRulebook(f"{path.name} is no Word document (.docx).") from error
    except (RuntimeError, zlib.error, EOFError) as error:  # a password, an unknown compression, bytes that are lost
        raise UnreadableRulebook(f"{path.name} is a damaged Word document: {error}.") from error
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise UnreadableRulebook(f"{path.name} declares entities, which no Word document does.")
    return data


def _row(number: int, paragraph: ET.Element) -> Row:
    return Row(number, 1, _text(paragraph).rstrip(), _kind(paragraph), begins=True)


def _inside(element: ET.Element, *, whole: bool) -> Iterator[ET.Element]:
    """What is inside of an element, in order, without what stands there again for old programs.

    With `whole` also what is inside of the paragraphs there, such as those of a box of text.
    """
    waiting = list(element)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if node.tag != _FALLBACK and (whole or node.tag != f"{_W}p"):
            waiting += list(node)[::-1]


def _text(paragraph: ET.Element) -> str:
    parts = []
    for node in _inside(paragraph, whole=False):
        if node.tag == f"{_W}t":
            parts.append(node.text or "")
        elif node.tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
            parts.append(" ")
    return "".join(parts)


def _kind(paragraph: ET.Element) -> Kind:
    properties = paragraph.find(f"{_W}pPr")
    if properties is None:
        return "text"
    style = properties.find(f"{_W}pStyle")
    name = "" if style is None else style.get(f"{_W}val", "")
    if _HEADING.match(name) or properties.find(f"{_W}outlineLvl") is not None:
        return "heading"
    listed = properties.find(f"{_W}numPr") is not None or name.lower().startswith("list")
    return "entry" if listed else "text"
