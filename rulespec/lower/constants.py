"""The game's frame: players, options, and the constants of `values`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as AbstractMapping

from rulespec.diagnostics.model import Related
from rulespec.expr.walk import free_names
from rulespec.lower import make
from rulespec.lower.attributes import MapAt, key_range
from rulespec.lower.context import Context
from rulespec.lower.ir import Const, Ir
from rulespec.lower.make import BAD
from rulespec.lower.scope import Scope
from rulespec.lower.tables import map_values
from rulespec.model.types import BOOLEAN, INTEGER, Boolean, Integer, MapType, Member, Optional, Type, strip
from rulespec.model.world import MOST_CHAINED
from rulespec.source.nodes import Mapping, Node, Scalar

OptionValue = int | bool | str
MOST_PLAYERS = 12
MOST_VALUES = 100  # of one option
_PLAYERS = re.compile(r"([1-9][0-9]?)(?:\.\.([1-9][0-9]?))?")
_WORD = re.compile(r"[a-z_][a-z0-9_]*")
_WHOLE = re.compile(r"-?[0-9]{1,10}")


def player_range(cx: Context) -> tuple[int, int]:
    """The lowest and highest number of players that the game declares."""
    node = cx.field(cx.tree.get("game"), "players")
    found = _PLAYERS.fullmatch(node.text) if isinstance(node, Scalar) else None
    if node is None or found is None:
        return 1, max(1, len(seats(cx)))
    low, high = int(found[1]), int(found[2] or found[1])
    if high < low:
        cx.problems.add("RS303", node.span, expected="a range from low to high", found=cx.text(node))
    if max(low, high) > MOST_PLAYERS:
        cx.problems.add("RS722", node.span, found=max(low, high), most=MOST_PLAYERS)
        most = min(MOST_PLAYERS, max(1, len(seats(cx))))
        return min(low, high, most), most
    return min(low, high), max(low, high)


def _too_many_players(cx: Context) -> bool:
    found = _PLAYERS.fullmatch(cx.text(cx.field(cx.tree.get("game"), "players")))
    return found is not None and int(found[2] or found[1]) > MOST_PLAYERS


def check_seats(cx: Context) -> None:
    """Reports seats of one name, and too few of them."""
    first: dict[str, Scalar] = {}
    found = seats(cx)
    for seat in found:
        if first.setdefault(seat.text, seat) is not seat:
            related = [Related("declared first here", first[seat.text].span)]
            cx.problems.add("RS703", seat.span, related=related, name=seat.text)
    _, most = cx.world.player_range
    node = cx.field(cx.tree.get("game"), "seats")
    if node is not None and len(found) < most and not _too_many_players(cx):
        cx.problems.add("RS719", node.span, seats=len(found), most=most)


def seats(cx: Context) -> list[Scalar]:
    """The seats in order of play."""
    return [s for s in cx.steps(cx.field(cx.tree.get("game"), "seats")) if isinstance(s, Scalar)]


# ---- values -----------------------------------------------------------------------------------------


def declare_values(cx: Context, names: Iterable[str] | None = None) -> None:
    """All constants, or those of the given names; each after those that it needs."""
    entries = {k.text: (k, v) for k, v in cx.section("values")}
    for name in entries if names is None else names:
        if name in entries:
            _value(cx, entries, name, [])


def _value(cx: Context, entries: dict[str, tuple[Scalar, Node]], name: str, open_names: list[str]) -> None:
    if name in cx.world.values:
        return
    key, node = entries[name]
    if name in open_names:
        cx.problems.add("RS702", key.span, name=name)
        cx.world.values[name] = BAD
        return
    if len(open_names) >= MOST_CHAINED:
        cx.too_long(key.span, name)
        cx.world.values[name] = BAD
        return
    for needed in _names_in(cx, node):
        if needed in entries:
            _value(cx, entries, needed, [*open_names, name])
    if name not in cx.world.values:
        cx.world.values[name] = _lowered(cx, name, node)


def _names_in(cx: Context, node: Node) -> list[str]:
    if isinstance(node, Scalar):
        if isinstance(node.value, (int, bool)):
            return []
        e = cx.expr(node)
        return free_names(e) if e is not None else []
    value = cx.field(node, "is")
    children = [value] if value is not None else []
    return [n for c in children if isinstance(c, Scalar) for n in _names_in(cx, c)]


def _lowered(cx: Context, name: str, node: Node) -> Ir:
    if not isinstance(node, Mapping):
        value = cx.constant(node, INTEGER) if not _is_truth(node) else int(node.value)  # type: ignore[attr-defined]
        t: Type = Boolean() if _is_truth(node) else INTEGER
        return BAD if value is None else _constant(value, t)
    t = cx.type(node.get("type"), INTEGER)
    written = node.get("is")
    if written is None:
        return BAD
    if isinstance(t, MapType):
        low, size = key_range(cx.world, t.key)
        table = f"values.{name}"
        cx.world.tables[table] = tuple(map_values(cx, t, written))
        return MapAt(type=t, table=table, row=make.integer(0), low=low, size=size)
    value = cx.constant(written, t)
    return BAD if value is None else _constant(value, t)


def _is_truth(node: Node) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, bool)


def _constant(value: int, t: Type) -> Const:
    return make.integer(value) if isinstance(t, Integer) and isinstance(value, int) else make.const(value, t)


# ---- options ----------------------------------------------------------------------------------------


def option_nodes(cx: Context) -> list[tuple[Scalar, Mapping]]:
    """The game's options: the name and the declaration of each."""
    options = cx.field(cx.tree.get("game"), "options")
    return [(k, v) for k, v in options.pairs if isinstance(v, Mapping)] if isinstance(options, Mapping) else []


def names_in_options(cx: Context) -> list[str]:
    """The names that the types and starts of options speak of: they may be constants."""
    found: list[str] = []
    for _, node in option_nodes(cx):
        for part in (node.get("type"), node.get("start")):
            if isinstance(part, Scalar):
                found += _WORD.findall(part.text)
    return found


def declare_options(cx: Context, chosen: AbstractMapping[str, OptionValue]) -> dict[str, int]:
    """Every option with its chosen value, or the one it starts with; how many steps finding each of them took."""
    steps: dict[str, int] = {}
    for key, node in option_nodes(cx):
        t, before = cx.type(node.get("type")), cx.evaluator.steps
        start = node.get("start")
        if (count := _how_many(t)) > MOST_VALUES:
            cx.problems.add("RS721", node.span, name=key.text, count=count, most=MOST_VALUES)
            t = INTEGER
        if key.text in chosen:
            value = read_option(cx, t, chosen[key.text])
        else:
            value = cx.constant(start, t) if start is not None else 0
        cx.world.options[key.text] = BAD if value is None else make.const(value, t)
        steps[key.text] = cx.evaluator.steps - before
    return steps


def check_constraints(cx: Context) -> None:
    """Reports what is wrong with the constraints of options; whether they hold is asked in `rulespec.options`."""
    for _, node in option_nodes(cx):
        constraint = node.get("constraint")
        if constraint is not None:
            cx.lower(constraint, Scope(cx.world, constant=True), BOOLEAN)


def read_option(cx: Context, t: Type, given: OptionValue) -> int | None:
    """The number of an option's value, given as an integer, a truth value or a member's name; None for no value."""
    if isinstance(t, Optional):
        return make.none_value(t) if given == "none" else read_option(cx, t.of, given)
    if isinstance(t, Member):
        domain = cx.world.domains[t.domain]
        return domain.members.index(str(given)) if str(given) in domain.members else None
    if isinstance(t, Boolean):
        return int(given) if isinstance(given, bool) else {"true": 1, "false": 0}.get(str(given))
    number = int(given) if isinstance(given, int) or _WHOLE.fullmatch(given) else None
    if number is None or isinstance(given, bool) or not isinstance(t, Integer):
        return None
    low, high = t.low, t.high
    return number if (low is None or number >= low) and (high is None or number <= high) else None


def option_values(cx: Context, t: Type) -> list[OptionValue]:
    """All values that an option can have, as a person writes them."""
    if isinstance(t, Optional):
        return ["none", *option_values(cx, t.of)]
    if isinstance(t, Boolean):
        return [False, True]
    if isinstance(t, Member):
        return [m or "" for m in cx.world.domains[t.domain].members]
    if isinstance(t, Integer) and t.low is not None and t.high is not None:
        return list(range(t.low, min(t.high + 1, t.low + MOST_VALUES)))
    return []


def _how_many(t: Type) -> int:
    """How many integers a type holds; 0 for another type, and for one without bounds."""
    inner = strip(t)
    return inner.count if isinstance(inner, Integer) else 0
