"""How a language uses its words: forms that are avoided, and one thing under several names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rulespec.texts.clusters import Read
from rulespec.texts.folding import fold
from rulespec.texts.glossary import Form, Glossary
from rulespec.texts.language import Language, language_of

_OFTEN: Final = 3  #: how often a second name is used before it is told


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


def habits(reads: Sequence[Read], glossary: Glossary) -> Iterator[Habit]:
    """Avoided forms, and concepts that go by several names, by language."""
    for read in reads:
        uses = _uses(read, glossary)
        for concept in glossary.concepts:
            own = uses.get(concept, [])
            avoided = [use for use in own if use.form.avoided]
            if avoided:
                yield Habit(concept, read.language, avoided=True, forms=_counted(avoided), uses=tuple(avoided))
            yield from _several(concept, read, [use for use in own if not use.form.avoided])


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
    """Names of one concept that are no inflections, and no shorter forms, of each other."""
    names = Counter(_bare(use.form.text, language_of(read.language)) for use in uses)
    if len(names) < 2:
        return
    first = names.most_common(1)[0][0]
    others = {name for name, number in names.items() if number >= _OFTEN and not _within(name, first)}
    if others:
        rare = [use for use in uses if _bare(use.form.text, language_of(read.language)) in others]
        yield Habit(concept, read.language, avoided=False, forms=_counted(uses), uses=tuple(rare))


def _bare(text: str, language: Language) -> str:
    """A form without inflection and joiners."""
    if not language.spaces:
        return "".join(character for character in fold(text) if character not in " ・-")
    return " ".join(language.base(word) for word in fold(text).replace("-", " ").split())


def _within(one: str, other: str) -> bool:
    return one in other or other in one


def _counted(uses: list[Use]) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(use.form.text for use in uses).most_common(4))
