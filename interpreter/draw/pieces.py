"""Pieces and values as marks and words, as one viewer sees them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from interpreter.draw.declared import Board
from interpreter.draw.ink import DIM, Line, join, plain, seat_style
from interpreter.draw.marks import short_marks
from rulespec.model.types import Boolean, Integer, ListType, Member, Piece, SetType, Type, strip
from rulespec.model.world import PieceKind, ZoneDecl

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.texts import Texts

Cells = list[Any]

#: The viewer who sees only what everybody sees.
EVERYBODY: Final = -1
#: A kind with more different pieces than this has no marks: its pieces are written by their names.
MOST_MARKS: Final = 40
MOST_NAMES: Final = 24


@dataclass(slots=True)
class Look:
    """One drawing: the state's cells, who looks on, and the marks that it used, with their names."""

    cells: Cells
    viewer: int | None
    used: dict[str, tuple[bool, Line]] = field(default_factory=dict)
    """By mark: whether it is of another face than the first, and the name."""


class Pieces:
    """Marks and names of one game's pieces in one language."""

    def __init__(self, game: Game, texts: Texts, boards: list[Board]):
        self._game, self._texts = game, texts
        self._boards = boards
        self._sight = texts.words.sight
        self._codes, self._depth = game.compiled.handling.codes, game.compiled.handling.depth

    # ---- marks ----

    @cached_property
    def _marks(self) -> dict[str, str]:
        """The mark of every name that can stand on the boards."""
        items = [item for board in self._boards for kind in board for item in kind.items]
        kinds = {item.zone.holds for item in items if item.zone is not None}
        kinds |= {t.kind for item in items if isinstance(t := _inner(item.type), Piece)}
        domains = {t.domain for item in items if isinstance(t := _inner(item.type), Member)}
        names: list[str] = []
        for kind in sorted(kinds):
            found = self._kind_names(self._game.world.pieces[kind])
            names += found if len(set(found)) <= MOST_MARKS else ()
        for domain in sorted({"player", *domains}):
            size = self._game.world.domains[domain].size
            names += [self._texts.words.member(domain, i) for i in range(size)] if size <= MOST_MARKS else ()
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
        name = self._front_name(kind, kind.with_face(code, 0))
        text = mark = self._marks.get(name, name)
        style = self._style(kind, code)
        face = kind.codes[code][-1] if kind.faces else 0
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

    def player_mark(self, look: Look, seat: int) -> Line:
        """A player in one or two cells."""
        return self.member_mark(look, "player", seat)

    def member_mark(self, look: Look, domain: str, index: int) -> Line:
        """A member of a domain in one or two cells."""
        name = self._texts.words.member(domain, index)
        text = self._marks.get(name, name)
        style = seat_style(index) if domain == "player" else ""
        if text != name:
            look.used.setdefault(text, (False, plain(name, style)))
        return plain(text, style)

    def _style(self, kind: PieceKind, code: int) -> str:
        return seat_style(kind.codes[code][0]) if kind.per_player and code < kind.count else ""

    def legend(self, look: Look) -> list[Line]:
        """What the marks that were used mean, in a stable order: first faces first."""
        order = {mark: at for at, mark in enumerate(self._marks.values())}
        found = sorted(look.used.items(), key=lambda item: (item[1][0], order.get(item[0].strip("()"), len(order))))
        return [join([plain(mark, name[0][1]), plain(" = "), name]) for mark, (_, name) in found if name]

    # ---- places ----

    def refs(self, look: Look, zone: ZoneDecl, place: int) -> list[int]:
        """The pieces at a place, from the bottom up."""
        return self._game.compiled.handling.refs(look.cells, zone.first + place)

    def side(self, look: Look, ref: int) -> str:
        """`front`, `back` or `hidden`."""
        return self._sight.side(look.cells, ref, look.viewer)

    def marked(self, look: Look, zone: ZoneDecl, place: int) -> list[Line]:
        """What lies at a place of the board, as marks: a pool by counts, a stack from the bottom up."""
        marks = [self.mark(look, ref, zone.holds) for ref in self.refs(look, zone, place)]
        if zone.shape == "pool":
            return [_counted(mark, n) for mark, n in Counter(marks).items()]
        if len(marks) > MOST_NAMES // 2:
            return [_counted(mark, n) for mark, n in Counter(marks).items()]
        return marks

    def named(self, look: Look, zone: ZoneDecl, place: int) -> Line:
        """What lies at a place, in words; of what is hidden, how many and what their backs or the top show."""
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
        """A piece in words."""
        kind = self._game.world.pieces[kind_name]
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
        return plain(self._texts.name(value, t, look.cells, look.viewer))

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
