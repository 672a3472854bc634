"""Values as words: numbers, members, sites, pieces, lists, by the messages that name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.middle.facts import Facts
from interpreter.texts.catalogue import Catalogue
from interpreter.texts.phrases import Cells, Phrase, Writer
from interpreter.texts.sight import Sight
from rulespec.lower.ir import NO_INTEGER
from rulespec.messages.elision import joined
from rulespec.messages.keys import member_key, piece_key, site_key, zone_words_key
from rulespec.messages.plurals import join_words, plural_category
from rulespec.model.types import (
    NONE,
    PLAYER,
    Boolean,
    EffectType,
    Integer,
    ListType,
    Member,
    Piece,
    Record,
    SetType,
    SumType,
    Type,
    Zone,
    may_be_none,
    strip,
)
from rulespec.model.world import PieceKind

Typed = tuple[Any, Type]
_DEEPEST = 16  #: names inside names
_MOST_PLACES = 1_000  #: placeholders of one text, those of the names in it among them


class Words:
    """The words of one game in one language."""

    def __init__(self, facts: Facts, catalogue: Catalogue, language: str):
        self.world = facts.world
        self.language = language
        self.catalogue = catalogue
        self.sight = Sight(facts)
        self._writer = Writer(facts)
        self._empty = facts.empty
        self._phrases: dict[tuple[str, tuple[tuple[str, Type], ...]], Phrase | None] = {}
        self._open: list[str] = []
        self._left = _MOST_PLACES
        self.shown: frozenset[int] = frozenset()

    # ---- messages ----

    def message(
        self, key: str, env: Mapping[str, Typed], cells: Cells | None = None, viewer: int | None = None
    ) -> str | None:
        """The text under a key, with these names; None where there is none that can be shown with them."""
        if len(self._open) >= _DEEPEST:
            return None
        phrase = self._phrase(key, tuple((name, t) for name, (_, t) in env.items()))
        if phrase is None:
            return None
        cells = self._empty if cells is None else cells
        self._left = self._left if self._open else _MOST_PLACES
        self._open.append(key)
        try:
            parts = phrase.parts(cells, [value for value, _ in env.values()])
            return joined(phrase.language, [p if isinstance(p, str) else self._filled(p, cells, viewer) for p in parts])
        finally:
            self._open.pop()

    def knows(self, key: str, env: Mapping[str, Typed]) -> bool:
        """Whether there is a text under a key that can be shown with these names."""
        return self._phrase(key, tuple((name, t) for name, (_, t) in env.items())) is not None

    def stretches(self, key: str, env: Mapping[str, Typed], cells: Cells | None = None) -> list[str | Typed] | None:
        """The text under a key, its placeholders as values: for whoever shows values in another way than by name."""
        phrase = self._phrase(key, tuple((name, t) for name, (_, t) in env.items()))
        cells = self._empty if cells is None else cells
        return None if phrase is None else phrase.parts(cells, [value for value, _ in env.values()])

    def _filled(self, typed: Typed, cells: Cells, viewer: int | None) -> str:
        """A placeholder's words; too many for one text are cut off, as names that mention names may grow fast."""
        self._left -= 1
        return self.name(*typed, cells, viewer) if self._left >= 0 else "…"

    def _phrase(self, key: str, names: tuple[tuple[str, Type], ...]) -> Phrase | None:
        at = (key, names)
        if at not in self._phrases:
            message = self.catalogue.find(key)
            phrase = None if message is None else Phrase(message, names, self._writer)
            self._phrases[at] = phrase if phrase is not None and phrase.usable else None
        return self._phrases[at]

    def word(self, key: str, **given: str | int) -> str:
        """One of the engine's own texts, its placeholders filled with what is given; the key where there is none."""
        message = self.catalogue.find(key)
        if message is None:
            return key
        texts = message.variants.texts
        chosen = texts["other"] if "other" in texts else next(iter(texts.values()))
        number = given.get(message.select.text) if message.select is not None else None  # type: ignore[attr-defined]
        if isinstance(number, int):
            chosen = texts.get(number) or texts.get(plural_category(message.language, number)) or chosen
        parts = [p if isinstance(p, str) else str(given.get(p.span.text.strip(), "")) for p in chosen.parts]
        return joined(message.language, parts)

    # ---- values ----

    def name(self, value: Any, t: Type, cells: Cells | None = None, viewer: int | None = None) -> str:
        """A value of a type in words."""
        inner = strip(t)
        if inner == NONE or value == (NO_INTEGER if isinstance(inner, Integer) else -1):
            return self.word("engine.none")
        show = _BY_TYPE.get(type(inner))
        return str(value) if show is None else show(self, value, inner, cells, viewer)

    def values(self, given: Sequence[Typed], cells: Cells | None = None, viewer: int | None = None) -> str:
        """Several values in words, one after the other."""
        return self.in_a_row([self.name(value, t, cells, viewer) for value, t in given])

    def in_a_row(self, words: Sequence[str]) -> str:
        """Words one after the other, with what the language puts between them."""
        joined = words[0] if words else ""
        for word in words[1:]:
            joined = self.word("engine.comma", one=joined, other=word)
        return joined

    def together(self, words: list[str]) -> str:
        """Words as one list in running text: none, one, or several with what the language puts between them."""
        if len(words) < 2:
            return words[0] if words else self.word("engine.none")
        comma, last = self.catalogue.find("engine.comma"), self.catalogue.find("engine.and")
        if comma is None or last is None or self.language not in (comma.language, last.language):
            return join_words(self.language, words)
        return self.word("engine.and", one=self.in_a_row(words[:-1]), other=words[-1])

    def member(self, domain_name: str, index: int, cells: Cells | None = None) -> str:
        """A member of an enum, a site, a seat, a face or a space of a track."""
        domain = self.world.domains[domain_name]
        name = domain.members[index]
        if name is not None:
            return self.message(member_key(domain_name, name), {}) or name
        env = {domain_name: (index, Member(domain_name))}
        return self.message(site_key(domain_name), env, cells) or self._coordinates(domain_name, index)

    def _coordinates(self, domain_name: str, index: int) -> str:
        domain = self.world.domains[domain_name]
        coords = domain.coords[index] if domain.coords else (index,)
        kind = self.message(domain_name, {})
        if domain.form == "track":
            return f"{kind} {index}" if kind else str(index)
        kind = kind or domain_name
        if not domain.dims:
            return f"{kind}[{index}]"
        at = zip(domain.dims, coords, strict=True)
        return f"{kind}[{','.join(self.member(dim.domain, c) if dim.domain else str(c) for dim, c in at)}]"

    def face(self, kind_name: str, face: int) -> str:
        """A face of a kind of pieces, by its number among them."""
        kind = self.world.pieces[kind_name]
        return self.name(kind.lowest_face + face, kind.face_type)

    def side(self, piece: int, cells: Cells | None, viewer: int | None) -> str:
        """What the viewer sees of a piece: `front`, `back` or `hidden`. Those in `shown` are open to everybody."""
        return self.sight.side(self._empty if cells is None else cells, piece, None if piece in self.shown else viewer)

    def piece(self, piece: int, kind: str, cells: Cells | None = None, viewer: int | None = None) -> str:
        """A piece by what the viewer sees of it."""
        return self.piece_by(self.side(piece, cells, viewer), piece, kind, cells)

    def piece_by(self, side: str, piece: int, kind: str, cells: Cells | None = None) -> str:
        """A piece by one of its sides; of one that is `hidden` only what kind it is."""
        if side == "back":
            piece = self.sight.unseen(piece)
        env = {kind: (piece, Piece(kind))}
        plain = self.message(kind, {}) or kind
        if side == "front":
            return self.message(piece_key(kind, "name"), env, cells) or self._described(plain, piece, kind)
        found = self.message(piece_key(kind, "back"), env, cells) if side == "back" else None
        return found or self.word(
            "engine.hidden", kind=self._described(plain, piece, kind) if side == "back" else plain
        )

    def _described(self, plain: str, piece: int, kind_name: str) -> str:
        """A piece whose kind has no text for it: told apart from others by its row, or else by what it has."""
        kind = self.world.pieces[kind_name]
        code = self.sight.place_of(piece)[2]
        row = kind.row_names[code] if code < len(kind.row_names) else None
        parts = [row] if row is not None and not kind.per_player else self._attributes(kind, code)
        if kind.faces and not kind.has_own_faces and code < kind.count:
            parts = [*parts, self.face(kind_name, kind.codes[code][-1])]
        return self.word("engine.piece", kind=plain, attributes=self.in_a_row(parts)) if parts else plain

    def without_owner(self, kind: PieceKind, code: int) -> str:
        """What a piece is that belongs to a player, whoever that is: its kind and its attributes."""
        plain = self.message(kind.name, {}) or kind.name
        parts = self._attributes(kind, code)[1:]
        return self.word("engine.piece", kind=plain, attributes=self.in_a_row(parts)) if parts else plain

    def _attributes(self, kind: PieceKind, code: int) -> list[str]:
        """The attributes of a code in words, as far as a back shows them; what is long or not so is left out."""
        types: dict[str, Type] = {"owner": PLAYER} if kind.per_player else {}
        types |= {name: attribute.type for name, attribute in kind.attributes.items()}
        values = kind.codes[code] if code < kind.count else kind.shown[code - kind.count]
        found = []
        for (name, t), value in zip(types.items(), values, strict=False):
            if value is None or isinstance(value, tuple) or (isinstance(strip(t), Boolean) and not value):
                continue
            if isinstance(strip(t), Boolean):
                found.append(self.message(f"{kind.name}.{name}", {}) or name)
            elif not (may_be_none(t) and value == (NO_INTEGER if isinstance(strip(t), Integer) else -1)):
                found.append(self.name(value, t))
        return found

    def effect(self, number: int, cells: Cells | None = None) -> str:
        """An effect kept as a value, by the name of the effect; several together as a list."""
        name, args, _ = self.world.interned[number]
        if name == "*":
            return self.together([self.effect(part, cells) for part in args])
        return self._effect(name, args, cells)

    def effects(self, numbers: Sequence[int], cells: Cells | None = None) -> str:
        """Effects as their sum: what one of them gives in numbers is added up, in the order of the first of each."""
        found: dict[tuple[str, frozenset[str], int], tuple[int, ...]] = {}
        for number in self._single(numbers):
            name, args, lifted = self.world.interned[number]
            adds = len(args) == 1 and isinstance(self.world.effects[name].params[0][1], Integer)
            key = (name, lifted, -1 if adds else len(found))
            found[key] = (found.get(key, (0,))[0] + args[0],) if adds else args
        return self.together([self._effect(name, args, cells) for (name, _, _), args in found.items()])

    def _single(self, numbers: Sequence[int]) -> Iterator[int]:
        """Effects one by one: those of lists that are kept as one value too."""
        for number in numbers:
            name, args, _ = self.world.interned[number]
            if name == "*":
                yield from self._single(args)
            else:
                yield number

    def _effect(self, name: str, args: Sequence[int], cells: Cells | None) -> str:
        effect = self.world.effects[name]
        env = {n: (value, t) for value, (n, t) in zip(args, effect.params, strict=True)}
        return self.message(f"{name}.name", env, cells) or name

    def zone(self, key: str) -> str:
        """A zone by its key."""
        return self.word("engine.box") if key.startswith("box.") else self.message(zone_words_key(key), {}) or key


# ---- by type ----------------------------------------------------------------------------------------


def _truth(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    return words.word("engine.yes" if value else "engine.no")


def _member(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    assert isinstance(t, Member)
    return words.member(t.domain, value, cells)


def _piece(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    assert isinstance(t, Piece)
    return words.piece(value, t.kind, cells, viewer)


def _effect(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    return words.effect(value, cells)


def _list(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    assert isinstance(t, ListType)
    return words.together([words.name(item, t.of, cells, viewer) for item in value])


def _sum(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    return words.effects(value, cells)


def _set(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    assert isinstance(t, SetType)
    members = [i for i in range(value.bit_length()) if value >> i & 1]
    return words.together([words.member(t.of.domain, i, cells) for i in members])


def _record(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    assert isinstance(t, Record)
    return words.values([(v, ft) for v, (_, ft) in zip(value, t.fields, strict=True)], cells, viewer)


def _zone(words: Words, value: Any, t: Type, cells: Cells | None, viewer: int | None) -> str:
    assert isinstance(t, Zone)
    return words.zone(t.key)


_BY_TYPE: dict[type, Callable[[Words, Any, Any, Cells | None, int | None], str]] = {
    Boolean: _truth,
    Member: _member,
    Piece: _piece,
    EffectType: _effect,
    ListType: _list,
    SumType: _sum,
    SetType: _set,
    Record: _record,
    Zone: _zone,
}
