"""The trees of a folder's files, kept for the next time: by their texts, and only those without any problem.

A tree is kept as numbers: what each node is, and where it stands; of a list or map also how many parts it has, and how
many numbers and texts these take. Texts are taken from the file again where they are a stretch of it. What lies in a
list or a map is made when somebody looks at it: opening a game looks at little of it.
"""

from __future__ import annotations

import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from rulespec.source import store
from rulespec.source.program import program_digest
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence, list_made_later, map_made_later, parts_of

WORTH_IT = 20_000  #: characters of a folder's files, from which on parsing takes longer than reading what was kept

_STYLES: Final = ("plain", "single", "double", "literal", "folded")
_SEQUENCE, _MAPPING = 5, 6
_HEAD = 6  #: numbers of a list or map before its parts: kind, start, end, parts, and what these take
_SMALL = 20  #: what takes so few numbers is made at once: to make it later would take as long
Resolve = Callable[[str], "str | int | bool"]


class KeptTrees:
    """Those of one folder: what was kept, and what is to be kept of this reading."""

    def __init__(self, folder: Path) -> None:
        self._name = f"trees-{store.digest(program_digest(), str(folder))}"
        self._known: dict[str, Any] | None = None
        self._used: dict[str, Any] = {}
        self._size = 0
        self._is_new = False

    def get(self, file: SourceFile, resolve: Resolve) -> Mapping | None:
        """The tree of a file with this text; None where it is not kept. `resolve` gives plain texts their values."""
        if self._known is None:
            data = store.read(self._name)
            self._known = data if isinstance(data, dict) else {}
        self._size += len(file.text)
        key = store.digest(file.name, file.text)
        kept = self._known.get(key)
        if kept is None:
            return None
        try:
            tree = decoded(file, kept, resolve)
        except (LookupError, TypeError, ValueError):  # not what was written
            return None
        self._used[key] = kept
        return tree

    def put(self, file: SourceFile, tree: Mapping) -> None:
        """Keeps the tree of a file that has no problem."""
        self._used[store.digest(file.name, file.text)] = encoded(tree)
        self._is_new = True

    def write(self) -> None:
        """Keeps what was read now, where there is anything new and it is worth it."""
        if self._is_new and self._size >= WORTH_IT:
            store.write(self._name, self._used)


def encoded(tree: Mapping) -> list[Any]:
    """A tree without problems as plain data: the numbers of its nodes, and the texts written otherwise there."""
    numbers = array("i")
    texts: list[str] = []
    _encode(tree, numbers, texts)
    if sys.byteorder != "little":
        numbers.byteswap()
    return [b64encode(numbers.tobytes()).decode("ascii"), texts]


def _encode(node: Node, numbers: array[int], texts: list[str]) -> None:
    """One node, with all that is in it: no deeper than a file may nest."""
    if isinstance(node, Scalar):
        is_there = node.content.text == node.text
        style = _STYLES.index(node.style)
        numbers.extend((style if is_there else ~style, node.span.start, node.span.end))
        if style:
            numbers.extend((node.content.start, node.content.end))
        if not is_there:
            texts.append(node.text)
        return
    parts = parts_of(node)
    kind = _MAPPING if isinstance(node, Mapping) else _SEQUENCE
    begin, before = len(numbers) + _HEAD, len(texts)
    numbers.extend((kind, node.span.start, node.span.end, len(parts), 0, 0))
    for part in parts:
        _encode(part, numbers, texts)
    numbers[begin - 2], numbers[begin - 1] = len(numbers) - begin, len(texts) - before


def decoded(file: SourceFile, data: Any, resolve: Resolve) -> Mapping:
    """The tree again, its parts when they are asked for. Raises TypeError or ValueError for what is no such data."""
    numbers = array("i", b64decode(data[0], validate=True))
    if sys.byteorder != "little":
        numbers.byteswap()
    texts = data[1]
    kept = _Kept(file, numbers, texts, resolve)
    is_whole = len(numbers) >= _HEAD and (numbers[_HEAD - 2], numbers[_HEAD - 1]) == (len(numbers) - _HEAD, len(texts))
    if not is_whole or numbers[0] != _MAPPING:
        raise ValueError("no tree")
    (root,) = kept.parts(0, 0, 1)
    assert isinstance(root, Mapping)
    return root


class _Kept:
    """The numbers and texts of one file's tree."""

    __slots__ = ("_file", "_numbers", "_resolve", "_texts")

    def __init__(self, file: SourceFile, numbers: array[int], texts: list[str], resolve: Resolve) -> None:
        self._file = file
        self._numbers = numbers
        self._texts = texts
        self._resolve = resolve

    def parts(self, at: int, text_at: int, count: int) -> list[Node]:
        """So many nodes that stand behind one another; `at` and `text_at` are where the first one begins."""
        numbers, file, text = self._numbers, self._file, self._file.text
        found: list[Node] = []
        for _ in range(count):
            kind, start, end = numbers[at], numbers[at + 1], numbers[at + 2]
            span = Span(file, start, end)
            if kind >= _SEQUENCE:
                later = self._map if kind == _MAPPING else self._list
                found.append(later(span, (at + _HEAD, text_at, numbers[at + 3]), numbers[at + 4]))
                text_at += numbers[at + 5]
                at += _HEAD + numbers[at + 4]
                continue
            at += 3
            style = kind if kind >= 0 else ~kind
            content = span
            if style:
                content = Span(file, numbers[at], numbers[at + 1])
                at += 2
            if kind >= 0:
                words = text[content.start : content.end]
            else:
                words = self._texts[text_at]
                text_at += 1
            value = words if style else self._resolve(words)
            found.append(Scalar(span, words, _STYLES[style], value, content))
        return found

    def _list(self, span: Span, inside: tuple[int, int, int], size: int) -> Sequence:
        if size <= _SMALL:
            return Sequence(span, tuple(self.parts(*inside)))
        return list_made_later(span, lambda: tuple(self.parts(*inside)))

    def _map(self, span: Span, inside: tuple[int, int, int], size: int) -> Mapping:
        return (
            Mapping(span, self._pairs(inside)) if size <= _SMALL else map_made_later(span, lambda: self._pairs(inside))
        )

    def _pairs(self, inside: tuple[int, int, int]) -> tuple[tuple[Scalar, Node], ...]:
        parts = self.parts(*inside)
        return tuple(zip(parts[::2], parts[1::2], strict=True))  # type: ignore[arg-type]
