"""What is evaluated at the end of a game, and beside its steps: the ranking, what is always true, hints."""

from __future__ import annotations

from typing import Final

from rulespec.lower import make
from rulespec.lower.context import Context, bad
from rulespec.lower.hints import lower_hints
from rulespec.lower.ir import Hints, Ir, Var
from rulespec.lower.scope import Scope
from rulespec.lower.steps.lockstep import Pace, found_of
from rulespec.lower.teams import of_team
from rulespec.model.reads import Place
from rulespec.model.types import BOOLEAN, PLAYER, Boolean, Integer, Member, strip
from rulespec.source.nodes import Mapping
from rulespec.source.text import Span

Ranking = tuple[tuple[str, Ir], ...]
Always = tuple[tuple[Span, Ir], ...]

#: What is read of the content as it is written.
READ: Final[tuple[Place, ...]] = tuple(("tree", name, None) for name in ("ranking", "always", "hints"))


def lower_last(cx: Context, pace: Pace | None) -> tuple[Ranking, Always, Hints]:
    """What is evaluated at the end, and beside the steps."""

    def lower() -> tuple[tuple[Ranking, Always, Hints], frozenset[int]]:
        with make.naming("(end)"):
            return (lower_ranking(cx), lower_always(cx), lower_hints(cx)), frozenset()

    found: tuple[Ranking, Always, Hints] = found_of(pace, "last", lower, READ)
    return found


def lower_ranking(cx: Context) -> Ranking:
    """`won`, with whether a player or team can be among the winners; then `most` or `least`, with a number for each."""
    found: list[tuple[str, Ir]] = []
    player = Var(type=PLAYER, name="player" if cx.world.team_type is None else make.fresh("p"))
    for item in cx.steps(cx.tree.get("ranking")):
        if isinstance(item, Mapping):
            for word in ("most", "least", "won"):
                node = item.get(word)
                if node is not None:
                    want = BOOLEAN if word == "won" else None
                    ir = cx.lower(node, Scope(cx.world, {"player": player}), want)
                    is_ranked = isinstance(strip(ir.type), (Integer, Member, Boolean)) and strip(ir.type) != PLAYER
                    if not bad(ir) and not is_ranked:
                        cx.problems.add("RS303", node.span, expected="integer", found=str(ir.type))
                    elif not bad(ir):
                        found.append((word, of_team(cx.world, word, player, ir)))
    return tuple(sorted(found, key=lambda line: line[0] != "won"))  # a condition counts first, wherever it stands


def lower_always(cx: Context) -> Always:
    """The conditions of `always`."""
    found: list[tuple[Span, Ir]] = []
    for item in cx.conditions(cx.tree.get("always")):
        ir = cx.lower(item, Scope(cx.world), BOOLEAN)
        if not bad(ir):
            found.append((item.span, ir))
    return tuple(found)
