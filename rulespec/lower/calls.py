"""Calls: functions, formulas, the built-in functions, and effects and pieces as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from rulespec.diagnostics.nearest import near_to
from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.attributes import FormulaRow, face_number
from rulespec.lower.expressions import coerce, look_on, lower, lower_as, lower_known
from rulespec.lower.guesses import form_of
from rulespec.lower.ir import CallIr, CallRow, Clockwise, Const, EffectValue, Ir, Table
from rulespec.lower.labels import labels_of
from rulespec.lower.make import BAD
from rulespec.lower.names import BUILTINS, later_hint
from rulespec.lower.scope import WAIVED, Scope
from rulespec.lower.taking import lower_take
from rulespec.model.types import (
    EFFECT,
    PLAYER,
    UNKNOWN,
    Boolean,
    Formula,
    Integer,
    ListType,
    Member,
    Optional,
    Piece,
    Type,
    Unknown,
    may_be_none,
    optional,
)
from rulespec.model.world import PieceKind, Procedure
from rulespec.source.text import Span

MOST_COMBINATIONS = 4096
MOST_DESCRIBED = 100_000


def _call(scope: Scope, e: ast.Call, want: Type | None) -> Ir:
    if isinstance(e.of, ast.Name) and (e.of.name not in scope.names or _describes(scope, e.of.name)):
        named = _call_named(scope, e, e.of.name, want)
        if named is not None:
            return named
    of = lower(scope, e.of)
    if isinstance(of.type, Unknown):
        return BAD
    if isinstance(of, FormulaRow):
        return _call_row(scope, e, of)
    meant = form_of(_SINGLE.get(e.of.name, ""), e.args, e.of.of) if isinstance(e.of, ast.Get) else None
    scope.world.problems.add("RS309", e.of.span, text=e.of.span.text, found=str(of.type), what="called", hint=meant)
    return BAD


#: What lists and zones have after a dot, and is called as if it took a number.
_SINGLE = {"first": "head", "top": "head", "any": "head", "last": "last", "bottom": "last", "count": "len"}


def _describes(scope: Scope, name: str) -> bool:
    """Whether a local has the name of its kind of pieces: called, that name still describes a piece."""
    return name in scope.world.pieces and not isinstance(scope.names[name], FormulaRow)


def _call_named(scope: Scope, e: ast.Call, name: str, want: Type | None) -> Ir | None:
    w = scope.world
    if name in w.doubled:
        return BAD
    if name in w.functions:
        return _call_function(scope, e, w.functions[name])
    if name in w.effects:
        return _effect_value(scope, e, w.effects[name])
    if name in w.pieces:
        return _piece_value(scope, e, w.pieces[name])
    if name in BUILTINS:
        return _builtin(scope, e, name)
    if name not in w.values and name not in w.domains:
        if scope.constant and name in w.later:
            w.problems.add("RS315", e.of.span, what=f"'{name}'", hint=later_hint(w, name))
            return BAD
        meant = form_of(name, e.args)
        known = [*w.functions, *w.effects, *w.pieces, *BUILTINS] if meant is None else []
        w.unknown("RS301", e.of.span, name, known, meant)
        return BAD
    return None


def _arguments(
    scope: Scope, e: ast.Call, name: str, params: Sequence[Type], *, through: bool = False
) -> tuple[Ir, ...] | None:
    """The arguments of a call; with `through`, one that may be none is let pass (the whole call is none then)."""
    if len(e.args) != len(params):
        scope.world.problems.add("RS304", e.span, name=name, expected=len(params), found=len(e.args))
        look_on(scope, e.args, params)
        return None
    args = []
    for a, t in zip(e.args, params, strict=True):
        args.append(coerce(scope, lower_known(scope, a, t), optional(t), a.span) if through else lower_as(scope, a, t))
    return None if any(isinstance(a.type, Unknown) for a in args) else tuple(args)


def _flowing(e: ast.Call, args: tuple[Ir, ...], params: Sequence[Type], call: Callable[[tuple[Ir, ...]], Ir]) -> Ir:
    """A call in which none flows through: an argument that is none where a value is asked for makes it none."""
    return _settled(e, args, params, call, ())


def _settled(
    e: ast.Call,
    args: tuple[Ir, ...],
    params: Sequence[Type],
    call: Callable[[tuple[Ir, ...]], Ir],
    done: tuple[Ir, ...],
) -> Ir:
    """The call, once these of its arguments are `done`; no function of its own, which would be a circle in memory."""
    at = len(done)
    if at == len(args):
        each = zip(done, params, e.args, strict=True)
        return call(tuple(make.within(arg, t, written.span) for arg, t, written in each))
    if may_be_none(params[at]) or not may_be_none(args[at].type):
        return _settled(e, args, params, call, (*done, args[at]))
    return make.guarded(args[at], lambda v: _settled(e, args, params, call, (*done, v)))


def _call_function(scope: Scope, e: ast.Call, function: Procedure) -> Ir:
    params = [t for _, t in function.params]
    args = _arguments(scope, e, function.name, params, through=True)
    if args is None:
        return BAD
    returns = function.returns or UNKNOWN
    return _flowing(e, args, params, lambda a: CallIr(type=returns, function=function.name, args=a))


def _call_row(scope: Scope, e: ast.Call, of: FormulaRow) -> Ir:
    formula = of.type
    assert isinstance(formula, Formula)
    args = _arguments(scope, e, "formula", formula.params, through=True)
    if args is None:
        return BAD

    def call(row: Ir) -> Ir:
        made = lambda a: CallRow(type=formula.returns, functions=of.functions, row=row, args=a)  # noqa: E731
        return _flowing(e, args, formula.params, made)

    return make.guarded(of.row, call)


def _builtin(scope: Scope, e: ast.Call, name: str) -> Ir:
    expected = 2 if name == "take" else 1
    if len(e.args) != expected:
        scope.world.problems.add("RS304", e.span, name=name, expected=expected, found=len(e.args))
        return BAD
    return {"abs": _abs, "take": lower_take, "clockwise": _clockwise, "waived": _waived}[name](scope, e)


def _waived(scope: Scope, e: ast.Call) -> Ir:
    """Whether a label is lifted where a decision is asked: known in the texts of that decision alone."""
    label, known = e.args[0], [name[len(WAIVED) :] for name in scope.names if name.startswith(WAIVED)]
    if isinstance(label, ast.Name) and label.name in known:
        return scope.names[WAIVED + label.name]
    listed = (
        f"The labels here are {', '.join(known)}." if known else "Texts of decisions know the labels of their steps."
    )
    scope.world.unknown("RS301", e.args[0].span, e.args[0].span.text, known, listed)
    return BAD


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


def _clockwise(scope: Scope, e: ast.Call) -> Ir:
    start = lower_as(scope, e.args[0], PLAYER)
    if isinstance(start.type, Unknown):
        return BAD
    players = scope.world.noted("players")
    return Clockwise(type=ListType(PLAYER, players), start=start, size=players)


# ---- effects and pieces as values -------------------------------------------------------------------


def finite_values(scope: Scope, t: Type) -> list[int] | None:
    """All values of a type whose values can be listed, or None."""
    if isinstance(t, Integer) and t.low is not None and t.high is not None:
        return list(range(t.low, t.high + 1)) if t.high - t.low < MOST_COMBINATIONS else None
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


def _effect_value(scope: Scope, e: ast.Call, effect: Procedure) -> Ir:
    args = _arguments(scope, e, effect.name, [t for _, t in effect.params])
    if args is None:
        return BAD
    if all(isinstance(a, Const) for a in args):
        values = tuple(a.value for a in args if isinstance(a, Const))
        return make.const(scope.world.intern(effect.name, values), EFFECT)  # type: ignore[arg-type]
    return _computed_effect(scope, e.span, effect, args)


def _computed_effect(scope: Scope, span: Span, effect: Procedure, args: tuple[Ir, ...]) -> Ir:
    """An effect whose arguments are computed: all its values are interned, and one is picked by number."""
    w = scope.world
    ranges = [finite_values(scope, t) for _, t in effect.params]
    if scope.constant or any(r is None for r in ranges):
        w.problems.add("RS315", span, what=f"an argument of {effect.name} kept as a value")
        return BAD
    known = [r for r in ranges if r is not None]
    count = prod(map(len, known))
    if count > MOST_COMBINATIONS:
        w.problems.add("RS319", span, name=effect.name, count=count, most=MOST_COMBINATIONS)
        return BAD
    table = f"effects.{effect.name}"
    w.tables[table] = tuple(w.intern(effect.name, c) for c in product(*known))
    return EffectValue(type=EFFECT, table=table, index=mixed_radix(args, known))


def _without(scope: Scope, e: ast.Without, want: Type | None) -> Ir:
    w = scope.world
    effect = lower_as(scope, e.effect, EFFECT)
    if isinstance(effect.type, Unknown):
        return BAD
    if isinstance(effect, Const) and isinstance(effect.value, int):
        kept = w.effect_at(effect.value)
        assert kept is not None
        name, args, lifted = kept
        if not _has_label(scope, e, name):
            return BAD
        return make.const(w.intern(name, args, lifted | {e.label}), EFFECT)
    if not isinstance(effect, EffectValue):
        w.problems.add("RS315", e.effect.span, what="the effect before `without`")
        return BAD
    entries = [kept for i in w.table(effect.table) if isinstance(i, int) and (kept := w.effect_at(i)) is not None]
    if not _has_label(scope, e, entries[0][0]):
        return BAD
    table = f"{effect.table} without {e.label}"
    w.tables[table] = tuple(w.intern(n, a, lifted | {e.label}) for n, a, lifted in entries)
    return replace(effect, table=table)


def _has_label(scope: Scope, e: ast.Without, name: str) -> bool:
    w = scope.world
    labels = labels_of(w.effects[name].node) if name in w.effects else ()
    if e.label in labels:
        return True
    listed = f"The labels in it are {', '.join(labels)}." if labels else "Nothing in it has a label."
    near = near_to(e.label, labels)
    w.problems.add("RS313", e.label_span, label=e.label, name=name, hint=listed, near=near)
    return False


def _piece_value(scope: Scope, e: ast.Call, kind: PieceKind) -> Ir:
    """A piece described by its attributes: owner first, then attributes in declared order, a face last."""
    w = scope.world
    wanted: list[tuple[str, Type]] = [("owner", PLAYER)] if kind.per_player else []
    wanted += [(a.name, a.type) for a in kind.attributes.values()]
    row_name = _row_by_name(scope, e, kind) if len(wanted) > 0 else None
    if row_name is not None:
        return row_name
    face = len(kind.faces) > 1 and len(e.args) == len(wanted) + 1
    if len(e.args) != len(wanted) + face:
        w.problems.add("RS304", e.span, name=kind.name, expected=len(wanted), found=len(e.args))
        look_on(scope, e.args, [t for _, t in wanted])
        return BAD
    args = [_described_by(scope, a, t) for a, (_, t) in zip(e.args, wanted, strict=False)]
    if face:
        args.append(face_number(kind, _described_by(scope, e.args[-1], kind.face_type)))
    if any(isinstance(a.type, Unknown) for a in args):
        return BAD
    return _piece_by_code(scope, e, kind, args)


def _described_by(scope: Scope, e: ast.Expr, t: Type) -> Ir:
    """One value of a description. No piece has a value outside of the range, of those that can be listed."""
    value = lower_as(scope, e, t)
    return value if finite_values(scope, value.type) else make.within(value, t, e.span)


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
    if (count := prod(map(len, ranges))) > MOST_DESCRIBED:
        scope.world.problems.add("RS319", e.span, name=kind.name, count=count, most=MOST_DESCRIBED)
        return BAD
    bounds = "".join(f".{values[0]}..{values[-1]}" for values in ranges)
    table = f"piece.{kind.name}.described{bounds}"
    if table not in scope.world.tables:
        found = {c[:width]: i for i, c in reversed(list(enumerate(kind.codes)))}
        scope.world.tables[table] = (*(found.get(c, -1) for c in product(*ranges)), -1)
    return Table(type=Optional(Piece(kind.name, "-")), table=table, index=mixed_radix(tuple(args), ranges))


HANDLERS: dict[type, Callable[..., Ir]] = {ast.Call: _call, ast.Without: _without}
