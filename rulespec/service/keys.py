"""The keys that may stand in a map and are not there yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rulespec.messages.plurals import CATEGORIES, categories
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import ByNode, Data, Field, ListOf, MapOf, Record, Shape, Use
from rulespec.model.types import Integer, MapType, Member, strip
from rulespec.service.below import below_at, fits_below
from rulespec.service.items import Item
from rulespec.service.reading import keys_under, texts_of
from rulespec.service.referred import Known, languages_in, languages_of, languages_written
from rulespec.service.shape_at import fields_of
from rulespec.source.tree import Mapping

if TYPE_CHECKING:
    from rulespec.service.completion import _Asked

_NEEDED, _FIELD, _OTHER, _COMMON = 0, 1, 2, 4
#: Sections that every game has, somewhere in its files.
_EVERY = frozenset({"game", "flow", "actions", "ranking", "messages"})
_MAY = "can be there"  #: a message that the game can do without
_LATE = frozenset({"about", "source", "note", "suppress", "id"})


def keys_for(asked: _Asked, shape: Shape, there: tuple[str, ...]) -> Iterator[Item]:
    """The keys of one shape of map; those that are `there` are left out."""
    if isinstance(shape, Use):
        record = REGISTRY.record(shape.record)
        below = below_at(asked.text, asked.place.offset)
        lacking = _EVERY - set(asked.sections()) if record.name == "file" else frozenset()
        for field in fields_of(record, there):
            if field.name not in there:
                item = _field(record, field, there)
                fits = fits_below(field.shape, below)
                rank = _NEEDED if fits or field.name in lacking else item.rank if fits is None else _COMMON
                yield replace(item, rank=rank)
        if record.others is not None:
            yield from _others(asked, record, record.others, there)
    elif isinstance(shape, MapOf):
        yield from _named(asked, shape, there)
    elif isinstance(shape, Data):
        yield from _table(asked, there)


def _field(record: Record, field: Field, there: tuple[str, ...]) -> Item:
    is_tag = any(form.tag == field.name for form in record.forms)
    rank = _NEEDED if field.required else _COMMON if field.name in _LATE else _FIELD
    if is_tag and not any(form.tag in there for form in record.forms):
        rank = _NEEDED
    what = f"a {record.tags.split(',', maxsplit=1)[0].removeprefix('a ')}" if is_tag and record.tags else record.what
    ending, is_snippet = _ending(field.shape)
    return Item(field.name, "field", what, field.meaning, field.name + ending, rank, is_snippet)


def _ending(shape: Shape) -> tuple[str, bool]:
    """What is written behind a key: a blank, or a new line where a list of steps or a map follows."""
    if isinstance(shape, ListOf) and isinstance(shape.item, Use):
        return ":\n  - $0", True
    if isinstance(shape, (Use, MapOf)) or (isinstance(shape, ByNode) and shape.scalar is None):
        return ":\n  $0", True
    return ": ", False


def _item(name: str, kind: str, detail: str = "", rank: int = _OTHER, meaning: str = "") -> Item:
    return Item(name, kind, detail, meaning, f"{name}: ", rank)


# ---- keys that are no fields -----------------------------------------------------------------------------------------


def _others(asked: _Asked, record: Record, others: MapOf, there: tuple[str, ...]) -> Iterator[Item]:
    known = asked.known()
    if known is None:
        return
    if others.key.id == "language":
        yield from _languages(known, there)
    elif others.key.id == "plural":
        yield from _plurals(asked, there)
    elif record.name == "move":
        game = known.tree.get("game")
        seats = texts_of(game.get("seats") if isinstance(game, Mapping) else None)
        yield from (_item(seat, "seat", rank=_NEEDED) for seat in seats)
    elif others.key.id == "member":
        for name, of in _attributes(asked, known):
            if name not in there:
                yield _item(name, "attribute", of, _NEEDED)


def _languages(known: Known, there: tuple[str, ...]) -> Iterator[Item]:
    wanted = dict.fromkeys((*languages_of(known.tree), *languages_written(known.tree))) or ("en",)
    yield from (_item(code, "language", rank=_NEEDED) for code in wanted if code not in there)


def _plurals(asked: _Asked, there: tuple[str, ...]) -> Iterator[Item]:
    language = next((str(step) for step in reversed(asked.place.way) if _is_code(step)), "")
    wanted = categories(language) if language else CATEGORIES
    yield from (_item(word, "plural", language, _NEEDED) for word in wanted if word not in there)
    yield from (_item(word, "plural", rank=_COMMON) for word in CATEGORIES if word not in (*wanted, *there))


def _is_code(step: str | int) -> bool:
    return isinstance(step, str) and 2 <= len(step.split("-")[0]) <= 3 and step.islower() and step.isascii()


def _attributes(asked: _Asked, known: Known) -> Iterator[tuple[str, str]]:
    """The attributes of the kind, enum or piece whose rows are written."""
    way = [str(step) for step in asked.place.way]
    name = ""
    if way[:1] == ["boards"] and len(way) > 2:
        name = way[2]
    elif (way[:1] in (["enums"], ["pieces"]) and len(way) > 1) or (way[:1] == ["tracks"] and len(way) > 1):
        name = way[1]
    owner = known.world.domains.get(name) or known.world.pieces.get(name)
    if way[:1] == ["tracks"]:
        state = known.world.states.get(name)
        of = strip(state.type) if state is not None else None
        owner = known.world.domains.get(of.domain) if isinstance(of, Member) else None
    if owner is not None:
        yield from ((attribute.name, str(attribute.type)) for attribute in owner.attributes.values())
    yield from ((key, "") for key in keys_under(known.tree, *way[:2], "attributes"))
    if way[:1] == ["boards"] and len(way) > 2:
        yield from ((key, "") for key in keys_under(known.tree, *way[:3], "attributes"))


# ---- maps by name ----------------------------------------------------------------------------------------------------


def _named(asked: _Asked, shape: MapOf, there: tuple[str, ...]) -> Iterator[Item]:
    known = asked.known()
    if known is None:
        return
    way = [str(step) for step in asked.place.way]
    last = way[-1] if way else ""
    if shape.key.id == "language":
        yield from _languages(known, there)
    elif shape.key.id == "plural":
        yield from _plurals(asked, there)
    else:
        for name, kind, detail in _fitting(asked, known, way, last):
            if name not in there:
                yield _item(name, kind, detail, _FIELD if detail == _MAY else _NEEDED)


def _fitting(asked: _Asked, known: Known, way: list[str], last: str) -> Iterator[tuple[str, str, str]]:
    w = known.world
    if last in ("gain", "pay"):
        for state in w.states.values():
            if state.domain == "player" and isinstance(strip(state.type), Integer):
                yield state.name, "state", str(state.type)
    elif last == "options" and way[:1] == ["scenarios"]:
        yield from ((name, "option", str(ir.type)) for name, ir in w.options.items())
    elif last == "defaults":
        yield from ((name, "attribute", of) for name, of in _attributes(asked, known))
    elif last == "switches":
        yield from ((word, "value", "") for word in ("true", "false"))
    elif last == "given":
        asked.start = asked.place.first
        yield from _places(known)
    elif way == ["messages"]:
        asked.start = asked.place.first
        yield from _message_keys(asked, known)
    elif way == ["terms"]:
        yield from ((name, "term", "") for name in _things(known))
    elif way in (["zones"], ["state"], ["tracks"], ["relations"]):
        asked.start = asked.place.first
        yield from ((f"{name}.", "kind", "") for name in w.domains if "." not in name)
    elif last in ("choose", "each"):
        yield from ((name, "kind", "") for name in (*w.domains, *w.pieces) if "." not in name)


def _places(known: Known) -> Iterator[tuple[str, str, str]]:
    """What a position can put something into."""
    w = known.world
    for key, name, domain in (
        *((z.key, z.name, z.domain) for z in w.zones.values() if not z.key.startswith("box.")),
        *((s.key, s.name, s.domain) for s in w.states.values()),
    ):
        if domain is None:
            yield name, "zone", ""
            continue
        found = w.domains.get(domain)
        for member in found.members if found is not None else ():
            if member:
                yield (f"{member}.{name}" if domain == "player" else f"{domain}.{member}.{name}"), "place", key
        if found is not None and found.dims:
            yield f"{domain}[", "place", key


def _message_keys(asked: _Asked, known: Known) -> Iterator[tuple[str, str, str]]:
    """The keys of messages that the game can show, those that it lacks first."""
    if asked.game is None:
        return
    here = languages_in(asked.space.file(*asked.hole).tree)
    written = {key.text for key, text in asked.texts() if not here or here & set(keys_under(text))}
    lacking = dict.fromkeys(key.text for key, _ in asked.texts() if key.text not in written)
    yield from ((key, "message", f"lacks {', '.join(sorted(here))}") for key in lacking)
    variants = asked.game.variants_of(asked.name)
    needed = asked.game.messages_needed(variants, asked.hole)
    for key in asked.game.message_names(variants, asked.hole):
        if key not in written:
            yield key, "message", "is missing" if key in needed else _MAY


def _things(known: Known) -> Iterator[str]:
    """What is declared and has a name that people read, without those that are terms already."""
    written = set(keys_under(known.tree, "terms"))
    for section in ("enums", "pieces", "state", "zones", "tracks", "actions"):
        yield from (name.rpartition(".")[2] for name in keys_under(known.tree, section) if name not in written)
    for group in keys_under(known.tree, "boards"):
        yield from (name for name in keys_under(known.tree, "boards", group) if name not in written)


# ---- tables ----------------------------------------------------------------------------------------------------------


def _table(asked: _Asked, there: tuple[str, ...]) -> Iterator[Item]:
    """The keys of a table: the members of what it is by, or the sites that are related."""
    known = asked.known()
    if known is None:
        return
    way = [str(step) for step in asked.place.way]
    found: list[str] = []
    if way[:1] == ["relations"] and len(way) > 1:
        domain = known.world.domains.get(way[1].partition(".")[0])
        found += [member for member in domain.members if member] if domain is not None else []
    value = known.world.values.get(way[1]) if way[:1] == ["values"] and len(way) > 1 else None
    of = strip(value.type) if value is not None else None
    while isinstance(of, MapType):
        if isinstance(of.key, Member):
            found += [member for member in known.world.domains[of.key.domain].members if member]
        elif isinstance(of.key, Integer) and of.key.count and of.key.low is not None and of.key.high is not None:
            found += [str(number) for number in range(of.key.low, min(of.key.high, of.key.low + 30) + 1)]
        of = strip(of.value)
    for attribute in _by(known, way):
        found += attribute
    yield from (_item(name, "member", rank=_NEEDED) for name in dict.fromkeys(found) if name not in there)


def _by(known: Known, way: list[str]) -> Iterator[list[str]]:
    """The members that an attribute's `values` are ordered by."""
    if "attributes" not in way or "values" not in way:
        return
    at = way.index("attributes")
    node = known.tree
    for name in way[: at + 2]:
        inner = node.get(name)
        if not isinstance(inner, Mapping):
            return
        node = inner
    owner = known.world.domains.get(way[at - 1])
    for name in texts_of(node.get("by")):
        dimension = next((d for d in owner.dims if d.name == name), None) if owner is not None else None
        attribute = owner.attributes.get(name) if owner is not None else None
        kind = dimension.domain if dimension is not None else None
        if attribute is not None and isinstance(of := strip(attribute.type), Member):
            kind = of.domain
        domain = known.world.domains.get(kind or name)
        yield [member for member in domain.members if member] if domain is not None else []
