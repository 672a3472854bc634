"""Two variants that write one path differently, and rules whose text no longer fits what a variant changes.

Content may hold thousands of changes, so none is compared with all others: those that can touch each other are looked
up by the places that they are at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulespec.diagnostics.model import Problems, Related
from rulespec.overlay.edits import Edit
from rulespec.overlay.literals import literals
from rulespec.overlay.merge import Addition, Locator
from rulespec.overlay.paths import Found, Lost, bound_by_rules, find
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar

#: How many of the rules about one change are named.
_MOST_RULES = 3

#: How many of its figures.
_MOST_FIGURES = 4


class _Index:
    """Edits by where they are: those that write a place, and those that claim a side of a list or of a member."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.writes: dict[Locator, Edit] = {}
        self.claims: dict[tuple[object, ...], Edit] = {}
        for edit in edits:
            if edit.writes:
                self.writes.setdefault(edit.locator, edit)
            for claim in _claims(edit):
                self.claims.setdefault(claim, edit)

    def touching(self, edit: Edit) -> Iterator[Edit]:
        """The edits here whose order with `edit` would make a difference, as seen from `edit` at or below them."""
        point = _point(edit)
        for length in range(len(point) + 1):
            write = self.writes.get(point[:length])
            is_around = edit.kind == "wrap" and length == len(point) and write is not None and write.kind == "set"
            if write is not None and write is not edit and not is_around:  # a `wrap` goes around whatever stands there
                yield write
        for claim in _claims(edit):
            other = self.claims.get(claim)
            if other is not None and other is not edit:
                yield other


def _point(edit: Edit) -> Locator:
    """What an edit needs: its place, or the member that an `insert` is put beside."""
    return edit.locator if edit.anchor is None else (*edit.locator, edit.anchor)


def _claims(edit: Edit) -> Iterator[tuple[object, ...]]:
    """The sides at which an edit puts something, where the order of two would make a difference; not that of rows."""
    if edit.kind not in ("wrap", "insert") or edit.rows:
        return
    for side, steps in (("before", edit.first), ("after", edit.last)):
        if steps:
            yield (edit.kind, edit.locator, edit.anchor, side)


def check_within(edits: Sequence[Edit], problems: Problems) -> None:
    """Report changes of one variant that touch each other: their order has no meaning, so neither can come first."""
    index = _Index(edits)
    order = {id(edit): number for number, edit in enumerate(edits)}
    for edit in edits:
        for other in index.touching(edit):
            first, second = sorted((edit, other), key=lambda each: order[id(each)])
            there = Related("the other change", first.span)
            problems.add("RS412", second.span, related=[there], path=second.path, variant=second.variant)


def check_between(
    edits: dict[str, list[Edit]],
    additions: dict[str, list[Addition]],
    before: dict[str, frozenset[str]],
    problems: Problems,
) -> None:
    """Report what two variants write differently, when neither says that it comes `after` the other."""
    indexes = {variant: _Index(made) for variant, made in edits.items()}
    for first, second in combinations(sorted(edits), 2):
        if first in before[second] or second in before[first]:
            continue
        left, right = indexes[first], indexes[second]
        for edit in edits[second]:
            for other in left.touching(edit):
                _collision(other, edit, problems)
        for edit in edits[first]:
            for other in right.touching(edit):
                _collision(edit, other, problems)
        _compare_additions(additions[first], additions[second], problems)
        _against(left, additions[second], problems)
        _against(right, additions[first], problems)


def _collision(left: Edit, right: Edit, problems: Problems) -> None:
    if _same(left, right):
        there = Related(f"'{left.variant}' says the same", left.span)
        problems.add("RS411", right.span, related=[there], variant=right.variant, other=left.variant, path=right.path)
    else:
        _report(right.variant, right.span, right.path, left.variant, left.span, problems)


def _same(left: Edit, right: Edit) -> bool:
    """Whether two edits say the same."""
    if not (left.writes and right.writes) or left.locator != right.locator or left.kind != right.kind:
        return False
    return left.kind == "remove" or left.written == right.written


def _compare_additions(left: Iterable[Addition], right: Iterable[Addition], problems: Problems) -> None:
    known = {addition.locator: addition for addition in left}
    for addition in right:
        other = known.get(addition.locator)
        if other is None:
            continue
        path = ".".join(part for part in addition.locator if isinstance(part, str))
        if other.value == addition.value:
            there = Related(f"'{other.variant}' says the same", other.key)
            problems.add(
                "RS411", addition.key, related=[there], variant=addition.variant, other=other.variant, path=path
            )
        else:
            _report(addition.variant, addition.key, path, other.variant, other.key, problems)


def _against(index: _Index, additions: Iterable[Addition], problems: Problems) -> None:
    """What one variant takes away or writes anew, and another one adds to."""
    for addition in additions:
        for length in range(len(addition.locator) + 1):
            edit = index.writes.get(addition.locator[:length])
            if edit is not None:
                _report(edit.variant, edit.span, edit.path, addition.variant, addition.key, problems)


def _report(variant: str, span: Span, path: str, other: str, place: Span, problems: Problems) -> None:
    hint = f"If '{variant}' should come last, give it `after: [{other}]`; or let it say `conflicts: [{other}]`."
    related = [Related(f"'{other}' writes it here", place)]
    problems.add("RS410", span, hint=hint, related=related, variant=variant, other=other, path=path)


# ---- rules -----------------------------------------------------------------------------------------------------------


def check_rules(
    tree: Mapping, edits: Sequence[Edit], additions: Sequence[Addition], sections: Mapping, problems: Problems
) -> None:
    """Warn of each changed declaration that a rule binds, when the variant leaves all texts about it as they were.

    `tree` is what the variant changes, `sections` what it adds: a rule of its own that binds the declaration counts.
    Changed values do not: texts show them by placeholders.
    """
    touched = {edit.locator[:2] for edit in edits} | {addition.locator[:2] for addition in additions}
    own = {path.text for _, paths in bound_by_rules(sections) for path in paths}
    meant = _Meanings(edit for edit in edits if not _changes_values(edit))
    told: dict[int, _Told] = {}
    found: dict[str, Found | Lost] = {}
    for rule, bound in bound_by_rules(tree) if meant.any else ():
        for path in bound:
            if ("rules", rule.text) in touched or path.text in own or not meant.may_be(path.text):
                continue
            place = found.get(path.text)
            if place is None:  # many rules are about one declaration
                place = found[path.text] = find(tree, path.text)
            edit = meant.of(place.locator) if isinstance(place, Found) else None
            if edit is not None:
                told.setdefault(id(edit), _Told(edit, [])).rules.append((rule, path))
    for each in told.values():
        _report_rules(each, problems)


@dataclass(frozen=True, slots=True)
class _Told:
    """A change, and the rules about what it changes, each with the path that it binds."""

    edit: Edit
    rules: list[tuple[Scalar, Scalar]]


def _report_rules(told: _Told, problems: Problems) -> None:
    """One warning for each change, however many rules are about it."""
    names = [rule.text for rule, _ in told.rules]
    rest = len(names) - _MOST_RULES
    listed = ", ".join(names[:_MOST_RULES]) + (f" and {rest} more" if rest > 0 else "")
    related = [Related(f"the rule '{rule.text}' binds it here", path.span) for rule, path in told.rules[:_MOST_RULES]]
    gone, come = _figures_changed(told.edit)
    related += [Related("this figure was here", node.span) for _, node in gone]
    hint = f"Replace `rules.{names[0]}.text`, or add a rule that binds `{told.rules[0][1].text}`."
    listed += _figures_told(gone, come)
    problems.add("RS430", told.edit.span, hint=hint, related=related, path=told.edit.path, rules=listed)


_Figures = list[tuple[int, Scalar]]


def _figures_changed(edit: Edit) -> tuple[_Figures, _Figures]:
    """The figures that a change takes out and those that it puts in, each of them once, with where they are written."""
    before = list(literals(edit.old)) if edit.writes else []
    put = [node for node in (edit.written, *edit.first, *edit.last) if node is not None]
    after = [found for node in put for found in literals(node)]
    return _without(before, after), _without(after, before)


def _without(figures: _Figures, others: _Figures) -> _Figures:
    left = Counter(number for number, _ in others)
    found: dict[int, Scalar] = {}
    for number, node in figures:
        if left[number] > 0:
            left[number] -= 1
        else:
            found.setdefault(number, node)
    return list(found.items())[:_MOST_FIGURES]


def _figures_told(gone: _Figures, come: _Figures) -> str:
    """What is said of them behind the rules, in brackets."""
    parts = [
        f"{', '.join(str(number) for number, _ in figures)} {'is' if len(figures) == 1 else 'are'} {what}"
        for figures, what in ((gone, "gone"), (come, "new"))
        if figures
    ]
    return f" ({'; '.join(parts)})" if parts else ""


class _Meanings:
    """The edits that change what something does, by every place that they touch."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._inside: dict[Locator, Edit] = {}
        self._writes: dict[Locator, Edit] = {}
        self._starts: dict[str, list[str]] = {}  #: how paths to changed declarations begin, by section
        for edit in edits:
            section, name = (*map(str, edit.locator[:1]), ""), edit.locator[1:2]
            begins = f"{section[0]}.{name[0]}" if name and isinstance(name[0], str) else section[0]
            self._starts.setdefault(section[0], []).append(begins)
            for length in range(len(edit.locator) + 1):
                self._inside.setdefault(edit.locator[:length], edit)
            if edit.writes:
                self._writes.setdefault(edit.locator, edit)

    @property
    def any(self) -> bool:
        return bool(self._inside)

    def may_be(self, path: str) -> bool:
        """Whether a path can lead to an edit, told by its text alone; what it leads to tells."""
        section = re.split(r"[.\[]", path, maxsplit=1)[0]
        starts = [*self._starts.get(section, ()), *self._starts.get("", ())]
        if path[len(section) :].startswith("["):  # it leads to whatever fits, by any name
            return bool(starts)
        return any(path.startswith(begins) or begins.startswith(path) for begins in starts)

    def of(self, locator: Locator) -> Edit | None:
        """An edit at this place, in it, or of something around it as a whole."""
        inside = self._inside.get(locator)
        around = (self._writes.get(locator[:length]) for length in range(len(locator)))
        return inside or next((edit for edit in around if edit is not None), None)


def _changes_values(edit: Edit) -> bool:
    """Whether an edit only puts another figure in the place of one."""
    if edit.kind != "set":
        return False
    return edit.locator[:1] == ("values",) or (_is_figure(edit.old) and _is_figure(edit.written))


def _is_figure(node: Node | None) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, int)
