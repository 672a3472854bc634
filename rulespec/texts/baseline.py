"""Differences that are accepted: a file of ids, each with the reason.

    accepted:
      - id: number-1f0c3a9b22
        reason: The figure is printed on the board, and this edition names it.

Ids come from what a finding says and from what the other rulebooks say there, and not from lines: they outlive edits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rulespec.diagnostics.model import Problems
from rulespec.published import Fault, first_fault
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile, Span
from rulespec.texts.findings import Finding

_LARGEST: Final = 10_000_000  #: bytes of the file


class UnreadableBaseline(Exception):
    """A baseline that cannot be read; the words say why."""


@dataclass(frozen=True)
class Baseline:
    """The accepted ids with their reasons."""

    accepted: dict[str, str]

    def new(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that are not accepted."""
        return [finding for finding in findings if finding.id not in self.accepted]

    def gone(self, findings: Iterable[Finding]) -> list[str]:
        """The accepted ids that stand for nothing any more."""
        known = {finding.id for finding in findings}
        return [name for name in self.accepted if name not in known]


def read_baseline(path: Path) -> Baseline:
    """A baseline from its file. Raises UnreadableBaseline, with the line and the column of what is wrong."""
    problems = Problems()
    tree = read_yaml(SourceFile.of(str(path), _text(path)), problems)
    if problems.has_errors:
        first = problems.errors[0]
        raise UnreadableBaseline(f"{_at(first.span)}: {first.message}")
    if tree is None:
        raise UnreadableBaseline(f"{path}: it is no YAML.")
    _refuse_another_form(tree)
    accepted = tree.get("accepted")
    return Baseline({entry["id"]: entry["reason"] for entry in (_plain(accepted) if accepted is not None else ())})


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise UnreadableBaseline(f"{path}: {error.strerror or error}.") from error
    if len(data) > _LARGEST:
        raise UnreadableBaseline(f"{path} is larger than {_LARGEST // 1_000_000} MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableBaseline(f"{path}:{line}: this is not written in UTF-8.") from error


def _at(span: Span) -> str:
    """Where something stands in the file, as editors open it."""
    return f"{span.file.name}:{span.line}:{span.column}"


def _refuse_another_form(tree: Mapping) -> None:
    """Raises UnreadableBaseline where the tree has not the form that is published."""
    fault = first_fault(_plain(tree), "texts_baseline")
    if fault is not None:
        raise UnreadableBaseline(f"{_at(_place(tree, fault))}: {fault.words}.")


def _plain(node: Node) -> Any:
    """The tree as data. Whatever is no list or map is a text: an id or a reason may look like a number."""
    if isinstance(node, Mapping):
        return {key.text: _plain(value) for key, value in node.pairs}
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return node.text if isinstance(node, Scalar) else None


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


def suppression(finding: Finding) -> str:
    """The line that accepts a finding, to copy into a baseline."""
    return f"  - id: {finding.id}\n    reason: "
