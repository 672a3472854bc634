"""What a bare name means, and calls, indexes and effects as values. Attributes are in `attributes`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

from rulespec.diagnostics.nearest import nearest
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.attributes import MapAt, FormulaRow, get
from rulespec.lower.expressions import BAD, coerce, lower, lower_as
from rulespec.lower.ir import CallIr, CallRow, Clockwise, Const, EffectValue, Ir, Table, TakeIr
from rulespec.lower.operators import whole
from rulespec.lower.scope import Scope
from rulespec.model.types import (
    EFFECT,
    PLAYER,
    UNKNOWN,
    AnyZone,
    Boolean,
    EffectType,
    Formula,
    Integer,
    ListType,
    MapType,
    Member,
    Optional,
    Piece,
    Type,
    Unknown,

    fits,
    may_be_none,
    optional,
    strip,
)
from rulespec.model.world import Callable_, PieceKind
from rulespec.source.text import Span

MOST_COMBINATIONS = 4096
BUILTINS = ("abs", "take", "clockwise")


def _name(scope: Scope, e: ast.Name, want: Type | None) -> Ir:
    found = _lookup(scope, e, want)
    if found is not None:
        return found
    hint = _suggest(scope, e.name, want)
    scope.world.problems.add("RS301", e.span, name=e.name, hint=hint)
    return BAD


def _lookup(scope: Scope, e: ast.Name, want: Type | None) -> Ir | None:
    w = scope.world
    name = e.name
    for step in (_from_scope, _from_values, _from_zones, _from_functions):
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
        return make.integer(w.players)
    if e.name == "nothing":
        return make.const(w.intern("*", ()), EFFECT)
    return w.values.get(e.name)


def _from_zones(scope: Scope, e: ast.Name) -> Ir | None:
    from rulespec.lower.attributes import state_at

    w = scope.world
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


def _bare_member(scope: Scope, e: ast.Name, want: Type | None) -> Ir | None:
    """A member's name: in the type that is expected, else it must be unique."""
    w = scope.world
    homes = w.members.get(e.name, [])
    if not homes:
        return None
    wanted = strip(want) if want is not None else None
    if isinstance(wanted, Member):
        for domain, index in homes:
            if domain == wanted.domain:
                return make.const(index, Member(domain))
    if len(homes) > 1:
        names = sorted(domain for domain, _ in homes)
        hint = "write " + " or ".join(f"`{d}.{e.name}`" for d in names)
        w.problems.add("RS306", e.span, name=e.name, homes=", ".join(names), hint=hint)
        return BAD
    domain, index = homes[0]
    return make.const(index, Member(domain))


def _suggest(scope: Scope, name: str, want: Type | None) -> str | None:
    """The nearest good name, of the right type where the place says which."""
    good = nearest(name, typed_names(scope, want)) or nearest(name, all_names(scope))
    return None if good is None else f"did you mean `{good}`?"


def all_names(scope: Scope) -> list[str]:
    """Every name that can stand alone here."""
    w = scope.world
    common = [z.name for z in w.zones.values() if z.domain is None] + [s.name for s in w.states.values() if not s.domain]
    words = ["me", "active"] if scope.me is not None else []
    return [
        *scope.names, *words, *w.values, *common, *w.functions, *w.effects, *w.members, *w.domains,
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


# ---- calls ------------------------------------------------------------------------------------------


def _call(scope: Scope, e: ast.Call, want: Type | None) -> Ir:
    if isinstance(e.of, ast.Name) and e.of.name not in scope.names:
        named = _call_named(scope, e, e.of.name, want)
        if named is not None:
            return named
    of = lower(scope, e.of)
    if isinstance(of.type, Unknown):
        return BAD
    if isinstance(of, FormulaRow):
        return _call_row(scope, e, of)
    scope.world.problems.add("RS309", e.of.span, text=e.of.span.text, found=str(of.type), what="called")
    return BAD


def _call_named(scope: Scope, e: ast.Call, name: str, want: Type | None) -> Ir | None:
    w = scope.world
    if name in w.functions:
        function = w.functions[name]
        args = _arguments(scope, e, function)
        return BAD if args is None else CallIr(type=function.returns or UNKNOWN, function=name, args=args)
    if name in w.effects:
        return _effect_value(scope, e, w.effects[name])
    if name in w.pieces:
        return _piece_value(scope, e, w.pieces[name])
    if name in BUILTINS:
        return _builtin(scope, e, name)
    if name not in w.values and name not in w.domains:
        good = nearest(name, [*w.functions, *w.effects, *w.pieces, *BUILTINS])
        w.problems.add("RS301", e.of.span, name=name, hint=None if good is None else f"did you mean `{good}`?")
        return BAD
    return None


def _arguments(scope: Scope, e: ast.Call, of: Callable_) -> tuple[Ir, ...] | None:
    if len(e.args) != len(of.params):
        scope.world.problems.add("RS304", e.span, name=of.name, expected=len(of.params), found=len(e.args))
        return None
    args = tuple(lower_as(scope, a, t) for a, (_, t) in zip(e.args, of.params, strict=True))
    return None if any(isinstance(a.type, Unknown) for a in args) else args


def _call_row(scope: Scope, e: ast.Call, of: FormulaRow) -> Ir:
    formula = of.type
    assert isinstance(formula, Formula)
    if len(e.args) != len(formula.params):
        scope.world.problems.add("RS304", e.span, name="formula", expected=len(formula.params), found=len(e.args))
        return BAD
    args = tuple(lower_as(scope, a, t) for a, t in zip(e.args, formula.params, strict=True))

    def call(row: Ir) -> Ir:
        return CallRow(type=formula.returns, functions=of.functions, row=row, args=args)

    return make.guarded(of.row, call)


def _builtin(scope: Scope, e: ast.Call, name: str) -> Ir:
    expected = 2 if name == "take" else 1
    if len(e.args) != expected:
        scope.world.problems.add("RS304", e.span, name=name, expected=expected, found=len(e.args))
        return BAD
    return {"abs": _abs, "take": _take, "clockwise": _clockwise}[name](scope, e)


def _abs(scope: Scope, e: ast.Call) -> Ir:
    value = lower_as(scope, e.args[0], Integer())
    if isinstance(value.type, Unknown):
        return BAD
    low, high = make.bounds(value.type)
    top = None if low is None or high is None else max(abs(low), abs(high))
    zero = make.integer(0)

    def absolute(v: Ir) -> Ir:
        return make.if_else(make.compare("<", v, zero), make.arith("-", zero, v), v, Integer(0, top))

    return make.let_in(value, absolute)


def _take(scope: Scope, e: ast.Call) -> Ir:
    amount, zone = lower_as(scope, e.args[0], Integer()), lower(scope, e.args[1])
    key = make.zone_key(zone)
    if isinstance(amount.type, Unknown) or isinstance(zone.type, Unknown):
        return BAD
    if key is None or may_be_none(zone.type):
        scope.world.problems.add("RS303", e.args[1].span, expected="zone", found=str(zone.type))
        return BAD
    decl = scope.world.zones[key]
    type = ListType(Piece(decl.holds, key), make.most_of(scope.world, zone))
    return TakeIr(type=type, amount=amount, zone=zone)


def _clockwise(scope: Scope, e: ast.Call) -> Ir:
    start = lower_as(scope, e.args[0], PLAYER)
    if isinstance(start.type, Unknown):
        return BAD
    return Clockwise(type=ListType(PLAYER, scope.world.players), start=start, size=scope.world.players)


# ---- effects and pieces as values -------------------------------------------------------------------


def finite_values(scope: Scope, t: Type) -> list[int] | None:
    """All values of a type whose values can be listed, or None."""
    if isinstance(t, Integer) and t.low is not None and t.high is not None:
        return list(range(t.low, t.high + 1))
    if isinstance(t, Boolean):
        return [0, 1]
    if isinstance(t, Member):
        return list(range(scope.world.domains[t.domain].size))
    if isinstance(t, Optional) and isinstance(t.of, Member):
        return [-1, *range(scope.world.domains[t.of.domain].size)]
    return None


def mixed_radix(args: tuple[Ir, ...], ranges: list[list[int]]) -> Ir:
    """The number of one combination of arguments among all combinations."""
    index: Ir = make.integer(0)
    for arg, values in zip(args, ranges, strict=True):
        offset = make.arith("-", make.retype(arg, Integer(values[0], values[-1])), make.integer(values[0]))
        index = make.arith("+", make.arith("*", index, make.integer(len(values))), offset)
    return index


def _effect_value(scope: Scope, e: ast.Call, effect: Callable_) -> Ir:
    args = _arguments(scope, e, effect)
    if args is None:
        return BAD
    if all(isinstance(a, Const) for a in args):
        values = tuple(a.value for a in args if isinstance(a, Const))
        return make.const(scope.world.intern(effect.name, values), EFFECT)  # type: ignore[arg-type]
    return _computed_effect(scope, e.span, effect, args)


def _computed_effect(scope: Scope, span: Span, effect: Callable_, args: tuple[Ir, ...]) -> Ir:
    """An effect whose arguments are computed: all its values are interned, and one is picked by number."""
    w = scope.world
    ranges = [finite_values(scope, t) for _, t in effect.params]
    if scope.constant or any(r is None for r in ranges):
        w.problems.add("RS315", span, what=f"an argument of {effect.name} kept as a value")
        return BAD
    known = [r for r in ranges if r is not None]
    combinations = list(product(*known))
    if len(combinations) > MOST_COMBINATIONS:
        w.problems.add("RS319", span, name=effect.name, count=len(combinations), most=MOST_COMBINATIONS)
        return BAD
    table = f"effects.{effect.name}"
    w.tables[table] = tuple(w.intern(effect.name, c) for c in combinations)
    return EffectValue(type=EFFECT, table=table, index=mixed_radix(args, known))


def _without(scope: Scope, e: ast.Without, want: Type | None) -> Ir:
    w = scope.world
    effect = lower_as(scope, e.effect, EFFECT)
    if isinstance(effect.type, Unknown):
        return BAD
    if isinstance(effect, Const) and isinstance(effect.value, int):
        name, args, lifted = w.interned[effect.value]
        if not _has_label(scope, e, name):
            return BAD
        return make.const(w.intern(name, args, lifted | {e.label}), EFFECT)
    if not isinstance(effect, EffectValue):
        w.problems.add("RS315", e.effect.span, what="the effect before `without`")
        return BAD
    entries = [w.interned[i] for i in w.table(effect.table)]  # type: ignore[index]
    if not _has_label(scope, e, entries[0][0]):
        return BAD
    table = f"{effect.table} without {e.label}"
    w.tables[table] = tuple(w.intern(n, a, lifted | {e.label}) for n, a, lifted in entries)
    return replace(effect, table=table)


def _has_label(scope: Scope, e: ast.Without, name: str) -> bool:
    from rulespec.lower.labels import labels_of

    w = scope.world
    labels = labels_of(w.effects[name].node) if name in w.effects else ()
    if e.label in labels:
        return True
    good = nearest(e.label, labels)
    hint = f"did you mean `{good}`?" if good else f"rules of {name}: {', '.join(labels) or 'none'}"
    w.problems.add("RS313", e.label_span, label=e.label, name=name, hint=hint)
    return False


def _piece_value(scope: Scope, e: ast.Call, kind: PieceKind) -> Ir:
    """A piece described by its attributes: owner first, then attributes in declared order, a face last."""
    w = scope.world
    wanted: list[tuple[str, Type]] = [("owner", PLAYER)] if kind.per_player else []
    wanted += [(a.name, a.type) for a in kind.attributes.values()]
    face = len(kind.faces) > 1 and len(e.args) == len(wanted) + 1
    if len(e.args) != len(wanted) + face:
        w.problems.add("RS304", e.span, name=kind.name, expected=len(wanted), found=len(e.args))
        return BAD
    row_name = _row_by_name(scope, e, kind) if len(wanted) > 0 else None
    if row_name is not None:
        return row_name
    args = [lower_as(scope, a, t) for a, (_, t) in zip(e.args, wanted, strict=False)]
    if any(isinstance(a.type, Unknown) for a in args):
        return BAD
    if face:
        args.append(lower_as(scope, e.args[-1], Member(f"{kind.name}.face")))
    return _piece_by_code(scope, e, kind, args)


def _row_by_name(scope: Scope, e: ast.Call, kind: PieceKind) -> Ir | None:
    """`tile(corner_left)`: rows that have names are described by them."""
    if not any(kind.row_names) or len(e.args) != 1 or not isinstance(e.args[0], ast.Name):
        return None
    if e.args[0].name not in kind.row_names:
        return None
    return make.const(kind.row_names.index(e.args[0].name), Piece(kind.name, "-"))


def _piece_by_code(scope: Scope, e: ast.Call, kind: PieceKind, args: list[Ir]) -> Ir:
    width = len(args)
    if all(isinstance(a, Const) for a in args):
        values = tuple(a.value for a in args if isinstance(a, Const))
        for code, known in enumerate(kind.codes):
            if known[:width] == values:
                return make.const(code, Piece(kind.name, "-"))
        scope.world.problems.add("RS320", e.span, text=e.span.text, kind=kind.name)
        return BAD
    ranges = [finite_values(scope, a.type) or [0] for a in args]
    table = f"piece.{kind.name}.described.{width}"
    if table not in scope.world.tables:
        found = {c[:width]: i for i, c in reversed(list(enumerate(kind.codes)))}
        scope.world.tables[table] = tuple(found.get(c, -1) for c in product(*ranges)) + (-1,)
    return Table(type=Optional(Piece(kind.name, "-")), table=table, index=mixed_radix(tuple(args), ranges))


# ---- indexes ----------------------------------------------------------------------------------------


def _index(scope: Scope, e: ast.Index, want: Type | None) -> Ir:
    w = scope.world
    if isinstance(e.of, ast.Name) and e.of.name in w.domains and e.of.name not in w.values:
        return site_at(scope, e, e.of.name)
    of = lower(scope, e.of)
    if isinstance(of.type, Unknown):
        return BAD
    if len(e.args) != 1:
        w.problems.add("RS304", e.span, name=e.of.span.text, expected=1, found=len(e.args))
        return BAD
    if isinstance(of, MapAt):
        return _map_at(scope, e, of)
    if isinstance(of.type, ListType):
        index = lower_as(scope, e.args[0], Integer())
        return make.item_of("at", of, optional(of.type.of), index=index)
    w.problems.add("RS309", e.of.span, text=e.of.span.text, found=str(of.type), what="indexed")
    return BAD


def _map_at(scope: Scope, e: ast.Index, of: MapAt) -> Ir:
    """A total map's value for a key; a key that may be outside gives none."""
    map_type = strip(of.type)
    assert isinstance(map_type, MapType)
    key = coerce(scope, lower(scope, e.args[0], map_type.key), optional(map_type.key), e.args[0].span)
    if isinstance(key.type, Unknown):
        return BAD

    def pick(row: Ir) -> Ir:
        def with_key(k: Ir) -> Ir:
            offset = make.arith("-", _as_number(scope, k), make.integer(of.low))
            index = make.arith("+", make.arith("*", row, make.integer(of.size)), offset)
            return _inside(scope.world, k, of, index, map_type.value)

        return make.guarded(key, with_key)

    return make.guarded(of.row, pick)


def _as_number(scope: Scope, ir: Ir) -> Ir:
    if isinstance(ir.type, Member):
        return make.retype(ir, Integer(0, scope.world.domains[ir.type.domain].size - 1))
    return make.retype(ir, Integer(0, 1)) if isinstance(ir.type, Boolean) else ir


def _inside(w: object, key: Ir, of: MapAt, index: Ir, value: Type) -> Ir:
    low, high = make.bounds(key.type)
    if not isinstance(key.type, Integer) or (
        low is not None and high is not None and low >= of.low and high < of.low + of.size
    ):
        return make.table_at(w, of.table, index, value)  # type: ignore[arg-type]
    ends = [
        make.compare("<=", make.integer(of.low), key),
        make.compare("<", key, make.integer(of.low + of.size)),
    ]
    result = optional(value)
    there = make.table_at(w, of.table, index, value)  # type: ignore[arg-type]
    return make.if_else(make.logic("and", ends), there, make.const(make.none_value(result), result), result)


def site_at(scope: Scope, e: ast.Index, name: str) -> Ir:
    """`kind[i, j]`: an existing site, or none."""
    w = scope.world
    domain = w.domains[name]
    if not domain.dims:
        return _member_at(scope, e, name)
    if len(e.args) != len(domain.dims):
        w.problems.add("RS304", e.span, name=name, expected=len(domain.dims), found=len(e.args))
        return BAD
    wanted = [Integer() if d.domain is None else Member(d.domain) for d in domain.dims]
    args = [coerce(scope, lower(scope, a, t), optional(t), a.span) for a, t in zip(e.args, wanted, strict=True)]
    if any(isinstance(a.type, Unknown) for a in args):
        return BAD
    return _combine(scope, name, args, [])


def _combine(scope: Scope, name: str, args: list[Ir], done: list[Ir]) -> Ir:
    """The site at coordinates, each guarded against none and against leaving its range."""
    w = scope.world
    domain = w.domains[name]
    if len(done) < len(args):
        return make.guarded(args[len(done)], lambda v: make.let_in(v, lambda u: _combine(scope, name, args, [*done, u])))
    index: Ir = make.integer(0)
    tests: list[Ir] = []
    for dim, value in zip(domain.dims, done, strict=True):
        low, high = make.bounds(value.type)
        if dim.domain is None and (low is None or low < dim.low):
            tests.append(make.compare("<=", make.integer(dim.low), value))
        if dim.domain is None and (high is None or high >= dim.low + dim.size):
            tests.append(make.compare("<", value, make.integer(dim.low + dim.size)))
        offset = make.arith("-", _as_number(scope, value), make.integer(dim.low))
        index = make.arith("+", make.arith("*", index, make.integer(dim.size)), offset)
    total = all(i >= 0 for i in w.tables[f"{name}.lookup"])  # type: ignore[operator]
    site: Type = Member(name)
    found = make.table_at(w, f"{name}.lookup", index, site if total else Optional(site))
    if isinstance(found, Const) and found.value != -1 and not tests:
        return make.const(found.value, site)
    if not tests:
        return found
    return make.if_else(make.logic("and", tests), found, make.const(-1, Optional(site)), Optional(site))


def _member_at(scope: Scope, e: ast.Index, name: str) -> Ir:
    """A member by its number, or a member of the same kind as it is (`street[h2]`)."""
    w = scope.world
    if len(e.args) != 1:
        w.problems.add("RS304", e.span, name=name, expected=1, found=len(e.args))
        return BAD
    value = lower(scope, e.args[0], Member(name))
    if fits(value.type, Optional(Member(name))):
        return value
    value = coerce(scope, value, Integer(), e.args[0].span)
    size = w.domains[name].size
    low, high = make.bounds(value.type)
    if isinstance(value.type, Unknown):
        return BAD
    if isinstance(value, Const) and isinstance(value.value, int):
        return make.const(value.value, Member(name)) if 0 <= value.value < size else make.NOTHING
    if low is not None and high is not None and low >= 0 and high < size:
        return make.retype(value, Member(name))

    def check(v: Ir) -> Ir:
        tests = [make.compare("<=", make.integer(0), v), make.compare("<", v, make.integer(size))]
        member = Optional(Member(name))
        return make.if_else(make.logic("and", tests), make.retype(v, member), make.const(-1, member), member)

    return make.let_in(value, check)


def _get(scope: Scope, e: ast.Get, want: Type | None) -> Ir:
    return get(scope, e)


HANDLERS: dict[type, Callable[..., Ir]] = {
    ast.Name: _name,
    ast.Call: _call,
    ast.Without: _without,
    ast.Index: _index,
    ast.Get: _get,
}


