"""Units as the files that translators' programs read, by the Translate Toolkit: PO, XLIFF 2.0 and TMX 1.4."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, Final

from rulespec.texts.exchange.units import DONE, STALE, Given, Unit

HINT: Final = "translate-toolkit is missing: pip install 'rulespec[exchange]'"
MOST_BYTES: Final = 20_000_000  #: a file that comes back
_NOTE: Final = "developer"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"


class NoToolkit(Exception):
    """The library that reads and writes these files is not installed."""


class NotRead(Exception):
    """A file is none of its kind; the words say what is wrong."""


def written(kind: str, units: Iterable[Unit], first: str, language: str, title: str) -> bytes:
    """The units as a file of a kind: `po`, `xliff` or `tmx`. Raises NoToolkit."""
    return _KINDS[kind][0](list(units), first, language, title)


def read(kind: str, data: bytes) -> tuple[str | None, list[Given]]:
    """The language that a file is in, where it says so, and what was translated. Raises NoToolkit and NotRead."""
    try:
        return _KINDS[kind][1](data)
    except NoToolkit:
        raise
    except Exception as fault:  # whatever a library says of bytes that may be anything
        raise NotRead(" ".join(str(fault).split()) or type(fault).__name__) from fault


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


def _of_po(data: bytes) -> tuple[str | None, list[Given]]:
    store = _toolkit().po.parsestring(data)
    header = store.parseheader() if store.header() is not None else {}
    rows = [row for row in store.units if not row.isheader() and not row.isobsolete()]
    return header.get("Language"), [
        Given(row.getcontext(), str(row.source), str(row.target), not row.isfuzzy()) for row in rows
    ]


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


def _of_xliff(data: bytes) -> tuple[str | None, list[Given]]:
    store = _toolkit().xliff.parsestring(data)
    found = [Given(row.getid(), str(row.source), str(row.target or ""), not row.isfuzzy()) for row in store.units]
    return store.gettargetlanguage(), found


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


def _of_tmx(data: bytes) -> tuple[str | None, list[Given]]:
    store = _toolkit().tmx.parsestring(data)
    found = [Given(row.xmlelement.get("tuid") or "", str(row.source), str(row.target or "")) for row in store.units]
    names = [[part.get(f"{_XML}lang") for part in row.xmlelement if part.get(f"{_XML}lang")] for row in store.units]
    seconds = {pair[1] for pair in names if len(pair) > 1}
    return (seconds.pop() if len(seconds) == 1 else None), found


_Writer = Callable[[list[Unit], str, str, str], bytes]
_Reader = Callable[[bytes], tuple[str | None, list[Given]]]
_KINDS: Final[dict[str, tuple[_Writer, _Reader]]] = {
    "po": (_as_po, _of_po),
    "xliff": (_as_xliff, _of_xliff),
    "tmx": (_as_tmx, _of_tmx),
}
