"""All places of one file that mean the same as the name at a position."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulespec.service.looking import definition
from rulespec.service.place import place_at
from rulespec.service.symbol_at import Meant, meant_at
from rulespec.service.workspace import Workspace

#: How many places of a file are looked at.
MOST = 400


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the file; `is_declaration` where the name is declared or bound."""

    start: int
    end: int
    is_declaration: bool


def highlights(space: Workspace, name: str, offset: int) -> tuple[Place, ...]:
    """The places, in the order of the file, the one that is asked about among them."""
    text, meant = space.text(name), meant_at(space, name, offset)
    if meant is None or space.game_of(name) is None:
        return ()
    word = meant.symbol.last if meant.symbol is not None else text[meant.start : meant.end]
    bound = {(span.start, span.end) for span in definition(space, name, offset) if span.file.name == name}
    if meant.symbol is None and not bound:
        return (Place(meant.start, meant.end, is_declaration=False),)
    found = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])").finditer(text)
    places = []
    for number, each in enumerate(found):
        if number >= MOST:
            break
        is_declaration = each.span() in bound
        if is_declaration or each.span() == (meant.start, meant.end) or _is_same(space, name, each.end(), meant, bound):
            places.append(Place(each.start(), each.end(), is_declaration))
    return tuple(places)


def _is_same(space: Workspace, name: str, offset: int, meant: Meant, bound: set[tuple[int, int]]) -> bool:
    other = meant_at(space, name, offset)
    if other is None or other.symbol != meant.symbol:
        return False
    if meant.symbol is not None:
        return True
    if place_at(space.text(name), offset).way[:1] == ():
        return False
    return bound == {(span.start, span.end) for span in definition(space, name, offset) if span.file.name == name}
