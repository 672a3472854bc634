"""A state of a game: data that is never changed. `apply` gives a new one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from interpreter.middle.layout import from_bytes, to_bytes
from interpreter.options import Option, Options, squeeze
from rulespec.lower.ir import Ask

if TYPE_CHECKING:
    from interpreter.events import Event
    from interpreter.game import Game
    from interpreter.views import View

Sink = Sequence[Any]


class Found(Protocol):
    """What an executor found at a decision: where it is asked, who decides, and (when asked for) the options."""

    at: int
    chooser: int

    def candidates(self) -> list[Any]:
        """The options, in order."""
        ...


class Decision(NamedTuple):
    """What is asked: `player` decides (a seat's number), in the choice `id` of `action` (None outside actions)."""

    player: int
    id: str
    action: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: points by seat, and seats by place; those who share a place stand in one tuple.

    Where nobody has won, the first place is empty. `teams` has for each seat the first seat of its team; it is empty in
    a game without teams.
    """

    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    teams: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """Who shares the first place: nobody where the game was lost."""
        return self.ranking[0]

    @property
    def shares(self) -> list[float]:
        """The part of the victory of each seat. A team has its part as one, and so has each of its members."""
        sides = {self.teams[seat] if self.teams else seat for seat in self.winners}
        return [1 / len(sides) if seat in self.winners else 0.0 for seat in range(len(self.scores))]


def digest_of(data: bytes) -> str:
    """A short digest of the bytes of a state, in whatever form states are."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


class State:
    """A position of a game, also in the middle of a turn. Compares and hashes by its bytes.

    `events` is None, or what happened on the way here, where that was asked for; `what_happened` names it.
    """

    __slots__ = ("_bytes", "_candidates", "_cells", "_found", "_options", "events", "game")

    def __init__(self, game: Game, cells: list[Any] | None, candidates: list[Any] | None, events: Sink | None = None):
        self.game = game
        self._cells = cells
        self._candidates = candidates
        self.events = events
        self._options: Options | None = None
        self._bytes: bytes | None = None
        self._found: Found | None = None

    @classmethod
    def of_bytes(cls, game: Game, data: bytes, found: Found | None, events: Sink | None = None) -> State:
        """A state that another executor made: its bytes and its options, read when they are asked for."""
        state = cls(game, None, None, events)
        state._bytes, state._found = data, found
        return state

    @property
    def cells(self) -> list[Any]:
        """The cells of the state; nobody changes them."""
        if self._cells is None:
            assert self._bytes is not None
            self._cells = from_bytes(self._bytes, self.game.facts.rooms)
        return self._cells

    @property
    def candidates(self) -> list[Any] | None:
        """The options as the executors write them; None when the game is over."""
        if self._candidates is None and self._found is not None:
            self._candidates = self._found.candidates()
        return self._candidates

    @property
    def _is_over(self) -> bool:
        return self._candidates is None and self._found is None

    # ---- playing ----

    @property
    def ask(self) -> Ask:
        """The description of what is asked now. KeyError when the game is over."""
        return self.game.facts.asks[self.asks_at]

    @property
    def asks_at(self) -> int:
        """The number of the instruction that asks; 0 when the game is over."""
        return self._found.at if self._found is not None else int(self.cells[0])

    @property
    def chooser(self) -> int:
        """The number of the seat that decides."""
        return self._found.chooser if self._found is not None else int(self.cells[self.game.machine.me])

    @property
    def decision(self) -> Decision | None:
        """Who decides what; None when the game is over."""
        if self._is_over:
            return None
        key = self.asks_at, self.chooser
        found = self.game.decisions.get(key)
        if found is None:
            ask = self.ask
            found = self.game.decisions[key] = Decision(key[1], ask.id, ask.action)
        return found

    def options(self) -> Options:
        """What may be chosen, in stable order; empty when the game is over."""
        found = self._options
        if found is None:
            found = self._options = Options(self, self.candidates or [])
        return found

    def apply(self, option: Option, *, events: bool = False) -> State:
        """The state after choosing an option of this state; this one is untouched.

        An option of another state is taken by its key. Raises IllegalOption when it is not offered here.
        """
        try:
            is_own = option.state is self
        except AttributeError:
            raise TypeError(f"apply takes an Option, such as state.option(key), and not {option!r}") from None
        if not is_own:
            option = self.option(option.key)
        return self.game.advance(self, option.candidate, events=events)

    def option(self, key: str) -> Option:
        """The option with a key; white space in it means nothing. Raises IllegalOption: which condition failed."""
        if not isinstance(key, str):
            raise TypeError(f"the key of an option is a text, not {key!r}")
        found = self.options().find(key) or self.options().find(squeeze(key))
        if found is None:
            from interpreter.refusal import refuse

            raise refuse(self, key)
        return found

    @property
    def result(self) -> Result | None:
        """Points and places; None while the game goes on."""
        return self.game.result_of(self) if self._is_over else None

    # ---- data ----

    def to_bytes(self) -> bytes:
        """The whole state; every state of a game has the same length."""
        if self._bytes is None:
            self._bytes = to_bytes(self.cells, self.game.facts.rooms)
        return self._bytes

    def digest(self) -> str:
        """Sixteen hexadecimal digits that stand for the state (BLAKE2b of its bytes)."""
        return digest_of(self.to_bytes())

    def to_json(self) -> dict[str, Any]:
        """Everything, by declared names: for whoever may see all."""
        from interpreter.views import state_json

        return state_json(self, None)

    def value(self, key: str, member: str | None = None) -> Any:
        """What a declared cell holds, by its key (`round`, `player.coins`) and for one member (`red`, `cell[0,1]`).

        Without a member of several, all of them by name. `score` is the points. Raises ValueError for what is not
        there.
        """
        from interpreter.views import one_value

        return one_value(self, key, member)

    def zone(self, key: str, member: str | None = None) -> Any:
        """The pieces in a zone as texts from the bottom up, by its key (`deck`, `player.hand`) and for one member.

        Without a member of several, all of them by name. Raises ValueError for a zone that there is not.
        """
        from interpreter.views import one_zone

        return one_zone(self, key, member, None)

    def what_happened(self, seat: int | None = None) -> tuple[Event, ...]:
        """The events on the way here by name, for whoever may see all or as one seat saw them when they happened.

        Raises ValueError where the state was made without `events=True`.
        """
        from interpreter.events import events_of

        return events_of(self, seat)

    def information_state(self, seat: int) -> str:
        """What a seat sees of this position and may choose in it, as text: equal where all of that is equal.

        What it has seen before is not in it: see `interpreter.information`. Raises ValueError as `view`.
        """
        from interpreter.information import information_state

        return information_state(self, seat)

    def view(self, seat: int) -> View:
        """What a seat may see. Raises ValueError for a seat that is not at the table."""
        from interpreter.views import View

        if not isinstance(seat, int):
            raise TypeError(f"a seat is a number, not {seat!r}")
        if not 0 <= seat < self.game.players:
            raise ValueError(f"seats are 0..{self.game.players - 1}, not {seat}")
        return View(self, seat)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if not self.game.same_as(other.game):
            return False
        if self._cells is not None and other._cells is not None:
            lasting = self.game.facts.layout.lasting
            return self._cells[:lasting] == other._cells[:lasting]
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self  # nothing in a state changes

    def __reduce__(self) -> tuple[Any, ...]:
        """A state is pickled as its game and its bytes; `events` stay behind."""
        return _from_bytes, (self.game, self.to_bytes())

    def __repr__(self) -> str:
        return f"<State {self.game.id} {self.digest()}>"


def _from_bytes(game: Game, data: bytes) -> State:
    return game.state_from_bytes(data)
