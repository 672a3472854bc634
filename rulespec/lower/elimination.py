"""Players who are out: a state of each player that `eliminate` sets, and that turns and decisions ask.

It is there in games with such a step alone, so that others have nothing of it.
"""

from __future__ import annotations

from typing import Final

from rulespec.lower import make
from rulespec.lower.context import Context, maps_below
from rulespec.lower.ir import Ir, Load
from rulespec.model.types import BOOLEAN
from rulespec.model.world import StateVar, World
from rulespec.source.nodes import Scalar
from rulespec.source.text import Span

OUT: Final = "player.out"
_VERB: Final = "eliminate"
_SECTIONS: Final = ("setup", "flow", "end", "effects", "actions", "triggers", "tracks")
_TAKEN: Final = "A game with `eliminate` has it already: true for players who are out."


def declare_out(cx: Context) -> None:
    """The state, where some step eliminates."""
    used = _first_use(cx)
    if used is None:
        return
    for key, _ in cx.section("state"):
        if key.text == OUT:
            cx.problems.add("RS260", key.span, name=OUT, hint=_TAKEN)
            return
    var = StateVar(OUT, "out", "player", BOOLEAN, cx.world.players, track=None, span=used)
    var.start = (0,) * cx.world.players
    cx.world.states[OUT] = var


def _first_use(cx: Context) -> Span | None:
    for section in _SECTIONS:
        for node in maps_below(cx.tree.get(section)):
            key = node.key_node(_VERB)
            if key is not None and isinstance(node.get(_VERB), Scalar):
                return key.span
    return None


def is_in(w: World, player: Ir) -> Ir | None:
    """Whether a player is still in the game; None where nobody can be out."""
    if OUT not in w.states:
        return None
    return make.negate(Load(type=BOOLEAN, region=OUT, index=player))
