"""In which language a rulebook is written, by its script and its smallest words: a check of the name it is given.

Nothing is guessed of a text that is short, mixed, or in a language that is not known here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from rulespec.texts.document import Document

#: Small words of languages that share a script. What stands in several of the lists says nothing.
_SMALL_WORDS: Final = {
    "en": "the of and to in is on a you your are for with this that each may must all from when their they not if "
    "has or",
    "fr": "le la les de des du et en un une on a y que se me tu vous votre vos est sont dans sur pour avec chaque "
    "qui ne pas au aux ou ce cette si",
    "de": "der die das und in den dem des ein eine ist sind sie ihr auf mit für jeder nicht wenn oder wird von zu im "
    "am an er es was so",
    "es": "el la los las de y en a un una del me se es por con para cada que su sus no al o si jugador jugadores más "
    "cuando este esta tu le ha puede pueden debe deben hay",
    "it": "il lo la gli le i e in a un una di del della è sono nel per con ogni che non al o se si questo questa "
    "quando più da su ne ha",
    "pt": "o a os as e de em um uma do da dos das é são no na com para por cada que me se não ao ou seu sua quando "
    "mais",
    "nl": "de het een en van in is zijn je jouw op met voor elke dat die niet als of wordt aan te bij naar deze er "
    "om me",
    "pl": "i w na z a o do to są się nie jest każdy gracz oraz lub po jego za przez jeśli może która który aby on ta",
}
#: Languages with a script of their own, and how many of its letters are needed: Japanese headings may have no kana.
_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]"), 12),
    ("ko", re.compile(r"[\uac00-\ud7af]"), 12),
    ("zh", re.compile(r"[\u3400-\u9fff]"), 60),
    ("ru", re.compile(r"[\u0400-\u04ff]"), 30),
    ("el", re.compile(r"[\u0370-\u03ff]"), 30),
)
#: Languages that are written in the script of another one of these.
_SAME_SCRIPT: Final = {"uk": "ru", "bg": "ru", "sr": "ru", "be": "ru", "mk": "ru"}
_LETTER: Final = re.compile(r"[^\W\d_]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SCRIPT_SHARE: Final = 0.2  #: of all letters, for the script to say the language: names stand in other letters
_FEWEST: Final = 5  #: small words that are needed to say anything
_CLEAR: Final = 3  #: how many times the small words of any other language


def small_words(language: str) -> frozenset[str]:
    """The smallest words of a language; none of one that is not known here."""
    return frozenset(_SMALL_WORDS.get(language, "").split())


@cache
def _telling_words() -> dict[str, frozenset[str]]:
    """The small words of each language that no other one has."""
    number = Counter(word for small in _SMALL_WORDS.values() for word in set(small.split()))
    return {
        language: frozenset(word for word in small.split() if number[word] == 1)
        for language, small in _SMALL_WORDS.items()
    }


def language_read(texts: Sequence[str]) -> str | None:
    """The language that texts are written in, where that is clear; None where it is not."""
    whole = " ".join(texts)
    letters = len(_LETTER.findall(whole)) or 1
    for language, form, fewest in _SCRIPTS:
        if len(form.findall(whole)) >= max(fewest, _SCRIPT_SHARE * letters):
            return language
    words = Counter(_WORD.findall(whole.lower()))
    found = sorted(
        ((sum(words[word] for word in small), language) for language, small in _telling_words().items()),
        reverse=True,
    )
    (most, language), (second, _) = found[0], found[1]
    return language if most >= max(_FEWEST, _CLEAR * second) else None


@dataclass(frozen=True, slots=True)
class Misnamed:
    """A rulebook that is named by one language and written in another."""

    file: str
    named: str
    read: str


def misnamed(documents: Sequence[Document]) -> list[Misnamed]:
    """The rulebooks that are clearly written in another language than they are named by."""
    found = []
    for document in documents:
        named = document.language.partition("-")[0]
        read = language_read([block.text for block in document.blocks])
        if read is not None and read not in (named, _SAME_SCRIPT.get(named)) and _is_known(named, read):
            found.append(Misnamed(document.file, document.language, read))
    return found


def _is_known(named: str, read: str) -> bool:
    """Whether a text that looks like one language cannot be of the other: its words are known, or its script is."""
    return named in _SMALL_WORDS or any(language in (read, named) for language, *_ in _SCRIPTS)


def in_words(found: Sequence[Misnamed]) -> list[str]:
    """What is told of misnamed rulebooks, with how to name them."""
    named = " ".join(f"{one.read}={one.file}" for one in found)
    if len(found) > 1 and {one.named for one in found} == {one.read for one in found}:
        return [f"The languages of these rulebooks seem to be exchanged. Did you mean {named}?"]
    return [
        f"{one.file} is named {one.named}, and reads like {one.read}. Did you mean {one.read}={one.file}?"
        for one in found
    ]
