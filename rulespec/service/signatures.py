"""What may be written in the brackets around a position, or in the map of a step: the form, and the part that is next.

found = signature(space, "islands/game.yaml", offset)
found.label, found.parts[found.active]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulespec.expr.scan import Piece, pieces_of
from rulespec.expr.words import JOINING_WORDS, OPERATOR_FORMS
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Data, Expression, Field, Text, Use
from rulespec.model.world import World
from rulespec.service.place import Place, place_at
from rulespec.service.reading import text_under
from rulespec.service.shape_at import Held, fields_of, held_at
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span

_ABOUT = {each.name: each for each in (*REGISTRY.operators, *REGISTRY.builtins)}
_JOINING = re.compile(r"\b(for|where|by|around|from|step|via|cost|within)\b")


@dataclass(frozen=True, slots=True)
class Argument:
    """One part of a form: where it stands in the form's label, and what it means."""

    start: int
    end: int
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A form, such as `may_settle(cell: cell, p: player): boolean`; `active` is the number of the part that is next."""

    label: str
    meaning: str
    parts: tuple[Argument, ...]
    active: int


def signature(space: Workspace, name: str, offset: int) -> Signature | None:
    """The form that a position lies in: of the innermost brackets in an expression, else of the map around it."""
    text = space.text(name)
    place = place_at(text, offset)
    if place.role == "none":
        return None
    held = held_at(place.way, place.around)
    game = space.game_of(name)
    frame = None if game is None else game.frame(game.variants_of(name))
    if place.role in ("value", "item") and frame is not None:
        start = _start_of_expression(text, place, held)
        pieces = pieces_of(Span(SourceFile.of(name, text), start, place.offset)) if start is not None else []
        opened = _opened(pieces)
        if opened is not None:
            return _of_brackets(frame.context.world, pieces, opened)
    return _of_map(text, place)


def _start_of_expression(text: str, place: Place, held: Held) -> int | None:
    """Where the expression begins in which a place lies; None where it lies in none."""
    if any(isinstance(shape, (Expression, Data)) for shape in held.shapes):
        return place.first + (place.style in ("single", "double"))
    if any(isinstance(shape, Text) for shape in held.shapes):
        start = text.rfind("{", place.first, place.offset)
        if start >= 0 and "}" not in text[start : place.offset]:
            return start + 1
        is_move = held.record is not None and held.record.name == "move"
        return place.first if is_move else None
    return None


# ---- brackets --------------------------------------------------------------------------------------------------------


def _opened(pieces: Sequence[Piece]) -> int | None:
    """The number of the innermost bracket that is open at the end and stands behind a name."""
    waiting: list[int] = []
    for number, piece in enumerate(pieces):
        if piece.text in ("(", "["):
            waiting.append(number)
        elif piece.text in (")", "]") and waiting:
            waiting.pop()
    named = [number for number in waiting if number > 0 and pieces[number - 1].kind in ("word", "member")]
    return named[-1] if named else None


def _of_brackets(world: World, pieces: Sequence[Piece], opened: int) -> Signature | None:
    name, inside = pieces[opened - 1].text, _outermost(pieces[opened + 1 :])
    if pieces[opened - 1].kind == "member":
        return None
    if pieces[opened].text == "[":
        domain = world.domains.get(name)
        if domain is None or not domain.dims:
            return None
        parts = [(each.name, each.domain or f"{each.low}..{each.low + each.size - 1}") for each in domain.dims]
        return _listed(name, "[]", parts, f"One {name}, by its position.", inside)
    call = world.functions.get(name) or world.effects.get(name)
    if call is not None:
        returns = f": {call.returns}" if call.returns is not None else ""
        about = text_under(call.node, "about")
        return _listed(name, "()", [(n, str(t)) for n, t in call.params], about, inside, returns)
    if name in world.events:
        fields = [(n, str(t)) for n, t in world.events[name]]
        return _listed(name, "()", fields, "", inside)
    return _of_word(name, inside)


def _outermost(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces that stand in no further brackets."""
    found: list[Piece] = []
    depth = 0
    for piece in pieces:
        depth += (piece.text in ("(", "[")) - (piece.text in (")", "]"))
        if depth == 0:
            found.append(piece)
    return found


def _listed(
    name: str,
    brackets: str,
    parts: Sequence[tuple[str, str]],
    meaning: str,
    inside: Sequence[Piece],
    returns: str = "",
) -> Signature | None:
    if not parts:
        return None
    label, arguments = name + brackets[0], []
    for number, (each, of) in enumerate(parts):
        label += ", " if number else ""
        arguments.append(Argument(len(label), len(label) + len(f"{each}: {of}")))
        label += f"{each}: {of}"
    commas = sum(piece.text == "," for piece in inside)
    return Signature(label + brackets[1] + returns, meaning, tuple(arguments), min(commas, len(parts) - 1))


def _of_word(name: str, inside: Sequence[Piece]) -> Signature | None:
    """A closed operator, or a function of the language."""
    form = OPERATOR_FORMS.get(name) or (_ABOUT[name].form if name in _ABOUT else "")
    commas = sum(piece.text == "," for piece in inside)
    if " or " in form:  # `min(E for x in S where P) or min(a, b)`
        form = form.split(" or ")[1 if commas else 0]
    if "(" not in form:
        return None
    start, end = form.index("(") + 1, form.rindex(")")
    cuts = [start, *(found.start() for found in _JOINING.finditer(form, start, end)), end]
    if len(cuts) == 2:
        cuts = [start, *(start + at + 1 for at, sign in enumerate(form[start:end]) if sign == ","), end]
    parts = [_trimmed(form, first, last) for first, last in pairwise(cuts)]
    about = _ABOUT.get(name)
    meaning = f"{about.gives}\n\n{about.meaning}" if about is not None else ""
    return Signature(form, meaning, tuple(parts), _active(form, parts, inside, commas))


def _trimmed(form: str, start: int, end: int) -> Argument:
    inner = form[start:end]
    first = start + len(inner) - len(inner.lstrip(" ,"))
    return Argument(first, max(first, start + len(inner.rstrip(" ,"))))


def _active(form: str, parts: Sequence[Argument], inside: Sequence[Piece], commas: int) -> int:
    words = [piece.text for piece in inside if piece.kind == "word" and piece.text in JOINING_WORDS]
    if not words:
        return min(commas, len(parts) - 1)
    for number in range(len(parts) - 1, -1, -1):
        if form[parts[number].start : parts[number].end].split(" ", 1)[0] in words:
            return number
    return 0


# ---- maps ------------------------------------------------------------------------------------------------------------


def _of_map(text: str, place: Place) -> Signature | None:
    """The fields of the nearest map around a place that has such: what a verb takes, what is said of a zone."""
    first = len(place.way) - (place.role == "value")
    for length in range(first, 0, -1):
        keys = place.around[length] if len(place.around) > length else ()
        for shape in held_at(place.way[:length], place.around[:length]).shapes:
            if isinstance(shape, Use) and keys:
                record = REGISTRY.record(shape.record)
                at = str(place.way[length]) if len(place.way) > length else text[place.first : place.last]
                return _of_fields(record.what, fields_of(record, keys), at)
    return None


def _of_fields(what: str, fields: Sequence[Field], at: str) -> Signature | None:
    label, parts, active = f"{what}: ", [], 0
    for number, field in enumerate(fields):
        label += ", " if number else ""
        word = field.name if field.required or not number else f"{field.name}?"
        parts.append(Argument(len(label), len(label) + len(word), field.meaning))
        label += word
        active = number if field.name == at else active
    return Signature(label, "", tuple(parts), active) if parts else None
