"""Domains: players and enums, their coordinates, and how their members are written."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from rulespec.diagnostics.model import Related
from rulespec.lower import make
from rulespec.lower.context import MOST_DOMAIN, Context, bad
from rulespec.lower.ir import Ir, Var
from rulespec.lower.known import Values
from rulespec.lower.scope import Scope
from rulespec.model.groups import kinds_in
from rulespec.model.types import Member, Type
from rulespec.model.world import Domain, World
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence


def plural(name: str) -> str:
    """The English plural of a name."""
    if name.endswith(("s", "x", "z", "ch", "sh")):
        return name + "es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"


def add_domain(cx: Context, domain: Domain) -> None:
    """Registers a domain, its bare member names, and the tables of its coordinates."""
    w = cx.world
    if domain.size > MOST_DOMAIN:
        span = domain.span or cx.tree.span
        cx.problems.add("RS705", span, name=domain.name, count=domain.size, most=MOST_DOMAIN)
        domain.members, domain.coords = domain.members[:1], domain.coords[:1]
    domain.plural = domain.plural or plural(domain.name)
    w.domains[domain.name] = domain
    for index, name in enumerate(domain.members):
        if name is not None:
            w.members.setdefault(name, []).append((domain.name, index))
    set_coordinates(cx, domain)


def set_coordinates(cx: Context, domain: Domain) -> None:
    """The tables of a domain's coordinates, and the one that finds a member by them."""
    w = cx.world
    for at, dim in enumerate(domain.dims):
        w.tables[f"{domain.name}.{dim.name}"] = tuple(c[at] for c in domain.coords)
    if not domain.dims:
        return
    domain.lookup = {c: i for i, c in enumerate(domain.coords)}
    every = product(*(range(d.low, d.low + d.size) for d in domain.dims))
    w.tables[f"{domain.name}.lookup"] = tuple(domain.lookup.get(c, -1) for c in every)


# ---- players ----------------------------------------------------------------------------------------


def declare_players(cx: Context, seats: list[Scalar]) -> None:
    """The players of this game: the first seats, as many as play."""
    w = cx.world
    n = w.players
    names = list(dict.fromkeys(s.text for s in seats))[:n]
    names += [f"seat {i}" for i in range(len(names), n)]  # reported where seats are missing
    add_domain(cx, Domain("player", "player", tuple(names)))
    w.tables["player.left"] = tuple((i + 1) % n for i in range(n))
    w.tables["player.right"] = tuple((i - 1) % n for i in range(n))


# ---- enums ------------------------------------------------------------------------------------------


def declare_enum(cx: Context, key: Scalar, node: Node) -> None:
    """A closed set: a list of names, or names with attributes."""
    if isinstance(node, Sequence):
        add_domain(cx, Domain(key.text, "enum", _once(cx, node), span=key.span))
        return
    values = cx.field(node, "values")
    rows = list(values.pairs) if isinstance(values, Mapping) else []
    if isinstance(values, Sequence):
        add_domain(cx, Domain(key.text, "enum", _once(cx, values), span=key.span))
        return
    add_domain(cx, Domain(key.text, "enum", tuple(k.text for k, _ in rows), span=key.span))


def _once(cx: Context, names: Sequence) -> tuple[str, ...]:
    """Names in order; one that stands twice is reported and counts once."""
    first: dict[str, Scalar] = {}
    for name in names.items:
        if isinstance(name, Scalar) and first.setdefault(name.text, name) is not name:
            related = [Related("declared first here", first[name.text].span)]
            cx.problems.add("RS703", name.span, related=related, name=name.text)
    return tuple(first)


# ---- kinds of sites ---------------------------------------------------------------------------------


def kinds_of(cx: Context) -> dict[str, tuple[Scalar, Mapping]]:
    """Every kind that the boards declare, by name."""
    found: dict[str, tuple[Scalar, Mapping]] = {}
    for _, board in cx.section("boards"):
        for key, node in kinds_in(board):
            if isinstance(node, Mapping):
                _add_kind(cx, found, key, node)
    for _, node in cx.section("tracks"):
        space = cx.field(node, "space")
        if isinstance(space, Scalar) and isinstance(node, Mapping):
            _add_kind(cx, found, space, node)
    return found


def _add_kind(cx: Context, found: dict[str, tuple[Scalar, Mapping]], key: Scalar, node: Mapping) -> None:
    first = found.setdefault(key.text, (key, node))[0]
    if first is not key:
        cx.problems.add("RS703", key.span, name=key.text, related=[Related("declared first here", first.span)])


# ---- members -----------------------------------------------------------------------------------------


def over_rows(
    cx: Context, domain: Domain, node: Node, want: Type, names: dict[str, Ir] | None = None
) -> Callable[[int], Any] | None:
    """An expression of a member of a domain (under the domain's own name), as a function of its index."""
    row = Var(type=Member(domain.name), name=make.fresh(domain.name))
    scope = Scope(cx.world, {domain.name: row, **(names or {})}, constant=True)
    ir = cx.lower(node, scope, want)
    if bad(ir) or not cx.is_cheap(ir, node, domain.size):
        return None
    return Values(cx, ir, (row.name,), domain.size, lambda i: cx.evaluate(ir, node.span, {row.name: i}))


def site_text(world: World, domain: str, index: int) -> str:
    """How a member is written in an expression: `north` or `cell[2,0]`."""
    return _site_text(world, world.domains[domain], index)


def site_name(cx: Context, domain: Domain, index: int) -> str:
    """As `site_text`, of a domain at hand."""
    return _site_text(cx.world, domain, index)


def _site_text(world: World, domain: Domain, index: int) -> str:
    name = domain.members[index]
    if name is not None:
        return name
    if not domain.dims:
        return f"{domain.name}[{index}]"
    parts = []
    for dim, c in zip(domain.dims, domain.coords[index], strict=True):
        parts.append(_site_text(world, world.domains[dim.domain], c) if dim.domain else str(c))
    return f"{domain.name}[{','.join(parts)}]"
