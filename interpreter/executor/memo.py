"""Remembers the values of functions that read a single place of a zone: the place's cells are the key.

A look-ahead asks the same question of many states that differ in few places; most answers are known then.
"""

from __future__ import annotations

from struct import Struct

from interpreter.executor.writing import Source, function_name
from interpreter.middle.analysis.memoised import Key, key_in
from rulespec.lower import ir as I  # noqa: N812

MOST_KEPT = 50_000  #: values of one function
MOST_IN_ALL = 400_000  #: values of all functions together
MOST_CELLS = 24


def key_of(s: Source, name: str) -> Key | None:
    """What a function's value depends on, where that is one place; None where remembering is not worth while."""
    key = key_in(s.declared, name)
    return key if key is not None and s.layout.strides[key.zone] <= MOST_CELLS else None


def write(s: Source, function: str, params: list[str], key: Key) -> None:
    """The remembering function around a plain one."""
    base, stride = s.layout.zones[key.zone], s.layout.strides[key.zone]
    known = f"{function}_known"
    s.line(f"{known} = {{}}")
    s.line(f"def {function}({', '.join(['c', *params])}):")
    s.indent = 1
    s.line(f"b = {base} + {s.variable(key.place)} * {stride}")
    others = "".join(f", {s.variable(p)}" for p in key.others)
    cells = _cells(s, "b", stride)
    s.line(f"key = ({cells}{others})" if others else f"key = {cells}")
    s.line(f"x = {known}.get(key)")
    with s.block("if x is None:"):
        with s.block(f"if len({known}) > {min(MOST_KEPT, MOST_IN_ALL // len(s.declared.functions))}:"):
            s.line(f"{known}.clear()")
        s.line(f"x = {known}[key] = {function}_plain({', '.join(['c', *params])})")
    s.line("return x")
    s.indent = 0


def _cells(s: Source, at: str, stride: int) -> str:
    """The cells of a place as something that can be a key."""
    if s.layout.wide:
        return f"tuple({s.pieces}[{at}:{at} + {stride}])"
    return f"{s.constant(Struct(f'{stride}s').unpack_from)}({s.pieces}, {at})"


def call_remembered(s: Source, n: I.CallIr) -> str:
    """A call that first looks at what is remembered."""
    key: Key = s.remembered[n.function]
    params = [f"{n.function}.{p}" for p, _ in s.declared.functions[n.function].params]
    args = [s.atom(a) for a in n.args]
    by_name = dict(zip(params, args, strict=True))
    base, stride = s.layout.zones[key.zone], s.layout.strides[key.zone]
    at, found, known = s.temp("b"), s.temp("x"), f"{function_name(n.function)}_known"
    s.line(f"{at} = {base} + {by_name[key.place]} * {stride}")
    cells = _cells(s, at, stride)
    others = "".join(f", {by_name[p]}" for p in key.others)
    s.line(f"{found} = {known}.get({f'({cells}{others})' if others else cells})")
    with s.block(f"if {found} is None:"):
        s.line(f"{found} = {function_name(n.function)}({', '.join(['c', *args])})")
    return found
