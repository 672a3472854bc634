"""Rules that still say a figure which a variant changes.

A figure that a text shows by a placeholder changes with the declaration. One that is written out stays as it was, and
the game's rule then says something else than the variant does, whatever rules the variant adds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics.model import Problems, Related
from rulespec.overlay.variant import Variant
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node
from rulespec.texts.check.entries import Entry, Text, Texts, rule_entry
from rulespec.texts.check.figures import Figure, Figures, bound_figures, is_example, shown_instead, way_to_show
from rulespec.texts.check.places import span_of
from rulespec.texts.check.reports import Reports
from rulespec.texts.numbers import Number

_CODE = "RS436"

#: How many texts that say one figure are shown.
_MOST_PLACES = 6


@dataclass(frozen=True, slots=True)
class _Change:
    """A figure that a variant changes: as the game says it, and as the variant does."""

    old: Figure
    new: Figure


@dataclass(slots=True)
class _Told:
    """A change, and the texts that still say what was: by rule and language, with the words."""

    change: _Change
    places: list[tuple[Entry, str, Text, Number]] = field(default_factory=list)


def check_outdated(
    texts: Texts, figures: Figures, tree_of: Callable[[Variant], Mapping | None], reports: Reports
) -> None:
    """Reports figures that a variant changes while a rule of the game that binds them writes them out as they were.

    `tree_of` gives the declarations with a variant on, or None where they are not to be looked at.
    """
    entries = [entry for entry in texts.rules if entry.variant is None and not is_example(entry)]
    for variant in texts.source.variants.values():
        tree = tree_of(variant) if variant.changes else None
        told: dict[tuple[int, int], _Told] = {}
        doubted = _doubted(variant, reports.problems)
        for entry in entries if tree is not None else ():
            if tree is not None and doubted.isdisjoint(path.span for path in entry.binds()):
                _check_rule(entry, texts.source.base, tree, figures, reports, told)
        for each in told.values():
            _report(each, reports)


def _is_touched(entry: Entry, base: Mapping, tree: Mapping) -> bool:
    """Whether a variant changes a declaration that a rule binds. What it leaves is the very same node."""
    return any(_declaration(base, path.text) is not _declaration(tree, path.text) for path in entry.binds())


def _declaration(tree: Mapping, path: str) -> Node | None:
    """What the first two names of a path lead to; the section where there are no such names."""
    section, _, rest = path.partition(".")
    node = tree.get(section)
    inner = node.get(rest.partition(".")[0].partition("[")[0]) if isinstance(node, Mapping) else None
    return inner if inner is not None else node


def _doubted(variant: Variant, problems: Problems) -> set[Span]:
    """The bound paths for whose sake a variant is warned already that the words may be wrong."""
    files = {tree.span.file.name for tree in variant.files}
    warned = (each for each in problems.items if each.code == "RS430" and each.span.file.name in files)
    return {there.span for each in warned for there in each.related}


def _check_rule(
    entry: Entry,
    base: Mapping,
    tree: Mapping,
    figures: Figures,
    reports: Reports,
    told: dict[tuple[int, int], _Told],
) -> None:
    if not _is_touched(entry, base, tree):
        return
    before, after = list(bound_figures(entry, base)), list(bound_figures(entry, tree))
    changes = {abs(change.old.value): change for change in _changes(before, after)}
    still = Counter(abs(figure.value) for figure in after)
    for language, text in _left(entry, tree) if changes else ():
        said: dict[float, list[Number]] = {}
        for number in figures.counting(text, language):
            said.setdefault(number.value, []).append(number)
        for value, change in changes.items():
            # as many as are still right may be meant by the words
            is_outdated = len(said.get(value, ())) > still[value]
            if is_outdated and not reports.suppressed(entry, _CODE, language):
                found = told.setdefault((id(change.old.node), value), _Told(change))
                found.places += [(entry, language, text, number) for number in said[value]]


def _left(entry: Entry, tree: Mapping) -> Iterator[tuple[str, Text]]:
    """The texts of a rule that the variant leaves as they are."""
    rules = tree.get("rules")
    now = rules.get(entry.name) if isinstance(rules, Mapping) else None
    if isinstance(now, Mapping):
        there = {id(text.node) for forms in rule_entry(entry.key, now, None).texts.values() for text in forms.values()}
        for language, forms in entry.texts.items():
            yield from ((language, text) for text in forms.values() if id(text.node) in there)


def _changes(before: list[Figure], after: list[Figure]) -> Iterator[_Change]:
    """The figures that have another value now, path by path: one by one where as many stand there, else by what is new.

    A figure that goes and has none in its place is no figure that changes.
    """
    for path in dict.fromkeys(figure.path for figure in before):
        old = [figure for figure in before if figure.path == path]
        new = [figure for figure in after if figure.path == path]
        if len(old) == len(new):
            pairs = list(zip(old, new, strict=True))
        else:
            gone, come = _difference(old, new), _difference(new, old)
            pairs = list(zip(gone, come, strict=False))
        yield from (_Change(one, other) for one, other in pairs if one.value != other.value)


def _difference(figures: list[Figure], others: list[Figure]) -> list[Figure]:
    """The figures whose values do not stand among the others, each as often as it is one more."""
    left = Counter(figure.value for figure in others)
    found = []
    for figure in figures:
        if left[figure.value] > 0:
            left[figure.value] -= 1
        else:
            found.append(figure)
    return found


def _report(told: _Told, reports: Reports) -> None:
    old, new = told.change.old, told.change.new
    rules = dict.fromkeys(entry.name for entry, _, _, _ in told.places)
    written = dict.fromkeys(text.plain[number.start : number.end] for _, _, text, number in told.places)
    show = way_to_show(old) or "Show the figure by a placeholder."
    places = [(each, span_of(each[2].node, each[3].start, each[3].end)) for each in told.places]
    reports.problems.add(
        _CODE,
        new.node.span,
        hint=f"{show} Or let the variant write the text anew: `replace: rules.{next(iter(rules))}.text`.",
        related=[
            Related(f"the rule '{entry.name}' says it here ({language})", span)
            for (entry, language, _, _), span in places[:_MOST_PLACES]
        ]
        + [Related(f"it is {old.value} here", old.node.span)],
        fixes=shown_instead(old, (span for _, span in places)),
        path=old.path,
        old=old.value,
        new=new.value,
        written=", ".join(written),
        rules=", ".join(rules),
    )
