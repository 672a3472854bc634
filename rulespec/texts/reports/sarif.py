"""A comparison as SARIF 2.1.0, for editors and code review. Fingerprints are the findings' ids: they outlive edits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rulespec.diagnostics.as_json import json_text
from rulespec.diagnostics.export import uri_of
from rulespec.texts.compare import Comparison
from rulespec.texts.findings import KINDS, Finding, Place, State, excerpt_around
from rulespec.texts.telling import Telling

_LEVELS: Final = {"play": "error", "text": "warning", "cosmetic": "note"}


def sarif(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """One run with all findings."""
    files = {document.language: _uri(Path(document.file)) for document in comparison.documents}
    driver = {
        "name": "rulespec texts compare",
        "rules": [{"id": kind, "shortDescription": {"text": kind}} for kind in KINDS],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": note}} for note in comparison.notes
                ],
            }
        ],
        "results": [_result(finding, files, comparison.telling) for finding in findings],
    }
    data = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json_text(data, 1) + "\n"


def _uri(path: Path) -> str:
    """A path as a reference: from the current folder, or of the whole computer."""
    return path.as_uri() if path.is_absolute() else uri_of(path.as_posix())


def _result(finding: Finding, files: dict[str, str], told: Telling) -> dict[str, Any]:
    how = told.sentence(told.part("how_sure", word=told.sure(finding.confidence), reason=finding.reason))
    own = [place for place in finding.places if place.language == finding.odd] or list(finding.places[:1])
    others = [place for place in finding.places if place not in own]
    return {
        "ruleId": finding.kind,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message} {how}" if finding.reason else finding.message},
        "locations": [_location(place, files) for place in own],
        "relatedLocations": [_location(place, files) for place in others],
        "partialFingerprints": {"rulespecFinding/v1": finding.id},
        **_suppressed(finding.state),
        "properties": {
            "confidence": finding.confidence,
            "rule": finding.rule,
            "state": finding.state and finding.state.state,
            "by": finding.state and finding.state.by,
            "when": finding.state and finding.state.when,
            "reason": finding.state and finding.state.reason,
        },
    }


def _suppressed(state: State | None) -> dict[str, Any]:
    """That a finding is accepted or rejected, as SARIF says it: then it counts no more."""
    if state is None or not state.is_settled:
        return {}
    return {"suppressions": [{"kind": "external", "status": "accepted", "justification": state.told}]}


def _location(place: Place, files: dict[str, str]) -> dict[str, Any]:
    region: dict[str, Any] = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": max(place.end_column, place.column if place.line == place.end_line else 1),
    }
    if place.excerpt:
        region["snippet"] = {"text": excerpt_around(place, 300)}
    where = {"artifactLocation": {"uri": files.get(place.language, place.language)}, "region": region}
    return {"physicalLocation": where, "message": {"text": place.language}}
