"""The lines of a log as plain data: what each decision and each event says, to everybody or to one seat.

`LineWriter(game, None)` tells all. `LineWriter(game, seat)` tells what that seat may know: pieces it does not see are
written by their backs or by their kinds, values that were read off such pieces are named in `hidden` and left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from interpreter.names import plain_value, value_text
from interpreter.options import arguments, key_text
from interpreter.sight import Sight, holds_pieces, is_among
from rulespec.lower.domains import site_text
from rulespec.lower.ir import Instr, Ir, ZoneIr, ZoneRead
from rulespec.messages.decisions import log_names
from rulespec.model.types import PLAYER, ListType, Piece, Record, Type, strip
from rulespec.overlay.paths import Found, bound_by_rules, find
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Scalar

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.options import Option
    from interpreter.state import State

Line = dict[str, Any]
LOG_VERSION: Final = 2

#: Bytes of a log or a save: a longer one is neither read nor written, since both are read whole. A decision of the
#: games that are shipped takes, with what it causes, 500 to 830 bytes, so that `bounds.MOST_DECISIONS` (100,000) come
#: to 50 to 83 million; here they may have 2,000 each. Who asks for more decisions, or whose decisions cause more, is
#: told by the writer, and keeps what is written. Reading takes 2.6 times as much memory (40 million bytes: 107 MB).
LONGEST_LOG: Final = 200_000_000

#: The form of the states that digests stand for: which slots belong to one. Logs of before do not name it.
STATES: Final = 2


def canonical(data: object) -> str:
    """JSON with sorted keys and no blanks: equal data, equal text."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def view_digest(state: State, seat: int) -> str:
    """Sixteen hexadecimal digits that stand for what a seat sees of a state."""
    text = canonical(state.view(seat).to_json())
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class Places:
    """Where instructions stand in the content, and which rules are bound to those places."""

    def __init__(self, game: Game):
        self._program = game.built.program
        self._found: dict[int, tuple[Span | None, str | None]] = {}
        self._starts = {i: proc.entry for proc in self._program.procs for i in range(proc.entry, proc.end)}
        self._bound = sorted(_bindings(game.tree), key=lambda bound: bound[0].end - bound[0].start)

    def of(self, at: int) -> tuple[Span | None, str | None]:
        """The place of an instruction, and the rule bound to it."""
        found = self._found.get(at)
        if found is None:
            span = self.span(at)
            found = self._found[at] = span, None if span is None else self.rule(span)
        return found

    def span(self, at: int) -> Span | None:
        """The place of an instruction: its own, else that of the nearest one before it in its block."""
        first = self._starts.get(at, at)
        for i in range(at, first - 1, -1):
            found = self._program.instrs[i].span
            if found is not None:
                return found
        return None

    def rule(self, span: Span) -> str | None:
        """The rule bound to the smallest declaration around a place; None where no rule is."""
        for bound, rule in self._bound:
            if bound.file.name == span.file.name and bound.start <= span.start and span.end <= bound.end:
                return rule
        return None


def _bindings(tree: Mapping) -> list[tuple[Span, str]]:
    """The declarations that rules are bound to, with the rules' ids; a whole section is no declaration."""
    found: list[tuple[Span, str]] = []
    for rule, paths in bound_by_rules(tree):
        places = [find(tree, path.text) for path in paths if "." in path.text or "[" in path.text]
        found += [(place.node.span, rule.text) for place in places if isinstance(place, Found)]
    return found


def place_text(game: Game, place: int, sight: Sight) -> str:
    """A place as an expression reads it: `north.hand`, `cell[2,0].token`, `deck`."""
    zone = sight.zone_at(place)
    if zone.domain is None:
        return zone.key
    return f"{site_text(game.world, zone.domain, place - zone.first)}.{zone.name}"


class LineWriter:
    """Lines about one game, for one seat or (None) for whoever may see all."""

    def __init__(self, game: Game, seat: int | None = None):
        self.game = game
        self.seat = seat
        self._sight = game.knowledge.sight
        self._secrets = game.knowledge.secrets
        self._places = game.places

    # ---- lines ----

    def header(self, seed: int, start: State) -> Line:
        """The first line: what was loaded, and what begins the game."""
        game = self.game
        line: Line = {
            "log": LOG_VERSION,
            "game": game.id,
            "fingerprint": game.fingerprint,
            "players": game.players,
            "options": dict(game.options),
            "variants": list(game.variants),
            "language": language_version(game),
            "states": STATES,
        }
        # older logs have a line for each choice, whatever it changes; without a way past a question states are others
        if game.built.program.unasked:
            line["asks"] = "what_matters"
        line |= {"seed": seed} if self.seat is None else {"seat": game.seats[self.seat]}
        return line | {"digest": self.digest(start)}

    def decision(self, n: int, before: State, option: Option, after: State) -> Line:
        """The line of the n-th decision."""
        assert before.decision is not None
        player = self.game.seats[before.decision.player]
        return {"n": n, "player": player, "key": self._key(before, option), "digest": self.digest(after)}

    def events(self, after: State) -> list[Line]:
        """The lines of what happened on the way to a state."""
        return [self._event(event) for event in self._told(after)]

    def _told(self, after: State) -> list[Sequence[Any]]:
        found = (self._sight.told(event, self.seat) for event in after.events or () if event[0] in _WRITE)
        return [event for event in found if event is not None]

    def result(self, state: State) -> Line:
        """The last line; its result is null where the game was left before its end."""
        found = state.result
        if found is None:
            return {"result": None}
        seats = self.game.seats
        scores = dict(zip(seats, found.scores, strict=True))
        return {"result": {"scores": scores, "ranking": [[seats[s] for s in place] for place in found.ranking]}}

    def digest(self, state: State) -> str:
        """What stands for a state: of the whole of it, or of what the seat sees."""
        return state.digest() if self.seat is None else view_digest(state, self.seat)

    def places_of(self, state: State) -> list[Span | None]:
        """The declarations behind the events of a state, one for each line that `events` makes of them."""
        return [self.place_of(event) for event in self._told(state)]

    def place_of(self, event: Sequence[Any]) -> Span | None:
        """The declaration behind an event."""
        return self._places.span(event[1])

    # ---- decisions ----

    def _key(self, before: State, option: Option) -> str:
        assert before.decision is not None
        if self.seat is None or self.seat == before.decision.player:
            return option.key
        ask = before.ask
        if ask.secret:
            return ask.action or ask.id
        given = arguments(ask, option.candidate)
        slots = {name.name: name.slot for name in ask.names}
        if not any(slots[name] in self._secrets.slots or holds_pieces(t) for name, t, _ in given):
            return option.key
        texts = [self._seen_text(t, v, before.cells, slots[name]) for name, t, v in given]
        if not given:
            return key_text(before, option.candidate)
        return " ".join([ask.action or ask.id, *(text for text in texts if text)])

    def _seen_text(self, t: Type, value: Any, cells: Cells, slot: int) -> str:
        if isinstance(strip(t), Piece):
            return str(self._piece(value, cells))
        return "" if slot in self._secrets.slots else value_text(self.game.world, t, value)

    # ---- events ----

    def _event(self, event: Sequence[Any]) -> Line:
        kind, _at, me = event[0], event[1], event[2]
        line: Line = {"event": _WORDS.get(kind, kind)}
        span, rule = self._places.of(event[1])
        if rule is not None:
            line["rule"] = rule
        line["player"] = self.game.seats[me]
        line |= _WRITE[kind](self, event)
        if span is not None:
            line["at"] = f"{span.file.name}:{span.line}"
        return line

    def _instr(self, event: Sequence[Any]) -> Instr:
        at: int = event[1]
        return self.game.built.program.instrs[at]

    def _action(self, event: Sequence[Any]) -> Line:
        instr = self._instr(event)
        types, sources = log_names(instr), dict(instr.args[1])
        given = [(name, types[name], value, sources[name]) for name, value in event[4]]
        return {"action": event[3], **self._arguments(given, event[5])}

    def _emitted(self, event: Sequence[Any]) -> Line:
        instr, name = self._instr(event), event[3]
        params = self.game.world.events.get(name, (("player", PLAYER),))
        given = [(n, t, value, ir) for (n, t), value, ir in zip(params, event[4], instr.args[1], strict=True)]
        return {"name": name, **self._arguments(given, event[5])}

    def _arguments(self, given: Iterable[tuple[str, Type, Any, Ir]], cells: Cells) -> Line:
        args: Line = {}
        hidden: list[str] = []
        for name, t, value, source in given:
            if self.seat is not None and not holds_pieces(t) and self._secrets.is_secret(source):
                hidden.append(name)
            else:
                args[name] = self._value(t, value, cells)
        return {"args": args, "hidden": hidden} if hidden else {"args": args}

    def _value(self, t: Type, value: Any, cells: Cells) -> Any:
        inner = strip(t)
        if self.seat is not None and isinstance(inner, Piece):
            return self._piece(value, cells)
        if self.seat is not None and isinstance(inner, ListType):
            return [self._value(inner.of, v, cells) for v in value]
        if self.seat is not None and isinstance(inner, Record):
            return {n: self._value(ft, v, cells) for (n, ft), v in zip(inner.fields, value, strict=True)}
        return plain_value(self.game.world, t, value)

    def _piece(self, piece: int, cells: Cells) -> str | None:
        if piece < 0:
            return None
        assert self.seat is not None
        return self._sight.text(piece, self._sight.side(cells, piece, self.seat))

    def _counter(self, event: Sequence[Any]) -> Line:
        return {"counter": event[3].removeprefix("player."), "amount": event[4]}

    def _set(self, event: Sequence[Any]) -> Line:
        """A cell that has another value now: a marker's step along its track among others."""
        world = self.game.world
        var, place = world.states[event[3]], event[4]
        name = var.key if var.domain is None else f"{site_text(world, var.domain, place)}.{var.name}"
        before, after = (plain_value(world, var.type, value) for value in event[5:7])
        return {"state": name, "was": before, "value": after}

    def _score(self, event: Sequence[Any]) -> Line:
        return {"amount": event[3], "reason": event[4]}

    def _shuffle(self, event: Sequence[Any]) -> Line:
        zone = self._instr(event).args[0]
        return {"zone": zone.zone} if isinstance(zone, ZoneIr) else {}

    # ---- pieces that change places ----

    def _draw(self, event: Sequence[Any]) -> Line:
        _, _, _, amount, zone, codes, goal, _ = event
        kind = self.game.world.zones[zone].holds
        sides = [self._side_at(goal, len(codes) - i == 1) for i in range(len(codes))]
        pieces = [self._sight.code_text(kind, code, side) for code, side in zip(codes, sides, strict=True)]
        return {"amount": amount, "zone": zone, "pieces": pieces, "to": place_text(self.game, goal, self._sight)}

    def _side_at(self, place: int, top: bool) -> str:
        if self.seat is None or self._sight.sees(place, self.seat, "front", top=top):
            return "front"
        return "back" if self._sight.sees(place, self.seat, "back", top=top) else "hidden"

    def _move(self, event: Sequence[Any]) -> Line:
        pieces, goal = event[3], event[4]
        what, at = self._instr(event).args[1], self._instr(event).args[4]
        from_top = isinstance(what, ZoneRead) and what.what == "top"
        texts, places = [], []
        for i, piece in enumerate(pieces):
            place = self._sight.place_of(piece)[0]
            on_top = at != "bottom" and i == len(pieces) - 1
            sides = (self._side_at(place, from_top), self._side_at(goal, on_top))
            texts.append(self._sight.text(piece, min(sides, key=("front", "back", "hidden").index)))
            places.append(place_text(self.game, place, self._sight))
        origin: str | list[str] = places[0] if len(set(places)) == 1 else places
        return {"pieces": texts, "from": origin, "to": place_text(self.game, goal, self._sight)}

    def _flip(self, event: Sequence[Any]) -> Line:
        pieces, face, cells = event[3:6]
        sides = ["front" if self.seat is None else self._sight.side(cells, p, self.seat) for p in pieces]
        zone = self._sight.zone_at(self._sight.place_of(pieces[0])[0])
        texts = [self._sight.text(p, side) for p, side in zip(pieces, sides, strict=True)]
        return {"pieces": texts, "face": self.game.world.pieces[zone.holds].faces[face]}

    def _roll(self, event: Sequence[Any]) -> Line:
        """Of a pool, whose pieces have no order, it is not told which of them fell how."""
        pieces, codes, tops = event[3:6]
        places = [self._sight.place_of(piece)[0] for piece in pieces]
        kind = self._sight.zone_at(places[0]).holds
        pools = [self._sight.zone_at(place).shape == "pool" for place in places]
        order = sorted(range(len(places)), key=lambda i: (places.index(places[i]), codes[i] if pools[i] else 0))
        places, codes, tops = ([values[i] for i in order] for values in (places, codes, tops))
        sides = [self._side_at(place, bool(top)) for place, top in zip(places, tops, strict=True)]
        texts = [self._sight.code_text(kind, code, side) for code, side in zip(codes, sides, strict=True)]
        return {"pieces": texts, "in": self._places_text(places)}

    def _places_text(self, places: Sequence[int]) -> str | list[str]:
        names = [place_text(self.game, place, self._sight) for place in places]
        return names[0] if len(set(names)) == 1 else names

    def _look(self, event: Sequence[Any]) -> Line:
        """Whoever is shown pieces is told which; others that it was shown some, by what they see of them."""
        pieces, seers, cells = event[3:6]
        seats = [name for number, name in enumerate(self.game.seats) if seers >> number & 1]
        seat = self.seat
        sides = ["front" if seat is None or is_among(seers, seat) else self._sight.side(cells, p, seat) for p in pieces]
        texts = [self._sight.text(p, side) for p, side in zip(pieces, sides, strict=True)]
        return {"pieces": texts, "in": self._places_text([self._sight.place_of(p)[0] for p in pieces]), "for": seats}


def language_version(game: Game) -> int:
    """The version of the language that a game's content is written in."""
    head = game.tree.get("game")
    node = head.get("language") if isinstance(head, Mapping) else None
    return int(node.value) if isinstance(node, Scalar) and isinstance(node.value, int) else 1


Cells = list[Any]
_WORDS: Final = {"event": "emit"}
_WRITE: Final[dict[str, Callable[[LineWriter, Sequence[Any]], Line]]] = {
    "action": LineWriter._action,
    "event": LineWriter._emitted,
    "gain": LineWriter._counter,
    "pay": LineWriter._counter,
    "score": LineWriter._score,
    "set": LineWriter._set,
    "shuffle": LineWriter._shuffle,
    "draw": LineWriter._draw,
    "move": LineWriter._move,
    "flip": LineWriter._flip,
    "roll": LineWriter._roll,
    "look": LineWriter._look,
}
