"""What a program speaks of, taken from the declarations: only what is needed to run it."""

from __future__ import annotations

from rulespec.lower.declared import Declared, Function, Kind, Members, Zone
from rulespec.model.world import World, ZoneDecl, owner_of


def declared_of(w: World) -> Declared:
    """All that is declared, as it stands now: tables that are not computed yet are left out."""
    return Declared(
        players=w.players,
        codes=w.codes,
        depth=w.depth,
        domains={name: Members(name, domain.size) for name, domain in w.domains.items()},
        pieces={k.name: Kind(k.name, k.faces, k.codes, k.supply, k.unseen, k.back) for k in w.pieces.values()},
        zones={z.key: _zone(w, z) for z in w.zones.values()},
        functions={f.name: Function(f.name, f.params, f.returns, f.body) for f in w.functions.values()},
        tables=dict(w.tables),
        interned=tuple(w.interned),
        actions=frozenset(name for name, effect in w.effects.items() if effect.section == "actions"),
        teams=w.teams,
    )


def _zone(w: World, z: ZoneDecl) -> Zone:
    owners = (owner_of(w, z, place) for place in range(z.places))
    return Zone(
        z.key,
        z.domain,
        z.shape,
        z.holds,
        z.front,
        z.back,
        z.places,
        z.first,
        z.capacity,
        z.fills,
        z.renew,
        tuple(-1 if owner is None else owner for owner in owners),
        z.memory,
        z.is_counted,
    )
