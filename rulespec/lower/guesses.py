"""What other languages call what is done with a list, and how it is written here."""

from __future__ import annotations

import re
from typing import Final

from rulespec.expr import ast

#: By what is meant: the names that it goes by elsewhere, and the form, where N is a number and S the list or zone.
_MEANT: Final = (
    ("head heads limit firsts first_n take_first take_while slice sublist top top_n", "`take(N, S)` are the first N."),
    (
        "last last_n take_last tail bottom",
        "`S.last` is the last one. Sorted the other way, the last N are the first: `take(N, sort(x in S by -E))`.",
    ),
    ("drop skip rest", "`list(x for x in S where not x in take(N, S))` is a list without the first N."),
    ("len length size amount number", "`S.count` is how many there are."),
    ("reverse reversed", "Sort it the other way: `sort(x in S by -E)`."),
    ("sorted order order_by sort_by", "`sort(x in S by E)` is the list, lowest E first."),
    ("filter select where", "`list(x for x in S where P)` is a list of those for which P holds."),
    ("map collect each", "`list(E for x in S)` is E for each."),
    ("contains includes has", "`x in S` is whether it is a member."),
    ("unique distinct", "`set(E for x in S)` are the different values of E."),
    ("concat append extend", "`A + B` are two lists, one after the other."),
    (
        "roll random rand randint dice die d6 toss",
        "Chance is a step: dice are pieces with `faces: 1..6`, which `roll: dice` rolls; `choose` with `who: chance` "
        "draws anything else.",
    ),
    ("sum total", "`sum(E for x in S)` is a total."),
    ("average avg mean", "`sum(E for x in S) // S.count` is the average, rounded down."),
)  # fmt: skip
#: What a list is mostly written as.
_LISTS: Final = (ast.Name, ast.Get, ast.Call, ast.Index, ast.Best, ast.Fold)
_LONGEST: Final = 40  #: characters of what is said again
_LETTERS: Final = {letter: re.compile(rf"\b{letter}\b") for letter in "NS"}
_FORMS: Final = {name: form for names, form in _MEANT for name in names.split()}


def form_of(name: str, args: tuple[ast.Expr, ...] = (), of: ast.Expr | None = None) -> str | None:
    """How what a name means elsewhere is written here, with what was written for N and S; None for other names.

    `of` is what the name was asked of, as in `S.head(N)`.
    """
    form = _FORMS.get(name)
    if form is None:
        return None
    numbers = [arg.span.text for arg in args if isinstance(arg, ast.Number)]
    others = [
        *([of.span.text] if of is not None else []),
        *(a.span.text for a in args if not isinstance(a, ast.Number)),
    ]
    return _put(form, numbers[-1] if numbers else None, others[0] if others else None)


def _put(form: str, number: str | None, source: str | None) -> str:
    """A form with what stands for N and S; what is long, or not there, stays a letter."""
    for letter, text in (("N", number), ("S", source)):
        if text is not None and len(text) <= _LONGEST and "\n" not in text and "`" not in text:
            form = _LETTERS[letter].sub(text.replace("\\", ""), form)
    return form
