"""Paths to what is declared, such as `values.hand_size`, `pieces.card.rows[cost=3].points`, `actions.a.do[pay].coins`.

A path goes down by names after dots. In a list it goes by what stands in the members, never by their number:

    rows[cost=3]            the row with this data; `[cost=3, kind=hill]` where one is not enough
    do[pay]                 the only step with this verb
    do[choose site]         the step with this verb and this value
    do[pay_site]            the step with this `id`; also `[id=pay_site]`
    seats[red]              the member of a list of plain values

A dot may also be part of a key: in `state.player.coins` the key is `player.coins`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rulespec.diagnostics.fixes import Fix, changed, inside
from rulespec.diagnostics.model import Problems, Related
from rulespec.diagnostics.nearest import Near, distance, is_slip, near_to
from rulespec.model.registry import VERBS
from rulespec.model.registry.names import PATH
from rulespec.overlay.merge import Locator, as_members
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

_PART = re.compile(r"(?:^|\.)(?P<name>[A-Za-z0-9_-]+)|\[(?P<pick>[^\[\]]+)\]")
_DATA = re.compile(r"(?P<key>[a-z][a-z0-9_]*)\s*=(?!=)\s*(?P<value>.*)", re.DOTALL)
_NEXT_DATA = re.compile(r",\s*(?=[a-z][a-z0-9_]*\s*=(?!=))")
_VERBS = frozenset(VERBS)

#: How many names a mistyped one is compared with.
_COMPARED = 100

#: How many of the places that fit are shown.
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Part:
    """A name after a dot, or what stands in brackets (`picked`). `start` and `end` are its place in the path."""

    text: str
    picked: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a path leads to. `key` is where its key or its member of a list stands; `chain` goes from the root to it."""

    locator: Locator
    node: Node
    key: Span
    chain: tuple[Node, ...]

    @property
    def is_member(self) -> bool:
        """Whether it is one member of a list."""
        return bool(self.locator) and isinstance(self.locator[-1], tuple)


@dataclass(frozen=True, slots=True)
class Lost:
    """Where a path fails: at the part from `start` to `end`. `near` is the nearest path that leads somewhere."""

    reason: Literal["malformed", "missing", "number", "several", "leaf", "list", "map"]
    start: int
    end: int
    before: str = ""
    near: str | None = None
    place: Span | None = None
    fitting: tuple[Span, ...] = ()
    is_certain: bool = True  #: nobody can have meant another path


@lru_cache(4_096)
def parse_path(text: str) -> tuple[Part, ...] | Lost:
    """The parts of a path, or where it is malformed."""
    parts: list[Part] = []
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None or (not parts and match["name"] is None):
            return Lost("malformed", at, len(text))
        group = "pick" if match["name"] is None else "name"
        parts.append(Part(match[group].strip(), group == "pick", match.start(group), match.end(group)))
        at = match.end()
    return tuple(parts) if parts else Lost("malformed", 0, len(text))


def find(tree: Mapping, text: str) -> Found | Lost:
    """What `text` leads to in `tree`."""
    parts = parse_path(text)
    if isinstance(parts, Lost):
        return parts
    found = Found((), tree, Span(tree.span.file, tree.span.start, tree.span.start), (tree,))
    at = 0
    while at < len(parts):
        found = replace(found, node=as_members(found.node, found.locator))
        step = _pick(found, parts[at], text) if parts[at].picked else _name(found, parts, at, text)
        if isinstance(step, Lost):
            return step
        found, taken = step
        at += taken
    return found


def item_key(node: Node) -> tuple[str, int]:
    """What a member of a list is known by: the place where it is written. It survives changes around and in it."""
    return (node.span.file.name, node.span.start)


def dotted(locator: Locator) -> str:
    """A locator for people: members of lists by their place in the file."""
    text = ""
    for part in locator:
        text += f"[{part[0]}]" if isinstance(part, tuple) else f".{part}" if text else part
    return text


# ---- names -----------------------------------------------------------------------------------------------------------


def _name(found: Found, parts: tuple[Part, ...], at: int, text: str) -> tuple[Found, int] | Lost:
    """One step down by name. The longest key counts: a key may hold dots itself."""
    part = parts[at]
    if _is_shorthand(found, part.text):
        return found, 1
    if not isinstance(found.node, Mapping):
        reason: Literal["leaf", "list"] = "list" if isinstance(found.node, Sequence) else "leaf"
        if reason == "list" and part.text.isdigit():
            return Lost("number", part.start, part.end, _before(text, part), place=found.key)
        return Lost(reason, part.start, part.end, _before(text, part), place=found.key)
    for end in range(_last_name(parts, at), at, -1):
        key = ".".join(name.text for name in parts[at:end])
        if key in found.node:
            return _down(found, key), end - at
    return _missing(found, parts, at, text)


def _down(found: Found, key: str) -> Found:
    assert isinstance(found.node, Mapping)
    written, value = found.node.key_node(key), found.node.get(key)
    assert written is not None
    assert value is not None
    return Found((*found.locator, key), value, written.span, (*found.chain, value))


def _is_shorthand(found: Found, name: str) -> bool:
    """Whether `name` is left out here: a value may stand for its `is`."""
    is_value = len(found.locator) == 2 and found.locator[0] == "values" and name == "is"
    return is_value and not (isinstance(found.node, Mapping) and "is" in found.node)


def _last_name(parts: tuple[Part, ...], at: int) -> int:
    """The end of the run of names that begins at `at`."""
    end = at
    while end < len(parts) and not parts[end].picked:
        end += 1
    return end


def _missing(found: Found, parts: tuple[Part, ...], at: int, text: str) -> Lost:
    """The failure at a name. As many names as together are nearest to a key were meant to be that key."""
    assert isinstance(found.node, Mapping)
    before = _before(text, parts[at])
    guesses = []
    for end in range(at + 1, _last_name(parts, at) + 1):
        key = ".".join(name.text for name in parts[at:end])
        near = near_to(key, found.node.keys()[:_COMPARED])
        if near is not None:
            guesses.append((distance(key, near.name), end, near.name, near.is_certain))
    if not guesses:
        return Lost("missing", parts[at].start, parts[at].end, before, None, found.key)
    least, end, name, is_certain = min(guesses)
    is_certain = is_certain and [guess[0] for guess in guesses].count(least) == 1
    path = f"{before}.{name}" if before else name
    whole = f"{path}{text[parts[end - 1].end :]}"
    return Lost("missing", parts[at].start, parts[end - 1].end, before, whole, found.key, is_certain=is_certain)


def _before(text: str, part: Part) -> str:
    return text[: part.start].rstrip(".[")


# ---- members of lists ------------------------------------------------------------------------------------------------


def _pick(found: Found, part: Part, text: str) -> tuple[Found, int] | Lost:
    """One step down by what stands in the members."""
    before = _before(text, part)
    if isinstance(found.node, Scalar):
        return Lost("leaf", part.start, part.end, before, place=found.key)
    if part.text.isdigit():
        return Lost("number", part.start, part.end, before, place=found.key)
    fitting = list(_fitting(found, part.text))
    if len(fitting) == 1:
        return fitting[0], 1
    if fitting:
        places = tuple(item.key for item in fitting[:_SHOWN])
        return Lost("several", part.start, part.end, before, place=found.key, fitting=places)
    if isinstance(found.node, Mapping):
        near = f"{before}.{part.text}{text[part.end + 1 :]}" if part.text in found.node else None
        return Lost("map", part.start, part.end, before, near, found.key)
    near, is_certain = _near_member(found.node, part, text)
    return Lost("missing", part.start, part.end, before, near, found.key, is_certain=is_certain)


def _fitting(found: Found, selector: str) -> Iterator[Found]:
    fits = matcher(selector)
    if isinstance(found.node, Sequence):
        for item in filter(fits, found.node.items):
            yield Found((*found.locator, item_key(item)), item, first_line(item.span), (*found.chain, item))
    elif isinstance(found.node, Mapping) and _DATA.fullmatch(selector):
        yield from (_down(found, key.text) for key, value in found.node.pairs if fits(value))


def matcher(selector: str) -> Callable[[Node], bool]:
    """Whether a member of a list is the one that a selector (what stands in brackets) means."""
    if _DATA.fullmatch(selector):
        matches = [_DATA.fullmatch(condition) for condition in _NEXT_DATA.split(selector)]
        wanted = [(match["key"], match["value"].strip()) for match in matches if match is not None]
        return lambda item: isinstance(item, Mapping) and _has(item, wanted)
    verb, _, value = selector.partition(" ")
    if verb not in _VERBS:
        return lambda item: _text(item.get("id") if isinstance(item, Mapping) else item) == selector
    value = value.strip()
    return lambda item: isinstance(item, Mapping) and verb in item and (not value or _holds(item.get(verb), value))


def _has(item: Mapping, wanted: list[tuple[str, str]]) -> bool:
    return all(_text(item.get(key)) == value for key, value in wanted)


def _holds(node: Node | None, value: str) -> bool:
    """Whether a verb's value is this one, or a map with this key (`gain: {coins: 2}` is `gain coins`)."""
    return value in node if isinstance(node, Mapping) else _text(node) == value


def _text(node: Node | None) -> str | None:
    """A single value as one line."""
    if not isinstance(node, Scalar):
        return None
    return " ".join(node.text.split()) if " " in node.text or "\n" in node.text else node.text


def _near_member(node: Node, part: Part, text: str) -> tuple[str | None, bool]:
    """The path with the selector that is nearest to the one written, and whether nobody can have meant another one."""
    if not isinstance(node, Sequence):
        return None, False
    match = _DATA.fullmatch(part.text)
    key = match["key"] if match else None
    names = near_names(node, key)
    # another argument of the same effect is meant rather than another effect with an argument alike
    call, opened, _ = part.text.partition("(")
    same = [name for name in names if name.startswith(f"{call}(")] if opened else []
    near = near_to(part.text, names)
    if len(same) == 1:
        near = Near(same[0], part.text, is_slip(part.text, same[0]))
    return (None, False) if near is None else (f"{text[: part.start]}{near.name}{text[part.end :]}", near.is_certain)


def near_names(items: Sequence, key: str | None) -> list[str]:
    """What could stand in brackets for the members of a list: by `key`, or by verb and id. Of long lists the start."""
    return [name for item in items.items[:_COMPARED] for name in _selectors(item, key)]


def _selectors(item: Node, key: str | None) -> Iterator[str]:
    if isinstance(item, Scalar):
        yield item.text
    if not isinstance(item, Mapping):
        return
    if key is not None:
        value = _text(item.get(key))
        if value is not None:
            yield f"{key}={value}"
        return
    name = _text(item.get("id"))
    if name is not None:
        yield name
    for verb, node in item.pairs:
        if verb.text in _VERBS:
            yield verb.text
            value = _text(node)
            if value is not None:
                yield f"{verb.text} {value}"


def written_at(key: Scalar, node: Node) -> Span:
    """Where an entry is written: at its key, or at its value where a variant has put another one there."""
    return key.span if key.span.file is node.span.file else first_line(node.span)


def first_line(span: Span) -> Span:
    """The part of a place that lies on its first line."""
    end = span.file.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.file, span.start, end)


# ---- reporting -------------------------------------------------------------------------------------------------------


def report_lost(lost: Lost, text: str, place: Scalar, problems: Problems) -> None:
    """Report a path, written at `place`, that leads nowhere."""
    span = part_span(place, text, lost.start, lost.end)
    there = [] if lost.place is None or not lost.before else [Related(f"'{lost.before}' is here", lost.place)]
    name = text[lost.start : lost.end]
    match lost.reason:
        case "malformed":
            # With a file's structure the form of its paths is checked too: the same problem at one place stands once.
            problems.add("RS259", place.span, found=text, wanted=PATH.what)
        case "number":
            problems.add("RS408", span, related=there, number=name)
        case "several":
            fitting = [Related("this fits", each) for each in lost.fitting]
            more = "Say more of it, as in `[cost=3, kind=hill]` or `[choose site]`, or give the step an `id`."
            problems.add("RS405", span, hint=more, related=fitting, name=name, path=lost.before)
        case _:
            hint = f"Did you mean `{lost.near}`?" if lost.near else _HINTS.get(lost.reason)
            mends = path_fixes(place, text, lost)
            problems.add("RS403", span, hint=hint, related=there, fixes=mends, name=name, where=_where(lost))


def path_fixes(place: Scalar, text: str, lost: Lost) -> tuple[Fix, ...]:
    """The change to the path that was meant, where the one written is all that stands there."""
    if lost.near is None or inside(place.span).text != text:
        return ()
    return (changed(place.span, lost.near, is_certain=lost.is_certain),)


_HINTS = {
    "leaf": "It is a single value, with nothing inside.",
    "list": "It is a list: its members are found by what stands in them, as in `rows[cost=3]` or `do[choose site]`.",
    "map": "It is a map: its entries are named after a dot.",
}


def _where(lost: Lost) -> str:
    return f"in '{lost.before}'" if lost.before else "among the sections"


def part_span(place: Scalar, text: str, start: int, end: int) -> Span:
    """The stretch of the file in which a part of a written text stands; the whole of it where quotes hide that."""
    if place.content.text != text:
        return place.span
    return Span(place.content.file, place.content.start + start, place.content.start + end)


def written(text: str, name: str) -> Scalar:
    """A text from outside of any file, such as an argument of a command, as a node that problems can point at."""
    span = Span(SourceFile.of(name, text), 0, len(text))
    return Scalar(span, text, "plain", text, span)


def bound_by_rules(tree: Mapping) -> list[tuple[Scalar, list[Scalar]]]:
    """Each rule that binds something, with the paths that it binds."""
    rules = tree.get("rules")
    found = []
    for key, rule in rules.pairs if isinstance(rules, Mapping) else ():
        binds = rule.get("binds") if isinstance(rule, Mapping) else None
        if isinstance(binds, Sequence):
            found.append((key, [path for path in binds.items if isinstance(path, Scalar)]))
    return found
