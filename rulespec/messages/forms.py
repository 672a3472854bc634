"""Plural forms beside the numbers that they stand for: a form that hides its number, and forms that are not there.

The numbers are those that the declarations allow; without bounds all that games count with. Which form they take is
CLDR's, so that French `one` is for 0 and 1, and Russian `one` for 1, 21 and 31.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.messages.mends import missing_forms
from rulespec.messages.pattern import Text, Variants
from rulespec.messages.plurals import categories, is_language, plural_category
from rulespec.model.types import Integer
from rulespec.source.tree import Mapping, Scalar

#: Games count up to here; a form for millions alone, as in Spanish, is not asked for.
_HIGHEST: Final = 1_000
_SHOWN: Final = 3  #: numbers that a message lists


@dataclass(frozen=True, slots=True)
class Chooser:
    """What chooses among forms: an expression, and the numbers that it can come to."""

    expression: ast.Expr
    numbers: Integer


def check_numbers(language: str, variants: Variants, chooser: Chooser, problems: Problems) -> None:
    """Reports forms of a text in one language that hide their number, and those that are missing."""
    if not variants.by_number or not is_language(language):
        return
    exact = frozenset(form for form in variants.texts if isinstance(form, int))
    stand_for = _stand_for(language, chooser.numbers, exact)
    shows = {form: _shows(text, chooser.expression) for form, text in variants.texts.items()}
    if any(shows.values()):
        for form, text in variants.texts.items():
            if isinstance(form, str) and not shows[form] and text.whole:
                _check_hidden(language, form, text, stand_for.get(form, ()), chooser, problems)
    has_forms = any(isinstance(form, str) and form != "other" for form in variants.texts)
    if has_forms or shows.get("other"):
        _report_missing(language, variants.node, stand_for, problems)


def _check_hidden(
    language: str, form: str, text: Text, numbers: tuple[int, ...], chooser: Chooser, problems: Problems
) -> None:
    if len(numbers) > 1:
        shown = " ".join(chooser.expression.span.text.split())
        exact = 1 if 1 in numbers else numbers[0]
        hint = f"Put `{{{shown}}}` into it, or write the number as the key, as in `{exact}: …`."
        problems.add("RS518", text.span, hint=hint, form=form, language=language, numbers=_listed(numbers))


def check_forms_of_word(language: str, word: Mapping, problems: Problems) -> None:
    """Reports the forms that a word lacks which has others, for the numbers that games count with."""
    has_forms = any(key.text in categories(language) and key.text != "other" for key, _ in word.pairs)
    if has_forms and is_language(language):
        _report_missing(language, word, _stand_for(language, Integer(), frozenset()), problems)


def _report_missing(
    language: str, node: Scalar | Mapping | object, stand_for: dict[str, tuple[int, ...]], problems: Problems
) -> None:
    if not isinstance(node, Mapping):
        return
    missing = [form for form in stand_for if form != "other" and form not in node and form not in node.broken]
    if missing:
        forms = ", ".join(f"`{form}` ({_listed(stand_for[form])})" for form in missing)
        fixes = missing_forms(node, missing)
        problems.add("RS519", node.pairs[0][0].span, language=language, forms=forms, fixes=fixes)


def _listed(numbers: tuple[int, ...]) -> str:
    more = ", …" if len(numbers) > _SHOWN else ""
    return ", ".join(map(str, numbers[:_SHOWN])) + more


def _shows(text: Text, expression: ast.Expr) -> bool:
    return any(place.expression == expression for place in text.places)


# ---- numbers ----------------------------------------------------------------------------------------


@cache
def _stand_for(language: str, numbers: Integer, exact: frozenset[int]) -> dict[str, tuple[int, ...]]:
    """The numbers that each form stands for, a few of them, without those that have a text of their own."""
    found: dict[str, list[int]] = {form: [] for form in categories(language)}
    for number in _within(numbers):
        form = _categories_of_numbers(language)[abs(number)]
        if number not in exact and len(found[form]) <= _SHOWN:
            found[form].append(number)
    return {form: tuple(some) for form, some in found.items() if some}


def _within(numbers: Integer) -> Iterator[int]:
    low = 0 if numbers.low is None else max(numbers.low, -_HIGHEST)
    high = _HIGHEST if numbers.high is None else min(numbers.high, _HIGHEST)
    yield from sorted(range(low, high + 1), key=abs)


@cache
def _categories_of_numbers(language: str) -> tuple[str, ...]:
    return tuple(plural_category(language, number) for number in range(_HIGHEST + 1))
