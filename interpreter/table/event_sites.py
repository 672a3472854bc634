"""The sites that a line of the log is about: where something was put, and which sites were chosen or named.

Nothing is told that the log of a seat does not tell: places of pieces that move and are drawn are in it for everybody,
and so is what was chosen, unless it was read off a hidden piece or chosen in secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from interpreter.options import arguments
from rulespec.lower.domains import site_text
from rulespec.messages.decisions import log_names
from rulespec.model.types import Member, Type, strip

if TYPE_CHECKING:
    from interpreter.game import Game
    from rulespec.lower.ir import Ask

Event = Sequence[Any]

#: Players are seats: what belongs to one has no place on a board.
_SEATS: Final = "player"


class EventSites:
    """Finds the sites of the events of one game."""

    def __init__(self, game: Game):
        self._world, self._program = game.world, game.built.program
        self._sight, self._secrets = game.knowledge.sight, game.knowledge.secrets

    def of(self, event: Event) -> tuple[str, ...]:
        """The sites of an event, as keys write them, in order and each once."""
        find = _FIND.get(event[0])
        return () if find is None else tuple(dict.fromkeys(find(self, event)))

    def _named(self, event: Event) -> Iterator[str]:
        """The sites among the names of an action, an effect or a trigger."""
        instr = self._program.instrs[event[1]]
        types, sources = log_names(instr), dict(instr.args[1])
        for name, value in event[4]:
            if not self._secrets.is_secret(sources[name]):
                yield from self._site(types[name], value)

    def _chosen(self, event: Event) -> Iterator[str]:
        ask: Ask = self._program.instrs[event[1]].args[0]
        slots = {name.name: name.slot for name in ask.names}
        for name, t, value in () if ask.secret else arguments(ask, event[3]):
            if slots.get(name) not in self._secrets.slots:
                yield from self._site(t, value)

    def _moved(self, event: Event) -> Iterator[str]:
        for piece in event[3]:
            yield from self._place(self._sight.place_of(piece)[0])
        yield from self._place(event[4])

    def _flipped(self, event: Event) -> Iterator[str]:
        for piece in event[3]:
            yield from self._place(self._sight.place_of(piece)[0])

    def _drawn(self, event: Event) -> Iterator[str]:
        yield from self._place(event[6])

    def _set(self, event: Event) -> Iterator[str]:
        var = self._world.states.get(event[3])
        if var is not None and var.domain not in (None, _SEATS):
            yield site_text(self._world, var.domain, event[4])

    def _site(self, t: Type, value: Any) -> Iterator[str]:
        of = strip(t)
        if isinstance(of, Member) and of.domain != _SEATS and isinstance(value, int) and value >= 0:
            yield site_text(self._world, of.domain, value)

    def _place(self, place: int) -> Iterator[str]:
        zone = self._sight.zone_at(place)
        if zone.domain not in (None, _SEATS):
            yield site_text(self._world, zone.domain, place - zone.first)


_FIND: Final[dict[str, Callable[[EventSites, Event], Iterator[str]]]] = {
    "action": EventSites._named,
    "effect": EventSites._named,
    "late": EventSites._named,
    "choice": EventSites._chosen,
    "move": EventSites._moved,
    "flip": EventSites._flipped,
    "look": EventSites._flipped,
    "draw": EventSites._drawn,
    "set": EventSites._set,
}
