"""The first part of the page: every difference by itself, the gravest first, with what each rulebook says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Final

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import SEVERITIES, Finding, Place, excerpt_around
from rulespec.texts.reports.marking import accept_button, data_of, line_in_words, marked
from rulespec.texts.telling import Telling

RULES: Final = "Rules and sentences without each other"
_SHOWN: Final = 2  #: how many places of one language are shown at once
_LONG: Final = 600  #: characters of a place that are shown at most


def cards(comparison: Comparison, findings: Sequence[Finding], sections: Mapping[int, int]) -> Iterator[str]:
    """A part for each severity that there is; the cosmetic one is folded."""
    for severity in SEVERITIES:
        own = [finding for finding in findings if finding.severity == severity]
        if own:
            title = f'{comparison.telling.part(f"severity_{severity}")} <span class="count">{len(own)}</span>'
            opened = "" if severity == "cosmetic" else " open"
            yield f'<details class="part" id="{severity}"{opened}><summary><h2>{title}</h2></summary>'
            yield from (_card(finding, comparison.telling, sections.get(finding.cluster, -1)) for finding in own)
            yield "</details>"
    if not findings:
        yield f"<p>{escape(comparison.telling.part('no_differences'))}</p>"


def _card(finding: Finding, told: Telling, section: int) -> str:
    rule = f' <code title="the rule of the game that it touches">{escape(finding.rule)}</code>' if finding.rule else ""
    sides = "".join(_side(finding, language, file) for language, file in told.files.items())
    sure = escape(told.part("how_sure", word=told.sure(finding.confidence), reason=finding.reason or finding.kind))
    return (
        f'<article class="finding {finding.severity}" id="{finding.id}" {data_of(finding, section)}>'
        f'<h3><span class="kind">{finding.kind}</span> {escape(finding.message)}{rule}</h3>'
        f'<div class="sides">{sides}</div>'
        f'<p class="foot"><a class="id" href="#{finding.id}">{finding.id}</a> '
        f'<span title="confidence {finding.confidence:.2f}">{sure}</span> '
        f'<a href="#c{finding.cluster}">show in the text</a> {accept_button(finding)}{_state(finding)}</p></article>'
    )


def _state(finding: Finding) -> str:
    return "" if finding.state is None else f" <b>{escape(finding.state.told)}</b>"


def _side(finding: Finding, language: str, file: str) -> str:
    """What one rulebook says: its places, of many the first ones."""
    places = [place for place in finding.places if place.language == language]
    told = [_place(place, file) for place in dict.fromkeys(places)]
    odd = " odd" if language == finding.odd else ""
    more = ""
    if len(told) > _SHOWN:
        hidden = "".join(told[_SHOWN:])
        more = f"<details><summary>{len(told) - _SHOWN} more places</summary>{hidden}</details>"
    words = "".join(told[:_SHOWN]) or '<p class="none">—</p>'
    return f'<div class="side{odd}" lang="{escape(language)}"><b>{escape(language)}</b>{words}{more}</div>'


def _place(place: Place, file: str) -> str:
    line = f'<span class="line">{line_in_words(place.line, file)}</span>'
    if place.lacking or not place.excerpt:
        return f'<p class="none">{line} nothing of this</p>'
    words = marked(place.excerpt, place.spots)
    return f"<p>{line} {words if len(place.excerpt) <= _LONG else escape(excerpt_around(place, _LONG))}</p>"


def without_rule(comparison: Comparison) -> Iterator[str]:
    """The last part: rules that a rulebook lacks, and sentences that no rule covers."""
    links = comparison.links
    if links is None:
        return
    yield f'<details class="part" id="rules"><summary><h2>{RULES}</h2></summary>'
    for document in comparison.documents:
        language, file = document.language, document.file
        missing, lines = links.missing.get(language, ()), links.uncovered.get(language, ())
        names = ", ".join(f"<code>{escape(name)}</code>" for name in missing) or "none"
        yield f"<p><b>{escape(language)}</b> rules that are not found: {names}<br>"
        yield f"sentences that no rule covers: {_lines(lines, file) or 'none'}</p>"
    yield "</details>"


def _lines(lines: Sequence[int], file: str) -> str:
    """Lines in words; those of one page of a PDF together."""
    if not lines or not line_in_words(lines[0], file).startswith("page"):
        return ", ".join(f"line {line}" if n == 0 else str(line) for n, line in enumerate(lines))
    pages = groupby((line_in_words(line, file).split(", ", 1) for line in lines), key=lambda parts: parts[0])
    return "; ".join(f"{page}, {', '.join(line for _, line in own)}" for page, own in pages)
