"""Signs and characters that belong to other languages, and names that are none: part of the judges of `mistakes`."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulespec.diagnostics.fixes import Fix, replaced
from rulespec.expr.mends import as_choice, sign_as
from rulespec.expr.scan import Case
from rulespec.expr.words import OPERATOR_FORMS, hint_of_dice
from rulespec.source.characters import mend_of, named
from rulespec.source.disguises import report_strange, strange_in
from rulespec.source.text import Span

Judge = Callable[[Case], bool]

_PLAIN_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SAY_INSTEAD = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "~": "not",
    "<>": "!=",
    "!==": "!=",
    "===": "==",
    "=<": "<=",
    "=>": ">=",
    ":=": "==",
}
_NO_SUCH_SIGN = {
    "/": "`//` divides and rounds down.",
    "**": "Multiply with `*`; there are no powers.",
    "^": "Multiply with `*`; there are no powers.",
    "++": "Expressions change nothing; add with `+ 1`.",
    "+=": "Expressions change nothing; a step such as `gain` or `set` does.",
    "-=": "Expressions change nothing; a step such as `pay` or `set` does.",
    "->": "An arrow stands only in the type of a formula: `(player) -> integer`.",
}


def report_disguise(case: Case) -> bool:
    """A character that is invisible or looks like another one, anywhere in the expression: told before all else."""
    for piece in case.scan.pieces:
        at = None if piece.kind == "text" else strange_in(piece.span)
        if at is not None:
            report_strange(piece.span.file, at, case.problems, "RS215")
            return True
    return False


def _text_in_quotes(case: Case) -> bool:
    if case.piece.kind != "text":
        return False
    inside = case.piece.text.strip("'\"")
    hint, fixes = None, tuple[Fix, ...]()
    if _PLAIN_NAME.fullmatch(inside):
        hint, fixes = f"Write `{inside}`.", (replaced(case.piece.span, inside),)
    return case.say("RS210", case.piece.span, hint, fixes=fixes, text=case.piece.text)


def _single_equals(case: Case) -> bool:
    if case.piece.text != "=":
        return False
    return case.say("RS207", case.piece.span, fixes=(replaced(case.piece.span, "=="),))


def _foreign_sign(case: Case) -> bool:
    sign = case.piece.text
    if sign in _SAY_INSTEAD:
        word = _SAY_INSTEAD[sign]
        better = sign_as(case.piece.span, word)
        return case.say("RS208", case.piece.span, f"Write `{word}`.", fixes=(better,), sign=sign, word=word)
    if sign in _NO_SUCH_SIGN:
        fixes = (replaced(case.piece.span, "//"),) if sign == "/" else ()
        return case.say("RS224", case.piece.span, _NO_SUCH_SIGN[sign], fixes=fixes, sign=sign)
    return False


def _double_sign(case: Case) -> bool:
    """`a ** b`, `a / / b` and the like: read as two signs by the parser, which stops at the second."""
    before = case.before
    if before is None or before.span.end != case.piece.span.start or before.text + case.piece.text not in _NO_SUCH_SIGN:
        return False
    sign = before.text + case.piece.text
    span = Span(before.span.file, before.span.start, case.piece.span.end)
    return case.say("RS224", span, _NO_SUCH_SIGN[sign], sign=sign)


def _question(case: Case) -> bool:
    if case.piece.text != "?":
        return False
    later = [piece.text for piece in case.scan.pieces[case.scan.at :]]
    if ":" in later:
        return case.say("RS211", case.piece.span, fixes=as_choice(case))
    return case.say("RS215", case.piece.span, "Write `exists x` to ask whether there is one.", character="'?'")


def _colon(case: Case) -> bool:
    if case.piece.text != ":":
        return False
    word = case.scan.operator()
    open_at = case.scan.open_brackets()
    if open_at and case.scan.pieces[open_at[-1]].text == "[":
        hint: str | None = "One member is `S[N]`, counted from 0; `S[0..2]` are the first three, as are `take(3, S)`."
    else:
        hint = None if word is None else f"The form is `{OPERATOR_FORMS[word.text]}`."
    return case.say("RS209", case.piece.span, hint)


def _decimal(case: Case) -> bool:
    if case.piece.kind != "decimal":
        return False
    return case.say("RS213", case.piece.span, number=case.piece.text)


_OTHER_WORDS = {"True": "true", "False": "false", "None": "none", "AND": "and", "OR": "or", "NOT": "not", "IN": "in"}


def _strange_name(case: Case) -> bool:
    """A word with capitals, other letters, a digit or a stroke at its beginning."""
    piece = case.piece
    is_plain = piece.text.isascii() and piece.text.islower() and piece.text[:1].isalpha()
    if piece.kind not in ("word", "member") or is_plain:
        return False
    if (dice := hint_of_dice(piece.text)) is not None:
        return case.say("RS212", piece.span, dice, name=piece.text)
    better = _OTHER_WORDS.get(piece.text) or _snake(piece.text)
    fixes = (replaced(piece.span, better),) if better else ()
    return case.say("RS212", piece.span, f"Write `{better}`." if better else None, fixes=fixes, name=piece.text)


def _snake(name: str) -> str | None:
    """`HasCoins` as `has_coins`; None where no plain name comes out."""
    if not name.isascii():
        return None
    parts = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).strip("_")
    plain = name.lower().strip("_") if name.isupper() else parts.replace("__", "_")
    return plain if plain[:1].isalpha() else None


def _strange_character(case: Case) -> bool:
    piece = case.piece
    if piece.kind != "other" and piece.text not in tuple("{};#@$\\"):
        return False
    if not piece.text.isascii():
        return case.say("RS215", piece.span, mend_of(piece.text), character=named(piece.text))
    hint = _HINTS.get(piece.text)
    return case.say("RS215", piece.span, hint, character=f"'{piece.text}'")


_HINTS = {
    "{": "A list is written with `[ ]`; a group with `( )`.",
    "}": "A list is written with `[ ]`; a group with `( )`.",
    "#": "A comment can't stand inside an expression; write it above.",
}


#: In expressions and in types.
JUDGES_OF_CHARACTERS: tuple[Judge, ...] = (
    _text_in_quotes,
    _decimal,
    _strange_name,
    _strange_character,
)

#: In expressions only.
JUDGES_OF_SIGNS: tuple[Judge, ...] = (
    _single_equals,
    _double_sign,
    _foreign_sign,
    _question,
    _colon,
)
