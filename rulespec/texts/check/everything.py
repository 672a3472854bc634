"""All checks of the content's own texts, one after the other."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource
from rulespec.messages.wording import check_same_places, read_message
from rulespec.texts.check.agreement import Agreement
from rulespec.texts.check.covering import check_books, check_covering, check_layout
from rulespec.texts.check.entries import Entry, glossary_of, texts_of
from rulespec.texts.check.exchanged import Exchanged
from rulespec.texts.check.figures import Figures
from rulespec.texts.check.forbidden import Forbidden
from rulespec.texts.check.lock import read_lock
from rulespec.texts.check.outdated import check_outdated
from rulespec.texts.check.presence import check_accepted, check_known, check_presence, check_terms, check_titles
from rulespec.texts.check.reports import Reports
from rulespec.texts.check.slips import Slips
from rulespec.texts.check.typography import check_typography


def check_texts(source: GameSource, problems: Problems) -> None:
    """Reports everything that is wrong with the texts of a game and of its variants."""
    texts = texts_of(source)
    reports = Reports(problems)
    check_presence(texts, reports)
    check_accepted(texts, read_lock(source.folder, problems), reports)
    check_terms(texts, reports)
    check_titles(texts, reports)
    check_known(texts, reports)
    glossary = glossary_of(source)
    spoken = tuple({language for entry in texts.rules for language in entry.texts})
    agreement = Agreement(glossary, spoken)
    figures, forbidden = Figures(glossary), Forbidden(glossary)
    exchanged = Exchanged(glossary)
    slips = Slips(glossary, (source.base, *(variant.tree for variant in source.variants.values())))
    for entry in texts.rules:
        _check_places(entry, reports)
        figures.check(entry, texts.tree(entry), reports)
        agreement.check(entry, reports)
    check_outdated(texts, figures, lambda variant: texts.tree_with(variant.id), reports)
    for entry in (*texts.rules, *texts.messages):
        forbidden.check(entry, reports)
        slips.check(entry, reports)
        exchanged.check(entry, reports)
        check_typography(entry, reports)
    check_covering(texts, reports)
    check_books(texts, reports)
    check_layout(texts, reports)
    reports.unneeded(texts)


def _check_places(entry: Entry, reports: Reports) -> None:
    """Placeholders that stand in some languages and not in others, unless that is let pass."""
    found = Problems()
    check_same_places(read_message(entry.node, Problems()), found)
    if found.items and not reports.suppressed(entry, "RS508", None):
        reports.problems.extend(found)
