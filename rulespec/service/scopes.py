"""Which names an expression at a place can read, and what is wanted there: asked of the lowering itself.

The value that is being typed is taken out, and a name that nobody declares is put in its place: the hole. The game is
lowered with it, as far as the hole, and what the lowering knows there is the answer. It stays the same for as long as
only that value is typed, so that each further character costs one expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.parse import parse_text
from rulespec.expr.unfinished import END, HOLE, finished
from rulespec.expr.walk import parts
from rulespec.lint.scenarios import position_scope
from rulespec.lower.context import Context, reporting
from rulespec.lower.expressions import look_on, lower
from rulespec.lower.ir import Ir, Var
from rulespec.lower.parts import lower_part
from rulespec.lower.scope import Scope
from rulespec.lower.watch import watching
from rulespec.messages.lowering import text_scope
from rulespec.model.types import BOOLEAN, INTEGER, ListType, Member, Piece, SetType, Type, strip
from rulespec.service.game import Capture, Declared, Game, Site
from rulespec.service.outline import Leaf, Map, Part, outline
from rulespec.service.place import Place

#: Sections that are lowered after all is declared, each declaration by itself.
PLAYED = ("setup", "flow", "end", "actions", "effects", "triggers", "tracks", "ranking", "always", "hints", "zones")

_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the lowering said of one part of an expression."""

    scope: Scope
    want: Type | None
    made: Ir


def text_with_hole(text: str, place: Place, word: str = HOLE) -> str:
    """A file's text with a hole instead of the value at a place, and with its open brackets of flow style closed."""
    holed = text[: place.first] + word + text[max(place.last, place.first) :]
    at = place.first + len(word)
    closers = _open_flows(holed, outline(holed), at) if place.is_flow or place.style != "plain" else ""
    return holed[:at] + closers + holed[at:] if closers else holed


def _open_flows(text: str, part: Part | None, at: int) -> str:
    """What closes the flow collections around an offset that are not closed anywhere."""
    found = ""
    while part is not None and not isinstance(part, Leaf):
        closing = _CLOSING.get(text[part.start]) if part.column < 0 else None  # `[a: 1]` is a map without a brace
        if closing is not None and text[part.end - 1 : part.end] != closing:
            found = closing + found
        inner = (pair.value for pair in part.pairs) if isinstance(part, Map) else iter(part.items)
        part = next((each for each in inner if each is not None and each.start < at <= each.end), None)
    return found


def site_at(game: Game, name: str, place: Place) -> Site | None:
    """The names at a value that is an expression, and what is wanted; None where the lowering does not come there."""
    direct = _position(game, name, place)
    if direct is not None:
        return direct
    if place.way[:1] == ("messages",) and place.way[-1] == "select":
        shown = message_site(game, name, str(place.way[1]))
        return None if shown is None else replace(shown, want=INTEGER)
    word = _event_with_holes(game, name, place) if place.way[-1:] == ("emit",) else HOLE
    hole = name, text_with_hole(game.space.text(name), place, word)
    found = game.site(hole, lambda: _captured(game, hole, place))
    return found if word == HOLE or found is None else replace(found, want=None)


def _event_with_holes(game: Game, name: str, place: Place) -> str:
    """An event is no value: the holes are its fields."""
    frame = game.frame(game.variants_of(name))
    events = frame.context.world.events if frame is not None else {}
    written = game.space.text(name)[place.first : place.last].partition("(")[0].strip("\"' ")
    event = written if events.get(written) else next((each for each, fields in events.items() if fields), "")
    return f"{event}({', '.join([HOLE] * len(events[event]))})" if event else HOLE


def _position(game: Game, name: str, place: Place) -> Site | None:
    """Conditions of scenarios and checks, which are read when all is known."""
    section = place.way[0] if place.way else ""
    if section not in ("scenarios", "checks"):
        return None
    frame = game.frame(game.variants_at((name, text_with_hole(game.space.text(name), place)), place.way))
    if frame is None:
        return None
    with_state = section == "scenarios" and "options" not in place.way
    scope = position_scope(frame.context) if with_state else Scope(frame.context.world, constant=True)
    return Site(scope, BOOLEAN if "then" in place.way or section == "checks" else None)


def _captured(game: Game, hole: tuple[str, str], place: Place) -> Site | None:
    declared = game.declared(game.variants_of(hole[0]), hole)
    if declared is None or declared.site is not None:
        return None if declared is None else declared.site
    seen = Capture()
    with watching(seen):
        for section, entry in _likely(declared, place):
            _lower(declared.context, section, entry)
            if seen.site is not None:
                break
    return seen.site


def _likely(declared: Declared, place: Place) -> Sequence[tuple[str, str]]:
    """The declarations that may hold a place: the one that it stands in, or for a variant's changes all."""
    way = [str(step) for step in place.way]
    if way and way[0] in PLAYED:
        return [(way[0], way[1] if len(way) > 1 else "")]
    if not (way and way[0] == "variant"):
        return []
    found: list[tuple[str, str]] = []
    for section in PLAYED:
        entries = [key.text for key, _ in declared.context.section(section)]
        found += [(section, entry) for entry in entries or ([""] if section in declared.context.tree else [])]
    return found


def _lower(cx: Context, section: str, entry: str) -> None:
    with reporting(cx, Problems()), suppress(RecursionError):  # a circle: told where it is checked
        lower_part(cx, section, entry)


def message_site(game: Game, name: str, key: str, hole: tuple[str, str] | None = None) -> Site | None:
    """What the placeholders of a message see; None where no message of that key is shown."""
    names = game.message_names(game.variants_of(name), hole).get(key)
    frame = game.frame(game.variants_of(name), hole)
    return None if names is None or frame is None else Site(text_scope(frame.context.world, names), None)


# ---- parts of an expression ------------------------------------------------------------------------------------------


def parsed_with_hole(before: str, after: str) -> ast.Expr | None:
    """An expression with a hole between two texts; where what stands behind does not fit, it is left out."""
    rest = after.lstrip(" \t")
    candidates = [] if rest.startswith("(") else [f"{before}{HOLE} {after}"]
    shortest = finished(f"{before}{HOLE}")
    candidates += [] if shortest is None else [shortest]
    for text in candidates:
        found = parse_text(text, Problems())
        if found is not None:
            return found
    return None


def looked_at(site: Site, e: ast.Expr, runs: Counter[tuple[str, str]] | None = None) -> dict[int, Seen]:
    """What the lowering says of the parts of an expression at a site, by their identity.

    `runs` are the loops of the game: a loop of the same name that is still to come may go through the same.
    """
    found: dict[int, Seen] = {}

    def watcher(scope: Scope, part: ast.Expr, want: Type | None, made: Ir) -> None:
        found.setdefault(id(part), Seen(scope, want, made))

    world = copy(site.scope.world)
    world.problems = Problems()
    scope = replace(site.scope, world=world)
    with watching(watcher), suppress(RecursionError):  # a circle: told where it is checked
        if isinstance(e, ast.Call) and isinstance(e.of, ast.Name) and e.of.name in world.events:  # no value
            look_on(scope, e.args, [of for _, of in world.events[e.of.name]])
        else:
            lower(scope, e, site.want)
        for fold in parts(e) if runs else ():
            seen = found.get(id(fold.each.source)) if isinstance(fold, ast.Fold) and fold.each.name == END else None
            if isinstance(fold, ast.Fold) and seen is not None and hole_in(fold.value) is not None:
                inner = seen.scope.with_names(_guessed(seen.scope, fold.value, runs or Counter()))
                lower(inner, fold.value, {"all": BOOLEAN, "sum": INTEGER}.get(fold.op))
    return found


def _guessed(scope: Scope, value: ast.Expr, runs: Counter[tuple[str, str]]) -> dict[str, Ir]:
    """The names in the value of a loop that follows, which nothing knows, as loops of the same names have them."""
    found: dict[str, Ir] = {}
    for part in parts(value):
        name = part.name if isinstance(part, ast.Name) else ""
        if not name or name in (HOLE, END) or scope.is_taken(name) or name in scope.world.members:
            continue
        types: Counter[Type] = Counter()
        for (loop, source), count in runs.items():
            of = _item_of(scope, source) if loop == name else None
            if of is not None:
                types[of] += count
        if types:
            found[name] = Var(type=types.most_common(1)[0][0], name=name)
    return found


def _item_of(scope: Scope, source: str) -> Type | None:
    """What a loop goes through, by its last word: a kind, the pieces of a zone, what a function or attribute has."""
    w = scope.world
    if source in w.domains:
        return Member(source)
    if source in w.pieces:
        return Piece(source)
    zone = next((zone for zone in w.zones.values() if zone.name == source), None)
    if zone is not None:
        return Piece(zone.holds)
    function, value = w.functions.get(source), w.values.get(source)
    of = function.returns if function is not None else value.type if value is not None else None
    attributes = [*(each.attributes for each in w.domains.values()), *(each.attributes for each in w.pieces.values())]
    held = (each[source].type for each in attributes if source in each)
    of = strip(of) if of is not None else next(held, None)
    return of.of if isinstance(of, (ListType, SetType)) else None


def hole_in(e: ast.Expr) -> ast.Expr | None:
    """The part of an expression that has the hole: the name itself, what is read after a dot, or a label."""
    for part in parts(e):
        if isinstance(part, (ast.Name, ast.Get)) and part.name == HOLE:
            return part
        if isinstance(part, ast.Without) and part.label == HOLE:
            return part
    return None
