"""Trees as YAML text that reads back as the same tree, with the place of each part beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from rulespec.source.characters import is_shown
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

#: The widest that maps and lists are kept on one line.
WIDEST = 90

#: The longest that `short` lets a value be.
LONGEST = 60
_BEFORE = 16  #: characters that are shown before the first difference

_PLAIN_START = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`=~<]|[-?:](?=[^\s,\[\]{}])")
_UNSAFE = re.compile(r": |:$| #|^\s|\s$")
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}?]")

_OTHER_THAN_TEXT = re.compile(r"-?[0-9]+|true|false|null|Null|NULL|~|")

Place = Callable[[Span], str]


def write(node: Node, place: Place, *, spread: int = 0) -> str:
    """`node` as YAML, each line with the place that its value comes from as a comment.

    Maps on the first `spread` levels have a line for each key, however short they are.
    """
    lines = list(_lines(node, spread, place))
    width = min(max((len(text) for text, _ in lines), default=0), WIDEST)
    return "\n".join(f"{text:<{width}}  # {origin}" if origin else text for text, origin in lines)


def _lines(node: Node, spread: int, place: Place) -> Iterator[tuple[str, str]]:
    """Each line with its origin."""
    match node:
        case Mapping(pairs=pairs) if pairs:
            for key, value in pairs:
                yield from _entry(key, value, spread, place)
        case Sequence(items=items) if items:
            for item in items:
                yield from _item(item, place)
        case _:
            yield inline(node), place(node.span)


def _entry(key: Scalar, value: Node, spread: int, place: Place) -> Iterator[tuple[str, str]]:
    """A key with its value: on its line if that is short and from one file, else below it."""
    start = f"{scalar_text(key)}:"
    if isinstance(value, Scalar) or _is_empty(value) or (spread < 1 and _fits(value, len(start) + 1)):
        yield f"{start} {inline(value)}", place(value.span)
        return
    yield start, place(key.span)
    for text, origin in _lines(value, spread - 1, place):
        yield f"  {text}", origin


def _item(item: Node, place: Place) -> Iterator[tuple[str, str]]:
    """A member of a list; the first key of a map stands behind the dash."""
    if isinstance(item, Scalar) or _is_empty(item) or _fits(item, 2):
        yield f"- {inline(item)}", place(item.span)
        return
    for number, (text, origin) in enumerate(_lines(item, 0, place)):
        yield f"- {text}" if number == 0 else f"  {text}", origin


def _is_empty(node: Node) -> bool:
    return not isinstance(node, Scalar) and not _children(node)


def _fits(node: Node, before: int) -> bool:
    """Whether a map or list stands on one line: short ones that are in braces, and from one file."""
    is_short = node.span.text[:1] in ("{", "[") and before + len(inline(node)) <= WIDEST
    return is_short and len(_files(node)) <= 1


def _children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Mapping):
        return tuple(value for _, value in node.pairs)
    return node.items if isinstance(node, Sequence) else ()


def _files(node: Node) -> set[str]:
    return {node.span.file.name}.union(*(_files(child) for child in _children(node)))


def inline(node: Node) -> str:
    """`node` on one line, in flow style."""
    match node:
        case Mapping(pairs=pairs):
            return "{" + ", ".join(f"{scalar_text(key, flow=True)}: {_flow(value)}" for key, value in pairs) + "}"
        case Sequence(items=items):
            return "[" + ", ".join(_flow(item) for item in items) + "]"
        case Scalar():
            return scalar_text(node)
    return ""


def short(node: Node) -> str:
    """`node` on one line, cut where it is long; a constant in its long form is shown by its value alone."""
    return _cut(_shown(node), 0)


def short_pair(one: Node, other: Node) -> tuple[str, str]:
    """Two nodes on one line each, cut where they are long: around the first difference, so that it is seen."""
    texts = _shown(one), _shown(other)
    common = next(
        (n for n, (mine, theirs) in enumerate(zip(*texts, strict=False)) if mine != theirs), min(map(len, texts))
    )
    start = common - _BEFORE if common > LONGEST // 2 and max(map(len, texts)) > LONGEST else 0
    return _cut(texts[0], start), _cut(texts[1], start)


def _shown(node: Node) -> str:
    value = node.get("is") if isinstance(node, Mapping) else None
    return inline(node if value is None else value)


def _cut(text: str, start: int) -> str:
    rest = f"…{text[start:]}" if start else text
    return rest if len(rest) <= LONGEST else f"{rest[: LONGEST - 1]}…"


def _flow(node: Node) -> str:
    return scalar_text(node, flow=True) if isinstance(node, Scalar) else inline(node)


def scalar_text(node: Scalar, *, flow: bool = False) -> str:
    """A single value, in quotes where it needs them to be read as the same value again."""
    if not isinstance(node.value, str):
        return node.text
    is_plain = _PLAIN_START.match(node.text) is not None and _UNSAFE.search(node.text) is None
    is_plain = is_plain and all(map(is_shown, node.text))
    if is_plain and not _OTHER_THAN_TEXT.fullmatch(node.text) and not (flow and _UNSAFE_IN_FLOW.search(node.text)):
        return node.text
    return "".join(mark if is_shown(mark) else _escaped(mark) for mark in json.dumps(node.text, ensure_ascii=False))


def _escaped(mark: str) -> str:
    return f"\\u{ord(mark):04X}" if ord(mark) < 0x10000 else f"\\U{ord(mark):08X}"
