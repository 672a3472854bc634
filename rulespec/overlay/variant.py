"""Variants as their files declare them, and which of them may be on together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass

from rulespec.diagnostics.model import Problems, Related
from rulespec.diagnostics.nearest import near_to
from rulespec.overlay.merge import merge
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar
from rulespec.source.tree import Sequence as List


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: the union of its `files` (`tree`, with its section `variant`), and what it says of others."""

    id: str
    name: Scalar
    tree: Mapping
    files: tuple[Mapping, ...]
    group: Scalar | None
    after: tuple[Scalar, ...]
    requires: tuple[Scalar, ...]
    conflicts: tuple[Scalar, ...]
    changes: tuple[Mapping, ...]

    @property
    def sections(self) -> Mapping:
        """What it adds to the game."""
        pairs = (pair for pair in self.tree.pairs if pair[0].text not in ("variant", "pack"))
        return Mapping(self.tree.span, tuple(pairs))


def read_variants(trees: Iterable[Mapping], problems: Problems) -> dict[str, Variant]:
    """The variants that the trees declare, by id. Several files with one id are one variant."""
    by_id: dict[str, list[Mapping]] = {}
    for tree in trees:
        name = _declared_id(tree)
        if name is not None:
            by_id.setdefault(name.text, []).append(tree)
    return {name: _variant(files, problems) for name, files in sorted(by_id.items())}


def is_variant(tree: Mapping) -> bool:
    """Whether a file is (a part of) a variant."""
    return "variant" in tree or "variant" in tree.broken


def _declared_id(tree: Mapping) -> Scalar | None:
    """The id in a file's section `variant`; its absence is for the structural check to report."""
    declared = tree.get("variant")
    return _scalar(declared.get("id")) if isinstance(declared, Mapping) else None


def _variant(files: Sequence[Mapping], problems: Problems) -> Variant:
    tree = merge(files, problems)
    declared = tree.get("variant")
    name = _declared_id(tree)
    assert isinstance(declared, Mapping)
    assert name is not None
    changes = declared.get("changes")
    return Variant(
        id=name.text,
        name=name,
        tree=tree,
        files=tuple(files),
        group=_scalar(declared.get("group")),
        after=names(declared.get("after")),
        requires=names(declared.get("requires")),
        conflicts=names(declared.get("conflicts")),
        changes=tuple(c for c in changes.items if isinstance(c, Mapping)) if isinstance(changes, List) else (),
    )


def _scalar(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None


def names(node: Node | None) -> tuple[Scalar, ...]:
    """The single values of a list, or the one that stands for it."""
    if isinstance(node, Scalar):
        return (node,)
    return tuple(item for item in node.items if isinstance(item, Scalar)) if isinstance(node, List) else ()


# ---- together --------------------------------------------------------------------------------------------------------


def check_names(known: MappingOf[str, Variant], problems: Problems) -> None:
    """Report names of variants that there are not, in `after`, `requires` and `conflicts` of any variant."""
    for variant in known.values():
        for name in (*variant.after, *variant.requires, *variant.conflicts):
            if name.text not in known:
                others = [other for other in known if other != variant.id]
                problems.add("RS423", name.span, near=near_to(name.text, others), name=name.text)


def check_together(active: Sequence[Variant], problems: Problems) -> None:
    """Report variants that cannot be on together, and those that need another one."""
    on = {variant.id: variant for variant in active}
    groups: dict[str, Variant] = {}
    reported = {_place(problem.span) for problem in problems.errors}  # a variant that there is not need not be on
    for variant in sorted(active, key=lambda each: each.id):
        for name in variant.requires:
            if name.text not in on and _place(name.span) not in reported:
                problems.add("RS421", name.span, variant=variant.id, name=name.text)
        for name in variant.conflicts:
            if name.text in on and name.text != variant.id:
                there = Related(f"'{name.text}' is declared here", on[name.text].name.span)
                problems.add("RS422", name.span, related=[there], variant=variant.id, name=name.text)
        if variant.group is None:
            continue
        first = groups.setdefault(variant.group.text, variant)
        if first is not variant and first.group is not None:
            there = Related(f"'{first.id}' is of this group", first.group.span)
            group = variant.group
            problems.add("RS420", group.span, related=[there], variant=variant.id, other=first.id, group=group.text)


def _place(span: Span) -> tuple[str, int, int]:
    return span.file.name, span.start, span.end


def ancestors(active: Sequence[Variant]) -> dict[str, frozenset[str]]:
    """For each variant that is on, those that come before it because it says so: by `after` or `requires`."""
    direct = {v.id: {name.text for name in (*v.after, *v.requires)} for v in active}
    found: dict[str, frozenset[str]] = {}
    for name in direct:
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            fresh = {other for other in direct[waiting.pop()] if other in direct and other not in seen}
            seen |= fresh
            waiting += fresh
        found[name] = frozenset(seen)
    return found


def in_order(active: Sequence[Variant], problems: Problems) -> list[Variant]:
    """The variants by id, each after its ancestors. Those that wait for each other in a circle are reported (RS424)."""
    before = ancestors(active)
    left = sorted(active, key=lambda each: each.id)
    circle = [variant for variant in left if variant.id in before[variant.id]]
    if circle:
        _report_circle(circle, before, problems)
    ordered: list[Variant] = []
    while left:
        done = {variant.id for variant in ordered}
        ready = next((v for v in left if before[v.id] - {v.id} <= done or v in circle), left[0])
        ordered.append(ready)
        left.remove(ready)
    return ordered


def _report_circle(circle: Sequence[Variant], before: MappingOf[str, frozenset[str]], problems: Problems) -> None:
    """Report the first variant of a circle, at the word that closes it."""
    first, *others = circle
    words = (*first.after, *first.requires)
    place = next(name for name in words if name.text == first.id or first.id in before.get(name.text, ()))
    related = [Related(f"'{other.id}' is declared here", other.name.span) for other in others]
    problems.add("RS424", place.span, related=related, variant=first.id)
