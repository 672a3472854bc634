"""Mends as data: what is to stand elsewhere so that a problem is gone, and how such edits are put into texts.

    fix = Fix("Change to `coins`", (Edit(span, "coins"),))
    texts = applied(texts, edits_of([fix]))

A fix is *certain* where nobody who wrote the faulty text can have meant another one; only such are made without being
looked at, by `rulespec check --fix`. All others are offered in an editor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.source.text import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a file, and what is to stand there instead."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One mend of a problem: what it does in a few words, and the edits that belong together."""

    title: str
    edits: tuple[Edit, ...]
    is_certain: bool = True

    def placed(self, place: Callable[[Span], Span]) -> Fix:
        """The same fix at other places, such as those of files with other names."""
        return replace(self, edits=tuple(Edit(place(edit.span), edit.text) for edit in self.edits))


def inside(span: Span) -> Span:
    """A value without the quotes around it: a name is changed between them."""
    text = span.text
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return Span(span.file, span.start + 1, span.end - 1) if is_quoted else span


def replaced(span: Span, text: str, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """Another text in the place of all that stands there."""
    return Fix(title or f"Change to `{text}`", (Edit(span, text),), is_certain)


def changed(span: Span, text: str, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """Another text in the place of one, with its quotes kept."""
    return replaced(inside(span), text, title, is_certain=is_certain)


def either(span: Span, texts: Iterable[str]) -> tuple[Fix, ...]:
    """The fixes that change to one of these texts: certain where there is one alone."""
    listed = tuple(texts)
    return tuple(changed(span, text, is_certain=len(listed) == 1) for text in listed)


def added(span: Span, at: int, text: str, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """A text that is put in at an offset of a file."""
    return Fix(title or f"Add `{text.strip()}`", (Edit(Span(span.file, at, at), text),), is_certain)


def removed(span: Span, title: str | None = None, *, is_certain: bool = True) -> Fix:
    """A stretch that is taken out."""
    return Fix(title or f"Delete `{' '.join(span.text.split())}`", (Edit(span, ""),), is_certain)


def quoted(text: str) -> str:
    """A text as a quoted value of YAML, on one line."""
    flat = " ".join(text.split())
    if '"' not in flat and "\\" not in flat:
        return f'"{flat}"'
    return "'" + flat.replace("'", "''") + "'"


def in_quotes(span: Span, title: str = "Put it in quotes", *, is_certain: bool = True) -> Fix:
    """A value in quotes, which says what its characters say."""
    return Fix(title, (Edit(span, quoted(span.text)),), is_certain)


# ---- putting edits in ------------------------------------------------------------------------------------------------


def edits_of(fixes: Iterable[Fix]) -> tuple[Edit, ...]:
    """The edits of fixes that go together: of two that touch one place the first is made, and the other waits."""
    found: list[Edit] = []
    for fix in fixes:
        if are_together(fix.edits, found):
            found += [edit for edit in fix.edits if edit not in found]
    return tuple(found)


def are_together(edits: Iterable[Edit], others: Sequence[Edit]) -> bool:
    """Whether edits can be made beside others; one that is among those already can."""
    return not any(_meet(edit, other) for edit in edits if edit not in others for other in others)


def _meet(left: Edit, right: Edit) -> bool:
    """Whether two edits touch one place. Two that only put something in between stand one behind the other, but for
    those that put in the same key: the second goes into what the first makes.
    """
    a, b = left.span, right.span
    if a.file.name != b.file.name:
        return False
    if (a.start, a.end) == (b.start, b.end) and a.start == a.end:
        return _first_word(left.text) == _first_word(right.text)
    if a.start == a.end or b.start == b.end:
        return a.start <= b.end and b.start <= a.end
    return a.start < b.end and b.start < a.end


def _first_word(text: str) -> str:
    return text.lstrip(" ,\r\n").partition(":")[0]


def applied(texts: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The texts of files after edits, which do not overlap; those without any stay as they are."""
    found = dict(texts)
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file.name, []).append(edit)
    for name, inner in by_file.items():
        found[name] = "".join(_pieces(found[name], sorted(inner, key=lambda one: (one.span.start, one.span.end))))
    return found


def _pieces(text: str, edits: Iterable[Edit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield text[at : edit.span.start]
        yield edit.text
        at = edit.span.end
    yield text[at:]
