"""What an option will gain and cost before it is taken: points, counters, tracks and pieces of each player.

The option is tried in other states that look the same to whoever asks, and never in the state itself. So what is told
follows from what the seat sees, whatever lies hidden and whatever chance will bring. All ways to complete the action
are tried, as far as they are few; what comes behind chance, hidden things or choices of others, or in another turn, is
not foretold (see `foresight`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from interpreter.by_reference import Impatient
from interpreter.imagine import hides_nothing, imagine
from interpreter.middle.pieces import copy_cells
from interpreter.sight import answered
from interpreter.table.foresight import Foresight
from rulespec.diagnostics.model import ContentError
from rulespec.messages.keys import amount_key, zone_words_key
from rulespec.model.types import INTEGER, Integer, strip
from rulespec.model.world import owner_of

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from interpreter.texts import Texts
    from rulespec.model.world import ZoneDecl

#: How many states that look the same are tried.
WORLDS: Final = 3
#: Answers that are tried in each of them. Where completing an action takes more, only its first step is told.
MOST_TRIED: Final = 32
#: Work of the reference in each: for the option itself some tenths of a second, for what follows some hundredths.
MOST_WORK: Final = 100_000
MOST_WORK_BEHIND: Final = 20_000

Event = Sequence[Any]
#: What changes: `points`, `counter` or `pieces`, its key, and whose it is.
Item = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Change:
    """A gain (or, below zero, a cost) of a seat; where further choices decide, between `least` and `most`.

    `what` is `points`, `counter` (also the steps of a marker) or `pieces`; `of` the key of the counter or the zone.
    """

    what: str
    of: str
    seat: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an option brings. `unfinished`: the seat decides more of it, with changes that are not told here.

    `depends`: the rest of it follows chance, or what the seat cannot see; `others`: it follows what others choose.
    `unknown`: it could not be worked out, as it takes too long or the content is at fault.
    """

    changes: tuple[Change, ...]
    unfinished: bool
    depends: bool
    others: bool = False
    unknown: bool = False


def forecast(state: State, seat: int, key: str) -> Forecast | None:
    """What the option with a key will bring, as far as the seat that decides can know; None where there is none."""
    if state.options().find(key) is None:
        return None
    worlds = [state] if hides_nothing(state.game) else [imagine(state, seat, number) for number in range(WORLDS)]
    found: list[Forecast | None] = []
    for world in worlds:  # where one has too many ways on, so have the others
        found.append(_Trial(world, key).tried(follows=not any(each is not None and each.unfinished for each in found)))
        if found[-1] is not None and found[-1].unknown:
            return found[-1]
    known = [each for each in found if each is not None]
    if not known:
        return Forecast((), unfinished=False, depends=True)
    first = known[0]
    changes = tuple(change for change in first.changes if all(change in each.changes for each in known))
    differs = len(known) < len(found) or any(set(each.changes) != set(changes) for each in known)
    return Forecast(
        changes,
        unfinished=any(each.unfinished for each in known),
        depends=differs or any(each.depends for each in known),
        others=any(each.others for each in known),
    )


class _TooMuch(Exception):
    """There are more ways on than are tried."""


@dataclass(slots=True)
class _Trial:
    """An option in one state: all that can come of it until its action is complete."""

    state: State
    key: str
    tried_so_far: int = 0
    depends: bool = False
    others: bool = False
    ends: list[Counter[Item]] = field(default_factory=list)

    def tried(self, *, follows: bool) -> Forecast | None:
        """What comes of it; None where the state has no such option."""
        option = self.state.options().find(self.key)
        if option is None:
            return None
        game, cells = self.state.game, self.state.cells
        began = game.machine.worked
        try:
            first, rest = self._step(_Open(cells, [], frozenset()), option.candidate, began + MOST_WORK)
        except (ContentError, Impatient):
            return Forecast((), unfinished=False, depends=False, unknown=True)
        at_once = Forecast(tuple(_changes([first])), rest is not None, self.depends, self.others)
        if rest is not None and not follows:
            return at_once
        try:
            self._follow(first, rest, began + MOST_WORK_BEHIND)
        except (ContentError, Impatient, _TooMuch):
            return at_once
        return Forecast(tuple(_changes(self.ends)), unfinished=False, depends=self.depends, others=self.others)

    def _follow(self, so_far: Counter[Item], rest: _Open | None, until: int) -> None:
        """Each way on from a decision of the same player in the same action."""
        if rest is None:
            self.ends.append(so_far)
            return
        for candidate in rest.candidates:
            more, after = self._step(rest, candidate, until)
            self._follow(_sum(so_far, more), after, until)

    def _step(self, before: _Open, candidate: Any, until: int) -> tuple[Counter[Item], _Open | None]:
        """What changes by an answer up to the next decision, and that decision if it belongs to the action."""
        game = self.state.game
        machine = game.machine
        left = until - machine.worked
        self.tried_so_far += 1
        if self.tried_so_far > MOST_TRIED or left <= 0:
            raise _TooMuch
        cells, sink = copy_cells(before.cells), list[Any]()
        me, ask = cells[machine.me], game.facts.asks[cells[0]]
        watch = Foresight(game, me, {*before.clean, *answered(ask)})
        found = machine.run(cells, machine.answer(cells, cells[0], candidate), sink, most=left, watch=watch)
        if ask.secret:  # all that comes of it comes when everybody has chosen
            is_last = found is None or not game.facts.asks[cells[0]].secret
            self.depends |= is_last
            self.others |= not is_last
            return Counter(), None
        changed = Counter[Item]()
        for event in self._foreseen(sink, watch):
            for item, n in _changed(game, event):
                changed[item] += n
        if found is None or watch.is_next_turn or watch.until is not None:
            return changed, None
        if cells[machine.me] != me:
            self.others |= not watch.over
            return changed, None
        is_more = cells[machine.units] > 0 or not watch.over
        return changed, _Open(cells, found, frozenset(watch.clean)) if is_more else None

    def _foreseen(self, sink: list[Event], watch: Foresight) -> list[Event]:
        """The events before the next turn that can be foreseen."""
        turn = next((at for at, event in enumerate(sink) if event[0] == "event" and event[3] == "turn"), len(sink))
        if watch.until is None or watch.until > turn:
            return sink[:turn]
        behind = (n for event in sink[watch.until : turn] for _, n in _changed(self.state.game, event))
        more = watch.more or any(behind)
        self.others |= more and watch.others
        self.depends |= more and not watch.others
        return sink[: watch.until]


@dataclass(frozen=True, slots=True)
class _Open:
    """A decision on the way, with all that may be chosen, and the names that hold what its player knows."""

    cells: list[Any]
    candidates: list[Any]
    clean: frozenset[int]


def _sum(one: Counter[Item], other: Counter[Item]) -> Counter[Item]:
    """Both together; what was lost counts too, which Counter's own sum leaves out."""
    found = Counter(one)
    for item, n in other.items():
        found[item] += n
    return found


def _changes(ends: Sequence[Counter[Item]]) -> Iterator[Change]:
    """What changes in any of these, in the order in which it was met."""
    for item in dict.fromkeys(item for end in ends for item in end):
        amounts = [end[item] for end in ends]
        if any(amounts):
            yield Change(*item, min(amounts), max(amounts))


# ---- what an event changes ----


def _changed(game: Game, event: Event) -> Iterator[tuple[Item, int]]:
    """What a player has more or less of by an event."""
    kind = event[0]
    if kind == "score":
        yield ("points", "", event[2]), event[3]
    elif kind in ("gain", "pay"):
        yield ("counter", event[3], event[2]), event[4] if kind == "gain" else -event[4]
    elif kind == "set":
        yield from _set(game, event)
    elif kind == "move":
        yield from _moved(game, event)
    elif kind == "draw":
        goal, to = _zone(game, event[6])
        if to is not None:
            yield ("pieces", goal.key, to), event[3]


def _set(game: Game, event: Event) -> Iterator[tuple[Item, int]]:
    _, _, _, region, place, before, after = event
    var = game.world.states.get(region)
    if var is not None and var.domain == "player" and (var.track is not None or isinstance(strip(var.type), Integer)):
        yield ("counter", region, place), after - before


def _moved(game: Game, event: Event) -> Iterator[tuple[Item, int]]:
    """Pieces that a player gets from elsewhere, or gives away. To put one's own on a board costs nothing."""
    sight = game.knowledge.sight
    goal, to = _zone(game, event[4])
    for piece in event[3]:
        source, giver = _zone(game, sight.place_of(piece)[0])
        if to == giver:
            continue
        if to is not None:
            yield ("pieces", goal.key, to), 1
        if giver is not None and (to is not None or goal.domain is None):
            yield ("pieces", source.key, giver), -1


def _zone(game: Game, place: int) -> tuple[ZoneDecl, int | None]:
    zone = game.knowledge.sight.zone_at(place)
    return zone, owner_of(game.world, zone, place - zone.first)


# ---- in words ----


def in_words(texts: Texts, found: Forecast, seat: int) -> list[str]:
    """What is foretold, as short texts for a seat: each change, its own ones first, then what stays open."""
    own = sorted(found.changes, key=lambda change: change.seat != seat)
    told = [_change_text(texts, change, seat) for change in own if _is_named(texts, change)]
    told += [texts.word("engine.forecast.goes_on")] if found.unfinished else []
    told += [texts.word("engine.forecast.others")] if found.others else []
    told += [texts.word("engine.forecast.depends")] if found.depends else []
    told += [texts.word("engine.forecast.unknown")] if found.unknown else []
    return told or [texts.word("engine.forecast.nothing")]


def _is_named(texts: Texts, change: Change) -> bool:
    """Whether people know the thing by a name: what has none is nothing that they look at."""
    if change.what == "points":
        return True
    keys = {"counter": [f"state.{change.of}", amount_key(change.of)], "pieces": [zone_words_key(change.of)]}
    return texts.words.catalogue.first(keys[change.what]) is not None


def _change_text(texts: Texts, change: Change, seat: int) -> str:
    amounts = _Amounts(texts, change)
    whole = amounts.signed(change.most)
    if change.least != change.most:
        whole = texts.word("engine.forecast.between", low=_signed(texts, change.least, str), what=whole)
    label = amounts.label
    if change.seat != seat:
        player = texts.player(change.seat)
        label = player if label is None else texts.word("engine.comma", one=player, other=label)
    return whole if label is None else texts.word("engine.option", name=label, value=whole)


class _Amounts:
    """How an amount of something is said: in words of its own, or as a number behind a label."""

    def __init__(self, texts: Texts, change: Change):
        self._texts, self._change = texts, change
        self.label: str | None = None
        if change.what == "counter" and self._words(1) is None:
            self.label = texts.state(change.of)
        elif change.what == "pieces":
            self.label = texts.zone(change.of)

    def signed(self, n: int) -> str:
        """An amount with its sign."""
        return _signed(self._texts, n, self._said)

    def _said(self, n: int) -> str:
        return str(n) if self.label is not None else self._words(n) or str(n)

    def _words(self, n: int) -> str | None:
        if self._change.what == "points":
            return self._texts.word("engine.points", points=n)
        return self._texts.words.message(amount_key(self._change.of), {"n": (n, INTEGER)})


def _signed(texts: Texts, n: int, said: Callable[[int], str]) -> str:
    if n == 0:
        return said(0)
    return texts.word("engine.forecast.more" if n > 0 else "engine.forecast.less", what=said(abs(n)))
