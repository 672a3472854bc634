"""Expressions that are still being written: what may come next, and how one could go on to its end.

wanted_after("count(c in cell ")      # {"IN", "WHERE", …}: the terminals of the grammar
finished("count(c in cell where c")   # "count(c in cell where c )"
"""

from __future__ import annotations

from copy import copy
from typing import Any

from lark.exceptions import UnexpectedInput
from lark.lexer import Token

from rulespec.expr.parse import MAX_LENGTH, shared_reader

#: A name that stands where one is to be typed; nobody declares it.
HOLE = "zz_hole"

#: A name that stands where one is still to come.
END = "zz_end"

#: How many words are put behind an expression at most: each open bracket needs some.
MOST_ADDED = 200

#: What is put behind an expression that is not at its end, the first that may stand there; an end comes first.
_ENDINGS = (
    ("$END", ""),
    ("RPAR", ")"),
    ("RSQB", "]"),
    ("THEN", "then"),
    ("ELSE", "else"),
    ("FOR", "for"),
    ("BY", "by"),
    ("AROUND", "around"),
    ("STEP", "step"),
    ("VIA", "via"),
    ("COST", "cost"),
    ("WITHIN", "within"),
    ("FROM", "from"),
    ("MEMBER", END),
    ("NAME", END),
    ("IN", "in"),
    ("NONE", "none"),
    ("OF", "of"),
    ("LPAR", "("),
    ("INT", "0"),
    ("UP_TO", ".."),
)


def wanted_after(text: str, start: str = "expr") -> frozenset[str] | None:
    """The terminals of the grammar that may follow a text, `$END` where it may end; None where it is wrong already."""
    parser = _parsed(text, start)
    return None if parser is None else frozenset(parser.accepts())


def finished(text: str) -> str | None:
    """A text with what makes a whole expression of it, as little as needed; None where it is wrong already."""
    parser = _parsed(text, "expr")
    if parser is None:
        return None
    added: list[str] = []
    while len(added) < MOST_ADDED:
        accepted = parser.accepts()
        ending = next(((name, word) for name, word in _ENDINGS if name in accepted), None)
        if ending is None:
            return None
        if ending[0] == "$END":
            return " ".join([text, *added])
        added.append(ending[1])
        parser.feed_token(Token(*ending))
    return None


def _parsed(text: str, start: str) -> Any:
    """The parser behind a text, which makes nothing; None where the text cannot stand at the beginning of any."""
    if len(text) > MAX_LENGTH:
        return None
    parser = shared_reader().lark.parse_interactive(text, start=start)
    silent = copy(parser.parser_state.parse_conf)
    silent.callbacks = {}
    parser.parser_state.parse_conf = silent
    try:
        parser.exhaust_lexer()
    except UnexpectedInput:
        return None
    return parser
