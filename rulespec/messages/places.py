"""The types of placeholders: each is lowered with what its text sees, at every place where the text is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower.context import Context
from rulespec.lower.expressions import lower_as
from rulespec.lower.ir import Ir, Whole
from rulespec.lower.scope import Scope
from rulespec.messages.forms import Chooser, check_numbers
from rulespec.messages.keys import Names
from rulespec.messages.lowering import lower_place, text_scope
from rulespec.messages.pattern import Place, Text, Variants
from rulespec.messages.wording import Texts, place_text
from rulespec.model.types import (
    INTEGER,
    Boolean,
    EffectType,
    Integer,
    ListType,
    Member,
    NoneType,
    Piece,
    Record,
    SetType,
    Type,
    Unknown,
    strip,
)
from rulespec.source.nodes import Node

_WITH_WORDS = (Integer, Boolean, Member, Piece, EffectType, NoneType, SetType, Unknown)


def check_places(
    cx: Context, texts: Texts, select: Node | None, places: list[Names], problems: Problems, hint: str | None = None
) -> Iterator[tuple[Place, Ir]]:
    """Reports placeholders that say nothing at some place where the text is shown; gives the others, lowered.

    `places` holds what is seen at each place. `hint` says how a text that is not for all places can be split.
    """
    partly = _partly_known(places)
    alike = _distinct(places)
    for variants in texts.values():
        for text in variants.texts.values():
            for place in text.places:
                if not _report_partly(place, partly, hint, problems):
                    yield from ((place, ir) for names in alike if (ir := _lowered(cx, names, place, problems)))
    _check_select(cx, texts, select, alike, problems)


def _distinct(places: list[Names]) -> list[Names]:
    found: list[Names] = []
    for names in places:
        if names not in found:
            found.append(names)
    return found


def _partly_known(places: list[Names]) -> frozenset[str]:
    """Names that only some of the places know."""
    every = frozenset(name for names in places for name in names)
    return frozenset(name for name in every if any(name not in names for names in places))


def _report_partly(place: Place, partly: frozenset[str], hint: str | None, problems: Problems) -> bool:
    """Whether a placeholder names what only some places know, which is reported."""
    for name in names_in(place.expression):
        if name.name in partly:
            problems.add("RS513", name.span, name=name.name, hint=hint)
            return True
    return False


def names_in(e: object) -> Iterator[ast.Name]:
    """The bare names in an expression."""
    if isinstance(e, ast.Name):
        yield e
    elif isinstance(e, tuple):
        for item in e:
            yield from names_in(item)
    elif is_dataclass(e) and isinstance(e, (ast.Expr, ast.Each)):
        for f in fields(e):
            yield from names_in(getattr(e, f.name))


def _lowered(cx: Context, names: Names, place: Place, problems: Problems) -> Ir | None:
    if any(name.name not in names and name.name in cx.world.broken for name in names_in(place.expression)):
        return None  # a step that could not be read may bind it
    ir = lower_place(text_scope(cx.world, names), place.expression)
    if isinstance(ir.type, Unknown):
        return None
    return ir if has_words(place, ir, problems) else None


def has_words(place: Place, ir: Ir, problems: Problems) -> bool:
    """Whether a value can be put into a text, or a report."""
    if isinstance(ir, Whole):
        problems.add("RS514", place.span, text=place_text(place), type="all of its kind")
        return False
    if _printable(ir.type):
        return True
    problems.add("RS514", place.span, text=place_text(place), type=str(ir.type))
    return False


def _printable(t: Type) -> bool:
    inner = strip(t)
    if isinstance(inner, ListType):
        return _printable(inner.of)
    if isinstance(inner, Record):
        return all(_printable(of) for _, of in inner.fields)
    return isinstance(inner, _WITH_WORDS)


# ---- what chooses among plural forms ----------------------------------------------------------------


def _check_select(cx: Context, texts: Texts, select: Node | None, places: list[Names], problems: Problems) -> None:
    if select is not None:
        written = cx.expr(select)
        for names in places if written is not None else ():
            chosen = strip(lower_as(text_scope(cx.world, names), written, INTEGER).type)  # type: ignore[arg-type]
            if isinstance(chosen, Integer):
                _check_forms(texts, Chooser(written, chosen), problems)  # type: ignore[arg-type]
        return
    for language, variants in texts.items():
        is_chosen = variants.by_number and len(variants.texts) > 1 and "other" in variants.texts
        if is_chosen and not _check_only_number(cx, language, variants, places, problems):
            return  # it is mostly the same in the other languages: what is missing is `select`


def _check_forms(texts: Texts, chooser: Chooser, problems: Problems) -> None:
    for language, variants in texts.items():
        check_numbers(language, variants, chooser, problems)


def _check_only_number(cx: Context, language: str, variants: Variants, places: list[Names], problems: Problems) -> bool:
    """Without `select` the only number of a text chooses; reported where there is none, or several."""
    text = variants.texts["other"]
    for names in places if text.whole else ():
        numbers = _numbers(text_scope(cx.world, names), text, cx)
        if numbers is None:
            continue
        if len(numbers) != 1:
            found = listed_numbers([place_text(place) for place, _ in numbers])
            problems.add("RS512", text.span, count=found)
            return False
        [(place, number)] = numbers
        check_numbers(language, variants, Chooser(place.expression, number), problems)
    return True


def _numbers(scope: Scope, text: Text, cx: Context) -> list[tuple[Place, Integer]] | None:
    """The placeholders of a text that are numbers, each once, with what they can come to.

    None where one is not known, which is told elsewhere: it may be the number.
    """
    kept, cx.world.problems = cx.world.problems, Problems()
    try:
        found = {place.expression: (place, strip(lower_place(scope, place.expression).type)) for place in text.places}
    finally:
        cx.world.problems = kept
    if any(isinstance(t, Unknown) for _, t in found.values()):
        return None
    return [(place, number) for place, number in found.values() if isinstance(number, Integer)]


def listed_numbers(numbers: list[str]) -> str:
    """How many numbers a text has, in words."""
    return f"there are several: {', '.join(numbers)}" if numbers else "there is none"
