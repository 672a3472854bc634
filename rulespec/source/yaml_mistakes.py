"""A YAML syntax error in the modder's words: one diagnostic, where the fault is and not where the parser gave up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulespec.diagnostics.fixes import in_quotes
from rulespec.diagnostics.model import Problems, Related
from rulespec.source import mends
from rulespec.source.comments import comment_in_brackets, comment_in_text, without_comments
from rulespec.source.text import SourceFile, Span


@dataclass(frozen=True, slots=True)
class _Fault:
    """What the parser said: `problem` at offset `at`, in a construct (`context`) that began at offset `began`."""

    file: SourceFile
    problem: str
    at: int
    context: str
    began: int

    @property
    def character(self) -> str:
        """The character where the parser gave up; a line break at the end of the file."""
        return self.file.text[self.at : self.at + 1] or "\n"

    @property
    def line(self) -> str:
        return self.file.line_text(self.file.line_and_column(self.at)[0])

    @property
    def line_start(self) -> int:
        return self.file.line_starts[self.file.line_and_column(self.at)[0] - 1]

    def span(self, start: int, length: int = 1) -> Span:
        """`length` characters from `start`, kept inside the file and the line."""
        size = len(self.file.text)
        start = min(start, size)
        line_end = self.file.text.find("\n", start)
        return Span(self.file, start, min(start + length, size if line_end < 0 else max(line_end, start)))


def report_syntax_error(file: SourceFile, error: Exception, problems: Problems) -> None:
    """Report the one error at which the YAML parser stopped."""
    fault = _fault(file, error)
    for judge in _JUDGES:
        if judge(fault, problems):
            return
    problems.add("RS139", fault.span(fault.at), detail=fault.problem or "this is not YAML")


def places_of(file: SourceFile, error: Exception) -> tuple[int, int]:
    """Where the construct began in which the parser stopped, and where it stopped."""
    fault = _fault(file, error)
    return fault.began, fault.at


def _fault(file: SourceFile, error: Exception) -> _Fault:
    problem_mark = getattr(error, "problem_mark", None)
    context_mark = getattr(error, "context_mark", None)
    at = problem_mark.index if problem_mark else (getattr(error, "position", None) or 0)
    return _Fault(
        file,
        getattr(error, "problem", None) or getattr(error, "reason", None) or "",
        min(at, len(file.text)),
        getattr(error, "context", None) or "",
        context_mark.index if context_mark else at,
    )


# ---- one judge for each kind of mistake; the first that knows it, speaks --------------------------------


def _tab(fault: _Fault, problems: Problems) -> bool:
    indent = re.match(r"[ ]*\t[ \t]*", fault.line)
    if indent is None or fault.at > fault.line_start + indent.end():
        return False
    tab = fault.line_start + fault.line.index("\t")
    span = fault.span(tab, fault.line_start + indent.end() - tab)
    problems.add("RS108", span, fixes=mends.spaces_for_tabs(fault.file))
    return True


def _open_quote(fault: _Fault, problems: Problems) -> bool:
    is_at_end = "end of stream" in fault.problem or "document" in fault.problem
    if "quoted scalar" not in fault.context or not is_at_end:
        return False
    problems.add("RS131", fault.span(fault.began), quote=fault.file.text[fault.began : fault.began + 1])
    return True


def _escape(fault: _Fault, problems: Problems) -> bool:
    if "escape" not in fault.problem and "hexdecimal" not in fault.problem and "hexadecimal" not in fault.problem:
        return False
    start = fault.at if fault.character == "\\" else max(fault.file.text.rfind("\\", 0, fault.at + 1), 0)
    is_half = _HALF.match(fault.file.text, start) is not None
    if not (is_half and report_half(Span(fault.file, start, start + _LONGEST_ESCAPES), problems)):
        problems.add("RS132", fault.span(start, 2), escape=fault.file.text[start : start + 2])
    return True


#: `\ud83d`: half of a pair, in which JSON writes characters beyond U+FFFF; perhaps with its other half.
_HALF = re.compile(
    r"\\u(?P<high>[dD][89aAbB][0-9a-fA-F]{2})(?:\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2}))?|\\u[dD][c-fC-F].."
)
_PLANES, _HIGH, _LOW = 0x10000, 0xD800, 0xDC00


_LONGEST_ESCAPES = 12  #: characters of a pair


def report_half(span: Span, problems: Problems) -> bool:
    """Reports the first escape in a place that is half of a pair; whether there is one."""
    half = _HALF.search(span.file.text, span.start, span.end)
    if half is None:
        return False
    problems.add("RS132", Span(span.file, *half.span()), escape=half[0], hint=_whole(half))
    return True


def _whole(half: re.Match[str]) -> str:
    """How the character is written that a pair of escapes means."""
    if half["low"] is None:
        return "It is half of a pair, and no character. Write the character itself."
    code = _PLANES + ((int(half["high"], 16) - _HIGH) << 10) + (int(half["low"], 16) - _LOW)
    return f"Write the character itself, or `\\U{code:08X}`: pairs are for JSON."


def _strange_start(fault: _Fault, problems: Problems) -> bool:
    if "cannot start any token" not in fault.problem:
        return False
    if fault.character == "\t":
        problems.add("RS108", fault.span(fault.at))
        return True
    fixes = mends.marked_in_quotes(fault.file, fault.at)
    problems.add("RS133", fault.span(fault.at), character=fault.character, fixes=fixes)
    return True


def _anchor_like(fault: _Fault, problems: Problems) -> bool:
    if "scanning an alias" not in fault.context and "scanning an anchor" not in fault.context:
        return False
    span = fault.span(fault.began)
    problems.add("RS133", span, character=span.text, fixes=mends.marked_in_quotes(fault.file, span.start))
    return True


def _tag_like(fault: _Fault, problems: Problems) -> bool:
    if "tag" not in fault.context and "tag" not in fault.problem:
        return False
    word = re.compile(r"\S+").match(fault.file.text, fault.began)
    name = word.group() if word else "!"
    span = fault.span(fault.began, len(name))
    problems.add("RS124", span, name=name, fixes=mends.without_property(span))
    return True


def _not_by_sign(fault: _Fault, problems: Problems) -> bool:
    """`!(a > b)`: the sign that other languages have for *not*; what stands behind it is not what is wrong."""
    found = re.search(r"(?:[:,\[{]|^\s*-)\s+(!)\(", fault.line)
    if found is None or fault.line_start + found.start(1) > fault.at:
        return False
    at = fault.line_start + found.start(1)
    problems.add("RS133", fault.span(at), character="!", hint="*Not* is written as a word: `not (a > b)`.")
    return True


def _emphasis(fault: _Fault, problems: Problems) -> bool:
    """`en: *In your turn*, …`: a text that begins with a mark which YAML reads as a name for a value."""
    found = re.search(r"(?:^|\s)(?:[\w.]+:|-)\s+([*&])\S", fault.line)
    if found is None or fault.line_start + found.start(1) > fault.at:
        return False
    at = fault.line_start + found.start(1)
    for problem in problems.items:
        if (
            problem.code in ("RS121", "RS122") and problem.span.start == at
        ):  # the same mark, taken for what it is in YAML
            problems.drop(problem.code, [problem.span])
    fixes = mends.marked_in_quotes(fault.file, at)
    problems.add("RS133", fault.span(at), character=found[1], hint="Put the whole text in quotes.", fixes=fixes)
    return True


def _block_header(fault: _Fault, problems: Problems) -> bool:
    if "block scalar" not in fault.context:
        return False
    mark = fault.file.text[fault.began : fault.began + 1]
    problems.add("RS134", fault.span(fault.at), mark=mark, fixes=mends.text_on_next_line(fault.file, fault.at))
    return True


def _comment_inside(fault: _Fault, problems: Problems) -> bool:
    """A ` #` in a text without quotes, which took the bracket, the comma or the rest of the text away."""
    if "flow" in fault.context:
        comment = comment_in_brackets(fault.file, _opened(fault), fault.at)
    elif "block" in fault.context or "could not find expected ':'" in fault.problem:
        comment = comment_in_text(fault.file, fault.began if "simple key" in fault.context else fault.at)
    else:
        comment = None
    if comment is None:
        return False
    fixes = mends.value_with_sign(comment)
    problems.add("RS146", comment, hint="A text with ` #` in it stands in quotes.", fixes=fixes)
    return True


def _opened(fault: _Fault) -> int:
    """Where the bracket stands: where nothing follows it, the parser names the end of the file."""
    text = fault.file.text
    if text[fault.began : fault.began + 1] in _CLOSING:
        return fault.began
    closed = 0
    text = without_comments(text[: fault.began])
    for at in range(len(text) - 1, -1, -1):
        closed += text[at] in _CLOSING.values()
        if text[at] in _CLOSING:
            if not closed:
                return at
            closed -= 1
    return fault.began


def _flow(fault: _Fault, problems: Problems) -> bool:
    """A fault between braces or brackets: a cut expression, a value with `: `, or a bracket that is never closed."""
    if "flow" not in fault.context:
        return False
    before = fault.file.text[fault.began : fault.at]
    if fault.character in "[{" and re.search(r"[\w)\]+*/%<>=-]\s*$", before):
        value = _cut_value(fault)
        problems.add("RS120", value, text=value.text, fixes=(in_quotes(value),))
    elif fault.character == "?":
        problems.add("RS120", fault.span(fault.at), text="?")
    elif fault.character == ":" and "\n" not in before:
        hint = "A comma stands between two keys; a text with ': ' in it stands in quotes."
        problems.add("RS130", fault.span(fault.at), hint=hint)
    elif _is_line_inside(fault):
        above = fault.span(_end_of_line_above(fault))
        problems.add("RS142", above, fixes=mends.comma_behind(above, before))
    elif "\n" in before or fault.character == "\n":
        began = _opened(fault)
        opening = fault.file.text[began : began + 1]
        problems.add("RS135", fault.span(began), bracket=opening, closing=_CLOSING.get(opening, ""))
    elif before.rstrip()[-1:] in ("'", '"'):
        problems.add("RS141", fault.span(fault.at), mark=before.rstrip()[-1])
    else:
        problems.add("RS136", fault.span(fault.at), found=fault.character)
    return True


def _is_line_inside(fault: _Fault) -> bool:
    """Whether the parser stopped in a line that still belongs into the brackets, being indented further."""
    line = fault.file.line_and_column(fault.began)[0]
    is_deeper = _indent(fault.line) > _indent(fault.file.line_text(line))
    return is_deeper and fault.line_start > fault.began and fault.character != "\n"


def _end_of_line_above(fault: _Fault) -> int:
    """The last character that says something before the line in which the parser stopped."""
    return max(len(fault.file.text[: fault.line_start].rstrip()) - 1, fault.began)


_CLOSING = {"{": "}", "[": "]", "(": ")"}


def _cut_value(fault: _Fault) -> Span:
    """The value in which the parser stopped, from after the last `,` or `: ` to the next one, brackets counted."""
    text = fault.file.text
    start = end = fault.began + 1
    depth = 0
    while end < len(text) and text[end] != "\n":
        depth += (text[end] in "([{") - (text[end] in ")]}")
        is_separator = depth == 0 and (text[end] == "," or text.startswith(": ", end))
        if depth < 0 or (is_separator and end > fault.at):
            break
        end += 1
        start = end if is_separator else start
    value = text[start:end]
    return Span(fault.file, start + len(value) - len(value.lstrip()), start + len(value.rstrip()))


def _second_colon(fault: _Fault, problems: Problems) -> bool:
    """`: ` where no key can stand: a second one in a line, or a line that is indented too far."""
    if "mapping values are not allowed" not in fault.problem:
        return False
    before = fault.file.text[fault.line_start : fault.at]
    if re.search(r":\s", before) or ": " in before:
        fixes = mends.line_in_quotes(fault.file, fault.at)
        problems.add("RS130", fault.span(fault.at), hint="Put the whole text in quotes.", fixes=fixes)
    else:
        _report_line_indent(fault, problems)
    return True


def _report_line_indent(fault: _Fault, problems: Problems) -> None:
    """A key under a line that already has a value, or under one that lacks the blank after its colon."""
    number = fault.file.line_and_column(fault.at)[0]
    word_start = fault.line_start + len(fault.line) - len(fault.line.lstrip())
    above = fault.file.line_text(number - 1) if number > 1 else ""
    dash = re.match(r"\s*(-[a-z_][\w.]*)", above)
    if dash is not None:
        report_glued_dash(fault.span(fault.file.line_starts[number - 2] + dash.start(1), len(dash[1])), problems)
        return
    glued = re.fullmatch(r"\s*(?:- +)?([\w.]+)(:)\S.*", above)
    is_same = (_indent(above) if glued is None else glued.start(1)) == _indent(fault.line)
    if glued is not None and is_same:
        span = fault.span(fault.file.line_starts[number - 2] + glued.start(2))
        _report_no_colon(span, problems)
    elif is_same and re.fullmatch(r"\s*\w[^:#]*", above):
        above_start = fault.file.line_starts[number - 2] + _indent(above)
        span = fault.span(above_start, len(above.strip()))
        _report_no_colon(span, problems)
    else:
        problems.add("RS138", fault.span(word_start, max(1, fault.at - word_start)))


def _report_no_colon(span: Span, problems: Problems) -> None:
    """A line that is no key with a value; an expression alone lacks the key before it."""
    is_expression = re.search(r"[=<>()]|^not |\b(and|or)\b", span.text) is not None
    hint = "An expression stands behind its key, as in `where: …`." if is_expression else None
    problems.add("RS137", span, hint=hint, fixes=() if is_expression else mends.colon_behind(span))


def report_glued_dash(span: Span, problems: Problems) -> None:
    """Reports a dash that was meant to begin an item, and is part of the word behind it."""
    problems.add("RS138", span, hint="A blank stands behind the dash.", fixes=mends.blank_behind_dash(span))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _no_colon(fault: _Fault, problems: Problems) -> bool:
    if "could not find expected ':'" not in fault.problem:
        return False
    line = fault.file.line_and_column(fault.began)[0]
    text = fault.file.line_text(line)
    start = fault.file.line_starts[line - 1] + _indent(text)
    span = fault.span(start, len(text.strip()) or 1)
    _report_no_colon(span, problems)
    return True


def _dash(fault: _Fault, problems: Problems) -> bool:
    if "sequence entries are not allowed" not in fault.problem:
        return False
    problems.add("RS140", fault.span(fault.at), fixes=mends.list_on_next_line(fault.file, fault.at))
    return True


def _stray_bracket(fault: _Fault, problems: Problems) -> bool:
    if fault.character not in "]},":
        return False
    problems.add("RS136", fault.span(fault.at), found=fault.character)
    return True


def _after_value(fault: _Fault, problems: Problems) -> bool:
    """Text after a closing quote or bracket on the same line: `'a' b`, `[a] + [b]`."""
    before = fault.line[: fault.at - fault.line_start].rstrip()
    if not before or before[-1] not in "\"']}":
        return False
    rest = fault.line[fault.at - fault.line_start :].rstrip()
    opened = _opened_above(fault, before) if before[-1] == '"' else None
    if opened is not None:
        problems.add("RS131", fault.span(opened), quote='"')
        return True
    line = fault.file.line_and_column(fault.at)[0]
    if any(p.code == "RS119" and p.span.file is fault.file and p.span.line == line for p in problems.errors):
        return True  # a text that begins with a brace: the hint there says so
    starts_with_brace = re.fullmatch(r"\s*(?:- )?[^\s:]+:\s+\{[^{}]*\}", before)
    hint = "A text that begins with a brace stands in quotes." if starts_with_brace else None
    problems.add("RS141", fault.span(fault.at, len(rest) or 1), mark=before[-1], hint=hint)
    return True


def _opened_above(fault: _Fault, before: str) -> int | None:
    """Where a text began whose end was forgotten, so that the next quote, in this line, ended it."""
    if _quotes(before) != 1:
        return None
    number = fault.file.line_and_column(fault.at)[0] - 1
    while number > 0 and _quotes(fault.file.line_text(number)) % 2 == 0:
        number -= 1
    return fault.file.line_starts[number - 1] + fault.file.line_text(number).rindex('"') if number else None


def _quotes(line: str) -> int:
    return len(re.findall(r'(?<!\\)"', line))


def _bad_indent(fault: _Fault, problems: Problems) -> bool:
    if "expected" not in fault.problem or "block" not in fault.context:
        return False
    text = fault.line.strip()
    start = fault.line_start + len(fault.line) - len(fault.line.lstrip())
    there = Related("the block that it stands in begins here", fault.span(fault.began))
    hint = "A blank stands behind the dash." if re.match(r"-\w", text) else None
    problems.add("RS138", fault.span(start, len(text) or 1), hint=hint, related=[there])
    return True


def _document_mark(fault: _Fault, problems: Problems) -> bool:
    if "document start" not in fault.problem and "directive" not in fault.context:
        return False
    start = 0 if fault.file.text.startswith("%") else fault.at
    problems.add("RS125", fault.span(start, 3))
    return True


_JUDGES = (
    _tab,
    _open_quote,
    _escape,
    _not_by_sign,
    _strange_start,
    _anchor_like,
    _block_header,
    _comment_inside,
    _flow,
    _tag_like,
    _second_colon,
    _no_colon,
    _dash,
    _stray_bracket,
    _after_value,
    _document_mark,
    _emphasis,
    _bad_indent,
)
