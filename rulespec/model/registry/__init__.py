"""Everything that can be declared: `REGISTRY`, as frozen data.

The examples of the sections make one small game together; those of verbs and fields use its names.

    REGISTRY.root.field("zones").meaning
    REGISTRY.record("step").form("move").fields
"""

from __future__ import annotations

from typing import Final

from rulespec.model.registry import book, game, overlays, pieces, play, steps, words
from rulespec.model.registry.common import ATTRIBUTE, SCOPES, SOURCE_RECORD
from rulespec.model.registry.expressions import BUILTINS, MEMBERS, OPERATORS, TYPES
from rulespec.model.registry.sections import ROOT
from rulespec.model.registry.steps import VERBS
from rulespec.model.shapes import Registry

REGISTRY: Final = Registry(
    root=ROOT,
    records=(
        ROOT,
        *game.RECORDS,
        *pieces.RECORDS,
        ATTRIBUTE,
        SOURCE_RECORD,
        *play.RECORDS,
        *words.RECORDS,
        *book.RECORDS,
        *overlays.RECORDS,
        *steps.RECORDS,
    ),
    operators=OPERATORS,
    builtins=BUILTINS,
    members=MEMBERS,
    types=TYPES,
    scopes=SCOPES,
)

#: The names of the sections, in the order of the reference.
SECTIONS: Final = tuple(field.name for field in ROOT.fields)

__all__ = ["REGISTRY", "SECTIONS", "VERBS"]
