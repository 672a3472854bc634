"""What happened, as lines: one for each entry of the executor's sink that people should read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from interpreter.texts.names import Typed, Words
from interpreter.texts.phrases import Cells
from rulespec.lower.ir import Instr, Local, Program, ZoneIr
from rulespec.lower.steps.sight import is_me
from rulespec.messages.decisions import log_names
from rulespec.messages.hidden import says_more
from rulespec.model.types import PLAYER, Piece, strip
from rulespec.model.world import PieceKind

Event = Sequence[Any]

NO_REASON: Final = "points"  #: the reason of points that are given without one

#: In these blocks a move is told by itself; elsewhere the action's own line tells it.
_TOLD: Final = frozenset({"flow", "end", "trigger", "check"})
_MOST_NAMED: Final = 5


class LogLines:
    """Writes the lines of one game in one language."""

    def __init__(self, words: Words, program: Program):
        self._words = words
        self._program = program
        self._kinds = {i: proc.kind for proc in program.procs for i in range(proc.entry, proc.end)}

    def line(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        """The line of an event as a viewer may read it; None for one that needs no words."""
        write = _LINES.get(event[0])
        return None if write is None else write(self, event, cells, viewer)

    def _player(self, seat: int) -> str:
        return self._words.member("player", seat)

    # ---- actions ----

    def _action(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        _, at, me, action, given = event
        types = log_names(self._program.instrs[at])
        env: dict[str, Typed] = {"me": (me, PLAYER), **{name: (value, types[name]) for name, value in given}}
        self._words.shown = self._revealed(at, env, me, viewer)
        try:
            hidden = self._hidden(env, cells, viewer)
            if not hidden or not self._tells(f"{action}.log", hidden):
                found = self._words.message(f"{action}.log", env, cells, viewer)
                if found is not None:
                    return found
            return self._chose(action, env, cells, viewer)
        finally:
            self._words.shown = frozenset()

    def _chose(self, action: str, env: Mapping[str, Typed], cells: Cells | None, viewer: int | None) -> str | None:
        """The engine's line for an action that has none of its own, or whose line tells too much."""
        chosen = self._words.values([typed for name, typed in env.items() if name != "me"], cells, viewer)
        title = self._words.message(f"{action}.name", {}) or self._words.message(action, {})
        choice = ", ".join(part for part in (title, chosen) if part)
        player = self._player(env["me"][0])
        return self._words.word("engine.log.chose", player=player, choice=choice) if choice else None

    def _revealed(self, at: int, env: Mapping[str, Typed], me: int, viewer: int | None) -> frozenset[int]:
        """The pieces among the names that the action's own moves lay open to the viewer."""
        slots = {name: ir.slot for name, ir in self._program.instrs[at].args[1] if isinstance(ir, Local)}
        proc = next(p for p in self._program.procs if p.entry <= at < p.end)
        moves = [i for i in self._program.instrs[proc.entry : proc.end] if i.op == "move"]
        found = set()
        for name, (value, t) in env.items():
            if isinstance(strip(t), Piece) and any(self._opens(m, slots.get(name), me == viewer) for m in moves):
                found.add(value)
        return frozenset(found)

    def _opens(self, move: Instr, slot: int | None, own: bool) -> bool:
        """Whether a move lays the piece in a slot where the viewer sees its front."""
        _, what, goal, _, at = move.args
        if not (isinstance(what, Local) and what.slot == slot and isinstance(goal, ZoneIr)):
            return False
        front = self._words.world.zones[goal.zone].front
        return front == "all" or (front == "top" and at != "bottom") or (front == "owner" and own and is_me(goal.place))

    def _hidden(self, env: Mapping[str, Typed], cells: Cells | None, viewer: int | None) -> dict[str, PieceKind]:
        """The names of pieces whose fronts the viewer does not see."""
        pieces = {name: (value, strip(t)) for name, (value, t) in env.items() if value != -1}
        return {
            name: self._words.world.pieces[t.kind]
            for name, (value, t) in pieces.items()
            if isinstance(t, Piece) and self._words.side(value, cells, viewer) != "front"
        }

    def _tells(self, key: str, hidden: Mapping[str, PieceKind]) -> bool:
        """Whether a message says more of hidden pieces than their backs do."""
        message = self._words.catalogue.find(key)
        texts = message.variants.texts.values() if message is not None else ()
        return any(says_more(place.expression, hidden) for text in texts for place in text.places)

    # ---- points and counters ----

    def _score(self, event: Event, cells: Cells | None, viewer: int | None) -> str:
        _, _, who, amount, reason = event
        why = self._words.message(f"score.{reason}", {})
        why = why or (self._words.word("engine.score") if reason == NO_REASON else reason)
        return self._words.word("engine.log.scored", player=self._player(who), points=amount, reason=why)

    def _counter(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        kind, _, me, region, amount = event
        if not amount:
            return None
        key = "engine.log.gained" if kind == "gain" else "engine.log.paid"
        counter = self._words.message(f"state.{region}", {}) or region
        return self._words.word(key, player=self._player(me), n=amount, counter=counter)

    # ---- pieces ----

    def _draw(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        _, _, me, amount, zone, codes, goal = event
        if not amount:
            return None
        player, source = self._player(self._drawer(me, goal)), self._words.zone(zone)
        if len(codes) > _MOST_NAMED or not all(self._seen_at(goal, i == len(codes) - 1, viewer) for i in range(amount)):
            return self._words.word("engine.log.drew.several", player=player, n=amount, source=source)
        kind = self._words.world.zones[zone].holds
        pieces = [self._words.piece(self._words.sight.piece_of(kind, code), kind, cells) for code in codes]
        thing = self._words.together(pieces)
        return self._words.word("engine.log.drew", player=player, thing=thing, source=source)

    def _drawer(self, me: int, goal: int) -> int:
        """Who draws: whoever the pieces go to, since set-up deals to all in nobody's turn."""
        zone = self._words.sight.zone_at(goal)
        return goal - zone.first if zone.domain == "player" else me

    def _seen_at(self, place: int, top: bool, viewer: int | None) -> bool:
        return viewer is None or self._words.sight.sees(place, viewer, "front", top=top)

    def _move(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        """A move that no action tells of. What was hidden before and after is told by its kind alone."""
        _, at, _, pieces, goal = event
        if self._kinds.get(at) not in _TOLD or not pieces:
            return None
        on_top = self._program.instrs[at].args[4] != "bottom"
        names = [self._moved(p, goal, on_top and i == len(pieces) - 1, cells, viewer) for i, p in enumerate(pieces)]
        thing, n = self._counted(names)
        source = self._words.sight.place_of(pieces[0])[0]
        return self._moved_line(thing, n, self._place(source), self._place(goal))

    def _moved(self, piece: int, goal: int, top: bool, cells: Cells | None, viewer: int | None) -> str:
        kind = self._words.sight.zone_at(goal).holds
        side = "front" if self._seen_at(goal, top, viewer) else self._words.side(piece, cells, viewer)
        return self._words.piece_by(side, piece, kind, cells)

    def _counted(self, names: list[str]) -> tuple[str, int]:
        """Things in words and, where all are equal, how many; else 1."""
        groups = Counter(names)
        if len(groups) == 1:
            return names[0], len(names)
        parts = [n if k == 1 else self._words.word("engine.times", thing=n, n=k) for n, k in groups.items()]
        return self._words.together(parts), 1

    def _moved_line(self, thing: str, n: int, source: str | None, goal: str | None) -> str:
        if source is None:
            return self._words.word("engine.log.placed", thing=self._times(thing, n), goal=goal or "")
        if goal is None:
            return self._words.word("engine.log.removed", thing=self._times(thing, n), source=source)
        if n > 1:
            return self._words.word("engine.log.moved.several", thing=thing, n=n, source=source, goal=goal)
        return self._words.word("engine.log.moved", thing=thing, source=source, goal=goal)

    def _times(self, thing: str, n: int) -> str:
        return thing if n == 1 else self._words.word("engine.times", thing=thing, n=n)

    def _place(self, place: int) -> str | None:
        """A place of a zone in words; None for the box."""
        zone = self._words.sight.zone_at(place)
        if zone.key.startswith("box."):
            return None
        name = self._words.zone(zone.key)
        if zone.domain is None:
            return name
        of = self._words.member(zone.domain, place - zone.first)
        return self._words.word("engine.comma", one=of, other=name)

    def _shuffle(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        zone = self._program.instrs[event[1]].args[0]
        told = isinstance(zone, ZoneIr) and not zone.zone.startswith("box.")
        return self._words.word("engine.log.shuffled", zone=self._words.zone(zone.zone)) if told else None

    # ---- events ----

    def _event(self, event: Event, cells: Cells | None, viewer: int | None) -> str | None:
        """An event of the game has a line where its content gives it one; so has the beginning of a turn."""
        _, _, me, name, values = event
        if name == "turn":
            return self._words.word("engine.turn", player=self._player(values[0]))
        params = self._words.world.events.get(name, ())
        env = {n: (value, t) for value, (n, t) in zip(values, params, strict=True)}
        return self._words.message(f"event.{name}", {"me": (me, PLAYER), **env}, cells, viewer)


_LINES: dict[str, Callable[[LogLines, Event, Cells | None, int | None], str | None]] = {
    "action": LogLines._action,
    "score": LogLines._score,
    "gain": LogLines._counter,
    "pay": LogLines._counter,
    "draw": LogLines._draw,
    "move": LogLines._move,
    "shuffle": LogLines._shuffle,
    "event": LogLines._event,
}
