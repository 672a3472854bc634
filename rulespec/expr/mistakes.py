"""A syntax error in an expression, in the modder's words: one diagnostic with a code, a place and a hint.

The parser says where it stopped and what it would have taken. The judges below look at the text around that place, one
after another; the first that knows the mistake reports it.
"""

from __future__ import annotations

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulespec.diagnostics.fixes import Fix, added, removed, replaced
from rulespec.diagnostics.model import Problems, Related
from rulespec.expr.foreign import JUDGES_OF_CHARACTERS, JUDGES_OF_SIGNS, Judge, report_disguise
from rulespec.expr.mends import closed, comparison_of, grouped, joined_comparisons, range_of, type_as, without_comma
from rulespec.expr.scan import BINARY_SIGNS, COMPARING, PARTNERS, Case, Piece, scan
from rulespec.expr.words import INFIX_WORDS, JOINING_WORDS, OPERATOR_FORMS, PREFIX_WORDS, WORDS
from rulespec.source.text import Span


def report_mistake(span: Span, start: str, error: UnexpectedInput, problems: Problems) -> None:
    """Report the syntax error that ended the parsing of `span`."""
    case = Case(scan(span, _offset(span, error)), _wanted(error), problems)
    if report_disguise(case):
        return
    judges = _TYPE_JUDGES if start == "type" else _JUDGES
    if not any(judge(case) for judge in judges):
        _report_rest(case)


def _offset(span: Span, error: UnexpectedInput) -> int:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return span.end
    position: int | None = error.pos_in_stream
    return span.end if position is None else span.start + position


def _wanted(error: UnexpectedInput) -> frozenset[str]:
    if isinstance(error, UnexpectedToken):
        return frozenset(error.accepts or error.expected)
    if isinstance(error, UnexpectedCharacters):
        return frozenset(error.allowed or ())
    return frozenset()


# ---- brackets -------------------------------------------------------------------------------------------


def _stray_closing(case: Case) -> bool:
    piece = case.piece
    if piece.text not in (")", "]"):
        return False
    open_at = case.scan.open_brackets()
    if not open_at:
        hint = f"Delete it, or open it with `{PARTNERS[piece.text]}`."
        fixes = (removed(piece.span, is_certain=False),)
        return case.say("RS205", piece.span, hint, fixes=fixes, bracket=piece.text)
    opening = case.scan.pieces[open_at[-1]]
    if PARTNERS[opening.text] == piece.text:
        return False
    there = Related("this is what is open", opening.span)
    hint = f"Close `{opening.text}` with `{PARTNERS[opening.text]}` first."
    return case.say("RS205", piece.span, hint, there=there, bracket=piece.text)


def _open_bracket(case: Case) -> bool:
    """The end, with a bracket still open and nothing else wrong."""
    open_at = case.scan.open_brackets()
    if case.piece.kind != "end" or not open_at:
        return False
    opening = case.scan.pieces[open_at[-1]]
    closing = PARTNERS[opening.text]
    return case.say("RS204", opening.span, f"Add `{closing}`.", fixes=closed(case, closing), bracket=opening.text)


def _empty_brackets(case: Case) -> bool:
    """`x[]`, `()`, `count()`, and a comma with nothing after it."""
    before, piece = case.before, case.piece
    if before is None or piece.text not in (")", "]", ",") or before.text not in ("(", "[", ","):
        return False
    word = case.scan.operator()
    if word is not None and before.text == "(":
        return _report_form(case, word)
    span = Span(before.span.file, before.span.start, piece.span.end)
    return case.say("RS227", span, fixes=without_comma(case))


def _stray_comma(case: Case) -> bool:
    if case.piece.text != "," or not case.is_after_value:
        return False
    word = case.scan.operator()
    if word is not None:
        return _report_form(case, word)
    hint = "Several expressions are a YAML list; a comma stands only in the brackets of a call, an index or a list."
    return case.say("RS231", case.piece.span, hint)


# ---- words of the grammar -------------------------------------------------------------------------------


def _word_as_name(case: Case) -> bool:
    """A word of the grammar where only a name can stand, as in `count(first in S)` or `build without set`."""
    piece = case.piece
    if piece.kind != "word" or piece.text not in WORDS or case.wants_value or "NAME" not in case.wanted:
        return False
    word = case.scan.operator()
    if word is not None and case.before is not None and case.before.text == "(" and _begins_value(case):
        return _report_form(case, word)  # `any(not p …)`, `first(sort(…))`: a value, where the member stands first
    return case.say("RS312", piece.span, name=piece.text)


def _begins_value(case: Case) -> bool:
    """Whether a word begins a value: `not`, or an operator with its bracket."""
    after = case.scan.after
    in_brackets = after is not None and after.text == "("
    return case.piece.text in PREFIX_WORDS or (case.piece.text in OPERATOR_FORMS and in_brackets)


def _operator_word_alone(case: Case) -> bool:
    """`first`, `count` and the like without their bracket: most likely meant as a name."""
    before = case.before
    if before is None or before.kind != "word" or before.text not in OPERATOR_FORMS or case.piece.text == "(":
        return False
    if before.text in ("list", "set") and case.piece.text == "of":
        hint = f"`{before.text} of T` is a type. Values stand in brackets, each for itself: `[a, a, b]`."
        return case.say("RS312", before.span, hint, name=before.text)
    hint = f"As an operator it is `{OPERATOR_FORMS[before.text]}`; after a dot (`x.{before.text}`) it is a member."
    return case.say("RS312", before.span, hint, name=before.text)


def _joining_word_as_name(case: Case) -> bool:
    """`a + by`: a joining word where a value should begin, with nothing behind it that it could join."""
    if case.piece.text not in JOINING_WORDS or not case.wants_value:
        return False
    after = case.scan.after
    if after is not None and after.begins_value and after.text not in ("(", "[", "-"):
        return False
    return case.say("RS312", case.piece.span, name=case.piece.text)


def _needs_group(case: Case) -> bool:
    """`a == not b`, `1 + if c then d else e`: a looser operator where a tighter one wants its value."""
    if case.piece.text not in PREFIX_WORDS or not case.wants_value:
        return False
    hint = f"Write `({case.piece.text} …)`."
    return case.say("RS230", case.piece.span, hint, fixes=grouped(case), word=case.piece.text)


def _if_without_parts(case: Case) -> bool:
    """`if` without `then` or without `else`."""
    missing = next((word for word in ("then", "else") if word.upper() in case.wanted), None)
    opening = next((piece for piece in reversed(case.scan.level()) if piece.text == "if"), None)
    if missing is None or opening is None or not case.is_after_value or case.piece.text in _FOREIGN_WORDS:
        return False
    if any(piece.text == missing for piece in case.scan.pieces[case.scan.at :]):
        return False  # it comes later: something else is wrong before it
    return case.say("RS222", opening.span, "The form is `if a then b else c`.", word=missing)


# ---- operators ------------------------------------------------------------------------------------------


def _name_after_dot(case: Case) -> bool:
    before = case.before
    if before is None or before.text != ".":
        return False
    return case.say("RS226", before.span)


def _nothing_after(case: Case) -> bool:
    """An operator, or a word that joins, with nothing behind it."""
    before, piece = case.before, case.piece
    is_over = piece.kind == "end" or piece.text in (")", "]", ",") or (case.wants_value and piece.text in JOINING_WORDS)
    if before is None or not before.wants_more or not is_over:
        return False
    return case.say("RS203", before.span, operator=before.text)


def _nothing_before(case: Case) -> bool:
    """An operator where a value should begin."""
    piece = case.piece
    if piece.text not in BINARY_SIGNS | INFIX_WORDS | JOINING_WORDS or not case.wants_value:
        return False
    return case.say("RS220", piece.span, operator=piece.text)


def _chained(case: Case) -> bool:
    """`a < b < c`, `a otherwise b otherwise c`, `1..2..3`: operators that do not chain."""
    if not case.is_after_value:
        return False
    text = case.piece.text
    sign = "in" if text == "not" and case.scan.after is not None and case.scan.after.text == "in" else text
    family = COMPARING if sign in COMPARING else frozenset({sign}) & {"otherwise", ".."}
    level = case.scan.level()
    first = next((piece for piece in reversed(level) if piece.text in family), None)
    if not family or first is None:
        return False
    there = Related("the first one", first.span)
    hint, fixes = "Group two of the three with `( )`.", tuple[Fix, ...]()
    if family is COMPARING:
        fixes = joined_comparisons(case, first)
        hint = "Join two comparisons with `and`: `a < b and b < c`."
    return case.say("RS206", case.piece.span, hint, there=there, fixes=fixes, operator=sign)


def _other_form(case: Case) -> bool:
    """A closed operator whose brackets lack one of its words."""
    word = case.scan.operator()
    if word is None or not case.is_after_value:
        return False
    present = {piece.text for piece in case.scan.level()}
    wanted = [joint for joint in _JOINTS.get(word.text, ()) if joint not in present]
    is_foreign_if = case.piece.text in ("if", "when", "such", "with")
    if not wanted and not is_foreign_if:
        return False
    return _report_form(case, word)


def _number_for_member(case: Case) -> bool:
    """`first(2, S)`: a number where the operator's member stands."""
    word = case.scan.operator()
    before = case.before
    if word is None or before is None or before.text != "(" or case.piece.kind != "number":
        return False
    more = " The first N of S are `take(N, S)`." if word.text == "first" else ""
    form = OPERATOR_FORMS[word.text]
    return case.say("RS221", case.piece.span, f"The form is `{form}`.{more}", operator=word.text)


_JOINTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("count", "any", "first", "longest"), ("in",)),
    **dict.fromkeys(("sum", "all", "list", "set", "min", "max"), ("for", "in")),
    **dict.fromkeys(("most", "least", "sort"), ("in", "by")),
    "stretch": ("in", "around"),
    "walk": ("from", "step"),
    "reach": ("from", "via", "cost", "within"),
}


def _report_form(case: Case, word: Piece) -> bool:
    form = OPERATOR_FORMS[word.text]
    span = case.piece.span if case.piece.kind != "end" else word.span
    order = _ORDERS.get(_JOINTS.get(word.text, ()), "")
    is_where = case.piece.text in ("if", "when") and case.is_after_value and " where " in form
    if case.piece.text == "," and word.text in ("list", "set"):
        order = " What is listed one by one stands in `[ ]`, as in `[1, 3, 5]`."
    fixes = (replaced(case.piece.span, "where"),) if is_where and _has_joints(case, word) else ()
    return case.say("RS221", span, f"The form is `{form}`.{order}", fixes=fixes, operator=word.text)


def _has_joints(case: Case, word: Piece) -> bool:
    """Whether all that an operator needs stands before the place where the parser stopped."""
    present = {piece.text for piece in case.scan.level()}
    return present >= {*_JOINTS.get(word.text, ())} and "where" not in present


#: What stands first in the brackets of an operator, by its joining words.
_ORDERS = {
    ("in",): " The member stands first, and what is asked of it behind `where`.",
    ("for", "in"): " What is said of each member stands first.",
}


_FOREIGN_WORDS = {
    "is": "Write `==` to compare.",
    "equals": "Write `==` to compare.",
    "isnt": "Write `!=` to compare.",
    "elif": "Write `else if`.",
    "mod": "Write `%` for the remainder.",
    "div": "Write `//` to divide and round down.",
    "xor": "Write `!=` between two conditions.",
    "has": "Write `x in set` to ask for a member.",
    "to": "A range is written with two dots, such as `1..4`.",
}


#: Words of other languages that are one sign here.
_SIGNS_OF_WORDS = {"equals": "==", "isnt": "!=", "mod": "%", "div": "//", "xor": "!="}


def _two_values(case: Case) -> bool:
    """Two values side by side, with no operator between them."""
    piece, before = case.piece, case.before
    if before is None or not case.is_after_value or piece.kind not in ("word", "number") or piece.text in INFIX_WORDS:
        return False
    hint = _FOREIGN_WORDS.get(piece.text)
    if piece.text == "not":
        hint = "Did you mean `not in`?"
    fixes = tuple[Fix, ...]()
    after = case.scan.after
    if piece.text == "to":
        fixes = range_of(case)
        hint = f"Write `{before.text}..{after.text}` for a range." if fixes and after is not None else hint
    word = case.scan.operator()
    if word is not None and hint is None and " where " in OPERATOR_FORMS[word.text] and _has_joints(case, word):
        hint = f"What is asked of it stands behind `where`: `{OPERATOR_FORMS[word.text]}`."
        fixes = (added(piece.span, piece.span.start, "where "),)
    if piece.text == "is":
        hint, fixes = comparison_of(case)
    elif piece.text in _SIGNS_OF_WORDS:
        fixes = (replaced(piece.span, _SIGNS_OF_WORDS[piece.text]),)
    elif hint is None and before.kind == "number" and piece.kind == "word":
        hint, fixes = f"A product is `{before.text} * {piece.text}`.", (added(piece.span, piece.span.start, "* "),)
    return case.say("RS214", piece.span, hint, fixes=fixes, found=piece.text, before=before.text)


# ---- types ----------------------------------------------------------------------------------------------


def _word_as_type(case: Case) -> bool:
    """A word of the grammar where the name of a kind should stand."""
    piece = case.piece
    if piece.text not in WORDS or "NAME" not in case.wanted or (case.before is not None and case.before.text == "or"):
        return False
    return case.say("RS312", piece.span, name=piece.text)


def _type_mistake(case: Case) -> bool:
    span = case.piece.span if case.piece.kind != "end" else _last(case)
    return case.say("RS223", span, _end_hint(case) or _type_hint(case), fixes=type_as(case))


def _end_hint(case: Case) -> str | None:
    """The way out for `1..houses + 1`."""
    if case.piece.text in ("+", "-", "*", "//") and any(piece.text == ".." for piece in case.scan.level()):
        return "An end of a range is a number or a named value: give what is computed a name in `values`."
    return None


def _last(case: Case) -> Span:
    return case.piece.span if case.before is None else case.before.span


def _type_hint(case: Case) -> str:
    before = "" if case.before is None else case.before.text
    match case.piece.text:
        case "?":
            return f"Where there may be none, write `{before or 'T'} or none`."
        case "[" | "<" | "(" if before in ("list", "set"):
            return f"Write `{before} of T`."
        case "[":
            return "Write `list of T`, or `T by K` for a table."
        case "|" | "or":
            return "A type is one thing, or that `or none`; declare an enum for several values."
        case "-" | "to" | "...":
            return "A range is written `0..4`, both ends included."
        case "for" | "per":
            return "A table is written `T by K`."
    if before == "or":
        return "A type is one thing, or that `or none`; declare an enum for several values."
    if before in ("list", "set"):
        return f"Write `{before} of T`."
    if before == ".." or case.piece.text == "..":
        return "A range has two ends, `0..4`, and begins with a number."
    return "Types are written `integer`, `0..4`, `boolean`, a kind, `T or none`, `list of T`, `T by K`, `(K) -> T`."


def _report_rest(case: Case) -> None:
    """A mistake that no judge knows: what was found, and the kinds of things that could stand here."""
    span = _last(case) if case.piece.kind == "end" else case.piece.span
    found = "the end" if case.piece.kind == "end" else f"`{case.piece.text}`"
    case.say("RS229", span, found=found, expected=_in_words(case.wanted))


def _in_words(wanted: frozenset[str]) -> str:
    """The parser's terminals, in words."""
    if "INT" in wanted:
        return "a value"
    if wanted == {"NAME"}:
        return "a name"
    words = sorted(name.lower() for name in wanted if name.lower() in WORDS)
    if "COMPARE" in wanted or "PLUS" in wanted:
        return "an operator or the end"
    return " or ".join(f"`{word}`" for word in words) or "something else"


_JUDGES: tuple[Judge, ...] = (
    *JUDGES_OF_CHARACTERS,
    *JUDGES_OF_SIGNS,
    _name_after_dot,
    _word_as_name,
    _operator_word_alone,
    _joining_word_as_name,
    _nothing_after,
    _stray_closing,
    _empty_brackets,
    _needs_group,
    _nothing_before,
    _chained,
    _if_without_parts,
    _number_for_member,
    _other_form,
    _open_bracket,
    _stray_comma,
    _two_values,
)

_TYPE_JUDGES: tuple[Judge, ...] = (*JUDGES_OF_CHARACTERS, _word_as_type, _stray_closing, _open_bracket, _type_mistake)
