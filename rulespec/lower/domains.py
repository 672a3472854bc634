"""Players, enums and kinds of sites: which members there are, and their attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from rulespec.lower import make
from rulespec.lower.context import MOST_DOMAIN, Context, bad
from rulespec.lower.ir import Ir, Value, Var
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN, Formula, Integer, MapType, Member, Type, may_be_none
from rulespec.model.world import Attribute, Dimension, Domain, World
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span


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
    add_domain(cx, Domain("player", "player", tuple(s.text for s in seats[:n])))
    w.tables["player.left"] = tuple((i + 1) % n for i in range(n))
    w.tables["player.right"] = tuple((i - 1) % n for i in range(n))


# ---- enums ------------------------------------------------------------------------------------------


def declare_enum(cx: Context, key: Scalar, node: Node) -> None:
    """A closed set: a list of names, or names with attributes."""
    if isinstance(node, Sequence):
        names = [n.text for n in node.items if isinstance(n, Scalar)]
        add_domain(cx, Domain(key.text, "enum", tuple(names), span=key.span))
        return
    values = cx.field(node, "values")
    rows = list(values.pairs) if isinstance(values, Mapping) else []
    if isinstance(values, Sequence):
        rows = [(v, v) for v in values.items if isinstance(v, Scalar)]
    add_domain(cx, Domain(key.text, "enum", tuple(k.text for k, _ in rows), span=key.span))


# ---- kinds of sites ---------------------------------------------------------------------------------


def kinds_of(cx: Context) -> dict[str, tuple[Scalar, Mapping]]:
    """Every kind that the boards declare, by name."""
    found: dict[str, tuple[Scalar, Mapping]] = {}
    for _, board in cx.section("boards"):
        if isinstance(board, Mapping):
            for key, node in board.pairs:
                if isinstance(node, Mapping):
                    _add_kind(cx, found, key, node)
    for key, node in cx.section("tracks"):
        space = cx.field(node, "space")
        if isinstance(space, Scalar) and isinstance(node, Mapping):
            _add_kind(cx, found, space, node)
    return found


def _add_kind(cx: Context, found: dict[str, tuple[Scalar, Mapping]], key: Scalar, node: Mapping) -> None:
    if key.text in found:
        from rulespec.diagnostics.model import Related

        cx.problems.add("RS703", key.span, name=key.text, related=[Related("declared first here", found[key.text][0].span)])
        return
    found[key.text] = (key, node)


def declare_kinds(cx: Context) -> None:
    """All kinds of sites, each after the kinds that its coordinates name."""
    waiting = kinds_of(cx)
    while waiting:
        ready = [n for n, (_, node) in waiting.items() if not (_needs(cx, node) & waiting.keys())]
        if not ready:
            key = next(iter(waiting.values()))[0]
            cx.problems.add("RS702", key.span, name=key.text)
            return
        for name in ready:
            key, node = waiting.pop(name)
            _declare_kind(cx, key, node)


def _needs(cx: Context, node: Mapping) -> set[str]:
    dims = node.get("for")
    named = {v.text for _, v in dims.pairs if isinstance(v, Scalar)} if isinstance(dims, Mapping) else set()
    return named | {cx.text(node.get("lines_of"))}


def _declare_kind(cx: Context, key: Scalar, node: Mapping) -> None:
    name = key.text
    plural_name = cx.text(node.get("plural"))
    if node.get("spaces") is not None:
        spaces = node.get("spaces")
        size = len(spaces.items) if isinstance(spaces, Sequence) else 0
        domain = Domain(name, "track", (None,) * size, span=key.span, plural=plural_name)
    elif node.get("lines_of") is not None:
        domain = Domain(name, "site", (None,) * len(lines_of(cx, node)), span=key.span, plural=plural_name)
    elif isinstance(rows := node.get("rows"), Mapping):
        domain = Domain(name, "site", tuple(k.text for k, _ in rows.pairs), span=key.span, plural=plural_name)
    else:
        made = _by_product(cx, key, node)
        if made is None:
            return
        domain = made
        domain.plural = plural_name
    domain.draw = node.get("draw")
    add_domain(cx, domain)
    if node.get("lines_of") is not None:
        _line_relations(cx, domain, node)
    _filter(cx, domain, node)
    if domain.size == 0:
        cx.problems.add("RS704", key.span, name=name)


def _by_product(cx: Context, key: Scalar, node: Mapping) -> Domain | None:
    dims_node = node.get("for")
    if not isinstance(dims_node, Mapping):
        return None
    dims = [_dimension(cx, k, v) for k, v in dims_node.pairs]
    if any(d is None for d in dims):
        return None
    known = [d for d in dims if d is not None]
    size = 1
    for d in known:
        size *= d.size
    if size > MOST_DOMAIN:
        cx.problems.add("RS705", dims_node.span, name=key.text, count=size, most=MOST_DOMAIN)
        return None
    coords = tuple(product(*(range(d.low, d.low + d.size) for d in known)))
    return Domain(key.text, "site", (None,) * len(coords), tuple(known), coords, span=key.span)


def _dimension(cx: Context, key: Scalar, node: Node) -> Dimension | None:
    if isinstance(node, Scalar) and node.text in cx.world.domains:
        return Dimension(key.text, node.text, 0, cx.world.domains[node.text].size)
    t = cx.type(node)
    if isinstance(t, Integer) and t.low is not None and t.high is not None:
        return Dimension(key.text, None, t.low, t.high - t.low + 1)
    if isinstance(t, Integer):
        cx.problems.add("RS303", node.span, expected="a range or a kind", found=str(t))
    return None


def _filter(cx: Context, domain: Domain, node: Mapping) -> None:
    """Leaves only the sites that `where` lets stand."""
    where = node.get("where")
    if where is None:
        return
    test = over_rows(cx, domain, where, BOOLEAN)
    if test is None:
        return
    kept = [c for i, c in enumerate(domain.coords) if test(i)]
    domain.coords = tuple(kept)
    domain.members = (None,) * len(kept)
    set_coordinates(cx, domain)


def over_rows(
    cx: Context, domain: Domain, node: Node, want: Type, names: dict[str, Ir] | None = None
) -> Callable[[int], Any] | None:
    """An expression of a member of a domain (under the domain's own name), as a function of its index."""
    row = Var(type=Member(domain.name), name=make.fresh(domain.name))
    scope = Scope(cx.world, {domain.name: row, **(names or {})}, constant=True)
    ir = cx.lower(node, scope, want)
    if bad(ir):
        return None
    return lambda i: cx.evaluate(ir, node.span, {row.name: i})


# ---- lines ------------------------------------------------------------------------------------------


def lines_of(cx: Context, node: Mapping) -> list[tuple[int, ...]]:
    """The longest straight lines of a kind with two integer coordinates, in declared directions."""
    of = cx.world.domains.get(cx.text(node.get("lines_of")))
    if of is None:
        target = node.get("lines_of")
        assert target is not None
        cx.problems.add("RS308", target.span, name=cx.text(target), hint=None)
        return []
    at_least = cx.integer(node.get("at_least"), 2)
    lines: list[tuple[int, ...]] = []
    for step in _directions(cx, node, len(of.dims)):
        for start in of.coords:
            if tuple(a - b for a, b in zip(start, step, strict=True)) not in of.lookup:
                line = _line(of, start, step)
                if len(line) >= at_least:
                    lines.append(line)
    return lines


def _directions(cx: Context, node: Mapping, dims: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for item in cx.steps(node.get("directions")):
        step = tuple(cx.integer(i, 0) for i in cx.steps(item))
        if len(step) != dims or not any(step):
            cx.problems.add("RS706", item.span, count=dims)
        else:
            found.append(step)
    return found


def _line(of: Domain, at: tuple[int, ...], step: tuple[int, ...]) -> tuple[int, ...]:
    line: list[int] = []
    while at in of.lookup:
        line.append(of.lookup[at])
        at = tuple(a + b for a, b in zip(at, step, strict=True))
    return tuple(line)


def _line_relations(cx: Context, domain: Domain, node: Mapping) -> None:
    """`line.cells` in order, and `cell.lines`."""
    from rulespec.lower.relations import add_relation

    of = cx.world.domains.get(cx.text(node.get("lines_of")))
    if of is None:
        return
    lines = lines_of(cx, node)
    span = domain.span
    add_relation(cx, domain, of.plural, of, [list(line) for line in lines], ordered=True, span=span)
    through: list[list[int]] = [[i for i, line in enumerate(lines) if at in line] for at in range(of.size)]
    add_relation(cx, of, domain.plural, domain, through, ordered=False, span=span)


# ---- attributes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One row of declared attribute values: its name, its node and what it says."""

    span: Span
    cells: Mapping | None


def declare_attributes(cx: Context) -> None:
    """The attributes of every enum, kind and track, as tables to be computed when first read."""
    for key, node in cx.section("enums"):
        if isinstance(node, Mapping):
            _attributes_of(cx, cx.world.domains.get(key.text), node, node.get("values"))
    for key, node in kinds_of(cx).values():
        rows = node.get("rows") or node.get("spaces")
        _attributes_of(cx, cx.world.domains.get(key.text), node, rows)


def _attributes_of(cx: Context, domain: Domain | None, node: Mapping, rows: Node | None) -> None:
    declared = node.get("attributes")
    if domain is None or not isinstance(declared, Mapping):
        return
    cells = _rows(rows)
    defaults = cx.field(node, "defaults")
    for key, spec in declared.pairs:
        attribute = Attribute(key.text, _attribute_type(cx, spec), f"{domain.name}.{key.text}", span=key.span)
        if isinstance(attribute.type, Type) and attribute.name in {d.name for d in domain.dims}:
            cx.problems.add("RS307", key.span, name=key.text)
            continue
        domain.attributes[key.text] = attribute
        _fill(cx, domain, attribute, spec, cells, cx.field(defaults, key.text))


def _rows(rows: Node | None) -> list[Row]:
    if isinstance(rows, Mapping):
        return [Row(k.span, v if isinstance(v, Mapping) else None) for k, v in rows.pairs]
    if isinstance(rows, Sequence):
        return [Row(v.span, v if isinstance(v, Mapping) else None) for v in rows.items]
    return []


def _attribute_type(cx: Context, spec: Node) -> Type:
    return cx.type(spec.get("type") if isinstance(spec, Mapping) else spec)


def _fill(cx: Context, domain: Domain, a: Attribute, spec: Node, rows: list[Row], default: Node | None) -> None:
    if isinstance(a.type, Formula):
        _formulas(cx, domain, a, rows, default)
        return
    long = spec if isinstance(spec, Mapping) else None
    if long is not None and long.get("values") is not None:
        cx.world.pending[a.table] = lambda: _by_keys(cx, domain, a, long)
    elif long is not None and long.get("is") is not None:
        node = long.get("is")
        assert node is not None
        cx.world.pending[a.table] = lambda: _by_rule(cx, domain, a, node)
    else:
        cx.world.pending[a.table] = lambda: _by_row(cx, domain, a, rows, default)


def _by_rule(cx: Context, domain: Domain, a: Attribute, node: Node) -> tuple[Value, ...]:
    compute = over_rows(cx, domain, node, a.type if not isinstance(a.type, Member) else _or_none(a.type))
    if compute is None:
        return (0,) * domain.size
    values = [compute(i) for i in range(domain.size)]
    for i, value in enumerate(values):
        if value == -1 and isinstance(a.type, Member) and not may_be_none(a.type):
            cx.problems.add("RS707", node.span, name=site_name(cx, domain, i), attribute=a.name, type=str(a.type))
            break
        if not _in_range(cx, value, a.type, node.span, site_name(cx, domain, i)):
            break
    return tuple(0 if v is None else v for v in values)


def _or_none(t: Type) -> Type:
    from rulespec.model.types import Optional

    return Optional(t)


def _in_range(cx: Context, value: Any, t: Type, span: Span, of: str) -> bool:
    if isinstance(t, Integer) and isinstance(value, int):
        if (t.low is not None and value < t.low) or (t.high is not None and value > t.high):
            cx.problems.add("RS708", span, value=value, name=of, low=t.low, high=t.high)
            return False
    return True


def _by_row(cx: Context, domain: Domain, a: Attribute, rows: list[Row], default: Node | None) -> tuple[Value, ...]:
    values: list[Value] = []
    for i in range(domain.size):
        row = rows[i] if i < len(rows) else None
        cell = row.cells.get(a.name) if row is not None and row.cells is not None else None
        cell = cell or default
        if cell is None:
            span = row.span if row is not None else domain.span
            if span is not None and not may_be_none(a.type):
                cx.problems.add("RS709", span, name=site_name(cx, domain, i), attribute=a.name)
            values.extend([-1] * _width(cx, a.type))
            continue
        values.extend(cell_values(cx, a.type, cell, {domain.name: make.const(i, Member(domain.name))}))
    return tuple(values)


def _width(cx: Context, t: Type) -> int:
    from rulespec.lower.attributes import key_range

    return key_range(cx.world, t.key)[1] if isinstance(t, MapType) else 1


def cell_values(cx: Context, t: Type, node: Node, names: dict[str, Ir] | None = None) -> list[Value]:
    """The table entries of one written value: one, or one for each key of a total map."""
    if isinstance(t, MapType):
        return map_values(cx, t, node, names)
    value = cx.constant(node, t, names)
    return [0 if value is None else value]


def map_values(cx: Context, t: MapType, node: Node, names: dict[str, Ir] | None = None) -> list[Value]:
    """The values of a total map, written as a list in key order or as a map by key."""
    from rulespec.lower.attributes import key_range

    low, size = key_range(cx.world, t.key)
    if isinstance(node, Sequence):
        if len(node.items) != size:
            cx.problems.add("RS710", node.span, expected=size, found=len(node.items))
            return [0] * size
        return [v for item in node.items for v in cell_values(cx, t.value, item, names)]
    if not isinstance(node, Mapping):
        cx.problems.add("RS303", node.span, expected=str(t), found="one value")
        return [0] * size
    found: dict[int, Value] = {}
    for key, item in node.pairs:
        at = _key_number(cx, t.key, key)
        if at is not None:
            found[at - low] = cell_values(cx, t.value, item, names)[0]
    missing = [i + low for i in range(size) if i not in found]
    if missing and len(found) == len(node.pairs):
        cx.problems.add("RS711", node.span, keys=", ".join(key_name(cx, t.key, m) for m in missing))
    return [found.get(i, 0) for i in range(size)]


def key_name(cx: Context, t: Type, value: int) -> str:
    return site_name(cx, cx.world.domains[t.domain], value) if isinstance(t, Member) else str(value)


def _key_number(cx: Context, t: Type, key: Scalar) -> int | None:
    value = cx.constant(key, t)
    return value if isinstance(value, int) else None


def _by_keys(cx: Context, domain: Domain, a: Attribute, spec: Mapping) -> tuple[Value, ...]:
    """A table by one or two of the kind's own coordinates: `by: [row, col]`, `values` nested in that order."""
    by = spec.get("by")
    names = [cx.text(by)] if isinstance(by, Scalar) else [cx.text(i) for i in cx.steps(by)]
    dims = [next((d for d in domain.dims if d.name == n), None) for n in names]
    values = spec.get("values")
    if by is None or values is None or None in dims:
        cx.problems.add("RS712", (by or spec).span, name=domain.name, dims=", ".join(d.name for d in domain.dims))
        return (0,) * domain.size
    known = [d for d in dims if d is not None]
    table = _nested(cx, a.type, known, values)
    places = [[d.name for d in domain.dims].index(d.name) for d in known]
    return tuple(table.get(tuple(c[p] for p in places), 0) for c in domain.coords)


def _nested(cx: Context, t: Type, dims: list[Dimension], node: Node) -> dict[tuple[int, ...], Value]:
    dim, rest = dims[0], dims[1:]
    key_type: Type = Member(dim.domain) if dim.domain else Integer(dim.low, dim.low + dim.size - 1)
    entries: list[tuple[int | None, Node]] = []
    if isinstance(node, Sequence):
        if len(node.items) != dim.size:
            cx.problems.add("RS710", node.span, expected=dim.size, found=len(node.items))
            return {}
        entries = [(dim.low + i, item) for i, item in enumerate(node.items)]
    elif isinstance(node, Mapping):
        entries = [(_key_number(cx, key_type, k), v) for k, v in node.pairs]
        missing = [i for i in range(dim.low, dim.low + dim.size) if i not in {k for k, _ in entries}]
        if missing:
            cx.problems.add("RS711", node.span, keys=", ".join(key_name(cx, key_type, m) for m in missing))
    found: dict[tuple[int, ...], Value] = {}
    for at, item in entries:
        if at is None:
            continue
        if rest:
            found.update({(at, *k): v for k, v in _nested(cx, t, rest, item).items()})
        else:
            found[(at,)] = cell_values(cx, t, item)[0]
    return found


def _formulas(cx: Context, domain: Domain, a: Attribute, rows: list[Row], default: Node | None) -> None:
    """One function for each row; the row itself goes by the kind's name, the parameters by their types' names."""
    from rulespec.lower.callables import add_formula

    names: list[str] = []
    for i in range(domain.size):
        row = rows[i] if i < len(rows) else None
        cell = (row.cells.get(a.name) if row is not None and row.cells is not None else None) or default
        name = f"{domain.name}.{domain.members[i] or i}.{a.name}"
        if cell is None:
            if row is not None:
                cx.problems.add("RS709", row.span, name=site_name(cx, domain, i), attribute=a.name)
        if cell is not None and isinstance(a.type, Formula):
            add_formula(cx, name, a.type, cell, {domain.name: make.const(i, Member(domain.name))})
        names.append(name)
    a.functions = tuple(names)


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
