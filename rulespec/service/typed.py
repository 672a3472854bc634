"""What is wrong with the value that is being typed, long before the whole game is checked.

    typed = typed_at(space, "islands/game.yaml", offset)
    typed.problems      # errors of that value alone, as `check` would tell them with the most players

Only the declaration around it is lowered, or the expression alone where it stands in none that is lowered by itself.
"""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace

from rulespec.diagnostics.model import Problem, Problems
from rulespec.expr.parse import parse_span
from rulespec.lower.context import reporting
from rulespec.lower.expressions import lower
from rulespec.lower.parts import lower_part
from rulespec.model.shapes import Expression
from rulespec.service.game import Game
from rulespec.service.place import Place, place_at
from rulespec.service.scopes import PLAYED, site_at, text_with_hole
from rulespec.service.shape_at import held_at
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Typed:
    """A value in a file, by its offsets, and what is wrong with it."""

    start: int
    end: int
    problems: tuple[Problem, ...]


def typed_at(space: Workspace, name: str, offset: int) -> Typed | None:
    """The errors of the expression at an offset; None where there is no expression, or nothing is known around it."""
    text, game = space.text(name), space.game_of(name)
    place = place_at(text, offset)
    if game is None or place.role not in ("value", "item") or not text[place.first : place.last].strip():
        return None
    if not any(isinstance(shape, Expression) for shape in held_at(place.way, place.around).shapes):
        return None
    value = _value(name, text, place)
    found = Problems()
    e = parse_span(value, found)
    errors = found.errors if e is None or found.items else _errors_of(game, name, place, value)
    return Typed(place.first, place.last, tuple(each for each in errors if _is_inside(each, value)))


def _value(name: str, text: str, place: Place) -> Span:
    """The text of a value without its quotes, or without the mark of a block."""
    start, end = place.first, place.last
    if text[start : start + 1] in ("|", ">"):
        start = text.find("\n", start, end) + 1 or start
    elif text[start : start + 1] in ("'", '"'):
        start, end = start + 1, end - (text[end - 1 : end] == text[start])
    return Span(SourceFile.of(name, text), start, max(start, end))


def _is_inside(problem: Problem, value: Span) -> bool:
    span = problem.span
    return span.file.name == value.file.name and value.start <= span.start and span.end <= value.end


def _errors_of(game: Game, name: str, place: Place, value: Span) -> tuple[Problem, ...]:
    """The errors of a value; none for a name whose declaration has no right form in the texts of now.

    The frame's own world knows such names of the texts of which it was made. Those of now are only looked for where
    there is an error that they may take back.
    """
    found = _lowered(game, name, place, value, frozenset())
    if not found.errors:
        return ()
    hole = name, text_with_hole(game.space.text(name), place)
    broken = game.broken(game.variants_at(hole, place.way), hole)
    return _lowered(game, name, place, value, broken).errors if broken else found.errors


def _lowered(game: Game, name: str, place: Place, value: Span, broken: frozenset[str]) -> Problems:
    """What is wrong with a value where these names are known to be broken."""
    section, variants, found = str(place.way[0]), game.variants_of(name), Problems()
    with suppress(RecursionError):  # a circle: told where it is checked
        if section in PLAYED and not variants:
            declared = game.declared()
            if declared is not None:
                world = declared.context.world  # of this answer alone
                world.broken = world.spoiled | broken
                with reporting(declared.context, found):
                    lower_part(declared.context, section, str(place.way[1]) if len(place.way) > 1 else "")
            return found
        site = site_at(game, name, place)
        e = parse_span(value, Problems())
        if site is not None and e is not None:
            world = copy(site.scope.world)
            world.problems, world.broken = found, world.spoiled | broken
            lower(replace(site.scope, world=world), e, site.want)
    return found
