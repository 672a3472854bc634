"""One part of a game lowered by itself, for what is found in it: an editor asks about the part that is written."""

from __future__ import annotations

from rulespec.lower.context import Context
from rulespec.lower.hints import lower_hints
from rulespec.lower.last import lower_always, lower_ranking
from rulespec.lower.places import starting_pieces
from rulespec.lower.program import make_block, watch_conditions
from rulespec.lower.steps.builder import Builder
from rulespec.model.types import INTEGER, Member, Type
from rulespec.model.world import Trigger

#: The sections that are one list of steps.
LISTS = ("setup", "flow", "end")

Params = tuple[tuple[str, Type], ...]


def lower_part(cx: Context, section: str, name: str = "") -> None:
    """Lowers one declaration of a section that holds steps or is read in play; problems go to the context's.

    What the game declares, functions and tables, was lowered when it was declared: of those nothing is done here.
    """
    if section == "ranking":
        lower_ranking(cx)
    elif section == "always":
        lower_always(cx)
    elif section == "hints":
        lower_hints(cx)
    elif section == "zones":
        starting_pieces(cx)
    else:
        builder = Builder(cx)
        watch_conditions(builder)
        asked = _asked(cx, section, name)
        if asked is not None:
            block, level, params = asked
            make_block(builder, builder.want((block, frozenset(), level), params))


def _asked(cx: Context, section: str, name: str) -> tuple[str, int, Params] | None:
    """The block of a declaration: its name, how often it may nest, and its parameters."""
    if section in LISTS:
        return section, 0, ()
    if section in ("actions", "effects"):
        effect = cx.world.effects.get(name)
        return None if effect is None else (name, min(effect.nests, 1), effect.params)
    if section == "triggers":
        trigger = next((each for each in cx.world.triggers if each.name == name), None)
        return None if trigger is None else (f"trigger {name}", 0, _bound(cx, trigger))
    if section == "tracks" and name in cx.world.states:
        domain = cx.world.states[name].domain
        return f"track {name}", 0, ((*(((domain, Member(domain)),) if domain else ()), ("by", INTEGER)))
    return None


def _bound(cx: Context, trigger: Trigger) -> Params:
    """What a trigger binds: an event's fields, or the things that its condition names."""
    if trigger.kind == "emitted":
        return cx.world.events.get(trigger.what, ())
    if trigger.kind == "becomes":
        return tuple((kind, Member(kind)) for kind in cx.watched.get(trigger.name, ()))
    owner = trigger.what.partition(".")[0]
    return ((owner, Member(owner)),) if owner in cx.world.domains else ()
