"""Teams: which seats belong together, and how they are ranked as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.lower import make
from rulespec.lower.context import Context, bad
from rulespec.lower.ir import Comprehend, Const, Ir, Table, Var, walk_ir
from rulespec.lower.operators import folded_type
from rulespec.lower.scope import Scope
from rulespec.model.types import BOOLEAN, PLAYER, UNKNOWN, Integer, ListType, Member, Optional, Type, Unknown, strip
from rulespec.model.world import World
from rulespec.source.nodes import Node

#: All of a player's team, that player among them; `player.partners` are the others.
ALL_OF = "player.together"
_GIVEN = ("player.team", "player.partners")


def declare_teams(cx: Context) -> None:
    """The team of each player, as the expression says; and the tables that are read of it."""
    node = cx.field(cx.tree.get("game"), "teams")
    if node is None:
        return
    w, player = cx.world, Var(type=PLAYER, name="player")
    _check_names(cx)
    w.team_type = Integer(0, w.players - 1)  # there are no tables yet, so that what reads them is seen
    ir = cx.lower(node, Scope(w, {"player": player}, constant=True))
    reads_itself = any(isinstance(n, Table) and n.table in _GIVEN for n in walk_ir(ir))
    _set_teams(w, (0,) * w.players, UNKNOWN)  # where it is wrong, nothing more is said of what reads it
    if reads_itself:
        cx.problems.add("RS702", node.span, name="`teams`", hint=_HINT)
        return
    if bad(ir):
        return
    is_value = isinstance(strip(ir.type), (Integer, Member)) and strip(ir.type) != PLAYER
    if not is_value or isinstance(ir.type, Optional):
        cx.problems.add("RS303", node.span, expected="integer or a member of an enum", found=str(ir.type), hint=_HINT)
        return
    if isinstance(ir, Const) and isinstance(ir.value, int) and ir.value > 1 and isinstance(ir.type, Integer):
        _warn_of_number(cx, node)
    found = [cx.evaluate(ir, node.span, {"player": seat}) for seat in range(w.players)]
    if not all(isinstance(team, int) for team in found):
        return
    _set_teams(w, found, ir.type)


def _warn_of_number(cx: Context, node: Node) -> None:
    """A number of teams is written where each player's team is asked for."""
    number = node.span.text.strip()
    divisor = number if re.fullmatch(r"[\w.]+", number) else f"({number})"
    meant = f"player.index % {divisor}"
    hint = f"For {number} teams write `teams: {meant}`; `teams: 0` says that all win or lose together."
    fix = Fix(f"Write `{meant}`", (Edit(node.span, meant),), is_certain=False)
    cx.problems.add("RS646", node.span, hint=hint, fixes=(fix,), number=number)


def _set_teams(w: World, found: Sequence[int], type: Type) -> None:
    together = [tuple(seat for seat, other in enumerate(found) if other == team) for team in found]
    w.teams, w.team_type = tuple(seats[0] for seats in together), type
    w.tables["player.team"] = tuple(found)
    w.tables[ALL_OF] = tuple(together)
    n = len(found)
    partners = ([p for p in ((seat + k) % n for k in range(1, n)) if p in seats] for seat, seats in enumerate(together))
    w.tables["player.partners"] = tuple(map(tuple, partners))


def _check_names(cx: Context) -> None:
    """What is declared of players cannot have the names of what teams give."""
    for section in ("state", "zones", "relations", "tracks"):
        for key, _ in cx.section(section):
            if key.text in _GIVEN:
                cx.problems.add("RS260", key.span, name=key.text, hint=_TAKEN)


_TAKEN = "In a game with `teams` it is what they give: `player.team` and `player.partners`."
_HINT = (
    "Players of equal value are a team: `player.index % 2` sets every second seat together, "
    "`if player in [red, blue] then 0 else 1` names them, and `0` lets all win or lose together."
)


def of_team(w: World, word: str, player: Var, value: Ir) -> Ir:
    """What a line of `ranking` compares of a player's team: the sum over its members, or whether all fulfil it."""
    if w.team_type is None or isinstance(w.team_type, Unknown):
        return value
    name = player.name
    whose = Var(type=PLAYER, name="player")
    source = make.table_at(w, ALL_OF, whose, ListType(PLAYER, w.players))
    if word == "won":
        return Comprehend(type=BOOLEAN, op="all", name=name, source=source, value=value)
    return Comprehend(type=folded_type("sum", value.type, w.players), op="sum", name=name, source=source, value=value)
