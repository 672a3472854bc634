"""What the parts of the page share: texts with marks, places in words, the section that a sentence stands in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from rulespec.texts.baseline import suppression
from rulespec.texts.compare import Comparison
from rulespec.texts.findings import NEW, Finding, Spot

_PAGE = 1000  #: what a page of a PDF counts in the number of a line


def marked(text: str, spots: Sequence[Spot]) -> str:
    """A text with stretches marked."""
    out, at = [], 0
    for spot in sorted(set(spots), key=lambda spot: (spot.start, -spot.end)):
        if spot.start < at or spot.end <= spot.start:
            continue
        out.append(escape(text[at : spot.start]))
        out.append(f"<mark>{escape(text[spot.start : spot.end])}</mark>")
        at = spot.end
    return "".join(out) + escape(text[at:])


def line_in_words(line: int, file: str) -> str:
    """Where a line stands, as people say it: in a PDF by its page."""
    if Path(file).suffix.lower() == ".pdf":
        return f"page {line // _PAGE}, line {line % _PAGE}"
    return f"line {line}"


def sections(comparison: Comparison) -> dict[int, int]:
    """For each cluster the clause of the first document that is the heading above it; -1 where none is."""
    first = comparison.reads[0]
    found, section = {}, -1
    for cluster in comparison.clusters:
        members = cluster.members.get(first.language, ())
        section = next((n for n in reversed(members) if first.clauses[n].kind == "heading"), section)
        found[cluster.index] = section
    return found


def data_of(finding: Finding, section: int) -> str:
    """What the filters ask of a finding, as attributes."""
    return (
        f'data-severity="{finding.severity}" data-kind="{finding.kind}" data-section="{section}" '
        f'data-lang="{escape(finding.odd or "")}" data-state="{state_of(finding)}"'
    )


def state_of(finding: Finding) -> str:
    """What became of a finding, in a word."""
    return NEW if finding.state is None else finding.state.state


def accept_button(finding: Finding) -> str:
    """A button that copies the entry of a baseline that accepts the finding."""
    entry = escape(json.dumps(suppression(finding)), quote=True)
    return f'<button data-copy="{entry}" title="copy the entry for the baseline; the reason is yours">accept…</button>'
