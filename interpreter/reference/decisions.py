"""What a decision offers before anything is looked ahead at, and what an answer fills."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from typing import Any

from interpreter.reference.faults import out_of_range
from interpreter.reference.pieces import piece_of, split
from interpreter.reference.position import Position
from rulespec.lower.ir import Ask, Name
from rulespec.model.types import Integer, ListType, Piece, strip
from rulespec.program.meaning import Names, members, without

STOP = -1
ACCEPT, DECLINE = 1, 0
#: what a slot of the state holds, above and below zero
LARGEST = 2**31 - 1


# ---- candidates ------------------------------------------------------------------------------------------------------


def candidates(p: Position, ask: Ask) -> list[Any]:
    """The candidates of a decision in order, equal ones once; those of a set whatever was picked already.

    Chance picks among all members, so that of three equal pieces and another one the equal ones are likelier.
    """
    if ask.kind == "may":
        return [ACCEPT, DECLINE]
    found: list[tuple[Any, bool]] = []
    keys: set[Any] = set()
    for chosen, inner in _combinations(p, ask, ask.names, {}):
        if ask.alike is not None:
            key = p.value(ask.alike, inner)
            if key in keys:
                continue
            keys.add(key)
        candidate = chosen if ask.record or len(ask.names) > 1 else chosen[0]
        preferred = (name.if_possible is None or p.value(name.if_possible, inner) for name in ask.names)
        found.append((candidate, all(preferred)))
    best = [candidate for candidate, is_preferred in found if is_preferred] or [candidate for candidate, _ in found]
    if ask.chance:
        return best
    # in the order of the backs: that of the fronts would tell what is hidden
    once = list(dict.fromkeys(best))
    return sorted(once) if any(name.seen is not None for name in ask.names) else once


def _combinations(
    p: Position, ask: Ask, names: tuple[Name, ...], chosen: Names
) -> Iterator[tuple[tuple[Any, ...], Names]]:
    """Every combination of the names, each filtered by its `where`: as the chooser knows it, and as it is."""
    if not names:
        yield (), chosen
        return
    found = _of_one_name(p, names[0], chosen)
    if ask.chance:  # it knows every piece
        found = ((member, member) for member in _members(p, names[0], chosen))
    for known, member in found:
        for others, inner in _combinations(p, ask, names[1:], {**chosen, names[0].var: member}):
            yield (known, *others), inner


def _members(p: Position, name: Name, chosen: Names) -> Iterator[Any]:
    """The members of one name that pass its filter."""
    for member in members(p, name.source, chosen):
        p.count()
        if name.where is None or p.value(name.where, {**chosen, name.var: member}):
            yield member


def _of_one_name(p: Position, name: Name, chosen: Names) -> Iterator[tuple[Any, Any]]:
    """The candidates of one name, equal ones once: as the chooser knows each, and the first that it stands for."""
    is_piece = isinstance(strip(name.type), Piece)
    is_seen = name.seen is None or bool(p.value(name.seen, chosen))
    met: set[Any] = set()
    for member in _members(p, name, chosen):
        if not is_piece:
            known = key = member
        else:
            place, _, code = split(p, member)
            key = place, code
            known = member
            if not is_seen:
                code = p.game.places[place].kind.unseen[code]
                key, known = (place, code), piece_of(p, place, 0, code)
        if key not in met:
            met.add(key)
            yield known, member


# ---- answers ---------------------------------------------------------------------------------------------------------


def fill(p: Position, slot: int, content: Any) -> None:
    """Fills a slot. A number without declared bounds must fit into a cell of the state (RS801)."""
    t = strip(p.game.program.slots[slot].type)
    of = t.of if isinstance(t, ListType) else t
    if slot in p.game.state_slots and isinstance(of, Integer) and None in (of.low, of.high):
        largest = content if of is t else max((abs(i) for i in content), default=0)
        if not -LARGEST - 1 <= largest <= LARGEST:
            raise out_of_range(largest, -LARGEST, LARGEST)
    p.slots[slot] = content


def answer(p: Position, at: int, ask: Ask, given: Any) -> int:
    """Fills what an answer to a decision fills; gives where play goes on."""
    ANSWERS[ask.kind](p, ask, given)
    return at + 1


def _one(p: Position, ask: Ask, given: Any) -> None:
    """A slot for each name."""
    for name, part in zip(ask.names, given if ask.record or len(ask.names) > 1 else (given,), strict=True):
        fill(p, name.slot, part)


def _set(p: Position, ask: Ask, given: Any) -> None:
    """`picked` and `order`, both in the order of the candidates' numbers, so that the same set is the same state."""
    if ask.optional:
        p.slots[ask.answer] = int(given != STOP)
    if given != STOP:
        p.slots[ask.picked], p.slots[ask.order] = with_pick(p.slots[ask.picked], p.slots[ask.order], given)


def with_pick(picked: tuple[Any, ...], order: tuple[int, ...], pick: tuple[int, Any]) -> tuple[Any, tuple[int, ...]]:
    """The picks of a set with one more, and the number of each among the candidates."""
    number, candidate = pick
    at = bisect(order, number)
    return (*picked[:at], candidate, *picked[at:]), (*order[:at], number, *order[at:])


def _may(p: Position, ask: Ask, given: int) -> None:
    """`answer`."""
    p.slots[ask.answer] = given


def _next(p: Position, ask: Ask, given: Any) -> None:
    """The name's slot, `left`, and `answer`."""
    p.slots[ask.answer] = int(given != STOP)
    if given != STOP:
        name = ask.names[0]
        p.slots[name.slot] = given
        is_piece = isinstance(strip(name.type), Piece)
        p.slots[ask.left] = without(p, p.slots[ask.left], given, pieces=is_piece)


ANSWERS: dict[str, Callable[[Position, Ask, Any], None]] = {"one": _one, "set": _set, "may": _may, "next": _next}
