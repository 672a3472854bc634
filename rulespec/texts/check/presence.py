"""Texts that are missing, that translate nothing, that were accepted for something else, or never."""

from __future__ import annotations

from rulespec.messages.book import titles_of, words_for
from rulespec.messages.wording import listed
from rulespec.overlay.paths import written_at
from rulespec.source.tree import Mapping
from rulespec.texts.check.entries import Entry, Texts
from rulespec.texts.check.lock import Lock, fingerprint_of, key_of
from rulespec.texts.check.reports import Reports, short
from rulespec.texts.language import language_of
from rulespec.texts.regions import bases


def check_presence(texts: Texts, reports: Reports) -> None:
    """Reports languages in which a rule is missing, and translations of rules that are not written yet."""
    for entry in texts.rules:
        lacking = [language for language in texts.wanted(entry) if language not in entry.texts]
        if texts.first in lacking and entry.texts:
            _report_extra(entry, texts.first, reports)
            continue
        wanted = [language for language in lacking if not reports.suppressed(entry, "RS540", language)]
        if wanted:
            reports.problems.add(
                "RS540", short(written_at(entry.key, entry.node)), rule=entry.name, languages=listed(wanted)
            )


def _report_extra(entry: Entry, first: str, reports: Reports) -> None:
    for language in entry.texts:
        if not reports.suppressed(entry, "RS541", language):
            reports.problems.add("RS541", short(entry.node.span), rule=entry.name, language=language, first=first)


def check_titles(texts: Texts, reports: Reports) -> None:
    """Reports titles of the book that are missing in a language in which rules stand."""
    book = texts.source.base.get("book")
    if not isinstance(book, Mapping) or not texts.rules:
        return
    for title in titles_of(book):
        lacking = [language for language in texts.languages if words_for(book, title, language) is None]
        if lacking:
            reports.problems.add("RS562", short(title.span), languages=listed(lacking))


def check_terms(texts: Texts, reports: Reports) -> None:
    """Reports terms without a word in a language in which rules stand."""
    terms = texts.source.base.get("terms")
    for key, term in terms.pairs if isinstance(terms, Mapping) else ():
        lacking = [
            each for each in texts.languages if isinstance(term, Mapping) and not set(bases(each)) & set(term.keys())
        ]
        if lacking and texts.rules:
            reports.problems.add("RS560", key.span, term=key.text, languages=listed(lacking))


def check_known(texts: Texts, reports: Reports) -> None:
    """Notes the languages that are compared by little, since there are no words of them: once for each."""
    told = set[str]()
    for entry in texts.rules:
        for language in entry.texts:
            text = entry.main(language)
            if language not in told and text is not None and not language_of(language).is_known:
                told.add(language)
                reports.problems.add("RS563", short(text.node.content), language=language)


def check_accepted(texts: Texts, lock: Lock, reports: Reports) -> None:
    """Reports translations that were accepted for another text or other figures, and those that never were.

    Where there is no lock nothing was ever accepted: that is told once, at the first rule.
    """
    translated = [entry for entry in texts.rules if set(entry.texts) - {texts.first}]
    if lock.tree is None:
        if translated and texts.first in texts.languages:
            reports.problems.add("RS543", short(translated[0].key.span), what="No translation is")
        return
    for entry in translated:
        if texts.first in entry.texts:
            _check_accepted(texts, entry, lock, reports)
    known = {(key_of(entry), language) for entry in texts.rules for language in entry.texts}
    for rule, language in lock.pairs():
        if (rule.text, language.text) not in known:
            fixes = lock.without(rule, language)
            reports.problems.add("RS544", language.span, rule=rule.text, language=language.text, fixes=fixes)


def _check_accepted(texts: Texts, entry: Entry, lock: Lock, reports: Reports) -> None:
    now = fingerprint_of(entry, texts.first, texts.tree(entry))
    for language in entry.texts:
        if language == texts.first:
            continue
        accepted = lock.accepted(entry, language)
        text = entry.main(language)
        span = short(text.node.content) if text is not None else entry.key.span
        if accepted is None and not reports.suppressed(entry, "RS543", language):
            reports.problems.add("RS543", span, what=f"The text of '{entry.name}' in {language} is not")
        elif accepted not in (None, now) and not reports.suppressed(entry, "RS542", language):
            renew = f"rulespec texts accept {texts.source.folder.name} {entry.name} --lang {language}"
            hint = f"Once it is right, renew it: `{renew}`."
            fixes = lock.renewed(entry, language, now)
            reports.problems.add("RS542", span, hint=hint, rule=entry.name, language=language, fixes=fixes)
