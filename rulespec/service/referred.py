"""What a name in a field stands for: which declarations it may be one of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.diagnostics.catalogue import all_entries
from rulespec.expr.unfinished import HOLE
from rulespec.lower.labels import labels_of
from rulespec.model.registry import VERBS
from rulespec.model.world import World
from rulespec.service.items import Item
from rulespec.service.place import Place
from rulespec.service.reading import keys_under, pairs_of, texts_of, values_of_key
from rulespec.source.tree import Mapping, Node, Scalar, Sequence, parts_of

#: What the name in a field is a name of, by record and field.
REFERS: Final[dict[tuple[str, str], str]] = {
    ("attribute", "by"): "coordinates",
    ("change", "after"): "steps",
    ("change", "before"): "steps",
    ("change", "insert"): "paths",
    ("change", "remove"): "paths",
    ("change", "replace"): "paths",
    ("change", "set"): "paths",
    ("change", "wrap"): "paths",
    ("kind", "lines_of"): "kinds",
    ("move", ""): "seats",
    ("option", "switches"): "variants",
    ("pack", "game"): "games",
    ("part", "rules"): "rules",
    ("part", "variants"): "variants",
    ("show", "scenario"): "scenarios",
    ("piece", "back"): "attributes",
    ("piece", "per"): "players",
    ("piece_row", "each"): "domains",
    ("refusal", "rule"): "labels",
    ("relation", "as"): "new",
    ("relation", "to"): "domains",
    ("rule", "binds"): "paths",
    ("rule", "shown_by"): "scenarios",
    ("scenario", "at"): "moments",
    ("scenario", "rules"): "rules",
    ("scenario", "variants"): "variants",
    ("show", "board"): "groups",
    ("show", "each"): "domains",
    ("source", "variant"): "variants",
    ("source", "book"): "rulebooks",
    ("step", "choose"): "kinds_to_choose",
    ("step", "for_each"): "kinds_to_choose",
    ("scenario", "to_end_of"): "rounds",
    ("state", "anew"): "rounds",
    ("step", "reason"): "reasons",
    ("step", "round"): "rounds",
    ("step", "rule"): "labels",
    ("suppression", "code"): "codes",
    ("suppression", "language"): "languages",
    ("term", "parent"): "terms",
    ("untold", "path"): "paths",
    ("variant", "after"): "variants",
    ("variant", "conflicts"): "variants",
    ("variant", "requires"): "variants",
    ("when", "emitted"): "events",
    ("when", "emptied"): "zones",
    ("when", "stepped"): "tracks",
    ("zone", "holds"): "pieces",
    ("rulebook", "language"): "languages",
    ("game", "languages"): "languages",
    ("secret", "seen_by"): "seats",
}


#: Where something else is offered first than the names come in order.
OFFERED: Final = {
    ("part", "rules"): "placed",
    **{("change", field): "changed" for field in ("insert", "remove", "replace", "set", "wrap")},
}
#: Sections whose declarations variants change in parts.
_PLAYED: Final = frozenset({"actions", "effects", "triggers", "functions", "values", "relations", "enums", "pieces"})
#: What is placed already comes behind everything that is not.
_PLACED = 40


@dataclass(frozen=True, slots=True)
class Known:
    """What names are looked for in: a tree, what it declares, the place, and the ids of variants and games."""

    tree: Mapping
    world: World
    place: Place
    variants: tuple[str, ...]
    games: tuple[str, ...]


def names_of(kind: str, known: Known) -> Iterator[Item]:
    """The names of a kind that a field may hold."""
    if kind == "placed":
        yield from placed_rules(known)
        return
    find = _FINDERS.get(kind)
    for name in dict.fromkeys(find(known) if find is not None else ()):
        if HOLE not in name:
            yield Item(name, kind.removesuffix("s").replace("_to_choose", "").replace("changed", "path"))


def placed_rules(known: Known) -> Iterator[Item]:
    """The rules for a part of the rulebook: first those that no part has yet."""
    placed = {each.text for each in _texts_under(known.tree.get("book"), "rules")}
    for name in keys_under(known.tree, "rules"):
        yield Item(name, "rule", rank=_PLACED if name in placed else 0)


def _texts_under(node: Node | None, key: str) -> Iterator[Scalar]:
    """The texts of all lists that stand under a key anywhere inside a node."""
    waiting = [node] if node is not None else []
    while waiting:
        at = waiting.pop()
        found = at.get(key) if isinstance(at, Mapping) else None
        yield from (each for each in parts_of(found) if isinstance(each, Scalar)) if found is not None else ()
        waiting += parts_of(at)


def _section(name: str) -> Callable[[Known], Iterator[str]]:
    return lambda known: iter(keys_under(known.tree, name))


def _kinds(known: Known) -> Iterator[str]:
    yield from (name for name, domain in known.world.domains.items() if domain.form != "enum")


def _chosen(known: Known) -> Iterator[str]:
    yield from (name for name in known.world.domains if "." not in name)
    yield from known.world.pieces


def _attributes(known: Known) -> Iterator[str]:
    kind = str(known.place.way[1]) if len(known.place.way) > 1 else ""
    yield from keys_under(known.tree, "pieces", kind, "attributes")
    yield "owner"


def _coordinates(known: Known) -> Iterator[str]:
    for name in known.place.way:
        domain = known.world.domains.get(str(name))
        if domain is not None:
            yield from (dimension.name for dimension in domain.dims)
            yield from domain.attributes
            yield domain.name


def _labels(known: Known) -> Iterator[str]:
    for section in ("actions", "effects", "triggers"):
        yield from labels_of(known.tree.get(section))
    yield from (name.removeprefix("rule.") for name in keys_under(known.tree, "messages") if name.startswith("rule."))
    yield from keys_under(known.tree, "functions")


def _reasons(known: Known) -> Iterator[str]:
    yield from (key.removeprefix("score.") for key in keys_under(known.tree, "messages") if key.startswith("score."))
    yield from (value.text for value in values_of_key(known.tree, "reason"))


def _rounds(known: Known) -> Iterator[str]:
    for section in ("flow", "effects", "actions", "triggers", "setup", "state"):
        for key in ("round", "anew"):
            yield from (value.text for value in values_of_key(known.tree.get(section), key))


def _moments(known: Known) -> Iterator[str]:
    yield "end"
    asked = [*keys_under(known.tree, "actions")]
    for section in ("actions", "effects", "triggers", "flow"):
        for key in ("id", "choose"):
            asked += [value.text for value in values_of_key(known.tree.get(section), key)]
    for seat in _seats(known):
        yield from (f"{seat} {each}" for each in dict.fromkeys(asked))


def _seats(known: Known) -> Iterator[str]:
    game = known.tree.get("game")
    yield from texts_of(game.get("seats") if isinstance(game, Mapping) else None)


def _languages(known: Known) -> Iterator[str]:
    yield from languages_of(known.tree)


def languages_of(tree: Mapping) -> tuple[str, ...]:
    """The languages of a game, and those of its title."""
    game = tree.get("game")
    if not isinstance(game, Mapping):
        return ()
    return tuple(dict.fromkeys((*texts_of(game.get("languages")), *keys_under(game, "title"))))


def languages_written(tree: Mapping) -> tuple[str, ...]:
    """The languages in which anything is said, those of most texts first."""
    found = Counter(code for _, text in pairs_of(tree.get("messages")) for code in keys_under(text))
    return tuple(code for code, _ in found.most_common())


def languages_in(tree: Mapping | None) -> frozenset[str]:
    """The languages in which the messages of a file are written."""
    section = tree.get("messages") if tree is not None else None
    found = Counter(code for _, text in pairs_of(section) for code in keys_under(text))
    return frozenset(code for code, count in found.items() if 2 * count > max(found.values()))


def _steps(known: Known) -> Iterator[str]:
    """The steps of the list that a change is about: its verbs and ids."""
    yield from (value.text for value in values_of_key(known.tree.get("actions"), "id"))
    yield from (value.text for value in values_of_key(known.tree.get("effects"), "id"))
    yield from VERBS


# ---- paths -----------------------------------------------------------------------------------------------------------


#: What else is declared inside of declarations, by section: the keys below which it stands, if any.
_INNER: Final = {"boards": ("",), "enums": ("values",), "game": ("",)}
#: What is in a declaration and is mostly changed as one.
_PARTS: Final = ("do", "is", "where", "if", "steps", "attributes", "values")


def _paths(known: Known) -> Iterator[str]:
    """All paths of declarations; those of what is inside them where one of them is typed already."""
    typed = known.place.typed.strip("\"' ")
    for key, section in known.tree.pairs:
        yield key.text
        for name, entry in _entries(section):
            path = f"{key.text}.{name}"
            yield path
            if typed.startswith((f"{path}.", f"{path}[")):
                yield from _below(path, entry, typed)
            for inner in _INNER.get(key.text, ()):
                yield from (
                    ".".join(filter(None, (path, inner, each))) for each in keys_under(entry, *filter(None, (inner,)))
                )


def _changed(known: Known) -> Iterator[str]:
    """Paths of declarations, and of their parts."""
    yield from _paths(known)
    for key, section in known.tree.pairs:
        if key.text in _PLAYED:
            for name, entry in _entries(section):
                yield from (f"{key.text}.{name}.{part}" for part in keys_under(entry) if part in _PARTS)


def _entries(section: Node) -> Iterator[tuple[str, Node]]:
    yield from ((key.text, value) for key, value in pairs_of(section))


def _below(path: str, node: Node, typed: str, depth: int = 0) -> Iterator[str]:
    for key, value in pairs_of(node):
        inner = f"{path}.{key.text}"
        yield inner
        if depth < 8 and (typed.startswith((f"{inner}.", f"{inner}[")) or depth == 0):
            yield from _below(inner, value, typed, depth + 1)
    if isinstance(node, Sequence):
        for item in node.items:
            for key, value in pairs_of(item):
                if isinstance(value, Scalar):
                    yield f"{path}[{key.text}={value.text}]"


_FINDERS: Final[dict[str, Callable[[Known], Iterator[str]]]] = {
    "attributes": _attributes,
    "changed": _changed,
    "codes": lambda known: (entry.code for entry in all_entries()),
    "coordinates": _coordinates,
    "domains": lambda known: iter(known.world.domains),
    "events": _section("events"),
    "games": lambda known: iter(known.games),
    "groups": _section("boards"),
    "kinds": _kinds,
    "kinds_to_choose": _chosen,
    "labels": _labels,
    "languages": _languages,
    "moments": _moments,
    "paths": _paths,
    "pieces": _section("pieces"),
    "players": lambda known: iter(("player",)),
    "reasons": _reasons,
    "rounds": _rounds,
    "rulebooks": _section("rulebooks"),
    "rules": _section("rules"),
    "scenarios": _section("scenarios"),
    "seats": _seats,
    "steps": _steps,
    "terms": _section("terms"),
    "tracks": _section("tracks"),
    "variants": lambda known: iter(known.variants),
    "zones": _section("zones"),
}
