"""Scenarios before they are run: seats, actions, options, places and conditions that they speak of are there."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.game_source import GameSource, needed, resolve_again
from rulespec.lower.constants import option_nodes, option_values, read_option
from rulespec.lower.context import Context, bad, reporting
from rulespec.lower.counted import count_and_piece, lower_count
from rulespec.lower.expressions import coerce, lower_as
from rulespec.lower.ir import Ir, Load, Var
from rulespec.lower.scope import Scope
from rulespec.messages.book import parts_of
from rulespec.model.types import BOOLEAN, INTEGER, PLAYER, ListType, Piece, Type, Unknown, Zone, strip
from rulespec.overlay.fingerprint import UNPLAYED
from rulespec.overlay.options import switched_on
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.nodes import Sequence as List
from rulespec.source.text import Span

#: Gives the declarations with these variants on for a number of players (None: the most), or none where they clash.
ContextFor = Callable[[Sequence[str], int | None], Context | None]

_KEYS_OF_CHOICES = ("choose", "for_each", "id")


#: How something is written: its style and the characters of its file. What is written alike is read alike.
_Written = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Known:
    """What scenarios have asked of one context: of places and values written alike, many, it is asked once.

    `places` are those that were found right, `values` with the type that was wanted.
    """

    asked: frozenset[str]
    places: dict[_Written, Ir] = field(default_factory=dict)
    values: set[tuple[_Written, Type]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Case:
    """One scenario with the declarations that it is about: for the most players, and for as many as play in it."""

    cx: Context
    own: Callable[[], Context | None]
    node: Mapping
    seats: tuple[str, ...]
    players: int
    known: _Known


def check_scenarios(
    tree: Mapping,
    variants: Sequence[str],
    context_for: ContextFor,
    problems: Problems,
    known: Collection[str] = (),
) -> None:
    """Reports what scenarios name that there is not, and conditions and values of a wrong type.

    Those in `known` are the base game's: they are about the game without these variants, and were looked at there.
    """
    section, base = tree.get("scenarios"), context_for(variants, None)
    asked: dict[int, _Known] = {}
    for key, node in section.pairs if isinstance(section, Mapping) else ():
        if isinstance(node, Mapping) and base is not None and key.text not in known:
            names = _variants(node, base, variants)
            cx = context_for(names, None)
            if cx is not None:
                _check_one(cx, node, partial(context_for, names), asked, problems)


def check_variants(tree: Mapping, known: Collection[str], problems: Problems) -> None:
    """Reports variants that scenarios and parts of the book speak of and that there are not."""
    book = tree.get("book")
    nodes = [node for _, node in _pairs(tree.get("scenarios"))]
    nodes += parts_of(book) if isinstance(book, Mapping) else ()
    for node in nodes:
        for item in _scalars(node.get("variants") if isinstance(node, Mapping) else None):
            if item.text not in known:
                problems.add("RS423", item.span, near=near_to(item.text, known), name=item.text)


def _variants(node: Mapping, base: Context, variants: Sequence[str]) -> list[str]:
    """The variants of a scenario, and those that its options switch on."""
    own = [item.text for item in _scalars(node.get("variants"))]
    options = {key.text: _text(value) for key, value in _pairs(node.get("options"))}
    return [*variants, *own, *switched_on(base.tree, options)]


def _check_one(
    cx: Context,
    node: Mapping,
    context_with: Callable[[int], Context | None],
    asked: dict[int, _Known],
    problems: Problems,
) -> None:
    with reporting(cx, problems):
        _check_frame(cx, node, problems)
        if id(cx) not in asked:
            asked[id(cx)] = _Known(_all_asked(cx))
        low, _ = cx.world.player_range
        seats = tuple(str(name) for name in cx.world.domains["player"].members)
        players = cx.integer(node.get("players"), low)
        case = _Case(cx, partial(context_with, players), node, seats, players, asked[id(cx)])
        _check_moves(case, problems)
        _check_given(case, problems)
        _check_then(case, problems)


def _all_asked(cx: Context) -> frozenset[str]:
    """What the key of an option may begin with."""
    actions = {name for name, effect in cx.world.effects.items() if effect.section == "actions"}
    played = (section for name, section in cx.tree.pairs if name.text not in UNPLAYED)
    return frozenset(word for section in played for word in _asked(section)) | actions | {"may"}


def _asked(node: Node) -> Iterator[str]:
    """The names of choices, and the ids of steps: what the key of an option may begin with."""
    for key, value in _pairs(node):
        if key.text in _KEYS_OF_CHOICES and isinstance(value, Scalar):
            yield value.text
        yield from _asked(value)
    for item in node.items if isinstance(node, List) else ():
        yield from _asked(item)


# ---- players, options --------------------------------------------------------------------------------


def _check_frame(cx: Context, node: Mapping, problems: Problems) -> None:
    players = node.get("players")
    low, high = cx.world.player_range
    if isinstance(players, Scalar) and isinstance(players.value, int) and not low <= players.value <= high:
        problems.add("RS434", players.span, count=players.value, players=counted(low, high))
    known = {key.text: option for key, option in option_nodes(cx)}
    for key, value in _pairs(node.get("options")):
        if key.text in cx.world.broken:
            continue
        if key.text not in known:
            problems.add("RS431", key.span, near=near_to(key.text, known), name=key.text)
            continue
        t = cx.type(known[key.text].get("type"))
        if not isinstance(t, Unknown) and read_option(cx, t, _text(value)) is None:
            values = [str(v).lower() if isinstance(v, bool) else str(v) for v in option_values(cx, t)]
            near = None if _text(value).isdigit() else near_to(_text(value), values)
            hint = f"Its values: {', '.join(values)}."
            problems.add("RS432", value.span, hint=hint, near=near, name=key.text, value=_text(value))


def counted(low: int, high: int) -> str:
    """A range of numbers of players, in words."""
    return str(low) if low == high else f"{low} to {high}"


def check_named(source: GameSource, problems: Problems) -> None:
    """Reports what is named and stands nowhere in the game and its variants: rules (RS643) and rounds (RS654)."""
    _check_shown_rules(source, problems)
    _check_rounds(source, problems)


def _check_shown_rules(source: GameSource, problems: Problems) -> None:
    """Reports rules that scenarios name and that neither the game nor a variant has (RS643)."""
    trees = [source.base, *(variant.tree for variant in source.variants.values())]
    known = {key.text for tree in trees for key, _ in _pairs(tree.get("rules"))}
    for tree in trees:
        for _, scenario in _pairs(tree.get("scenarios")):
            for rule in _scalars(scenario.get("rules")) if isinstance(scenario, Mapping) else ():
                if rule.text not in known:
                    problems.add("RS643", rule.span, near=near_to(rule.text, sorted(known)), name=rule.text)


def _check_rounds(source: GameSource, problems: Problems) -> None:
    """Reports rounds that states and scenarios name and that no `repeat` has (RS654)."""
    trees = [source.base, *(variant.tree for variant in source.variants.values())]
    known = {name for tree in trees for name in _rounds_of(tree)}
    named = [name for tree in trees for field in _ROUNDS_NAMED for name in _named(tree, *field)]
    for name in named:
        if name.text not in known:
            problems.add("RS654", name.span, near=near_to(name.text, sorted(known)), name=name.text)
    if named and not problems.has_errors:
        _check_rounds_with(source, problems)


#: Sections, and the field of their entries that names a round.
_ROUNDS_NAMED: Final = (("state", "anew"), ("scenarios", "to_end_of"))


def _check_rounds_with(source: GameSource, problems: Problems) -> None:
    """Reports states whose round is there, but not in the game by itself, or with one of its variants."""
    told: set[Span] = set()
    for variant in (None, *source.variants):
        tree = source.base if variant is None else resolve_again(source, needed(source, [variant]))
        known = set(_rounds_of(tree))
        for name in _named(tree, "state", "anew"):
            if name.text not in known and name.span not in told:
                told.add(name.span)
                where = "Without variants" if variant is None else f"With the variant '{variant}'"
                hint = f"{where} there is no such round, and this would never begin anew."
                problems.add("RS654", name.span, hint=hint, name=name.text)


def _named(tree: Mapping, section: str, field_of_it: str) -> Iterator[Scalar]:
    """The names in one field of all entries of a section."""
    for _, entry in _pairs(tree.get(section)):
        name = entry.get(field_of_it) if isinstance(entry, Mapping) else None
        if isinstance(name, Scalar):
            yield name


def _rounds_of(tree: Mapping) -> Iterator[str]:
    """The names of the rounds of a game, as it is played."""
    return (name for key, section in tree.pairs if key.text not in UNPLAYED for name in _rounds(section))


def _rounds(node: Node) -> Iterator[str]:
    """The names of the rounds of all `repeat` in a part of the tree."""
    name = node.get("round") if isinstance(node, Mapping) and "repeat" in node else None
    if isinstance(name, Scalar):
        yield name.text
    inner = [value for _, value in node.pairs] if isinstance(node, Mapping) else ()
    for item in node.items if isinstance(node, List) else inner:
        yield from _rounds(item)


# ---- moves -------------------------------------------------------------------------------------------


def _check_moves(case: _Case, problems: Problems) -> None:
    at = case.node.get("at")
    if isinstance(at, Scalar) and at.text != "end":
        seat, _, action = at.text.partition(" ")
        if _check_seat(case, at, seat, problems):
            _check_action(case, at, action, problems)
    play = case.node.get("play")
    for move in play.items if isinstance(play, List) else ():
        for key, value in _pairs(move):
            if key.text in ("offered", "refused"):
                for option in _options(value):
                    _check_option(case, option, problems)
            elif key.text == "secret":
                _check_secret(case, value, problems)
            elif _check_seat(case, key, key.text, problems) and isinstance(value, Scalar):
                _check_option(case, value, problems)


def _check_secret(case: _Case, node: Node, problems: Problems) -> None:
    """The zone, and the seats that see into it."""
    zone, seats = (node.get("zone"), node.get("seen_by")) if isinstance(node, Mapping) else (None, None)
    place = case.cx.lower(zone, position_scope(case.cx)) if zone is not None else None
    if zone is not None and place is not None and not bad(place) and not isinstance(strip(place.type), Zone):
        problems.add("RS303", zone.span, expected="zone", found=str(place.type))
    for seat in seats.items if isinstance(seats, List) else ():
        if isinstance(seat, Scalar):
            _check_seat(case, seat, seat.text, problems)


def _options(node: Node) -> Iterator[Scalar]:
    """The option keys of an `offered` or `refused`, however they are written."""
    for item in node.items if isinstance(node, List) else (node,):
        option = item.get("option") if isinstance(item, Mapping) else item
        if isinstance(option, Scalar):
            yield option


def _check_seat(case: _Case, node: Scalar, seat: str, problems: Problems) -> bool:
    taken = case.seats[: case.players]
    if seat in taken or seat in case.cx.world.broken:
        return seat in taken
    near = None if seat in case.seats else near_to(seat, [*taken, "offered", "refused"])
    with_them = f"With {case.players} players the seats" if seat in case.seats else "The seats"
    problems.add("RS640", node.span, hint=f"{with_them} are {', '.join(taken)}.", near=near, name=seat)
    return False


def _check_option(case: _Case, node: Scalar, problems: Problems) -> None:
    """An option begins with an action or a choice, or says at once what is chosen: a site, a piece, a number."""
    word = node.text.partition(" ")[0]
    kind = re.split(r"[\[(]", word, maxsplit=1)[0]
    w = case.cx.world
    answers = ("stop", "accept", "decline", "true", "false", "none")
    if kind in w.domains or kind in w.pieces or kind in w.members or kind in w.effects or kind in answers:
        return
    if not word.lstrip("-").isdigit():
        _check_action(case, node, word, problems)


def _check_action(case: _Case, node: Scalar, name: str, problems: Problems) -> None:
    if name not in case.known.asked and name not in case.cx.world.broken:
        problems.add("RS641", node.span, near=near_to(name, sorted(case.known.asked)), name=name)


# ---- places and conditions ---------------------------------------------------------------------------


def position_scope(cx: Context) -> Scope:
    """What a position can name: the whole state, and who has won."""
    names: dict[str, Ir] = {
        "winners": Var(type=ListType(PLAYER, len(cx.world.domains["player"].members)), name="winners"),
        "game_over": Var(type=BOOLEAN, name="game_over"),
    }
    return Scope(cx.world, names, seats_first=True)


_ONE_PLACE = "Name one place of it, with a list of all that lies there: `cell[1, 2].tokens: [token, token]`."


def _check_given(case: _Case, problems: Problems) -> None:
    """Places may be there only for the scenario's own number of players, such as those of a larger share for two."""
    for key, value in _pairs(case.node.get("given")):
        if not _check_place(case.cx, key, value, case.known) and not _check_place_with_fewer(
            case, key, value, problems
        ):
            hint = _ONE_PLACE if key.text in case.cx.world.domains else None
            problems.add("RS642", key.span, text=key.text, hint=hint)


def _check_place_with_fewer(case: _Case, key: Scalar, value: Node, problems: Problems) -> bool:
    own = case.own()
    if own is None:
        return False
    with reporting(own, problems):
        return _check_place(own, key, value, _Known(frozenset()))


def _check_place(cx: Context, key: Scalar, value: Node, known: _Known) -> bool:
    """Checks what is put at a place; false where there is no such place."""
    scope = position_scope(cx)
    place = _place(cx, scope, key, known)
    t = strip(place.type)
    if isinstance(t, Zone):
        kind = Piece(cx.world.zones[t.key].holds)
        for item in value.items if isinstance(value, List) else (value,):
            _check_pieces(cx, scope, item, kind, known)
    elif isinstance(place, Load):
        variable = cx.world.states.get(place.region)
        _check_value(cx, scope, value, INTEGER if variable is not None and variable.track else place.type, known)
    else:
        return bad(place)
    return True


def _check_pieces(cx: Context, scope: Scope, item: Node, kind: Piece, known: _Known) -> None:
    """Checks one entry of what lies at a place: a piece, or a piece with a count before it."""
    if isinstance(item, Scalar) and isinstance(item.value, int):
        hint = f"A count stands before its piece: `{item.text} * {kind.kind}`."
        cx.problems.add("RS303", item.span, expected=kind.kind, found=item.text, hint=hint)
    elif isinstance(item, Mapping):
        hint = f"Pieces are listed, each with its count before it: `[5 * {kind.kind}]`."
        cx.problems.add("RS303", item.span, expected=kind.kind, found="a map", hint=hint)
    else:
        _check_value(cx, scope, item, kind, known)


def _place(cx: Context, scope: Scope, key: Scalar, known: _Known) -> Ir:
    found = known.places.get(_written(key))
    if found is None:
        with reporting(cx, problems := Problems()):
            found = cx.lower(key, scope)
        cx.problems.extend(problems)
        if not (len(problems) or bad(found)):
            known.places[_written(key)] = found
    return found


def _written(node: Scalar) -> _Written:
    return node.style, node.span.text


def _check_value(cx: Context, scope: Scope, node: Node, want: Type, known: _Known) -> None:
    if isinstance(node, Scalar) and (_written(node), want) in known.values:
        return
    with reporting(cx, problems := Problems()):
        _check_one_value(cx, scope, node, want)
    cx.problems.extend(problems)
    if isinstance(node, Scalar) and not len(problems):
        known.values.add((_written(node), want))


def _check_one_value(cx: Context, scope: Scope, node: Node, want: Type) -> None:
    written = cx.expr(node)
    if written is None:
        return
    if isinstance(kind := strip(want), Piece):
        count, piece = count_and_piece(written)
        if count is None or lower_count(scope, count, piece, kind.kind) is not None:
            lower_as(scope, piece, want)
        return
    inner = Scope(scope.world, scope.names, constant=True, seats_first=True)
    coerce(inner, cx.lower(node, inner, None if want == INTEGER else want), want, node.span)


def _check_then(case: _Case, problems: Problems) -> None:
    """Here too something may be there only for the scenario's own number of players."""
    for condition in case.cx.conditions(case.node.get("then")):
        found = _check_condition(case.cx, condition)
        own = case.own() if found.has_errors else None
        problems.extend((found if own is None else _check_condition(own, condition)).items)


def _check_condition(cx: Context, condition: Node) -> Problems:
    found = Problems()
    with reporting(cx, found):
        cx.lower(condition, position_scope(cx), BOOLEAN)
    return found


# ---- reading -----------------------------------------------------------------------------------------


def _pairs(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.pairs if isinstance(node, Mapping) else ()


def _scalars(node: Node | None) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, List) else []


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""
