"""Pieces and values as marks and words, as one viewer sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from interpreter.draw.declared import Drawings, Form, Item
from interpreter.draw.ink import DIM, Line, join, plain, seat_styles
from interpreter.draw.looks import Looks
from interpreter.draw.marks import short_marks
from interpreter.draw.signs import Signs
from rulespec.model.types import Boolean, EffectType, Integer, ListType, Member, Piece, SetType, Type, strip
from rulespec.model.world import PieceKind, ZoneDecl

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.texts import Texts

Cells = list[Any]
#: Numbers to be shown at sites, by kind and site: those of the options that stand for the sites.
Numbers = Mapping[tuple[str, int], int]

#: The viewer who sees only what everybody sees.
EVERYBODY: Final = -1
#: A kind with more different pieces than this has no marks: its pieces are written by their names.
MOST_MARKS: Final = 40
MOST_NAMES: Final = 24
#: The style of the numbers of options.
NUMBER: Final = "36"


@dataclass(slots=True)
class Look:
    """One drawing: the state's cells, who looks on, and the marks that it used, with their names."""

    cells: Cells
    viewer: int | None
    used: dict[str, tuple[bool, Line]] = field(default_factory=dict)
    """By mark: whether it is of another face than the first, and the name."""


class Pieces:
    """Marks and names of one game's pieces in one language."""

    def __init__(self, game: Game, texts: Texts, drawings: Drawings):
        self._game, self._texts = game, texts
        self._drawings = drawings
        self._seats = seat_styles(game.seats)
        self._sight = texts.words.sight
        self._signs = Signs(texts.words, self)
        self._codes, self._depth = game.facts.pieces.codes, game.facts.pieces.depth

    # ---- marks ----

    @cached_property
    def _marks(self) -> dict[str, str]:
        """The mark of every name that can stand on the boards."""
        items = [item for kind in self._drawings.kinds() for item in kind.items]
        kinds = {item.zone.holds for item in items if item.zone is not None}
        kinds |= {t.kind for item in items if isinstance(t := _inner(item.type), Piece)}
        domains = {t.domain for item in items if isinstance(t := _inner(item.type), Member)}
        names: list[str] = []
        for kind in sorted(kinds):
            found = [] if self._signs.has(kind) else self._kind_names(self._game.world.pieces[kind])
            names += found if len(set(found)) <= MOST_MARKS else ()
        for domain in sorted({"player", *domains}):
            members = self._game.world.domains[domain].members
            unsaid = [i for i, name in enumerate(members) if name is None or not self._signs.has(f"{domain}.{name}")]
            names += [self._texts.words.member(domain, i) for i in unsaid] if len(members) <= MOST_MARKS else ()
        return dict(zip(names, short_marks(names), strict=True))

    def _kind_names(self, kind: PieceKind) -> list[str]:
        plain_codes = [code for code in range(kind.count) if kind.with_face(code, 0) == code]
        return [self._front_name(kind, code) for code in plain_codes]

    def _front_name(self, kind: PieceKind, code: int) -> str:
        zone = next(zone for zone in self._game.world.zones.values() if zone.holds == kind.name)
        ref = zone.first * self._depth * self._codes + code
        return self._texts.words.piece(ref, kind.name)

    def mark(self, look: Look, ref: int, kind_name: str) -> Line:
        """A piece in one to four cells, as far as the viewer sees it."""
        kind = self._game.world.pieces[kind_name]
        side = self._sight.side(look.cells, ref, look.viewer)
        if side != "front":
            return plain("?", DIM)
        code = ref % self._codes
        face = kind.codes[code][-1] if kind.faces else 0
        seen = {kind_name: (ref, Piece(kind_name))}
        own = f"{kind_name}.{kind.faces[face]}" if kind.faces else kind_name
        if kind.has_own_faces and (sign := self._signs.line(look, own, seen, self._style(kind, code))):
            return sign
        sign = self._signs.line(look, kind_name, seen, self._style(kind, code))
        if sign is not None:
            return join([plain("("), sign, plain(")")]) if face and kind.has_own_faces else sign
        if not kind.has_own_faces and kind.faces:
            return self._rolled_mark(look, kind, code)
        name = self._front_name(kind, kind.with_face(code, 0))
        text = mark = self._marks.get(name, name)
        style = self._style(kind, code)
        if face:
            text = f"({text})" if len(kind.faces) == 2 else f"{text}{face}"
        whole = self._texts.words.piece(ref, kind_name, look.cells, look.viewer)
        if face and len(kind.faces) == 2 and (word := self._texts.words.message(f"{kind_name}.{kind.faces[face]}", {})):
            if name != mark:
                look.used.setdefault(mark, (False, plain(name, style)))
            look.used.setdefault("(…)", (True, plain(word)))
        elif whole != text:
            look.used.setdefault(text, (bool(face), plain(whole, style)))
        return plain(text, style)

    def _rolled_mark(self, look: Look, kind: PieceKind, code: int) -> Line:
        """A piece whose faces are numbers or members: what it shows, in brackets, behind what tells it from others."""
        style, face = self._style(kind, code), kind.lowest_face + kind.codes[code][-1]
        shown = self.value(look, face, kind.face_type, short=True)
        told: Line = ()
        if kind.attributes:
            name = self._front_name(kind, kind.with_face(code, 0))
            told = plain(self._marks.get(name, name), style)
        return join([told, plain("[", style), shown, plain("]", style)])

    def player_mark(self, look: Look, seat: int) -> Line:
        """A player in one or two cells."""
        return self.member_mark(look, "player", seat)

    def member_mark(self, look: Look, domain: str, index: int) -> Line:
        """A member of a domain in one or two cells."""
        own = self._game.world.domains[domain].members[index]
        style = self._seats[index] if domain == "player" else ""
        key, env = (f"{domain}.{own}", {}) if own is not None else (domain, {domain: (index, Member(domain))})
        sign = self._signs.line(look, key, env, style)
        if sign is not None:
            return sign
        name = self._texts.words.member(domain, index)
        text = self._marks.get(name, name)
        if text != name:
            look.used.setdefault(text, (False, plain(name, style)))
        return plain(text, style)

    def _style(self, kind: PieceKind, code: int) -> str:
        return self._seats[kind.codes[code][0]] if kind.per_player and code < kind.count else ""

    def legend(self, look: Look, known: set[str]) -> list[Line]:
        """What the marks that were used mean, but for those known, in a stable order: first faces first."""
        order = {mark: at for at, mark in enumerate(self._marks.values())}
        found = sorted(look.used.items(), key=lambda item: (item[1][0], order.get(item[0].strip("()"), len(order))))
        return [
            join([plain(mark, name[0][1]), plain(" = "), name])
            for mark, (_, name) in found
            if name and mark not in known
        ]

    # ---- places ----

    def refs(self, look: Look, zone: ZoneDecl, place: int) -> list[int]:
        """The pieces at a place, from the bottom up."""
        return self._game.facts.pieces.refs(look.cells, zone.first + place)

    def counts(self, look: Look, zone: ZoneDecl, place: int) -> bool:
        """Whether the viewer sees how many pieces lie at a place."""
        return look.viewer is None or self._sight.counts(zone.first + place, look.viewer)

    def any(self, look: Look, zone: ZoneDecl, place: int) -> bool:
        """Whether there is something to be drawn at a place: pieces, or nobody knows how many."""
        return bool(self.refs(look, zone, place)) or not self.counts(look, zone, place)

    def side(self, look: Look, ref: int) -> str:
        """`front`, `back` or `hidden`."""
        return self._sight.side(look.cells, ref, look.viewer)

    def marked(self, look: Look, zone: ZoneDecl, place: int) -> list[Line]:
        """What lies at a place of the board, as marks: a pool by counts, a stack from the bottom up."""
        if not self.counts(look, zone, place):
            return [plain("?", DIM)]
        marks = [self.mark(look, ref, zone.holds) for ref in self.refs(look, zone, place)]
        if zone.shape == "pool":
            return [_counted(mark, n) for mark, n in Counter(marks).items()]
        if len(marks) > MOST_NAMES // 2:
            return [_counted(mark, n) for mark, n in Counter(marks).items()]
        return marks

    def named(self, look: Look, zone: ZoneDecl, place: int) -> Line:
        """What lies at a place, in words; of what is hidden, how many and what their backs or the top show."""
        if not self.counts(look, zone, place):
            return plain("?", DIM)
        refs = self.refs(look, zone, place)
        if not refs:
            return plain(self._texts.word("engine.empty"), DIM)
        sides = [self.side(look, ref) for ref in refs]
        if "hidden" in sides or (zone.shape == "stack" and len(refs) > MOST_NAMES):
            shown = [] if sides[-1] == "hidden" or zone.shape == "pool" else [self.name(look, refs[-1], zone.holds)]
            return join([plain(str(len(refs))), *shown], plain(" · ", DIM))
        return self._all_named(look, zone, place, refs, sides)

    def _all_named(self, look: Look, zone: ZoneDecl, place: int, refs: list[int], sides: list[str]) -> Line:
        names = [self.name(look, ref, zone.holds) for ref in refs]
        if zone.shape == "pool" and "back" in sides:
            names.sort()  # in no order that could tell anything
        in_groups = zone.shape == "pool" or len(set(names)) == 1
        groups = list(Counter(names).items()) if in_groups else [(name, 1) for name in names]
        if len(groups) == 1 and self._is_own(zone, place, refs[0]):
            return plain(str(len(refs)))
        return join([self._times(name, n) for name, n in groups], plain(self._between("engine.comma")))

    def _is_own(self, zone: ZoneDecl, place: int, ref: int) -> bool:
        """Whether the owner of a piece is known from where it lies."""
        kind = self._game.world.pieces[zone.holds]
        code = ref % self._codes
        return kind.per_player and zone.domain == "player" and code < kind.count and kind.codes[code][0] == place

    def _times(self, name: Line, n: int) -> Line:
        return name if n == 1 else join([name, plain(f" ×{n}")])

    def _between(self, key: str) -> str:
        """What a language puts between two things."""
        return self._texts.word(key, first="", second="")

    def name(self, look: Look, ref: int, kind_name: str) -> Line:
        """A piece in words, or by its sign where the content gives it one."""
        kind = self._game.world.pieces[kind_name]
        if self._signs.has(kind_name) and self.side(look, ref) == "front":
            return self.mark(look, ref, kind_name)
        text = self._texts.words.piece(ref, kind_name, look.cells, look.viewer)
        style = self._style(kind, ref % self._codes) if self.side(look, ref) == "front" else ""
        return plain(text, style)

    # ---- other values ----

    def value(self, look: Look, value: Any, t: Type, *, short: bool) -> Line:
        """A value at a site of the board: nothing for none and for what is not so."""
        inner = strip(t)
        if isinstance(inner, (ListType, SetType)):
            return self._several(look, value, inner, short=short)
        if isinstance(inner, Integer):
            return plain(str(value)) if value > -(1 << 31) else ()
        if value is None or value < 0 or (isinstance(inner, Boolean) and not value):
            return ()
        if isinstance(inner, Boolean):
            return plain("✓")
        if isinstance(inner, Piece):
            return self.mark(look, value, inner.kind)
        if isinstance(inner, Member) and (short or inner.domain == "player"):
            return self.member_mark(look, inner.domain, value)
        if isinstance(inner, EffectType) and short:
            return self.effect_mark(look, value)
        return plain(self._texts.name(value, t, look.cells, look.viewer))

    def effect_mark(self, look: Look, number: int) -> Line:
        """An effect in few cells, if the content says how; else its name. The one that does nothing is not shown."""
        name, args, _ = self._game.world.interned[number]
        if name == "*":
            return join([self.effect_mark(look, part) for part in args], plain("+"))
        effect = self._game.world.effects[name]
        given = {n: (value, t) for value, (n, t) in zip(args, effect.params, strict=True)}
        sign = self._signs.line(look, name, given, "")
        return plain(self._texts.words.effect(number, look.cells)) if sign is None else sign

    def shown(self, item: Item, site: int, look: Look, *, short: bool, named: bool = False) -> list[Line]:
        """What a site shows of one thing: a zone as its pieces, anything else as one mark or text.

        `named` asks for the names of single pieces in the place of their marks.
        """
        if item.secret and look.viewer is not None:
            return [plain("?", DIM)]
        value: Any = item.value(look.cells, site)
        if named and value is not None and isinstance(of := strip(item.type), Piece) and value >= 0:
            return [self.name(look, value, of.kind)]
        if item.zone is not None:
            return self.marked(look, item.zone, value) if value >= 0 else []
        line = self.value(look, value, item.type, short=short)
        return [line] if line else []

    def picture(self, look: Look, ref: int, kind_name: str) -> tuple[Form, int] | None:
        """The picture of a piece, with the piece, where the content gives it one and the viewer sees its front."""
        form = self._drawings.pictures.get(kind_name)
        return (form, ref) if form is not None and self.side(look, ref) == "front" else None

    def figure(self, look: Look, ref: int, kind_name: str) -> Looks | None:
        """The looks of a piece, where the content gives it an icon and the viewer sees its front."""
        looks = self._drawings.figures.get(kind_name)
        return looks if looks is not None and self.side(look, ref) == "front" else None

    def owner(self, ref: int, kind_name: str) -> int | None:
        """Whose piece it is; None where the kind's pieces are nobody's."""
        kind, code = self._game.world.pieces[kind_name], ref % self._codes
        return int(kind.codes[code][0]) if kind.per_player and code < kind.count else None

    def _several(self, look: Look, value: Any, t: ListType | SetType, *, short: bool) -> Line:
        items = value if isinstance(t, ListType) else [i for i in range(value.bit_length()) if value >> i & 1]
        return join([self.value(look, item, t.of, short=short) for item in items], plain("" if short else " "))


def _inner(t: Type) -> Type:
    inner = strip(t)
    return strip(inner.of) if isinstance(inner, (ListType, SetType)) else inner


def _counted(mark: Line, n: int) -> Line:
    """A mark with how many there are; behind a mark that ends in a digit with a sign between."""
    if n == 1 or not mark:
        return mark
    text, style = mark[-1]
    return join([mark, plain(f"×{n}" if text[-1:].isdigit() else str(n), style)])
