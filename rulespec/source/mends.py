"""Fixes of YAML: quotes around a text, tabs, anchors, tags and the like, made of the text around a fault."""

from __future__ import annotations

import re
from typing import Final

from rulespec.diagnostics.fixes import Edit, Fix, added, in_quotes, removed, replaced
from rulespec.source.comments import comment_at
from rulespec.source.taking_out import line_break
from rulespec.source.text import SourceFile, Span

#: What stands before a value on the last line of a block: a key, or a dash.
_BEFORE: Final = re.compile(r"(?P<start>\s*(?:- +)*(?:[\w.]+:[ \t]+)?)")
_INDENT: Final = re.compile(r"^([ \t]*)(?=\S)", re.MULTILINE)
_VALUE: Final = re.compile(r"[^\s,\[\]{}\"'#][^,\[\]{}\"'#]*")


def line_in_quotes(file: SourceFile, at: int) -> tuple[Fix, ...]:
    """The value that fills a line of block style, behind its key, in quotes: where none of it is in quotes already."""
    number = file.line_and_column(at)[0]
    line, start = file.line_text(number), file.line_starts[number - 1]
    before = _BEFORE.match(line)
    if before is None or comment_at(line) is not None:
        return ()
    value = line[before.end() :].rstrip()
    if not value or value[0] in "\"'[{|>&*!?" or before.end() > at - start:
        return ()
    following = _first_text(file, number + 1)
    if following is not None and following > len(line) - len(line.lstrip()):
        return ()  # the value goes on in the next line
    return (in_quotes(Span(file, start + before.end(), start + before.end() + len(value))),)


def marked_in_quotes(file: SourceFile, at: int) -> tuple[Fix, ...]:
    """A value that begins with a mark which YAML keeps for itself, in quotes; up to the end of its line or entry."""
    number = file.line_and_column(at)[0]
    line, start = file.line_text(number), file.line_starts[number - 1]
    is_flow = re.search(r"[{\[]", line[: at - start]) is not None
    if not is_flow:
        before = _BEFORE.match(line)
        value = line[at - start :].rstrip()
        is_all = before is not None and before.end() == at - start and comment_at(line) is None
        return (in_quotes(Span(file, at, at + len(value))),) if is_all and value else ()
    found = re.compile(r"[^,\[\]{}\"'#:]+").match(file.text, at)
    text = found[0].rstrip() if found is not None else ""
    return (in_quotes(Span(file, at, at + len(text))),) if text and "\n" not in text else ()


def _first_text(file: SourceFile, number: int) -> int | None:
    """How far the next line with something in it is indented; None at the end."""
    while number <= len(file.line_starts):
        line = file.line_text(number)
        if line.strip() and not line.lstrip().startswith("#"):
            return len(line) - len(line.lstrip())
        number += 1
    return None


def spaces_for_tabs(file: SourceFile) -> tuple[Fix, ...]:
    """Two blanks for each tab of all indentation: certain where no line is indented with blanks too."""
    indents = [Span(file, *found.span(1)) for found in _INDENT.finditer(file.text)]
    tabbed = [span for span in indents if "\t" in span.text]
    is_pure = all(" " not in span.text for span in indents)
    edits = tuple(Edit(span, span.text.replace("\t", "  ")) for span in tabbed)
    return (Fix("Indent with blanks", edits, is_certain=is_pure),) if edits else ()


def without_property(span: Span) -> tuple[Fix, ...]:
    """A value without the anchor or the tag before it, where nothing is lost by that."""
    file, word = span.file, span.text
    end = span.end + len(file.text[span.end :]) - len(file.text[span.end :].lstrip(" "))
    if word.startswith("&"):
        is_used = re.search(rf"\*{re.escape(word[1:])}\b", file.text) is not None
        return () if is_used else (removed(Span(file, span.start, end), f"Delete `{word}`"),)
    whole = Span(file, span.start, end)
    quoted = re.compile(r"([\"'])(-?\d+|true|false)\1").match(file.text, end)
    plain = _VALUE.match(file.text, end)
    if word in ("!!int", "!!bool") and quoted is not None:
        return (replaced(Span(file, span.start, quoted.end()), quoted[2]),)
    if word == "!!str" and plain is not None:
        value = plain[0].split("\n")[0].rstrip()
        return (replaced(Span(file, span.start, end + len(value)), f'"{value}"'),) if "\\" not in value else ()
    return (removed(whole, f"Delete `{word}`"),) if word in ("!!int", "!!bool", "!!map", "!!seq", "!!str") else ()


def written_out(span: Span) -> tuple[Fix, ...]:
    """What an alias stands for in its place, where that is one value on a line."""
    file, name = span.file, span.text[1:]
    found = re.search(rf"&{re.escape(name)}[ \t]+(?=(\"[^\"\n]*\"|'[^'\n]*'|[\w.-]+))", file.text)
    return () if found is None else (replaced(span, found[1]),)


def text_on_next_line(file: SourceFile, at: int) -> tuple[Fix, ...]:
    """The text behind `>` or `|` on the line below, where it is the whole text."""
    number = file.line_and_column(at)[0]
    line, start = file.line_text(number), file.line_starts[number - 1]
    indent = len(line) - len(line.lstrip())
    following = _first_text(file, number + 1)
    before = line[: at - start]
    if (following is not None and following > indent) or not before.endswith((" ", ">", "|")):
        return ()
    place = Span(file, start + len(before.rstrip()), at)
    return (replaced(place, f"{line_break(file)}{' ' * (indent + 2)}", "Move the text to the next line"),)


def list_on_next_line(file: SourceFile, at: int) -> tuple[Fix, ...]:
    """A list of one item that begins on the line of its key, on the line below."""
    fixes = text_on_next_line(file, at)
    return tuple(Fix("Move the list to the next line", fix.edits) for fix in fixes)


def value_with_sign(comment: Span) -> tuple[Fix, ...]:
    """The value between braces or behind a key that ` #` breaks off, in quotes; where a text goes on behind it."""
    file, text = comment.file, comment.file.text
    if text[comment.start + 1 : comment.start + 2].isspace():
        return ()  # this is how a comment is written
    line = file.line_starts[comment.line - 1]
    before = re.search(r"(?:[:,\[{]|^\s*-)\s+([^,\[\]{}\"':]*)$", text[line : comment.start])
    behind = re.match(r"[^,\[\]{}\"':\n]*", text[comment.start :])
    if before is None or behind is None or text[comment.start + behind.end()] not in ",]}":
        return ()
    span = Span(file, line + before.start(1), comment.start + len(behind[0].rstrip()))
    return (in_quotes(span),)


def comma_behind(last: Span, between: str) -> tuple[Fix, ...]:
    """A comma behind the last character of a line: certain where no text between the brackets may be left open."""
    is_closed = between.count('"') % 2 == 0 and "'" not in between
    is_value = last.text not in tuple(",:{[(")
    return (added(last, last.end, ",", "Add a comma", is_certain=is_closed),) if is_value else ()


def colon_behind(span: Span) -> tuple[Fix, ...]:
    """A colon and a blank behind the first word of a line, or a blank behind its colon."""
    found = re.fullmatch(r"([a-z_][\w.]*)(:?)( *)(\S.*)", span.text)
    if span.text == ":":
        return (added(span, span.end, " ", "Put a blank behind the colon"),)
    if found is None or (found[2] and found[3]) or not (found[2] or found[3]) or ":" in found[4]:
        return ()
    place = Span(span.file, span.start + found.end(1), span.start + found.start(4))
    return (replaced(place, ": ", "Put a colon and a blank in between"),)


def blank_behind_dash(span: Span) -> tuple[Fix, ...]:
    """A blank behind the dash that begins an item."""
    return (added(span, span.start + 1, " ", "Put a blank behind the dash"),) if span.text.startswith("-") else ()
