"""The outline of a YAML text that may be broken anywhere: maps, lists and values with their places, and no faults.

While somebody types, a file is no YAML most of the time. What a position belongs to can still be told from indents,
dashes, keys and brackets. An outline says that, and no more: what a value means is for those who read whole files.

    outline("zones: {deck: {shape: st").pairs[0].key   # "zones"
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulespec.source.plain import MAX_FILE_BYTES

_KEY = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|(?:[^\s"'#{}\[\],&*!|>@`%-]|-[^\s:])(?:(?!\s\#)[^\n])*?)[ \t]*:(?=\s|$)"""
)
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*[ \t]*(?:#[^\n]*)?$")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_CLOSING = {"{": "}", "[": "]"}

#: Collections inside collections; what lies deeper is left out, as a whole file is refused then.
MAX_DEPTH = 64


@dataclass(slots=True)
class Leaf:
    """A value that is no collection: offsets of its text with quotes. `style` as in a tree, or `none` for nothing."""

    start: int
    end: int
    style: str = "plain"


@dataclass(slots=True)
class Pair:
    """A key with its value. `colon` is the offset behind the colon; -1 where there is none yet."""

    key: str
    start: int
    end: int
    colon: int = -1
    value: Part | None = None


@dataclass(slots=True)
class Map:
    """A map; `column` is where its keys stand in block style, -1 in flow style, which `is_closed` by its bracket."""

    start: int
    end: int
    column: int
    pairs: list[Pair] = field(default_factory=list)
    is_closed: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that have a colon, in order."""
        return tuple(pair.key for pair in self.pairs if pair.colon >= 0)


@dataclass(slots=True)
class List:
    """A list; `column` is where its dashes stand in block style, -1 in flow style, which `is_closed` by its bracket."""

    start: int
    end: int
    column: int
    items: list[Part | None] = field(default_factory=list)
    is_closed: bool = False


Part = Map | List | Leaf


def is_too_long(text: str) -> bool:
    """Whether a file is longer than one of a game may be: nothing of it is read, as in a check."""
    return len(text) > MAX_FILE_BYTES


def outline(text: str) -> Map:
    """The outline of a whole file, which is a map; of one that is too long that of an empty file."""
    return Map(0, len(text), 0) if is_too_long(text) else _Reader(text).read()


class _Reader:
    """Reads line by line. `_blocks` are the open collections of block style, outermost first, with their columns."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._root = Map(0, len(text), 0)
        self._blocks: list[Map | List] = [self._root]
        self._flows: list[Map | List] = []
        self._leaf: Leaf | None = None  #: a value that may go on in the next line
        self._pending = False  #: in flow style: whether a value, and no new key or item, comes next

    def read(self) -> Map:
        start = 0
        while start <= len(self._text):
            end = self._text.find("\n", start)
            end = len(self._text) if end < 0 else end
            self._line(start, end)
            start = end + 1
        for block in self._blocks:
            block.end = max(block.end, len(self._text))
        return self._root

    # ---- lines ----

    def _line(self, start: int, end: int) -> None:
        stop = end - 1 if end > start and self._text[end - 1] == "\r" else end
        at = start
        while at < stop and self._text[at] == " ":
            at += 1
        column = at - start
        if self._goes_on(at, stop, column):
            return
        if at == stop or self._text[at] == "#":
            return
        self._leaf = None
        self._flows.clear()
        self._close_blocks(at, column)
        self._content(at, stop, column)

    def _goes_on(self, at: int, stop: int, column: int) -> bool:
        """Whether a line belongs to a value that began before it; then that is longer."""
        if self._flows:
            if at < stop and column <= self._base() and self._text[at] not in "]}":
                return False
            self._flow(at, stop)
            return True
        leaf = self._leaf
        if leaf is None:
            return False
        if at == stop:
            return True
        if column <= self._base() or (leaf.style == "plain" and self._text[at] == "#"):
            return False
        if leaf.style in ("literal", "folded"):
            leaf.end = stop
        elif leaf.style in ("single", "double"):
            self._quoted_end(leaf, at, stop)
        elif self._is_entry(at, stop):
            return False
        else:
            leaf.end = self._plain_end(at, stop)
        return True

    def _base(self) -> int:
        """The column that what belongs to the last value lies beyond."""
        block = self._blocks[-1]
        return block.column

    def _is_entry(self, at: int, stop: int) -> bool:
        return self._is_dash(at, stop) or _KEY.match(self._text, at, stop) is not None

    def _is_dash(self, at: int, stop: int) -> bool:
        return self._text[at] == "-" and (at + 1 == stop or self._text[at + 1] in " \t")

    def _close_blocks(self, at: int, column: int) -> None:
        dash = self._text[at] == "-"
        while len(self._blocks) > 1:
            block = self._blocks[-1]
            if block.column < column or (block.column == column and (isinstance(block, Map) or dash)):
                break
            self._blocks.pop().end = at

    def _content(self, at: int, stop: int, column: int) -> None:
        """What stands in a line of block style, from its first character."""
        while self._is_dash(at, stop):
            self._dash(at, column)
            rest = at + 1
            while rest < stop and self._text[rest] in " \t":
                rest += 1
            if rest == stop or self._text[rest] == "#":
                return
            column += rest - at
            at = rest
        found = _KEY.match(self._text, at, stop)
        if found is None:
            self._bare(at, stop, column)
            return
        pair = Pair(_unquoted(found.group(1)), at, found.end(1), found.end())
        self._map_at(at, column).pairs.append(pair)
        rest = found.end()
        while rest < stop and self._text[rest] in " \t":
            rest += 1
        if rest < stop and self._text[rest] != "#":
            pair.value = self._value(rest, stop)

    def _dash(self, at: int, column: int) -> None:
        block = self._blocks[-1]
        if not (isinstance(block, List) and block.column == column):
            made = List(at, at, column)
            self._put(made)
            self._blocks.append(made)
            block = made
        block.items.append(None)

    def _map_at(self, at: int, column: int) -> Map:
        block = self._blocks[-1]
        if isinstance(block, Map) and block.column == column:
            return block
        if isinstance(block, Map) and not self._takes_value(block) and not self._is_bare(block, column):
            return block
        made = Map(at, at, column)
        bare = self._bare_before(block, column)
        if bare is not None:  # what stands alone before the first key is a key that is being typed
            made.start = bare.start
            made.pairs.append(Pair(self._text[bare.start : bare.end], bare.start, bare.end))
        self._put(made)
        self._blocks.append(made)
        return made

    def _bare_before(self, block: Map | List, column: int) -> Leaf | None:
        """Takes away a value of the innermost collection that stands alone in its line, in this column."""
        last = _last_of(block)
        if not self._is_bare(block, column) or not isinstance(last, Leaf):
            return None
        if isinstance(block, Map):
            block.pairs[-1].value = None
        else:
            block.items[-1] = None
        return last

    def _is_bare(self, block: Map | List, column: int) -> bool:
        last = _last_of(block)
        if not isinstance(last, Leaf) or last.style != "plain":
            return False
        return last.start - (self._text.rfind("\n", 0, last.start) + 1) == column

    def _takes_value(self, block: Map) -> bool:
        """Whether the last key of a map has no value yet, so that what stands deeper is it."""
        last = block.pairs[-1] if block.pairs else None
        return last is not None and last.colon >= 0 and last.value is None

    def _put(self, part: Part) -> None:
        """Gives the innermost open collection its next value."""
        block = self._blocks[-1]
        if isinstance(block, List):
            if block.items and block.items[-1] is None:
                block.items[-1] = part
        elif self._takes_value(block):
            block.pairs[-1].value = part

    def _bare(self, at: int, stop: int, column: int) -> None:
        """A line with no key: a value of its own line, or a key that is being typed."""
        block = self._blocks[-1]
        if isinstance(block, Map) and not (block.column < column and self._takes_value(block)):
            end = self._plain_end(at, stop)
            block.pairs.append(Pair(self._text[at:end], at, end))
            return
        self._put(self._value(at, stop))

    def _value(self, at: int, stop: int) -> Part:
        mark = self._text[at]
        if mark in "{[":
            made: Map | List = Map(at, at + 1, -1) if mark == "{" else List(at, at + 1, -1)
            self._flows.append(made)
            self._pending = False
            self._flow(at + 1, stop)
            return made
        leaf = Leaf(at, stop)
        self._leaf = leaf
        if mark in "|>" and _BLOCK_TEXT.match(self._text, at, stop):
            leaf.style = "literal" if mark == "|" else "folded"
        elif mark in "\"'":
            leaf.style = "double" if mark == '"' else "single"
            self._quoted_end(leaf, at + 1, stop)
        else:
            leaf.end = self._plain_end(at, stop)
        return leaf

    def _plain_end(self, at: int, stop: int) -> int:
        comment = _COMMENT.search(self._text, at + 1, stop)
        end = stop if comment is None else comment.start()
        while end > at and self._text[end - 1] in " \t":
            end -= 1
        return end

    def _quoted_end(self, leaf: Leaf, at: int, stop: int) -> bool:
        """Goes to the end of a quoted value, in this line or a later one; whether it was in this one."""
        quote = '"' if leaf.style == "double" else "'"
        while at < stop:
            mark = self._text[at]
            if mark == "\\" and quote == '"':
                at += 2
                continue
            if mark == quote:
                if quote == "'" and self._text.startswith("''", at):
                    at += 2
                    continue
                leaf.end = at + 1
                self._leaf = None
                return True
            at += 1
        leaf.end = stop
        return False

    # ---- flow style ----

    def _flow(self, at: int, stop: int) -> None:
        """What stands in brackets, up to the end of the line or of the outermost bracket."""
        if self._leaf is not None:  # a quoted value that began in an earlier line
            leaf = self._leaf
            at = leaf.end if self._quoted_end(leaf, at, stop) else stop
        while at < stop and self._flows:
            mark = self._text[at]
            if mark in " \t":
                at += 1
            elif mark == "#" and self._text[at - 1] in " \t\n":
                break
            else:
                at = self._flow_piece(at, stop, mark)
        for flow in self._flows:
            flow.end = max(flow.end, at)

    def _flow_piece(self, at: int, stop: int, mark: str) -> int:
        if mark in "{[":
            made: Map | List = Map(at, at + 1, -1) if mark == "{" else List(at, at + 1, -1)
            self._put_flow(made, at)
            if len(self._flows) < MAX_DEPTH:
                self._flows.append(made)
                self._pending = False
            return at + 1
        if mark in "}]":
            closed = self._flows.pop()
            closed.end, closed.is_closed = at + 1, True
            self._pending = False
            return at + 1
        if mark == ",":
            self._pending = False
            return at + 1
        if mark == ":" and (at + 1 == stop or self._text[at + 1] in " \t,}]"):
            self._colon(at)
            return at + 1
        leaf = self._flow_leaf(at, stop, mark)
        self._put_flow(leaf, at)
        return leaf.end

    def _colon(self, at: int) -> None:
        """A colon makes a key of what stands before it."""
        flow = self._flows[-1]
        if isinstance(flow, Map):
            if flow.pairs and flow.pairs[-1].colon < 0:
                flow.pairs[-1].colon = at + 1
            self._pending = True
        elif flow.items and isinstance(flow.items[-1], Leaf):  # `[key: value]`: a map of one pair
            leaf = flow.items[-1]
            pair = Pair(_unquoted(self._text[leaf.start : leaf.end]), leaf.start, leaf.end, at + 1)
            flow.items[-1] = Map(leaf.start, at + 1, -1, [pair])
            self._pending = True

    def _put_flow(self, part: Part, at: int) -> None:
        flow = self._flows[-1]
        if isinstance(flow, List):
            last = flow.items[-1] if flow.items else None
            if self._pending and isinstance(last, Map) and last.pairs[-1].value is None:
                last.pairs[-1].value = part
                last.end = part.end
            else:
                flow.items.append(part)
        elif self._pending and flow.pairs:
            if flow.pairs[-1].value is None:
                flow.pairs[-1].value = part
        elif isinstance(part, Leaf):
            flow.pairs.append(Pair(_unquoted(self._text[part.start : part.end]), part.start, part.end))
        else:
            flow.pairs.append(Pair("", at, at, at, part))

    def _flow_leaf(self, at: int, stop: int, mark: str) -> Leaf:
        leaf = Leaf(at, stop)
        if mark in "\"'":
            leaf.style = "double" if mark == '"' else "single"
            self._leaf = leaf
            self._quoted_end(leaf, at + 1, stop)
            return leaf
        end, depth = at, 0
        while end < stop:
            mark = self._text[end]
            if depth == 0 and (mark in ",{}[]" or (mark == ":" and self._ends_key(end, stop))):
                break
            if mark == "#" and self._text[end - 1] in " \t":
                break
            depth += (mark == "(") - (mark == ")" and depth > 0)
            end += 1
        while end > at + 1 and self._text[end - 1] in " \t":
            end -= 1
        leaf.end = max(end, at + 1)
        return leaf

    def _ends_key(self, at: int, stop: int) -> bool:
        return not self._pending and (at + 1 >= stop or self._text[at + 1] in " \t,{}[]")


def _last_of(block: Map | List) -> Part | None:
    if isinstance(block, Map):
        return block.pairs[-1].value if block.pairs else None
    return block.items[-1] if block.items else None


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0] else text
