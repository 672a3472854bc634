"""Another state that looks the same to one seat: hidden pieces dealt anew, chance seeded anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from interpreter import rng
from interpreter.chance import Chance
from interpreter.hiding import Hiding, Spot, find_hiding
from interpreter.middle.pieces import copy_cells
from interpreter.reckoning import IMAGINING
from rulespec.model.types import ListType, Piece, Record, Type, strip
from rulespec.program.ops import HORIZONS

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

#: Place and code of a piece, and how many like it stand before it in the same name.
Named = tuple[int, int, int]

TRIES = 100  #: deals of one imagining
_FAR = 0x9E3779B97F4A7C15  #: from one seed to the next one tried: seeds that stand beside one another are others' first


def imagine(state: State, seat: int, seed: int) -> State:
    """A state that the seat cannot tell from this one, drawn evenly from what it cannot see and does not know.

    Pieces whose fronts the seat neither sees nor has seen, as far as it still knows them, are dealt anew, where it
    sees backs among those with that back, and rolled anew if they are of a kind that is rolled. What others know is
    left out. Every stream of chance begins anew. Pieces that an open block names stay where they are, so that it can
    go on; those of a kind that is rolled show another face, and the names follow them. What others have chosen in
    secret is chosen anew. Other values in names of open blocks stay as they are, also those that were read off hidden
    things: a known gap (`docs/engine_promises.md`). But for them states that look the same become the same with the
    same seed. That something is asked tells that something can be chosen: states in which nothing could are dealt
    again, up to `TRIES` times, and where all are such, the last one has no options. Raises ValueError for a seed
    outside 0..2**64-1.
    """
    if not 0 <= seed <= rng.MASK_64:
        raise ValueError(f"a seed lies between 0 and {rng.MASK_64}, not {seed}")
    other = _imagined(state, seat, seed)
    for number in range(1, TRIES):
        if other.decision is None or other.candidates:
            break
        other = _imagined(state, seat, (seed + number * _FAR) & rng.MASK_64)
    return other


def _imagined(state: State, seat: int, seed: int) -> State:
    """One such state, in which it may be that nothing can be chosen."""
    other = None if state.decision is None else state.game.imagined(state, seat, seed)
    if other is not None:
        return other
    return state.game.state_from_cells(imagined_cells(state, seat, seed))


def imagined_cells(state: State, seat: int, seed: int) -> list[Any]:
    """The cells of such a state, for whoever finds its options in another way."""
    game = state.game
    cells = copy_cells(state.cells)
    dice, hiding = Chance(seed, IMAGINING), _hiding(game)
    named = set(_named(state, hiding)) if hiding.spots else set()
    for kind, spots in hiding.spots.items():
        deal = Deal(game, kind, cells, rolled=kind in hiding.rolled)
        for screens in hiding.screens.get(kind, ()):
            deal.share_out([spot for spot in screens if spot.owner != seat], named, dice)
        deal.anew(spots, seat, named, dice)
        for spot in spots:  # what others know would tell of what they have seen
            game.facts.pieces.keep_known(cells, spot.place, seat)
        for cell, declared in hiding.named if deal.turned else ():
            cells[cell] = _following(deal, declared, cells[cell])
    if state.decision is not None and state.ask.secret:
        _choose_anew(state, cells, seat, dice)
    for name, cell in game.facts.layout.streams.items():
        cells[cell] = rng.start(rng.seed_stream(seed, name), rng.increment(name))
    return cells


_HIDING: WeakKeyDictionary[Game, Hiding] = WeakKeyDictionary()


def _hiding(game: Game) -> Hiding:
    """What can be hidden in a game, found once."""
    found = _HIDING.get(game)
    if found is None:
        found = _HIDING[game] = find_hiding(game.facts)
    return found


def hides_nothing(game: Game) -> bool:
    """Whether nothing is ever hidden and no chance is used: each state looks like no other one."""
    hiding, program = _hiding(game), game.built.program
    uses_chance = any(i.op in HORIZONS or (i.op == "ask" and i.args[0].chance) for i in program.instrs)
    return not (hiding.spots or hiding.secret or uses_chance)


class Deal:
    """Deals hidden pieces of one kind anew: any that can lie at each place, by the back that is seen there.

    The pieces are dealt from a sorted pack, so that states that look the same become the same.
    `interpreter.native.deal` does the same, draw by draw.
    """

    def __init__(self, game: Game, kind: str, cells: list[Any], *, rolled: bool):
        self.kind = kind
        self._handling, self._unseen = game.facts.pieces, game.world.pieces[kind].unseen
        self._faces = len(game.world.pieces[kind].faces) if rolled else 0
        self._cells = cells
        self._contents: dict[int, list[int]] = {}
        self._backs: list[tuple[int, int, int]] = []
        self._others: list[tuple[int, int]] = []
        self._kept: list[tuple[int, int, int]] = []
        #: what was named and shows another face now: place, code, position and the new code
        self.turned: list[tuple[int, int, int, int]] = []

    def anew(self, spots: Iterable[Spot], seat: int, named: set[Named], dice: Chance) -> None:
        """Takes up what a seat does not see and nobody has named, and deals it out again."""
        for spot in spots:
            self._take_up(spot, seat, named)
        places = [*((place, position) for place, _, position in self._backs), *self._others]
        pack = sorted(self._contents[place][position] for place, position in places)
        for (place, position), code in list(self._dealt(pack, dice)):
            self._contents[place][position] = self._rolled(code, dice)
        for place, code, position in self._kept:
            self._contents[place][position] = self._rolled(code, dice)
            self.turned.append((place, code, position, self._contents[place][position]))
        for place, codes in self._contents.items():
            self._handling.set_content(self._cells, place, codes)

    def share_out(self, spots: Sequence[Spot], named: set[Named], dice: Chance) -> None:
        """Gives places of which a seat does not see how many pieces they hold other numbers, of as many together.

        Every way to share them out is as likely, as long as there is room. What is named stays.
        """
        contents = [self._handling.content(self._cells, spot.place) for spot in spots]
        kept = [_still_named(spot.place, codes, named) for spot, codes in zip(spots, contents, strict=True)]
        free = sorted((Counter(chain(*contents)) - Counter(chain(*kept))).elements())
        if len(spots) < 2 or not free:
            return
        marks = [0] * len(free) + [1] * (len(spots) - 1)
        dice.shuffle(marks)
        amounts = [len(part) for part in "".join(map(str, marks)).split("1")]
        over = 0
        for spot, codes, amount in zip(spots, kept, amounts, strict=True):
            taken = min(amount + over, spot.room - len(codes))
            over += amount - taken
            codes += [free.pop() for _ in range(taken)]
        for spot, codes in zip(spots, kept, strict=True):
            codes += [free.pop() for _ in range(min(len(free), spot.room - len(codes)))]
            self._handling.set_content(self._cells, spot.place, codes)

    def _rolled(self, code: int, dice: Chance) -> int:
        """A piece of a kind that is rolled shows any face: which one it shows is hidden too."""
        return code - code % self._faces + dice.below(self._faces) if self._faces else code

    def follow(self, piece: int, number: int) -> int:
        """A piece that a name held, as it is now: of equal ones of a pool the one of this number, else the nearest."""
        codes, depth = self._handling.codes, self._handling.depth
        rest, code = divmod(piece, codes)
        place, position = divmod(rest, depth)
        there = [(at, new) for where, old, at, new in self.turned if (where, old) == (place, code)]
        if not there:
            return piece
        if self._is_pool(place):
            return piece - code + there[min(number, len(there) - 1)][1]
        at, new = min(there, key=lambda found: abs(found[0] - position))
        return (place * depth + (at if self._handling.places[place][0] == "stack" else 0)) * codes + new

    def _is_pool(self, place: int) -> bool:
        return self._handling.places[place][0] == "pool"

    def _take_up(self, spot: Spot, seat: int, named: set[Named]) -> None:
        """The hidden positions of a place, those whose backs are seen in the order of the backs."""
        place, content = spot.place, self._handling.content(self._cells, spot.place)
        known = self._handling.known_to(self._cells, place, seat)
        hidden = [p for p in spot.hidden(seat, len(content)) if p not in known]
        shown = spot.shown(seat, len(content))
        # of equal ones as many as a name holds are kept
        counted = (self._faces or not spot.is_counted) and self._is_pool(place)
        numbers = [content[:p].count(content[p]) if counted else 0 for p in hidden]
        kept = {p for p, number in zip(hidden, numbers, strict=True) if (place, content[p], number) in named}
        free = [p for p in hidden if p not in kept]
        self._kept += [(place, content[p], p) for p in hidden if p in kept and self._faces]
        if free or (kept and self._faces):
            self._contents[place] = content
        self._backs += sorted((place, self._unseen[content[p]], p) for p in free if p in shown)
        self._others += [(place, p) for p in free if p not in shown]

    def _dealt(self, pack: list[int], dice: Chance) -> Iterator[tuple[tuple[int, int], int]]:
        """Each position with the piece that it gets: first where a back is seen, then anywhere."""
        if self._backs:
            dice.shuffle(pack)
            by_back: dict[int, list[int]] = {}
            for code in pack:
                by_back.setdefault(self._unseen[code], []).append(code)
            for place, back, position in self._backs:
                yield (place, position), by_back[back].pop()
            pack = sorted(code for codes in by_back.values() for code in codes)
        dice.shuffle(pack)
        yield from zip(self._others, pack, strict=True)


def _still_named(place: int, codes: list[int], named: set[Named]) -> list[int]:
    """Of the pieces at a place those that a name holds."""
    seen: Counter[int] = Counter()
    found = []
    for code in codes:
        if (place, code, seen[code]) in named:
            found.append(code)
        seen[code] += 1
    return found


def _choose_anew(state: State, cells: list[Any], seat: int, dice: Chance) -> None:
    """Other secret choices of the others: each evenly out of what they may choose."""
    secret = _hiding(state.game).secret[cells[0]]
    cells[secret.kept] = tuple(
        _own(state, cells, r, dice) if r[0] == seat else _another(state, cells, r, dice) for r in cells[secret.kept]
    )


def _own(state: State, cells: list[Any], record: tuple[Any, ...], dice: Chance) -> tuple[Any, ...]:
    """What a player has chosen, who may not know yet which of the pieces with that back it has become."""
    sight, codes = state.game.knowledge.sight, state.game.facts.pieces.codes
    found = [record[0]]
    for name, value in zip(state.ask.names, record[1:], strict=True):
        inner, chosen = strip(name.type), value
        if isinstance(inner, Piece) and value >= 0 and sight.side(state.cells, value, record[0]) != "front":
            back = value - value % codes + state.game.world.pieces[inner.kind].unseen[value % codes]
            chosen = _front(state, cells, name.type, back, dice)
        found.append(chosen)
    return tuple(found)


def _another(state: State, cells: list[Any], record: tuple[Any, ...], dice: Chance) -> tuple[Any, ...]:
    """What a player could have chosen instead at the decision that is asked of all."""
    facts, player, secret = state.game.facts, record[0], _hiding(state.game).secret[cells[0]]
    trial = copy_cells(cells)
    for region in ("me", "active"):
        trial[facts.layout.regions[region]] = player
    if secret.seat >= 0:
        trial[secret.seat] = player
    options = state.game.machine.options(trial, secret.at)
    if not options:
        return record
    chosen = dice.one_of(options)
    names = state.ask.names
    values = chosen if len(names) > 1 or state.ask.record else (chosen,)
    return (player, *(_front(state, trial, n.type, v, dice) for n, v in zip(names, values, strict=True)))


def _front(state: State, cells: list[Any], t: Type, value: Any, dice: Chance) -> Any:
    """A piece that was chosen by its back: one of those that look like it."""
    inner, handling = strip(t), state.game.facts.pieces
    if not isinstance(inner, Piece) or value % handling.codes < state.game.world.pieces[inner.kind].count:
        return value
    unseen = state.game.world.pieces[inner.kind].unseen
    refs = handling.refs(cells, value // handling.codes // handling.depth)
    return dice.one_of([r for r in refs if unseen[r % handling.codes] == value % handling.codes])


def _named(state: State, hiding: Hiding) -> Iterator[Named]:
    """Place and code of each piece that a name of an open block holds, and how many like it stand before it there."""
    codes, depth = state.game.facts.pieces.codes, state.game.facts.pieces.depth
    for cell, declared in hiding.named:
        before: Counter[tuple[int, int]] = Counter()
        for value in _pieces(declared, state.cells[cell]):
            if value > 0:
                found = value // codes // depth, value % codes
                yield *found, before[found]
                before[found] += 1


def _following(deal: Deal, declared: Type, content: Any) -> Any:
    """What a name holds, with pieces as they are after a deal."""
    before: Counter[int] = Counter()

    def of(t: Type, value: Any) -> Any:
        inner = strip(t)
        if isinstance(inner, Piece) and inner.kind == deal.kind and isinstance(value, int) and value > 0:
            before[value] += 1
            return deal.follow(value, before[value] - 1)
        if isinstance(inner, ListType) and isinstance(value, tuple):
            return tuple(of(inner.of, v) for v in value)
        if isinstance(inner, Record) and isinstance(value, tuple):
            return tuple(of(ft, v) for (_, ft), v in zip(inner.fields, value, strict=True))
        return value

    return of(declared, content)


def _pieces(t: object, value: Any) -> list[int]:
    inner = strip(t)  # type: ignore[arg-type]
    if isinstance(inner, Piece):
        return [value] if isinstance(value, int) else []
    if isinstance(inner, ListType) and isinstance(value, tuple):
        return [piece for v in value for piece in _pieces(inner.of, v)]
    if isinstance(inner, Record) and isinstance(value, tuple):
        return [piece for (_, ft), v in zip(inner.fields, value, strict=True) for piece in _pieces(ft, v)]
    return []
