"""Whether a letter with a dot is a part of a person's name (Ann S. Moore), or ends a sentence (… on Board A. Then …).

Both look the same where a noun begins with a capital. A common word on either side of the letter says that it is no
name: a general word of rulebooks, a word that sentences begin with, or what the book itself uses as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from rulespec.texts.folding import fold
from rulespec.texts.language import language_of
from rulespec.texts.tongues import small_words

_NAME: Final = re.compile(
    r"(?<!\w)(?P<first>[A-ZÀ-ÖØ-Þ][\w'’]+) (?P<letter>[A-ZÀ-ÖØ-Þ])\. (?P<last>[A-ZÀ-ÖØ-Þ][\w'’]+)"
)
#: In other languages what has an article is written small somewhere in a book.
_ARTICLE: Final = r"\d+|[Dd](?:er|ie|as|em|en|es)|(?:[Kk]e|[Ee])in(?:e[rmns]?)?|[Jj]ede[rmns]?"
_BEFORE: Final = 40  #: characters of a first name, at most
#: Words that sentences of rulebooks begin with, beside the smallest words (`tongues`) and the acts that are known.
_OPENERS: Final = {
    "de": "dann danach nun jetzt nimm nehmt lege legt ziehe zieht stelle stellt spiele spielt mische mischt wer alle "
    "dies dieser diese dieses jede jedes sobald falls anschließend zuerst zuletzt du nur auch bei nach",
    "en": "then next now after before once only also these those this both all no every players player any",
    "es": "luego después entonces ahora antes todos todas ambos cuando solo también estos estas ningún",
    "fr": "puis ensuite alors après avant maintenant tous toutes chacun ces cela seul seule aussi quand lorsque",
    "it": "poi quindi ora dopo prima tutti tutte ciascuno questi queste solo anche",
    "nl": "dan daarna nu eerst alle iedere iedereen alleen ook leg pak trek plaats",
    "pt": "então depois antes todos todas ambos estes estas também só",
}


@dataclass(frozen=True)
class Usage:
    """How a book uses words: it is asked only where a letter might be an initial."""

    text: str

    @cached_property
    def _small(self) -> frozenset[str]:
        return frozenset(re.findall(r"(?<!\w)[a-zß-öø-ÿ][\w'’]+", self.text))

    def is_small(self, word: str) -> bool:
        """Whether it writes a word in small letters somewhere."""
        return word.lower() in self._small

    def has_article(self, word: str) -> bool:
        """Whether a word stands somewhere behind a number or a German article: names of people have none."""
        return re.search(rf"(?<!\w)(?:{_ARTICLE}) {re.escape(word)}(?![\w'’])", self.text) is not None

    def letters(self, word: str) -> frozenset[str]:
        """The single letters that stand behind a word: several where things are called so (Board A, Board B)."""
        return frozenset(re.findall(rf"(?<!\w){re.escape(word)} ([A-ZÀ-ÖØ-Þ])(?!\w)", self.text))


#: Nothing is known of how a book uses words.
NO_BOOK: Final = Usage("")


def is_initial(text: str, dot: int, language: str, usage: Usage = NO_BOOK) -> bool:
    """Whether the dot at `dot` stands behind an initial in a person's name."""
    for match in _NAME.finditer(text, max(0, dot - _BEFORE)):
        if match.end("letter") == dot:
            return not (_is_noun(match["first"], language, usage) or begins_sentence(match["last"], language, usage))
        if match.end("letter") > dot:
            return False
    return False


def _is_noun(word: str, language: str, usage: Usage) -> bool:
    """Whether what stands before the letter is a common word."""
    if _base(word, language) in _general(language, acts=False) or word.lower() in _openers(language):
        return True
    return usage.is_small(word) or usage.has_article(word) or len(usage.letters(word)) > 1


def begins_sentence(word: str, language: str, usage: Usage = NO_BOOK) -> bool:
    """Whether a word with a capital behind a dot is a common one, with which a sentence begins."""
    if word.lower() in _openers(language) or _base(word, language) in _general(language, acts=True):
        return True
    return usage.is_small(word)


def _base(word: str, language: str) -> str:
    return language_of(language).base(fold(word))


@cache
def _general(language: str, *, acts: bool) -> frozenset[str]:
    """The single words that all games use, without their inflection; or those alone that say what is done."""
    forms = (
        form.text
        for concept in language_of(language).concepts.values()
        if concept.group == "act" or not acts
        for own in concept.forms.values()
        for form in own
    )
    return frozenset(_base(form, language) for form in forms if " " not in form)


@cache
def _openers(language: str) -> frozenset[str]:
    code = language.partition("-")[0]
    return small_words(code) | frozenset(_OPENERS.get(code, "").split())
