"""Finding forms in running text: the longest form first, capitals and neighbours as the form asks.

In languages that part their words, forms are compared word by word, each word without its inflection. In the others
they are compared character by character, and marks that join parts of a name do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from rulespec.texts.folding import fold
from rulespec.texts.glossary import Concept, Form
from rulespec.texts.language import Language

_WORD: Final = re.compile(r"[^\W_]+")
#: What may stand between the words of one form.
_GAP: Final = re.compile(r"[ \-'*]{1,3}|, ?|/")
_JOINERS: Final = frozenset(" ・·=＝*-")
_REST: Final = "*"


@dataclass(frozen=True, slots=True)
class Hit:
    """A form that stands in a text, for one of `concepts`; `maybe` are those that it can also be read as."""

    start: int
    end: int
    concepts: tuple[str, ...]
    form: Form
    maybe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A form with its words (or characters) as they are compared."""

    words: tuple[str, ...]
    form: Form
    concepts: tuple[str, ...]
    maybe: tuple[str, ...] = ()

    def hit(self, start: int, end: int) -> Hit:
        return Hit(start, end, self.concepts, self.form, self.maybe)

    @property
    def rank(self) -> tuple[int, bool, int, bool, bool]:
        form = self.form
        return len(self.words), _REST not in form.text, len(form.text), form.exact, form.is_choosy


class Matcher:
    """Finds the forms of concepts in texts of one language."""

    def __init__(self, language: Language, concepts: Iterable[Concept]) -> None:
        self.language = language
        self._entries: dict[str, list[_Entry]] = {}
        self._prefixes: dict[int, dict[str, list[_Entry]]] = {}
        for entry in _entries(language, concepts):
            self._add(entry)
        for known in (self._entries, *self._prefixes.values()):
            for entries in known.values():
                entries.sort(key=lambda entry: entry.rank, reverse=True)

    def _add(self, entry: _Entry) -> None:
        first = entry.words[0]
        if first.endswith(_REST):
            self._prefixes.setdefault(len(first) - 1, {}).setdefault(first[:-1], []).append(entry)
        else:
            self._entries.setdefault(first, []).append(entry)

    def hits(self, text: str) -> list[Hit]:
        """The forms in a text, in order; none overlaps another."""
        return self._by_words(text) if self.language.spaces else self._by_characters(text)

    # ---- languages with spaces

    def _by_words(self, text: str) -> list[Hit]:
        folded = fold(text)
        words = [(match.start(), match.end()) for match in _WORD.finditer(folded)]
        bases = [self.language.base(folded[start:end]) for start, end in words]
        found, at = [], 0
        while at < len(words):
            entry = next((e for e in self._starting(bases[at]) if self._fits(e, text, folded, words, bases, at)), None)
            if entry is None:
                at += 1
                continue
            last = at + len(entry.words) - 1
            found.append(entry.hit(words[at][0], words[last][1]))
            at = last + 1
        return found

    def _starting(self, word: str) -> Iterable[_Entry]:
        """The entries that can begin with a word, the longest first."""
        found = list(self._entries.get(word, ()))
        for length, known in self._prefixes.items():
            found += known.get(word[:length], ()) if len(word) >= length else ()
        return sorted(found, key=lambda entry: entry.rank, reverse=True)

    def _fits(
        self, entry: _Entry, text: str, folded: str, words: list[tuple[int, int]], bases: list[str], at: int
    ) -> bool:
        last = at + len(entry.words) - 1
        if last >= len(words):
            return False
        for n, wanted in enumerate(entry.words):
            if not _is(bases[at + n], wanted):
                return False
            if n and not _GAP.fullmatch(folded, words[at + n - 1][1], words[at + n][0]):
                return False
        start, end = words[at][0], words[last][1]
        return _beside(entry.form, folded, start, end) and _capitals(entry.form, text[start:end])

    # ---- languages without

    def _by_characters(self, text: str) -> list[Hit]:
        folded = fold(text)
        places = [n for n, character in enumerate(folded) if character not in _JOINERS]
        compact = "".join(folded[n] for n in places)
        found, at = [], 0
        while at < len(places):
            entry = next((e for e in self._entries.get(compact[at], ()) if _stands(e, text, compact, places, at)), None)
            if entry is None:
                at += 1
                continue
            last = at + len(entry.words) - 1
            found.append(entry.hit(places[at], places[last] + 1))
            at = last + 1
        return found


def _stands(entry: _Entry, text: str, compact: str, places: list[int], at: int) -> bool:
    """Whether a form of a language without spaces stands here."""
    if not compact.startswith("".join(entry.words), at):
        return False
    end = at + len(entry.words)
    if not _beside(entry.form, compact, at, end):
        return False
    return not entry.form.exact or text[places[at] : places[end - 1] + 1] == entry.form.text


def _entries(language: Language, concepts: Iterable[Concept]) -> list[_Entry]:
    """Every form of the language once, with all the concepts that it stands for."""
    found: dict[tuple[tuple[str, ...], bool, tuple[str, ...], tuple[str, ...]], _Entry] = {}
    known_concepts = list(concepts)
    terms = frozenset(concept.id for concept in known_concepts if concept.group == "term")
    for concept in known_concepts:
        for form in concept.forms_in(language.code):
            words = _words(language, form.text)
            if not words:
                continue
            key = (words, form.exact, form.not_before, form.not_after)
            known = found.get(key, _Entry(words, form, ()))
            if form.weak:
                found[key] = replace(known, maybe=(*known.maybe, concept.id))
            elif concept.id not in known.concepts:
                kept = known.form if known.concepts else form
                found[key] = replace(known, form=kept, concepts=(*known.concepts, concept.id))
    found = {key: _of_terms(entry, terms) for key, entry in found.items()}
    weak = {key: entry.maybe for key, entry in found.items() if not entry.concepts}
    return [
        replace(entry, maybe=(*entry.maybe, *weak.get((words, exact, (), ()), ()))) if entry.form.is_choosy else entry
        for (words, exact, _, _), entry in found.items()
    ]


def _of_terms(entry: _Entry, terms: frozenset[str]) -> _Entry:
    """A form that a game has for one of its terms: it may not be read as another term, which has forms of its own."""
    if not terms.intersection(entry.concepts):
        return entry
    return replace(entry, maybe=tuple(concept for concept in entry.maybe if concept not in terms))


def _words(language: Language, text: str) -> tuple[str, ...]:
    folded = fold(text)
    if not language.spaces:
        return tuple(character for character in folded if character not in _JOINERS)
    return tuple(
        match[0] if match[0].endswith(_REST) else language.base(match[0])
        for match in re.finditer(r"[^\W_]+\*?", folded)
    )


def _is(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith(_REST) else word == wanted


def _beside(form: Form, folded: str, start: int, end: int) -> bool:
    """Whether nothing stands beside a form that makes it mean something else."""
    after = folded[end : end + 40].lstrip(" -*")
    before = folded[max(0, start - 40) : start].rstrip(" -*")
    return not any(after.startswith(fold(word)) for word in form.not_before) and not any(
        before.endswith(fold(word)) for word in form.not_after
    )


def _capitals(form: Form, found: str) -> bool:
    """Whether the words begin with the capitals that the form has; in a line of capitals they need not."""
    if not form.exact or (found.isupper() and len(found) > 1):
        return True
    pairs = zip(_WORD.finditer(form.text), _WORD.finditer(found), strict=False)
    return all(wanted[0][0].isupper() == word[0][0].isupper() for wanted, word in pairs)
