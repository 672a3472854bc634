"""Texts that would tell more of a piece than whoever reads them sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping as MappingOf

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.messages.decisions import Decision, text_keys
from rulespec.messages.game import Game
from rulespec.messages.pattern import Place, languages, read_variants
from rulespec.messages.places import names_in
from rulespec.messages.wording import place_text
from rulespec.model.types import Piece, strip
from rulespec.model.world import PieceKind
from rulespec.source.nodes import Mapping

Hidden = MappingOf[str, PieceKind]


def says_more(e: ast.Expr, hidden: Hidden) -> bool:
    """Whether an expression asks more of a hidden piece than its back shows. Its name alone is shown by the back."""
    if isinstance(e, ast.Name):
        return False
    if isinstance(e, ast.Get) and isinstance(e.of, ast.Name) and e.of.name in hidden:
        return e.name not in (hidden[e.of.name].back or ())
    return any(name.name in hidden for name in names_in(e))


def check_hidden(game: Game, problems: Problems) -> None:
    """Reports options whose texts ask what whoever chooses may not see."""
    for decision in game.decisions:
        hidden = _hidden_names(game, decision)
        for place in _places(game, decision) if hidden else ():
            if says_more(place.expression, hidden):
                problems.add("RS516", place.span, text=place_text(place))


def _hidden_names(game: Game, decision: Decision) -> dict[str, PieceKind]:
    """The pieces of a decision that may be offered by their backs."""
    types = {name.name: strip(name.type) for name in decision.ask.names if name.seen is not None}
    return {name: game.cx.world.pieces[t.kind] for name, t in types.items() if isinstance(t, Piece)}


def _places(game: Game, decision: Decision) -> Iterator[Place]:
    key = next((key for key in text_keys(decision.ask, "option") if game.has(key)), None)
    message = game.messages.get(key) if game.messages is not None and key is not None else None
    for _, node in languages(message) if isinstance(message, Mapping) else ():
        for text in read_variants(node, Problems()).texts.values():
            yield from text.places
