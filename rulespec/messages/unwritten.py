"""Words that a fix has left to the writer: texts that begin with the mark of those that are still to be written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.messages.mends import TO_WRITE
from rulespec.source.tree import Mapping, Node, Scalar, parts_of

#: The sections in which people are told something.
_SECTIONS: Final = ("game", "messages", "terms", "rules", "book")
_MARK: Final = re.compile(rf"{TO_WRITE}\b")


def note_unwritten(trees: Iterable[Mapping], problems: Problems) -> None:
    """A note at each text of some files that is still to be written."""
    for tree in trees:
        if TO_WRITE in tree.span.file.text:
            for text in _texts(tree):
                if _MARK.match(text.text):
                    problems.add("RS533", text.span)


def _texts(tree: Mapping) -> Iterator[Scalar]:
    """The single values of what people are told, in the order of the file."""
    waiting: list[Node] = [node for key, node in reversed(tree.pairs) if key.text in _SECTIONS]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Scalar):
            yield at
        waiting += reversed([*parts_of(at)])
