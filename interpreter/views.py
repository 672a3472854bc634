"""States as readable data, and what one seat may see of them. The one place that decides what is hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from interpreter.names import piece_text, plain_value
from interpreter.sight import holds_pieces
from rulespec.diagnostics.nearest import nearest
from rulespec.lower.domains import site_text
from rulespec.model.types import ListType, Member, Piece, Record, Type, strip
from rulespec.model.world import ZoneDecl, owner_of

if TYPE_CHECKING:
    from interpreter.state import Decision, State


class View:
    """What one seat may see of a state: no seed, no order of hidden piles, no name that holds a hidden thing."""

    __slots__ = ("_state", "seat")

    def __init__(self, state: State, seat: int):
        self._state = state
        self.seat = seat

    @property
    def decision(self) -> Decision | None:
        return self._state.decision

    def option_keys(self) -> tuple[str, ...]:
        """The keys of the options, where this seat decides; else none."""
        decision = self._state.decision
        return self._state.options().keys() if decision is not None and decision.player == self.seat else ()

    def to_json(self) -> dict[str, Any]:
        """Everything that the seat may see, by declared names."""
        return state_json(self._state, self.seat)

    def value(self, key: str, member: str | None = None) -> Any:
        """As `State.value`: what is declared as state everybody may see."""
        return one_value(self._state, key, member)

    def zone(self, key: str, member: str | None = None) -> Any:
        """As `State.zone`, with backs and numbers where the seat sees no fronts."""
        return one_zone(self._state, key, member, self.seat)

    def known(self) -> dict[str, dict[str, Any]]:
        """What the seat does not see now, has seen, and can still know: by zone, and by member (`""` of one alone).

        Of a stack and a slot it is the pieces by their positions, from 0 at the bottom; of a pool a list of pieces that
        are among those that lie there. Places of which it knows nothing are left out.
        """
        return known_places(self._state, self.seat)


def one_value(state: State, key: str, member: str | None) -> Any:
    """What `State.value` says."""
    world, regions = state.game.world, state.game.facts.layout.regions
    if key == "score":
        return _of_member(state, "player", member, lambda at: int(state.cells[regions["player.score"] + at]))
    var = world.states.get(key)
    if var is None:
        raise _unknown("state", key, ["score", *world.states])
    base = regions[key]
    return _of_member(state, var.domain, member, lambda at: plain_value(world, var.type, state.cells[base + at]))


def one_zone(state: State, key: str, member: str | None, seat: int | None) -> Any:
    """What `State.zone` says, for a seat or (None) for whoever may see all."""
    zone = state.game.world.zones.get(key)
    if zone is None:
        raise _unknown("zone", key, state.game.world.zones)
    return _of_member(state, zone.domain, member, lambda at: place_json(state, zone, at, seat))


def _of_member(state: State, domain: str | None, member: str | None, of: Callable[[int], Any]) -> Any:
    """One member's, or without a name all by name; what has no members has none to be named."""
    if domain is None:
        if member is not None:
            raise ValueError(f"there is only one of it, and so no {member!r}")
        return of(0)
    names = [site_text(state.game.world, domain, at) for at in range(state.game.world.domains[domain].size)]
    if member is None:
        return {name: of(at) for at, name in enumerate(names)}
    if member not in names:
        raise _unknown(domain, member, names)
    return of(names.index(member))


def _unknown(what: str, name: object, known: Iterable[str]) -> ValueError:
    near = nearest(name, known) if isinstance(name, str) else None
    return ValueError(f"there is no {what} {name!r}" + (f"; did you mean {near!r}?" if near else ""))


def state_json(state: State, seat: int | None) -> dict[str, Any]:
    """A state by declared names: whole for `seat` None, else as that seat sees it."""
    game = state.game
    decision = state.decision
    found: dict[str, Any] = {
        "game": game.id,
        "fingerprint": game.fingerprint,
        "players": game.players,
        "options": dict(game.options),
        "variants": list(game.variants),
        "decision": None
        if decision is None
        else {"player": game.seats[decision.player], "id": decision.id, "action": decision.action},
        "active": game.seats[state.cells[game.facts.layout.regions["active"]]],
        "score": _by_member(state, "player", game.facts.layout.regions["player.score"], None),
        "state": _cells(state),
        "zones": {key: _zone(state, zone, seat) for key, zone in game.world.zones.items()},
        "stack": _stack(state, seat),
    }
    if seat is None:
        layout = game.facts.layout
        found["random"] = {name: state.cells[cell] for name, cell in layout.streams.items()}
    return found


def _cells(state: State) -> dict[str, Any]:
    layout, world = state.game.facts.layout, state.game.world
    found: dict[str, Any] = {}
    for var in world.states.values():
        base = layout.regions[var.key]
        if var.domain is None:
            found[var.key] = plain_value(world, var.type, state.cells[base])
        else:
            found[var.key] = _by_member(state, var.domain, base, var.type)
    return found


def _by_member(state: State, domain: str, base: int, t: Type | None) -> dict[str, Any]:
    world = state.game.world
    size = world.domains[domain].size
    values = state.cells[base : base + size]
    return {
        site_text(world, domain, i): int(v) if t is None else plain_value(world, t, v) for i, v in enumerate(values)
    }


# ---- zones ------------------------------------------------------------------------------------------


def _zone(state: State, zone: ZoneDecl, seat: int | None) -> Any:
    if zone.domain is None:
        return place_json(state, zone, 0, seat)
    return {site_text(state.game.world, zone.domain, i): place_json(state, zone, i, seat) for i in range(zone.places)}


def place_json(state: State, zone: ZoneDecl, place: int, seat: int | None) -> Any:
    """What lies at a place: texts from the bottom up; what is hidden by its back, or only how many."""
    handling = state.game.facts.pieces
    codes = handling.content(state.cells, zone.first + place)
    kind = state.game.world.pieces[zone.holds]
    if seat is None or sees(state, zone, place, seat, zone.front):
        return [piece_text(state.game.world, kind, c) for c in codes]
    if not state.game.knowledge.sight.counts(zone.first + place, seat):
        return {"count": None}
    found = _hidden_place(state, zone, place, seat, codes)
    known = _known(state, zone, place, seat, codes)
    return {**found, "known": known} if known else found


def known_places(state: State, seat: int) -> dict[str, dict[str, Any]]:
    """What `View.known` says."""
    world, pieces, found = state.game.world, state.game.facts.pieces, {}
    for zone in world.zones.values():
        names = [""] if zone.domain is None else [site_text(world, zone.domain, at) for at in range(zone.places)]
        contents = (pieces.content(state.cells, zone.first + at) for at in range(zone.places))
        known = {
            n: _known(state, zone, at, seat, codes) for at, (n, codes) in enumerate(zip(names, contents, strict=True))
        }
        if kept := {name: those for name, those in known.items() if those}:
            found[zone.key] = kept
    return found


def _known(state: State, zone: ZoneDecl, place: int, seat: int, codes: list[int]) -> Any:
    """What a seat has seen there and still knows: of a stack and a slot by position from 0, of a pool as a list."""
    kind = state.game.world.pieces[zone.holds]
    known = state.game.facts.pieces.known_to(state.cells, zone.first + place, seat)
    texts = {at: piece_text(state.game.world, kind, codes[at]) for at in known}
    return list(texts.values()) if zone.shape == "pool" else {str(at): text for at, text in texts.items()}


def _hidden_place(state: State, zone: ZoneDecl, place: int, seat: int, codes: list[int]) -> dict[str, Any]:
    """A place whose fronts a seat does not see, or not all: by backs, or only how many there are."""
    kind = state.game.world.pieces[zone.holds]
    tops = {"front": codes[-1:] if zone.front == "top" else [], "back": codes[-1:] if zone.back == "top" else []}
    if zone.front == "top":
        shown = [piece_text(state.game.world, kind, c) for c in tops["front"]]
        return {"count": len(codes), "top": shown[0] if shown else None}
    if sees(state, zone, place, seat, zone.back):
        backs = [piece_text(state.game.world, kind, kind.unseen[c]) for c in codes]
        return {"count": len(codes), "backs": sorted(backs) if zone.shape == "pool" else backs}
    if zone.back == "top" and kind.back is not None:
        shown = [piece_text(state.game.world, kind, kind.unseen[c]) for c in tops["back"]]
        return {"count": len(codes), "top_back": shown[0] if shown else None}
    return {"count": len(codes)}


def sees(state: State, zone: ZoneDecl, place: int, seat: int, who: str) -> bool:
    """Whether a seat sees every piece of a place, where `who` is the zone's `front` or `back`."""
    if who == "all":
        return True
    return who == "owner" and owner_of(state.game.world, zone, place) == seat


# ---- the control stack ------------------------------------------------------------------------------


def _stack(state: State, seat: int | None) -> list[dict[str, Any]]:
    """The blocks that are open, outermost first, with what their names hold."""
    facts = state.game.facts
    if state.candidates is None:
        return []
    procs = {p.id: p for p in facts.program.procs}
    found: list[dict[str, Any]] = []
    at = state.cells[0]
    while True:
        proc = procs[facts.structure.proc_of[at]]
        span = facts.program.instrs[at].span
        place = None if span is None else f"{span.file.name}:{span.line}"
        found.insert(0, {"block": proc.name, "at": place, "names": _locals(state, proc.id, at, seat)})
        back = state.cells[facts.layout.slots[proc.back]]
        if not back:
            return found
        at = back - 1


def _locals(state: State, proc: int, at: int, seat: int | None) -> dict[str, Any]:
    """What the names of a block hold that stands at an instruction, as far as a seat may know it."""
    facts = state.game.facts
    found: dict[str, Any] = {}
    for slot in facts.program.state_slots:
        described = facts.program.slots[slot]
        if described.proc != proc or described.name in ("back", "unit"):
            continue
        value = state.cells[facts.layout.slots[slot]]
        is_bound = state.game.knowledge.bound_at(slot, at)
        if not is_bound or value == () or (value == 0 and not isinstance(described.type, Member)):
            continue
        shown = _shown(state, slot, described.type, seat)
        if shown is not HIDDEN:
            name = described.name
            while name in found:
                name += "'"
            found[name] = shown
    return found


HIDDEN = object()


def _shown(state: State, slot: int, t: Type, seat: int | None) -> Any:
    """A slot's value for a seat: pieces by what it sees of them, nothing that was read off pieces it may not see."""
    value, knowledge = state.cells[state.game.facts.layout.slots[slot]], state.game.knowledge
    if seat is None:
        return plain_value(state.game.world, t, value)
    if slot in knowledge.secrets.choices:
        return HIDDEN
    if holds_pieces(t):
        return HIDDEN if _is_uncounted(state, t, value, seat) else _seen(state, t, value, seat)
    return HIDDEN if slot in knowledge.secrets.slots else plain_value(state.game.world, t, value)


def _is_uncounted(state: State, t: Type, value: Any, seat: int) -> bool:
    """Whether a value has pieces of a place of which the seat does not see how many there are."""
    inner, sight = strip(t), state.game.knowledge.sight
    if isinstance(inner, Piece):
        return bool(value >= 0 and not sight.counts(sight.place_of(value)[0], seat))
    if isinstance(inner, ListType):
        return any(_is_uncounted(state, inner.of, v, seat) for v in value)
    if isinstance(inner, Record):
        return any(_is_uncounted(state, ft, v, seat) for (_, ft), v in zip(inner.fields, value, strict=True))
    return False


def _seen(state: State, t: Type, value: Any, seat: int) -> Any:
    """A value with pieces in it, as a seat sees it."""
    inner, sight = strip(t), state.game.knowledge.sight
    if isinstance(inner, Piece):
        return None if value < 0 else sight.text(value, sight.side(state.cells, value, seat))
    if isinstance(inner, ListType):
        return [_seen(state, inner.of, v, seat) for v in value]
    if isinstance(inner, Record):
        return {n: _seen(state, ft, v, seat) for (n, ft), v in zip(inner.fields, value, strict=True)}
    return plain_value(state.game.world, t, value)
