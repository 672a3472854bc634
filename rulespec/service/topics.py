"""What declarations are about: which of them a reference most likely names, by the words of both.

about(topics_of_the_other_files, entries, entry, text_before, items)   # four measures for each label
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from sys import intern

from rulespec.service.items import Item
from rulespec.service.usage import Entry

_LETTERS = re.compile(r"[a-z]{3,}")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_FORM = 5  #: so many letters of a word are alike in its forms
_FAR = 3_000  #: characters before a place in which names are looked at
#: Which sections the names of a kind of item are declared in.
_SECTIONS = {"rule": "rules", "scenario": "scenarios", "variant": "variants", "term": "terms", "event": "events"}

Measures = tuple[float, float, float, float]
Forms = frozenset[str]


@dataclass(frozen=True, slots=True)
class Topics:
    """The declarations of a file by section and name, with their words and text."""

    told: dict[tuple[str, str], tuple[Forms, str]]


def topics_of(entries: Iterable[Entry]) -> Topics:
    """What some declarations are about."""
    named = ((entry, name_of(entry)) for entry in entries)
    return Topics({(entry.section, name): (_forms(entry.text), entry.text) for entry, name in named if name})


def about(
    others: Sequence[Topics], entries: Sequence[Entry], entry: Entry, text: str, items: Iterable[Item]
) -> dict[str, Measures]:
    """For each label that names a declaration: how much both are about the same, whether it names this one, whether it
    stands in a file of which others are named here, and how many words of its name are here.
    """
    if not others:
        return {}
    return _About([*others, topics_of(entries)], entry).of(text, [*items])


class _About:
    """What one declaration is about, beside all others."""

    def __init__(self, files: Sequence[Topics], entry: Entry) -> None:
        self._told = {key: (*told, number) for number, file in enumerate(files) for key, told in file.told.items()}
        self._seldom: Counter[str] = Counter()
        for forms, _, _ in self._told.values():
            self._seldom.update(forms)
        self._weights: dict[str, float] = {}
        name = name_of(entry)
        self._me = re.compile(rf"\b{re.escape(name)}\b") if name else None
        self._forms = _forms(entry.text)
        self._norm = sum(self._weight(form) ** 2 for form in self._forms) or 1.0

    def of(self, text: str, items: Sequence[Item]) -> dict[str, Measures]:
        """The measures of items; `text` is what stands before the place."""
        told = {item.label: self._told.get(_declared(item)) for item in items}
        files: Counter[int] = Counter()
        for name in _NAME.findall(text[-_FAR:]):
            named = told.get(name)
            if named is not None:
                files[named[2]] += 1
        found: dict[str, Measures] = {}
        for item in items:
            known = told[item.label]
            topic = cross = home = 0.0
            if known is not None:
                forms, text, file = known
                topic = self._alike(forms)
                cross = float(self._me is not None and self._me.search(text) is not None)
                home = files[file] / (files.total() + 1)
            found[item.label] = topic, cross, home, self._named(item)
        return found

    def _weight(self, form: str) -> float:
        if form not in self._weights:
            self._weights[form] = log((len(self._told) + 1) / (self._seldom[form] + 1))
        return self._weights[form]

    def _alike(self, other: Forms) -> float:
        both = sum(self._weight(form) ** 2 for form in self._forms & other)
        return both / sqrt(self._norm * (sum(self._weight(form) ** 2 for form in other) or 1.0))

    def _named(self, item: Item) -> float:
        words = _forms(item.label.partition(".")[2] if item.kind == "path" else item.label)
        return sum(self._weight(form) for form in words & self._forms) / (sum(map(self._weight, words)) or 1.0)


def _declared(item: Item) -> tuple[str, str]:
    if item.kind == "path":
        section, _, name = item.label.partition(".")
        return section, name
    return _SECTIONS.get(item.kind, ""), item.label


def _forms(text: str) -> Forms:
    return frozenset(intern(word[:_FORM]) for word in _LETTERS.findall(text.lower().replace("_", " ")))


def name_of(entry: Entry) -> str:
    """The name of a declaration; nothing for what has none."""
    found = _NAME.search(entry.text)
    return found.group() if found is not None else ""
