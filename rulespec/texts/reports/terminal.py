"""A comparison for the terminal: a line for each finding, what each language says, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import SEVERITIES, Finding, Place, shortened

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
            words = shortened(place.excerpt, 120) if place.excerpt else "(nothing)"
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
        yield f"{len(findings)} difference{'s' if len(findings) != 1 else ''}: {counts}."
        by_kind = Counter((finding.kind, finding.odd or "-") for finding in findings)
        for kind in dict.fromkeys(finding.kind for finding in findings):
            odd = ", ".join(f"{language} {n}" for (k, language), n in sorted(by_kind.items()) if k == kind)
            yield f"  {kind}: {odd}"
    if comparison.links is not None:
        for language, missing in comparison.links.missing.items():
            uncovered = comparison.links.uncovered.get(language, ())
            yield f"  {language}: {len(missing)} rules are not found, {len(uncovered)} sentences belong to no rule."
