"""Reading one content file into a tree of nodes with places.

PyYAML's parser gives the events (the C one where it is there); the tree is composed here rather than by
`yaml.compose`, which recurses on the machine's stack and hides where an anchor or a tag stands. Everything that a
content file does not need is refused with a diagnostic of its own: anchors, aliases, merge keys, tags, further
documents, nulls, keys that are not text.

    problems = Problems()
    tree = read_yaml(SourceFile.of("game.yaml", "game: {id: demo}"), problems)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from rulespec.diagnostics.model import Problems, Related
from rulespec.source.characters import FOREIGN, TURNING, named
from rulespec.source.disguises import report_strange, strange_in_key, strange_near
from rulespec.source.flow_trap import Pair, mend_items, mend_pairs
from rulespec.source.mends import without_property, written_out
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Broken, Mapping, Node, Scalar, Sequence
from rulespec.source.yaml_mistakes import places_of, report_glued_dash, report_half, report_syntax_error

__all__ = [
    "MAX_CHARACTERS",
    "MAX_DEPTH",
    "MAX_KEYS",
    "MAX_NODES",
    "MAX_TEXT",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "is_yaml",
    "read_yaml",
    "value_of",
]

MAX_CHARACTERS = 1_000_000  #: one file
MAX_DEPTH = 64  #: collections inside collections
MAX_NODES = 50_000  #: scalars and collections of one file
MAX_KEYS = 10_000  #: keys of one map
MAX_TEXT = 10_000  #: characters of one value or key

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES = {None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}
_INTEGER = re.compile(r"-?[0-9]{1,10}")
_LARGEST = 2**31 - 1
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "false": False}
_WORD = re.compile(r"\S*")
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)+")
_FOREIGN = re.compile(f"[{FOREIGN}]|\r(?!\n)")
_FOREIGN_IN_FILES = re.compile(f"{_FOREIGN.pattern}|[{TURNING}]")


#: the line with which a tool for versions marks the beginning, or the end, of what it could not merge
_MERGE = re.compile(r"^(?:<{7}|>{7})(?: [^\r\n]*)?$", re.MULTILINE)
_OF_KEYS = ("RS138", "RS145")
_UNREADABLE = Broken(Span(SourceFile.of("", ""), 0, 0))


class _Stop(Exception):
    """Reading this file ends here; the reason is reported."""


@dataclass(slots=True)
class _Frame:
    """A collection that is still open."""

    start: int
    flow: bool
    is_map: bool
    children: list[Node] = field(default_factory=list)


def read_yaml(file: SourceFile, problems: Problems) -> Mapping | None:
    """The sections of one file, or None when it cannot be read at all. Every fault found goes into `problems`."""
    if not _is_readable(file, problems):
        return None
    found = Problems()
    root = _composed(file, found)
    wrong_keys = [problem for problem in found.items if problem.code in _OF_KEYS]
    problems.extend(wrong_keys or found)  # where a key is not what it seems, the rest only follows from it
    if wrong_keys or root is _UNREADABLE:
        return None
    if root is None:
        problems.add("RS110", Span(file, 0, 0))
        return Mapping(Span(file, 0, 0), ())
    if isinstance(root, Broken):
        return None
    if not isinstance(root, Mapping):
        problems.add("RS111", _first_line(root.span), found=_kind(root))
        return None
    return root


def _composed(file: SourceFile, problems: Problems) -> Node | None:
    """The file's one value; None for a file without any, and `_UNREADABLE` for one that is no YAML."""
    try:
        return _Composer(file, problems).compose()
    except _Stop:
        return _UNREADABLE
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the pure parser lets wrong escapes through
        began, at = places_of(file, error)
        strange = strange_near(file, began, at)
        if strange is not None:
            report_strange(file, strange, problems)
        else:
            report_syntax_error(file, error, problems)
        return _UNREADABLE


def is_yaml(text: str) -> bool:
    """Whether a piece of a file by itself is YAML of any form."""
    loader = _LOADER(text) if _FOREIGN_IN_FILES.search(text) is None else None
    if loader is None:
        return False
    try:
        while loader.check_event():
            loader.get_event()
    except (yaml.YAMLError, ValueError, OverflowError):
        return False
    finally:
        loader.dispose()
    return True


def _is_readable(file: SourceFile, problems: Problems) -> bool:
    """Whether size and characters allow parsing."""
    if len(file.text) > MAX_CHARACTERS:
        problems.add("RS104", Span(file, 0, 0), limit=f"{MAX_CHARACTERS:,}")
        return False
    merge = _MERGE.search(file.text)
    if merge is not None:
        problems.add("RS147", Span(file, merge.start(), merge.end()), mark=merge.group()[:7])
        return False
    foreign = _FOREIGN_IN_FILES.search(file.text)
    if foreign is None:
        return True
    span = Span(file, foreign.start(), foreign.end())
    if foreign.group() == "\0":
        problems.add("RS106", span)
    else:
        problems.add("RS107", span, character=named(foreign.group()), hint=_mend_of_foreign(foreign.group()))
    return False


def _mend_of_foreign(mark: str) -> str | None:
    """What to do about a character that no file may hold, where that is not the same for all."""
    if mark in "\u2028\u2029\r":
        return "Write a plain line break."
    if mark == "\ufeff":
        return "It stands only at the beginning of a file: delete it."
    if re.match(f"[{TURNING}]", mark):
        escape = f"\\u{ord(mark):04X}"
        return (
            f"It turns the direction of what follows. Delete it; a text that needs it has `{escape}` in double quotes."
        )
    return None


class _Composer:
    """Makes the tree from the parser's events, without recursion."""

    def __init__(self, file: SourceFile, problems: Problems) -> None:
        self._file = file
        self._problems = problems
        self._frames: list[_Frame] = []
        self._root: Node | None = None
        self._nodes = 0
        self._documents = 0

    def compose(self) -> Node | None:
        """The first document's root; None for a file without content."""
        for event in self._events():
            self._take(event)
        return self._root

    def _events(self) -> Iterator[Any]:
        loader = _LOADER(self._file.text)
        try:
            while loader.check_event():
                yield loader.get_event()
        finally:
            loader.dispose()

    def _take(self, event: Any) -> None:
        match event:
            case yaml.ScalarEvent():
                self._add(self._scalar(event))
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._open(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._close(event)
            case yaml.AliasEvent():
                span = self._span(event)
                self._problems.add(
                    "RS122", span, name=event.anchor, fixes=() if self._problems.is_crowded else written_out(span)
                )
                self._add(Broken(span))
            case yaml.DocumentStartEvent():
                self._begin_document(event)

    def _begin_document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            start = event.start_mark.index
            self._problems.add("RS125", Span(self._file, start, start + 3))
            raise _Stop

    def _span(self, event: Any) -> Span:
        return Span(self._file, event.start_mark.index, event.end_mark.index)

    def _add(self, node: Node) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._problems.add("RS113", _first_line(node.span), limit=f"{MAX_NODES:,}")
            raise _Stop
        if self._frames:
            self._frames[-1].children.append(node)
        else:
            self._root = node

    # ---- scalars ------------------------------------------------------------------------------------

    def _scalar(self, event: Any) -> Node:
        is_refused = self._refuse_properties(event)
        style = _STYLES[event.style]
        span = self._trimmed(event, style)
        if is_refused and not event.value:  # nothing stands behind the anchor, and one problem is enough
            return Broken(span)
        if len(event.value) > MAX_TEXT:
            self._problems.add("RS150", _first_line(span), limit=f"{MAX_TEXT:,}")
            return Broken(span)
        foreign = _FOREIGN.search(event.value) if style == "double" else None
        if foreign is not None:  # written as an escape, it would still reach a terminal
            if not report_half(span, self._problems):  # which not all parsers refuse
                self._problems.add("RS107", span, character=named(foreign.group()))
            return Broken(span)
        if style != "plain":
            return Scalar(span, event.value, style, event.value, _content(span, style))
        return Scalar(span, event.value, style, value_of(event.value), span)

    def _trimmed(self, event: Any, style: str) -> Span:
        """The scalar's place without anchor and tag before it and without blank lines after it."""
        start, end = event.start_mark.index, event.end_mark.index
        if event.anchor or event.tag:
            properties = _PROPERTIES.match(self._file.text, start, end)
            start = properties.end() if properties else start
        if style in ("literal", "folded"):
            end = start + len(self._file.text[start:end].rstrip(" \t\r\n"))
        return Span(self._file, start, end)

    def _refuse_properties(self, event: Any) -> bool:
        """Report an anchor and a tag before a value; whether there was one."""
        start = event.start_mark.index
        text = self._file.text
        for mark, code, is_there in (("&", "RS121", event.anchor), ("!", "RS124", event.tag)):
            if is_there:
                at = text.find(mark, start)
                word = _WORD.match(text, at)
                end = word.end() if word else at + 1
                span = Span(self._file, at, end)
                fixes = () if self._problems.is_crowded else without_property(span)
                self._problems.add(code, span, name=span.text.removeprefix("&"), fixes=fixes)
        return bool(event.anchor or event.tag)

    # ---- collections --------------------------------------------------------------------------------

    def _open(self, event: Any) -> None:
        self._refuse_properties(event)
        start = event.start_mark.index
        if len(self._frames) >= MAX_DEPTH:
            self._problems.add("RS112", Span(self._file, start, start + 1), limit=MAX_DEPTH)
            raise _Stop
        is_map = isinstance(event, yaml.MappingStartEvent)
        self._frames.append(_Frame(start, bool(event.flow_style), is_map))

    def _close(self, event: Any) -> None:
        frame = self._frames.pop()
        end = event.end_mark.index if frame.flow else _end_of(frame)
        span = Span(self._file, frame.start, end)
        self._add(self._mapping(span, frame) if frame.is_map else self._sequence(span, frame))

    def _sequence(self, span: Span, frame: _Frame) -> Sequence:
        children = frame.children
        if frame.flow:
            children = mend_items(children, self._problems)
        return Sequence(span, tuple(item for item in children if not self._is_refused_item(item)))

    def _is_refused_item(self, item: Node) -> bool:
        if not _is_null(item):
            return isinstance(item, Broken)
        self._problems.add("RS116", self._place_of_nothing(item.span))
        return True

    def _place_of_nothing(self, span: Span) -> Span:
        """A written null's own place; where nothing is written, the dash before it."""
        if span.end > span.start:
            return span
        before = self._file.text[: span.start].rstrip()
        return Span(self._file, max(0, len(before) - 1), len(before))

    def _mapping(self, span: Span, frame: _Frame) -> Mapping:
        pairs: list[Pair] = list(zip(frame.children[::2], frame.children[1::2], strict=True))
        if len(pairs) > MAX_KEYS:
            self._problems.add("RS114", _first_line(span), limit=f"{MAX_KEYS:,}")
            raise _Stop
        if frame.flow:
            pairs = mend_pairs(pairs, self._problems)
        good: dict[str, tuple[Scalar, Node]] = {}
        broken: list[str] = []
        for key, value in pairs:
            if self._is_good_key(key, good) and isinstance(key, Scalar):
                if self._is_good_value(key, value):
                    good[key.text] = (key, value)
                else:
                    broken.append(key.text)
        return Mapping(span, tuple(good.values()), tuple(broken))

    def _is_good_key(self, key: Node, good: dict[str, tuple[Scalar, Node]]) -> bool:
        if not isinstance(key, Scalar):
            if not isinstance(key, Broken):
                self._problems.add("RS118", _first_line(key.span), found=_kind(key))
            return False
        if _is_null(key):
            self._problems.add("RS118", key.span, found="nothing")
            return False
        if key.style == "plain" and (strange := strange_in_key(key.span)) is not None:
            report_strange(self._file, strange, self._problems)
            return False
        if key.style == "plain" and re.match("-[a-z_]", key.text):
            report_glued_dash(key.span, self._problems)
            return False
        if key.text == "<<" and key.style == "plain":
            self._problems.add("RS123", key.span)
            return False
        first = good.get(key.text)
        if first is not None:
            there = Related(f"'{key.text}' stands here first", first[0].span)
            self._problems.add("RS117", key.span, related=[there], key=key.text)
        return first is None

    def _is_good_value(self, key: Scalar, value: Node) -> bool:
        if isinstance(value, Broken):
            return False
        if not _is_null(value):
            return True
        if value.span.end > value.span.start:
            self._problems.add("RS116", value.span)
        else:
            self._problems.add("RS115", key.span, key=key.text)
        return False


def _end_of(frame: _Frame) -> int:
    """Where a block collection ends: with its last part, not at the next thing in the file."""
    return max((child.span.end for child in frame.children), default=frame.start)


def _content(span: Span, style: str) -> Span:
    """The stretch that holds the value's own characters."""
    if style in ("single", "double"):
        return Span(span.file, span.start + 1, max(span.start + 1, span.end - 1))
    header_end = span.file.text.find("\n", span.start, span.end)
    return Span(span.file, span.end if header_end < 0 else header_end + 1, span.end)


def value_of(text: str) -> str | int | bool:
    """The YAML 1.2 core value of a plain scalar; a number beyond 32 bits stays text, which no place takes for one."""
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text) and abs(int(text)) <= _LARGEST:
        return int(text)
    return text


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and node.text in _NULLS


def _kind(node: Node) -> str:
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case _:
            return "a single value"


def _first_line(span: Span) -> Span:
    """`span` cut at its first line break."""
    line_end = span.file.text.find("\n", span.start, span.end)
    return span if line_end < 0 else Span(span.file, span.start, line_end)
