"""Puts a position in place without triggers: what lies at some places, and what some cells hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.game import Game
from interpreter.names import piece_text
from interpreter.scenarios.values import Cells
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.lower.context import bad, reporting
from rulespec.lower.counted import count_and_piece, lower_count
from rulespec.lower.expressions import coerce, lower_as
from rulespec.lower.ir import Ir, Load, ZoneIr
from rulespec.lower.scope import Scope
from rulespec.model.types import INTEGER, Piece, Type, Zone, strip
from rulespec.model.world import PieceKind
from rulespec.source.nodes import Node, Scalar, Sequence
from rulespec.source.text import Span


@dataclass(frozen=True, slots=True)
class _Content:
    """The pieces (codes, from the bottom) that one place is to hold."""

    place: int
    zone: str
    codes: tuple[tuple[int, Span], ...]
    span: Span


class Given:
    """The `given` of one scenario, put into the cells of a state."""

    def __init__(self, game: Game, problems: Problems):
        self.game = game
        self.world = game.world
        self.values = game.facts.values
        self.problems = problems
        self.cx = game.built.context
        self.handling = game.facts.pieces
        self.scope = Scope(self.world, {}, seats_first=True)
        self.contents: list[_Content] = []

    def put(self, cells: Cells, given: tuple[tuple[Scalar, Node], ...]) -> None:
        """All that is given; what cannot be done is reported."""
        with reporting(self.cx, self.problems):
            for key, node in given:
                self._read(cells, key, node)
        if not self.problems.has_errors:
            self._move_pieces(cells)

    def _read(self, cells: Cells, key: Scalar, node: Node) -> None:
        place = self.cx.lower(key, self.scope)
        if bad(place):
            return
        if isinstance(strip(place.type), Zone) and isinstance(place, ZoneIr):
            self._zone(cells, place, key, node)
        elif isinstance(place, Load):
            self._cell(cells, place, node)
        else:
            self.problems.add("RS642", key.span, text=key.text)

    # ---- cells ----

    def _cell(self, cells: Cells, place: Load, node: Node) -> None:
        variable = self.world.states.get(place.region)
        want: Type = INTEGER if variable is not None and variable.track is not None else place.type
        value = self._value(cells, node, want)
        if value is None:
            return
        region = next(r for r in self.game.built.program.regions if r.key == place.region)
        if not region.low <= value <= region.high:
            self.problems.add("RS314", node.span, value=value, low=region.low, high=region.high)
            return
        index = self.values.of(place.index, cells)
        cells[self.game.facts.layout.regions[place.region] + index] = value

    def _value(self, cells: Cells, node: Node, want: Type) -> Any:
        inner = Scope(self.world, {}, constant=True, seats_first=True)
        ir = coerce(inner, self.cx.lower(node, inner, None if want == INTEGER else want), want, node.span)
        return None if bad(ir) else self.values.of(ir, cells)

    # ---- pieces ----

    def _zone(self, cells: Cells, place: ZoneIr, key: Scalar, node: Node) -> None:
        zone = self.world.zones[place.zone]
        index = self.values.of(place.place, cells)
        if index < 0 or place.zone.startswith("box."):
            self.problems.add("RS642" if index < 0 else "RS813", key.span, text=key.text)
            return
        number = zone.first + index
        items = node.items if isinstance(node, Sequence) else (node,)
        codes = [code for item in items for code in self._code(cells, item, zone.holds)]
        capacity = self.handling.places[number][3]
        if len(codes) > capacity:
            self.problems.add("RS811", node.span, text=key.text, count=len(codes), capacity=capacity)
            return
        self.contents.append(_Content(number, place.zone, tuple(codes), node.span))

    def _code(self, cells: Cells, node: Node, kind: str) -> list[tuple[int, Span]]:
        written = self.cx.expr(node)
        if written is None:
            return []
        before, piece = count_and_piece(written)
        count = None if before is None else lower_count(self.scope, before, piece, kind)
        if isinstance(piece, ast.Nothing) or (before is not None and count is None):
            return []
        ir: Ir = lower_as(self.scope, piece, Piece(kind))
        if bad(ir):
            return []
        many, most = 1 if count is None else self.values.of(count, cells), sum(self.world.pieces[kind].supply)
        if before is not None and not 0 <= many <= most:
            self.problems.add("RS314", before.span, value=many, low=0, high=most)
            return []
        return [(self.values.of(ir, cells) % self.world.codes, node.span)] * many

    def _move_pieces(self, cells: Cells) -> None:
        """First everything that lies at a given place goes to the box, then the given pieces are fetched."""
        taken = {content.place for content in self.contents}
        for content in self.contents:
            box, kind = self._box(content.zone), self._kind(content.zone)
            for code in self.handling.content(cells, content.place):
                self.handling.put(cells, box, kind.with_face(code, 0))
            self.handling.set_content(cells, content.place, ())
            self.handling.forget(cells, content.place)
            self.handling.forget(cells, box)
        for content in self.contents:
            for code, span in content.codes:
                if not self._fetch(cells, content, code, taken):
                    self.problems.add("RS810", span, piece=piece_text(self.world, self._kind(content.zone), code))
                    return

    def _kind(self, zone: str) -> PieceKind:
        return self.world.pieces[self.world.zones[zone].holds]

    def _box(self, zone: str) -> int:
        return self.world.zones[f"box.{self.world.zones[zone].holds}"].first

    def _fetch(self, cells: Cells, content: _Content, code: int, taken: set[int]) -> bool:
        """Moves one such piece from the box, else from elsewhere; False where there is none."""
        kind, box = self._kind(content.zone), self._box(content.zone)
        others = [
            zone.first + i
            for zone in self.world.zones.values()
            if zone.holds == kind.name
            for i in range(zone.places)
            if zone.first + i != box and zone.first + i not in taken
        ]
        for place in (box, *others):
            held = self.handling.content(cells, place)
            like = [c for c in held if kind.with_face(c, 0) == kind.with_face(code, 0)]
            if like:
                held.remove(code if code in like else like[0])
                self.handling.set_content(cells, place, held)
                self.handling.forget(cells, place)
                self.handling.put(cells, content.place, code)
                return True
        return False
