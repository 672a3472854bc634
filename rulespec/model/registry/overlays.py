"""Files that add to a game: variants with their changes, and packs."""

from __future__ import annotations

from typing import Final

from rulespec.model.registry.common import (
    COMMON,
    TEXT_BY_LANGUAGE,
)
from rulespec.model.registry.names import KNOWN, MEMBER, PATH, STEP_OF
from rulespec.model.shapes import (
    STEPS,
    Anything,
    Data,
    Field,
    Form,
    ListOf,
    Name,
    Record,
    Use,
)

VARIANT: Final = Record(
    name="variant",
    what="variant",
    meaning="Makes the file an overlay: its sections add to the game, its `changes` touch what is there.",
    partial=True,
    fields=(
        Field("id", "The variant's id.", Name(naming=MEMBER), example="floods", required=True),
        Field("title", "What it is called, by language.", TEXT_BY_LANGUAGE, example='{en: "Floods"}', required=True),
        Field("group", "At most one variant of a group is on.", Name(naming=MEMBER), example="weather"),
        Field(
            "after",
            "Variants whose changes to the same paths come first.",
            ListOf(item=Name(naming=KNOWN)),
            example="[droughts]",
        ),
        Field(
            "requires",
            "Variants that must be on too; their changes come first.",
            ListOf(item=Name(naming=KNOWN)),
            example="[bridges_for_all]",
        ),
        Field(
            "conflicts",
            "Variants that cannot be on too.",
            ListOf(item=Name(naming=KNOWN)),
            example="[droughts]",
        ),
        Field(
            "changes",
            "What it changes. Their order has no meaning.",
            ListOf(item=Use(record="change")),
            example="[{set: values.bridge_cost, to: 3}]",
            default="none",
        ),
        *COMMON,
    ),
)

PACK: Final = Record(
    name="pack",
    what="pack",
    meaning="Says which game the texts of a file are for, when it does not lie in the game's folder: a language pack.",
    fields=(
        Field("game", "The game's id.", Name(naming=MEMBER), example="islands", required=True),
        COMMON[0],
    ),
)


def _path(verb: str, meaning: str, example: str) -> Field:
    return Field(verb, meaning, Name(naming=PATH), example=example, required=True)


CHANGE: Final = Record(
    name="change",
    what="change",
    meaning="One change to a declaration that exists. Rows are found by data (`rows[worth=3]`), steps by verb or id.",
    tags="set, replace, remove, wrap, insert",
    fields=(COMMON[0],),
    forms=(
        Form(
            (
                _path(
                    "set",
                    "Gives a value, or anything else that is written as one expression, anew.",
                    "values.bridge_cost",
                ),
                Field("to", "The new value.", Data(scope="constants"), example="3", required=True),
            ),
            example="{set: values.bridge_cost, to: 3}",
        ),
        Form(
            (
                _path("replace", "Writes what stands at the path anew.", "effects.climb_up.do"),
                Field("is", "What is to stand there.", Anything(), example="Bridges are dear."),
                Field("steps", "The steps that are to stand there.", STEPS, example="[{score: 1, reason: bridges}]"),
            ),
            example="{replace: effects.climb_up.do, steps: [{score: 1, reason: bridges}]}",
        ),
        Form(
            (_path("remove", "Takes away what stands at the path.", "actions.play_card"),),
            example="{remove: actions.play_card}",
        ),
        Form(
            (
                _path("wrap", "Puts steps around a list of steps, whatever it is by then.", "actions.settle.do"),
                Field("before", "Steps that come first.", STEPS, example="[{require: me.coins > 0}]"),
                Field("after", "Steps that come last.", STEPS, example="[{score: 1, reason: bridges}]"),
            ),
            example="{wrap: actions.settle.do, before: [{require: me.coins > 0}]}",
        ),
        Form(
            (
                _path("insert", "Puts steps into a list of steps, or rows into a list of rows.", "actions.settle.do"),
                Field("steps", "The steps.", STEPS, example="[{score: 1, reason: bridges}]"),
                Field("rows", "The rows.", ListOf(item=Anything(), least=1), example="[{worth: 4}]"),
                Field(
                    "before",
                    "The step that they come before, by verb or id.",
                    Name(naming=STEP_OF),
                    example="move",
                    default="at the end",
                ),
                Field("after", "The step that they come after, by verb or id.", Name(naming=STEP_OF), example="pay"),
            ),
            example="{insert: actions.settle.do, after: pay, steps: [{score: 1, reason: bridges}]}",
        ),
    ),
)

RECORDS: Final = (VARIANT, PACK, CHANGE)
