"""A variant's `changes`: reading them as edits of the game that they are for.

set: PATH                 to: VALUE
replace: PATH             is: ANYTHING, or steps: STEPS (a list of steps, or in place of one step)
remove: PATH
wrap: PATH                before: STEPS, after: STEPS (around a list of steps, whatever is in it by then)
insert: PATH              steps: STEPS or rows: ROWS; before: STEP or after: STEP, else at the end
"""

from __future__ import annotations

from typing import Final

from rulespec.diagnostics.fixes import changed
from rulespec.diagnostics.model import Problems, Related
from rulespec.diagnostics.nearest import near_to
from rulespec.overlay.edits import Edit
from rulespec.overlay.paths import Found, Lost, find, first_line, item_key, matcher, near_names, report_lost
from rulespec.overlay.variant import Variant
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

MAX_CHANGES: Final = 1_000  #: of one variant
VERBS: Final = ("set", "replace", "remove", "wrap", "insert")


def read_changes(variant: Variant, tree: Mapping, problems: Problems) -> list[Edit]:
    """The edits that the variant makes in `tree`. A path that leads nowhere is reported at its place in the variant."""
    if len(variant.changes) > MAX_CHANGES:
        place = first_line(variant.changes[MAX_CHANGES].span)
        problems.add("RS409", place, variant=variant.id, limit=f"{MAX_CHANGES:,}")
    edits = [_read(variant, change, tree, problems) for change in variant.changes[:MAX_CHANGES]]
    return [edit for edit in edits if edit is not None]


def _read(variant: Variant, change: Mapping, tree: Mapping, problems: Problems) -> Edit | None:
    verb = next((name for name in VERBS if name in change), None)
    place = None if verb is None else change.get(verb)
    if verb is None or not isinstance(place, Scalar):
        return None  # the structural check reports it
    path = place.text
    found = find(tree, path)
    if isinstance(found, Lost):
        report_lost(found, path, place, problems)
        return None
    if verb == "remove":
        return Edit(variant.id, "remove", found.locator, path, place, found.node)
    if verb == "insert":
        return _insert(variant, change, found, place, problems)
    if verb == "wrap":
        return _wrap(variant, change, found, place, problems)
    return _write(variant, change, found, place, problems)


# ---- set and replace -------------------------------------------------------------------------------------------------


def _write(variant: Variant, change: Mapping, found: Found, place: Scalar, problems: Problems) -> Edit | None:
    verb = "set" if "set" in change else "replace"
    steps = change.get("steps")
    new = change.get("to") if verb == "set" else change.get("is")
    if verb == "replace" and (new is None) == (steps is None):
        if not {"is", "steps"} & set(change.broken):
            problems.add("RS407", place.span, wanted="`replace` needs `is` or `steps`, and one of them only")
        return None
    if steps is not None:
        return _write_steps(variant, steps, found, place, problems)
    if new is None:
        return None  # reported: `set` without `to`
    return _write_value(variant, new, found, place)


def _write_steps(variant: Variant, steps: Node, found: Found, place: Scalar, problems: Problems) -> Edit | None:
    if not isinstance(steps, Sequence):
        return None  # reported with the file's structure
    path = place.text
    if isinstance(found.node, Sequence):
        return Edit(variant.id, "set", found.locator, path, place, found.node, value=steps, written=steps)
    if found.is_member:
        return Edit(variant.id, "splice", found.locator, path, place, found.node, first=steps.items, written=steps)
    _report_no_list(found, place, problems)
    return None


def _write_value(variant: Variant, new: Node, found: Found, place: Scalar) -> Edit:
    """A value of the section `values` keeps its type when only the value is written anew."""
    locator, old, value = found.locator, found.node, new
    if locator[:1] == ("values",):
        if len(locator) == 3 and locator[2] == "is":
            locator, old = locator[:2], found.chain[-2]
        if len(locator) == 2 and isinstance(old, Mapping) and "is" in old and not _is_whole(new):
            value = _with_value(old, new, variant)
    return Edit(variant.id, "set", locator, place.text, place, found.node, value=value, written=new)


def _is_whole(node: Node) -> bool:
    """Whether a node is a whole entry of `values`, and not only what its `is` holds."""
    return isinstance(node, Mapping) and "is" in node


def _with_value(entry: Mapping, new: Node, variant: Variant) -> Mapping:
    """An entry of `values` with another value. Its source is the variant now: the old one speaks of the old value."""
    pairs = []
    for key, node in entry.pairs:
        match key.text:
            case "is":
                pairs.append((key, new))
            case "source":
                name = Scalar(variant.name.span, "variant", "plain", "variant", variant.name.content)
                pairs.append((key, Mapping(variant.name.span, ((name, variant.name),))))
            case _:
                pairs.append((key, node))
    return Mapping(entry.span, tuple(pairs), entry.broken)


# ---- wrap and insert -------------------------------------------------------------------------------------------------


def _wrap(variant: Variant, change: Mapping, found: Found, place: Scalar, problems: Problems) -> Edit | None:
    first, last = _items(change.get("before")), _items(change.get("after"))
    if not first and not last:
        if not {"before", "after"} & set(change.broken):
            problems.add("RS407", place.span, wanted="`wrap` needs `before` or `after`")
        return None
    if not isinstance(found.node, Sequence):
        _report_no_list(found, place, problems)
        return None
    return Edit(variant.id, "wrap", found.locator, place.text, place, found.node, first=first, last=last)


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _insert(variant: Variant, change: Mapping, found: Found, place: Scalar, problems: Problems) -> Edit | None:
    rows = change.get("rows")
    new = _items(change.get("steps")) or _items(rows)
    both = "before" in change and "after" in change
    if not new or both or ("steps" in change and rows is not None):
        if not {"steps", "rows"} & set(change.broken):
            wanted = "`insert` needs `steps` or `rows`, and at most one of `before` and `after`"
            problems.add("RS407", place.span, wanted=wanted)
        return None
    if not isinstance(found.node, Sequence):
        _report_no_list(found, place, problems)
        return None
    side = change.get("before") or change.get("after")
    anchor = _anchor(found.node, side, place, problems) if isinstance(side, Scalar) else None
    if isinstance(side, Scalar) and anchor is None:
        return None
    first, last = (new, ()) if "before" in change else ((), new)
    return Edit(
        variant.id,
        "insert",
        found.locator,
        place.text,
        place,
        found.node,
        first=first,
        last=last,
        anchor=anchor,
        rows=rows is not None,
    )


def _anchor(items: Sequence, side: Scalar, place: Scalar, problems: Problems) -> tuple[str, int] | None:
    """The member of a list that `before` or `after` names."""
    fitting = list(filter(matcher(side.text), items.items))
    if len(fitting) == 1:
        return item_key(fitting[0])
    if fitting:
        related = [Related("this fits", first_line(item.span)) for item in fitting[:5]]
        more = "Say more of it, as in `choose site`, or give the step an `id`."
        problems.add("RS405", side.span, hint=more, related=related, name=side.text, path=place.text)
        return None
    near = near_to(side.text, near_names(items, None))
    related = [Related(f"'{place.text}' is here", first_line(items.span))]
    problems.add("RS403", side.span, near=near, related=related, name=side.text, where=f"in '{place.text}'")
    return None


def _report_no_list(found: Found, place: Scalar, problems: Problems) -> None:
    """Report steps for something that holds none; the list of steps inside it may have been meant."""
    node = found.node
    inner = next((key for key in ("do", "then") if isinstance(node, Mapping) and key in node), None)
    hint = None if inner is None else f"Did you mean `{place.text}.{inner}`?"
    mends = () if inner is None else (changed(place.span, f"{place.text}.{inner}"),)
    there = Related("it is declared here", found.key)
    problems.add("RS406", place.span, hint=hint, related=[there], fixes=mends, path=place.text)
