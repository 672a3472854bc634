"""The reference of the language and the completion data, made from the registry.

language_page()   # Markdown: every section, key, step, operator and type
language_data()   # the same facts as plain data, for editors
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from rulespec.model.describe import listed
from rulespec.model.registry import REGISTRY
from rulespec.model.registry.common import COMMON
from rulespec.model.registry.names import BUILTIN_NAMES, GRAMMAR_WORDS
from rulespec.model.shapes import (
    STEPS,
    Anything,
    Boolean,
    ByNode,
    Data,
    Expression,
    Field,
    Form,
    Integer,
    ListOf,
    MapOf,
    Name,
    Operator,
    Record,
    Shape,
    Text,
    Type,
    Use,
    Word,
)

#: Records with a chapter of their own, since many others use them.
SHARED: Final = ("attribute", "source", "check", "message")

_HEAD: Final = """\
# The language

Made from the registry of the language (`rulespec/model/registry/`) by `python -m rulespec.model.generate`.

A content file is a YAML map of [sections](#sections). A game is the union of its files, whose names mean nothing: maps
merge by new keys, lists never merge, and a key that stands twice is an error. Most things may have `about`, a remark
for the readers of the file, and `source`: a text, [an entry](#source) or a list of entries that say where a fact comes
from. The examples of the sections make one small game together.

An *expression* is read by the rules of the [last chapter](#expressions). In block style it needs no quotes; inside
`{ }` and `[ ]` YAML ends it at `,`, `[`, `]`, `{` and `}`, so move longer ones out of the braces.
"""

_STEPS_HEAD: Final = """\
## Steps

A list of steps is what `do`, `then`, `setup`, `flow` and the like hold. Each step is a map with exactly one verb; its
other keys are the verb's fields. Any step may also have `id`, a name for variants to find it by, and `about`.
"""


# ---- the page ---------------------------------------------------------------------------------------------------


def language_page() -> str:
    """The reference page, as Markdown."""
    parts = [_HEAD, _contents(), "## Sections\n"]
    told = {"file", "step", "choice", *SHARED}
    parts += [_section(section, told) for section in REGISTRY.root.fields]
    parts.append("## Parts that many declarations share\n")
    parts += [_record(REGISTRY.record(name), level=3) for name in SHARED]
    parts += [_STEPS_HEAD, *(_verb(form) for form in REGISTRY.record("step").forms)]
    parts.append(_record(REGISTRY.record("choice"), level=3))
    parts.append(_expressions())
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _contents() -> str:
    sections = " ".join(f"[`{field.name}`](#{field.name})" for field in REGISTRY.root.fields)
    verbs = " ".join(f"[`{form.tag}`](#step-{form.tag})" for form in REGISTRY.record("step").forms)
    return f"Sections: {sections}\n\nVerbs of steps: {verbs}\n"


def _section(section: Field, told: set[str]) -> str:
    text = [f"### {section.name}\n", f"{section.meaning}\n", f"Holds {holds(section.shape)}.\n"]
    text.append(f"```yaml\n{section.name}:\n{_indented(section.example)}```\n")
    for name in _records_in(section.shape):
        if name not in told:
            told.add(name)
            text.append(_record(REGISTRY.record(name), level=4))
    return "\n".join(text)


def _records_in(shape: Shape) -> Iterator[str]:
    """The records that a shape leads to, nearest first, without the steps."""
    waiting, seen = list(_uses(shape)), set[str]()
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        yield name
        record = REGISTRY.record(name)
        shapes = [field.shape for field in record.all_fields() if field.shape != STEPS]
        shapes += [record.others.value] if record.others is not None else []
        waiting += [inner for each in shapes for inner in _uses(each)]


def _uses(shape: Shape | None) -> Iterator[str]:
    match shape:
        case Use():
            yield shape.record
        case ListOf():
            yield from _uses(shape.item)
        case MapOf():
            yield from _uses(shape.value)
        case ByNode():
            for form in (shape.scalar, shape.sequence, shape.mapping):
                yield from _uses(form)


def _record(record: Record, level: int) -> str:
    text = [f"{'#' * level} {heading(record)}\n", f"{record.meaning}\n"]
    fields = [field for field in record.fields if field not in COMMON]
    if fields:
        text.append(_table(fields))
    if also := [field.name for field in record.fields if field in COMMON]:
        text.append(f"{'Also' if fields else 'It can have'} {listed(also, 'and')}.\n")
    if record.others is not None:
        text.append(f"Every other key is {record.others.key.what} and holds {holds(record.others.value)}.\n")
    if record.forms:
        text.append(f"Exactly one of these forms ({record.tags}):\n")
    for form in record.forms:
        text += [_table(form.fields), f"```yaml\n{form.example.rstrip()}\n```\n"]
    return "\n".join(text)


def heading(record: Record) -> str:
    """The heading of a record's part of the page."""
    return record.what[0].upper() + record.what[1:] if record.name != "source" else "Source"


def _verb(form: Form) -> str:
    head = f'### <a id="step-{form.tag}"></a>{form.tag}\n'
    return "\n".join([head, f"{form.meaning}\n", _table(form.fields), f"```yaml\n{form.example}```\n"])


def _table(fields: Iterable[Field]) -> str:
    lines = ["| key | holds | meaning | when left out | example |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| `{field.name}` | {' | '.join(map(_cell, _columns(field)))} |" for field in fields]
    return "\n".join(lines) + "\n"


def _columns(field: Field) -> tuple[str, str, str, str]:
    without = "required" if field.required else (field.default or "nothing")
    return holds(field.shape), _with_words(field), without, f"`{field.example.strip()}`"


def _with_words(field: Field) -> str:
    words = field.shape.words if isinstance(field.shape, Word) else ()
    return " ".join([field.meaning, *(f"`{word}`: {meaning}" for word, meaning in words)])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _indented(yaml: str) -> str:
    return "".join(f"  {line}\n" for line in yaml.splitlines())


def holds(shape: Shape) -> str:
    """What a shape holds, in words; longer than a message has room for."""
    if shape == STEPS:
        return "[steps](#steps)"
    match shape:
        case Word():
            return listed(shape.names)
        case Name():
            return shape.naming.what
        case Expression():
            return f"expression: {shape.expects}"
        case ListOf():
            return f"list of: {holds(shape.item)}"
        case MapOf():
            return f"map from {shape.key.what} to: {holds(shape.value)}"
        case Use():
            return f"[{REGISTRY.record(shape.record).what}](#{_anchor(REGISTRY.record(shape.record))})"
        case ByNode():
            forms = [form for form in (shape.scalar, shape.sequence, shape.mapping) if form is not None]
            return ", or ".join(holds(form) for form in forms)
        case _:
            return _HELD[type(shape)]


_HELD: Final[dict[type[Shape], str]] = {
    Text: "text",
    Integer: "whole number",
    Boolean: "`true` or `false`",
    Type: "type",
    Data: "expression, or a table of them",
    Anything: "what the path can hold",
}


def _anchor(record: Record) -> str:
    kept = [mark for mark in heading(record).lower() if mark.isalnum() or mark in " -_"]
    return "".join(kept).replace(" ", "-")


def _expressions() -> str:
    text = ["## Expressions\n", "### Operators\n", "Loosest first; `( )` as usual.\n", _operators(REGISTRY.operators)]
    text += ["### Built-in names\n", _operators(REGISTRY.builtins)]
    text += ["### Built-in members\n", "Read after a dot.\n", _operators(REGISTRY.members)]
    text += ["### Types\n", _operators(REGISTRY.types)]
    text += ["### Scopes\n", "Which names an expression can read depends on where it stands.\n"]
    text += ["| scope | names |\n| --- | --- |"]
    text += [f"| {name} | {_cell(meaning)} |" for name, meaning in REGISTRY.scopes]
    text += ["\n### Words of the language\n", "These cannot be names that stand alone; after a dot any name can.\n"]
    text.append(" ".join(f"`{word}`" for word in sorted(GRAMMAR_WORDS | BUILTIN_NAMES)))
    return "\n".join(text)


def _operators(operators: Iterable[Operator]) -> str:
    lines = ["| form | gives | meaning | example |", "| --- | --- | --- | --- |"]
    for operator in operators:
        cells = (f"`{operator.form}`", operator.gives, operator.meaning, f"`{operator.example}`")
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines) + "\n"


# ---- the data ---------------------------------------------------------------------------------------------------


def language_data() -> dict[str, Any]:
    """Everything that can be written, as plain data: for completion and hover in editors."""
    step = REGISTRY.record("step")
    return {
        "version": 1,
        "sections": [_field_data(field) for field in REGISTRY.root.fields],
        "records": {record.name: _record_data(record) for record in REGISTRY.records if record.name != "file"},
        "verbs": [form.tag for form in step.forms],
        "operators": [_operator_data(operator) for operator in REGISTRY.operators],
        "builtins": [_operator_data(operator) for operator in REGISTRY.builtins],
        "members": [_operator_data(operator) for operator in REGISTRY.members],
        "types": [_operator_data(operator) for operator in REGISTRY.types],
        "scopes": dict(REGISTRY.scopes),
        "reserved": sorted(GRAMMAR_WORDS | BUILTIN_NAMES),
    }


def _record_data(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = {"meaning": record.meaning, "fields": [_field_data(field) for field in record.fields]}
    if record.forms:
        data["forms"] = {
            form.tag: {"example": form.example, "fields": [_field_data(field) for field in form.fields]}
            for form in record.forms
        }
    if record.others is not None:
        data["others"] = {"key": record.others.key.what, **_shape_data(record.others.value)}
    return data


def _field_data(field: Field) -> dict[str, Any]:
    data: dict[str, Any] = {"name": field.name, "meaning": field.meaning, "required": field.required}
    if field.default is not None:
        data["default"] = field.default
    return data | {"example": field.example, **_shape_data(field.shape)}


def _shape_data(shape: Shape) -> dict[str, Any]:
    """The facts that completion asks for: in words, the allowed words, the records inside, the scope."""
    data: dict[str, Any] = {"holds": holds(shape)}
    if isinstance(shape, Word):
        data["words"] = dict(shape.words)
    if isinstance(shape, Expression):
        data |= {"expects": shape.expects, "scope": shape.scope}
    if inner := list(dict.fromkeys(_uses(shape))):
        data["records"] = inner
    return data


def _operator_data(operator: Operator) -> dict[str, str]:
    return {
        "name": operator.name,
        "form": operator.form,
        "gives": operator.gives,
        "meaning": operator.meaning,
        "example": operator.example,
    }
