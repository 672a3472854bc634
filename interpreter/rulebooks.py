"""The rules of a game with their figures, in several languages, as published rulebooks are compared with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.book.telling import Telling
from interpreter.game import Game
from rulespec.source.tree import Mapping, Node, Scalar
from rulespec.source.tree import Sequence as SequenceNode
from rulespec.texts.declared import Rule
from rulespec.texts.owners import ACTIVE, OWNER
from rulespec.texts.regions import bases

_ACTIONS = ("actions", "effects")  #: done by whoever is offered them
_RANGE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?")


def rules_with_figures(game: Game, languages: Sequence[str]) -> list[Rule]:
    """Each rule in those of the languages that it has a text in; one of a region may have that of the language."""
    tellings = {language: Telling(game, language) for language in languages}
    section = game.tree.get("rules")
    found = []
    for key, node in section.pairs if isinstance(section, Mapping) else ():
        told = {language: telling.rule(key.text) for language, telling in tellings.items()}
        texts = {
            language: text for language, (text, written_in) in told.items() if written_in in bases(language) and text
        }
        found.append(Rule(key.text, texts, _lines(game.tree, node), _acting(game.tree, node)))
    return found


def _acting(tree: Mapping, rule: Node) -> frozenset[str]:
    """Who acts in the declarations that a rule binds, where they say so: it binds a trigger, and no action."""
    binds = rule.get("binds") if isinstance(rule, Mapping) else None
    items = binds.items if isinstance(binds, SequenceNode) else ()
    paths = [item.text.split(".") for item in items if isinstance(item, Scalar)]
    if any(path[0] in _ACTIONS for path in paths):
        return frozenset()
    triggers = tree.get("triggers")
    if not isinstance(triggers, Mapping):
        return frozenset()
    bound = [triggers.get(path[1]) for path in paths if path[0] == "triggers" and len(path) > 1]
    return frozenset(_actor(node) for node in bound if isinstance(node, Mapping))


def _actor(trigger: Mapping) -> str:
    """Who decides and gains in a trigger: the player who caused it, or the one whose thing it is."""
    who = trigger.get("who")
    caused = not isinstance(who, Scalar) or who.text in {"me", "chance"}
    return ACTIVE if caused else OWNER


def _lines(tree: Mapping, rule: Node) -> dict[str, tuple[tuple[int, int], ...]]:
    """Where a rule's sources say it in each language's rulebook."""
    sources = rule.get("source") if isinstance(rule, Mapping) else None
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for item in sources.items if isinstance(sources, SequenceNode) else ():
        if isinstance(item, Mapping) and isinstance(lines := item.get("lines"), Scalar):
            language = _language(tree, item.get("book"))
            if language is not None:
                found[language] = tuple((int(start), int(end or start)) for start, end in _RANGE.findall(lines.text))
    return found


def _language(tree: Mapping, book: Node | None) -> str | None:
    """The language of a rulebook that a source names."""
    books = tree.get("rulebooks")
    entry = books.get(book.text) if isinstance(books, Mapping) and isinstance(book, Scalar) else None
    language = entry.get("language") if isinstance(entry, Mapping) else None
    return language.text if isinstance(language, Scalar) else None
