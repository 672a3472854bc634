"""Texts that would tell more of a piece than whoever reads them sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower.offers.labels import ACTIVE, ME, OPEN, hidden_from
from rulespec.lower.offers.readings import Bound, Point, Readings
from rulespec.messages.cycles import Lowered
from rulespec.messages.decisions import Decision, text_keys
from rulespec.messages.game import Game
from rulespec.messages.keys import piece_key
from rulespec.messages.pattern import Place, languages, read_variants
from rulespec.messages.places import names_in
from rulespec.messages.wording import place_text
from rulespec.model.types import ListType, Piece, Type, strip
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


def check_hidden(game: Game, problems: Problems, *, backs: bool) -> None:
    """Reports options, and backs of pieces, whose texts ask what whoever reads them may not see.

    Without `backs` those are left out: in a game with errors, what a back shows may be what is wrong.
    """
    for kind in game.cx.world.pieces.values() if backs else ():
        _report(_places(game, piece_key(kind.name, "back")), {kind.name: kind}, problems)
    for decision in game.decisions:
        hidden = _hidden_names(game, decision)
        key = next((key for key in text_keys(decision.ask, "option") if game.has(key)), None)
        _report(_places(game, key) if hidden and key is not None else (), hidden, problems)


def check_told(game: Game, key: str, lowered: Lowered, problems: Problems) -> None:
    """Reports placeholders that tell what whoever reads them may not see: `me` of a prompt or option, all of the log.

    Pieces are shown by the side that the reader sees, so of them only which ones there are is told.
    """
    world = game.cx.world
    if all(zone.front == "all" for zone in world.noted("told_zones")):
        return
    readings, point, names = Readings(world, frozenset()), Point(ME, ACTIVE), {"me": Bound(OPEN, ME)}
    for place, ir in lowered:
        label = readings.read(ir, point, names)
        told = label.outer if _is_of_pieces(ir.type) else label.all()
        hidden = told if key.endswith(".log") else hidden_from(told, ME)
        if hidden:
            zones = "', '".join(sorted({secret.zone for secret in hidden}))
            problems.add("RS539", place.span, zone=zones)


def _is_of_pieces(t: Type) -> bool:
    inner = strip(t)
    return isinstance(inner.of if isinstance(inner, ListType) else inner, Piece)


def _report(places: Iterable[Place], hidden: Hidden, problems: Problems) -> None:
    for place in places:
        if says_more(place.expression, hidden):
            problems.add("RS516", place.span, text=place_text(place))


def _hidden_names(game: Game, decision: Decision) -> dict[str, PieceKind]:
    """The pieces of a decision that may be offered by their backs."""
    types = {name.name: strip(name.type) for name in decision.ask.names if name.seen is not None}
    return {name: game.cx.world.pieces[t.kind] for name, t in types.items() if isinstance(t, Piece)}


def _places(game: Game, key: str) -> Iterator[Place]:
    """The placeholders of one of the game's messages, in all languages."""
    message = game.messages.get(key) if game.messages is not None else None
    for _, node in languages(message) if isinstance(message, Mapping) else ():
        for text in read_variants(node, Problems()).texts.values():
            yield from text.places
