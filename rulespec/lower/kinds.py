"""Kinds of sites: which there are, by grid, by list or by lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from rulespec.expr.walk import words_in
from rulespec.lower.context import MOST_DOMAIN, Context
from rulespec.lower.domains import add_domain, kinds_of, over_rows, plural, set_coordinates
from rulespec.lower.evaluate import TooMuchWork
from rulespec.lower.relations import Heading, add_relation
from rulespec.lower.tables import declare_attributes_of
from rulespec.model.types import BOOLEAN, Integer
from rulespec.model.world import Dimension, Domain
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span

#: Steps that looking at one site of a line is taken for.
STEPS_EACH = 4


def declare_kinds(cx: Context) -> None:
    """All kinds of sites, each after the kinds that its coordinates name, and after those that its `where` reads."""
    waiting = kinds_of(cx)
    while waiting:
        ready = [n for n, (_, node) in waiting.items() if not (_needs(cx, node) & waiting.keys())]
        if not ready:
            key = next(iter(waiting.values()))[0]
            cx.problems.add("RS702", key.span, name=key.text)
            return
        reads = {name: _reads(cx, waiting, name) & waiting.keys() - {name} for name in ready}
        for name in [name for name in ready if not reads[name]] or ready[:1]:
            key, node = waiting.pop(name)
            _declare_kind(cx, key, node)


def _needs(cx: Context, node: Mapping) -> set[str]:
    dims = node.get("for")
    named = {v.text for _, v in dims.pairs if isinstance(v, Scalar)} if isinstance(dims, Mapping) else set()
    return named | {cx.text(node.get("lines_of"))}


def _reads(cx: Context, kinds: dict[str, tuple[Scalar, Mapping]], name: str) -> set[str]:
    """The kinds that the filter of a kind may read: by name, by plural, or by way of attributes that a rule makes."""
    rules: dict[str, list[Node]] = {}
    for key, spec in _attribute_specs(node for _, node in kinds.values()):
        rules.setdefault(key.text, []).append(spec)
    plurals = {cx.text(node.get("plural")) or plural(kind): kind for kind, (_, node) in kinds.items()}
    left, words = [kinds[name][1].get("where")], set[str]()
    while left:
        rule = left.pop()
        written = None if rule is None else cx.expr(rule)
        new = words_in(written) - words if written is not None else set()
        words |= new
        left += [cx.field(spec, "is") for word in new for spec in rules.get(word, ())]
    return words | {plurals[word] for word in words & plurals.keys()}


def _attribute_specs(kinds: Iterable[Mapping]) -> Iterator[tuple[Scalar, Node]]:
    for node in kinds:
        declared = node.get("attributes")
        yield from declared.pairs if isinstance(declared, Mapping) else ()


def _declare_kind(cx: Context, key: Scalar, node: Mapping) -> None:
    name = key.text
    plural_name = cx.text(node.get("plural"))
    domain, lines = None, None
    if node.get("spaces") is not None:
        spaces = node.get("spaces")
        size = len(spaces.items) if isinstance(spaces, Sequence) else 0
        domain = Domain(name, "track", (None,) * size, span=key.span)
    elif node.get("lines_of") is not None:
        lines = lines_of(cx, node)
        domain = None if lines is None else Domain(name, "site", (None,) * len(lines), span=key.span)
        if lines is not None and len(lines) > MOST_DOMAIN:
            lines = None  # which is reported
    elif isinstance(rows := node.get("rows"), Mapping):
        domain = Domain(name, "site", tuple(k.text for k, _ in rows.pairs), span=key.span)
    else:
        domain = _by_product(cx, key, node)
    if domain is None:
        cx.world.spoil(name, plural_name or plural(name))
        return
    domain.plural = plural_name
    domain.draw = node.get("draw")
    add_domain(cx, domain)
    declare_attributes_of(cx, key, node)
    if lines is not None:
        _line_relations(cx, domain, node, lines)
    if _filter(cx, domain, node) and domain.size == 0:
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


def _filter(cx: Context, domain: Domain, node: Mapping) -> bool:
    """Leaves only the sites that `where` lets stand; False after a report.

    `where` is read while all combinations of coordinates are there. What was computed for it (attributes of this kind,
    and of others that count its sites) speaks of them all: it is made again for the sites that stay.
    """
    where = node.get("where")
    if where is None:
        return True
    known, errors = set(cx.world.tables), len(cx.problems.errors)
    test = over_rows(cx, domain, where, BOOLEAN)
    found = [] if test is None else [test(i) for i in range(domain.size)]
    if test is None or None in found or len(cx.problems.errors) > errors:
        return False
    kept = [c for c, value in zip(domain.coords, found, strict=True) if value]
    domain.coords = tuple(kept)
    domain.members = (None,) * len(kept)
    cx.world.forget_tables(cx.world.tables.keys() - known)
    set_coordinates(cx, domain)
    return True


# ---- lines ------------------------------------------------------------------------------------------


def lines_of(cx: Context, node: Mapping) -> list[tuple[int, ...]] | None:
    """The longest straight lines of a kind with integer coordinates, in declared directions; None after a report."""
    target = node.get("lines_of")
    of = cx.world.domains.get(cx.text(target))
    if of is None:
        assert target is not None
        cx.world.unknown("RS308", target.span, cx.text(target), cx.world.domains)
        return None
    at_least = cx.integer(node.get("at_least"), 2)
    lines: list[tuple[int, ...]] = []
    for span, step in _directions(cx, node, len(of.dims)):
        try:
            lines += [line for line in _lines_along(cx, of, step) if len(line) >= at_least]
        except TooMuchWork:
            cx.problems.add("RS701", span)
            return None
        if len(lines) > MOST_DOMAIN:
            break  # which is reported
    return lines


def _lines_along(cx: Context, of: Domain, step: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every line in one direction. Raises TooMuchWork."""
    cx.evaluator.spend(STEPS_EACH * of.size)
    for start in of.coords:
        if tuple(a - b for a, b in zip(start, step, strict=True)) not in of.lookup:
            line = _line(of, start, step)
            cx.evaluator.spend(STEPS_EACH * len(line))
            yield line


def _directions(cx: Context, node: Mapping, dims: int) -> list[tuple[Span, tuple[int, ...]]]:
    found: list[tuple[Span, tuple[int, ...]]] = []
    for item in cx.steps(node.get("directions")):
        step = tuple(cx.integer(i, 0) for i in cx.steps(item))
        if len(step) != dims or not any(step):
            cx.problems.add("RS706", item.span, count=dims)
        else:
            found.append((item.span, step))
    return found


def _line(of: Domain, at: tuple[int, ...], step: tuple[int, ...]) -> tuple[int, ...]:
    line: list[int] = []
    while at in of.lookup:
        line.append(of.lookup[at])
        at = tuple(a + b for a, b in zip(at, step, strict=True))
    return tuple(line)


def _line_relations(cx: Context, domain: Domain, node: Mapping, lines: list[tuple[int, ...]]) -> None:
    """`line.cells` in order, and `cell.lines`."""
    of = cx.world.domains[cx.text(node.get("lines_of"))]
    span = domain.span
    add_relation(cx, Heading(domain, of.plural, of, span, ordered=True), [list(line) for line in lines])
    through: list[list[int]] = [[] for _ in range(of.size)]
    for i, line in enumerate(lines):
        for at in line:
            through[at].append(i)
    add_relation(cx, Heading(of, domain.plural, domain, span), through)
