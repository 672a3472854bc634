"""What happened, as lines: one for each entry of the executor's sink that people should read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.texts.names import Typed, Words
from interpreter.texts.phrases import Cells
from rulespec.lower.ir import Program, ZoneIr
from rulespec.messages.decisions import log_names
from rulespec.model.types import PLAYER

NO_REASON = "points"  #: the reason of points that are given without one


def log_line(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    """The line of an event, or None for one that needs no words."""
    write = _LINES.get(event[0])
    return None if write is None else write(words, program, event, cells, viewer)


def _player(words: Words, seat: int) -> str:
    return words.member("player", seat)


def _action(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    _, at, me, action, given = event
    types = log_names(program.instrs[at])
    values: dict[str, Typed] = {"me": (me, PLAYER), **{name: (value, types[name]) for name, value in given}}
    found = words.message(f"{action}.log", values, cells, viewer)
    if found is not None:
        return found
    chosen = words.values([typed for name, typed in values.items() if name != "me"], cells, viewer)
    title = words.message(f"{action}.name", {}) or words.message(action, {})
    choice = ", ".join(part for part in (title, chosen) if part)
    return words.word("engine.log.chose", player=_player(words, me), choice=choice) if choice else None


def _score(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    _, _, who, amount, reason = event
    why = words.message(f"score.{reason}", {})
    why = why or (words.word("engine.score") if reason == NO_REASON else reason)
    return words.word("engine.log.scored", player=_player(words, who), points=amount, reason=why)


def _counter(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    kind, _, me, region, amount = event
    if not amount:
        return None
    key = "engine.log.gained" if kind == "gain" else "engine.log.paid"
    counter = words.message(f"state.{region}", {}) or region
    return words.word(key, player=_player(words, me), n=amount, counter=counter)


def _draw(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    _, _, me, amount, zone = event
    return words.word("engine.log.drew.several", player=_player(words, me), n=amount, source=words.zone(zone))


def _shuffle(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    zone = program.instrs[event[1]].args[0]
    return words.word("engine.log.shuffled", zone=words.zone(zone.zone)) if isinstance(zone, ZoneIr) else None


def _event(
    words: Words, program: Program, event: Sequence[Any], cells: Cells | None, viewer: int | None
) -> str | None:
    """An event of the game has a line where its content gives it one; so has the beginning of a turn."""
    _, _, me, name, values = event
    if name == "turn":
        return words.word("engine.turn", player=_player(words, me))
    params = words.world.events.get(name, ())
    env = {n: (value, t) for value, (n, t) in zip(values, params, strict=True)}
    return words.message(f"event.{name}", {"me": (me, PLAYER), **env}, cells, viewer)


_LINES: dict[str, Callable[[Words, Program, Sequence[Any], Cells | None, int | None], str | None]] = {
    "action": _action,
    "score": _score,
    "gain": _counter,
    "pay": _counter,
    "draw": _draw,
    "shuffle": _shuffle,
    "event": _event,
}
