"""What changed between two editions, and which translations are stale: for the terminal, as JSON and as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rulespec.diagnostics.as_json import json_text
from rulespec.texts.changes import KINDS, Change, marks, text_of
from rulespec.texts.clusters import Read
from rulespec.texts.findings import Spot, digest_of, shortened
from rulespec.texts.reports.marking import line_in_words
from rulespec.texts.reports.sheet import csv_text
from rulespec.texts.stale import VERDICTS, WHY, Editions, Translated

VERSION: Final = 1
_WIDEST: Final = 120  #: characters of a sentence that are shown at most
_MEANINGS: Final = {
    "concept": "what is named",
    "number": "a number",
    "factor": "a factor",
    "mood": "may or must",
    "denial": "a denial",
    "turn": "a turn",
    "letter": "a letter of a figure",
    "page": "a page",
    "relation": "a relation",
}


def what_changed(change: Change) -> str:
    """A change in words."""
    moved = " and moved" if change.is_moved and change.kind != "moved" else ""
    if change.kind != "changed":
        return f"{change.kind}{moved}"
    sorts = list(dict.fromkeys(_MEANINGS[sign.sort] for sign in change.signs))
    return f"changed{moved}: {', '.join(sorts) if sorts else 'words alone'}"


def identity(found: Editions, change: Change) -> str:
    """What a change is known by: its words."""
    texts = (text_of(found.old, change.old), "|", text_of(found.new, change.new))
    return f"{change.kind}-{digest_of(texts)}"


# ---- for the terminal ------------------------------------------------------------------------------------------------


def terminal(found: Editions) -> str:
    """A part for each change, and how many there are."""
    lines: list[str] = []
    for change, by_language in found.told:
        lines += _change(found, change, by_language)
    lines += _summary(found)
    return "\n".join(lines) + "\n"


def _change(found: Editions, change: Change, by_language: Mapping[str, Translated]) -> Iterator[str]:
    read, members, document = (
        (found.new, change.new, found.documents[1]) if change.new else (found.old, change.old, found.documents[0])
    )
    clause = read.clauses[members[0]]
    line, column = clause.place(0)
    yield f"{Path(document.file).name}:{line}:{column}: {what_changed(change)}  ({identity(found, change)})"
    if change.kind == "moved":
        yield _sentence(f"old {_where(found, 0, found.old, change.old)}", found.old, change.old)
    else:
        spots = _spots(found, change)
        for at, (name, own, ones) in enumerate((("old", found.old, change.old), ("new", found.new, change.new))):
            if ones:
                label = f"{name} {_where(found, at, own, ones)}"
                yield _sentence(label, own, ones)
                yield from _underlined(label, text_of(own, ones), spots[at])
    for n, other in enumerate(found.translations):
        translated = by_language.get(other.language)
        if translated is not None:
            where = f" {_where(found, n + 2, other, translated.members)}" if translated.members else ""
            said = f": {shortened(text_of(other, translated.members), _WIDEST)}" if translated.members else ""
            yield f"    {other.language}{where} {translated.verdict} ({WHY[translated.why]}){said}"
    yield ""


def _where(found: Editions, document: int, read: Read, members: Sequence[int]) -> str:
    return line_in_words(read.clauses[members[0]].line, found.documents[document].file).removeprefix("line ")


def _sentence(label: str, read: Read, members: Sequence[int]) -> str:
    return f"    {label}: {shortened(text_of(read, members), _WIDEST)}"


def _underlined(label: str, text: str, spots: Sequence[Spot]) -> Iterator[str]:
    """Marks under what changed, as wide as the characters above them."""
    from wcwidth import wcwidth

    shown = shortened(text, _WIDEST)
    if not spots or not shown.startswith(text[: len(shown) - 1]):
        return
    under = "".join(
        ("^" if any(spot.start <= n < spot.end for spot in spots) else " ") * max(0, wcwidth(character))
        for n, character in enumerate(shown)
    )
    if under.strip():
        yield f"{' ' * (len(label) + 6)}{under}".rstrip()


def _spots(found: Editions, change: Change) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    if not (change.old and change.new):
        return (), ()
    return marks(text_of(found.old, change.old), text_of(found.new, change.new))


def _summary(found: Editions) -> Iterator[str]:
    if not found.told:
        yield "Nothing changed."
    else:
        kinds = Counter(change.kind for change, _ in found.told)
        number = len(found.told)
        parts = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])
        yield f"{number} change{'' if number == 1 else 's'}: {parts}."
    for read in found.translations:
        own = Counter(by[read.language].verdict for _, by in found.told if read.language in by)
        parts = ", ".join(f"{own[verdict]} {verdict}" for verdict in VERDICTS if own[verdict])
        yield f"  {read.language}: {parts or 'nothing to do'}"
    yield from notes(found)


def notes(found: Editions) -> list[str]:
    """What a reader has to know of how this was found."""
    how = [] if not found.translations else [f"Translations were put beside the editions by {_by(found)}."]
    places = dict.fromkeys(each.named.place for each in found.unfit)
    return [*how, *(f"{place}: this entry fits neither edition, and is not obeyed." for place in places)]


def _by(found: Editions) -> str:
    if found.encoder is not None:
        return f"what sentences mean ({found.encoder})"
    return "the words that are known of their languages"


# ---- for programs and tables -----------------------------------------------------------------------------------------


def as_json(found: Editions) -> str:
    """All of it; the form is `schemas/texts_changed.schema.json`."""
    old, new, *others = found.documents
    data = {
        "version": VERSION,
        "language": old.language,
        "old": {"file": old.file, "clauses": len(found.old.clauses)},
        "new": {"file": new.file, "clauses": len(found.new.clauses)},
        "translations": {document.language: {"file": document.file} for document in others},
        "encoder": found.encoder,
        "notes": notes(found),
        "changes": [_as_data(found, change, by_language) for change, by_language in found.told],
    }
    return json_text(data, 1) + "\n"


def _as_data(found: Editions, change: Change, by_language: Mapping[str, Translated]) -> dict[str, Any]:
    spots = _spots(found, change)
    reads = {read.language: read for read in found.translations}
    return {
        "id": identity(found, change),
        "kind": change.kind,
        "moved": change.is_moved,
        "signs": [{"sort": sign.sort, "what": sign.what} for sign in change.signs],
        "old": _place(found.old, change.old, spots[0]),
        "new": _place(found.new, change.new, spots[1]),
        "translations": {
            language: {
                "verdict": each.verdict,
                "why": WHY[each.why],
                "place": _place(reads[language], each.members, ()),
            }
            for language, each in by_language.items()
        },
    }


def _place(read: Read, members: Sequence[int], spots: Sequence[Spot]) -> dict[str, Any] | None:
    if not members:
        return None
    first, last = read.clauses[members[0]], read.clauses[members[-1]]
    marked = [[spot.start, spot.end] for spot in spots]
    return {"line": first.line, "end_line": last.end_line, "text": text_of(read, members), "marks": marked}


def table(found: Editions, separator: str = ",") -> str:
    """A row for each change, columns for each translation; the last one is empty, for remarks."""
    codes = [read.language for read in found.translations]
    heads = [head for code in codes for head in (f"{code} line", code, f"{code} verdict", f"{code} why")]
    rows: list[list[object]] = [["id", "change", "old line", "old", "new line", "new", *heads, "remark"]]
    for change, by_language in found.told:
        own = [*_cells(found.old, change.old), *_cells(found.new, change.new)]
        for read in found.translations:
            each = by_language.get(read.language)
            if each is None:
                own += ["", "", "", ""]
            else:
                own += [*_cells(read, each.members), each.verdict, WHY[each.why]]
        rows.append([identity(found, change), what_changed(change), *own, ""])
    rows += [["", "note", "", note, *([""] * (2 + len(heads))), ""] for note in notes(found)]
    return csv_text(rows, separator)


def _cells(read: Read, members: Sequence[int]) -> list[object]:
    return [read.clauses[members[0]].line, text_of(read, members)] if members else ["", ""]
