"""What is asked at a table, as data: the question, the options with what they stand for on the board, why not.

What a question says, and what may be chosen, is for the seat that decides and for nobody else: hidden things are in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.names import plain_value
from interpreter.options import arguments
from interpreter.reference.decisions import STOP
from rulespec.lower.domains import site_text
from rulespec.model.types import Member, Piece, strip
from rulespec.model.world import owner_of

if TYPE_CHECKING:
    from interpreter.options import Option
    from interpreter.state import State
    from interpreter.table.table import Table
    from interpreter.texts import Texts


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked: the `prompt`, and what was picked before, where a decision is made of several picks.

    `heading` says who decides, in whose turn.
    """

    seat: int
    heading: str
    prompt: str
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lit:
    """A thing that an option stands for: a site (`domain` and its number), or a piece, by the zone that it lies in.

    `owner` is the seat that a zone of several belongs to. Where in a zone a piece lies is not told: of a hidden one
    that would say which it is.
    """

    domain: str | None = None
    site: int | None = None
    zone: str | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """An option as data."""

    key: str
    text: str
    action: str
    args: dict[str, Any]
    lit: tuple[Lit, ...]


def question(table: Table, texts: Texts) -> Question:
    """What whoever decides is asked. The game is not over."""
    cells, seat = table.state.cells, table.decider
    assert seat is not None
    picks = tuple(_picks(table, texts))
    prompt = texts.prompt(cells, table.state.asks_at)
    return Question(seat, _heading(table, texts, seat, len(picks)), prompt, picks)


def _picks(table: Table, texts: Texts) -> list[str]:
    """What has been picked so far."""
    state = table.state
    if state.ask.kind != "set":
        return []
    n = len(state.cells[table.game.facts.layout.slots[state.ask.picked]])
    steps = table.history.steps[-n:] if n else []
    return [step.before.option(step.key).text(texts.language) for step in steps]


def _heading(table: Table, texts: Texts, seat: int, picks: int) -> str:
    player = texts.player(seat)
    if picks:
        return texts.word("engine.to_decide", player=player, n=picks + 1)
    active = table.state.cells[table.game.facts.layout.regions["active"]]
    if active == seat or active != _last_turn(table):  # else nobody's turn it is: the cell says 0 then
        return texts.word("engine.turn", player=player)
    return texts.word("engine.turn_of_others", player=player, active=texts.player(active))


def _last_turn(table: Table) -> int | None:
    """Whose turn was the last to begin."""
    for state in reversed(table.moments):
        happened: Sequence[Any] = state.events or []
        for event in reversed(happened):
            if event[3:4] == ("turn",):
                return int(event[4][0])
    return None


# ---- options ----


def choices(state: State, language: str) -> list[Choice]:
    """All that may be chosen, in order."""
    return [choice(option, language) for option in state.options()]


def choice(option: Option, language: str) -> Choice:
    """One option as data."""
    state, world = option.state, option.state.game.world
    given = arguments(state.ask, option.candidate)
    args = {name: plain_value(world, t, value) for name, t, value in given}
    lit = [found for _, t, value in given if (found := lit_of(state, t, value)) is not None]
    return Choice(option.key, option.text(language), option.action, args, tuple(dict.fromkeys(lit)))


def lit_of(state: State, of: Any, value: Any) -> Lit | None:
    """What a value of an option stands for on the board; None where it stands for nothing."""
    inner = strip(of)
    if isinstance(inner, Member) and value >= 0:
        return Lit(domain=inner.domain, site=value)
    if not isinstance(inner, Piece) or value < 0:
        return None
    sight, world = state.game.knowledge.sight, state.game.world
    place = sight.place_of(value)[0]
    zone = sight.zone_at(place)
    at = place - zone.first
    if zone.domain is None or zone.domain == "player":
        return Lit(zone=zone.key, owner=owner_of(world, zone, at))
    return Lit(domain=zone.domain, site=at, zone=zone.key, owner=owner_of(world, zone, at))


def site_of(state: State, candidate: Any) -> tuple[str, int] | None:
    """The site that a candidate stands for, where its decision is about one site and nothing else."""
    names = state.ask.names
    if len(names) != 1 or state.ask.kind == "may" or not isinstance(strip(names[0].type), Member):
        return None
    if candidate == STOP:
        return None
    domain: str = strip(names[0].type).domain  # type: ignore[attr-defined]
    site = candidate[1] if state.ask.kind == "set" else candidate
    return domain, site[0] if isinstance(site, tuple) else site


def site_name(state: State, domain: str, site: int) -> str:
    """A site as keys write it, such as `cell[2,0]`."""
    return site_text(state.game.world, domain, site)
