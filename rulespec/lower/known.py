"""Remembers the tables that rules make, so that a game that is built for every option makes each of them once.

A table is known by its expression, with names replaced by numbers, and by everything that the expression reads: the
tables, the functions, and how many members there are. Problems are never remembered: they are found again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rulespec.lower.ir import CallIr, CallRow, EffectValue, Ir, Table

if TYPE_CHECKING:
    from rulespec.lower.context import Context

MOST_TABLES = 4_000
MOST_VALUES = 2_000_000
MOST_NODES = 2_000

#: The values, and how many steps finding each of them took.
_Table = tuple[tuple[Any, ...], tuple[int, ...]]

_KNOWN: OrderedDict[tuple[Any, ...], _Table] = OrderedDict()


class Values:
    """The values of an expression for each number below `size`, in order; from memory where that can be.

    The work counts as if they were found anew: what is said of a game hangs on nothing that was made before it.
    """

    def __init__(
        self, cx: Context, ir: Ir, names: tuple[str, ...], size: int, find: Callable[[int], Any], beside: Any = None
    ):
        """`beside` is what else the values depend on, such as what the numbers stand for."""
        self._beside = beside
        self._cx, self._ir, self._names, self._size, self._find = cx, ir, names, size, find
        self._made: list[Any] = []
        self._took: list[int] = []
        self._known: _Table | None = None
        self._key: tuple[Any, ...] | None = None

    def __call__(self, i: int) -> Any:
        evaluator = self._cx.evaluator
        if self._known is not None:
            values, took = self._known
            if i == len(self._made):
                self._made.append(values[i])
                evaluator.steps += took[i]
            return values[i]
        before = evaluator.steps
        value = self._find(i)
        if i != len(self._made) or value is None:
            return value
        self._made.append(value)
        self._took.append(evaluator.steps - before)
        if i == 0:  # what the expression reads is there now
            self._key = _key(self._cx, self._ir, self._names, (self._size, self._beside))
            self._known = None if self._key is None else self._recalled(self._key)
        if self._known is None and self._key is not None and len(self._made) == self._size:
            _keep(self._key, (tuple(self._made), tuple(self._took)))
        return value

    def every(self) -> list[Any] | None:
        """All values; None as soon as one cannot be found, which is reported. From memory they are taken at once."""
        while (at := len(self._made)) < self._size:
            if self._known is not None:
                values, took = self._known
                self._made += values[at:]
                self._cx.evaluator.steps += sum(took[at:])
            elif self(at) is None:
                return None
        return self._made

    def _recalled(self, key: tuple[Any, ...]) -> _Table | None:
        """The values that were found before; None where there are none, or finding them would be too much work."""
        known = _KNOWN.get(key)
        return known if known is not None and self._cx.evaluator.may_spend(sum(known[1])) else None


def _keep(key: tuple[Any, ...], table: _Table) -> None:
    _KNOWN[key] = table
    while len(_KNOWN) > MOST_TABLES or len(table[0]) * len(_KNOWN) > MOST_VALUES:
        _KNOWN.popitem(last=False)


def _key(cx: Context, ir: Ir, names: tuple[str, ...], beside: Any) -> tuple[Any, ...] | None:
    """What the values depend on; None where that is not all there yet, or too much."""
    numbers = {name: i for i, name in enumerate(names)}
    found: list[Any] = [beside]
    left = [MOST_NODES]
    return tuple(found) if _write(cx, ir, numbers, found, left) else None


def _write(cx: Context, node: Any, numbers: dict[str, int], found: list[Any], left: list[int]) -> bool:
    """Writes down an expression and what it reads; whether that could be done."""
    left[0] -= 1
    if left[0] < 0:
        return False
    if not isinstance(node, Ir):
        found.append(node)
        return True
    found.append(type(node))
    if isinstance(node, (Table, EffectValue)):
        values = cx.world.tables.get(node.table)
        if values is None:
            return False
        found.append(values)
    if isinstance(node, (CallIr, CallRow)):
        return _write_call(cx, node, numbers, found, left)
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name == "name" and isinstance(value, str):
            found.append(numbers.setdefault(value, len(numbers)))
        elif isinstance(value, tuple):
            found.append(len(value))
            if not all(_write(cx, part, numbers, found, left) for part in value):
                return False
        elif not _write(cx, value, numbers, found, left):
            return False
    return True


def _write_call(
    cx: Context, node: CallIr | CallRow, numbers: dict[str, int], found: list[Any], left: list[int]
) -> bool:
    """A call: the body of the function, and the arguments."""
    if isinstance(node, CallRow):
        return False
    function = cx.world.functions[node.function]
    if function.body is None:
        return False
    name = function.name
    found += [numbers.setdefault(f"{name}.{param}", len(numbers)) for param, _ in function.params]
    return all(_write(cx, part, numbers, found, left) for part in (function.body, *node.args))
