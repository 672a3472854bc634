"""The index of terms: the parts that speak of each, and what other languages call it."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.book.document import Entry, Part
from rulespec.game_source import GameSource
from rulespec.texts.check.entries import glossary_of
from rulespec.texts.glossary import Glossary


def index_of(source: GameSource, language: str, parts: Sequence[Part]) -> tuple[Entry, ...]:
    """A line for each term of the game or a variant that some rule speaks of, by the alphabet."""
    glossary = glossary_of(source)
    matcher = glossary.matcher(language)
    found: dict[str, dict[str, None]] = {}
    for part in (each for outer in parts for each in outer.every()):
        for text in ("".join(stretch.text for stretch in rule.text) for rule in part.rules):
            for hit in matcher.hits(text):
                for concept in hit.concepts:
                    found.setdefault(concept, {})[part.number] = None
    entries = [_entry(glossary, language, concept, tuple(numbers)) for concept, numbers in found.items()]
    return tuple(sorted(entries, key=lambda entry: entry.term.casefold()))


def _entry(glossary: Glossary, language: str, concept: str, numbers: tuple[str, ...]) -> Entry:
    known = glossary.concepts[concept]
    others = [code for code in known.forms if code != language]
    return Entry(known.name(language), tuple((code, known.name(code)) for code in others), numbers)
