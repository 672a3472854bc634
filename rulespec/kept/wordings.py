"""What of the texts of a game decides what is said of them: all but the words between their placeholders.

    wordings = Wordings(trees, covers)
    wordings.shape                    # the same as long as only such words have changed
    data = wordings.as_data(problems)
    wordings.problems(data)           # the same problems, where their texts stand now; LookupError where they changed

A text is checked by its placeholders, its forms and its languages. Where only its words change, what was said of all
other texts is said again, and of this one nothing was said, or it is looked at anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from rulespec.diagnostics.model import Problem
from rulespec.kept.problems import as_data, from_data
from rulespec.messages.pattern import NOT_LANGUAGES
from rulespec.overlay.fingerprint import UNPLAYED
from rulespec.source.store import digest
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar

_BRACES: Final = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")

#: Sections that are checked by themselves, without what is kept.
_APART: Final = frozenset({"terms"})


#: How a place lies by an entry that it does not lie in.
_AROUND, _BEHIND = "around", "behind"


def _is_gap(text: str) -> bool:
    """Whether nothing stands in a stretch between two entries."""
    return not text.strip(" \t\r\n,")


class Wordings:
    """The texts of one game as it was read: `texts` are its files, `others` what is said beside (the engine's words).

    `covers` tells whether a place lies in what is played, which whoever asks knows to be as it was.
    """

    def __init__(self, texts: Iterable[Mapping], others: Iterable[Mapping], covers: Callable[[Span], bool]) -> None:
        self._texts, self._others, self._covers = tuple(texts), tuple(others), covers
        self._files = {tree.span.file.name: tree.span.file for tree in (*self._texts, *self._others)}

    @cached_property
    def shape(self) -> str:
        """A digest of all that decides what is said of the texts, but of `terms`, beside what is played."""
        own = (part for tree in self._texts for part in _shape_of(tree))
        return digest(*own, *(f"{tree.span.file.name}\n{tree.span.file.text}" for tree in self._others))

    # ---- problems ----

    def as_data(self, problems: Iterable[Problem]) -> list[Any]:
        """Plain data that `problems` makes the same of."""
        return as_data(problems, self._place)

    def problems(self, data: Iterable[Any]) -> list[Problem]:
        """The problems again. Raises LookupError where a text that they are about is not as it was."""
        return from_data(data, self._files.__getitem__, self._span)

    def _place(self, span: Span) -> list[Any]:
        """A place in what is played as it is; any other one by the entry it lies in, with a digest of that."""
        file = span.file
        if self._covers(span):
            return [file.name, span.start, span.end]
        for name, (start, end) in self._entries.get(file.name, {}).items():
            if start <= span.start and span.end <= end:
                return [file.name, span.start - start, span.end - start, name, digest(file.text[start:end])]
        return self._beside(span) or [file.name, span.start, span.end, "", digest(file.text)]

    def _beside(self, span: Span) -> list[Any] | None:
        """A place that a fix takes an entry out of, or puts another one in behind it: whatever the entry says."""
        text = span.file.text
        for name, (start, end) in self._entries.get(span.file.name, {}).items():
            if span.start <= start and end <= span.end and _is_gap(text[span.start : start] + text[end : span.end]):
                return [span.file.name, span.start - start, span.end - end, name, _AROUND]
            if end <= span.start and _is_gap(text[end : span.end]):
                return [span.file.name, span.start - end, span.end - end, name, _BEHIND]
        return None

    def _span(self, data: Any, file_of: Callable[[str], SourceFile]) -> Span:
        name, first, last, *where = data
        file = file_of(name)
        start, end = self._entries[name][where[0]] if where and where[0] else (0, len(file.text))
        if where and where[1] in (_AROUND, _BEHIND):
            base = start if where[1] == _AROUND else end
            if not _is_gap(file.text[min(base + first, start) : start] + file.text[end : end + last]):
                raise LookupError(data)
            return Span(file, base + first, end + last)
        if where and where[1] != digest(file.text[start:end]):
            raise LookupError(data)
        return Span(file, start + first, start + last)

    @cached_property
    def _entries(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Where the entries of the sections of texts stand, by file and by section and name."""
        return {tree.span.file.name: dict(_entries_of(tree)) for tree in self._texts}


def _entries_of(tree: Mapping) -> Iterator[tuple[str, tuple[int, int]]]:
    for section, node in tree.pairs:
        for key, entry in node.pairs if section.text in UNPLAYED and isinstance(node, Mapping) else ():
            yield f"{section.text} {key.text}", (key.span.start, entry.span.end)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def _shape_of(tree: Mapping) -> Iterator[str]:
    """What is looked at in the sections of one file that are not played, in its order."""
    yield f"file {tree.span.file.name} {' '.join(sorted(tree.broken))}"
    for section, node in tree.pairs:
        if section.text in UNPLAYED and section.text not in _APART:
            yield f"section {section.text}"
            yield from _SHAPES.get(section.text, _whole)(node)


def _whole(node: Node) -> Iterator[str]:
    yield f"whole {node.span.text}"


def _names(node: Node) -> Iterator[str]:
    """The names of a section's entries alone."""
    return _parts(node, lambda _, entry: iter(()))


def _messages(node: Node) -> Iterator[str]:
    return _parts(node, lambda _, message: _words(message))


def _rules(node: Node) -> Iterator[str]:
    return _parts(node, lambda _, rule: _parts(rule, lambda key, part: (_words if key == "text" else _whole)(part)))


def _words(message: Node) -> Iterator[str]:
    """A message, or the text of a rule: its languages and forms, and what stands in them but for the words."""
    return _parts(message, lambda key, texts: _whole(texts) if key in NOT_LANGUAGES else _forms(texts))


def _forms(texts: Node) -> Iterator[str]:
    return _parts(texts, lambda _, text: _places(text)) if isinstance(texts, Mapping) else _places(texts)


def _parts(node: Node, shape: Callable[[str, Node], Iterator[str]]) -> Iterator[str]:
    """The shapes of all that a map holds; anything else is taken whole."""
    if not isinstance(node, Mapping):
        yield from _whole(node)
        return
    yield f"map {' '.join(node.broken)}"
    for key, part in node.pairs:
        yield f"key {key.span.text}"
        yield from shape(key.text, part)
    yield "end"


def _places(node: Node) -> Iterator[str]:
    """What decides what is said of one text: how it is written, its placeholders, and whether there are words."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        yield from _whole(node)
        return
    raw, value = _BRACES.findall(node.content.text), _BRACES.findall(node.text)
    yield f"text {node.style} {bool(node.text.strip())} {raw} {value if value != raw else ''}"


_SHAPES: Final[dict[str, Callable[[Node], Iterator[str]]]] = {
    "messages": _messages,
    "rules": _rules,
    "scenarios": _names,
}
