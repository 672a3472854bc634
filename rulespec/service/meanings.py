"""What each name in the expressions of a game means, as its lowering for all players, options and variants finds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.expr import ast
from rulespec.lower.ir import Ir
from rulespec.lower.scope import Scope
from rulespec.lower.watch import watching
from rulespec.model.types import Member, Piece, Record, Type, Zone, strip
from rulespec.model.world import World
from rulespec.service.problems import problems_of, snapshot_of
from rulespec.service.stopping import go_on
from rulespec.service.symbols import Symbol, alone, kept_under

if TYPE_CHECKING:
    from rulespec.service.game import Game

#: Where a name begins: the name of its file and an offset.
Place = tuple[str, int]

#: What is no declaration: a name that steps or loops bind, or one of the language.
BOUND = Symbol("", "")


@dataclass(frozen=True, slots=True)
class Meanings:
    """What names mean, by their places; one may have several where variants or options change what it is."""

    found: Mapping[Place, frozenset[Symbol]]

    def at(self, place: Place) -> frozenset[Symbol]:
        """What is named at a place; empty where nothing was found out."""
        return self.found.get(place, frozenset())


def meanings_of(game: Game) -> Meanings:
    """The meanings of all names of a game. It is checked whole for them, which takes as long as `rulespec check`.

    Raises Stopped.
    """
    watcher = _Watcher()
    with watching(watcher):
        problems_of(snapshot_of(game))
    return Meanings({place: frozenset(found) for place, found in watcher.found.items()})


class _Watcher:
    def __init__(self) -> None:
        self.found: dict[Place, set[Symbol]] = {}
        self._types: dict[int, tuple[ast.Expr, Type]] = {}

    def __call__(self, scope: Scope, e: ast.Expr, want: Type | None, made: Ir) -> None:
        go_on()
        self._types[id(e)] = e, made.type
        if isinstance(e, ast.Name):
            self._add(e.span.file.name, e.span.start, _bare(scope, e.name, made.type))
        elif isinstance(e, ast.Get):
            self._add(e.name_span.file.name, e.name_span.start, self._dotted(scope, e))
        elif isinstance(e, (ast.Call, ast.Index)) and isinstance(e.of, ast.Name):
            self._add(e.of.span.file.name, e.of.span.start, _called(scope, e.of.name))

    def _add(self, name: str, start: int, symbol: Symbol | None) -> None:
        if symbol is not None:
            self.found.setdefault((name, start), set()).add(symbol)

    def _dotted(self, scope: Scope, e: ast.Get) -> Symbol | None:
        w = scope.world
        if isinstance(e.of, ast.Name) and e.of.name not in scope.names:
            if e.of.name == "option":
                return Symbol("options", e.name)
            if e.of.name == "box":
                return Symbol("kinds", e.name)
            domain = w.domains.get(e.of.name)
            if domain is not None and e.name in domain.members:
                return Symbol("members", f"{e.of.name}.{e.name}")
        known = self._types.get(id(e.of))
        return None if known is None else _member(w, strip(known[1]), e.name)


def _called(scope: Scope, name: str) -> Symbol | None:
    """What is called or counted off by its name."""
    w = scope.world
    if name in scope.names:
        return BOUND
    if name in w.functions:
        return Symbol("functions", name)
    if name in w.effects:
        return Symbol(w.effects[name].section, name)
    if name in w.domains or name in w.pieces:
        return Symbol("kinds", name)
    return None


def _member(w: World, t: Type, name: str) -> Symbol:
    """What is read of a value of a type after a dot."""
    if isinstance(t, Zone):
        t = Piece(w.zones[t.key].holds)
    if isinstance(t, Record):  # its fields are called as what was chosen is
        return Symbol("kinds", name) if name in w.domains or name in w.pieces else BOUND
    owner = t.domain if isinstance(t, Member) else t.kind if isinstance(t, Piece) else ""
    key = f"{owner}.{name}"
    kept = kept_under(w, key)
    if kept is not None:
        return kept
    plural_of = _of_plural(w, t, name)
    if plural_of is not None:
        return Symbol("plurals", plural_of)
    if isinstance(t, Member) and name in w.domains[t.domain].relations:
        return Symbol("relations", key)
    known: Iterable[str] = w.pieces[t.kind].attributes if isinstance(t, Piece) and t.kind in w.pieces else ()
    if isinstance(t, Member):
        domain = w.domains[t.domain]
        known = (*domain.attributes, *(d.name for d in domain.dims))
    return Symbol("attributes", key) if name in known else BOUND


def _of_plural(w: World, t: Type, name: str) -> str | None:
    """The kind whose sites, read by their plural, have a member as a coordinate."""
    if not isinstance(t, Member):
        return None
    kinds = (kind for kind in w.domains.values() if kind.plural == name)
    return next((kind.name for kind in kinds if any(d.domain == t.domain for d in kind.dims)), None)


def _bare(scope: Scope, name: str, t: Type) -> Symbol | None:
    w, of = scope.world, strip(t)
    if name in scope.names:
        return BOUND
    homes = w.members.get(name, [])
    if isinstance(of, Member) and any(home == of.domain for home, _ in homes):
        return Symbol("members", f"{of.domain}.{name}")
    declared = alone(w, name)
    if declared is not None:
        return declared
    return Symbol("members", f"{homes[0][0]}.{name}") if len(homes) == 1 else None
