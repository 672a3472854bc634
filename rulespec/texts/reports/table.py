"""A comparison as CSV, for translators who work in tables: a row for each finding, a column for each language."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import Finding

_BEFORE: Final = ("id", "severity", "kind", "confidence", "odd one out", "rule")
_BEHIND: Final = ("message", "reason", "sure", "state")
_FORMULA: Final = ("=", "+", "-", "@", "\t")


def table(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """The rows. The last column is empty, for remarks."""
    languages = [document.language for document in comparison.documents]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [head for language in languages for head in (f"{language} line", language)]
    writer.writerow([*_BEFORE, *heads, *_BEHIND, "remark"])
    for finding in findings:
        cells = [cell for language in languages for cell in _cells(finding, language)]
        row = [finding.id, finding.severity, finding.kind, finding.confidence, finding.odd or "", finding.rule or ""]
        told = [finding.message, finding.reason, comparison.telling.sure(finding.confidence)]
        told.append("" if finding.state is None else finding.state.told)
        writer.writerow([_plain(cell) for cell in (*row, *cells, *told, "")])
    for note in comparison.notes:
        writer.writerow(["", "", "note", "", "", "", *([""] * len(heads)), _plain(note), "", "", "", ""])
    return out.getvalue()


def _cells(finding: Finding, language: str) -> tuple[str, str]:
    places = [place for place in finding.places if place.language == language]
    lines = ", ".join(dict.fromkeys(str(place.line) for place in places))
    return lines, " … ".join(place.excerpt for place in places if place.excerpt)


def _plain(cell: object) -> object:
    """A cell that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
