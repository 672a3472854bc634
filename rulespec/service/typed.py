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
from rulespec.service.scopes import PLAYED, site_at
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
    if e is not None and not found.items:
        _lower(game, name, place, value, found)
    errors = tuple(each for each in found.errors if _is_inside(each, value))
    return Typed(place.first, place.last, errors)


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


def _lower(game: Game, name: str, place: Place, value: Span, found: Problems) -> None:
    section, variants = str(place.way[0]), game.variants_of(name)
    with suppress(RecursionError):  # a circle: told where it is checked
        if section in PLAYED and not variants:
            declared = game.declared()
            if declared is not None:
                with reporting(declared.context, found):
                    lower_part(declared.context, section, str(place.way[1]) if len(place.way) > 1 else "")
            return
        site = site_at(game, name, place)
        e = parse_span(value, Problems())
        if site is not None and e is not None:
            world = copy(site.scope.world)
            world.problems = found
            lower(replace(site.scope, world=world), e, site.want)
