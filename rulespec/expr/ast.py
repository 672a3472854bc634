"""The expression tree: frozen nodes, each with the place it was read from.

Equality ignores places, so that two readings of one text are equal: narrowing (`exists x`) and the
printing round trip rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.source.text import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """Any expression. `span` covers exactly its own text in the file."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Expr):
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth(Expr):
    value: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing(Expr):
    """The word `none`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Expr):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Get(Expr):
    """`of.name`; `name_span` is the place of the name after the dot."""

    of: Expr
    name: str
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    """`of(args)`: a function, a formula kept as data, an effect or piece as a value."""

    of: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(Expr):
    """`of[args]`: a member of a map or list, or a site of a kind."""

    of: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Without(Expr):
    """`effect without label`."""

    effect: Expr
    label: str
    label_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists(Expr):
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative(Expr):
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Expr):
    """`op` is one of `+ - * // % .. otherwise == != < <= > >= in not_in`."""

    op: str
    left: Expr
    right: Expr
    op_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Not(Expr):
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Expr):
    """`op` is `and` or `or`; at least two items, left to right, later ones read only when needed."""

    op: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IfElse(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Each:
    """`name in source where condition`: the loop part of every closed operator. Not an expression."""

    name: str
    name_span: Span = field(compare=False)
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Select(Expr):
    """`count any first` ( each )."""

    op: str
    each: Each


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Expr):
    """`sum all list set min max` ( value for each )."""

    op: str
    value: Expr
    each: Each


@dataclass(frozen=True, slots=True, kw_only=True)
class PickOf(Expr):
    """`min(a, b, …)` or `max(a, b, …)`."""

    op: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Best(Expr):
    """`most least sort` ( each by value )."""

    op: str
    each: Each
    by: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Longest(Expr):
    """`longest(each)`: the longest unbroken stretch along an ordered source."""

    each: Each


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch(Expr):
    """`stretch(each around member)`: the unbroken stretch that holds one member."""

    each: Each
    around: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk(Expr):
    """`walk(name from start step next)`."""

    name: str
    name_span: Span = field(compare=False)
    start: Expr
    step: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach(Expr):
    """`reach(name from start via neighbours cost price within budget)`."""

    name: str
    name_span: Span = field(compare=False)
    start: Expr
    via: Expr
    cost: Expr
    within: Expr


# ---- types as written -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeName(Expr):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeRange(Expr):
    """`low..high`; `high` may name a constant value."""

    low: int
    high: int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeOptional(Expr):
    """`T or none`."""

    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeMany(Expr):
    """`list of T` or `set of T`; `op` is `list` or `set`."""

    op: str
    of: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeMap(Expr):
    """`value by key`."""

    value: Expr
    key: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFormula(Expr):
    """`(player) -> integer`."""

    params: tuple[str, ...]
    returns: Expr
