"""Blocks to clauses: sentences and entries of lists, with exact places.

A sentence ends at its mark, outside of brackets that close again. A bracketed sentence belongs to the one before it,
since languages disagree on whether it stands inside the full stop. Brackets that hold several sentences are split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rulespec.messages.plurals import months
from rulespec.texts.document import Block, Document
from rulespec.texts.folding import level
from rulespec.texts.initials import Usage, begins_sentence, is_initial
from rulespec.texts.language import Language, language_of

_LATIN_END: Final = re.compile(r"[.!?…]+[\"'”’»)\]*]*\s+(?!\*\*[A-Z]\*\*)(?=[\"'“«(\[*]*[A-ZÀ-ÖØ-Þ0-9“«(\[*])")
_WIDE_END: Final = re.compile(r"[。！？]+[”’」』)）*]*\s*")
_OPEN: Final = "([（［"
_CLOSE: Final = ")]）］"
_OPENING: Final = 12  #: an opening is at most this part of a book: one in so many blocks
_LAST_WORD: Final = re.compile(r"([\w.]+)$")
_LETTER: Final = re.compile(r"\*\*[A-Z]\*\*")
_DAY: Final = re.compile(r"(?:^|\D)\d{1,2}$")
#: What stands before a number that counts places, where nouns begin with capitals: in der 3. Runde.
_COUNTED_NOUN: Final = {
    "de": re.compile(
        r"\b(?:d(?:er|ie|as|em|en|es)|[ai]m|zu[mr]|beim|vom|(?:jede|diese)[rmns]?)"
        r"(?: \d{1,2}\. (?:und|oder|bis(?: zu[mr])?))? \d{1,2}$",
        re.IGNORECASE,
    )
}
_NEXT_WORD: Final = re.compile(r"\.\s+(\w+)")
#: Languages that write a dot behind a number that counts places: on the 9. July.
_DOTTED: Final = frozenset("cs da de et fi hr hu is lt lv nb nn no pl sk sl sr".split())
_WIDEST_COUNT: Final = 24  #: characters of it before its dot
#: What is said of who may copy a book is no rule.
_RIGHTS: Final = re.compile(r"Creative Commons|\bCC[ -]BY\b|©")
_HAS_WORDS: Final = re.compile(r"\w")
_COUNTED: Final = re.compile(r"\d+ ?[x×.)）:]")  #: begins an entry of a list: 40x, 1.
_NAME: Final = re.compile(r"[A-ZÀ-ÖØ-ÞŁ][\w'’.-]+(?: [A-ZÀ-ÖØ-ÞŁ\"“«][\w'’.\"”»_-]+)+")


@dataclass(frozen=True)
class Clause:
    """A sentence, a heading or an entry, with its place in its document.

    `index` counts the document's clauses. `kind` is the block's; `label` says what sort of paragraph it stands in:
    `rule`, `example`, `story`, `note` or `names` (credits).
    """

    index: int
    block: Block
    start: int
    end: int
    label: str
    language: str
    block_index: int
    foreign: bool = False

    @cached_property
    def text(self) -> str:
        """The words."""
        return self.block.text[self.start : self.end]

    @property
    def kind(self) -> str:
        return self.block.kind

    @cached_property
    def line(self) -> int:
        return self.block.place(self.start)[0]

    @cached_property
    def end_line(self) -> int:
        return self.block.place(max(self.start, self.end - 1))[0]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of a character of the clause."""
        return self.block.place(self.start + offset)


def clauses(document: Document) -> list[Clause]:
    """The clauses of a document, in order."""
    language = language_of(document.language)
    found: list[Clause] = []
    opening = _opening(document.blocks)
    usage = Usage("\n".join(block.text for block in document.blocks))
    for number, block in enumerate(document.blocks):
        label = "story" if number < opening else label_of(block.text, language)
        for start, end in _sentences(block, language, usage):
            words = block.text[start:end]
            found.append(
                Clause(
                    len(found), block, start, end, label, document.language, number, foreign=is_foreign(words, language)
                )
            )
    return found


def _opening(blocks: tuple[Block, ...]) -> int:
    """How many blocks a book opens with before its first list: the cover and what leads into the game."""
    first = next(
        (n for n, block in enumerate(blocks) if block.kind not in ("heading", "text") or _COUNTED.match(block.text)), 0
    )
    return first if first * _OPENING <= len(blocks) else 0


def label_of(text: str, language: Language) -> str:
    """What sort of paragraph a block is, by its first words."""
    flat = level(re.sub(r"[*_]", "", text))
    for form, label in language.labels:
        if form.search(flat):
            return label
    if _RIGHTS.search(text):
        return "names"
    if len(_NAME.findall(text)) >= 6 and sum(map(len, _NAME.findall(text))) > 0.6 * len(text):
        return "names"
    return "rule"


def is_foreign(text: str, language: Language) -> bool:
    """Whether a text of a language with its own script has none of it, and words of another."""
    if language.spaces:
        return False
    return not re.search(r"[\u3040-\u30ff\u3400-\u9fff]", text) and bool(re.search(r"[A-Za-z]{3,}", text))


def _sentences(block: Block, language: Language, usage: Usage) -> Iterator[tuple[int, int]]:
    """The stretches of a block's sentences."""
    text, start = block.text, 0
    inside = _inside_brackets(text, language)
    latin = language.spaces or is_foreign(text, language)
    for match in (_LATIN_END if latin else _WIDE_END).finditer(text):
        end = match.end()
        if end >= len(text) or inside[end - 1] or _abbreviated(text, match.start(), language, usage):
            continue
        if text[end] in _OPEN and not _long_bracket(text, end, language):  # it belongs to the sentence before
            continue
        if not _HAS_WORDS.search(_LETTER.sub("", text[end:])):  # the letter of a figure behind the full stop
            break
        yield from _trimmed(text, start, end)
        start = end
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if re.search(r"\w", text[start:end]):
        yield start, end


def _abbreviated(text: str, dot: int, language: Language, usage: Usage) -> bool:
    if is_initial(text, dot, language.code, usage) or _counts_places(text, dot, language, usage):
        return True
    word = _LAST_WORD.search(text, max(0, dot - 12), dot)
    return word is not None and level(word[1]) in language.abbreviations


def _counts_places(text: str, dot: int, spoken: Language, usage: Usage) -> bool:
    """Whether a dot stands behind a number that counts places: before a month's name, or with an article before it."""
    before, language = text[max(0, dot - _WIDEST_COUNT) : dot], spoken.code.partition("-")[0]
    if language not in _DOTTED or not _DAY.search(before):
        return False
    word = _NEXT_WORD.match(text, dot)
    if word is None:
        return False
    noun = _COUNTED_NOUN.get(language)
    is_noun = noun is not None and noun.search(before) is not None and not begins_sentence(word[1], language, usage)
    return is_noun or word[1].lower() in months(language)


def _inside_brackets(text: str, language: Language) -> list[bool]:
    """For each character whether it stands in brackets that close again and hold no more than one sentence."""
    inside = [False] * len(text)
    opened: list[int] = []
    for at, character in enumerate(text):
        if character in _OPEN:
            opened.append(at)
        elif character in _CLOSE and opened:
            start = opened.pop()
            if not _long_bracket(text, start, language):
                inside[start:at] = [True] * (at - start)
    return inside


def _long_bracket(text: str, start: int, language: Language) -> bool:
    """Whether a bracket holds several sentences."""
    close = min((at for at in (text.find(mark, start) for mark in _CLOSE) if at >= 0), default=-1)
    if close < 0:
        return True
    form = _LATIN_END if language.spaces else _WIDE_END
    return any(match.end() < close for match in form.finditer(text, start + 1, close))
