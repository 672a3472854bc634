"""Names that are none: what to write instead, told as a hint and as a fix."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rulespec.diagnostics.fixes import Edit, Fix, changed
from rulespec.model.shapes import Naming
from rulespec.source.taking_out import line_break
from rulespec.source.text import Span
from rulespec.source.tree import Scalar

#: The kinds of names that are plain words.
_PLAIN_NAMES: Final = frozenset({"declared", "local", "known", "member", "read_as", "read_on"})
_NAMES_ARE: Final = "Names are of small letters, digits and `_`, and begin with a letter."
_NUMBERS_ARE: Final = "Numbers are a range, as in `faces: 1..6` or `{type: 1..6}`."
_NUMBERS: Final = re.compile(r"\d+(\s*\.\.\s*\d+)?")
_WITH_CONDITION: Final = re.compile(r"([a-z][a-z0-9_]*)\s+(where|if)\s+(\S.*)", re.DOTALL)
#: A text with more in it than a word or three is no name that was written wrongly.
_MOST_WORDS: Final = 3


def better_name(text: str) -> str:
    """A text as a name: small letters without accents, and `_` for all else."""
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(mark))
    return re.sub(r"[^a-z0-9_.]+", "_", plain).strip("_.")


def instead_of(naming: Naming, scalar: Scalar) -> tuple[str | None, tuple[Fix, ...]]:
    """The hint and the fix of a text that is no name of the form that is wanted."""
    text = scalar.text
    if naming.id == "path" and text.endswith((".", "[")):
        return "The path goes on: a name follows the dot, and what stands in a member follows the bracket.", ()
    asked = _WITH_CONDITION.fullmatch(text)
    if asked is not None and naming.id in _PLAIN_NAMES:
        return "A condition stands under a key of its own, `where`, in the next line.", _on_next_line(scalar, asked)
    rule = _NAMES_ARE if naming.id in _PLAIN_NAMES else ""
    rule = f"{rule} {_NUMBERS_ARE}" if rule and _NUMBERS.fullmatch(text) else rule
    better = better_name(text)
    is_good = better != text and re.fullmatch(naming.pattern, better) is not None and better not in naming.reserved
    if not is_good or len(text.split()) > _MOST_WORDS or (naming.id == "path" and "[" in text):
        return rule or None, ()
    return f"Write `{better}`. {rule}".rstrip(), (changed(scalar.span, better),)


def _on_next_line(scalar: Scalar, asked: re.Match[str]) -> tuple[Fix, ...]:
    """`choose: cell where P` in two lines; only where the line is of block style and holds nothing else."""
    file, span = scalar.span.file, scalar.span
    line = file.line_text(span.line)
    key = re.match(r"(?P<indent>\s*(?:- +)*)[\w.]+:\s+", line)
    if key is None or scalar.style != "plain" or key.end() != span.column - 1:
        return ()
    start = span.start + asked.start(2)
    edits = [Edit(Span(file, start - 1, start), f"{line_break(file)}{' ' * len(key['indent'])}")]
    edits.append(Edit(Span(file, start, span.start + asked.start(3)), "where: "))
    return (Fix("Put the condition under `where`", tuple(edits), is_certain=False),)
