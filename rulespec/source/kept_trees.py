"""The trees of a folder's files, kept for the next time: by their texts, and only those without any problem.

A tree is kept as numbers: what each node is, and where it stands. Texts are taken from the file again where they are a
stretch of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from rulespec.source import store
from rulespec.source.program import program_digest
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

WORTH_IT = 20_000  #: characters of a folder's files, from which on parsing takes longer than reading what was kept

_STYLES: Final = ("plain", "single", "double", "literal", "folded")
_SEQUENCE, _MAPPING = 5, 6
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
        except (StopIteration, IndexError, TypeError, ValueError):  # not what was written
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
    numbers: list[int] = []
    texts: list[str] = []
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            is_there = node.content.text == node.text
            style = _STYLES.index(node.style)
            numbers += (style if is_there else ~style, node.span.start, node.span.end)
            if style:
                numbers += (node.content.start, node.content.end)
            texts += () if is_there else (node.text,)
        elif isinstance(node, Sequence):
            numbers += (_SEQUENCE, node.span.start, node.span.end, len(node.items))
            waiting += reversed(node.items)
        elif isinstance(node, Mapping):
            numbers += (_MAPPING, node.span.start, node.span.end, len(node.pairs))
            waiting += reversed([part for pair in node.pairs for part in pair])
    return [numbers, texts]


def decoded(file: SourceFile, data: Any, resolve: Resolve) -> Mapping:
    """The tree again. Raises StopIteration, IndexError, TypeError or ValueError for what `encoded` has not made."""
    numbers, texts = iter(data[0]), iter(data[1])
    root = _Decoder(file, numbers, texts, resolve).node()
    if not isinstance(root, Mapping):
        raise TypeError(root)
    return root


class _Decoder:
    def __init__(self, file: SourceFile, numbers: Iterator[int], texts: Iterator[str], resolve: Resolve) -> None:
        self._file = file
        self._text = file.text
        self._next = numbers.__next__
        self._texts = texts
        self._resolve = resolve

    def node(self) -> Node:
        """The next node, with all that is in it: no deeper than a file may nest."""
        more = self._next
        kind, start, end = more(), more(), more()
        span = Span(self._file, start, end)
        if kind == _MAPPING:
            return Mapping(span, tuple([(self._key(), self.node()) for _ in range(more())]))
        if kind == _SEQUENCE:
            return Sequence(span, tuple([self.node() for _ in range(more())]))
        is_there = kind >= 0
        style = kind if is_there else ~kind
        content = span if style == 0 else Span(self._file, more(), more())
        text = self._text[content.start : content.end] if is_there else next(self._texts)
        return Scalar(span, text, _STYLES[style], self._resolve(text) if style == 0 else text, content)

    def _key(self) -> Scalar:
        key = self.node()
        if not isinstance(key, Scalar):
            raise TypeError(key)
        return key
