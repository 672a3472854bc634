"""Functions whose values are worth remembering: those that follow a way through zones, and those that read no state."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from rulespec.lower import ir as I  # noqa: N812
from rulespec.lower.declared import Declared
from rulespec.lower.ir import Ir, children, walk_ir
from rulespec.lower.substitute import substitute
from rulespec.model.types import Member, Piece, strip

LOOPS = (I.Comprehend, I.WalkIr, I.ReachIr)
MOST_VALUES = 1_024
MOST_KNOWN = 100_000  #: values of a function that are found once
MOST_READ = 5_000  #: nodes of a function and of those that it calls
MOST_NODES = 5_000  #: how much of a program is looked through for one function


def worth_keeping(declared: Declared) -> dict[str, tuple[str, ...]]:
    """The functions whose values are kept, each with the zones that it reads."""
    found: dict[str, tuple[str, ...]] = {}
    for name, function in declared.functions.items():
        if not function.params or not all(type(t) is Member for _, t in function.params):
            continue
        nodes = _nodes(declared, name)
        if prod(sizes_of(declared, name)) > MOST_VALUES or nodes is None:
            continue
        if any(isinstance(n, (I.Load, I.Local, I.CallRow)) for n in nodes):
            continue
        zones = tuple(sorted({n.zone for n in nodes if isinstance(n, I.ZoneIr)}))
        if zones and any(isinstance(n, I.WalkIr) for n in nodes):
            found[name] = zones
    return found


def known_for_good(declared: Declared) -> set[str]:
    """The functions that go through loops and read nothing of the state: each value is found once.

    Of pieces they read the code alone.
    """
    found: set[str] = set()
    for name, function in declared.functions.items():
        nodes = _nodes(declared, name)
        if not function.params or nodes is None or not any(isinstance(n, LOOPS) for n in nodes):
            continue
        if any(isinstance(n, (I.Load, I.Local, I.ZoneIr, I.CallRow, I.PlaceOf)) for n in nodes):
            continue
        types = [t for _, t in function.params]
        sizes = [declared.domains[t.domain].size if isinstance(t, Member) else declared.codes for t in types]
        fits = all(isinstance(t, (Member, Piece)) for t in types) and prod(sizes) <= MOST_KNOWN
        if fits and not _reads_pieces(declared, nodes):
            found.add(name)
    return found


def _reads_pieces(declared: Declared, nodes: list[Ir]) -> bool:
    """Whether more than the code of a piece is read: a piece is a variable that is given to a function, or coded."""
    coded = sum(1 for n in nodes if isinstance(n, I.CodeOf) and isinstance(n.piece, I.Var))
    given = sum(1 for n in nodes if isinstance(n, I.CallIr) for a in n.args if _is_piece(a))
    return sum(1 for n in nodes if _is_piece(n)) != coded + given


def _is_piece(node: Ir) -> bool:
    return isinstance(strip(node.type), Piece)


def sizes_of(declared: Declared, name: str) -> list[int]:
    """How many members each parameter of a function has."""
    return [declared.domains[t.domain].size for _, t in declared.functions[name].params if isinstance(t, Member)]


def _nodes(declared: Declared, name: str) -> list[Ir] | None:
    body = declared.functions[name].body
    assert body is not None
    return nodes_of(declared, [body])


def nodes_of(declared: Declared, written: list[Ir]) -> list[Ir] | None:
    """All parts of expressions and of the functions that they call; None where there are too many."""
    found: list[Ir] = []
    waiting = list(written)
    seen: set[str] = set()
    while waiting:
        for node in walk_ir(waiting.pop()):
            found.append(node)
            if len(found) > MOST_NODES:
                return None
            called = node.functions if isinstance(node, I.CallRow) else ()
            for name in (node.function,) if isinstance(node, I.CallIr) else called:
                body = declared.functions[name].body
                if name not in seen and body is not None:
                    seen.add(name)
                    waiting.append(body)
    return found


def callers_of(declared: Declared, names: set[str]) -> set[str]:
    """The functions that call one of these, directly or not, and these themselves."""
    found = set(names)
    calls = {
        name: {n.function for n in walk_ir(f.body) if isinstance(n, I.CallIr)}
        for name, f in declared.functions.items()
        if f.body is not None
    }
    while more := {name for name, to in calls.items() if name not in found and to & found}:
        found |= more
    return found


# ---- functions of one place ----


@dataclass(frozen=True, slots=True)
class Key:
    """The one zone that a function reads, at the place that a parameter names; `others` are what else it depends on."""

    zone: str
    place: str
    others: tuple[str, ...]


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


def remembering(declared: Declared) -> set[str]:
    """The functions that remember values, and those that call them."""
    keys = {name for name in declared.functions if key_in(declared, name) is not None}
    return callers_of(declared, worth_keeping(declared).keys() | keys) | known_for_good(declared)
