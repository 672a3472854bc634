"""Languages, their plural categories and their months, by the CLDR data that Babel carries.

Babel is imported when first needed, since it takes a while:

    categories("pl")            -> ("one", "few", "many", "other")
    plural_category("pl", 3)    -> "few"
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel import Locale

CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")


@cache
def locale_of(language: str) -> Locale | None:
    """Babel's locale of a language code such as `fr` or `zh-Hant`; None for a language that CLDR does not know."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def is_language(language: str) -> bool:
    """Whether CLDR knows the language."""
    return locale_of(language) is not None


@cache
def months(language: str) -> frozenset[str]:
    """The names of a language's months, whole and shortened, in small letters; none of an unknown language."""
    locale = locale_of(language)
    if locale is None:
        return frozenset()
    widths = (names for form in locale.months.values() for width, names in form.items() if width != "narrow")
    return frozenset(name.lower().rstrip(".") for names in widths for name in names.values())


@cache
def categories(language: str) -> tuple[str, ...]:
    """The plural categories of a language in CLDR's order, `other` last; of an unknown language only `other`."""
    locale = locale_of(language)
    tags = frozenset[str]() if locale is None else locale.plural_form.tags
    return tuple(c for c in CATEGORIES if c in tags or c == "other")


def plural_category(language: str, number: int) -> str:
    """The category of an integer in a language."""
    locale = locale_of(language)
    return "other" if locale is None else str(locale.plural_form(abs(number)))


def fallbacks(language: str) -> tuple[str, ...]:
    """The languages in which a text is looked for: the language, what it is a kind of, English."""
    parts = language.split("-")
    own = ["-".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return tuple(dict.fromkeys([*own, "en"]))


def nearest_language(asked: str, known: Sequence[str]) -> str | None:
    """Which of the known languages is asked for; None where none is.

    Capitals and underscores do not count, and a region that is not known is left out: `FR` and `fr_CA` are `fr`. A
    language of which one region alone is known is that one: `pt` is `pt-BR`.
    """
    wanted = asked.replace("_", "-").lower()
    by_name = {language.lower(): language for language in known}
    parts = wanted.split("-")
    for length in range(len(parts), 0, -1):
        if (found := by_name.get("-".join(parts[:length]))) is not None:
            return found
    regions = [language for name, language in by_name.items() if name.startswith(f"{wanted}-")]
    return regions[0] if len(regions) == 1 else None


def join_words(language: str, words: list[str]) -> str:
    """Words as a list in running text, as CLDR writes it."""
    from babel.lists import format_list

    locale = locale_of(language)
    return ", ".join(words) if locale is None else str(format_list(words, locale=locale))
