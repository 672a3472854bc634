"""What is said of the name at a position, where it is declared, and where it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulespec.lower.ir import Const
from rulespec.messages.pattern import languages
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Field, Word
from rulespec.model.types import Unknown
from rulespec.service.chosen import value_as_chosen
from rulespec.service.files_read import union
from rulespec.service.game import Game
from rulespec.service.known_values import written
from rulespec.service.occurrences import also_declared
from rulespec.service.place import Place, place_at
from rulespec.service.reading import pairs_of, text_under
from rulespec.service.rename import places_of
from rulespec.service.resolved import elsewhere
from rulespec.service.shape_at import field_of, held_at
from rulespec.service.symbol_at import Meant, declarations, local_place, meant_at, place_of_message
from rulespec.service.symbols import Declaration, Symbol
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

_ABOUT = {each.name: each for each in (*REGISTRY.operators, *REGISTRY.builtins, *REGISTRY.members)}


@dataclass(frozen=True, slots=True)
class Hover:
    """What is told of a stretch of a file, as Markdown."""

    start: int
    end: int
    text: str


def hover(space: Workspace, name: str, offset: int) -> Hover | None:
    """What is known at an offset: of a name its type, its value, what is said of it and its words in all languages;
    of a key or a word of the language its meaning.
    """
    text = space.text(name)
    place = place_at(text, offset)
    if place.role == "none" or place.start == place.end:
        return None
    meant, game = meant_at(space, name, offset), space.game_of(name)
    lines = list(_of_meant(game, meant)) if meant is not None and game is not None else []
    if lines and meant is not None:
        return Hover(meant.start, meant.end, "\n\n".join(lines))
    words = _of_language(place, text[place.start : place.end])
    return Hover(place.start, place.end, words) if words else None


def definition(space: Workspace, name: str, offset: int) -> tuple[Span, ...]:
    """Where the name at an offset is declared; several places where variants add to it."""
    game, meant = space.game_of(name), meant_at(space, name, offset)
    if game is None or meant is None:
        return ()
    if meant.symbol is None:
        place = place_at(space.text(name), offset)
        word = space.text(name)[meant.start : meant.end]
        found = local_place(game, name, place, word)
        if found is None and place.way[:1] == ("messages",) and len(place.way) > 1:
            found = place_of_message(game, str(place.way[1]), word)
        return () if found is None else (found.content,)
    return tuple(each.key.content for each in _declared(game, meant.symbol))


def _declared(game: Game, symbol: Symbol) -> list[Declaration]:
    """The declarations of a symbol; the way back of a relation is read as an attribute is."""
    found = [each for each in declarations(game) if each.symbol == symbol]
    trees = [file.tree for file in game.read() if file.tree is not None]
    whole = union(trees) if not found and symbol.kind == "attributes" else None
    if whole is None:
        return found
    back = Symbol("relations", symbol.name)
    return [each for tree in trees for each in also_declared(tree, whole) if each.symbol == back]


def references(space: Workspace, name: str, offset: int) -> tuple[Span, ...]:
    """Where the declaration that a name means is named, its own place among them: in all files of the game.

    They are what a rename would touch.
    """
    return places_of(space, name, offset)


# ---- what is told ----------------------------------------------------------------------------------------------------


def _with_value(game: Game, meant: Meant) -> Meant:
    """A named value where it is declared, with its type and value."""
    frame = game.frame()
    if meant.symbol is None or meant.symbol.kind != "values" or meant.type is not None or frame is None:
        return meant
    world = frame.context.world
    ir = world.values.get(meant.symbol.name)
    if ir is None:
        return meant
    return replace(meant, type=ir.type, value=ir if isinstance(ir, Const) else None, world=world)


def _of_meant(game: Game, meant: Meant) -> Iterator[str]:
    meant = _with_value(game, meant)
    found = [each for each in declarations(game) if each.symbol == meant.symbol] if meant.symbol is not None else []
    title = meant.symbol.name if meant.symbol is not None else "a name of these steps"
    of = "" if meant.type is None or isinstance(meant.type, Unknown) else f": {meant.type}"
    value = written(meant.value, meant.world) if meant.world is not None else ""
    if not found and meant.type is None:
        return
    kind = "" if meant.symbol is None else f" ({meant.symbol.kind})"
    yield f"`{title}{of}`{kind}" + (f" = `{value}`" if value else "")
    if meant.symbol is not None and meant.symbol.kind == "values":
        yield from value_as_chosen(game, meant.symbol.name)
        yield from elsewhere(game, meant.symbol.name)
    for each in found[:1]:
        yield from _said(each)
        yield from _words(game, each.symbol)


def _said(declaration: Declaration) -> Iterator[str]:
    node = declaration.node
    about = text_under(node, "about")
    if about:
        yield about
    listed = pairs_of(node.get("params")) if isinstance(node, Mapping) else ()
    params = [f"{key.text}: {_plain(value)}" for key, value in listed]
    if params:
        yield f"Parameters: `{', '.join(params)}`"
    if isinstance(node, Scalar):
        yield f"`{_plain(node)}`"
    for name in ("source", "reconstructed"):
        given = node.get(name) if isinstance(node, Mapping) else None
        if given is not None:
            yield f"{name.capitalize()}: {_flat(given)}"


def _flat(node: Node) -> str:
    """What is written of a source: its fields with their values, in one line."""
    if isinstance(node, Mapping):
        return ", ".join(f"{key.text} {_flat(value)}" for key, value in node.pairs)
    if isinstance(node, Sequence):
        return "; ".join(map(_flat, node.items))
    return _plain(node)


def _plain(node: Node) -> str:
    return " ".join(node.text.split()) if isinstance(node, Scalar) else "…"


def _words(game: Game, symbol: Symbol) -> Iterator[str]:
    """The words for something, in all languages: its message, or its term, or the text of a rule."""
    names = {
        "members": [symbol.name],
        "actions": [f"{symbol.name}.prompt", f"{symbol.name}.log"],
        "options": [f"option.{symbol.name}"],
        "messages": [symbol.name],
    }.get(symbol.kind, [])
    for file in game.read():
        tree = file.tree
        for key, node in pairs_of(tree.get("messages")) if tree is not None else ():
            if key.text in names:
                yield from _in_languages(node)
        for section in ("terms", "rules"):
            for key, node in pairs_of(tree.get(section)) if tree is not None else ():
                is_it = key.text == symbol.last if section == "terms" else symbol == Symbol("rules", key.text)
                if is_it:
                    yield from _in_languages(
                        node.get("text") if section == "rules" and isinstance(node, Mapping) else node
                    )


def _in_languages(node: Node | None) -> Iterator[str]:
    if not isinstance(node, Mapping):
        return
    for code, text in languages(node):
        other = text.get("other") if isinstance(text, Mapping) else text
        if isinstance(other, Scalar):
            yield f"*{code.text}*: {' '.join(other.text.split())}"


def _of_language(place: Place, word: str) -> str:
    """What a key, a word of a field or a word of the expressions means."""
    held = held_at(place.way, place.around)
    if place.role == "key":
        for shape in held.shapes:
            record = REGISTRY.record(shape.record) if hasattr(shape, "record") else None
            keys = place.around[len(place.way)] if len(place.around) > len(place.way) else ()
            field = field_of(record, keys, word) if record is not None else None
            if field is not None:
                return _field(field)
    for shape in held.shapes:
        if isinstance(shape, Word):
            return dict(shape.words).get(word, "")
    about = _ABOUT.get(word)
    return f"`{about.form}`: {about.gives}\n\n{about.meaning}" if about is not None and place.role != "key" else ""


def _field(field: Field) -> str:
    lines = [f"`{field.name}`" + (" (must be there)" if field.required else ""), field.meaning]
    lines += [f"Default: {field.default}."] if field.default else []
    example = field.example.rstrip()
    return "\n\n".join([*lines, f"```yaml\n{field.name}: {example}\n```" if "\n" not in example else ""]).rstrip()
