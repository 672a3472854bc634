"""A comparison for the terminal: a line for each finding, what each language says, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from wcwidth import wcwidth

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import SEVERITIES, Finding, Place, Spot, shown_part
from rulespec.texts.telling import Telling

_SHOWN: Final = 3  #: how many places of one language are shown with their words
_WIDEST: Final = 120  #: characters of a sentence that are shown at most


def terminal(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """The findings, the gravest first, then how many there are of each kind."""
    files = {document.language: Path(document.file).name for document in comparison.documents}
    lines: list[str] = []
    for finding in findings:
        lines += _finding(finding, files, comparison.telling)
    lines += _summary(comparison, findings)
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, files: dict[str, str], told: Telling) -> Iterator[str]:
    first = _first(finding)
    at = f"{files.get(first.language, first.language)}:{first.line}:{first.column}"
    rule = f" [{finding.rule}]" if finding.rule else ""
    yield f"{at}: {finding.severity} {finding.kind}: {finding.message}{rule}  ({finding.id})"
    shown: Counter[str] = Counter()
    for place in finding.places:
        shown[place.language] += 1
        if shown[place.language] <= _SHOWN:
            yield from _place(place, told)
    reason = finding.reason or finding.kind
    yield f"    {told.part('how_sure', word=told.sure(finding.confidence), reason=reason)}"
    if finding.state is not None:
        yield f"    {finding.state.told}"
    yield ""


def _place(place: Place, told: Telling) -> Iterator[str]:
    """What an edition says there, and below it a mark under each phrase that differs."""
    label = f"    {place.language} {place.line}: "
    if not place.excerpt:
        yield f"{label}{told.part('nothing_here')}"
        return
    words, spots = shown_part(place, _WIDEST)
    yield f"{label}{words}"
    if spots:
        yield f"{' ' * len(label)}{_underlined(words, spots)}".rstrip()


def _underlined(words: str, spots: Sequence[Spot]) -> str:
    """Marks as wide as the stretches above them: characters of Chinese and Japanese are two cells wide."""
    cells = [
        ("^" if any(spot.start <= n < spot.end for spot in spots) else " ") * max(0, wcwidth(character))
        for n, character in enumerate(words)
    ]
    return "".join(cells)


def _first(finding: Finding) -> Place:
    """The place that is told of: that of the language that stands alone."""
    own = [place for place in finding.places if place.language == finding.odd]
    return (own or list(finding.places))[0]


def _summary(comparison: Comparison, findings: Sequence[Finding]) -> Iterator[str]:
    told = comparison.telling
    if not findings:
        yield told.part("no_differences")
    else:
        by_severity = Counter(finding.severity for finding in findings)
        counts = ", ".join(f"{by_severity[severity]} {severity}" for severity in SEVERITIES if by_severity[severity])
        number = told.part(f"differences_{'one' if len(findings) == 1 else 'other'}", number=len(findings))
        yield f"{number}: {counts}."
        yield from _by_kind(findings)
    if comparison.links is not None:
        for language, missing in comparison.links.missing.items():
            uncovered = comparison.links.uncovered.get(language, ())
            parts = {"rules": len(missing), "sentences": len(uncovered)}
            yield f"  {told.part('of_rules', edition=told.edition(language), **parts)}"
    yield from comparison.notes


def _by_kind(findings: Sequence[Finding]) -> Iterator[str]:
    """How many there are of each kind, and of how many which language stands alone."""
    by_kind = Counter(finding.kind for finding in findings)
    for kind, number in by_kind.items():
        alone = Counter(finding.odd for finding in findings if finding.kind == kind and finding.odd is not None)
        told = ", ".join(f"{language} {count}" for language, count in sorted(alone.items()))
        yield f"  {kind} {number}{f', alone: {told}' if told else ''}"
