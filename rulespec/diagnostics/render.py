"""Problems for people: the message with its place, the source line, and a caret line right under it.

    site.yaml:3:9: error RS301: Unknown name 'coinz'.
      3 |     is: coinz + 1
        |         ^^^^^
      hint: Did you mean `coins`?

JSON and SARIF, for tools, are in `export`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wcwidth import wcswidth, wcwidth

from rulespec.diagnostics.model import MOST_SHOWN, Problem, Severity, counts_of, gravest
from rulespec.source.characters import is_shown
from rulespec.source.text import Span

#: Widest part of a source line that is shown, in terminal cells.
WIDEST = 100

_TAB = "    "
_STYLES = {"error": "1;31", "warning": "1;33", "note": "1;36", "bold": "1", "faint": "2", "hint": "32"}


@dataclass(frozen=True, slots=True)
class _Pen:
    """Paints text where the terminal has colours, and leaves it alone elsewhere."""

    colour: bool

    def paint(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def render_text(
    problems: Iterable[Problem], *, colour: bool = False, most: int = MOST_SHOWN, told: Iterable[Problem] = ()
) -> str:
    """The `most` gravest problems with their excerpts, and a line that counts all. Ends without a line break.

    Those that were `told` already, exactly so, are only counted.
    """
    listed = list(problems)
    shown, rest = gravest(listed, most)
    before = {render_problem(problem, colour=colour) for problem in told}
    parts = [text for text in (render_problem(problem, colour=colour) for problem in shown) if text not in before]
    if rest:
        parts.append(f"… and {sum(problem.count for problem in rest):,} more.")
    return "\n\n".join([*parts, summary(listed)])


def render_problem(problem: Problem, *, colour: bool = False) -> str:
    """One problem: its line, the source line with carets, related places with theirs, and the hint."""
    pen = _Pen(colour)
    severity = pen.paint(problem.severity, f"{problem.severity} {problem.code}")
    lines = [f"{pen.paint('bold', place_of(problem.span) + ':')} {severity}: {problem.message}"]
    lines += _excerpt(problem.span, pen, problem.severity)
    for related in problem.related:
        lines.append(f"  {place_of(related.span)}: {related.message}")
        lines += _excerpt(related.span, pen, "note")
    if problem.hint is not None:
        lines.append(f"  {pen.paint('hint', 'hint:')} {problem.hint}")
    return "\n".join(lines)


def summary(problems: Iterable[Problem]) -> str:
    """How many problems of each severity there are, such as `2 errors, 1 warning.`."""
    counted = counts_of(problems)
    kinds: tuple[Severity, ...] = ("error", "warning", "note")
    counts = [(counted[kind], kind) for kind in kinds]
    parts = [f"{count} {kind}{'' if count == 1 else 's'}" for count, kind in counts if count]
    return f"{', '.join(parts)}." if parts else "No problems."


def place_of(span: Span) -> str:
    """`file:line:column`, both from 1, the column in characters."""
    line, column = span.file.line_and_column(span.start)
    return f"{visible(span.file.name)}:{line}:{column}"


def visible(text: str) -> str:
    """`text` on one line, with a mark for every character that a terminal would not show or would obey."""
    return "".join(_TAB if mark == "\t" else mark if is_shown(mark) else "\N{REPLACEMENT CHARACTER}" for mark in text)


# ---- excerpts ---------------------------------------------------------------------------------------


def _excerpt(span: Span, pen: _Pen, style: str) -> Iterator[str]:
    """The first source line of a place, and the carets under it; nothing where the file has no text."""
    if not span.file.text:
        return
    number, column = span.file.line_and_column(span.start)
    line = span.file.line_text(number)
    start = min(column - 1, len(line))
    end = max(start, min(start + span.end - span.start, len(line)))
    far = 4 * WIDEST  # a line may be a megabyte long, and nothing so far away is shown
    parts = line[max(0, start - far) : start], line[start : min(end, start + far)], line[end : end + far]
    before, marked, after = _window(*(visible(part) for part in parts))
    carets = "^" * max(1, wcswidth(marked))
    more = "…" if span.end > span.start + end - start and "\n" in span.text.rstrip() else ""
    label = f"{number:>5}"
    yield f"{pen.paint('faint', label + ' |')} {before}{marked}{after}".rstrip()
    yield f"{pen.paint('faint', ' ' * len(label) + ' |')} {' ' * wcswidth(before)}{pen.paint(style, carets + more)}"


def _window(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """The three parts of a long line, cut so that the marked part and something around it fit."""
    if wcswidth(before + marked + after) <= WIDEST:
        return before, marked, after
    marked = _head(marked, WIDEST * 2 // 3)
    room = WIDEST - wcswidth(marked)
    before = _tail(before, max(room // 2, room - wcswidth(after)))
    return before, marked, _head(after, WIDEST - wcswidth(before + marked))


def _head(text: str, cells: int) -> str:
    """The beginning of `text`, at most `cells` wide, with a mark where it is cut."""
    if wcswidth(text) <= cells:
        return text
    kept, width = 0, 0
    while width + max(wcwidth(text[kept]), 0) < cells:
        width += max(wcwidth(text[kept]), 0)
        kept += 1
    return text[:kept] + "…"


def _tail(text: str, cells: int) -> str:
    """The end of `text`, at most `cells` wide, with a mark where it is cut."""
    if wcswidth(text) <= cells:
        return text
    kept, width = len(text), 0
    while width + max(wcwidth(text[kept - 1]), 0) < cells:
        kept -= 1
        width += max(wcwidth(text[kept]), 0)
    while kept < len(text) and wcwidth(text[kept]) == 0:  # a combining mark needs its letter
        kept += 1
    return "…" + text[kept:]
