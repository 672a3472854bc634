"""A game with variants: what each adds and changes, made in one tree.

made = apply_variants(base, [floods, droughts], problems)
made.tree      # the declarations as they are now
made.edits     # the changes, in the order in which they were made
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems
from rulespec.overlay.changes import read_changes
from rulespec.overlay.conflicts import check_between, check_rules, check_within
from rulespec.overlay.edits import Edit, make_edits
from rulespec.overlay.merge import Addition, Locator, add_sections
from rulespec.overlay.variant import Variant, ancestors, check_together, in_order
from rulespec.source.tree import Mapping


@dataclass(frozen=True, slots=True)
class Applied:
    """A game's tree with variants, and what they did."""

    tree: Mapping
    variants: tuple[Variant, ...] = ()
    edits: tuple[Edit, ...] = ()
    additions: tuple[Addition, ...] = ()


def apply(base: Mapping, variants: Sequence[Variant], problems: Problems) -> Mapping:
    """The tree of `base` with the variants. See `apply_variants`."""
    return apply_variants(base, variants, problems).tree


def apply_variants(base: Mapping, variants: Sequence[Variant], problems: Problems) -> Applied:
    """`base` with the variants, in an order that does not depend on how they are given.

    A variant sees the game with those variants that it comes after or requires, and no others. What two others write
    differently is reported; then the one with the later id wins, so that checking can go on.
    """
    active = list({variant.id: variant for variant in variants}.values())
    if not active:
        return Applied(base)
    check_together(active, problems)
    return _Application(base, in_order(active, problems), problems).run()


class _Application:
    """One application; views of the game are kept, since several variants may see the same."""

    def __init__(self, base: Mapping, ordered: list[Variant], problems: Problems) -> None:
        self._problems = problems
        self._ordered = ordered
        self._before = ancestors(ordered)
        self._views: dict[frozenset[str], Mapping] = {frozenset(): base}
        self._edits: dict[str, list[Edit]] = {}
        self._additions: dict[str, list[Addition]] = {}

    def run(self) -> Applied:
        """Everything: what each variant does, what does not go together, and the tree."""
        for variant in self._ordered:
            self._read(variant)
        check_between(self._edits, self._additions, self._before, self._problems)
        edits = tuple(edit for variant in self._ordered for edit in self._edits[variant.id])
        additions = tuple(each for variant in self._ordered for each in self._additions[variant.id])
        tree = self._view(frozenset(variant.id for variant in self._ordered))
        return Applied(tree, tuple(self._ordered), edits, additions)

    def _read(self, variant: Variant) -> None:
        seen = self._view(self._before[variant.id] - {variant.id})
        edits = read_changes(variant, seen, self._problems)
        check_within(edits, self._problems)
        _, additions = add_sections(make_edits(seen, edits), variant.sections, variant.id, self._problems)
        check_rules(seen, edits, additions, variant.sections, self._problems)
        self._edits[variant.id] = edits
        self._additions[variant.id] = additions

    def _view(self, names: frozenset[str]) -> Mapping:
        """The game with these variants, as far as they are read."""
        if names not in self._views:
            tree = self._views[frozenset()]
            here = [variant for variant in self._ordered if variant.id in names and variant.id in self._edits]
            late = self._late_wraps(here)
            waiting = {id(edit) for edits in late.values() for edit in edits}
            for variant in here:
                tree = make_edits(tree, [edit for edit in self._edits[variant.id] if id(edit) not in waiting])
                tree = make_edits(tree, late.get(variant.id, []))
                tree, _ = add_sections(tree, variant.sections, variant.id, Problems())
            self._views[names] = tree
        return self._views[names]

    def _late_wraps(self, here: list[Variant]) -> dict[str, list[Edit]]:
        """The wraps that wait for a later variant, by that variant.

        A `wrap` goes around what stands there in the end, so it waits for strangers that write the list anew.
        """
        writers: dict[Locator, list[int]] = {}
        for number, variant in enumerate(here):
            for edit in self._edits[variant.id]:
                if edit.kind == "set":
                    writers.setdefault(edit.locator, []).append(number)
        late: dict[str, list[Edit]] = {}
        for number, variant in enumerate(here):
            for edit in self._edits[variant.id]:
                later = [each for each in writers.get(edit.locator, ()) if each > number] if edit.kind == "wrap" else []
                strangers = [each for each in later if variant.id not in self._before[here[each].id]]
                if strangers:
                    late.setdefault(here[strangers[-1]].id, []).append(edit)
        return late
