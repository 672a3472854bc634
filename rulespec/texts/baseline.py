"""What became of differences: a file of ids, each with its state, by whom, when and why.

    states:
      - id: number-1f0c3a9b22
        state: accepted
        by: M. Durand
        when: 2026-11-29
        reason: The figure is printed on the board, and this edition names it.

States are added at the end: the last one of an id counts, and those before it are its history. What is accepted or
rejected is told no more; what is to be fixed is told with its state. `accepted`, a list of ids with reasons, is the
same with less. Ids come from what a finding says and from what the other rulebooks say there, and not from lines: they
outlive edits and new editions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rulespec.diagnostics.model import Problems
from rulespec.published import Fault, first_fault
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence, read_yaml
from rulespec.source.text import SourceFile, Span
from rulespec.texts.findings import Finding, State

_TOP: Final = re.compile(r"^(\w+) *:", re.MULTILINE)
_LARGEST: Final = 10_000_000  #: bytes of the file


class UnreadableBaseline(Exception):
    """A baseline that cannot be read; the words say why."""


@dataclass(frozen=True)
class Baseline:
    """The states of findings by their ids, each the last one."""

    states: dict[str, State]

    def new(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that are still to be told, with their states."""
        known = [replace(finding, state=self.states.get(finding.id)) for finding in findings]
        return [finding for finding in known if finding.state is None or not finding.state.is_settled]

    def gone(self, findings: Iterable[Finding]) -> list[State]:
        """The states of ids that stand for nothing any more."""
        known = {finding.id for finding in findings}
        return [state for name, state in self.states.items() if name not in known]


def read_baseline(path: Path) -> Baseline:
    """A baseline from its file. Raises UnreadableBaseline, with the line and the column of what is wrong."""
    return _parsed(str(path), _text(path))


def _parsed(name: str, text: str) -> Baseline:
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text), problems)
    if problems.has_errors:
        first = problems.errors[0]
        raise UnreadableBaseline(f"{_at(first.span)}: {first.message}")
    if tree is None:
        raise UnreadableBaseline(f"{name}: it is no YAML.")
    _refuse_another_form(tree)
    data = _plain(tree)
    found = [State(entry["id"], "accepted", reason=entry["reason"]) for entry in data.get("accepted", ())]
    found += [State(e["id"], e["state"], e["by"], e["when"], e.get("reason", "")) for e in data.get("states", ())]
    return Baseline({state.id: state for state in found})


def with_state(text: str, state: State) -> str:
    """The text of a file with one more state at its end.

    Raises UnreadableBaseline where none can be added there: `states` is not the last part, or is written in one line.
    """
    keys = _TOP.findall(text)
    if "states" in keys and keys[-1] != "states":
        raise UnreadableBaseline("`states` is not the last part of the file: put it there, so that some can be added.")
    entry = [f"  - id: {state.id}", f"    state: {state.state}", f"    by: {json.dumps(state.by, ensure_ascii=False)}"]
    entry.append(f"    when: {state.when}")
    if state.reason:
        entry.append(f"    reason: {json.dumps(state.reason, ensure_ascii=False)}")
    head = text if not text or text.endswith("\n") else f"{text}\n"
    added = "\n".join([head + ("" if "states" in keys else "states:\n") + entry[0], *entry[1:], ""])
    try:
        known = _parsed("the file with one more state", added).states.get(state.id)
    except UnreadableBaseline:
        known = None
    if known != state:
        raise UnreadableBaseline("nothing can be added to `states`: write it as a list with a line for each part.")
    return added


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
