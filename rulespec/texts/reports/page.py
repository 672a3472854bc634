"""A comparison as one HTML file without network: the differences by rank, then all clauses side by side; filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from rulespec.texts.clusters import Cluster, Read
from rulespec.texts.compare import Comparison
from rulespec.texts.document import Document
from rulespec.texts.findings import ASKED, SEVERITIES, Finding
from rulespec.texts.reports.cards import RULES, cards, without_rule
from rulespec.texts.reports.marking import data_of, line_in_words, marked, sections, state_of


def page(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """The whole file."""
    languages = [document.language for document in comparison.documents]
    places = sections(comparison)
    parts = {
        "title": escape(" · ".join(_title(document) for document in comparison.documents)),
        "languages": " ".join(_option("lang", language, language) for language in languages),
        "severities": " ".join(_options("severity", SEVERITIES, (finding.severity for finding in findings))),
        "states": _states(findings),
        "kinds": " ".join(_options("kind", _kinds(findings), (finding.kind for finding in findings))),
        "sections": "".join(_sections(comparison)),
        "parts": " ".join(_links(comparison, findings)),
        "count": str(len(findings)),
        "notes": "".join(f'<p class="files">{escape(note)}</p>' for note in comparison.notes),
        "cards": "\n".join(cards(comparison, findings, places)),
        "head": "".join(f"<th>{escape(_title(document))}</th>" for document in comparison.documents),
        "width": str(len(languages)),
        "rows": "\n".join(_rows(comparison, findings, places)),
        "rest": "\n".join(without_rule(comparison)),
    }
    template = files("rulespec.texts.reports").joinpath("page.html").read_text(encoding="utf-8")
    pieces = template.split("<!--")
    filled = (parts[name] + rest for name, _, rest in (piece.partition("-->") for piece in pieces[1:]))
    return pieces[0] + "".join(filled)


def _title(document: Document) -> str:
    return f"{document.language}: {Path(document.file).name}"


def _kinds(findings: Iterable[Finding]) -> list[str]:
    return list(dict.fromkeys(finding.kind for finding in findings))


def _options(group: str, values: Iterable[str], found: Iterable[str]) -> Iterator[str]:
    """A box to tick for each value that there is, with how many there are."""
    counts = Counter(found)
    for value in values:
        if counts[value]:
            yield _option(group, value, f"{value} {counts[value]}")


def _option(group: str, value: str, text: str) -> str:
    return (
        f'<label><input type="checkbox" data-filter="{group}" value="{escape(value)}" checked> {escape(text)}</label>'
    )


def _states(findings: Sequence[Finding]) -> str:
    """Boxes for states, where some finding has one."""
    found = [state_of(finding) for finding in findings]
    return f"state: {' '.join(_options('state', ASKED, found))}" if any(finding.state for finding in findings) else ""


def _links(comparison: Comparison, findings: Sequence[Finding]) -> Iterator[str]:
    """Where the parts of the page begin."""
    there = {finding.severity for finding in findings}
    for severity in SEVERITIES:
        if severity in there:
            yield f'<a href="#{severity}">{comparison.telling.part(f"severity_{severity}")}</a>'
    yield '<a href="#side">All sentences side by side</a>'
    if comparison.links is not None:
        yield f'<a href="#rules">{RULES}</a>'


def _sections(comparison: Comparison) -> Iterator[str]:
    """The headings of the first document, as places to filter by."""
    first = comparison.reads[0]
    for n, clause in enumerate(first.clauses):
        if clause.kind == "heading":
            yield f'<option value="{n}">{escape(clause.text)}</option>'


# ---- side by side -----------------------------------------------------------------------------------


def _rows(comparison: Comparison, findings: Sequence[Finding], places: Mapping[int, int]) -> Iterator[str]:
    reads = {read.language: read for read in comparison.reads}
    named = {document.language: document.file for document in comparison.documents}
    by_cluster: dict[int, list[Finding]] = {}
    for finding in findings:
        by_cluster.setdefault(finding.cluster, []).append(finding)
    for cluster in comparison.clusters:
        found, section = by_cluster.get(cluster.index, []), places[cluster.index]
        cells = "".join(_cell(reads[language], cluster, found, file) for language, file in named.items())
        worst = next((one for one in SEVERITIES if any(finding.severity == one for finding in found)), "same")
        sure = comparison.trust.sure.get(cluster.index)
        how = "" if sure is None else f' title="these say the same: {sure:.2f}"'
        how = ' title="joined by hand"' if cluster.by_hand else how
        unsure = "" if comparison.trust.is_sure(cluster.index) else " unsure"
        yield f'<tr class="clause {worst}{unsure}" id="c{cluster.index}" data-section="{section}"{how}>{cells}</tr>'
        yield from (_finding_row(finding, len(named), section) for finding in found)


def _cell(read: Read, cluster: Cluster, found: Sequence[Finding], file: str) -> str:
    members = cluster.members.get(read.language, ())
    if not members:
        return '<td class="none">—</td>'
    text = " ".join(read.clauses[n].text for n in members)
    spots = [s for f in found for p in f.places if p.language == read.language and p.excerpt == text for s in p.spots]
    line = line_in_words(read.clauses[members[0]].line, file).removeprefix("line ")
    return f'<td lang="{escape(read.language)}"><span class="line">{line}</span> {marked(text, spots)}</td>'


def _finding_row(finding: Finding, width: int, section: int) -> str:
    state = "" if finding.state is None else f" <b>{finding.state.state}</b>"
    return (
        f'<tr class="finding {finding.severity}" {data_of(finding, section)}><td colspan="{width}">'
        f'<b>{finding.severity} · {finding.kind}</b> <a href="#{finding.id}">{escape(finding.message)}</a>'
        f"{state}</td></tr>"
    )
