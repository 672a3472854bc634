"""Elements of XML out of texts that may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from interpreter.draw.ink import clean


def words(text: str) -> str:
    """A text as it stands between tags: without what XML cannot hold, and without what turns the direction."""
    return escape("".join(c for c in clean(text) if _is_xml(ord(c))), quote=True)


def _is_xml(code: int) -> bool:
    return code >= 0x20 and not 0xD800 <= code <= 0xDFFF and code & 0xFFFE != 0xFFFE


def element(name: str, attributes: Mapping[str, str], inside: str = "") -> str:
    """An element; `inside` is XML already, the values of attributes are texts."""
    given = "".join(f' {key}="{words(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"
