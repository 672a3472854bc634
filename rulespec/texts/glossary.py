"""The words of a game: concepts, and the forms that stand for them in each language.

    glossary = Glossary.of(tree)                     # the `terms` of a game
    matcher = glossary.matcher("fr")
    for hit in matcher.hits("Placez deux tuiles Rue."):
        hit.concepts, hit.start, hit.end             # ("narrow_street",), 13, 23

The longest form wins. A form that stands for several concepts gives them all. Inflection is the language's
(`rulespec.texts.language`): a form is written once, in the singular.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from rulespec.messages.pattern import NOT_LANGUAGES
from rulespec.messages.wording import NOT_FORMS
from rulespec.source.tree import Mapping, Node, Scalar, Sequence
from rulespec.texts.folding import fold
from rulespec.texts.general import ids_apart, meanings, plain_id
from rulespec.texts.regions import nearest

if TYPE_CHECKING:
    from rulespec.texts.language import Language
    from rulespec.texts.matcher import Matcher

_HIGHEST: Final = 32  #: how many concepts stand above one, at most


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a concept in one language.

    `exact`: only with these capitals. `not_before`, `not_after`: what does not stand directly beside it. `avoided`:
    a form that is read and told as a fault. `second`: one that is told where the term stands too. `named`: one of the
    term's own plural forms. `weak`: it stands for the concept, and for something else too.
    """

    text: str
    exact: bool = False
    not_before: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()
    avoided: bool = False
    second: bool = False
    named: bool = False
    weak: bool = False

    @property
    def is_choosy(self) -> bool:
        """Whether it asks for what does not stand beside it."""
        return bool(self.not_before or self.not_after)


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing that texts speak of. `group` is `term` for those of a game; see the languages' words for the others."""

    id: str
    parent: str | None = None
    forms: dict[str, tuple[Form, ...]] = field(default_factory=dict)
    group: str = "term"

    def forms_in(self, language: str) -> tuple[Form, ...]:
        """Its forms in a language, or in what that is a kind of."""
        return nearest(language, self.forms) or ()

    def name(self, language: str) -> str:
        """What it is called in a language, or elsewhere, or its id."""
        forms = self.forms_in(language) or next(iter(self.forms.values()), ())
        return forms[0].text if forms else plain_id(self.id).replace("_", " ")


@dataclass(frozen=True)
class Glossary:
    """All concepts of a game, by id."""

    concepts: dict[str, Concept]

    @classmethod
    def of(cls, tree: Mapping) -> Glossary:
        """The `terms` of a game's tree."""
        terms = tree.get("terms")
        pairs = terms.pairs if isinstance(terms, Mapping) else ()
        terms_by_key = {key.text: _concept(key.text, term) for key, term in pairs if isinstance(term, Mapping)}
        ids = ids_apart(terms_by_key.values())
        return cls({ids[key]: _renamed(concept, ids) for key, concept in terms_by_key.items()})

    @cached_property
    def general(self) -> dict[str, str]:
        """The languages' own words that terms stand for, each with the term's id."""
        return meanings(self.concepts.values())

    def id_of(self, general: str) -> str:
        """The id of one of the languages' own words in this glossary."""
        return self.general.get(general, general)

    def above(self, concept: str) -> tuple[str, ...]:
        """What a concept is a kind of, nearest first."""
        found: list[str] = []
        while len(found) < _HIGHEST and concept in self.concepts:
            parent = self.concepts[concept].parent
            if parent is None or parent in found or parent not in self.concepts:  # which `check` tells
                break
            found.append(parent)
            concept = parent
        return tuple(found)

    @cached_property
    def below(self) -> dict[str, frozenset[str]]:
        """For each concept, what is a kind of it."""
        found: dict[str, set[str]] = {}
        for concept in self.concepts:
            for parent in self.above(concept):
                found.setdefault(parent, set()).add(concept)
        return {parent: frozenset(kinds) for parent, kinds in found.items()}

    def shorter(self, language: str) -> dict[str, frozenset[str]]:
        """For each concept, the general words that stand for it where it is understood: a street tile is a tile."""
        from rulespec.texts.language import language_of
        from rulespec.texts.matcher import Matcher

        words = language_of(language)
        matcher = Matcher(words, words.concepts.values())
        forms = {c.id: [fold(form.text) for form in c.forms_in(language)] for c in self.concepts.values()}
        found: dict[str, frozenset[str]] = {}
        for concept, own in forms.items():
            general = {self.id_of(c) for text in own for hit in matcher.hits(text) for c in hit.concepts}
            inside = {c for c, others in forms.items() if c != concept and _inside(others, own)}
            found[concept] = frozenset(general | inside)
        return found

    def matcher(self, language: str, *, general: bool = False) -> Matcher:
        """Finds the concepts in texts of a language; with `general` also the language's own words."""
        from rulespec.texts.language import language_of
        from rulespec.texts.matcher import Matcher

        words = language_of(language)
        own = [_with_look_around(concept, words) for concept in self.concepts.values()]
        others = [replace(concept, id=self.id_of(concept.id)) for concept in words.concepts.values()] if general else []
        return Matcher(words, [*own, *others])


def _renamed(concept: Concept, ids: dict[str, str]) -> Concept:
    parent = concept.parent
    return replace(concept, id=ids[concept.id], parent=None if parent is None else ids.get(parent, parent))


def _with_look_around(own: Concept, words: Language) -> Concept:
    """A game's concept whose forms mean something else where those of the language's own words do."""
    known = _choosy_forms(words.code)
    if not known:
        return own
    again = []
    for form in own.forms_in(words.code):
        like = known.get(words.base(fold(form.text)), form)
        beside = form if form.is_choosy else like
        again.append(replace(form, not_before=beside.not_before, not_after=beside.not_after))
    return replace(own, forms={**own.forms, words.code: tuple(again)})


@cache
def _choosy_forms(language: str) -> dict[str, Form]:
    """The forms of a language's own words that ask for what does not stand beside them, as they are compared."""
    from rulespec.texts.language import language_of

    words = language_of(language)
    forms = (form for concept in words.concepts.values() for form in concept.forms_in(language))
    return {words.base(fold(form.text)): form for form in forms if form.is_choosy}


class Matchers(dict[str, "Matcher"]):
    """Finds the terms of a game, in each language: made when a language is first asked for."""

    def __init__(self, glossary: Glossary) -> None:
        super().__init__()
        self._glossary = glossary

    def __missing__(self, language: str) -> Matcher:
        self[language] = self._glossary.matcher(language)
        return self[language]


def _inside(parts: list[str], wholes: list[str]) -> bool:
    """Whether a form is a part of another, word for word."""
    padded = [f" {whole} " if whole.isascii() else whole for whole in wholes]
    return any(
        (f" {part} " if part.isascii() else part) in whole and part != whole.strip()
        for part in parts
        for whole in padded
    )


# ---- reading ----------------------------------------------------------------------------------------


def _concept(name: str, term: Mapping) -> Concept:
    parent = term.get("parent")
    forms = {key.text: tuple(_forms(node)) for key, node in term.pairs if key.text not in NOT_LANGUAGES}
    return Concept(name, parent.text if isinstance(parent, Scalar) else None, forms)


def _forms(node: Node) -> Iterator[Form]:
    """The forms of a term in one language: its own, the second names, the others, those to be avoided; each once."""
    if isinstance(node, Scalar):
        yield Form(node.text, named=True)
        return
    if not isinstance(node, Mapping):
        return
    plain = [v for k, v in node.pairs if k.text not in NOT_FORMS and isinstance(v, Scalar)]
    yield from (Form(text, named=True) for text in dict.fromkeys(value.text for value in plain))
    yield from (replace(form, second=True) for form in _listed(node.get("second")))
    yield from _listed(node.get("also"))
    yield from (replace(form, avoided=True) for form in _listed(node.get("avoid")))


def _listed(node: Node | None) -> Iterator[Form]:
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            yield Form(item.text)
        elif isinstance(item, Mapping) and isinstance(text := item.get("text"), Scalar):
            case = item.get("case")
            yield Form(
                text.text,
                exact=isinstance(case, Scalar) and case.text == "exact",
                not_before=tuple(_texts(item.get("not_before"))),
                not_after=tuple(_texts(item.get("not_after"))),
            )


def _texts(node: Node | None) -> Iterable[str]:
    items = node.items if isinstance(node, Sequence) else (node,)
    return [item.text for item in items if isinstance(item, Scalar)]
