"""Relations that turn round what a sentence says when one stands for another: before for after, up to for exactly.

    said = relations("Move exactly 4 spaces.", "en")
    said.stretches["bound"]["exactly"]          # ((5, 12),)

Data, in `relations/` beside this module: for each language sets of senses; of a set one sense can stand for another.
`phrases` say a sense for sure, the first of them is put in for another one; `maybe` may also mean something else. What
is `silent` is often left out, so that nothing follows from its lack alone; `none` holds what only looks like a sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from rulespec.texts.folding import level
from rulespec.texts.language import language_of
from rulespec.texts.own_files import read_data
from rulespec.texts.regions import bases

_FOLDER: Final = "relations"
#: Phrases that look like a sense of the set and are none: what belongs to them is read as nothing else.
NONE: Final = "none"
#: What stands in the place of a longer phrase that was read, so that no shorter one is read in it.
_READ: Final = "\x00"

_NUMBER: Final = " #"  #: ends a phrase that stands before a number in digits

Stretch = tuple[int, int]


@dataclass(frozen=True)
class Sense:
    """One sense of a set in one language."""

    name: str
    phrase: str
    sure: re.Pattern[str]
    maybe: re.Pattern[str] | None
    silent: bool = False


@dataclass(frozen=True)
class Relations:
    """The senses of each set that a text says: where it surely does, and which it may say."""

    stretches: Mapping[str, Mapping[str, tuple[Stretch, ...]]]
    maybe: Mapping[str, frozenset[str]]

    def lacks(self, kind: str, sense: str) -> bool:
        """Whether a text surely does not say a sense of a set."""
        return not self.stretches[kind].get(sense) and sense not in self.maybe[kind]


@cache
def senses_of(language: str) -> dict[str, dict[str, Sense]]:
    """The sets of a language with their senses; empty where no words of relations are known."""
    for base in bases(language):
        path = files("rulespec.texts").joinpath(_FOLDER, f"{base}.yaml")
        if path.is_file():
            spaces = language_of(base).spaces
            return {
                kind: {name: _sense(name, entry, spaces=spaces) for name, entry in senses.items()}
                for kind, senses in read_data(path).items()
            }
    return {}


def _sense(name: str, entry: dict[str, Any], *, spaces: bool) -> Sense:
    phrases, maybe = entry["phrases"], entry.get("maybe", ())
    return Sense(
        name,
        phrases[0],
        _pattern(phrases, spaces=spaces),
        _pattern(maybe, spaces=spaces) if maybe else None,
        entry.get("silent", False),
    )


def _pattern(phrases: list[str], *, spaces: bool) -> re.Pattern[str]:
    by_length = sorted(phrases, key=len, reverse=True)
    return re.compile("|".join(_pattern_of(level(phrase), spaces=spaces) for phrase in by_length))


def _pattern_of(phrase: str, *, spaces: bool) -> str:
    """One phrase; where words are parted an end that is a letter ends a word, and an apostrophe does not: *plus d'*."""
    bare = phrase.removesuffix(_NUMBER)
    before = r"(?<![^\W_])" if spaces and bare[0].isalnum() else ""
    behind = r"(?![^\W_])" if spaces and bare[-1].isalnum() else ""
    number = r"(?=\ ?\d)" if bare != phrase else ""
    return f"{before}{re.escape(bare)}{behind}{number}"


@cache
def relations(text: str, language: str) -> Relations:
    """What a text says of each set of its language."""
    flat = level(text)
    stretches: dict[str, dict[str, tuple[Stretch, ...]]] = {}
    maybe: dict[str, frozenset[str]] = {}
    for kind, senses in senses_of(language).items():
        found, rest = _sure(flat, senses)
        stretches[kind] = found
        maybe[kind] = frozenset(
            name for name, sense in senses.items() if sense.maybe is not None and sense.maybe.search(rest)
        )
    return Relations(stretches, maybe)


def _sure(flat: str, senses: Mapping[str, Sense]) -> tuple[dict[str, tuple[Stretch, ...]], str]:
    """Where the senses of a set stand, the longest phrase first; and what is left of the text."""
    hits = sorted(_hits(flat, senses), key=lambda hit: (hit[0] - hit[1], hit[0]))
    taken: list[tuple[int, int, str]] = []
    rest = list(flat)
    for start, end, name in hits:
        if _READ not in rest[start:end]:
            taken.append((start, end, name))
            rest[start:end] = _READ * (end - start)
    found: dict[str, tuple[Stretch, ...]] = {}
    for start, end, name in sorted(taken):
        found[name] = (*found.get(name, ()), (start, end))
    return found, "".join(rest)


def _hits(flat: str, senses: Mapping[str, Sense]) -> Iterator[tuple[int, int, str]]:
    for name, sense in senses.items():
        for match in sense.sure.finditer(flat):
            yield match.start(), match.end(), name
