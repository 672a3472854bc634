"""Calls of declared functions in expressions: which, and which of them are made in any case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec.lower.ir import (
    Arith,
    CallIr,
    CallRow,
    Compare,
    Const,
    If,
    Ir,
    Let,
    Logic,
    NotIr,
    Table,
    Var,
    walk_ir,
)


def called_by(node: Ir) -> set[str]:
    """The functions that an expression calls itself."""
    found: set[str] = set()
    for n in walk_ir(node):
        if isinstance(n, CallIr):
            found.add(n.function)
        elif isinstance(n, CallRow):
            found.update(n.functions)
    return found


def repeated_calls(body: Ir) -> list[CallIr]:
    """The calls that come more than once in an expression and are made in any case, with nothing but parameters."""
    amounts = Counter(n for n in walk_ir(body) if isinstance(n, CallIr))
    certain = [n for n in _certain(body) if isinstance(n, CallIr) and all(isinstance(a, (Var, Const)) for a in n.args)]
    return [n for n in dict.fromkeys(certain) if amounts[n] > 1]


def _certain(node: Ir) -> Iterator[Ir]:
    """The parts of an expression that are found in any case, the inner ones first."""
    match node:
        case Logic(items=items):
            parts = [items[0]]
        case If(condition=condition):
            parts = [condition]
        case Compare(left=left, right=right) | Arith(left=left, right=right):
            parts = [left, right]
        case NotIr(of=of):
            parts = [of]
        case Let(value=value):
            parts = [value]
        case Table(index=index):
            parts = [index]
        case CallIr(args=args):
            parts = list(args)
        case _:
            parts = []
    for part in parts:
        yield from _certain(part)
    yield node
