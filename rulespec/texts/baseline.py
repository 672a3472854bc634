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
from typing import Final

from rulespec.diagnostics.model import Problems, quotable
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
    return Baseline(dict(_entry(item) for item in _items(tree)))


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


def _items(tree: Mapping) -> Iterable[Node]:
    """What stands under `accepted`; an empty file accepts nothing. Raises UnreadableBaseline for anything else."""
    others = [key for key, _ in tree.pairs if key.text != "accepted"]
    if others:
        found = quotable(others[0].text)
        raise UnreadableBaseline(f"{_at(others[0].span)}: a baseline has one key, `accepted`, and this is `{found}`.")
    accepted = tree.get("accepted")
    if accepted is None:
        return ()
    if not isinstance(accepted, Sequence):
        told = "`accepted` is a list of entries, each with an `id` and a `reason`."
        raise UnreadableBaseline(f"{_at(accepted.span)}: {told}")
    return accepted.items


def _entry(item: Node) -> tuple[str, str]:
    """An accepted id with its reason."""
    at = _at(item.span)
    name = item.get("id") if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(name, Scalar) or not name.text.strip():
        raise UnreadableBaseline(f"{at}: an entry of `accepted` has an `id` and a `reason`.")
    reason = item.get("reason")
    if not isinstance(reason, Scalar) or not reason.text.strip():
        raise UnreadableBaseline(f"{at}: {quotable(name.text)} is accepted without a reason.")
    others = [key for key, _ in item.pairs if key.text not in ("id", "reason")]
    if others:
        told = f"an entry of `accepted` has an `id` and a `reason`, and no `{quotable(others[0].text)}`."
        raise UnreadableBaseline(f"{_at(others[0].span)}: {told}")
    return name.text, reason.text


def suppression(finding: Finding) -> str:
    """The line that accepts a finding, to copy into a baseline."""
    return f"  - id: {finding.id}\n    reason: "
