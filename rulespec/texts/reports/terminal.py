"""A comparison for the terminal: a line for each finding, what each language says, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import SEVERITIES, Finding, Place, excerpt_around

_SHOWN = 3  #: how many places of one language are shown with their words


def terminal(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """The findings, the gravest first, then how many there are of each kind."""
    files = {document.language: Path(document.file).name for document in comparison.documents}
    lines: list[str] = []
    for finding in findings:
        lines += _finding(finding, files)
    lines += _summary(comparison, findings)
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, files: dict[str, str]) -> Iterator[str]:
    first = _first(finding)
    at = f"{files.get(first.language, first.language)}:{first.line}:{first.column}"
    rule = f" [{finding.rule}]" if finding.rule else ""
    yield f"{at}: {finding.severity} {finding.kind}: {finding.message}{rule}  ({finding.id})"
    shown: Counter[str] = Counter()
    for place in finding.places:
        shown[place.language] += 1
        if shown[place.language] <= _SHOWN:
            words = excerpt_around(place, 120) if place.excerpt else "(nothing)"
            yield f"    {place.language} {place.line}: {words}"
    yield ""


def _first(finding: Finding) -> Place:
    """The place that is told of: that of the language that stands alone."""
    own = [place for place in finding.places if place.language == finding.odd]
    return (own or list(finding.places))[0]


def _summary(comparison: Comparison, findings: Sequence[Finding]) -> Iterator[str]:
    if not findings:
        yield "No differences."
    else:
        by_severity = Counter(finding.severity for finding in findings)
        counts = ", ".join(f"{by_severity[severity]} {severity}" for severity in SEVERITIES if by_severity[severity])
        yield f"{_several(len(findings), 'difference')}: {counts}."
        yield from _by_kind(findings)
    if comparison.links is not None:
        for language, missing in comparison.links.missing.items():
            uncovered = comparison.links.uncovered.get(language, ())
            rules, sentences = _several(len(missing), "rule"), _several(len(uncovered), "sentence")
            yield f"  {language}: {rules} not found, {sentences} of no rule."
    yield from comparison.notes


def _by_kind(findings: Sequence[Finding]) -> Iterator[str]:
    """How many there are of each kind, and of how many which language stands alone."""
    by_kind = Counter(finding.kind for finding in findings)
    for kind, number in by_kind.items():
        alone = Counter(finding.odd for finding in findings if finding.kind == kind and finding.odd is not None)
        told = ", ".join(f"{language} {count}" for language, count in sorted(alone.items()))
        yield f"  {kind} {number}{f', alone: {told}' if told else ''}"


def _several(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
