"""The words of the expression grammar. None of them can be a bare name; after a dot each can."""

from __future__ import annotations

import re
from typing import Final

#: Words that open a closed operator and are followed by a bracket, each with its form.
OPERATOR_FORMS: dict[str, str] = {
    "count": "count(x in S where P)",
    "any": "any(x in S where P)",
    "first": "first(x in S where P)",
    "sum": "sum(E for x in S where P)",
    "all": "all(E for x in S where P)",
    "list": "list(E for x in S where P)",
    "set": "set(E for x in S where P)",
    "min": "min(E for x in S where P) or min(a, b)",
    "max": "max(E for x in S where P) or max(a, b)",
    "most": "most(x in S by E)",
    "least": "least(x in S by E)",
    "sort": "sort(x in S by E)",
    "longest": "longest(x in S where P)",
    "stretch": "stretch(x in S where P around y)",
    "walk": "walk(x from A step NEXT)",
    "reach": "reach(x from A via NEIGHBOURS cost C within N)",
}

#: Words that stand between two values.
INFIX_WORDS = frozenset({"and", "or", "in", "otherwise", "without"})

#: Words that stand before a value.
PREFIX_WORDS = frozenset({"not", "exists", "if"})

#: Words that are values themselves.
VALUE_WORDS = frozenset({"true", "false", "none"})

#: Words that join the parts of a closed operator, of `if` or of a type.
JOINING_WORDS = frozenset(
    {"then", "else", "for", "by", "of", "around", "from", "step", "via", "cost", "within", "where"}
)

#: All words of the grammar.
WORDS: frozenset[str] = frozenset(OPERATOR_FORMS) | INFIX_WORDS | PREFIX_WORDS | VALUE_WORDS | JOINING_WORDS


def is_word(name: str) -> bool:
    """Whether the grammar keeps `name` for itself, so that nothing may be declared under it."""
    return name in WORDS


_DIE: Final = re.compile(r"([1-9]\d?)?d([2-9]|[1-9]\d)")  #: as in `d6`, `2d6`, `3d20`


def hint_of_dice(name: str) -> str | None:
    """How `2d6`, two dice of six faces, are written here; None where it is no such name."""
    match = _DIE.fullmatch(name)
    if match is None:
        return None
    count, faces = match[1] or "1", match[2]
    return (
        f"Dice are pieces that lie in a zone: `pieces: {{die: {{count: {count}, faces: 1..{faces}}}}}`, "
        "`zones: {cup: {shape: pool, holds: die, start: true}}`; `roll: cup` rolls them."
    )


_OF_REPETITION: Final = frozenset({"history", "ko", "position", "positions", "repeated", "superko", "threefold"})


def hint_of_word(name: str) -> str | None:
    """How that is written which a name says in the field: dice, and positions that come again; None for other names."""
    if name not in _OF_REPETITION:
        return hint_of_dice(name)
    return (
        "`position.repeated` says how often the position was there: section `repetition` lists what counts, and the "
        "step `record: position` remembers a position."
    )
