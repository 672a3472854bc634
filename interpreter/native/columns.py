"""Values of an expression for many cases at once: a column for each of its parts, one value for each case.

What a case leaves out (the other branch of a choice, what stands behind a condition that fails) is worked out all the
same and means nothing; so a look into a table at a place that is not there gives none instead of failing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, Final

from interpreter.native.code import none_of
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir
from rulespec.model.types import SetType, Zone, strip
from rulespec.program.meaning import bits

Column = Sequence[Any]
Cases = dict[str, Column]
Body = Callable[[str], tuple[tuple[str, ...], Ir]]

MOST_CELLS: Final = 600_000  #: values of one column


class NoColumn(Exception):
    """There is no such column: the expression reads the state, or has a part that is not written here."""


class Columns:
    """Works out columns. `cells` counts the values that were found."""

    def __init__(self, declared: Declared, body_of: Body):
        self.declared = declared
        self.body_of = body_of
        self.cells = 0

    def of(self, node: Ir, cases: Cases, amount: int) -> Column:
        """The values of an expression in so many cases, in which its variables have the given ones. Raises NoColumn."""
        form = _FORMS.get(type(node))
        if form is None or amount > MOST_CELLS:
            raise NoColumn
        self.cells += amount
        return form(self, node, cases, amount)

    def members(self, source: Ir, cases: Cases, amount: int) -> Sequence[Sequence[int]]:
        """The members of a source in each case."""
        if isinstance(source, I.Whole):
            return [range(source.size)] * amount
        if isinstance(source, I.RangeIr):
            low, high = self.of(source.low, cases, amount), self.of(source.high, cases, amount)
            return [range(a, b + 1) for a, b in zip(low, high, strict=True)]
        t = strip(source.type)
        if isinstance(t, Zone):
            raise NoColumn
        values = self.of(source, cases, amount)
        if isinstance(t, SetType):
            return [bits(value) if value > 0 else () for value in values]
        return [value if isinstance(value, tuple) else () for value in values]


def _const(_: Columns, n: I.Const, cases: Cases, amount: int) -> Column:
    return [n.value] * amount


def _var(_: Columns, n: I.Var, cases: Cases, amount: int) -> Column:
    if n.name not in cases:
        raise NoColumn
    return cases[n.name]


def _table(c: Columns, n: I.Table, cases: Cases, amount: int) -> Column:
    values, none = c.declared.table(n.table), none_of(n.type)
    size = len(values)
    return [values[i] if 0 <= i < size else none for i in c.of(n.index, cases, amount)]


_ARITH: Final = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_COMPARE: Final = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _arith(c: Columns, n: I.Arith, cases: Cases, amount: int) -> Column:
    a, b = c.of(n.left, cases, amount), c.of(n.right, cases, amount)
    if n.op in _ARITH:
        return list(map(_ARITH[n.op], a, b))
    if n.op == "//":
        return [x // y if y else 0 for x, y in zip(a, b, strict=True)]
    return [x % y if y else 0 for x, y in zip(a, b, strict=True)]


def _compare(c: Columns, n: I.Compare, cases: Cases, amount: int) -> Column:
    return list(map(_COMPARE[n.op], c.of(n.left, cases, amount), c.of(n.right, cases, amount)))


def _logic(c: Columns, n: I.Logic, cases: Cases, amount: int) -> Column:
    fold = all if n.op == "and" else any
    return [fold(row) for row in zip(*(c.of(item, cases, amount) for item in n.items), strict=True)]


def _not(c: Columns, n: I.NotIr, cases: Cases, amount: int) -> Column:
    return [not value for value in c.of(n.of, cases, amount)]


def _if(c: Columns, n: I.If, cases: Cases, amount: int) -> Column:
    test = c.of(n.condition, cases, amount)
    then, otherwise = c.of(n.then, cases, amount), c.of(n.otherwise, cases, amount)
    return [a if holds else b for holds, a, b in zip(test, then, otherwise, strict=True)]


def _let(c: Columns, n: I.Let, cases: Cases, amount: int) -> Column:
    return c.of(n.body, {**cases, n.name: c.of(n.value, cases, amount)}, amount)


def _call(c: Columns, n: I.CallIr, cases: Cases, amount: int) -> Column:
    params, body = c.body_of(n.function)
    given = [c.of(arg, cases, amount) for arg in n.args]
    return c.of(body, dict(zip(params, given, strict=True)), amount)


def _contains(c: Columns, n: I.Contains, cases: Cases, amount: int) -> Column:
    wanted, items = c.of(n.item, cases, amount), c.members(n.items, cases, amount)
    return [item in found for item, found in zip(wanted, items, strict=True)]


def _list(c: Columns, n: I.ListIr, cases: Cases, amount: int) -> Column:
    columns = [c.of(item, cases, amount) for item in n.items]
    return list(zip(*columns, strict=True)) if columns else [()] * amount


def _item_at(c: Columns, n: I.ItemAt, cases: Cases, amount: int) -> Column:
    items, none = c.members(n.items, cases, amount), none_of(n.type)
    if n.what == "count":
        return [len(found) for found in items]
    if n.what == "empty":
        return [not found for found in items]
    if n.what in ("first", "last"):
        return [(found[0] if n.what == "first" else found[-1]) if found else none for found in items]
    raise NoColumn


def _comprehend(c: Columns, n: I.Comprehend, cases: Cases, amount: int) -> Column:
    """Every member of every case is a case of its own, and what is found of those of one case is folded."""
    fold = _FOLDS.get(n.op)
    if fold is None or n.around is not None:
        raise NoColumn
    items = c.members(n.source, cases, amount)
    sizes = [len(found) for found in items]
    many = sum(sizes)
    if many > MOST_CELLS:
        raise NoColumn
    inner: Cases = {name: _spread(column, sizes) for name, column in cases.items()}
    inner[n.name] = [item for found in items for item in found]
    kept = [True] * many if n.where is None else c.of(n.where, inner, many)
    values = inner[n.name] if n.value is None else c.of(n.value, inner, many)
    found, at, none = [], 0, none_of(n.type)
    for size in sizes:
        found.append(fold(tuple(compress(values[at : at + size], kept[at : at + size])), none))
        at += size
    return found


def _spread(column: Column, sizes: Sequence[int]) -> Column:
    return [value for value, size in zip(column, sizes, strict=True) for _ in range(size)]


_FOLDS: Final[dict[str, Callable[[tuple[Any, ...], int], Any]]] = {
    "count": lambda values, none: len(values),
    "any": lambda values, none: bool(values),
    "first": lambda values, none: values[0] if values else none,
    "all": lambda values, none: all(values),
    "sum": lambda values, none: sum(values),
    "list": lambda values, none: values,
    "min": lambda values, none: min(values, default=none),
    "max": lambda values, none: max(values, default=none),
}

_FORMS: Final[dict[type[Ir], Callable[[Columns, Any, Cases, int], Column]]] = {
    I.Const: _const,
    I.Var: _var,
    I.Table: _table,
    I.Arith: _arith,
    I.Compare: _compare,
    I.Logic: _logic,
    I.NotIr: _not,
    I.If: _if,
    I.Let: _let,
    I.CallIr: _call,
    I.Contains: _contains,
    I.ListIr: _list,
    I.ItemAt: _item_at,
    I.Comprehend: _comprehend,
}
