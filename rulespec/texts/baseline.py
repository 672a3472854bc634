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
from rulespec.source.plain import plain_bytes
from rulespec.source.text import SourceFile, Span
from rulespec.texts.findings import Finding, State

_BOM: Final = "\ufeff"
_NOTHING: Final = re.compile(r"\[\s*\]")
_AS_LIST: Final = "write it as a list with a line for each part, so that some can be added."
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
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise UnreadableBaseline(f"{path}: {error.strerror or error}.") from error
    return _parsed(str(path), _decoded(str(path), data).removeprefix(_BOM))


def text_to_change(path: Path, name: str) -> str:
    """The text of a file of states as it stands there, with its BOM and line ends; empty where there is no file.

    `name` is what the file is called in what is told. Raises UnreadableBaseline, and OSError for what is no file, such
    as a pipe.
    """
    try:
        data = plain_bytes(path, _LARGEST)
    except FileNotFoundError:
        return ""
    if data is None:
        raise UnreadableBaseline(f"{name} is being changed all the time.")
    return _decoded(name, data)


def with_states(name: str, text: str, states: Iterable[State]) -> str:
    """The text of the file `name` with more states at its end; all that stands in it stays, and so do its line ends.

    Raises UnreadableBaseline where the file is wrong, or none can be added there: `states` is not the last part, or is
    written in one line.
    """
    wanted = {state.id: state for state in states}
    body = text.removeprefix(_BOM)
    head, indent = _place_for_more(_tree(name, body))
    last = head.rfind("\n")
    end = "\r\n" if last > 0 and head[last - 1] == "\r" else "\n"
    lines = [indent + line for state in wanted.values() for line in _lines(state)]
    added = head + (end if head and not head.endswith("\n") else "") + "".join(line + end for line in lines)
    try:
        known = _parsed(name, added).states
    except UnreadableBaseline as error:
        raise UnreadableBaseline(f"{error} (with what would be added)") from error
    if any(known.get(state.id) != state for state in wanted.values()):
        raise UnreadableBaseline(f"{name}: nothing can be added behind its last line.")
    return text[: len(text) - len(body)] + added


def _place_for_more(tree: Mapping) -> tuple[str, str]:
    """The text that more states are put behind, and the blanks before their dashes. Raises UnreadableBaseline."""
    text = tree.span.file.text
    if tree.span.text.startswith("{"):
        raise UnreadableBaseline(f"{_at(tree.span)}: this is written with braces: {_AS_LIST}")
    left = " " * (tree.pairs[0][0].span.column - 1) if tree.pairs else ""
    found = next(((key, value) for key, value in tree.pairs if key.text == "states"), None)
    if found is None:
        end = "\r\n" if "\r\n" in text else "\n"
        return text + (end if text and not text.endswith("\n") else "") + f"{left}states:{end}", left + "  "
    key, value = found
    if tree.pairs[-1][0] is not key:
        raise UnreadableBaseline(
            f"{_at(key.span)}: `states` is not the last part of the file: put it there, so that some can be added."
        )
    if not value.span.text.startswith("["):
        return text, " " * (value.span.column - 1)
    if not _NOTHING.fullmatch(value.span.text):
        raise UnreadableBaseline(f"{_at(value.span)}: this list is written with brackets: {_AS_LIST}")
    return text[: value.span.start].rstrip() + text[value.span.end :], left + "  "


def _lines(state: State) -> list[str]:
    """An entry, as it stands in a list."""
    lines = [f"- id: {state.id}", f"  state: {state.state}", f"  by: {json.dumps(state.by, ensure_ascii=False)}"]
    lines.append(f"  when: {state.when}")
    return [*lines, f"  reason: {json.dumps(state.reason, ensure_ascii=False)}"] if state.reason else lines


def _parsed(name: str, text: str) -> Baseline:
    tree = _tree(name, text)
    data = _plain(tree)
    found = [State(entry["id"], "accepted", reason=entry["reason"]) for entry in data.get("accepted", ())]
    found += [State(e["id"], e["state"], e["by"], e["when"], e.get("reason", "")) for e in data.get("states", ())]
    return Baseline({state.id: state for state in found})


def _tree(name: str, text: str) -> Mapping:
    """A text that has the form that is published. Raises UnreadableBaseline."""
    problems = Problems()
    tree = read_yaml(SourceFile.of(name, text), problems)
    if problems.has_errors:
        first = problems.errors[0]
        raise UnreadableBaseline(f"{_at(first.span)}: {first.message}")
    if tree is None:
        raise UnreadableBaseline(f"{name}: it is no YAML.")
    _refuse_another_form(tree)
    return tree


def _decoded(name: str, data: bytes) -> str:
    if len(data) > _LARGEST:
        raise UnreadableBaseline(f"{name} is larger than {_LARGEST // 1_000_000} MB.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableBaseline(f"{name}:{line}: this is not written in UTF-8.") from error


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
