"""What a bare name means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rulespec.diagnostics.fixes import either, replaced
from rulespec.diagnostics.nearest import near_to
from rulespec.expr import ast
from rulespec.expr.words import hint_of_word
from rulespec.lower import make
from rulespec.lower.attributes import attribute_names, state_at
from rulespec.lower.ir import CallIr, Const, Ir
from rulespec.lower.make import BAD
from rulespec.lower.operators import whole
from rulespec.lower.scope import Scope
from rulespec.model.mends import WORDS_OF_TRUTH
from rulespec.model.types import EFFECT, UNKNOWN, AnyZone, EffectType, Member, Piece, Type, fits, strip
from rulespec.model.world import World

#: The functions that the language has.
BUILTINS = ("abs", "take", "clockwise", "waived")


def _name(scope: Scope, e: ast.Name, want: Type | None) -> Ir:
    found = _lookup(scope, e, want)
    if found is not None:
        return found
    if scope.constant and e.name in scope.world.in_play | scope.world.later:
        scope.world.problems.add("RS315", e.span, what=f"'{e.name}'", hint=later_hint(scope.world, e.name))
    elif e.name not in scope.world.broken:
        _report_unknown(scope, e, want)
    return BAD


def later_hint(world: World, name: str) -> str | None:
    """The way out where a function is called too early."""
    if name not in world.later:
        return None
    return (
        "Functions are made after values and kinds. Write here what it says, or make it an attribute that "
        "no `where` of a kind reads."
    )


def _lookup(scope: Scope, e: ast.Name, want: Type | None) -> Ir | None:
    w = scope.world
    name = e.name
    if name in w.doubled and name not in scope.names:
        return BAD
    found = _from_scope(scope, e)
    if found is None:
        found = _expected_member(scope, e, want)
    if found is not None:
        return found
    for step in (_from_values, _from_zones, _from_functions):
        found = step(scope, e)
        if found is not None:
            return found
    member = _bare_member(scope, e, want)
    if member is not None:
        return member
    if name in w.domains:
        return whole(scope, name)
    if name == "box":
        return Const(type=AnyZone(), value=0)
    kind = w.pieces.get(name)
    if kind is not None and not kind.per_player and not kind.attributes:
        return make.const(0, Piece(name, "-"))  # all pieces of the kind are alike
    return None


def _from_scope(scope: Scope, e: ast.Name) -> Ir | None:
    if e.name in scope.names:
        return scope.names[e.name]
    if e.name == "me":
        return scope.me
    if e.name == "active":
        return scope.active
    return None


def _from_values(scope: Scope, e: ast.Name) -> Ir | None:
    w = scope.world
    if e.name == "player_count":
        return make.integer(w.noted("players"))
    if e.name == "nothing":
        return make.const(w.intern("*", ()), EFFECT)
    return w.values.get(e.name)


def _from_zones(scope: Scope, e: ast.Name) -> Ir | None:
    w = scope.world
    if scope.constant and e.name in w.in_play:
        return None
    decl = w.zones.get(e.name)
    if decl is not None and decl.domain is None:
        return make.zone_at(w, e.name, make.integer(0))
    var = w.states.get(e.name)
    if var is not None and var.domain is None:
        return state_at(var, make.integer(0))
    return None


def _from_functions(scope: Scope, e: ast.Name) -> Ir | None:
    """A function or effect without parameters is read by its bare name."""
    w = scope.world
    function = w.functions.get(e.name)
    if function is not None:
        if function.params:
            w.problems.add("RS304", e.span, name=e.name, expected=len(function.params), found=0)
            return BAD
        return CallIr(type=function.returns or UNKNOWN, function=e.name, args=())
    effect = w.effects.get(e.name)
    if effect is None:
        return None
    if effect.params:
        w.problems.add("RS304", e.span, name=e.name, expected=len(effect.params), found=0)
        return BAD
    return make.const(w.intern(e.name, ()), EFFECT)


def _expected_member(scope: Scope, e: ast.Name, want: Type | None) -> Ir | None:
    """A member's name in the type that is expected: there it means nothing else, whatever else is called so."""
    wanted = strip(want) if want is not None else None
    if isinstance(wanted, Member):
        for domain, index in scope.world.members.get(e.name, ()):
            if domain == wanted.domain:
                return make.const(index, Member(domain))
    return None


def _bare_member(scope: Scope, e: ast.Name, want: Type | None) -> Ir | None:
    """A member's name where no type is expected, or another one: it must be unique."""
    w = scope.world
    homes = w.members.get(e.name, [])
    if not homes:
        return None
    if scope.seats_first:
        homes = [home for home in homes if home[0] == "player"] or homes
    if len(homes) > 1:
        names = sorted(domain for domain, _ in homes)
        hint = "Write " + " or ".join(f"`{d}.{e.name}`" for d in names)
        mends = either(e.span, (f"{domain}.{e.name}" for domain in names))
        w.problems.add("RS306", e.span, name=e.name, homes=", ".join(names), hint=hint, fixes=mends)
        return BAD
    domain, index = homes[0]
    return make.const(index, Member(domain))


def _report_unknown(scope: Scope, e: ast.Name, want: Type | None) -> None:
    """Reports a name that nothing has, with the nearest good one, of the right type where the place says which."""
    problems, name = scope.world.problems, e.name
    owners = [] if problems.is_crowded else _owners(scope, name)
    if owners:
        hint = f"Did you mean {' or '.join(f'`{owner}.{name}`' for owner in owners)}?"
        problems.add("RS301", e.span, name=name, hint=hint, fixes=either(e.span, (f"{o}.{name}" for o in owners)))
        return
    if (truth := WORDS_OF_TRUTH.get(name)) is not None:
        problems.add("RS301", e.span, name=name, hint=f"Write `{truth}`.", fixes=(replaced(e.span, truth),))
        return
    near = None
    if not problems.is_crowded:
        near, other = near_to(name, typed_names(scope, want)), near_to(name, all_names(scope))
        if near is not None and near != other:  # a name of another type is as near
            near = replace(near, is_certain=False)
        near = near or other
    problems.add("RS301", e.span, name=name, near=near, hint=None if near is not None else hint_of_word(name))


def _owners(scope: Scope, name: str) -> list[str]:
    """The names after which `name` is read here: what is declared of `me` or of a thing that is known by name."""
    known = {**scope.names, **({"me": scope.me} if scope.me is not None else {})}
    return [owner for owner, ir in known.items() if name in attribute_names(scope.world, strip(ir.type))]


def all_names(scope: Scope) -> list[str]:
    """Every name that can stand alone here."""
    w = scope.world
    common = [z.name for z in w.zones.values() if z.domain is None] + [
        s.name for s in w.states.values() if not s.domain
    ]
    words = ["me", "active"] if scope.me is not None else []
    return [
        *scope.names, *words, *w.values, *common, *w.functions, *w.effects, *w.members, *w.domains,
        *(p for p, kind in w.pieces.items() if not kind.per_player and not kind.attributes),
        "player_count", "nothing", "option", *BUILTINS,
    ]  # fmt: skip


def typed_names(scope: Scope, want: Type | None) -> Iterable[str]:
    """The names whose type is the one that is wanted."""
    if want is None:
        return []
    w, t = scope.world, strip(want)
    found = [n for n, ir in scope.names.items() if fits(ir.type, want)]
    found += [n for n, ir in w.values.items() if fits(ir.type, want)]
    found += [n for n, f in w.functions.items() if f.returns is not None and fits(f.returns, want)]
    if isinstance(t, Member):
        found += [n for n, homes in w.members.items() if any(d == t.domain for d, _ in homes)]
    if isinstance(t, EffectType):
        found += list(w.effects)
    return found


HANDLERS: dict[type, Callable[..., Ir]] = {ast.Name: _name}
