"""Which of the languages' own words mean the same as a term of the game: found by what they are called, never by ids.

A term and a general word are one thing where their forms meet in at least half of the languages that have both: *card*
and *carte* are the general word for cards, whatever the term's id is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from rulespec.texts.folding import fold

if TYPE_CHECKING:
    from rulespec.texts.glossary import Concept
    from rulespec.texts.language import Language

_FOLDER: Final = "words"
#: Groups of general words that terms can stand for: things, what is done, colours. Directions, owners and the like are
#: compared by their own ids, and stay beside the terms.
_SAME: Final = frozenset({"thing", "act", "colour"})
_REST: Final = "*"
#: Ends the id of a term that is called like another general word.
_APART: Final = "'"


@cache
def general_languages() -> tuple[str, ...]:
    """The languages that have words of their own."""
    folder = files("rulespec.texts").joinpath(_FOLDER)
    return tuple(sorted(path.name.removesuffix(".yaml") for path in folder.iterdir() if path.name.endswith(".yaml")))


@cache
def _words() -> tuple[Language, ...]:
    from rulespec.texts.language import language_of

    return tuple(language_of(code) for code in general_languages())


@cache
def _ids() -> frozenset[str]:
    return frozenset(concept for words in _words() for concept in words.concepts)


def meanings(terms: Iterable[Concept]) -> dict[str, str]:
    """For each general word that a term stands for, that term's id; of several the one that meets it most often."""
    found: dict[str, list[tuple[int, str]]] = {}
    for term in terms:
        for general, number in _meant_by(term):
            found.setdefault(general, []).append((number, term.id))
    best = {general: max(number for number, _ in ids) for general, ids in found.items()}
    alone = {general: [name for number, name in ids if number == best[general]] for general, ids in found.items()}
    return {general: ids[0] for general, ids in alone.items() if len(ids) == 1}


def ids_apart(terms: Iterable[Concept]) -> dict[str, str]:
    """For each term the id under which it is known: its own, but where a general word of another meaning has that."""
    known = list(terms)
    same = meanings(known)
    return {term.id: term.id if _is_free(term.id, same) else f"{term.id}{_APART}" for term in known}


def _is_free(name: str, same: dict[str, str]) -> bool:
    return name not in _ids() or same.get(name) == name


def plain_id(name: str) -> str:
    """A term's id as the game has it."""
    return name.removesuffix(_APART)


def _meant_by(term: Concept) -> Iterator[tuple[str, int]]:
    """The general words whose forms meet those of a term in half of the languages that have both; in how many."""
    both: dict[str, int] = {}
    meets: dict[str, int] = {}
    for words in _words():
        own = {words.base(fold(form.text)) for form in term.forms_in(words.code) if not form.avoided and not form.exact}
        for general in words.concepts.values() if own else ():
            if general.group in _SAME:
                both[general.id] = both.get(general.id, 0) + 1
                meets[general.id] = meets.get(general.id, 0) + _meet(own, general, words)
    yield from ((general, number) for general, number in meets.items() if number and 2 * number >= both[general])


def _meet(own: set[str], general: Concept, words: Language) -> bool:
    return any(_is_one_of(own, words.base(fold(f.text))) for f in general.forms_in(words.code) if not f.weak)


def _is_one_of(own: set[str], form: str) -> bool:
    return any(one.startswith(form[:-1]) for one in own) if form.endswith(_REST) else form in own
