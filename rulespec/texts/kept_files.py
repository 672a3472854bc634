"""Files that people keep beside their rulebooks, and that commands add to: read with places, changed at their end only.

Such a file is YAML of a published form: a map of lists. What is wrong in it is told with its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from rulespec.diagnostics.model import Problems
from rulespec.published import Fault, first_fault
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.plain import plain_bytes
from rulespec.source.text import SourceFile, Span

_BOM: Final = "\ufeff"
_NOTHING: Final = re.compile(r"\[\s*\]")
_AS_LIST: Final = "write it as a list with a line for each part, so that some can be added."
_LARGEST: Final = 10_000_000  #: bytes of the file


class UnreadableFile(Exception):
    """A file that cannot be read or added to; the words say why."""


def tree_in(path: Path, schema: str) -> Mapping:
    """What a file holds. Raises UnreadableFile, with the line and the column of what is wrong."""
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}.") from error
    return tree_of(str(path), _decoded(str(path), data), schema)


def tree_of(name: str, text: str, schema: str) -> Mapping:
    """A text that has the form that is published. Raises UnreadableFile."""
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text.removeprefix(_BOM)), problems)
    if problems.has_errors:
        first = problems.errors[0]
        raise UnreadableFile(f"{place_in(first.span)}: {first.message}")
    if tree is None:
        raise UnreadableFile(f"{name}: it is no YAML.")
    fault = first_fault(as_data(tree), schema)
    if fault is not None:
        raise UnreadableFile(f"{place_in(_place(tree, fault))}: {fault.words}.")
    return tree


def text_to_change(path: Path, name: str) -> str:
    """The text of a file as it stands there, with its BOM and line ends; empty where there is no file.

    `name` is what the file is called in what is told. Raises UnreadableFile, and OSError for what is no file, such
    as a pipe.
    """
    try:
        data = plain_bytes(path, _LARGEST)
    except FileNotFoundError:
        return ""
    if data is None:
        raise UnreadableFile(f"{name} is being changed all the time.")
    return _decoded(name, data)


def with_entries(name: str, text: str, key: str, schema: str, entries: Iterable[list[str]]) -> str:
    """The text of the file `name` with entries, as lines, at the end of its list `key`; all that stands in it stays.

    Line ends and blanks are as the file has them. Raises UnreadableFile where the file is wrong, or none can be added
    there: the list is not the last part, or is written in one line.
    """
    body = text.removeprefix(_BOM)
    head, indent = _place_for_more(tree_of(name, body, schema), key)
    last = head.rfind("\n")
    end = "\r\n" if last > 0 and head[last - 1] == "\r" else "\n"
    lines = [indent + line for entry in entries for line in entry]
    added = head + (end if head and not head.endswith("\n") else "") + "".join(line + end for line in lines)
    try:
        tree_of(name, added, schema)
    except UnreadableFile as error:
        raise UnreadableFile(f"{error} (with what would be added)") from error
    return text[: len(text) - len(body)] + added


def _place_for_more(tree: Mapping, wanted: str) -> tuple[str, str]:
    """The text that more entries are put behind, and the blanks before their dashes. Raises UnreadableFile."""
    text = tree.span.file.text
    if tree.span.text.startswith("{"):
        raise UnreadableFile(f"{place_in(tree.span)}: this is written with braces: {_AS_LIST}")
    left = " " * (tree.pairs[0][0].span.column - 1) if tree.pairs else ""
    found = next(((key, value) for key, value in tree.pairs if key.text == wanted), None)
    if found is None:
        end = "\r\n" if "\r\n" in text else "\n"
        return text + (end if text and not text.endswith("\n") else "") + f"{left}{wanted}:{end}", left + "  "
    key, value = found
    if tree.pairs[-1][0] is not key:
        raise UnreadableFile(
            f"{place_in(key.span)}: `{wanted}` is not the last part of the file: "
            "put it there, so that some can be added."
        )
    if not value.span.text.startswith("["):
        return text, " " * (value.span.column - 1)
    if not _NOTHING.fullmatch(value.span.text):
        raise UnreadableFile(f"{place_in(value.span)}: this list is written with brackets: {_AS_LIST}")
    return text[: value.span.start].rstrip() + text[value.span.end :], left + "  "


def place_in(span: Span) -> str:
    """Where something stands in the file, as editors open it."""
    return f"{span.file.name}:{span.line}:{span.column}"


def as_data(node: Node) -> Any:
    """The tree as data. Whatever is no list or map is a text: an id or a reason may look like a number."""
    if isinstance(node, Mapping):
        return {key.text: as_data(value) for key, value in node.pairs}
    if isinstance(node, Sequence):
        return [as_data(item) for item in node.items]
    return node.text if isinstance(node, Scalar) else None


def _decoded(name: str, data: bytes) -> str:
    if len(data) > _LARGEST:
        raise UnreadableFile(f"{name} is larger than {_LARGEST // 1_000_000} MB.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableFile(f"{name}:{line}: this is not written in UTF-8.") from error


def _place(node: Node, fault: Fault) -> Span:
    for number, step in enumerate(fault.path, 1):
        if isinstance(step, int):
            assert isinstance(node, Sequence)
            node = node.items[step]
            continue
        assert isinstance(node, Mapping)
        key, value = next((key, value) for key, value in node.pairs if key.text == step)
        node = key if fault.is_key and number == len(fault.path) else value
    return node.span
