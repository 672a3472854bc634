"""Expressions of any shape, made by hypothesis, over the game in `tests/language/faults/base`: every operator occurs.

Each strategy gives the text of an expression of one type. `known` holds the loop variables that can be named, by kind.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Known = dict[str, tuple[str, ...]]
_fresh = count()

#: What can be gone through, by the kind of its members.
SOURCES: dict[str, tuple[str, ...]] = {
    "player": ("clockwise(captain)", "player", "richest", "[red, green]", "most(p in player by p.coins)"),
    "cell": ("cell", "line[0].cells", "line[3].cells", "north.shore", "in_reach(cell[0, 1])", "way_down(cell[1, 0])"),
    "town": ("town", "north.roads", "cell[0, 0].nearby", "red.home"),
    "number": ("1..round", "0..4", "list(p.coins for p in player)", "[3, 1, 2]"),
    "card": ("take(me.hand.count, me.hand)", "me.hand", "display", "deck", "captain.hand"),
    "ship": ("me.fleet", "yard", "box.ship", "north.harbour"),
}


def _name(known: Known, kind: str) -> tuple[str, Known]:
    name = f"v{next(_fresh)}"
    return name, {**known, kind: (*known.get(kind, ()), name)}


def _pick(draw: DrawFn, *ways: Callable[[], str]) -> str:
    return draw(st.sampled_from(ways))()


@st.composite
def numbers(draw: DrawFn, depth: int, known: Known) -> str:
    """An integer that is never none."""
    leaves = ["round", "me.coins", "captain.coins", "player_count", "ferry_cost", "me.score", "me.rank.factor"]
    leaves += [f"{v}.coins" for v in known.get("player", ())]
    leaves += [f"{v}.{a}" for v in known.get("cell", ()) for a in ("col", "row", "depth", "price", "index")]
    leaves += [f"{v}.{a}" for v in known.get("town", ()) for a in ("worth", "harbour.count", "cost[1]")]
    leaves += [*known.get("number", ()), *(f"{v}.value" for v in known.get("card", ()))]
    leaves += [f"{v}.size" for v in known.get("ship", ())]
    if depth <= 0:
        return draw(st.sampled_from([*leaves, *map(str, range(10))]))
    n = numbers(depth - 1, known)
    t = truths(depth - 1, known)
    return _pick(
        draw,
        lambda: draw(_selection("count", depth, known)),
        lambda: draw(_fold("sum", depth, known)),
        lambda: draw(st.sampled_from(leaves)),
        lambda: f"({draw(n)} {draw(st.sampled_from(['*', '-', '+']))} {draw(n)})",
        lambda: f"({draw(n)} {draw(st.sampled_from(['%', '//']))} {draw(divisors(depth - 1, known))})",
        lambda: f"(-{draw(n)})",
        lambda: f"abs({draw(n)})",
        lambda: f"{draw(st.sampled_from(['min', 'max']))}({draw(n)}, {draw(n)}, {draw(n)})",
        lambda: f"(if {draw(t)} then {draw(n)} else {draw(n)})",
        lambda: f"({draw(_fold('min', depth, known))} otherwise {draw(n)})",
        lambda: f"({draw(_fold('max', depth, known))} otherwise {draw(n)})",
        lambda: f"{draw(lists(depth - 1, known))}.count",
        lambda: f"{draw(sets(depth - 1, known))}.count",
        lambda: f"pier_points[max(0, min(4, {draw(n)}))]",
        lambda: f"(pier_points[{draw(n)}] otherwise {draw(n)})",
        lambda: f"(list(p.coins for p in player)[{draw(n)}] otherwise {draw(n)})",
        lambda: f"({draw(cells(depth - 1, known))}.below.depth otherwise {draw(n)})",
        lambda: f"(deck.top.value otherwise {draw(n)})",
        lambda: f"({draw(players(depth - 1, known))}.goal.reached(me) otherwise {draw(n)})",
        lambda: f"piers_of({draw(players(depth - 1, known))})",
    )


@st.composite
def divisors(draw: DrawFn, depth: int, known: Known) -> str:
    """An integer that is never 0, which can be seen from how it is written."""
    n = draw(numbers(depth, known))
    return _pick(
        draw,
        lambda: f"max(1, {n})",
        lambda: f"min(-1, {n})",
        lambda: f"(1 + abs({n}))",
        lambda: str(draw(st.sampled_from([-7, -1, 1, 2, 9]))),
    )


@st.composite
def truths(draw: DrawFn, depth: int, known: Known) -> str:
    """A condition that is never none."""
    if depth <= 0:
        leaves = ["true", "false", "round > 1", "exists me.goal", "deck.empty", "option.open_hands"]
        leaves += [f"{v}.rim" for v in known.get("cell", ())] + [f"{v}.visited" for v in known.get("town", ())]
        return draw(st.sampled_from(leaves))
    n, t = numbers(depth - 1, known), truths(depth - 1, known)
    p, c = players(depth - 1, known), cells(depth - 1, known)
    order = st.sampled_from([">=", ">", "<=", "<", "!=", "=="])
    return _pick(
        draw,
        lambda: f"{draw(n)} in {draw(n)}..9",
        lambda: draw(_all(depth, known)),
        lambda: draw(_selection("any", depth, known)),
        lambda: f"{draw(n)} {draw(order)} {draw(n)}",
        lambda: f"({draw(t)} and {draw(t)} and {draw(t)})",
        lambda: f"({draw(t)} or {draw(t)})",
        lambda: f"(not {draw(t)})",
        lambda: f"{draw(p)} {draw(st.sampled_from(['==', '!=']))} {draw(p)}",
        lambda: f"{draw(c)} {draw(st.sampled_from(['in', 'not in']))} {draw(sets(depth - 1, known))}",
        lambda: f"{draw(c)} in {draw(lists(depth - 1, known))}",
        lambda: f"{draw(n)} in [1, {draw(n)}]",
        lambda: f"{draw(c)}.below in {draw(sets(depth - 1, known))}",
        lambda: f"{draw(c)}.below in {draw(lists(depth - 1, known))}",
        lambda: f"{draw(c)}.pier in [{draw(c)}.pier, pier({draw(p)}), none]",
        lambda: f"first(s in yard where s.size == {draw(n)}) in [ship(1), me.fleet.any]",
        lambda: f"take(1, {draw(p)}.stock) == [{draw(c)}.pier otherwise pier({draw(p)})]",
        lambda: f"{draw(lists(depth - 1, known))} == {draw(lists(depth - 1, known))}",
        lambda: f"[{draw(n)}, 2] == 1..2",
        lambda: f"exists {draw(c)}.below",
        lambda: f"exists {draw(c)}.pier",
        lambda: f"{draw(c)}.pier.owner == {draw(p)}",
        lambda: f"{draw(c)}.pier == pier({draw(p)})",
        lambda: "ship(1) in me.fleet",
        lambda: "first(s in yard where s.size == 2) in yard",
        lambda: f"free({draw(c)})",
        lambda: f"{draw(sets(depth - 1, known))} == {draw(sets(depth - 1, known))}",
        lambda: f"{draw(lists(depth - 1, known))}.empty",
        lambda: f"(if {draw(t)} then {draw(t)} else {draw(t)})",
    )


@st.composite
def players(draw: DrawFn, depth: int, known: Known) -> str:
    """A player."""
    leaves = ["me", "captain", "red", *known.get("player", ())]
    if depth <= 0:
        return draw(st.sampled_from(leaves))
    p, t = players(depth - 1, known), truths(depth - 1, known)
    return _pick(
        draw,
        lambda: draw(st.sampled_from(leaves)),
        lambda: f"{draw(p)}.left",
        lambda: f"{draw(p)}.right.right",
        lambda: f"(if {draw(t)} then {draw(p)} else {draw(p)})",
        lambda: f"(richest.{draw(st.sampled_from(['first', 'last', 'any']))} otherwise {draw(p)})",
        lambda: f"(least(x in player by x.fleet.count).first otherwise {draw(p)})",
        lambda: f"({draw(cells(depth - 1, known))}.pier.owner otherwise {draw(p)})",
    )


@st.composite
def cells(draw: DrawFn, depth: int, known: Known) -> str:
    """A site."""
    leaves = ["cell[0, 0]", "cell[3, 2]", "cell[4, 4]", *known.get("cell", ())]
    if depth <= 0:
        return draw(st.sampled_from(leaves))
    c, n = cells(depth - 1, known), numbers(depth - 1, known)
    return _pick(
        draw,
        lambda: draw(st.sampled_from(leaves)),
        lambda: f"({draw(c)}.below otherwise {draw(c)})",
        lambda: f"(cell[{draw(n)}, {draw(n)}] otherwise {draw(c)})",
        lambda: f"(first({draw(_each('cell', depth, known))}) otherwise {draw(c)})",
        lambda: f"({draw(lists(depth - 1, known))}.last otherwise {draw(c)})",
    )


@st.composite
def sets(draw: DrawFn, depth: int, known: Known) -> str:
    """A set of sites."""
    c = cells(max(0, depth - 1), known)
    leaf = f"{draw(c)}.beside"
    if depth <= 0:
        return leaf
    s, n = sets(depth - 1, known), numbers(depth - 1, known)
    name, inner = _name(known, "cell")
    return _pick(
        draw,
        lambda: leaf,
        lambda: f"({draw(s)} + {draw(s)})",
        lambda: f"({draw(s)} - {draw(c)})",
        lambda: f"set({draw(cells(depth - 1, inner))} for {name} in {draw(st.sampled_from(SOURCES['cell']))})",
        lambda: f"reach({name} from {draw(c)} via {name}.beside cost abs({draw(numbers(0, inner))}) within {draw(n)})",
        lambda: f"in_reach({draw(c)})",
    )


@st.composite
def lists(draw: DrawFn, depth: int, known: Known) -> str:
    """A list of sites."""
    c = cells(max(0, depth - 1), known)
    leaf = draw(st.sampled_from(["line[0].cells", "line[2].cells", "north.shore"]))
    if depth <= 0:
        return leaf
    items, by = lists(depth - 1, known), _each("cell", depth, known)
    name, inner = _name(known, "cell")
    best = st.sampled_from(["most", "least", "sort"])
    value, amount = numbers(depth - 1, inner), numbers(depth - 1, known)
    source = st.sampled_from(SOURCES["cell"])
    where = truths(depth - 1, inner)
    return _pick(
        draw,
        lambda: leaf,
        lambda: f"({draw(items)} + {draw(items)})",
        lambda: f"({draw(items)} - {draw(c)})",
        lambda: f"[{draw(c)}, {draw(c)}]",
        lambda: f"take({draw(amount)}, {draw(items)})",
        lambda: f"list({draw(cells(depth - 1, inner))} for {name} in {draw(source)} where {draw(where)})",
        lambda: f"{draw(best)}({name} in {draw(source)} where {draw(where)} by {draw(value)})",
        lambda: f"longest({draw(by)})",
        lambda: f"stretch({name} in line[1].cells where {draw(where)} around {draw(c)})",
        lambda: f"walk({name} from {draw(c)} step {name}.below)",
        lambda: f"walk({name} from {draw(c)} step if {draw(where)} then {name}.below else none)",
    )


@st.composite
def _each(draw: DrawFn, kind: str, depth: int, known: Known) -> str:
    name, inner = _name(known, kind)
    source = draw(st.sampled_from(SOURCES[kind]))
    return f"{name} in {source} where {draw(truths(depth - 1, inner))}"


@st.composite
def _selection(draw: DrawFn, op: str, depth: int, known: Known) -> str:
    return f"{op}({draw(_each(draw(st.sampled_from(list(SOURCES))), depth, known))})"


@st.composite
def _fold(draw: DrawFn, op: str, depth: int, known: Known) -> str:
    kind = draw(st.sampled_from(list(SOURCES)))
    name, inner = _name(known, kind)
    where = truths(depth - 1, inner)
    filtered = f" where {draw(where)}" if op != "sum" or draw(st.booleans()) else ""
    return f"{op}({draw(numbers(depth - 1, inner))} for {name} in {draw(st.sampled_from(SOURCES[kind]))}{filtered})"


@st.composite
def _all(draw: DrawFn, depth: int, known: Known) -> str:
    kind = draw(st.sampled_from(list(SOURCES)))
    name, inner = _name(known, kind)
    return f"all({draw(truths(depth - 1, inner))} for {name} in {draw(st.sampled_from(SOURCES[kind]))})"


@st.composite
def effects(draw: DrawFn, depth: int, known: Known) -> str:
    """An effect as a value."""
    if depth <= 0:
        return draw(st.sampled_from(["promise", "nothing", "pass_on", "builders.reward", "coins(2)"]))
    e, n = effects(depth - 1, known), numbers(depth - 1, known)
    return _pick(
        draw,
        lambda: f"coins(max(1, min(5, {draw(n)})))",
        lambda: f"(if {draw(truths(depth - 1, known))} then {draw(e)} else {draw(e)})",
        lambda: f"(next_town(north).gift otherwise {draw(e)})",
    )


def expressions(depth: int = 3) -> SearchStrategy[str]:
    """An expression of any type."""
    return st.one_of(*(make(depth, {}) for make in (numbers, truths, players, cells, sets, lists, effects)))
