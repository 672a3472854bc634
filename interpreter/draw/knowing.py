"""Who may know the value of an expression of a drawing: whoever sees all pieces that it reads, in that state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from interpreter.sight import zone_read
from rulespec.lower.ir import CallIr, CallRow, CodeOf, Ir, Local, Var, ZoneIr, ZoneRead, walk_ir
from rulespec.lower.steps.sight import uncounted_read

if TYPE_CHECKING:
    from interpreter.game import Game

Cells = list[Any]
#: Whether a viewer knows it of a site or piece in a state.
Knows = Callable[[Cells, int, int], bool]


def knowing(game: Game, name: str, ir: Ir) -> Knows | None:
    """Who knows an expression of a site or piece that is called by a name; None where everybody does."""
    secrets = game.knowledge.secrets
    if not secrets.is_secret(ir):
        return None
    checks = [check for node in walk_ir(ir) for check in _checks(game, name, node)]
    return lambda cells, at, viewer: all(check(cells, at, viewer) for check in checks)


def _checks(game: Game, name: str, node: Ir) -> Iterator[Knows]:
    """What is to be so for a viewer to know what one node reads. What is bound inside comes from nodes of their own."""
    secrets = game.knowledge.secrets
    zone = zone_read(node)
    counted = uncounted_read(game.world, node)
    if zone is not None and secrets.is_secret(node):
        yield _sees(game, name, zone, top=isinstance(node, ZoneRead) and node.what == "top")
    elif counted is not None:
        yield _counts(game, name, counted)
    elif isinstance(node, CodeOf) and isinstance(node.piece, Var) and node.piece.name == name:
        yield lambda cells, at, viewer: game.knowledge.sight.side(cells, at, viewer) == "front"
    elif _cannot_be_told(game, node):
        yield lambda cells, at, viewer: False


def _cannot_be_told(game: Game, node: Ir) -> bool:
    """Whether a node tells something hidden of which nothing here finds out who sees it."""
    if isinstance(node, (CallIr, CallRow)):
        return game.knowledge.secrets.is_secret(node)
    return isinstance(node, Local) or (not isinstance(node, CodeOf) and _is_secret_alone(game, node))


def _is_secret_alone(game: Game, node: Ir) -> bool:
    """Whether a node tells something hidden that none of its parts does, such as a record of choices."""
    secrets = game.knowledge.secrets
    inside = [each for each in walk_ir(node) if each is not node]
    return secrets.is_secret(node) and not any(secrets.is_secret(each) for each in inside)


def _place(game: Game, name: str, zone: Ir) -> Callable[[Cells, int], int | None]:
    """The place that is read, by its number among all; None where it is not one alone."""
    if not isinstance(zone, ZoneIr) or any(
        isinstance(node, Local) or (isinstance(node, Var) and node.name != name) for node in walk_ir(zone.place)
    ):
        return lambda cells, at: None
    declared, of = game.world.zones[zone.zone], game.facts.values.of

    def place(cells: Cells, at: int) -> int | None:
        number = of(zone.place, cells, {name: at})
        return declared.first + number if isinstance(number, int) and 0 <= number < declared.places else None

    return place


def _sees(game: Game, name: str, zone: Ir, *, top: bool) -> Knows:
    place, sight, content = _place(game, name, zone), game.knowledge.sight, game.facts.pieces.content

    def sees(cells: Cells, at: int, viewer: int) -> bool:
        found = place(cells, at)
        if found is None or not sight.counts(found, viewer):
            return False
        return not content(cells, found) or sight.sees(found, viewer, "front", top=top)

    return sees


def _counts(game: Game, name: str, zone: Ir) -> Knows:
    place, sight = _place(game, name, zone), game.knowledge.sight

    def counts(cells: Cells, at: int, viewer: int) -> bool:
        found = place(cells, at)
        return found is not None and sight.counts(found, viewer)

    return counts
