"""Putting entries into the text of a file, and taking them out, so that comments and layout stay as they are.

edit = added_entry(mapping.pairs[-1], "hand_size: 5")
edit = without_entry(mapping, key)
"""

from __future__ import annotations

import re
from typing import Final

from rulespec.diagnostics.fixes import Edit
from rulespec.source.comments import comment_at
from rulespec.source.taking_out import end_of_line, indent_of, leaves_nothing, line_break, taken_out
from rulespec.source.text import SourceFile, Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

Pair = tuple[Scalar, Node]

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


def is_flow(node: Node) -> bool:
    """Whether a map or a list is written in braces or brackets."""
    return node.span.file.text[node.span.start : node.span.start + 1] in ("{", "[")


def in_flow(key: Scalar) -> bool:
    """Whether a key stands between braces; its map may be put together from several files, and says nothing of that."""
    file, line = key.span.file, key.span.line
    text = file.line_text(line)
    column = key.span.column - 1
    if text[:column].strip(" -"):
        return True
    while line > 1:
        line -= 1
        above = file.line_text(line)
        if above.strip() and not above.lstrip().startswith("#") and indent_of(above) < indent_of(text):
            above = above[: comment_at(above)]
            return sum(map(above.count, "{[")) > sum(map(above.count, "}]"))
    return False


def added_entry(after: Pair, entry: str) -> Edit:
    """An entry on one line, such as `hand_size: 5`, behind another one of the same map."""
    key, value = after
    file = value.span.file
    if in_flow(key) or key.span.file is not file:
        return Edit(Span(file, value.span.end, value.span.end), f", {entry}")
    indent = " " * (key.span.column - 1)
    at = end_of_line(file, value.span.end)
    return Edit(Span(file, at, at), f"{line_break(file)}{indent}{entry}")


def added_section(file: SourceFile, name: str, entry: str) -> Edit:
    """A section with one entry at the end of a file."""
    mark, text = line_break(file), file.text
    at = len(text.rstrip())
    gap = "" if at == 0 else mark * 2
    return Edit(Span(file, at, at), f"{gap}{name}:{mark}  {entry}")


def without_entry(around: Mapping, key: Scalar, above: Pair | None = None) -> Edit | None:
    """A map without one entry; where that is its only one, what holds the map (`above`) goes too.

    None without that, and where nothing would be left of the file. The comments that stand directly above the entry
    and behind it go with it.
    """
    at = next((n for n, (each, _) in enumerate(around.pairs) if each is key), None)
    if at is None:
        return None
    value = around.pairs[at][1]
    if value.span.file is not key.span.file:
        return None
    same = [each for each, _ in around.pairs if each.span.file is key.span.file]
    if len(same) > 1 or around.broken:
        return taken_out(Span(key.span.file, key.span.start, value.span.end), in_braces=in_flow(key))
    if above is None or above[0].span.file is not key.span.file:
        return None
    whole = Span(above[0].span.file, above[0].span.start, max(above[1].span.end, value.span.end))
    edit = taken_out(whole, in_braces=in_flow(above[0]))
    return None if leaves_nothing(edit) else edit


def without_item(around: Sequence, item: Node) -> Edit | None:
    """A list without one item; None where it is the only one."""
    if len(around.items) < 2:
        return None
    if is_flow(around):
        return taken_out(item.span, in_braces=True)
    file = item.span.file
    dash = file.text.rfind("-", file.line_starts[item.span.line - 1], item.span.start)
    return None if dash < 0 else taken_out(Span(file, dash, item.span.end), in_braces=False)


def as_key(name: str) -> str:
    """A key as YAML."""
    return name if _PLAIN_KEY.fullmatch(name) else f'"{name}"'
