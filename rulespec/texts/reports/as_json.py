"""A comparison as JSON: the form is `schemas/texts_compare.schema.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rulespec.diagnostics.as_json import json_text
from rulespec.texts.clusters import Cluster
from rulespec.texts.compare import Comparison
from rulespec.texts.findings import Finding, Place, State, shown_part
from rulespec.texts.telling import Telling

VERSION: Final = 1


def as_json(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """The whole comparison."""
    clauses = {read.language: len(read.clauses) for read in comparison.reads}
    links = comparison.links
    data = {
        "version": VERSION,
        "documents": {
            document.language: {"file": document.file, "clauses": clauses[document.language]}
            for document in comparison.documents
        },
        "encoder": comparison.encoder,
        "notes": list(comparison.notes),
        "pairs": [_pair(comparison, cluster) for cluster in comparison.clusters if len(cluster.members) > 1],
        "aligned": sum(len(cluster.members) == len(comparison.reads) for cluster in comparison.clusters),
        "findings": [_finding(finding, comparison.telling) for finding in findings],
        "rules_without_text": {} if links is None else {k: list(v) for k, v in links.missing.items()},
        "clauses_without_rule": {} if links is None else {k: list(v) for k, v in links.uncovered.items()},
    }
    return json_text(data, 1) + "\n"


def _pair(comparison: Comparison, cluster: Cluster) -> dict[str, Any]:
    """Where clauses that say the same begin, and how sure it is that they do; None where nothing is known of that."""
    lines = {
        read.language: read.clauses[cluster.members[read.language][0]].line
        for read in comparison.reads
        if read.language in cluster.members
    }
    sure = comparison.trust.sure.get(cluster.index)
    found = {"lines": lines, "confidence": None if sure is None else round(sure, 2)}
    return {**found, "by_hand": sorted(cluster.by_hand)} if cluster.by_hand else found


def _finding(finding: Finding, told: Telling) -> dict[str, Any]:
    return {
        "id": finding.id,
        "kind": finding.kind,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "sure": told.sure(finding.confidence),
        "rule": finding.rule,
        "places": [_place(place) for place in finding.places],
        "message": finding.message,
        "reason": finding.reason,
        "state": None if finding.state is None else _state(finding.state),
        "odd_one_out": finding.odd,
    }


def _state(state: State) -> dict[str, str]:
    return {"state": state.state, "by": state.by, "when": state.when, "reason": state.reason}


def _place(place: Place) -> dict[str, Any]:
    excerpt, spots = shown_part(place, 300)
    return {
        "lang": place.language,
        "line": place.line,
        "end_line": place.end_line,
        "column": place.column,
        "end_column": place.end_column,
        "excerpt": excerpt,
        "marks": [[spot.start, spot.end] for spot in spots],
        "lacking": place.lacking,
    }
