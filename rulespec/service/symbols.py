"""What a game declares, by name, with the places of the names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.model.groups import kinds_in
from rulespec.model.world import World
from rulespec.service.reading import pairs_of
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: Sections in which each key declares something of that kind.
PLAIN = (
    *("values", "functions", "effects", "actions", "events", "triggers", "zones", "state", "tracks", "relations"),
    *("messages", "terms", "rules", "rulebooks", "scenarios"),
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something that is declared: `kind` is its section, or `kinds`, `attributes`, `members`, `options`, `variants`.

    What belongs to something else has both names: `cell.rim`, `ground.hill`.
    """

    kind: str
    name: str

    @property
    def last(self) -> str:
        """The part of its name that stands where it is used."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where something is declared: its name as it is written there, and what is said of it."""

    symbol: Symbol
    key: Scalar
    node: Node | None


def declared_in(tree: Mapping) -> Iterator[Declaration]:
    """All that a file declares."""
    for section in PLAIN:
        for key, node in pairs_of(tree.get(section)):
            yield Declaration(Symbol(section, key.text), key, node)
    for key, node in pairs_of(tree.get("enums")):
        yield Declaration(Symbol("kinds", key.text), key, node)
        yield from _members(key.text, node.get("values") if isinstance(node, Mapping) else node)
        yield from _attributes(key.text, node, "attributes")
    for _, group in pairs_of(tree.get("boards")):
        for key, node in kinds_in(group):
            yield Declaration(Symbol("kinds", key.text), key, node)
            yield from _attributes(key.text, node, "attributes")
            yield from _attributes(key.text, node, "for")
            yield from _members(key.text, node.get("rows") if isinstance(node, Mapping) else None)
    for key, node in pairs_of(tree.get("pieces")):
        yield Declaration(Symbol("kinds", key.text), key, node)
        yield from _attributes(key.text, node, "attributes")
        yield from _members(f"{key.text}.face", node.get("faces") if isinstance(node, Mapping) else None)
    for _, node in pairs_of(tree.get("tracks")):
        space = node.get("space") if isinstance(node, Mapping) else None
        if isinstance(space, Scalar):
            yield Declaration(Symbol("kinds", space.text), space, node)
            yield from _attributes(space.text, node, "attributes")
    yield from _of_game(tree.get("game"))
    variant = tree.get("variant")
    name = variant.get("id") if isinstance(variant, Mapping) else None
    if isinstance(name, Scalar):
        yield Declaration(Symbol("variants", name.text), name, variant)


def kept_under(w: World, key: str) -> Symbol | None:
    """The zone, the track or the state that is read by a key."""
    if key in w.zones:
        return Symbol("zones", key)
    if key in w.states:
        return Symbol("tracks" if w.states[key].track else "state", key)
    return None


def alone(w: World, name: str) -> Symbol | None:
    """The value, function, effect, zone, state or kind that a name means where it stands alone."""
    if name in w.values:
        return Symbol("values", name)
    if name in w.functions:
        return Symbol("functions", name)
    if name in w.effects:
        return Symbol(w.effects[name].section, name)
    return kept_under(w, name) or (Symbol("kinds", name) if name in w.domains or name in w.pieces else None)


def _of_game(game: Node | None) -> Iterator[Declaration]:
    if isinstance(game, Mapping):
        for key, node in pairs_of(game.get("options")):
            yield Declaration(Symbol("options", key.text), key, node)
        yield from _members("player", game.get("seats"))


def _members(owner: str, node: Node | None) -> Iterator[Declaration]:
    for key, value in pairs_of(node):
        yield Declaration(Symbol("members", f"{owner}.{key.text}"), key, value)
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            yield Declaration(Symbol("members", f"{owner}.{item.text}"), item, None)


def _attributes(owner: str, node: Node | None, under: str) -> Iterator[Declaration]:
    for key, value in pairs_of(node.get(under) if isinstance(node, Mapping) else None):
        yield Declaration(Symbol("attributes", f"{owner}.{key.text}"), key, value)
