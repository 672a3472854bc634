"""Functions, effects, actions, events and triggers: their signatures; and the bodies of functions."""

from __future__ import annotations

from rulespec.diagnostics.model import Related
from rulespec.lower import make
from rulespec.lower.circles import circles_in, in_order
from rulespec.lower.context import Context
from rulespec.lower.cost import check_cost
from rulespec.lower.expressions import coerce, lower
from rulespec.lower.ir import CallIr, CallRow, Ir, Var, children, walk_ir
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope
from rulespec.model.types import Formula, ListType, Type
from rulespec.model.world import MOST_CHAINED, Circular, Procedure, Trigger
from rulespec.source.nodes import Mapping, Node, Scalar


def declare_callables(cx: Context) -> None:
    """The signatures of all functions, effects and actions, and the shapes of events."""
    for key, node in cx.section("functions"):
        if isinstance(node, Mapping):
            returns = cx.type(node.get("type"))
            cx.world.functions[key.text] = Procedure(key.text, "functions", _params(cx, node), returns, node, key.span)
    for section in ("effects", "actions"):
        for key, node in cx.section(section):
            if isinstance(node, Mapping):
                _declare_effect(cx, section, key, node)
    for key, node in cx.section("events"):
        pairs = node.pairs if isinstance(node, Mapping) else ()
        cx.world.events[key.text] = tuple((k.text, cx.type(v)) for k, v in pairs)


def _declare_effect(cx: Context, section: str, key: Scalar, node: Mapping) -> None:
    if key.text in cx.world.effects or key.text in cx.world.functions:
        return
    nests = cx.integer(node.get("nests"), 0)
    cx.world.effects[key.text] = Procedure(key.text, section, _params(cx, node), None, node, key.span, nests)


def _params(cx: Context, node: Mapping) -> tuple[tuple[str, Type], ...]:
    params = node.get("params")
    return tuple((k.text, cx.type(v)) for k, v in params.pairs) if isinstance(params, Mapping) else ()


def declare_triggers(cx: Context) -> None:
    """All triggers with what they listen to; a name that nothing emits is a report."""
    w = cx.world
    for index, (key, node) in enumerate(cx.section("triggers")):
        when = cx.field(node, "when")
        if not isinstance(when, Mapping) or not isinstance(node, Mapping) or not when.pairs:
            continue
        kind, what = when.pairs[0]
        name = cx.text(what)
        good_names = {"emitted": list(w.events), "emptied": list(w.zones), "stepped": list(w.tracks)}.get(kind.text)
        if good_names is not None and name not in good_names:
            w.unknown("RS301", what.span, name, good_names)
            continue
        w.triggers.append(Trigger(key.text, kind.text, name, node, key.span, index))


# ---- functions --------------------------------------------------------------------------------------


def add_formula(cx: Context, name: str, t: Formula, node: Node, names: dict[str, Ir]) -> None:
    """A formula of a row as a function; its parameters go by the names of their types."""
    params = tuple((str(p), p) for p in t.params)
    cx.world.functions[name] = Procedure(name, "formulas", params, t.returns, node, node.span)
    cx.formulas[name] = names


def function_body(cx: Context, name: str) -> tuple[tuple[str, ...], Ir]:
    """Parameter names and lowered body; lowered once."""
    function = cx.world.functions[name]
    params = tuple(f"{name}.{p}" for p, _ in function.params)
    if function.body is None:
        if function.state == "open":
            raise Circular(name)
        function.state = "open"
        with make.naming(name):
            function.body = _lower_body(cx, function, params)
        function.state = "done"
    return params, function.body


def _lower_body(cx: Context, function: Procedure, params: tuple[str, ...]) -> Ir:
    formula = cx.formulas.get(function.name)
    node = function.node if formula is not None else cx.field(function.node, "is")
    if node is None:
        return BAD
    names: dict[str, Ir] = dict(formula or {})
    for (param, t), var in zip(function.params, params, strict=True):
        names[param] = Var(type=t, name=var)
    e = cx.expr(node)
    if e is None:
        return BAD
    want = function.returns
    assert want is not None
    scope = Scope(cx.world, names)
    made = lower(scope, e, want)
    found = coerce(scope, made, want, e.span)
    if isinstance(want, ListType) and isinstance(found.type, ListType) and found.type.most < want.most:
        function.returns = ListType(want.of, found.type.most)
    if found is BAD:
        return found
    return make.retype(make.within(found, want, e.span), function.returns or want)


#: Expressions inside one another, through all functions that are called: whatever goes through them is a recursion.
MOST_NESTED = 200


def lower_functions(cx: Context) -> None:
    """All bodies; a function that calls itself, directly or not, is a report at its name."""
    w = cx.world
    for name in list(w.functions):
        if w.functions[name].body is None:
            function_body(cx, name)
    calls = {name: _called(f.body) for name, f in w.functions.items()}
    circles: dict[str, list[str]] = {name: [] for name in calls}
    for circle in circles_in(calls):
        circles.update(dict.fromkeys(circle, circle))
    for name, circle in circles.items():
        if circle and circle[0] == name:
            others = [Related(f"'{n}' is part of the circle", w.functions[n].span) for n in circle[1:]]
            cx.problems.add("RS311", w.functions[name].span, related=others, name=name)
    for name, circle in circles.items():
        if circle:
            w.functions[name].body = BAD
    _check_costs(cx, calls)


def _check_costs(cx: Context, calls: dict[str, set[str]]) -> None:
    """Refuses functions that call too deep or may need too many steps; those that one calls come before it."""
    depth: dict[str, int] = {}
    nested: dict[str, int] = {}
    for name in in_order(calls):
        depth[name] = 1 + max((depth.get(called, 0) for called in calls[name]), default=0)
        nested[name] = max((nested.get(called, 0) for called in calls[name]), default=0)
        function = cx.world.functions[name]
        node = function.node if name in cx.formulas else cx.field(function.node, "is")
        if function.body is None or node is None:
            continue
        nested[name] += levels(function.body)
        if depth[name] > MOST_CHAINED or nested[name] > MOST_NESTED:
            _report_depth(cx, node, name, chained=depth[name] > MOST_CHAINED)
        elif check_cost(cx.costs, function.body, node.span, cx.problems):
            continue
        function.body, depth[name], nested[name] = BAD, 0, 0
        cx.costs.functions[name] = 1


def _report_depth(cx: Context, node: Node, name: str, *, chained: bool) -> None:
    if chained:
        cx.too_long(node.span, name)
        return
    what = f"more than {MOST_NESTED} expressions stand inside one another"
    hint = "Expressions count with those of the functions that they call."
    cx.problems.add("RS720", node.span, name=name, what=what, hint=hint)


def levels(node: Ir) -> int:
    """How many expressions stand inside one another, the outermost counted; found without a recursion."""
    found, inside = 0, [node]
    while inside:
        found += 1
        inside = [part for each in inside for part in children(each)]
    return found


def _called(body: Ir | None) -> set[str]:
    found: set[str] = set()
    for node in walk_ir(body) if body is not None else ():
        if isinstance(node, CallIr):
            found.add(node.function)
        elif isinstance(node, CallRow):
            found.update(node.functions)
    return found
