"""Figures that are written out in a rule's text although the rule binds the declaration that says them.

A figure is a number of a table or value, or one that is written out in steps and formulas: those have no name that a
text could show until they are given one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics.fixes import Edit, Fix
from rulespec.overlay.literals import CARRIED_OUT, literals, parts_with_figures
from rulespec.overlay.paths import Found, find
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar, Sequence
from rulespec.texts.check.entries import Entry, Text
from rulespec.texts.check.habits import habits_of
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.glossary import Glossary, Matchers
from rulespec.texts.language import Language, language_of
from rulespec.texts.matcher import Hit
from rulespec.texts.numbers import Number, numbers
from rulespec.texts.stretches import Stretches

#: Sections of figures.
DATA = frozenset({"values", "enums", "pieces", "tracks", "boards"})
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """A declared number, with the path that leads to it and the node that says it.

    `named` is whether a text could show it as it is.
    """

    value: int
    path: str
    node: Scalar
    named: bool = True


class Figures:
    """Finds figures that are written out, in the languages of one game."""

    def __init__(self, glossary: Glossary):
        self._matchers = Matchers(glossary)

    def check(self, entry: Entry, tree: Mapping, reports: Reports) -> None:
        """Reports numbers above 1 in a rule's texts that equal a figure which the rule binds.

        Numbers of an example are those of one position, which no declaration gives.
        """
        bound: dict[float, Figure] = (
            {} if is_example(entry) else {figure.value: figure for figure in reversed(list(bound_figures(entry, tree)))}
        )
        for language, forms in entry.texts.items():
            for text in forms.values() if bound else ():
                for number in self.counting(text, language):
                    is_told = number.value >= _LEAST and number.value in bound
                    if is_told and not reports.suppressed(entry, "RS545", language):
                        _report(text, number, bound[number.value], reports)

    def counting(self, text: Text, language: str) -> Iterable[Number]:
        """The numbers that are written out, but for those that are a part of a name, as in `level 2`, or a place."""
        hits = self._matchers[language].hits(text.plain)
        words = language_of(language)
        places = Stretches(match.span() for match in habits_of(language).places.finditer(text.plain))
        names = Stretches(_with_what_joins(text.plain, hit) for hit in hits)
        for number in written(text, language):
            is_name = names.meet(number.start, number.start + 1) and not _is_counting(text.plain, number, words)
            if not is_name and not places.hold(number.start, number.end):  # such a number says which one in a row
                yield number


def is_example(entry: Entry) -> bool:
    """Whether a rule tells of one position, whose numbers no declaration gives."""
    kind = entry.rule.get("kind") if entry.rule is not None else None
    return isinstance(kind, Scalar) and kind.text == "example"


def _report(text: Text, number: Number, figure: Figure, reports: Reports) -> None:
    reports.problems.add(
        "RS545",
        span_of(text.node, number.start, number.end),
        hint=way_to_show(figure),
        fixes=shown_instead(figure, [span_of(text.node, number.start, number.end)]),
        written=text.plain[number.start : number.end],
        path=figure.path,
    )


def _is_counting(text: str, number: Number, words: Language) -> bool:
    """Whether a counter stands behind a number."""
    return text.startswith(words.counters, number.end)


def _with_what_joins(text: str, hit: Hit) -> tuple[int, int]:
    """A term with the first character of a number that belongs to it: it stands in it or directly behind."""
    return hit.start, hit.end + text.startswith((" ", "-"), hit.end) + 1


def way_to_show(figure: Figure) -> str | None:
    """How a text shows a figure, where that is plain."""
    if not figure.named:
        return "Give it a name under `values`, and show that."
    placeholder = placeholder_of(figure)
    return f"Write {placeholder}." if placeholder is not None else None


def placeholder_of(figure: Figure) -> str | None:
    """What shows a figure in a text; None where it has no name, or none that is plain."""
    match figure.path.split(".") if figure.named else []:
        case ["values", name]:
            return f"{{{name}}}"
        case ["values", name, "is", place]:
            return f"{{{name}[{place}]}}"
        case ["enums", name, "values", member, attribute]:
            return f"{{{name}.{member}.{attribute}}}"
    return None


def shown_instead(figure: Figure, places: Iterable[Span]) -> tuple[Fix, ...]:
    """A placeholder wherever a text writes a figure out; another number may be meant, or the rule told otherwise."""
    placeholder = placeholder_of(figure)
    if placeholder is None:
        return ()
    return (Fix(f"Write `{placeholder}`", tuple(Edit(span, placeholder) for span in places), is_certain=False),)


def written(text: Text, language: str) -> Iterator[Number]:
    """The numbers that are written out in a text, words of several parts as one; 0 and 1 in digits alone."""
    for number in numbers(text.plain, language_of(language)):
        counts = number.value >= _LEAST or text.plain[number.start : number.end].isdecimal()
        if number.kind in ("plain", "factor") and counts and text.is_typed(number.start, number.end):
            yield number


# ---- what is bound ------------------------------------------------------------------------------------


def bound_figures(entry: Entry, tree: Mapping) -> Iterator[Figure]:
    """The numbers in what a rule binds: single values, tables, rows; then those in steps and formulas."""
    for path, node in bound_data(entry, tree):
        yield from _figures(node, path)
    for path, node in _carried_out(entry, tree):
        yield from _literals(node, path)


def _literals(node: Node, path: str) -> Iterator[Figure]:
    return (Figure(value, path, scalar, named=False) for value, scalar in literals(node))


def _carried_out(entry: Entry, tree: Mapping) -> Iterator[tuple[str, Node]]:
    """What a rule binds of steps and formulas, with its paths."""
    for path in entry.binds():
        found = find(tree, path.text) if path.text.split(".")[0] in CARRIED_OUT else None
        if isinstance(found, Found):
            yield path.text, found.node


def bound_data(entry: Entry, tree: Mapping) -> Iterator[tuple[str, Node]]:
    """The declarations of figures that a rule binds, with their paths."""
    for path in entry.binds():
        found = find(tree, path.text) if _is_data(path.text.split(".")) else None
        if isinstance(found, Found):
            yield path.text, found.node


def _is_data(parts: list[str]) -> bool:
    """Whether a path leads to figures. A kind of sites as a whole has coordinates, which are none."""
    return parts[0] in DATA and (parts[0] != "boards" or len(parts) > 3)


def _figures(node: Node, path: str) -> Iterator[Figure]:
    if isinstance(node, Scalar):
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            yield Figure(node.value, path.removesuffix(".is"), node)
        else:
            yield from _literals(node, path)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _figures(item, path)
    elif isinstance(node, Mapping):
        for name, value in parts_with_figures(node):
            yield from _figures(value, f"{path}.{name}")
