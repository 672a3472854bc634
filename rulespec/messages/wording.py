"""What can be wrong with texts whatever game they belong to: languages, plural forms, placeholders that differ."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from collections.abc import Mapping as MappingOf

from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.expr import ast
from rulespec.messages.mends import missing_forms, without_form
from rulespec.messages.pattern import Place, Variants, languages, read_variants
from rulespec.messages.plurals import CATEGORIES, categories, is_language
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.text import Span

#: What a term may say of a word beside its plural forms.
NOT_FORMS = frozenset({"gender", "also", "second", "avoid"})

#: Languages that are suggested for one that there is not.
_OFTEN = ("en", "fr", "ja", "de", "es", "it", "nl", "pl", "pt", "ru", "zh", "ko", "ar", "ca")

Texts = MappingOf[str, Variants]


#: So many messages that were read are remembered: variants leave most as they are, and every one is read for each.
_MOST_READ = 5_000
_READ: OrderedDict[int, tuple[Mapping, dict[str, Variants], tuple[Problem, ...]]] = OrderedDict()


def read_message(message: Mapping, problems: Problems) -> dict[str, Variants]:
    """A message's texts by language, with everything reported that is wrong with them by themselves."""
    known = _READ.get(id(message))
    if known is None or known[0] is not message:
        found = Problems()
        known = message, _read(message, found), found.items
        _READ[id(message)] = known
        while len(_READ) > _MOST_READ:
            _READ.popitem(last=False)
    problems.extend(known[2])
    return dict(known[1])


def _read(message: Mapping, problems: Problems) -> dict[str, Variants]:
    found: dict[str, Variants] = {}
    for key, node in languages(message):
        check_language(key, problems)
        found[key.text] = read_variants(node, problems)
        check_forms(key, node, problems)
        check_words(node, problems)
    check_same_places(found, problems)
    return found


def check_language(key: Scalar, problems: Problems) -> None:
    """Reports a language that there is not."""
    if not is_language(key.text):
        problems.add("RS509", key.span, language=key.text, near=near_to(key.text, _OFTEN))


def check_words(node: Node, problems: Problems) -> None:
    """Reports texts in which nothing stands."""
    texts = [value for _, value in node.pairs] if isinstance(node, Mapping) else [node]
    for text in texts:
        if isinstance(text, Scalar) and not text.text.strip():
            problems.add("RS517", text.span)


def check_forms(key: Scalar, node: Node, problems: Problems) -> None:
    """Reports plural forms that the language has not, and a missing `other`."""
    if not isinstance(node, Mapping):
        return
    allowed = categories(key.text)
    strange = [
        form for form, _ in node.pairs if form.text in CATEGORIES and form.text not in allowed and is_language(key.text)
    ]
    for form in strange:
        hint, fixes = _forms_hint(allowed), without_form(node, form)
        problems.add("RS510", form.span, category=form.text, language=key.text, hint=hint, fixes=fixes)
    if "other" not in node and "other" not in node.broken and not strange:  # it may have been meant
        problems.add("RS511", key.span, language=key.text, fixes=missing_forms(node, ["other"]))


def _forms_hint(allowed: tuple[str, ...]) -> str:
    forms = ", ".join(f"`{name}`" for name in allowed)
    return f"It has {forms if len(allowed) > 1 else 'only `other`'}; an exact number can stand too."


# ---- the same placeholders in every language --------------------------------------------------------


def check_same_places(texts: Texts, problems: Problems) -> None:
    """Reports placeholders that stand in some languages and not in others, at the text that differs from most."""
    whole = {language: v for language, v in texts.items() if all(text.whole for text in v.texts.values())}
    places = {language: _expressions(variants) for language, variants in whole.items()}
    every = {e: place for found in places.values() for e, place in found.items()}
    for expression, place in every.items():
        having = [language for language, found in places.items() if expression in found]
        lacking = [language for language in places if language not in having]
        if lacking:
            odd = _odd(having, lacking, list(places))
            span = places[odd][expression].span if odd in having else _first_line(whole[odd].node)
            problems.add("RS508", span, place=place_text(place), having=listed(having), lacking=listed(lacking))


def _odd(having: list[str], lacking: list[str], order: list[str]) -> str:
    """The odd one out: a language of the fewer ones; where they are as many, one that stands later in the file."""
    if len(having) != len(lacking):
        return min(having, lacking, key=len)[0]
    return lacking[0] if order[0] in having else having[0]


def _expressions(variants: Variants) -> dict[ast.Expr, Place]:
    return {place.expression: place for text in variants.texts.values() for place in text.places}


def place_text(place: Place) -> str:
    """A placeholder as one line."""
    return " ".join(place.span.text.split())


def listed(words: Iterable[str]) -> str:
    """Words in a sentence: `en, fr and ja`."""
    known = list(words)
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"


def _first_line(node: Node) -> Span:
    span = node.span
    end = span.file.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.file, span.start, end)
