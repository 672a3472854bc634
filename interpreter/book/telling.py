"""What a game says in one language: its rules with their figures, and the values of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.game import Game, load_source
from interpreter.texts.catalogue import Catalogue
from interpreter.texts.names import Words
from interpreter.texts.phrases import Phrase, Writer
from rulespec.built import Built
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import GameSource, resolve
from rulespec.lower import make
from rulespec.lower.constants import OptionValue
from rulespec.lower.context import reporting
from rulespec.lower.ir import Var
from rulespec.lower.scope import Scope
from rulespec.messages.book import row_type, words_for
from rulespec.messages.pattern import read_words
from rulespec.messages.plurals import fallbacks
from rulespec.model.types import UNKNOWN, Piece, Type, Unknown
from rulespec.overlay.options import switched_on
from rulespec.settle import player_range
from rulespec.source.tree import Mapping, Node, Scalar

#: What stands in a table where there is nothing.
NOTHING = "–"
#: Steps that finding what one expression means is taken for.
LOWERED = 200


class Telling:
    """The texts and tables of one game in one language."""

    def __init__(self, game: Game, language: str):
        self.game, self.language = game, language
        self._rules = _section(game.tree, "rules")
        self._texts = Catalogue([_as_messages(game.tree, self._rules)], language)
        self._writer = Writer(game.facts, constant=True)
        self.words = Words(game.facts, Catalogue([game.tree, *game.source.engine], language), language)
        self._cells = game.start(0).cells

    # ---- texts ----

    def rule(self, rule: str) -> tuple[str, str]:
        """A rule's text, and the language in which it stands."""
        message = self._texts.find(rule)
        if message is None:
            return "", self.language
        parts = Phrase(message, (), self._writer).parts(self._cells, ())
        return "".join(part if isinstance(part, str) else self.said(*part) for part in parts), message.language

    def text(self, node: Scalar) -> str | None:
        """A text of a rule with its figures; None where one cannot be computed."""
        parts = self._writer.parts(read_words(node, Problems()), ())
        if parts is None:
            return None
        found = parts.evaluate(self._cells, ())
        return "".join(part if isinstance(part, str) else self.said(*part) for part in found)

    def title(self, rule: str) -> str:
        """A rule's heading."""
        node = self._rules.get(rule)
        return "" if node is None else self.by_language(node.get("title"))

    def ledger(self, rule: str) -> tuple[str, ...]:
        """The ids of the ledger's entries that a rule covers."""
        ids = self._rules[rule].get("ledger") if rule in self._rules else None
        return tuple(item.text for item in getattr(ids, "items", ()) if isinstance(item, Scalar))

    def by_language(self, node: Node | None) -> str:
        """A text that is written by language, in the nearest one that there is."""
        if isinstance(node, Scalar):
            return node.text
        if not isinstance(node, Mapping):
            return ""
        found = [node.get(code) for code in (*fallbacks(self.language), *node.keys())]
        return next((text.text for text in found if isinstance(text, Scalar)), "")

    def heading(self, node: Node | None) -> str:
        """A title of the book."""
        book = self.game.tree.get("book")
        if isinstance(node, Mapping) and isinstance(book, Mapping):
            found = words_for(book, node, self.language)
            if found is not None:
                return found.text
        return self.by_language(node)

    # ---- tables ----

    def rows(self, kind: str, where: Node | None) -> list[int]:
        """The members of a kind that a table tells of: of pieces that are alike the first."""
        world = self.game.world
        of = row_type(world, kind)
        if of is None:
            return []
        if isinstance(of, Piece):
            count = self.game.world.pieces[kind].count
        else:
            count = world.domains[kind].size
        env = [{kind: (member, of)} for member in range(count)]
        return [at for at, names in enumerate(env) if where is None or value(self.game.built, where, names)[0] == 1]

    def cell(self, node: Node, kind: str, member: int) -> str:
        """What a column tells of a member."""
        of = row_type(self.game.world, kind)
        words = "" if of is None else self.said(*value(self.game.built, node, {kind: (member, of)}))
        return NOTHING if words == self.words.word("engine.none") else words

    def said(self, found: Any, of: Type) -> str:
        """A value in words."""
        return "" if isinstance(of, Unknown) else self.words.name(found, of, self._cells)


def telling_of(source: GameSource, language: str, variants: Sequence[str], options: dict[str, OptionValue]) -> Telling:
    """What a game says with variants and options on, for the most players. Raises ContentError where it cannot be."""
    return Telling(load_for_most(source, variants, options), language)


def load_for_most(
    source: GameSource, variants: Sequence[str], options: dict[str, OptionValue], players: int | None = None
) -> Game:
    """The game for a number of players, or for the most that it takes with these variants on."""
    on = tuple(dict.fromkeys(variants))
    if players is None:
        switched = switched_on(source.base, options)
        players = player_range(resolve(source, (*on, *switched), Problems()), Problems())[1]
    return load_source(source, players=players, options=options, variants=on)


def value(built: Built, node: Node, names: dict[str, tuple[Any, Type]]) -> tuple[Any, Type]:
    """A constant expression's value and type, where `names` stand for what they hold; no known type where it has none.

    Raises ContentError where all values of the book together are too much work (RS701).
    """
    cx = built.context
    rows = {name: Var(type=of, name=make.fresh(name)) for name, (_, of) in names.items()}
    problems = Problems()
    with reporting(cx, problems):
        ir = make.as_value(cx.world, cx.lower(node, Scope(cx.world, dict(rows), constant=True)))
        known = {row.name: names[name][0] for name, row in rows.items()}
        cx.evaluator.steps += LOWERED
        found = cx.evaluate(ir, node.span, known)
    if any(problem.code == "RS701" for problem in problems.errors):
        raise ContentError(problems.errors)
    return found, (ir.type if found is not None else UNKNOWN)


def _section(tree: Mapping, name: str) -> dict[str, Mapping]:
    section = tree.get(name)
    pairs = section.pairs if isinstance(section, Mapping) else ()
    return {key.text: node for key, node in pairs if isinstance(node, Mapping)}


def _as_messages(tree: Mapping, rules: dict[str, Mapping]) -> Mapping:
    """A tree whose messages are the texts of rules, by their ids."""
    span = tree.span
    texts = {rule: node.get("text") for rule, node in rules.items()}
    pairs = tuple((_name(rule, tree), text) for rule, text in texts.items() if text is not None)
    return Mapping(span, ((_name("messages", tree), Mapping(span, pairs)),))


def _name(text: str, tree: Mapping) -> Scalar:
    return Scalar(tree.span, text, text, "plain", tree.span)
