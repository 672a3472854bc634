"""The structural check: every key, value and step of a file is of a form that the registry knows.

Names, types and expressions are not looked into; that is for the stages after this one.

    bad = validate_file(tree, problems, variant=False)
    if node in bad:  # reported here already: skip it
        ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from rulespec.diagnostics.fixes import Fix, changed
from rulespec.diagnostics.model import Problems, Related
from rulespec.diagnostics.nearest import Near, near_to
from rulespec.model import mends
from rulespec.model.describe import entries_wanted, found_shape, listed, mend_for, quoted, wanted_shape
from rulespec.model.field_words import hint_of_key
from rulespec.model.naming import instead_of
from rulespec.model.registry import REGISTRY, VERBS
from rulespec.model.sentences import check_sentence
from rulespec.model.shapes import (
    STEPS,
    Anything,
    Boolean,
    ByNode,
    Data,
    Expression,
    Field,
    Integer,
    ListOf,
    MapOf,
    Name,
    Naming,
    Record,
    Shape,
    Text,
    Type,
    Use,
    Word,
)
from rulespec.source.disguises import report_strange, strange_in
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence
from rulespec.source.text import Span
from rulespec.source.tree import Broken

_OTHER_NAME = "Take another name. After a dot any name can stand."
_VERBS_HINT = f"A step needs one of: {', '.join(VERBS)}."


#: Shorter keys are a slip away from too many others.
_LIKE_ANY = 3

_STEP = REGISTRY.record("step")


class Bad:
    """Nodes that have a structural fault, which is reported: what reads them afterwards skips them.

    A map is bad when one of its keys is unknown, missing or twofold; its good parts are not.
    """

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}  # by identity; holding the node keeps its identity taken
        self._around: set[int] = set()

    def __contains__(self, node: object) -> bool:
        return id(node) in self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def touches(self, node: Node) -> bool:
        """Whether `node`, or anything inside it, is bad."""
        return id(node) in self._nodes or id(node) in self._around

    def add(self, node: Node, around: Iterable[Node] = ()) -> None:
        """Note a bad node, and the collections that it lies in."""
        self._nodes[id(node)] = node
        self._around.update(id(outer) for outer in around)


def validate_file(tree: Mapping, problems: Problems, *, variant: bool) -> Bad:
    """Check one file. `variant`: the file was asked for as a variant, so it must say which.

    What may be spread over several files is not missed here: see `validate_whole`.
    """
    check = _Check(problems, whole=False)
    check.shape(Use(record="file"), tree, "This file", tree.span)
    _check_section_variant(tree, problems, wanted=variant)
    return check.bad


#: Declarations without a fault, by their identity and that of what they must look like; with the node, which so stays.
Sound = dict[tuple[int, int], Node]


def validate_whole(tree: Mapping, problems: Problems, sound: Sound | None = None) -> Bad:
    """Check the sections of a whole game, as one map. Problems that its files have alone are not reported again.

    What is `sound` is not looked at again, and what is found to be is added: variants leave most as it is.
    """
    found = Problems()
    check = _Check(found, whole=True, sound=sound)
    check.shape(Use(record="file"), tree, "This game", tree.span)
    problems.extend(found)
    return check.bad


def _check_section_variant(tree: Mapping, problems: Problems, *, wanted: bool) -> None:
    variant, game = tree.key_node("variant"), tree.key_node("game")
    if variant is None:
        if wanted and "variant" not in tree.broken:
            problems.add("RS266", first_line(tree.span))
    elif game is not None and isinstance(value := tree.get("game"), Mapping) and "id" in value:
        problems.add("RS265", variant.span, related=[Related("the game is declared here", game.span)])


def first_line(span: Span) -> Span:
    """The part of a place that lies on its first line."""
    end = span.file.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.file, span.start, end)


@cache
def _record_named(name: str) -> Record:
    return REGISTRY.record(name)


@cache
def _fields(record: str, tag: str | None) -> dict[str, Field]:
    """What can stand in a record: with a tag its form's fields, without one those of every form."""
    known = _record_named(record)
    form = None if tag is None else known.form(tag)
    fields = known.all_fields() if form is None else (*known.fields, *form.fields)
    return {field.name: field for field in fields}


def _has(fields: Iterable[Field], name: str) -> bool:
    return any(field.name == name for field in fields)


def _is_other(record: Record, key: str) -> bool:
    """Whether a key that is no field is allowed."""
    return record.others is not None and re.fullmatch(record.others.key.pattern, key) is not None


def _strays(steps: Sequence) -> dict[int, Scalar]:
    """For steps that lack a field which stands right below in a step of its own: that field's key.

    A `- ` too many is one fault, and is reported where it stands.
    """
    found = {}
    for step, after in pairwise(steps.items):
        if isinstance(step, Mapping) and isinstance(after, Mapping) and after.pairs and not _tags(_STEP, after):
            key, tags = after.pairs[0][0], _tags(_STEP, step)
            if len(tags) == 1 and key.text in _fields("step", tags[0]) and key.text not in step:
                found[id(step)] = key
    return found


def _sole_wanted(fields: dict[str, Field], node: Mapping) -> str | None:
    """The one field that a record needs and has not; None where it lacks none, or several."""
    lacking = [
        name for name, field in fields.items() if field.required and name not in node and name not in node.broken
    ]
    return lacking[0] if len(lacking) == 1 else None


def _tags(record: Record, node: Mapping) -> list[str]:
    return [key.text for key, _ in node.pairs if record.form(key.text) is not None]


def _allowed(record: Record, absent: list[str], *, tagged: bool) -> str:
    """The keys that can still be added."""
    names = list(absent) if tagged else [form.tag for form in record.forms]
    if record.others is not None:
        names.append(record.others.key.what)
    return f"It can have {listed(names)}." if names else "It has all that it can have."


class _Check:
    """One walk over a tree beside the registry."""

    def __init__(self, problems: Problems, *, whole: bool, sound: Sound | None = None) -> None:
        self.bad = Bad()
        self._sound = sound
        self._problems = problems
        self._whole = whole
        self._around: list[Node] = []
        self._strays: dict[int, Scalar] = {}

    def shape(self, shape: Shape, node: Node, label: str, at: Span) -> None:
        """Check `node` against `shape`. `label` names it in messages; `at` is where something missing is reported."""
        match shape:
            case Anything():
                return
            case _ if isinstance(node, Broken):
                self.bad.add(node, self._around)
            case ByNode():
                self._by_node(shape, node, label, at)
            case ListOf():
                self._list(shape, node, label)
            case MapOf():
                self._map(shape, node, label)
            case Use():
                self._record(_record_named(shape.record), node, label, at)
            case Data():
                self._data(shape, node, label)
            case Expression():
                self._expression(shape, node, label)
            case _:
                self._scalar(shape, node, label)

    # ---- forms of writing ---------------------------------------------------------------------------------------

    def _by_node(self, shape: ByNode, node: Node, label: str, at: Span) -> None:
        match node:
            case Scalar():
                inner = shape.scalar
            case Sequence():
                inner = shape.sequence
            case _:
                inner = shape.mapping
        if inner is None:
            self._wrong(shape, node, label)
        else:
            self.shape(inner, node, label, at)

    def _list(self, shape: ListOf, node: Node, label: str) -> None:
        if not isinstance(node, Sequence):
            self._wrong(shape, node, label)
            return
        if len(node.items) < shape.least:
            self._report("RS263", node, label=label, wanted=entries_wanted(shape.least, None))
        self._around.append(node)
        inner = f"Each entry of {label}" if label.startswith("'") else label
        if shape == STEPS:
            self._strays.update(_strays(node))
        for item in node.items:
            self.shape(shape.item, item, inner, first_line(item.span))
        self._around.pop()

    def _map(self, shape: MapOf, node: Node, label: str) -> None:
        if not isinstance(node, Mapping):
            self._wrong(shape, node, label)
            return
        entries = len(node.pairs) + len(node.broken)
        if entries < shape.least or (shape.most is not None and entries > shape.most):
            self._report("RS263", node, label=label, wanted=entries_wanted(shape.least, shape.most))
        self._around.append(node)
        for key, value in node.pairs:
            if self._name(shape.key, key, value, is_key=True):
                self._entry(shape.value, key, value)
        self._around.pop()

    def _entry(self, shape: Shape, key: Scalar, node: Node) -> None:
        """One entry of a map, if it is not known to be sound."""
        if self._sound is None or not isinstance(node, Mapping):
            self.shape(shape, node, quoted(key.text), key.span)
        elif (id(node), id(shape)) not in self._sound:
            before = len(self._problems)
            self.shape(shape, node, quoted(key.text), key.span)
            if before == len(self._problems) and not self.bad.touches(node):
                self._sound[id(node), id(shape)] = node

    def _data(self, shape: Data, node: Node, label: str) -> None:
        self._around.append(node)
        if isinstance(node, Sequence):
            for item in node.items:
                self.shape(shape, item, label, item.span)
        elif isinstance(node, Mapping):
            for _, value in node.pairs:
                self.shape(shape, value, label, value.span)
        self._around.pop()

    def _expression(self, shape: Expression, node: Node, label: str) -> None:
        if isinstance(node, Mapping):
            self._wrong(shape, node, label)
        elif isinstance(node, Sequence):
            self._around.append(node)
            for item in node.items:
                self.shape(shape, item, label, item.span)
            self._around.pop()

    def _scalar(self, shape: Shape, node: Node, label: str) -> None:
        if not isinstance(node, Scalar):
            self._wrong(shape, node, label)
            return
        match shape:
            case Name():
                self._name(shape.naming, node, node, is_key=False)
            case Word():
                self._word(shape, node, label)
            case Integer() if isinstance(node.value, int) and not isinstance(node.value, bool):
                self._integer(shape, node, node.value, label)
            case Boolean() if isinstance(node.value, bool):
                pass
            case Text() if isinstance(node.value, str):
                if shape.sentence:
                    check_sentence(node, self._problems)
            case Type() if isinstance(node.value, str):
                pass
            case _:
                self._wrong(shape, node, label)

    def _integer(self, shape: Integer, node: Scalar, value: int, label: str) -> None:
        if shape.least is not None and value < shape.least:
            self._report("RS264", node, label=label, wanted=f"at least {shape.least}")
        elif shape.most is not None and value > shape.most:
            self._report("RS264", node, label=label, wanted=f"at most {shape.most}")

    # ---- single values ------------------------------------------------------------------------------------------

    def _word(self, shape: Word, node: Scalar, label: str) -> None:
        if node.value in shape.names:
            return
        near, hint = near_to(node.text, shape.names), f"Write one of: {', '.join(shape.names)}."
        self._report("RS258", node, hint=hint, mend=near or (), label=label, found=node.text)

    def _name(self, naming: Naming, scalar: Scalar, node: Node, *, is_key: bool) -> bool:
        """Check a name; `node` is what is bad when it is none."""
        unreadable = isinstance(scalar.value, bool) and not is_key and not naming.reserved
        if unreadable or re.fullmatch(naming.pattern, scalar.text) is None:
            hint, mend = instead_of(naming, scalar)
            self._report("RS259", node, scalar.span, hint=hint, mend=mend, found=scalar.text, wanted=naming.what)
            return False
        if scalar.text in naming.reserved:
            self._report("RS260", node, scalar.span, hint=_OTHER_NAME, name=scalar.text)
            return False
        return True

    # ---- records ------------------------------------------------------------------------------------------------

    def _record(self, record: Record, node: Node, label: str, at: Span) -> None:
        if not isinstance(node, Mapping):
            self._wrong(Use(record=record.name), node, label)
            return
        if record.single and len(node.pairs) + len(node.broken) != 1:
            self._report("RS263", node, label=label, wanted=entries_wanted(1, 1))
            return
        tags = _tags(record, node)
        if len(tags) > 1:
            self._several_tags(record, node, tags)
            return
        fields = _fields(record.name, tags[0] if tags else None)
        unknown = [key for key, _ in node.pairs if key.text not in fields and not _is_other(record, key.text)]
        wanted = _sole_wanted(fields, node) if len(unknown) == 1 and (tags or not record.forms) else None
        guesses = [self._unknown(record, node, key, tags, fields, wanted) for key in unknown]
        if tags or not record.forms:
            self._missing(record, node, fields, at, frozenset(guesses))
        elif not unknown and self._demands(record):
            self._no_tag(record, node, at)
        self._entries(record, node, fields, frozenset(key.text for key in unknown))

    def _entries(self, record: Record, node: Mapping, fields: dict[str, Field], unknown: frozenset[str]) -> None:
        """The values of a record's keys."""
        self._around.append(node)
        for key, value in node.pairs:
            field = fields.get(key.text)
            if field is not None:
                self.shape(field.shape, value, quoted(key.text), key.span)
            elif key.text in unknown:
                self.bad.add(value, self._around)
            elif record.others is not None and self._name(record.others.key, key, value, is_key=True):
                self.shape(record.others.value, value, quoted(key.text), key.span)
        self._around.pop()

    def _unknown(
        self,
        record: Record,
        node: Mapping,
        key: Scalar,
        tags: list[str],
        fields: dict[str, Field],
        wanted: str | None,
    ) -> str | None:
        """Report a key that does not belong here; gives the field that was probably meant.

        `wanted` is the one field that must be there and is not, where this key is the only strange one.
        """
        self.bad.add(node, self._around)
        if tags and (homes := [form.tag for form in record.forms if _has(form.fields, key.text)]):
            hint = f"It goes with {listed(homes)}."
            hint = hint if wanted is None else f"Did you mean `{wanted}`? `{key.text}` goes with {listed(homes)}."
            mend = () if wanted is None else (changed(key.span, wanted),)
            self._report("RS257", node, key.span, hint=hint, mend=mend, name=key.text, tag=tags[0])
            return wanted
        absent = [name for name in fields if name not in node]
        code = {"file": "RS250", "step": "RS254"}.get(record.name, "RS251")
        if (said := hint_of_key(record.name, key.text)) is not None:
            self._report(code, node, key.span, hint=said, name=key.text, what=record.what)
            return None
        if record.forms and not tags and record.name == "step":
            verb = near_to(key.text, [form.tag for form in record.forms])
            if verb is not None or not any(name.text in fields for name, _ in node.pairs):
                self._report("RS254", node, key.span, mend=verb or (), name=key.text)
                return None if verb is None else verb.name
        near = near_to(key.text, absent)
        if wanted is not None and (near is None or len(key.text) < _LIKE_ANY):
            near = Near(wanted, key.text)
        self._report(
            "RS250" if record.name == "file" else "RS251",
            node,
            key.span,
            hint=_allowed(record, absent, tagged=bool(tags) or not record.forms),
            mend=near or (),
            name=key.text,
            what=record.what,
        )
        return None if near is None else near.name

    def _missing(
        self, record: Record, node: Mapping, fields: dict[str, Field], at: Span, guesses: frozenset[str | None]
    ) -> None:
        """Report required fields that are not there, but for those whose mistyped name was reported."""
        for field in fields.values():
            if not field.required or field.name in node or field.name in node.broken or field.name in guesses:
                continue
            stray = self._strays.get(id(node))
            if self._demands(record) and (stray is None or stray.text != field.name):
                hint = f"For example `{field.name}: {field.example}`." if "\n" not in field.example else None
                self._report("RS252", node, at, hint=hint, what=record.what, name=field.name)

    def _no_tag(self, record: Record, node: Mapping, at: Span) -> None:
        if any(record.form(key) is not None for key in node.broken):
            return
        if record.name != "step":
            self._report("RS261", node, at, what=record.what, tags=record.tags)
            return
        key = node.pairs[0][0] if node.pairs else None
        homes = [] if key is None else [form.tag for form in record.forms if _has(form.fields, key.text)]
        hint = f"`{key.text}` goes with {listed(homes)}." if key is not None and homes else _VERBS_HINT
        hint = (None if key is None else hint_of_key(record.name, key.text)) or hint
        mend: tuple[Fix, ...] = ()
        if key is not None and any(key is stray for stray in self._strays.values()):
            hint, mend = "It belongs to the step above: take the `- ` away.", mends.without_dash(key)
        self._report("RS255", node, at if key is None else key.span, hint=hint, mend=mend)

    def _several_tags(self, record: Record, node: Mapping, tags: list[str]) -> None:
        first, second = node.key_node(tags[0]), node.key_node(tags[1])
        if first is None or second is None:
            return
        related = [Related(f"`{first.text}` stands here", first.span)]
        hint, mend = None, tuple[Fix, ...]()
        code = "RS256" if record.name == "step" else "RS262"
        if record.name == "step":
            hint, mend = "Begin a new step: put `- ` before the second verb.", mends.with_dash(second)
        facts = {"what": record.what, "first": first.text, "second": second.text}
        self._report(code, node, second.span, hint=hint, mend=mend, related=related, **facts)

    def _demands(self, record: Record) -> bool:
        """Whether what is missing is missed now, and not only in the whole game."""
        return self._whole or not record.partial

    # ---- reporting ----------------------------------------------------------------------------------------------

    def _wrong(self, shape: Shape, node: Node, label: str) -> None:
        hint, mend = mend_for(shape, node), mends.in_shape(shape, node)
        wanted, found = wanted_shape(shape), found_shape(node)
        self._report("RS253", node, hint=hint, mend=mend, label=label, wanted=wanted, found=found)

    def _report(
        self,
        code: str,
        node: Node,
        at: Span | None = None,
        *,
        hint: str | None = None,
        mend: Near | tuple[Fix, ...] = (),
        related: Iterable[Related] = (),
        **args: object,
    ) -> None:
        self.bad.add(node, self._around)
        span = first_line(at or node.span)
        if (isinstance(node, Scalar) or code == "RS259") and (strange := strange_in(span)) is not None:
            report_strange(span.file, strange, self._problems)
            return
        near, fixes = (mend, ()) if isinstance(mend, Near) else (None, mend)
        self._problems.add(code, span, hint=hint, near=near, related=related, fixes=fixes, **args)
