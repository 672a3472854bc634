"""What can be wrong with terms: languages, forms, what they are a kind of, forms that are used and avoided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.messages.forms import check_forms_of_word
from rulespec.messages.pattern import NOT_LANGUAGES
from rulespec.messages.wording import NOT_FORMS, check_forms, check_language, check_words
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence

_LONGEST_LINE: Final = 32  #: how many terms stand above one, at most


def check_terms(tree: Mapping, problems: Problems, *, whole: bool) -> None:
    """Reports what is wrong with terms. That nothing uses a term is no fault."""
    terms = tree.get("terms")
    if not isinstance(terms, Mapping):
        return
    for key, term in terms.pairs:
        if isinstance(term, Mapping):
            _check_languages(term, problems)
            if whole:
                _check_parent(terms, key, term, problems)


def _check_languages(term: Mapping, problems: Problems) -> None:
    for key, node in term.pairs:
        if key.text in NOT_LANGUAGES:
            continue
        check_language(key, problems)
        check_forms(key, _forms(node), problems)
        check_words(_forms(node), problems)
        if isinstance(node, Mapping):
            check_forms_of_word(key.text, node, problems)
        _check_avoided(key.text, node, problems)


def _forms(node: Node) -> Node:
    """A term's plural forms without what else is said of the word."""
    if not isinstance(node, Mapping):
        return node
    pairs = tuple((key, value) for key, value in node.pairs if key.text not in NOT_FORMS)
    return Mapping(node.span, pairs, node.broken)


# ---- what it is a kind of ---------------------------------------------------------------------------


def _check_parent(terms: Mapping, key: Scalar, term: Mapping, problems: Problems) -> None:
    parent = term.get("parent")
    if not isinstance(parent, Scalar):
        return
    if parent.text not in terms:
        near = near_to(parent.text, terms.keys())
        problems.add("RS526", parent.span, name=parent.text, near=near)
    elif key.text in (ring := _above(terms, parent.text)) and key.text == _last(terms, ring):
        problems.add("RS527", parent.span, term=key.text)


def _above(terms: Mapping, name: str) -> list[str]:
    """A term and those that it is a kind of, nearest first."""
    found: list[str] = []
    while name not in found and len(found) < _LONGEST_LINE:
        found.append(name)
        term = terms.get(name)
        parent = term.get("parent") if isinstance(term, Mapping) else None
        if not isinstance(parent, Scalar):
            break
        name = parent.text
    return found


def _last(terms: Mapping, names: list[str]) -> str:
    """The one of the names that stands last: a ring is told once."""
    return [key.text for key, _ in terms.pairs if key.text in names][-1]


# ---- words that are avoided -------------------------------------------------------------------------


def _check_avoided(language: str, node: Node, problems: Problems) -> None:
    """Reports a form that is one of the term's own and is to be avoided."""
    if not isinstance(node, Mapping):
        return
    listed = [text.text for key in ("also", "second") for text in words(node.get(key))]
    own = {text.text for _, text in _plain_forms(node)}.union(listed)
    for text in words(node.get("avoid")):
        if text.text in own:
            problems.add("RS528", text.span, form=text.text, language=language)


def _plain_forms(node: Mapping) -> Iterator[tuple[str, Scalar]]:
    for key, value in node.pairs:
        if key.text not in NOT_FORMS and isinstance(value, Scalar):
            yield key.text, value


def words(node: Node | None) -> Iterator[Scalar]:
    """The texts of a list of forms."""
    for item in node.items if isinstance(node, Sequence) else ():
        text = item.get("text") if isinstance(item, Mapping) else item
        if isinstance(text, Scalar):
            yield text
