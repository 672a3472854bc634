"""Typography: the marks of each language, and the blanks around them. The rules are data in `typography/`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from rulespec.source.tree import Scalar
from rulespec.texts.check.entries import Entry, Text
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.own_files import read_data
from rulespec.texts.regions import bases

_FOLDER: Final = "typography"
#: Messages that say by which sign a thing is drawn.
SIGNS: Final = "drawn."


@dataclass(frozen=True)
class Mark:
    """A rule: what must not stand in a text, and what is wanted there."""

    form: re.Pattern[str]
    wanted: str


@cache
def marks_of(language: str) -> tuple[Mark, ...]:
    """The rules of a language, or of what it is a kind of, after those of all languages."""
    found = (rules for base in bases(language) if (rules := _read(base)))
    return (*_read("all"), *next(found, ()))


@cache
def _read(name: str) -> tuple[Mark, ...]:
    path = files("rulespec.texts.check").joinpath(_FOLDER, f"{name}.yaml")
    if not path.is_file():
        return ()
    rows: list[dict[str, Any]] = read_data(path)
    return tuple(Mark(re.compile(row["form"]), row["wanted"]) for row in rows)


def check_typography(entry: Entry, reports: Reports) -> None:
    """Reports what does not stand as the language has it, in every text of a rule or message; signs are no texts."""
    if entry.rule is None and entry.name.startswith(SIGNS):
        return
    for language, forms in entry.texts.items():
        if not reports.suppressed(entry, "RS553", language):
            for text in forms.values():
                _check(text, language, reports)


def check_words(node: Scalar, language: str, reports: Reports) -> None:
    """As `check_typography`, of a single text such as a title."""
    _check(Text(node), language, reports)


def _check(text: Text, language: str, reports: Reports) -> None:
    """Texts are looked at with a letter in the place of each placeholder."""
    plain = text.plain
    for mark in marks_of(language):
        for match in mark.form.finditer(plain):
            start, end = match.span()
            reports.problems.add(
                "RS553", span_of(text.node, start, max(end, start + 1)), language=language, wanted=mark.wanted
            )
