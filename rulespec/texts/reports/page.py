"""A comparison as one HTML file without network: aligned clauses side by side, differing words marked, filters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from rulespec.texts.baseline import suppression
from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.compare import Comparison
from rulespec.texts.findings import SEVERITIES, Finding, Place, Spot


def page(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """The whole file."""
    languages = [document.language for document in comparison.documents]
    by_cluster: dict[int, list[Finding]] = {}
    for finding in findings:
        by_cluster.setdefault(finding.cluster, []).append(finding)
    rows = "\n".join(_rows(comparison, languages, by_cluster))
    head = "".join(f"<th>{escape(_title(comparison, language))}</th>" for language in languages)
    template = files("rulespec.texts.reports").joinpath("page.html").read_text(encoding="utf-8")
    parts = {
        "languages": " ".join(_option("lang", language, language) for language in languages),
        "severities": " ".join(_option("severity", severity, severity) for severity in SEVERITIES),
        "kinds": " ".join(_option("kind", kind, kind) for kind in dict.fromkeys(f.kind for f in findings)),
        "sections": "".join(_sections(comparison)),
        "count": str(len(findings)),
        "head": head,
        "width": str(len(languages)),
        "rows": rows,
    }
    for name, value in parts.items():
        template = template.replace(f"<!--{name}-->", value)
    return template


def _title(comparison: Comparison, language: str) -> str:
    document = next(document for document in comparison.documents if document.language == language)
    return f"{language} · {Path(document.file).name}"


def _option(group: str, value: str, text: str) -> str:
    return (
        f'<label><input type="checkbox" data-filter="{group}" value="{escape(value)}" checked> {escape(text)}</label>'
    )


def _sections(comparison: Comparison) -> Iterator[str]:
    """The headings of the first document, as places to filter by."""
    first = comparison.reads[0]
    for n, clause in enumerate(first.clauses):
        if clause.kind == "heading":
            yield f'<option value="{n}">{escape(clause.text)}</option>'


def _rows(comparison: Comparison, languages: list[str], by_cluster: dict[int, list[Finding]]) -> Iterator[str]:
    reads = {read.language: read for read in comparison.reads}
    section = -1
    for cluster in comparison.clusters:
        first = cluster.members.get(languages[0], ())
        headings = [n for n in first if reads[languages[0]].clauses[n].kind == "heading"]
        section = headings[-1] if headings else section
        found = by_cluster.get(cluster.index, [])
        cells = "".join(_cell(reads[language], cluster, found) for language in languages)
        mark = _worst(found)
        yield f'<tr class="clause {mark}" data-section="{section}">{cells}</tr>'
        for finding in found:
            yield _finding_row(finding, len(languages), section)


def _worst(found: Iterable[Finding]) -> str:
    names = [finding.severity for finding in found]
    return next((severity for severity in SEVERITIES if severity in names), "same")


def _cell(read: Read, cluster: Cluster, found: Sequence[Finding]) -> str:
    members = cluster.members.get(read.language, ())
    if not members:
        return '<td class="none">—</td>'
    text = " ".join(read.clauses[n].text for n in members)
    places = [p for f in found for p in f.places if p.language == read.language and p.excerpt == text]
    line = read.clauses[members[0]].line
    direction = f' lang="{escape(read.language)}"'
    return f'<td{direction}><span class="line">{line}</span> {_marked(text, [s for p in places for s in p.spots])}</td>'


def _marked(text: str, spots: Sequence[Spot]) -> str:
    """A text with stretches marked."""
    out, at = [], 0
    for spot in sorted(set(spots), key=lambda spot: (spot.start, -spot.end)):
        if spot.start < at or spot.end <= spot.start:
            continue
        out.append(escape(text[at : spot.start]))
        out.append(f"<mark>{escape(text[spot.start : spot.end])}</mark>")
        at = spot.end
    return "".join(out) + escape(text[at:])


def _finding_row(finding: Finding, width: int, section: int) -> str:
    rule = f' <span class="rule">{escape(finding.rule)}</span>' if finding.rule else ""
    elsewhere = "" if len(finding.places) <= width else f"<br>{_elsewhere(finding.places)}"
    data = (
        f'data-severity="{finding.severity}" data-kind="{finding.kind}" data-section="{section}" '
        f'data-lang="{escape(finding.odd or "")}"'
    )
    return (
        f'<tr class="finding {finding.severity}" id="{finding.id}" {data}><td colspan="{width}">'
        f'<a class="id" href="#{finding.id}">{finding.id}</a> <b>{finding.severity} · {finding.kind}</b> '
        f"{finding.confidence:.2f} {escape(finding.message)}{rule} "
        f"<button data-copy={_attribute(suppression(finding))}>accept…</button>{elsewhere}</td></tr>"
    )


def _elsewhere(places: Sequence[Place]) -> str:
    return escape("; ".join(dict.fromkeys(f"{place.language} {place.line}" for place in places)))


def _attribute(text: str) -> str:
    return '"' + escape(json.dumps(text), quote=True) + '"'
