"""Relations between kinds: by rule, by pairs, and those that coordinates imply."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from rulespec.diagnostics.fixes import Fix
from rulespec.lower import make
from rulespec.lower.context import Context, bad
from rulespec.lower.domains import site_name
from rulespec.lower.ir import Ir, Var
from rulespec.lower.known import Values
from rulespec.lower.offsets import MOST_PAIRS, by_offsets, pairing
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN, INTEGER, Member, Optional, Type, may_be_none, strip
from rulespec.model.world import Attribute, Circular, Domain, Relation
from rulespec.source.entries import without_entry, without_item
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span


@dataclass(frozen=True, slots=True)
class Heading:
    """What is known of a relation before its members: from which kind to which, and whether their order counts."""

    of: Domain
    name: str
    target: Domain
    span: Span | None
    ordered: bool = False


def add_relation(cx: Context, heading: Heading, lists: list[list[int]]) -> None:
    """A relation whose members are known: one list for each member of the kind that has it."""
    of, name = heading.of, heading.name
    items, bits = f"{of.name}.{name}.items", f"{of.name}.{name}.bits"
    cx.world.tables[items] = tuple(tuple(x) for x in lists)
    cx.world.tables[bits] = tuple(sum(1 << m for m in set(x)) for x in lists)
    most = max((len(x) for x in lists), default=0)
    of.relations[name] = Relation(name, heading.target.name, items, bits, heading.ordered, most, heading.span)


def declare_coordinates(cx: Context) -> None:
    """`player.seats`: the sites of which a member is a coordinate."""
    w = cx.world
    for kind in list(w.domains.values()):
        for at, dim in enumerate(kind.dims):
            of = w.domains.get(dim.domain or "")
            if of is None or kind.plural in of.relations:
                continue
            lists: list[list[int]] = [[] for _ in range(of.size)]
            for i, c in enumerate(kind.coords):
                lists[c[at]].append(i)
            add_relation(cx, Heading(of, kind.plural, kind, kind.span), lists)


def declare_relations(cx: Context) -> None:
    """All declared relations; each may use any other, whichever stands first, but not itself."""
    declared = [(key, node) for key, node in cx.section("relations") if isinstance(node, Mapping)]
    unmade = cx.world.unmade
    for key, node in declared:
        unmade[key.text] = (key.text, partial(_relation, cx, key, node))
    for key, node in declared:
        for name in inverse_names(node):
            unmade.setdefault(f"{cx.text(node.get('to'))}.{name}", unmade[key.text])
    for key, _ in declared:
        try:
            cx.world.make_relation(key.text)
        except Circular as circle:
            cx.problems.add("RS702", key.span, name=str(circle))
        except RecursionError:
            cx.too_long(key.span, key.text)


def _relation(cx: Context, key: Scalar, node: Mapping) -> None:
    owner, _, name = key.text.partition(".")
    of, target = cx.world.domains.get(owner), cx.world.domains.get(cx.text(node.get("to")))
    to = node.get("to")
    if of is None or target is None or to is None:
        wrong, span = (owner, key.span) if of is None else (cx.text(to), to.span if to else key.span)
        cx.world.unknown("RS308", span, wrong, cx.world.domains)
        cx.world.spoil(key.text, *inverse_names(node))
        return
    # a relation whose body is wrong is still known by name, so that its uses are not reported too
    lists: list[list[int]] = [[] for _ in range(of.size)] if name else []
    heading = Heading(of, name, target, key.span, ordered=node.get("order") is not None)
    add_relation(cx, heading, lists)
    found = _pairs(cx, of, target, node) if node.get("pairs") is not None else _by_rule(cx, of, target, node)
    if found is None:
        return
    if heading.ordered:
        found = _ordered(cx, of, target, node, found)
    add_relation(cx, heading, found)
    _inverse(cx, of, target, node, found)


def inverse_names(node: Node) -> list[str]:
    """The names under which a relation is read from the other side."""
    inverse = node.get("inverse") if isinstance(node, Mapping) else None
    if isinstance(inverse, Scalar):
        return [inverse.text]
    return list(inverse.keys()) if isinstance(inverse, Mapping) else []


def _by_rule(cx: Context, of: Domain, target: Domain, node: Mapping) -> list[list[int]] | None:
    where = node.get("where")
    if where is None:
        return None
    a, b, scope = _pair_scope(cx, of, target, node)
    test = cx.lower(where, scope, BOOLEAN)
    if bad(test):
        return None
    try:
        found = by_offsets(cx, pairing(of, target), (a.name, b.name), test)
    except Circular as cycle:
        cx.problems.add("RS702", where.span, name=str(cycle))
        return None
    except RecursionError:
        cx.too_long(where.span)
        return None
    return _by_listing(cx, of, target, where, (a, b), test) if found is None else found


def _by_listing(
    cx: Context, of: Domain, target: Domain, where: Node, names: tuple[Var, Var], test: Ir
) -> list[list[int]] | None:
    """Every pair asked whether it fulfils a condition; None after a report."""
    if of.size * target.size > MOST_PAIRS:
        cx.problems.add("RS713", where.span, count=of.size * target.size, most=MOST_PAIRS)
        return None
    if not cx.is_cheap(test, where, of.size * target.size):
        return None
    (a, b), size = names, target.size
    values = Values(
        cx,
        test,
        (a.name, b.name),
        of.size * size,
        lambda n: cx.evaluate(test, where.span, {a.name: n // size, b.name: n % size}),
    )
    found = values.every()
    return None if found is None else [[j for j in range(size) if found[i * size + j]] for i in range(of.size)]


def _pair_scope(cx: Context, of: Domain, target: Domain, node: Mapping) -> tuple[Var, Var, Scope]:
    other = cx.text(node.get("as"), target.name)
    a = Var(type=Member(of.name), name=make.fresh(of.name))
    b = Var(type=Member(target.name), name=make.fresh(other))
    names: dict[str, Ir] = {of.name: a, other: b}
    return a, b, Scope(cx.world, names, constant=True)


def _ordered(cx: Context, of: Domain, target: Domain, node: Mapping, lists: list[list[int]]) -> list[list[int]]:
    order = node.get("order")
    assert order is not None
    a, b, scope = _pair_scope(cx, of, target, node)
    by = cx.lower(order, scope, INTEGER)
    if bad(by) or not cx.is_cheap(by, order, sum(map(len, lists))):
        return lists
    rank = {
        (i, j): cx.evaluate(by, order.span, {a.name: i, b.name: j}) or 0 for i, row in enumerate(lists) for j in row
    }
    return [sorted(row, key=lambda j, i=i: rank[i, j]) for i, row in enumerate(lists)]  # type: ignore[misc]


def _pairs(cx: Context, of: Domain, target: Domain, node: Mapping) -> list[list[int]] | None:
    """Listed pairs; with `by: player_count` one list for each count.

    A pair of a kind with itself holds both ways, unless `both_ways` says no.
    """
    told = node.get("both_ways")
    both_ways = of is target and not (isinstance(told, Scalar) and told.value is False)
    pairs = node.get("pairs")
    if node.get("by") is not None:
        listed, pairs = pairs, cx.field(pairs, str(cx.world.players))
        if listed is not None and pairs is None:
            cx.problems.add("RS711", listed.span, keys=f"{cx.world.players} players")
    lists: list[list[int]] = [[] for _ in range(of.size)]
    if not isinstance(pairs, Mapping):
        return lists
    for key, row in pairs.pairs:
        at = cx.constant(key, Member(of.name))
        for item in row.items if isinstance(row, Sequence) else [row]:
            other = cx.constant(item, Member(target.name))
            if both_ways and at is not None and at == other:
                cx.problems.add("RS723", item.span, name=site_name(cx, of, at))
            elif at is not None and other is not None and not _add_pair(lists, at, other, both_ways):
                edit = without_item(row, item) if isinstance(row, Sequence) else None
                edit = edit or without_entry(pairs, key)
                fixes = () if edit is None else (Fix("Delete the second pair", (edit,)),)
                one, two = site_name(cx, of, at), site_name(cx, target, other)
                cx.problems.add("RS714", item.span, one=one, other=two, fixes=fixes)
    return [sorted(row) for row in lists]


def _add_pair(lists: list[list[int]], at: int, other: int, both_ways: bool) -> bool:
    if other in lists[at]:
        return False
    lists[at].append(other)
    if both_ways:
        lists[other].append(at)
    return True


def _inverse(cx: Context, of: Domain, target: Domain, node: Mapping, lists: list[list[int]]) -> None:
    """The relation read from the other side: a list of names, or one member where a type is given."""
    inverse = node.get("inverse")
    if inverse is None:
        return
    back: list[list[int]] = [[] for _ in range(target.size)]
    for i, row in enumerate(lists):
        for j in row:
            back[j].append(i)
    if isinstance(inverse, Scalar):
        add_relation(cx, Heading(target, inverse.text, of, inverse.span), back)
    elif isinstance(inverse, Mapping):
        for key, spec in inverse.pairs:
            _single_inverse(cx, of, target, key, spec, back)


def _single_inverse(cx: Context, of: Domain, target: Domain, key: Scalar, spec: Node, back: list[list[int]]) -> None:
    t = cx.type(spec)
    if strip(t) != Member(of.name):
        cx.problems.add("RS303", spec.span, expected=of.name, found=str(t))
        return
    for j, row in enumerate(back):
        if len(row) > 1 or (not row and not may_be_none(t)):
            cx.problems.add("RS715", spec.span, name=site_name(cx, target, j), count=len(row), type=str(t))
            break
    table = f"{target.name}.{key.text}"
    cx.world.tables[table] = tuple(row[0] if row else -1 for row in back)
    single: Type = Optional(Member(of.name)) if may_be_none(t) else Member(of.name)
    target.attributes[key.text] = Attribute(key.text, single, table, span=key.span)
