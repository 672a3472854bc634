"""A comparison as CSV, for translators who work in tables: a row for each finding, a column for each language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import Finding, State
from rulespec.texts.reports.sheet import csv_text

_BEFORE: Final = ("id", "severity", "kind", "confidence", "odd one out", "rule")
_BEHIND: Final = ("message", "reason", "sure", "state", "by", "when", "why", "remark")
_UNKNOWN: Final = State("", "")


def table(comparison: Comparison, findings: Sequence[Finding], separator: str = ",") -> str:
    """The rows. The last column is empty, for remarks."""
    languages = [document.language for document in comparison.documents]
    heads = [head for language in languages for head in (f"{language} line", language)]
    rows: list[list[object]] = [[*_BEFORE, *heads, *_BEHIND]]
    for finding in findings:
        cells = [cell for language in languages for cell in _cells(finding, language)]
        row = [finding.id, finding.severity, finding.kind, finding.confidence, finding.odd or "", finding.rule or ""]
        told = [finding.message, finding.reason, comparison.telling.sure(finding.confidence)]
        state = finding.state or _UNKNOWN
        rows.append([*row, *cells, *told, state.state, state.by, state.when, state.reason, ""])
    empty = [""] * (len(_BEHIND) - 1)
    rows += [["", "", "note", "", "", "", *([""] * len(heads)), note, *empty] for note in comparison.notes]
    return csv_text(rows, separator)


def _cells(finding: Finding, language: str) -> tuple[str, str]:
    places = [place for place in finding.places if place.language == language]
    lines = ", ".join(dict.fromkeys(str(place.line) for place in places))
    return lines, " … ".join(place.excerpt for place in places if place.excerpt)
