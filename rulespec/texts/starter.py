"""A first glossary, drawn from rulebooks: phrases of two languages that go together over sentences that say the same.

    for pair in drawn(compare(documents, Glossary({}), encoder=encoder)):
        pair.phrases                            # {"en": "starting card", "fr": "carte de départ"}

Two phrases go together where each is the other's best: by the sentences that both stand in, and with an encoder by what
they mean too. What is drawn is a start that a person goes through, and not a finding.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rulespec.texts.compare import Comparison
from rulespec.texts.encoder import Encoder
from rulespec.texts.folding import fold, level
from rulespec.texts.language import Language, language_of
from rulespec.texts.numbers import numbers
from rulespec.texts.tongues import small_words

_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: In languages that do not part their words: runs of Chinese signs and of katakana, which names of things mostly are.
_RUN: Final = re.compile(r"[ァ-ヶー]{2,}(?:[一-龥]+)?|[一-龥]{2,4}(?:[ァ-ヶー]{2,})?")
_LONGEST: Final = 3  #: words of a phrase
_LEAST: Final = 3  #: sentences that a phrase stands in, and that two phrases share
_COMMON: Final = 0.2  #: the part of all sentences above which a word is taken for one of the language's small words
_TOGETHER: Final = 0.45  #: how often two phrases go together, at least: 1 is always
_ALIKE: Final = 0.45  #: how near in meaning two phrases are, at least, by an encoder
_WHOLE: Final = (
    0.75  #: the part of its sentences in which a phrase is a part of a longer one, from which it is no phrase
)
#: Groups of general words that name nothing.
_NO_THINGS: Final = frozenset({"direction", "state", "extent", "owner", "time", "choice"})
_OFFERED: Final = 6  #: phrases of the other language that are tried by their meaning


@dataclass(frozen=True)
class Drawn:
    """One thing as it is called in each language: the forms that it has there, the most frequent first.

    `often` is how many sentences have it in both; `sure` how sure it is that both mean the same, from 0 to 1.
    """

    forms: Mapping[str, tuple[str, ...]]
    often: int
    sure: float

    @property
    def phrases(self) -> dict[str, str]:
        """The most frequent form in each language."""
        return {language: forms[0] for language, forms in self.forms.items()}


@dataclass
class _Phrase:
    """A phrase of one language without its inflection: the sentences that it stands in, and how it is written there."""

    words: tuple[str, ...]
    sentences: set[int] = field(default_factory=set)
    written: Counter[str] = field(default_factory=Counter)

    @property
    def forms(self) -> tuple[str, ...]:
        """How it is written, the most frequent first."""
        return tuple(form for form, _ in self.written.most_common(2))


def drawn(comparison: Comparison) -> list[Drawn]:
    """The phrases of all languages that go together, those of most sentences first; linked by the first language."""
    first, *others = [document.language for document in comparison.documents]
    by_language = {language: _phrases(comparison, language) for language in (first, *others)}
    links = {language: _links(by_language[first], by_language[language], comparison) for language in others}
    found = []
    for words, phrase in by_language[first].items():
        own = {language: links[language][words] for language in others if words in links[language]}
        if own:
            forms = {first: phrase.forms, **{language: other.forms for language, (other, _) in own.items()}}
            often = min(len(phrase.sentences & other.sentences) for other, _ in own.values())
            found.append(Drawn(forms, often, min(sure for _, sure in own.values())))
    return sorted(found, key=lambda one: (-one.often, one.phrases[first]))


# ---- phrases ------------------------------------------------------------------------------------------


def _phrases(comparison: Comparison, language: str) -> dict[tuple[str, ...], _Phrase]:
    """The phrases of a rulebook that stand in some of its sentences that have partners."""
    read = next(read for read in comparison.reads if read.language == language)
    words = language_of(language)
    found: dict[tuple[str, ...], _Phrase] = {}
    both = [c for c in comparison.clusters if len(c.members) > 1 and comparison.trust.is_sure(c.index)]
    for cluster in both:
        for n in cluster.members.get(language, ()):
            for base, written in _of_sentence(read.clauses[n].text, words):
                phrase = found.setdefault(base, _Phrase(base))
                phrase.sentences.add(cluster.index)
                phrase.written[written] += 1
    small = _small(found, len(both), language)
    kept = {
        base: phrase
        for base, phrase in found.items()
        if len(phrase.sentences) >= _LEAST and not ({base[0], base[-1]} & small)
    }
    return _without_parts({base: phrase for base, phrase in kept.items() if not _is_general(phrase, words)})


def _is_general(phrase: _Phrase, words: Language) -> bool:
    """Whether a phrase says may, must or how things stand to each other, and names nothing."""
    text = level(phrase.forms[0])
    if words.moods is not None and words.moods.fullmatch(text):
        return True
    return any(
        fold(form.text) == fold(text)
        for concept in words.concepts.values()
        if concept.group in _NO_THINGS
        for form in concept.forms_in(words.code)
    )


def _of_sentence(text: str, words: Language) -> Iterator[tuple[tuple[str, ...], str]]:
    """The phrases of a sentence: without inflection, and as they are written."""
    bare = re.sub(r"[*_`#|]+", " ", text)
    if not words.spaces:
        yield from (((match[0],), match[0]) for match in _RUN.finditer(bare))
        return
    counted = {(number.start, number.end) for number in numbers(bare, words)}
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(bare):
        is_next = bool(run) and bare[run[-1].end() : match.start()] == " "
        run = [*run, match] if is_next and match.span() not in counted else [match]
        if match.span() in counted:
            run = []
        for length in range(1, min(_LONGEST, len(run)) + 1):
            own = run[-length:]
            written = bare[own[0].start() : own[-1].end()]
            yield tuple(words.base(fold(each[0])) for each in own), _uncapitalized(written, own[0].start())


def _uncapitalized(written: str, at: int) -> str:
    """A phrase as it stands within a sentence: the capital at the beginning of one says nothing."""
    return written[:1].lower() + written[1:] if at == 0 else written


def _small(found: Mapping[tuple[str, ...], _Phrase], sentences: int, language: str) -> frozenset[str]:
    """The small words of a language, by a list of them and by how often they stand in the book."""
    often = {p.words[0] for p in found.values() if len(p.words) == 1 and len(p.sentences) > _COMMON * sentences}
    words = language_of(language)
    known = {words.base(fold(word)) for word in small_words(language.partition("-")[0])}
    short = {base[0] for base in found if len(base[0]) < 3 and words.spaces}
    return frozenset(often & known | known | short)


def _without_parts(found: dict[tuple[str, ...], _Phrase]) -> dict[tuple[str, ...], _Phrase]:
    """Without the phrases that nearly always stand in a longer one."""
    within: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for base, phrase in found.items():
        for length in range(1, len(base)):
            for start in range(len(base) - length + 1):
                within[base[start : start + length]] |= phrase.sentences
    return {
        base: phrase
        for base, phrase in found.items()
        if len(within[base] & phrase.sentences) < _WHOLE * len(phrase.sentences)
    }


# ---- links --------------------------------------------------------------------------------------------


def _links(
    one: Mapping[tuple[str, ...], _Phrase], other: Mapping[tuple[str, ...], _Phrase], comparison: Comparison
) -> dict[tuple[str, ...], tuple[_Phrase, float]]:
    """For phrases of the one language the phrase of the other that goes with it, and how sure that is."""
    offers = [
        (_sure(mine, yours, dice, comparison.trust.encoder), mine, yours)
        for mine in one.values()
        for dice, yours in _nearest(mine, other.values())
    ]
    found: dict[tuple[str, ...], tuple[_Phrase, float]] = {}
    taken: set[tuple[str, ...]] = set()
    for sure, mine, yours in sorted(offers, key=lambda offer: (-offer[0], offer[1].words, offer[2].words)):
        if sure > 0 and mine.words not in found and yours.words not in taken:
            found[mine.words] = yours, sure
            taken.add(yours.words)
    return found


def _nearest(mine: _Phrase, others: Iterable[_Phrase]) -> list[tuple[float, _Phrase]]:
    scored = []
    for yours in others:
        shared = len(mine.sentences & yours.sentences)
        dice = 2 * shared / (len(mine.sentences) + len(yours.sentences))
        if shared >= _LEAST and dice >= _TOGETHER:
            scored.append((dice, yours))
    return sorted(scored, key=lambda each: (-each[0], each[1].words))[:_OFFERED]


def _sure(mine: _Phrase, yours: _Phrase, together: float, encoder: Encoder | None) -> float:
    """How sure it is that two phrases say the same; 0 where it is not enough."""
    if encoder is None:
        return together
    one, other = encoder.encode([mine.forms[0], yours.forms[0]])
    alike = float(one @ other)
    return (together + alike) / 2 if alike >= _ALIKE else 0.0


# ---- as a file ----------------------------------------------------------------------------------------


def as_terms(found: Sequence[Drawn]) -> str:
    """The `terms` of a game as YAML, with how often each stands there and how sure it is."""
    if not found:
        return "# Nothing was drawn: too few sentences surely say the same.\nterms: {}\n"
    lines = [
        "# Drawn from rulebooks: a start. Take out what is no thing of the game, mend plurals, add other names: `also`",
        "terms:",
    ]
    taken: set[str] = set()
    for one in found:
        name = _name(min(next(iter(one.forms.values())), key=len), taken)
        taken.add(name)
        lines.append(f"  {name}:  # in {one.often} sentences, sure by {one.sure:.2f}")
        lines += [f"    {language}: {_forms(forms, language)}" for language, forms in one.forms.items()]
    return "\n".join(lines) + "\n"


def _name(phrase: str, taken: set[str]) -> str:
    base = re.sub(r"[^a-z0-9]+", "_", fold(phrase)).strip("_") or "term"
    base = base if base[0].isalpha() else f"term_{base}"
    names = (base, *(f"{base}_{n}" for n in range(2, 1_000)))
    return next(name for name in names if name not in taken)


def _forms(forms: tuple[str, ...], language: str) -> str:
    """A word, or its singular and plural where both are written and the shorter one is the base of the other."""
    one, other = min(forms, key=len), max(forms, key=len)
    base = _WORD.sub(lambda word: language_of(language).base(word[0]), fold(other))
    if fold(other) != base == fold(one):
        return f"{{one: {_quoted(one)}, other: {_quoted(other)}}}"
    return _quoted(forms[0])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
