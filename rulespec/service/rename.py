"""Giving a declaration another name, in every place that names it.

A rename is refused, with one sentence that says why, where the new name is none, is taken, or belongs to the language,
and where some place cannot be told to name this declaration or another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.diagnostics.fixes import Edit
from rulespec.lower.domains import plural
from rulespec.model.registry import VERBS
from rulespec.model.registry.names import BUILTIN_NAMES, DECLARED, GRAMMAR_WORDS
from rulespec.service.bound_names import loop_at, taken_around
from rulespec.service.game import Game
from rulespec.service.occurrences import BARE, DOTTED, MOST_NAMES, OF_LANGUAGE, Index
from rulespec.service.place import IN_WORDS
from rulespec.service.step_names import Named, StepNames, taken_by
from rulespec.service.symbols import Symbol
from rulespec.service.workspace import Workspace
from rulespec.service.written import HEADS
from rulespec.source.text import Span

#: What is made of the names of others, or has no name of its own.
_NOT_RENAMED: Final = frozenset({"messages"})
#: What owns the messages whose keys begin with its name.
_HEADS_OF: Final = frozenset({"kinds", "actions", "effects", "triggers"})
_KINDS: Final = {"kinds": "kind", "tracks": "track", "state": "state", "plurals": "plural", "rows": "row of a piece"}


@dataclass(frozen=True, slots=True)
class Refused:
    """Why something is not done, in one sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A name that no section declares, in all its places; without `named`, that of a loop in an expression."""

    game: Game
    places: tuple[Span, ...]
    named: Named | None = None


def nameable(space: Workspace, name: str, offset: int) -> Span | Refused:
    """The name at an offset that could be another one, or why there is none."""
    found = _asked(space, name, offset)
    if isinstance(found, Bound):
        return next((span for span in found.places if span.start <= offset <= span.end), found.places[0])
    return found if isinstance(found, Refused) else found[2]


def rename(space: Workspace, name: str, offset: int, new: str) -> tuple[Edit, ...] | Refused:
    """The edits that give the declaration at an offset another name; none where it has that name already."""
    found = _asked(space, name, offset)
    if isinstance(found, Bound):
        return _rename_bound(space, found, new)
    return found if isinstance(found, Refused) else rename_symbol(found[0], found[1], new)


def places_of(space: Workspace, name: str, offset: int) -> tuple[Span, ...]:
    """Every place that names the declaration at an offset, its own among them: what a rename would touch."""
    found = _asked(space, name, offset)
    if isinstance(found, Refused):
        return ()
    if isinstance(found, Bound):
        return found.places
    game, symbol, _ = found
    return tuple(span for span, _ in touched(game.index(), symbol, ""))


def _asked(space: Workspace, name: str, offset: int) -> tuple[Game, Symbol, Span] | Bound | Refused:
    game, text = space.game_of(name), space.text(name)
    if game is None:
        return Refused("This file belongs to no game.")
    index = game.index()
    if index.is_too_much:
        return Refused(f"The game has more than {MOST_NAMES:,} names, and so it is not looked where they are used.")
    found = symbol_in(index, name, offset)
    if found is not None:
        return (game, *found)
    loop = loop_at(space, name, offset)
    if loop:
        return Bound(game, loop)
    named = StepNames(index).at(name, offset)
    if named is not None:
        return Bound(game, named.places, named)
    before = text[len(text[:offset].rstrip(IN_WORDS)) : offset]
    after = re.match(r"[A-Za-z0-9_]*", text[offset:])
    word = before + (after.group() if after else "")
    here = [each for each in index.free if each.span.file.name == name and each.span.text == word]
    if any(each.is_inner and each.span.start <= offset <= each.span.end for each in here):
        return Refused(f"`{word}` is the name of a loop in the text of a message: change it there.")
    if word in OF_LANGUAGE | GRAMMAR_WORDS | BUILTIN_NAMES:
        return Refused(f"`{word}` is a name of the language.")
    hidden = _hidden(index, {word})
    if hidden is not None:
        return Refused(hidden)
    return Refused(f"`{word}` is no name of a declaration." if word else "There is no name here.")


def _rename_bound(space: Workspace, bound: Bound, new: str) -> tuple[Edit, ...] | Refused:
    """The edits that give a name of steps or loops another one, which nothing around it may have."""
    if bound.places[0].text == new:
        return ()
    index, named, first = bound.game.index(), bound.named, bound.places[0]
    why = _broken(index) or _bad_name(Symbol("values", new), new)
    if why is None and named is not None and "id" in named.kinds and new in VERBS:
        why = f"`{new}` is a verb, and paths would lead to steps of that verb."
    if why is None and named is not None and named.doubt is not None:
        why = _said_unsure(named.doubt, first.text)
    if why is None and named is not None and named.is_asked:
        why = _bad_head(new)
    # a loop is read where it stands alone, but others may be called as it is to be
    why = why or _hidden(index, {new} if named is None else {new, first.text})
    text = space.text(first.file.name)
    taken = taken_around(index, text, bound.places, new) if named is None else taken_by(index, named, new)
    if why is None and taken is not None:
        why = f"`{new}` is already the name of {taken}."
    edits = tuple(Edit(span, new) for span in bound.places)
    why = why or _same_keys(index, edits)
    return Refused(why) if why is not None else edits


def symbol_in(index: Index, name: str, offset: int) -> tuple[Symbol, Span] | None:
    """The declaration that is named at an offset of a file, with the stretch of its name."""
    for symbol, spans in index.places.items():
        if symbol.kind not in _NOT_RENAMED:
            for span in spans:
                if span.file.name == name and span.start <= offset <= span.end:
                    return symbol, span
    return None


def rename_symbol(game: Game, symbol: Symbol, new: str) -> tuple[Edit, ...] | Refused:
    """The edits that give a declaration another name."""
    index = game.index()
    if new == (index.plural(symbol) if symbol.kind == "plurals" else symbol.last):
        return ()
    if symbol in index.made:
        made = index.plural(symbol)
        return Refused(f"`{made}` is the plural of `{symbol.name}`: rename that kind, or give it a `plural`.")
    why = _broken(index) or _bad_name(symbol, new) or _clash(index, symbol, new) or _unsure(index, symbol)
    if why is None and symbol.kind in _HEADS_OF and "." not in symbol.name:
        why = _bad_head(new)
    why = why or _hidden(index, {new, *(name for each in index.together(symbol) for name in _names_of(index, each))})
    if why is not None:
        return Refused(why)
    edits = tuple(Edit(span, text) for span, text in touched(index, symbol, new))
    why = _same_keys(index, edits)
    return edits if why is None else Refused(why)


def touched(index: Index, symbol: Symbol, new: str) -> Iterator[tuple[Span, str]]:
    """Every place that is called as a declaration is, with what is to stand there, whether or not that may be."""
    found: dict[tuple[str, int], tuple[Span, str]] = {}
    for each in index.together(symbol):
        for span in index.places.get(each, ()):
            found[span.file.name, span.start] = span, new
        written = index.places.get(Symbol("plurals", each.name), ()) if each.kind == "kinds" else ()
        for span in written:  # the plural that the language makes of a kind's name
            if Symbol("plurals", each.name) in index.made:
                found.setdefault((span.file.name, span.start), (span, plural(new) if new else new))
    yield from (found[key] for key in sorted(found))


def _broken(index: Index) -> str | None:
    """A file that cannot be read may name anything."""
    return f"{index.broken} cannot be read as it stands: mend it first." if index.broken else None


def _bad_name(symbol: Symbol, new: str) -> str | None:
    if not re.fullmatch(DECLARED.pattern, new):
        return f"`{new}` is no name: small letters, digits and underscores, a letter first."
    if (_is_bare(symbol) and new in DECLARED.reserved) or new in OF_LANGUAGE | GRAMMAR_WORDS | BUILTIN_NAMES:
        return f"`{new}` is a name of the language."
    return None


def _bad_head(new: str) -> str | None:
    """Keys of messages that begin with some words are those of the engine, or of another sort of message."""
    return (
        f"Messages whose keys begin with `{new}` are no messages of a choice or declaration." if new in HEADS else None
    )


def _names_of(index: Index, symbol: Symbol) -> Iterator[str]:
    """How a declaration is called where it is used."""
    yield index.plural(symbol) if symbol.kind == "plurals" else symbol.last
    if symbol.kind == "kinds":
        yield index.plural(symbol)


def _hidden(index: Index, names: set[str]) -> str | None:
    """A text that has no stretch for each name in it, and may name what is renamed, or what is called so already."""
    found = next((name for name in sorted(names) if name in index.hidden), None)
    if found is None:
        return None
    span = index.hidden[found]
    place = f"{span.file.name}:{span.line}"
    return f"{place} may name `{found}` where it cannot be changed: in escapes, on several lines, or in no place found."


def _is_bare(symbol: Symbol) -> bool:
    """Whether a declaration is read by its name alone."""
    return (symbol.kind in BARE and "." not in symbol.name) or symbol.kind in ("members", "rows")


def _clash(index: Index, symbol: Symbol, new: str) -> str | None:
    for each in index.together(symbol):
        taken = _taken(index, each, new)
        if taken is not None:
            return f"`{new}` is already the name of {taken}."
    return None


def _taken(index: Index, symbol: Symbol, new: str) -> str | None:
    """What has a name that a declaration is to have; None where that is free."""
    if _is_bare(symbol):
        kinds = (*BARE, "members", "rows")
        same = (each for each in index.declared if each.kind in kinds and each.last == new)
        found = next((each for each in same if each.kind in ("members", "rows") or "." not in each.name), None)
        if found is None and new in index.bound:
            return "something in steps, or of a label"
        if found is not None:
            return _said(found)
    owner = symbol.name.rpartition(".")[0]
    for each in sorted(index.declared, key=lambda one: (one.kind, one.name)):
        if each.kind == symbol.kind and each.name == (f"{owner}.{new}" if owner else new):
            return _said(each)
        if owner and each.kind in DOTTED and each.name == f"{owner}.{new}":
            return _said(each)
    names = (new, plural(new)) if symbol.kind == "kinds" else (new,) if "." in symbol.name else ()
    taken = (each for each in index.declared if each.kind == "plurals" and index.plural(each) in names)
    return next((f"the {each.name} of a kind" for each in taken if each.name != symbol.name), None)


def _said(symbol: Symbol) -> str:
    """A declaration in words."""
    kind = _KINDS.get(symbol.kind, symbol.kind.removesuffix("s"))
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{article} {kind}" + (f", `{symbol.name}`" if "." in symbol.name else "")


def _unsure(index: Index, symbol: Symbol) -> str | None:
    for each in index.together(symbol):
        for span in index.unsure.get(each, ()):
            return _said_unsure(span, each.name)
    return None


def _said_unsure(span: Span, name: str) -> str:
    return f"{span.file.name}:{span.line} may name `{name}` or something else called so: no type tells."


def _same_keys(index: Index, edits: Iterable[Edit]) -> str | None:
    """Messages that would have one key."""
    keys = {each.name for each in index.declared if each.kind == "messages"}
    starts = {(edit.span.file.name, edit.span.start): edit for edit in edits}
    made: dict[str, str] = {}
    for key, span in index.keys.items():
        inside = [starts[place] for place in starts if place[0] == span.file.name and span.start <= place[1] < span.end]
        text = span.text
        for edit in sorted(inside, key=lambda one: -one.span.start):
            text = text[: edit.span.start - span.start] + edit.text + text[edit.span.end - span.start :]
        if inside and text in keys:
            return f"The message `{key}` would be called `{text}`, as another one is."
        made[text] = key
    return None
