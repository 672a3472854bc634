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
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rulespec.source.nodes import Mapping
from rulespec.texts.findings import LEFT, NEW, Finding, State
from rulespec.texts.kept_files import UnreadableFile, as_data, tree_in, tree_of, with_entries

_SCHEMA: Final = "texts_baseline"


@dataclass(frozen=True)
class Baseline:
    """The states of findings by their ids, each the last one; `history` are all, as they were added."""

    states: dict[str, State]
    history: tuple[State, ...] = ()

    def told(self, findings: Iterable[Finding], wanted: Collection[str] = LEFT) -> list[Finding]:
        """The findings whose state is asked for, with their states."""
        known = [replace(finding, state=self.states.get(finding.id)) for finding in findings]
        return [finding for finding in known if (NEW if finding.state is None else finding.state.state) in wanted]

    def gone(self, findings: Iterable[Finding]) -> list[State]:
        """The states of ids that stand for nothing any more."""
        known = {finding.id for finding in findings}
        return [state for name, state in self.states.items() if name not in known]


#: Where there is no file of states.
NOTHING: Final = Baseline({})


def read_baseline(path: Path) -> Baseline:
    """A baseline from its file. Raises UnreadableFile, with the line and the column of what is wrong."""
    return _of(tree_in(path, _SCHEMA))


def with_states(name: str, text: str, states: Iterable[State]) -> str:
    """The text of the file `name` with more states at its end; all that stands in it stays, and so do its line ends.

    Raises UnreadableFile where the file is wrong, or none can be added there.
    """
    wanted = {state.id: state for state in states}
    added = with_entries(name, text, "states", _SCHEMA, map(_lines, wanted.values()))
    known = _of(tree_of(name, added, _SCHEMA)).states
    if any(known.get(state.id) != state for state in wanted.values()):
        raise UnreadableFile(f"{name}: nothing can be added behind its last line.")
    return added


def _lines(state: State) -> list[str]:
    """An entry, as it stands in a list."""
    lines = [f"- id: {state.id}", f"  state: {state.state}", f"  by: {json.dumps(state.by, ensure_ascii=False)}"]
    lines.append(f"  when: {state.when}")
    return [*lines, f"  reason: {json.dumps(state.reason, ensure_ascii=False)}"] if state.reason else lines


def _of(tree: Mapping) -> Baseline:
    data = as_data(tree)
    found = [State(entry["id"], "accepted", reason=entry["reason"]) for entry in data.get("accepted", ())]
    found += [State(e["id"], e["state"], e["by"], e["when"], e.get("reason", "")) for e in data.get("states", ())]
    return Baseline({state.id: state for state in found}, tuple(found))


def suppression(finding: Finding) -> str:
    """The line that accepts a finding, to copy into a baseline."""
    return f"  - id: {finding.id}\n    reason: "
