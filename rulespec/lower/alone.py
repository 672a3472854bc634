"""Blocks that are made by themselves, to see whether they have come out otherwise than before."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.lower.context import Context
from rulespec.lower.program import begun, close, make_block
from rulespec.lower.steps.builder import ProcKey
from rulespec.lower.steps.keeping import Kept
from rulespec.lower.steps.shared import Shared, make_shared, versions_of

_SECTIONS = frozenset({"setup", "flow", "end"})


def made_alone(cx: Context, shared: Shared, keys: Iterable[ProcKey]) -> list[tuple[ProcKey, Kept]]:
    """Blocks of effects and sections, of which nothing is reported; of others nothing is made.

    What they read is noted with them: whether they are the same in a whole program is for whoever asks to find out.
    """
    builder = begun(cx, shared)
    versions = versions_of(builder, shared)
    made: list[tuple[ProcKey, Kept]] = []
    for key in keys if versions is not None else ():
        effect = cx.world.effects.get(key[0])
        if versions is None or (effect is None and key[0] not in _SECTIONS):
            continue
        wanted = builder.want(key, () if effect is None else effect.params)
        kept = make_shared(shared, versions, builder, wanted, make_block, close)
        made += [] if kept is None else [(key, kept)]
    return made
