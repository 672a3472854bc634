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

from rulespec.diagnostics.model import Problems, quotable
from rulespec.source.nodes import Mapping, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile
from rulespec.texts.findings import Finding


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
    """A baseline from its file. Raises UnreadableBaseline."""
    problems = Problems()
    try:
        tree = read_yaml(SourceFile.of(path.name, path.read_text(encoding="utf-8")), problems)
    except OSError as error:
        raise UnreadableBaseline(f"{path}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise UnreadableBaseline(f"{path} is not written in UTF-8.") from error
    if tree is None or problems.has_errors:
        first = problems.errors[0].message if problems.has_errors else "it is no YAML"
        raise UnreadableBaseline(f"{path}: {first}")
    return Baseline(dict(_entry(path, item) for item in _items(path, tree)))


def _items(path: Path, tree: Mapping) -> Iterable[object]:
    """What stands under `accepted`; an empty file accepts nothing. Raises UnreadableBaseline for anything else."""
    others = [key.text for key, _ in tree.pairs if key.text != "accepted"]
    if others:
        raise UnreadableBaseline(f"{path}: a baseline has one key, `accepted`, and this is `{quotable(others[0])}`.")
    accepted = tree.get("accepted")
    if accepted is None:
        return ()
    if not isinstance(accepted, Sequence):
        raise UnreadableBaseline(f"{path}: `accepted` is a list of entries, each with an `id` and a `reason`.")
    return accepted.items


def _entry(path: Path, item: object) -> tuple[str, str]:
    name = item.get("id") if isinstance(item, Mapping) else None
    reason = item.get("reason") if isinstance(item, Mapping) else None
    if not isinstance(name, Scalar):
        raise UnreadableBaseline(f"{path}: an entry of `accepted` has an `id` and a `reason`.")
    if not isinstance(reason, Scalar) or not reason.text.strip():
        raise UnreadableBaseline(f"{path}: {name.text} is accepted without a reason.")
    return name.text, reason.text


def suppression(finding: Finding) -> str:
    """The line that accepts a finding, to copy into a baseline."""
    return f"  - id: {finding.id}\n    reason: "
