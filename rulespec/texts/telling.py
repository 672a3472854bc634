"""What a comparison tells, in the language of who reads it: sentences of `phrases/`, with the editions' names.

    telling = Telling("en", {"fr": "regles.pdf"})
    telling.says("fr", "trois cartes")            ->  the French edition says “trois cartes”
    telling.place("fr", 7012)                     ->  p. 7

Ids of findings hang on nothing of this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Final

from rulespec.texts.own_files import read_data
from rulespec.texts.regions import bases

_FOLDER: Final = "phrases"
FIRST: Final = "en"  #: what is told in where nothing is said
_LINES: Final = 1000  #: what a page of a PDF counts in the number of a line
_LONGEST: Final = 90  #: characters of a phrase that are quoted
_SURE: Final = ((0.7, "sure"), (0.5, "likely"), (0.0, "perhaps"))
_MARKS: Final = re.compile(r"[*_#|`]+")


@cache
def told_in() -> tuple[str, ...]:
    """The languages that comparisons are told in, English first."""
    folder = files("rulespec.texts").joinpath(_FOLDER)
    found = sorted(path.name.removesuffix(".yaml") for path in folder.iterdir() if path.name.endswith(".yaml"))
    return (FIRST, *(code for code in found if code != FIRST))


@cache
def phrases(code: str) -> Mapping[str, str]:
    """The sentences of one language, by key; KeyError for a language that has no file."""
    if code not in told_in():
        raise KeyError(code)
    data: dict[str, str] = read_data(files("rulespec.texts").joinpath(_FOLDER, f"{code}.yaml"))
    return data


@dataclass(frozen=True)
class Telling:
    """Tells in one language. `files` are the rulebooks by language: of a PDF the page is told, else the line."""

    language: str = FIRST
    files: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _phrases(self) -> Mapping[str, str]:
        return phrases(next((code for code in bases(self.language) if code in told_in()), FIRST))

    def part(self, key: str, **parts: object) -> str:
        """A part of a sentence."""
        return self._phrases[key].format_map({name: str(part) for name, part in parts.items()})

    def whole(self, key: str, place: tuple[str, int] | None = None, **parts: object) -> str:
        """A sentence, with where it stands."""
        return self.sentence(self.part(key, **parts), place)

    def sentence(self, told: str, place: tuple[str, int] | None = None) -> str:
        """What is told as a sentence: with a capital and a full stop, and where it stands."""
        if place is not None:
            told = self.part("at", told=told, place=self.place(*place))
        elif not told.endswith((".", "。", "?", "？")):
            told += "。" if self.language.startswith("ja") else "."
        return told[:1].upper() + told[1:]

    def place(self, language: str, line: int) -> str:
        """Where a line stands, as people say it: in a PDF by its page."""
        if self.is_paged(language):
            return self.part("page", page=line // _LINES)
        return self.part("line", line=line)

    def is_paged(self, language: str) -> bool:
        """Whether a rulebook has pages."""
        return Path(self.files.get(language, "")).suffix.lower() == ".pdf"

    def named(self, language: str) -> str:
        """A language's name; its code where nobody knows it."""
        return _name(self.language, language)

    def edition(self, language: str, *, short: bool = False) -> str:
        """The edition in a language."""
        return self.part("short" if short else "edition", language=self.named(language))

    def editions(self, languages: Sequence[str]) -> str:
        """Several editions, in a sentence."""
        return self.listed([self.edition(language) for language in languages])

    def listed(self, parts: Sequence[str]) -> str:
        """Parts of a sentence, with what joins them."""
        from babel.lists import format_list

        return format_list(list(parts), locale=_locale(self.language))

    def quoted(self, text: str, most: int = _LONGEST) -> str:
        """A phrase of a rulebook, without marks of emphasis."""
        words = " ".join(_MARKS.sub("", text).split())
        return self.part("quoted", text=words if len(words) <= most else f"{words[: most - 1].rstrip()}…")

    def says(self, language: str, phrase: str, *, short: bool = False) -> str:
        """That an edition says something, quoted before."""
        return self.part("says", edition=self.edition(language, short=short), phrase=phrase)

    def sure(self, confidence: float) -> str:
        """How sure something is, in a word."""
        return self.part(next(word for least, word in _SURE if confidence >= least))


#: Tells in English, of rulebooks whose files are not known.
PLAIN: Final = Telling()


@cache
def _locale(code: str) -> str:
    from babel import Locale, UnknownLocaleError

    for base in bases(code):
        try:
            return str(Locale.parse(base, sep="-"))
        except (UnknownLocaleError, ValueError):
            continue
    return FIRST


@cache
def _name(told: str, language: str) -> str:
    """A language's name in another one, as CLDR has it."""
    from babel import Locale

    names = Locale.parse(_locale(told), sep="_").languages
    tagged = language.replace("-", "_")
    if tagged in names:
        return str(names[tagged])
    base, _, region = language.partition("-")
    name = str(names.get(base, base))
    return f"{name} ({region})" if region else name
