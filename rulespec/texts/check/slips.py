"""Slips that a reader of one language sees: a word twice, an article of another gender, a counter for something else.

And a text that is that of another language, and a plural that stands behind every number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from rulespec.messages.plurals import categories
from rulespec.source.tree import Mapping as Tree
from rulespec.source.tree import Scalar
from rulespec.texts.check.entries import Entry, Text, maps
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.folding import level
from rulespec.texts.general import plain_id
from rulespec.texts.glossary import Glossary, Matchers
from rulespec.texts.matcher import Hit
from rulespec.texts.own_files import read_data
from rulespec.texts.regions import bases, nearest
from rulespec.texts.tongues import language_read

_FILE: Final = "slips.yaml"
_WORD: Final = re.compile(r"[^\W\d_]+")
_TWICE: Final = re.compile(r"(?<![^\W_])([^\W\d_]{2,})[ \n]+(?i:\1)(?![^\W_])")
_ARTICLE: Final = re.compile(r"([^\W\d_]+) $")
_LEAST: Final = 3  #: words of a text that can stand in two languages by mistake
_LONG: Final = 14  #: characters of it


@cache
def _slips(language: str) -> Mapping[str, Any]:
    data: Mapping[str, Mapping[str, Any]] = read_data(files("rulespec.texts.check").joinpath(_FILE))
    return nearest(language, data) or {}


class Slips:
    """Finds slips in the texts of one game."""

    def __init__(self, glossary: Glossary, trees: Iterable[Tree]) -> None:
        self._glossary = glossary
        self._matchers = Matchers(glossary)
        self._genders = {  # by their forms too: variants may call something of one name by words of two genders
            (name.text, language.text, form.text): gender.text
            for tree in trees
            for name, term in maps(tree.get("terms"))
            for language, forms in term.pairs
            if isinstance(forms, Tree) and isinstance(gender := forms.get("gender"), Scalar)
            for _, form in forms.pairs
            if isinstance(form, Scalar)
        }

    def check(self, entry: Entry, reports: Reports) -> None:
        """Reports what is found in every text of a rule or message."""
        for language, forms in entry.texts.items():
            for text in forms.values():
                for code, start, end, facts in self._found(text, language):
                    if not reports.suppressed(entry, code, language):
                        reports.add(code, span_of(text.node, start, end), facts)
        self._alike(entry, reports)
        self._plurals(entry, reports)

    def _found(self, text: Text, language: str) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
        yield from _twice(text, language)
        hits = self._matchers[language].hits(text.plain)
        yield from self._articles(text, language, hits)
        yield from self._people(text, language)

    # ---- genders

    def _articles(
        self, text: Text, language: str, hits: Iterable[Hit]
    ) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
        by_gender: Mapping[str, list[str]] = _slips(language).get("articles", {})
        for hit in hits:
            before = _ARTICLE.search(level(text.plain), 0, hit.start)
            article = before[1] if before is not None else ""
            wrong = [gender for gender, own in by_gender.items() if article in own]
            genders = (
                {self._gender(concept, language, hit.form.text) for concept in hit.concepts}
                if hit.form.named
                else {None}
            )
            if before is not None and wrong and len(genders) == 1 and None not in genders and genders != set(wrong):
                word = text.plain[hit.start : hit.end]
                facts = {"article": text.plain[before.start() : before.end(1)], "word": word, "gender": genders.pop()}
                yield "RS566", before.start(), before.end(1), facts

    def _gender(self, concept: str, language: str, form: str) -> str | None:
        name = plain_id(concept)
        return next((g for base in bases(language) if (g := self._genders.get((name, base, form))) is not None), None)

    # ---- counters

    @staticmethod
    def _people(text: Text, language: str) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
        """A counter for people directly behind a thing: *タイルを3人*; not where people act or get so many each."""
        slips = _slips(language)
        if "people" not in slips:
            return
        thing, joined, people, behind, figure = (
            "|".join(map(re.escape, slips[key])) for key in ("things", "joined", "people", "behind", "figures")
        )
        number = rf"(?:\d|{figure})"
        counted = re.compile(rf"(?P<word>{thing})(?:{joined})?{number}+(?P<counter>{people})(?!{behind}|{number})")
        for match in counted.finditer(text.plain):
            yield "RS567", *match.span("counter"), {"counter": match["counter"], "word": match["word"]}

    # ---- other languages

    @staticmethod
    def _alike(entry: Entry, reports: Reports) -> None:
        """A text that is word for word that of another language."""
        seen: dict[str, str] = {}
        for language in entry.texts:
            text = entry.main(language)
            words = _words_of(text) if text is not None else ""
            if text is None or len(words) < _LONG or len(words.split()) < _LEAST:
                continue
            first = seen.setdefault(words, language)
            related = set(bases(first)) & set(bases(language))
            is_meant = entry.rule is None and language_read([words]) not in bases(first)  # names are the same in many
            if first != language and not related and not is_meant and not reports.suppressed(entry, "RS568", language):
                span = span_of(text.node, 0, len(text.node.text))
                reports.problems.add("RS568", span, language=language, first=first)

    # ---- plurals

    def _plurals(self, entry: Entry, reports: Reports) -> None:
        """A plural behind a number in a language with a singular, where another language has forms for numbers."""
        if not any(len(forms) > 1 for forms in entry.texts.values()):
            return
        for language, forms in entry.texts.items():
            text = entry.main(language)
            if text is None or len(forms) > 1 or "one" not in categories(language):
                continue
            for start, end in text.holes:
                hit = next((h for h in self._matchers[language].hits(text.plain) if h.start == end + 1), None)
                if hit is not None and self._is_plural(hit, text, language):
                    if not reports.suppressed(entry, "RS570", language):
                        words = text.node.text[start : hit.end]
                        reports.problems.add(
                            "RS570", span_of(text.node, start, hit.end), language=language, words=words
                        )
                    break

    def _is_plural(self, hit: Hit, text: Text, language: str) -> bool:
        """Whether a term stands there in its plural form, which is not the singular too."""
        word = level(text.plain[hit.start : hit.end])
        for concept in hit.concepts:
            named = [level(form.text) for form in self._glossary.concepts[concept].forms_in(language) if form.named]
            if len(named) > 1 and word in named[1:] and word != named[0]:
                return True
        return False


def _twice(text: Text, language: str) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
    """A word that stands twice in a row, in languages of which the words are known that may: in some it is grammar."""
    allowed = _slips(language).get("twice")
    if allowed is None:
        return
    for match in _TWICE.finditer(text.plain):
        if level(match[1]) not in allowed and text.is_typed(*match.span()):
            yield "RS565", match.start(), match.end(), {"word": match[1]}


def _words_of(text: Text) -> str:
    """The words of a text without its placeholders."""
    typed = (
        "".join(" " if not text.is_typed(n, n + 1) else character for n, character in enumerate(text.node.text))
        if text.holes
        else text.node.text
    )
    return " ".join(_WORD.findall(typed))
