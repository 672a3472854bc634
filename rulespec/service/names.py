"""The names that an expression can read at a place, and what stands after a dot, with their types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.unfinished import END, HOLE
from rulespec.expr.walk import parts
from rulespec.expr.words import OPERATOR_FORMS, PREFIX_WORDS, VALUE_WORDS
from rulespec.lower.attributes import attribute_names
from rulespec.lower.expressions import lower
from rulespec.lower.ir import Ir
from rulespec.lower.labels import labels_of
from rulespec.lower.names import BUILTINS
from rulespec.lower.scope import WAIVED, Scope, is_declared
from rulespec.model.registry import REGISTRY
from rulespec.model.types import (
    BOOLEAN,
    EFFECT,
    INTEGER,
    PLAYER,
    AnyZone,
    Boolean,
    EffectType,
    Integer,
    ListType,
    Member,
    Piece,
    SetType,
    Type,
    Unknown,
    Zone,
    fits,
    strip,
)
from rulespec.model.world import Procedure, World
from rulespec.service.game import Site
from rulespec.service.items import Item
from rulespec.service.scopes import Seen, hole_in

#: Ranks: what fits; what one that fits may be read from, or may begin with; what is of another type.
FITS, LEADS, OTHER = 0, 2, 6
_NAMED = 4  #: how much further behind all that does not fit stands, where the members of an enum or kind are wanted

_TYPES_OF_WORDS: dict[str, Type] = {
    "count": INTEGER,
    "sum": INTEGER,
    "min": INTEGER,
    "max": INTEGER,
    "any": BOOLEAN,
    "all": BOOLEAN,
    "true": BOOLEAN,
    "false": BOOLEAN,
    "not": BOOLEAN,
    "exists": BOOLEAN,
    "abs": INTEGER,
    "player_count": INTEGER,
    "nothing": EFFECT,
}
_LISTS = frozenset({"list", "set", "most", "least", "sort", "longest", "stretch", "walk", "reach", "take", "clockwise"})
#: What the registry says in words that an expression should be, where the lowering asks for nothing.
EXPECTED: dict[str, Type] = {
    "boolean": BOOLEAN,
    "integer": INTEGER,
    "player": PLAYER,
    "player or chance": PLAYER,
    "effect": EFFECT,
    "zone": AnyZone(),
}

#: The same of what is gone through.
MANY = frozenset({"list, set, zone, kind or enum", "list of player", "piece, list of pieces or zone"})
_MEANINGS = {each.name: each for each in (*REGISTRY.operators, *REGISTRY.builtins, *REGISTRY.members)}


def agrees(t: Type | None, want: Type | None, world: World) -> bool:
    """Whether a value of a type can stand where another is wanted; anything where nothing is known."""
    if want is None or t is None or isinstance(t, Unknown) or isinstance(want, Unknown):
        return True
    found, wanted = strip(t), strip(want)
    if isinstance(found, Zone) and isinstance(wanted, Piece):
        return world.zones[found.key].holds == wanted.kind and world.zones[found.key].shape == "slot"
    if isinstance(wanted, (Zone, AnyZone)):
        return isinstance(found, (Zone, AnyZone))
    if isinstance(wanted, EffectType) and isinstance(found, ListType):
        return isinstance(found.of, EffectType)
    return fits(found, wanted)


# ---- bare names ------------------------------------------------------------------------------------------------------


def names_at(site: Site, seen: Seen | None, *, source: bool = False) -> Iterator[Item]:
    """What can be named at a hole; `source`: what a loop can run over."""
    scope = seen.scope if seen is not None else site.scope
    want = seen.want if seen is not None else site.want
    world = scope.world
    is_named = want is not None and isinstance(strip(want), Member)  # one of a few: those before all else
    for name, t, kind, text in _all(scope):
        rank = _rank(name, t, want, world, kind, source=source)
        yield _item(world, name, t, kind, text, rank + _NAMED if rank and is_named else rank)
    for word in _words(want, source=source):
        yield replace(word, rank=word.rank + _NAMED) if is_named else word


def _rank(name: str, t: Type | None, want: Type | None, world: World, kind: str, *, source: bool) -> int:
    if source:
        is_many = isinstance(strip(t), (ListType, SetType, Zone)) if t is not None else False
        return FITS if is_many or kind in ("kind", "enum") else LEADS if kind == "local" else OTHER
    if want is None:
        return {"local": 0, "value": 2, "function": 2, "zone": 1, "state": 1, "member": 4, "effect": 4}.get(kind, 3)
    if t is not None and agrees(t, want, world):
        return FITS
    if name in world.domains and kind == "kind" and world.domains[name].dims:  # one of it, with brackets behind it
        of = strip(want)
        return FITS if isinstance(of, Member) and of.domain == name else LEADS
    if kind == "local":
        return FITS + 1  # what is wanted is read from it after a dot
    if t is not None and isinstance(strip(t), (Member, Piece)) and kind != "member":
        return LEADS
    if isinstance(strip(want), (Boolean, Integer)) and kind in ("function", "value", "zone", "state"):
        return LEADS + 1  # a comparison, or a count, begins with any value
    return OTHER


def _all(scope: Scope) -> Iterator[tuple[str, Type | None, str, str]]:
    """Every name that can stand alone: its type, what it is, and what it does."""
    w = scope.world
    for name, ir in scope.names.items():
        if not name.startswith(WAIVED):
            yield name, ir.type, "local", ""
    if scope.me is not None:
        yield "me", scope.me.type, "local", "Who decides and gains."
    if scope.active is not None:
        yield "active", scope.active.type, "local", "Whose turn it is."
    yield from ((name, ir.type, "value", "") for name, ir in w.values.items())
    for zone in w.zones.values():
        if zone.domain is None and not zone.key.startswith("box."):
            yield zone.name, Zone(zone.key), "zone", ""
    for state in w.states.values():
        if not state.domain:
            yield state.name, state.type, "state", ""
    yield from ((n, f.returns, "function", _about(f)) for n, f in w.functions.items() if f.section == "functions")
    yield from ((n, EFFECT, "effect", _about(f)) for n, f in w.effects.items())
    for name, homes in w.members.items():
        yield name, Member(homes[0][0]) if len(homes) == 1 else None, "member", ""
    for name, domain in w.domains.items():
        yield name, None, "enum" if domain.form == "enum" else "kind", ""
    yield from ((name, Piece(name), "piece", "") for name in w.pieces)
    yield "option", None, "builtin", ""
    yield "box", None, "builtin", ""
    if w.repetition is not None:
        yield "position", None, "builtin", ""
    yield "player_count", INTEGER, "builtin", ""
    yield "nothing", EFFECT, "builtin", ""
    yield from ((name, _TYPES_OF_WORDS.get(name), "builtin", "") for name in BUILTINS)


def _about(function: Procedure) -> str:
    from rulespec.service.reading import text_under

    return text_under(function.node, "about")


def _item(world: World, name: str, t: Type | None, kind: str, text: str, rank: int) -> Item:
    call = world.functions.get(name) or world.effects.get(name) if kind in ("function", "effect") else None
    detail = str(t) if t is not None and not isinstance(t, Unknown) else ""
    if call is None:
        form = _MEANINGS.get(name) if kind == "builtin" else None
        return Item(name, kind, detail, form.meaning if form is not None else text, rank=rank)
    shown = ", ".join(f"{param}: {of}" for param, of in call.params)
    insert = ", ".join(f"${{{number}:{param}}}" for number, (param, _) in enumerate(call.params, 1))
    return Item(
        name,
        kind,
        f"({shown}) {detail}" if shown else detail,
        text,
        insert=f"{name}({insert})" if insert else name,
        rank=rank,
        is_snippet=bool(insert),
    )


def _words(want: Type | None, *, source: bool) -> Iterator[Item]:
    for word in (*PREFIX_WORDS, *OPERATOR_FORMS, *VALUE_WORDS):
        t = _TYPES_OF_WORDS.get(word)
        is_list = word in _LISTS
        fits_here = (t is not None and (want is None or fits(t, strip(want)))) or (
            is_list and (source or (want is not None and isinstance(strip(want), (ListType, SetType))))
        )
        rank = (LEADS + 1 if source or want is None else FITS + 1) if fits_here else OTHER - 1
        if word in ("none", "if"):
            rank = LEADS + 1 if want is not None else OTHER - 1
        about = _MEANINGS.get(word)
        form = OPERATOR_FORMS.get(word, word)
        yield Item(word, "word", form, about.meaning if about is not None else "", rank=rank)


def words_expected(expects: str, world: World) -> Iterator[Item]:
    """What may be the whole of an expression and is no name of a value."""
    if expects == "player or chance":
        yield Item("chance", "word", "who decides", "Decides evenly at random.")
    elif expects == "event":
        for name, fields in world.events.items():
            shown = ", ".join(f"{field}: {of}" for field, of in fields)
            inner = ", ".join(f"${{{number}:{field}}}" for number, (field, _) in enumerate(fields, 1))
            yield Item(
                name, "event", f"({shown})", insert=f"{name}({inner})" if inner else name, is_snippet=bool(inner)
            )
    elif expects == "zone":
        yield Item("box", "builtin", "zone", "The box of what is moved.", rank=FITS + 1)


# ---- after a dot -----------------------------------------------------------------------------------------------------


def members_at(e: ast.Expr, seen: dict[int, Seen], site: Site) -> Iterator[Item]:
    """What can stand after the dot of a hole."""
    hole = hole_in(e)
    if not isinstance(hole, ast.Get):
        return
    at = seen.get(id(hole))
    scope, want = (at.scope, at.want) if at is not None else (site.scope, site.want)
    special = _special(scope, hole, want)
    if special is not None:
        yield from special
        return
    of = seen.get(id(hole.of))
    if of is None:
        return
    for name in dict.fromkeys(attribute_names(scope.world, strip(of.made.type))):
        t = type_of_member(scope, hole, name)
        yield _member(scope.world, name, t, want)


def _member(world: World, name: str, t: Type | None, want: Type | None) -> Item:
    if want is None or (t is not None and agrees(t, want, world)):
        rank = FITS
    else:
        rank = FITS + 1 if t is not None and isinstance(strip(t), (Member, Piece, Zone, ListType, SetType)) else LEADS
    about = _MEANINGS.get(name)
    return Item(name, "attribute", "" if t is None else str(t), "" if about is None else about.meaning, rank=rank)


def type_of_member(scope: Scope, hole: ast.Get, name: str) -> Type | None:
    """The type of what is read under a name after the same dot; None where it cannot be read there."""
    found = _quiet(scope, replace(hole, name=name))
    return None if found is None or isinstance(found.type, Unknown) else found.type


def _quiet(scope: Scope, e: ast.Expr) -> Ir | None:
    kept, scope.world.problems = scope.world.problems, Problems()
    try:
        return lower(scope, e)
    except RecursionError:  # a circle, or a chain too long: told where it is checked
        return None
    finally:
        scope.world.problems = kept


def _special(scope: Scope, hole: ast.Get, want: Type | None) -> Iterable[Item] | None:
    """After `option.`, `box.` and the name of an enum or kind."""
    if not isinstance(hole.of, ast.Name) or hole.of.name in scope.names:
        return None
    w, name = scope.world, hole.of.name
    if name == "option":
        return [Item(n, "option", str(ir.type)) for n, ir in w.options.items()]
    if name == "position" and w.repetition is not None and not is_declared(w, name):
        return [Item("repeated", "builtin", "integer", _MEANINGS["repeated"].meaning)]
    if name == "box":
        return [Item(n, "piece", "zone") for n in w.pieces]
    if name in w.domains and name not in w.values:
        members = [Item(m, "member", name) for m in w.domains[name].members if m]
        words = ("count", "empty", "first", "last")
        held = dict.fromkeys(
            (*words, *attribute_names(w, Member(name)))
        )  # events and rankings name what each of them has
        return [*members, *(Item(word, "attribute", rank=LEADS) for word in held)]
    return None


# ---- what only some places have -------------------------------------------------------------------------------------


def rows_at(e: ast.Expr, world: World) -> Iterator[Item]:
    """In the description of a piece, `tile(…)`: the names of its rows."""
    for part in parts(e):
        kind = world.pieces.get(part.of.name) if isinstance(part, ast.Call) and isinstance(part.of, ast.Name) else None
        args = part.args if isinstance(part, ast.Call) else ()
        if kind is not None and any(isinstance(each, ast.Name) and each.name == HOLE for each in args):
            yield from (Item(name, "member", kind.name) for name in dict.fromkeys(kind.row_names) if name)


def loops_at(e: ast.Expr, known: Iterable[str]) -> Iterator[Item]:
    """In a value that stands before its `for`: the names that loops have elsewhere in the game."""
    for part in parts(e):
        if (
            isinstance(part, ast.Fold)
            and part.each.name == END
            and any(isinstance(each, ast.Name) and each.name == HOLE for each in parts(part.value))
        ):
            yield from (Item(name, "local", "of the loop that follows") for name in known)


def members_of_loops(e: ast.Expr, world: World, known: Iterable[str]) -> Iterator[Item]:
    """After the dot of a name whose `for` is not there yet: whatever can be read of anything that is declared."""
    hole = hole_in(e)
    if not isinstance(hole, ast.Get) or not isinstance(hole.of, ast.Name) or hole.of.name not in known:
        return
    for part in parts(e):
        if isinstance(part, ast.Fold) and part.each.name == END and any(each is hole for each in parts(part.value)):
            types = [*(Member(name) for name in world.domains), *(Piece(name) for name in world.pieces)]
            names = dict.fromkeys(name for of in types for name in attribute_names(world, of))
            yield from (Item(name, "attribute", "of the loop that follows", rank=LEADS) for name in names)


# ---- labels ----------------------------------------------------------------------------------------------------------


def labels_at(e: ast.Expr, world: World) -> Iterator[Item]:
    """The labels that can follow `without`: those of the effect before it."""
    hole = hole_in(e)
    if not isinstance(hole, ast.Without):
        return
    of = hole.effect.of if isinstance(hole.effect, ast.Call) else hole.effect
    effect = world.effects.get(of.name) if isinstance(of, ast.Name) else None
    found = (
        labels_of(effect.node) if effect is not None else [n for f in world.effects.values() for n in labels_of(f.node)]
    )
    yield from (Item(label, "label", "rule") for label in dict.fromkeys(found))


def is_source(e: ast.Expr) -> bool:
    """Whether the hole is what a closed operator runs over."""
    sources = [each.source for part in parts(e) if isinstance(each := getattr(part, "each", None), ast.Each)]
    return any(isinstance(source, ast.Name) and source.name == HOLE for source in sources)
