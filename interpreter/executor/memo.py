"""Remembers the values of functions that read a single place of a zone: the place's cells are the key.

A look-ahead asks the same question of many states that differ in few places; most answers are known then.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct

from interpreter.executor.writing import Source, function_name
from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, children, walk_ir
from rulespec.lower.substitute import substitute

MOST_KEPT = 50_000  #: values of one function
MOST_IN_ALL = 400_000  #: values of all functions together
MOST_READ = 5_000  #: nodes of a function and of those that it calls
MOST_CELLS = 24


@dataclass(frozen=True, slots=True)
class Key:
    """The one zone that a function reads, at the place that a parameter names; `others` are what else it depends on."""

    zone: str
    place: str
    others: tuple[str, ...]


def key_of(s: Source, name: str) -> Key | None:
    """What a function's value depends on, where that is one place; None where remembering is not worth while."""
    key = key_in(s.declared, name)
    return key if key is not None and s.layout.strides[key.zone] <= MOST_CELLS else None


def key_in(declared: Declared, name: str) -> Key | None:
    """As `key_of`, however many cells a place has."""
    function = declared.functions[name]
    if function.body is None or not function.params:
        return None
    body = _inlined(declared, function.body, 0, [MOST_READ])
    if body is None or not any(isinstance(n, I.Comprehend) and n.op != "count" for n in walk_ir(body)):
        return None
    if any(isinstance(n, (I.Load, I.Local)) for n in walk_ir(body)):
        return None
    places = {
        (n.zone, n.place.name if isinstance(n.place, I.Var) else "") for n in walk_ir(body) if isinstance(n, I.ZoneIr)
    }
    params = {f"{name}.{p}" for p, _ in function.params}
    if len(places) != 1:
        return None
    zone, place = places.pop()
    if place not in params:
        return None
    others = tuple(p for p in sorted(params) if p != place or _used_otherwise(body, place))
    return Key(zone, place, others)


def _inlined(declared: Declared, body: Ir, depth: int, left: list[int]) -> Ir | None:
    """The body with the functions that it calls written out; None where it is too deep or picks functions by row.

    `left` holds how many more nodes may be read.
    """
    left[0] -= sum(1 for _ in walk_ir(body))
    if left[0] < 0 or depth > 8 or any(isinstance(n, I.CallRow) for n in walk_ir(body)):
        return None
    calls = {n for n in walk_ir(body) if isinstance(n, I.CallIr)}
    if not calls:
        return body
    parts: list[Ir] = []
    for call in calls:
        function = declared.functions[call.function]
        assert function.body is not None
        names = {f"{call.function}.{p}": a for (p, _), a in zip(function.params, call.args, strict=True)}
        inner = _inlined(declared, substitute(function.body, names), depth + 1, left)
        if inner is None:
            return None
        parts.append(inner)
    return I.ListIr(type=body.type, items=(_without_calls(body), *parts))


def _without_calls(node: Ir) -> Ir:
    """The parts of an expression outside its calls, as a list: only what they mention matters."""
    if isinstance(node, I.CallIr):
        return I.ListIr(type=node.type, items=())
    kept = tuple(_without_calls(c) for c in children(node))
    if isinstance(node, I.ZoneIr):
        return node
    if isinstance(node, (I.Var, I.Load, I.Local)) or not kept:
        return node
    if isinstance(node, I.Comprehend):
        head = I.Comprehend(type=node.type, op=node.op, name=node.name, source=I.Whole(type=node.type, size=0))
        return I.ListIr(type=node.type, items=(head, *kept))
    return I.ListIr(type=node.type, items=kept)


def _used_otherwise(node: Ir, name: str) -> bool:
    """Whether a parameter is used for more than the place that is read."""
    if isinstance(node, I.Var):
        return node.name == name
    if isinstance(node, I.ZoneIr):
        return not (isinstance(node.place, I.Var) and node.place.name == name) and _used_otherwise(node.place, name)
    return any(_used_otherwise(c, name) for c in children(node))


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
