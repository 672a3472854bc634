"""What happened, as lines: one for each entry of the executor's sink that people should read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from interpreter.middle.facts import Facts
from interpreter.sight import Secrets, holds_pieces, is_among
from interpreter.texts.names import Typed, Words
from interpreter.texts.phrases import Cells
from rulespec.expr import ast
from rulespec.lower.ir import Ask, Instr, Load, Local, ZoneIr
from rulespec.lower.steps.sight import is_me
from rulespec.messages.decisions import log_names
from rulespec.messages.hidden import says_more
from rulespec.messages.keys import amount_key
from rulespec.messages.places import names_in
from rulespec.messages.telling import TOLD_BLOCKS, named
from rulespec.model.types import INTEGER, PLAYER, Integer, Piece, strip
from rulespec.model.world import PieceKind, StateVar, owner_of

Event = Sequence[Any]

NO_REASON: Final = "points"  #: the reason of points that are given without one

_MOST_NAMED: Final = 5


#: The line of a choice: the instruction that asks, who chose, the candidate, the cells, the viewer.
OfChoice = Callable[[int, int, Any, Cells, int | None], str | None]


class LogLines:
    """Writes the lines of one game in one language."""

    def __init__(self, words: Words, facts: Facts, of_choice: OfChoice):
        self._words, self._facts = words, facts
        self._program = program = facts.program
        self._of_choice = of_choice
        self._blocks = {i: proc for proc in program.procs for i in range(proc.entry, proc.end)}

    def lines(self, events: Iterable[Event], viewer: int | None) -> list[str]:
        """The lines of what happened, in order; steps of one marker that follow each other are one line."""
        return [line for line, _ in self.told(events, viewer)]

    def told(self, events: Iterable[Event], viewer: int | None) -> list[tuple[str, Event]]:
        """The same lines, each with the event that it tells of."""
        seen = (self._words.sight.told(event, viewer) for event in _joined(events))
        found = ((self.line(event, viewer), event) for event in seen if event is not None)
        return [(line, event) for line, event in found if line is not None]

    def line(self, event: Event, viewer: int | None) -> str | None:
        """The line of an event as a viewer may read it; None for one that needs no words.

        What a placeholder reads, and which sides of pieces the viewer sees, is as it was when the thing happened.
        """
        write = _LINES.get(event[0])
        return None if write is None else write(self, event, viewer)

    def _player(self, seat: int) -> str:
        return self._words.member("player", seat)

    # ---- actions ----

    def _action(self, event: Event, viewer: int | None) -> str | None:
        """An action's own line; without one, or where that would tell too much, what was chosen."""
        _, at, me, action, given, cells = event
        env, key = self._env(at, me, given), f"{action}.log"
        found = self._own(event, env, viewer)
        if found is not None:
            return found
        if self._program.instrs[at].args[2] == "early" and self._waits(key, env):
            return None
        told = self._answers(at) - (self._secret(at) if viewer not in (None, me) else set())
        env = {name: typed for name, typed in env.items() if name in told}
        self._words.shown = self._revealed(at, env, me, viewer)
        try:
            return self._chose(action, env, cells, viewer)
        finally:
            self._words.shown = frozenset()

    def _waits(self, key: str, env: Mapping[str, Typed]) -> bool:
        """Whether a line is there that needs more names than these."""
        return self._words.catalogue.find(key) is not None and not self._words.knows(key, env)

    def _answers(self, at: int) -> set[str]:
        """The names of what was chosen in the block of an instruction, and of what the block was given."""
        proc, slots = self._blocks[at], self._program.slots
        found = {"me", *(slots[slot].name for slot in proc.params), *(name for name, _ in proc.constants)}
        for instr in self._program.instrs[proc.entry : proc.end]:
            if instr.op == "ask":
                ask: Ask = instr.args[0]
                found.update(name.name for name in ask.names)
                found |= {slots[ask.picked].name} if ask.picked >= 0 else set()
        return found

    def _secret(self, at: int) -> set[str]:
        """The names of a line whose values were read off what not everybody sees, pieces aside: these show a side."""
        types = log_names(self._program.instrs[at])
        sources = dict(self._program.instrs[at].args[1])
        return {n for n, ir in sources.items() if not holds_pieces(types[n]) and self.secrets.is_secret(ir)}

    @cached_property
    def secrets(self) -> Secrets:
        """Which values were read off what not everybody sees."""
        return Secrets(self._facts)

    def _late(self, event: Event, viewer: int | None) -> str | None:
        """A line that had to wait for its names; an action that may not be told so is told by what was chosen."""
        _, at, me, name, given, _ = event
        env = self._env(at, me, given)
        if not self._waits(f"{name}.log", self._early(at, env)):
            return None  # told before
        effect = self._words.world.effects.get(name)
        if effect is not None and effect.section == "actions":
            return self._action(event, viewer)
        return self._own(event, env, viewer)

    def _effect(self, event: Event, viewer: int | None) -> str | None:
        """An effect or a trigger has a line where the content gives it one."""
        return self._own(event, self._env(event[1], event[2], event[4]), viewer)

    def _own(self, event: Event, env: Mapping[str, Typed], viewer: int | None) -> str | None:
        """The line that the content gives; None where there is none, or none that the viewer may read."""
        _, at, me, name, _, cells = event
        if viewer not in (None, me) and self.mentions(f"{name}.log", self._secret(at)):
            return None
        self._words.shown = self._revealed(at, env, me, viewer)
        try:
            if self.hides(f"{name}.log", env, cells, viewer):
                return None
            return self._words.message(f"{name}.log", env, cells, viewer)
        finally:
            self._words.shown = frozenset()

    def _env(self, at: int, me: int, given: Iterable[tuple[str, Any]]) -> dict[str, Typed]:
        types = log_names(self._program.instrs[at])
        return {"me": (me, PLAYER), **{name: (value, types[name]) for name, value in given}}

    def _early(self, at: int, env: Mapping[str, Typed]) -> dict[str, Typed]:
        """Of the names of a late line those that the early one before it knew."""
        instrs = self._program.instrs
        early = next(i for i in range(at - 1, -1, -1) if instrs[i].op == "log" and instrs[i].args[2] == "early")
        return {name: typed for name, typed in env.items() if name == "me" or name in log_names(instrs[early])}

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

    def hides(self, key: str, env: Mapping[str, Typed], cells: Cells | None, viewer: int | None) -> bool:
        """Whether a message would tell a viewer more of pieces than the viewer sees."""
        hidden = self._hidden(env, cells, viewer)
        return bool(hidden) and self._tells(key, hidden)

    def _tells(self, key: str, hidden: Mapping[str, PieceKind]) -> bool:
        """Whether a message says more of hidden pieces than their backs do."""
        return any(says_more(expression, hidden) for expression in self._placeholders(key))

    def mentions(self, key: str, names: set[str]) -> bool:
        """Whether a message has a placeholder that reads one of these names."""
        return bool(names) and any(name.name in names for e in self._placeholders(key) for name in names_in(e))

    def _placeholders(self, key: str) -> Iterator[ast.Expr]:
        message = self._words.catalogue.find(key)
        for text in message.variants.texts.values() if message is not None else ():
            yield from (place.expression for place in text.places)

    # ---- choices ----

    def _choice(self, event: Event, viewer: int | None) -> str | None:
        """A choice by itself has a line where the content gives it one; a secret one has none before it is told."""
        _, at, me, candidate, cells = event
        return self._of_choice(at, me, candidate, cells, viewer)

    # ---- points and counters ----

    def _score(self, event: Event, viewer: int | None) -> str:
        _, _, who, amount, reason = event
        why = self._words.message(f"score.{reason}", {})
        why = why or (self._words.word("engine.score") if reason == NO_REASON else reason)
        return self._words.word("engine.log.scored", player=self._player(who), points=amount, reason=why)

    def _counter(self, event: Event, viewer: int | None) -> str | None:
        kind, _, me, region, amount = event
        return self._changed_by(me, region, amount if kind == "gain" else -amount)

    def _changed_by(self, player: int, region: str, by: int) -> str | None:
        """A player's counter that went up or down; the number stands with words of its form, or behind a label."""
        if not by:
            return None
        key, who, n = "engine.log.gained" if by > 0 else "engine.log.paid", self._player(player), abs(by)
        amount = self._words.message(amount_key(region), {"n": (n, INTEGER)})
        if amount is not None:
            return self._words.word(f"{key}.amount", player=who, amount=amount)
        return self._words.word(key, player=who, n=n, counter=self._state(region))

    def _state(self, region: str) -> str:
        return self._words.message(f"state.{region}", {}) or region.removeprefix("player.")

    def _set(self, event: Event, viewer: int | None) -> str | None:
        """A value that a step has set: a track's marker and a player's counter always, else what has a name."""
        _, at, _, region, place, before, after = event
        var = self._words.world.states.get(region)
        if var is None:
            return None
        if var.track is not None:
            return self._stepped(var, place, before, after)
        if not self._words.catalogue.find(f"state.{region}"):
            return None
        if var.domain == "player" and isinstance(var.type, Integer):
            return self._changed_by(place, region, after - before)
        if self._blocks[at].kind == "action":
            return None  # the action's own line tells of it
        return self._words.word("engine.log.set", state=self._whose(var, place), value=self._value(var, after))

    def _stepped(self, var: StateVar, place: int, before: int, after: int) -> str:
        track, old, new = self._whose(var, place), self._value(var, before), self._value(var, after)
        return self._words.word("engine.log.advanced", track=track, before=old, after=new)

    def _value(self, var: StateVar, value: int) -> str:
        return self._words.name(value, var.type)

    def _whose(self, var: StateVar, place: int) -> str:
        """A cell of the state by its name, with the player or site that it belongs to."""
        name = self._state(var.key)
        if var.domain is None:
            return name
        return self._words.word("engine.comma", one=self._words.member(var.domain, place), other=name)

    # ---- pieces ----

    def _draw(self, event: Event, viewer: int | None) -> str | None:
        """Pieces that come from a stack or a pool: drawn by whoever gets them, and by nobody else."""
        _, _, _, amount, zone, codes, goal, is_setup = event
        if not amount:
            return None
        kind = self._words.world.zones[zone].holds
        names = [
            self._words.piece_by(
                self._side_at(goal, i == amount - 1, viewer), self._words.sight.piece_of(kind, code), kind
            )
            for i, code in enumerate(codes)
        ]
        to = self._words.sight.zone_at(goal)
        owner = owner_of(self._words.world, to, goal - to.first)
        if is_setup or owner is None:
            return self._moved_line(*self._counted(names), self._words.zone(zone), self._place(goal))
        player, source = self._player(owner), self._words.zone(zone)
        if amount > _MOST_NAMED or not all(self._seen_at(goal, i == amount - 1, viewer) for i in range(amount)):
            return self._words.word("engine.log.drew.several", player=player, n=amount, source=source)
        thing = self._times(*self._counted(names))
        return self._words.word("engine.log.drew", player=player, thing=thing, source=source)

    def _seen_at(self, place: int, top: bool, viewer: int | None) -> bool:
        return viewer is None or self._words.sight.sees(place, viewer, "front", top=top)

    def _side_at(self, place: int, top: bool, viewer: int | None) -> str:
        if self._seen_at(place, top, viewer):
            return "front"
        assert viewer is not None
        return "back" if self._words.sight.sees(place, viewer, "back", top=top) else "hidden"

    def _move(self, event: Event, viewer: int | None) -> str | None:
        """A move that no action tells of. What was hidden before and after is told by its kind alone."""
        _, at, _, pieces, goal, cells = event
        source = self._words.sight.place_of(pieces[0])[0] if pieces else goal
        if not pieces or not self._tells_of(at, source, goal):
            return None
        on_top = self._program.instrs[at].args[4] != "bottom"
        names = [self._moved(p, goal, on_top and i == len(pieces) - 1, cells, viewer) for i, p in enumerate(pieces)]
        return self._moved_line(*self._counted(names), self._place(source), self._place(goal))

    def _flip(self, event: Event, viewer: int | None) -> str | None:
        """Pieces that show another face now, as far as the viewer sees them; told where a move would be."""
        _, at, _, pieces, face, cells = event
        place = self._words.sight.place_of(pieces[0])[0]
        if not self._tells_of(at, place, place):
            return None
        kind = self._words.sight.zone_at(place).holds
        names = [self._words.piece(p, kind, cells, viewer) for p in pieces]
        word = self._words.face(kind, face)
        return self._words.word("engine.log.turned", thing=self._times(*self._counted(names)), face=word)

    def _roll(self, event: Event, viewer: int | None) -> str | None:
        """Pieces that chance has turned, by what the viewer sees of them now."""
        pieces, codes, tops = event[3:6]
        places = [self._words.sight.place_of(piece)[0] for piece in pieces]
        kind = self._words.sight.zone_at(places[0]).holds
        sides = [self._side_at(place, bool(top), viewer) for place, top in zip(places, tops, strict=True)]
        shown = [self._words.sight.piece_of(kind, code) for code in codes]
        names = [self._words.piece_by(side, piece, kind) for side, piece in zip(sides, shown, strict=True)]
        thing = self._times(*self._counted(names))
        player = event[2] if self._is_in_turn(event[1]) else self._owner_of_all(places)
        if player is None:
            return self._words.word("engine.log.rolled.nobody", thing=thing)
        return self._words.word("engine.log.rolled", player=self._player(player), thing=thing)

    def _look(self, event: Event, viewer: int | None) -> str:
        """Pieces that some players are shown: to these by their fronts, to others by what they see of them."""
        pieces, seers, cells = event[3:6]
        told = viewer is None or is_among(seers, viewer)
        places = [self._words.sight.place_of(piece)[0] for piece in pieces]
        kind = self._words.sight.zone_at(places[0]).holds
        sides = ["front" if told else self._words.side(piece, cells, viewer) for piece in pieces]
        names = [self._words.piece_by(side, piece, kind, cells) for side, piece in zip(sides, pieces, strict=True)]
        thing = self._times(*self._counted(names))
        found = dict.fromkeys(self._place(place) for place in places)
        named = [name for name in found if name is not None]
        if named:
            source = self._words.together(named)
            thing = self._words.word("engine.log.looked.thing", thing=thing, source=source)
        seats = [seat for seat in range(seers.bit_length()) if seers >> seat & 1]
        if len(seats) == 1:
            return self._words.word("engine.log.looked", player=self._player(seats[0]), thing=thing)
        players = self._words.together([self._player(seat) for seat in seats])
        return self._words.word("engine.log.looked.several", players=players, thing=thing)

    def _owner_of_all(self, places: list[int]) -> int | None:
        """The player to whom all these places belong; None where there is none, or more than one."""
        zones = [self._words.sight.zone_at(place) for place in places]
        found = {
            owner_of(self._words.world, zone, place - zone.first) for zone, place in zip(zones, places, strict=True)
        }
        return found.pop() if len(found) == 1 else None

    def _is_in_turn(self, at: int) -> bool:
        """Whether somebody acts at an instruction: in a block that is called, and where `me` has been given a value."""
        block = self._blocks[at]
        if block.kind not in ("main", "setup", "flow", "end"):
            return True
        depth, kept = 0, set()
        for instr in self._program.instrs[block.entry : at]:
            if instr.op == "set" and isinstance(instr.args[1], Load) and instr.args[1].region == "me":
                kept.add(instr.args[0])
            elif instr.op == "store" and instr.args[0] == "me":
                given = instr.args[2]
                depth += -1 if isinstance(given, Local) and given.slot in kept else 1
        return depth > 0

    def _tells_of(self, at: int, source: int, goal: int) -> bool:
        """Whether a move is told by itself: an action's line tells of its own; an effect's are, of zones with names."""
        block = self._blocks[at]
        if self._words.catalogue.find(f"{named(block)}.log"):
            return False  # the block's own line tells of it
        if block.kind != "effect":
            return block.kind in TOLD_BLOCKS
        zones = (self._words.sight.zone_at(source), self._words.sight.zone_at(goal))
        return all(z.key.startswith("box.") or self._words.catalogue.find(f"zone.{z.key}") for z in zones)

    def _moved(self, piece: int, goal: int, top: bool, cells: Cells, viewer: int | None) -> str:
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

    def _shuffle(self, event: Event, viewer: int | None) -> str | None:
        zone = self._program.instrs[event[1]].args[0]
        told = isinstance(zone, ZoneIr) and not zone.zone.startswith("box.")
        return self._words.word("engine.log.shuffled", zone=self._words.zone(zone.zone)) if told else None

    # ---- events ----

    def _event(self, event: Event, viewer: int | None) -> str | None:
        """An event of the game has a line where its content gives it one; so has the beginning of a turn.

        A viewer who does not see what the line reads is not told of it: attributes of pieces, and values from others'
        hidden things.
        """
        _, at, me, name, values, cells = event
        if name == "turn":
            return self._words.word("engine.turn", player=self._player(values[0]))
        params = self._words.world.events.get(name, ())
        env: dict[str, Typed] = {"me": (me, PLAYER)}
        env |= {n: (value, t) for value, (n, t) in zip(values, params, strict=True)}
        given = zip(params, self._program.instrs[at].args[1], strict=True)
        secret = {n for (n, t), ir in given if not holds_pieces(t) and self.secrets.is_secret(ir)}
        if viewer not in (None, me) and self.mentions(f"event.{name}", secret):
            return None
        if self.hides(f"event.{name}", env, cells, viewer):
            return None
        return self._words.message(f"event.{name}", env, cells, viewer)


def _joined(events: Iterable[Event]) -> list[Event]:
    """The events, those that set one cell again at once put together: several steps along a track are one way."""
    found: list[Event] = []
    for event in events:
        last = found[-1] if found else ()
        if event[0] == "set" and last and last[0] == "set" and last[1:5] == event[1:5] and last[6] == event[5]:
            found[-1] = (*last[:6], event[6])
        else:
            found.append(event)
    return found


_LINES: dict[str, Callable[[LogLines, Event, int | None], str | None]] = {
    "action": LogLines._action,
    "effect": LogLines._effect,
    "late": LogLines._late,
    "choice": LogLines._choice,
    "score": LogLines._score,
    "gain": LogLines._counter,
    "pay": LogLines._counter,
    "set": LogLines._set,
    "draw": LogLines._draw,
    "move": LogLines._move,
    "flip": LogLines._flip,
    "roll": LogLines._roll,
    "look": LogLines._look,
    "shuffle": LogLines._shuffle,
    "event": LogLines._event,
}
