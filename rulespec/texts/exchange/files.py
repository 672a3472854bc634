"""Units as the files that translators' programs read, by the Translate Toolkit: PO, XLIFF 2.0 and TMX 1.4."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, Final

from rulespec.messages.plurals import nearest_language
from rulespec.texts.exchange.units import DONE, STALE, Given, Unit

HINT: Final = "translate-toolkit is missing: pip install 'rulespec[exchange]'"
MOST_BYTES: Final = 5_000_000  #: a file that comes back
_NOTE: Final = "developer"
_SEGMENT: Final = "::segment-"
_CHARSET: Final = re.compile(rb"charset=([A-Za-z0-9_-]+)")
_OLD_XLIFF: Final = re.compile(rb"<xliff[^>]*\sversion=[\"']1")
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"


class NoToolkit(Exception):
    """The library that reads and writes these files is not installed."""


class NotRead(Exception):
    """A file is none of its kind; the words say what is wrong."""


def written(kind: str, units: Iterable[Unit], first: str, language: str, title: str) -> bytes:
    """The units as a file of a kind: `po`, `xliff` or `tmx`. Raises NoToolkit."""
    return _KINDS[kind][0](list(units), first, language, title)


def read(kind: str, data: bytes, first: str, language: str | None) -> tuple[str | None, list[Given]]:
    """The language of the translations, `language` if that is asked for, and what was translated from `first`.

    None for the language where the file does not say it, or has several. Raises NoToolkit and NotRead.
    """
    if b"<!ENTITY" in data:
        raise NotRead("it declares entities of its own")
    try:
        return _KINDS[kind][1](data, first, language)
    except (NoToolkit, NotRead):
        raise
    except SyntaxError as fault:  # what the reader of XML says of a place
        raise NotRead(" ".join(str(fault).split())) from fault
    except Exception as fault:  # whatever a library says of bytes that may be anything
        raise NotRead(f"it is no such file, or a damaged one ({type(fault).__name__})") from fault


def kind_of(name: str) -> str | None:
    """The kind of a file, by its ending."""
    return {"po": "po", "xlf": "xliff", "xliff": "xliff", "tmx": "tmx"}.get(name.lower().rpartition(".")[2])


def _toolkit() -> Any:
    try:
        from translate.storage import po, tmx, xliff2
    except ImportError:
        raise NoToolkit(HINT) from None
    return SimpleNamespace(po=po.pofile, tmx=tmx.tmxfile, xliff=xliff2.Xliff2File)


# ---- PO -------------------------------------------------------------------------------------------------------------


def _as_po(units: list[Unit], first: str, language: str, title: str) -> bytes:
    store = _toolkit().po()
    store.updateheader(add=True, Project_Id_Version=title, Language=language, X_Source_Language=first,
                       PO_Revision_Date="", POT_Creation_Date="", Last_Translator="", Language_Team="")  # fmt: skip
    for unit in units:
        row = store.UnitClass(unit.source)
        row.setcontext(unit.id)
        row.target = unit.target
        row.addnote(unit.note, origin=_NOTE)
        row.addlocation(f"{unit.span.file.name}:{unit.span.line}".replace(" ", "%20"))
        row.markfuzzy(unit.state == STALE)
        store.addunit(row)
    return bytes(store)


def _of_po(data: bytes, first: str, language: str | None) -> tuple[str | None, list[Given]]:
    charset = _CHARSET.search(data)
    if charset is not None and charset[1].lower() not in (b"utf-8", b"utf8", b"charset"):
        raise NotRead(f"it is written in {charset[1].decode('ascii')}: save it as UTF-8")
    store = _toolkit().po.parsestring(data)
    header = store.parseheader() if store.header() is not None else {}
    rows = [row for row in store.units if not row.isheader() and not row.isobsolete()]
    if any(row.hasplural() for row in rows):
        raise NotRead("it has entries with `msgid_plural`: each plural form has an entry of its own here")
    found = [Given(row.getcontext(), str(row.source), str(row.target), not row.isfuzzy()) for row in rows]
    return language or header.get("Language") or None, found


# ---- XLIFF ----------------------------------------------------------------------------------------------------------


def _as_xliff(units: list[Unit], first: str, language: str, title: str) -> bytes:
    store = _toolkit().xliff()
    store.setsourcelanguage(first)
    store.settargetlanguage(language)
    for unit in units:
        row = store.addsourceunit(unit.source)
        row.setid(unit.id)
        if unit.target:
            row.target = unit.target
        segment = row.xmlelement
        segment.set("state", "translated" if unit.state == DONE else "initial")
        _add_note(row, f"{unit.note} {unit.span.file.name}:{unit.span.line}")
    return bytes(store)


def _add_note(row: Any, text: str) -> None:
    """A note of the unit: in front of its segments, as the standard wants it."""
    around = row.getunitelement()
    notes = around.makeelement(row.namespaced("notes"))
    note = around.makeelement(row.namespaced("note"), category=_NOTE)
    note.text = text
    notes.append(note)
    around.insert(0, notes)


def _of_xliff(data: bytes, first: str, language: str | None) -> tuple[str | None, list[Given]]:
    if _OLD_XLIFF.search(data):
        raise NotRead("it is XLIFF 1: save it as XLIFF 2.0")
    store = _toolkit().xliff.parsestring(data)
    source = store.getsourcelanguage()
    if source and nearest_language(source, [first]) is None:
        raise NotRead(f"it translates from {source}, and the game is written in {first}")
    units: dict[str, list[Any]] = {}
    for row in store.units:
        units.setdefault(row.getid().partition(_SEGMENT)[0], []).append(row)
    return language or store.gettargetlanguage(), [_of_segments(name, rows) for name, rows in units.items()]


def _of_segments(name: str, rows: list[Any]) -> Given:
    """A unit, whose segments are one text; one with marks inside cannot be read: they would be lost."""
    if any(len(part) for row in rows for part in (row.source_dom, row.target_dom) if part is not None):
        raise NotRead(f"{name} has marks within its text (such as <ph>): only plain text is read")
    source = "".join(_text(row.source_dom) for row in rows)
    target = "".join(_text(row.target_dom) for row in rows)
    return Given(name, source, target, not any(row.isfuzzy() for row in rows))


def _text(part: Any) -> str:
    """What an element holds, with its blanks."""
    return "" if part is None else "".join(part.itertext())


# ---- TMX ------------------------------------------------------------------------------------------------------------


def _as_tmx(units: list[Unit], first: str, language: str, title: str) -> bytes:
    """A memory holds translations: what lacks is not in it."""
    store = _toolkit().tmx(sourcelanguage=first, targetlanguage=language)
    store.setsourcelanguage(first)
    for unit in units:
        if unit.state != DONE:
            continue
        row = store.addsourceunit(unit.source)
        row.target = unit.target
        row.xmlelement.set("tuid", unit.id)
        row.addnote(unit.note)
    return bytes(store)


def _of_tmx(data: bytes, first: str, language: str | None) -> tuple[str | None, list[Given]]:
    """Of each entry the text in the language of the game, and the one in the language that is asked for."""
    store = _toolkit().tmx.parsestring(data)
    rows = [(row.xmlelement.get("tuid") or "", _by_language(row.xmlelement)) for row in store.units]
    known = {name for _, texts in rows for name in texts if nearest_language(name, [first]) is None}
    if language is None and len(known) == 1:
        language = next(iter(known))
    if language is None:
        return None, []
    return language, [
        Given(name, _in_language(texts, first) or "", _in_language(texts, language) or "") for name, texts in rows
    ]


def _by_language(entry: Any) -> dict[str, str]:
    found = {}
    for part in entry:
        segment = next((each for each in part if str(each.tag).endswith("seg")), None)
        name = part.get(f"{_XML}lang") or part.get("lang")
        if segment is not None and name:
            found[name] = "".join(segment.itertext())
    return found


def _in_language(texts: dict[str, str], language: str) -> str | None:
    name = nearest_language(language, list(texts)) or next((n for n in texts if nearest_language(n, [language])), None)
    return None if name is None else texts[name]


_Writer = Callable[[list[Unit], str, str, str], bytes]
_Reader = Callable[[bytes, str, str | None], tuple[str | None, list[Given]]]
_KINDS: Final[dict[str, tuple[_Writer, _Reader]]] = {
    "po": (_as_po, _of_po),
    "xliff": (_as_xliff, _of_xliff),
    "tmx": (_as_tmx, _of_tmx),
}
