"""How a language uses its words: forms that are avoided, and one thing under several names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.texts.clusters import Read
from rulespec.texts.folding import fold
from rulespec.texts.glossary import Form, Glossary
from rulespec.texts.language import Language, language_of

_STEM: Final = 4  #: letters that two forms of one word have in common


@dataclass(frozen=True, slots=True)
class Use:
    """A form in a document: which clause, and where in it."""

    clause: int
    start: int
    end: int
    form: Form


@dataclass(frozen=True, slots=True)
class Habit:
    """Something to tell of how a language names a concept."""

    concept: str
    language: str
    avoided: bool
    forms: tuple[tuple[str, int], ...]
    uses: tuple[Use, ...]


def habits(read: Read, glossary: Glossary, free: frozenset[int]) -> Iterator[Habit]:
    """Avoided forms, and concepts that go by several names, in one language.

    `free` are the sentences of a story: what they call a thing is free.
    """
    uses = _uses(read, glossary)
    for concept in glossary.concepts:
        own = uses.get(concept, [])
        avoided = [use for use in own if use.form.avoided]
        if avoided:
            yield Habit(concept, read.language, avoided=True, forms=_counted(avoided), uses=tuple(avoided))
        yield from _several(concept, read, [use for use in own if not use.form.avoided and use.clause not in free])


def _uses(read: Read, glossary: Glossary) -> dict[str, list[Use]]:
    found: dict[str, list[Use]] = {}
    for n, said in enumerate(read.said):
        if said.language != read.language:
            continue
        for hit in said.hits:
            if len(hit.concepts) == 1 and hit.concepts[0] in glossary.concepts:
                found.setdefault(hit.concepts[0], []).append(Use(n, hit.start, hit.end, hit.form))
    return found


def _several(concept: str, read: Read, uses: list[Use]) -> Iterator[Habit]:
    """Second names of a concept that stand beside its own, and are no shorter forms or inflections of it."""
    language = language_of(read.language)
    names = Counter(_bare(use.form.text, language) for use in uses if not use.form.second)
    if not names:  # it goes by its second name throughout
        return
    first = names.most_common(1)[0][0]
    rare = tuple(use for use in uses if use.form.second and not _alike(_bare(use.form.text, language), first, language))
    if rare:
        told = [use for use in uses if use in rare or _bare(use.form.text, language) == first]
        yield Habit(concept, read.language, avoided=False, forms=_counted(told), uses=rare)


def _bare(text: str, language: Language) -> str:
    """A form without inflection and joiners."""
    if not language.spaces:
        return "".join(character for character in fold(text) if character not in " ・-の")
    return " ".join(language.base(word) for word in fold(text).replace("-", " ").split())


def _alike(one: str, other: str, language: Language) -> bool:
    """Whether two names are the same word, in short, in full, inflected, or by its initials."""
    stem = one[:_STEM]
    same = one in other or other in one or (len(stem) == _STEM and other.startswith(stem))
    return same or (language.spaces and (_initials(one) == other or _initials(other) == one))


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if len(word) > 2)


def _counted(uses: list[Use]) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(use.form.text for use in uses).most_common(4))
