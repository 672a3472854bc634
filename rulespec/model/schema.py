"""The JSON Schema (2020-12) of content files, made from the registry: for editors and for `jsonschema`.

Objects are closed. Where a map has several forms, the key that is there picks one by `if`/`then`, so that an editor
names the one wrong key instead of all forms that did not fit; `oneOf` and `anyOf` do not occur.

    schema = content_schema()
    Draft202012Validator(schema).validate(plain_data)
"""

from __future__ import annotations

from typing import Any, Final

from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import (
    STEPS,
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
    Naming,
    Record,
    Shape,
    Text,
    Type,
    Use,
    Word,
)

Json = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_SCALARS: Final = ["string", "integer", "boolean"]


def modeline(schema: str) -> str:
    """The first line of a content file, which tells editors where the schema is: an address or a relative path."""
    return f"# yaml-language-server: $schema={schema}"


def content_schema() -> Json:
    """The schema of any content file."""
    root = _record(REGISTRY.root)
    records = [record for record in REGISTRY.records if record is not REGISTRY.root]
    definitions = {"data": _data(), "expression": _expression(), "steps": _list(ListOf(item=Use(record="step")))}
    for record in records:
        definitions[record.name] = _record(record)
        for form in record.forms:
            definitions[_form_name(record, form)] = _form(record, form)
    return {
        "$schema": DIALECT,
        **root,
        "allOf": [_game_or_variant()],
        "$defs": dict(sorted(definitions.items())),
    }


def _game_or_variant() -> Json:
    """A file that declares the game's id is no variant."""
    game = {"type": "object", "required": ["id"]}
    return {
        "if": {"type": "object", "required": ["game"], "properties": {"game": game}},
        "then": {"properties": {"variant": False}},
    }


# ---- records ----------------------------------------------------------------------------------------------------


def _record(record: Record) -> Json:
    if record.forms:
        return _record_with_forms(record)
    properties = {field.name: _field(field) for field in record.fields}
    schema: Json = {"description": record.meaning, "type": "object", "properties": properties}
    if record.others is None:
        schema["additionalProperties"] = False
    else:
        schema["additionalProperties"] = _shape(record.others.value)
        schema["propertyNames"] = {"if": {"not": {"enum": list(properties)}}, "then": _key(record.others.key)}
    if record.single:
        schema |= {"minProperties": 1, "maxProperties": 1}
    required = [field.name for field in record.fields if field.required]
    if required and not record.partial:
        schema["required"] = required
    return schema


def _record_with_forms(record: Record) -> Json:
    """The tag that is there picks a form. Tags are listed here too, so that editors can offer them."""
    tags = [form.tag for form in record.forms]
    rules: list[Json] = [
        {"if": {"type": "object", "required": [form.tag]}, "then": {"$ref": f"#/$defs/{_form_name(record, form)}"}}
        for form in record.forms
    ]
    no_tag = {"type": "object", "propertyNames": {"not": {"enum": tags}}}
    if record.partial:
        # Nothing is said yet about its form: any form's fields may stand here, and the whole game shows what lacks.
        known = {field.name: _field(field) for field in record.all_fields() if field.name not in tags}
        rules.append({"if": no_tag, "then": {"properties": known, "additionalProperties": False}})
    else:
        rules.append({"if": no_tag, "then": {"propertyNames": {"enum": tags}, "minProperties": 1}})
    return {
        "description": record.meaning,
        "type": "object",
        "properties": {form.tag: _described(form.fields[0]) for form in record.forms},
        "allOf": rules,
    }


def _form_name(record: Record, form: Form) -> str:
    return f"{record.name}.{form.tag}"


def _form(record: Record, form: Form) -> Json:
    tag, *fields = form.fields
    properties = {tag.name: _shape(tag.shape)}
    properties |= {field.name: _field(field) for field in (*fields, *record.fields)}
    required = [field.name for field in (*form.fields, *record.fields) if field.required]
    must = {} if record.partial else {"required": required}
    return {"type": "object", "properties": properties, **must, "additionalProperties": False}


def _field(field: Field) -> Json:
    return _described(field) | _shape(field.shape)


def _described(field: Field) -> Json:
    """What an editor shows when the pointer rests on a key: most show the one, some the longer other."""
    parts = [field.meaning]
    if isinstance(field.shape, Expression):
        parts.append(f"An expression: {field.shape.expects}.")
    if isinstance(field.shape, Word):
        parts.append(" ".join(f"`{word}`: {meaning}" for word, meaning in field.shape.words))
    if field.default is not None:
        parts.append(f"Left out: {field.default}.")
    if "\n" not in field.example:
        parts.append(f"Example: `{field.name}: {field.example}`")
    return {"description": field.meaning, "markdownDescription": "\n\n".join(parts)}


# ---- shapes -----------------------------------------------------------------------------------------------------


def _shape(shape: Shape) -> Json:
    if shape == STEPS:
        return {"$ref": "#/$defs/steps"}
    match shape:
        case ListOf():
            return _list(shape)
        case MapOf():
            return _map(shape)
        case ByNode():
            return _by_node(shape)
        case Use():
            return {"$ref": f"#/$defs/{shape.record}"}
        case Expression():
            return {"$ref": "#/$defs/expression"}
        case Data():
            return {"$ref": "#/$defs/data"}
        case _:
            return _scalar(shape)


def _scalar(shape: Shape) -> Json:
    match shape:
        case Text() | Type():
            return {"type": "string"}
        case Integer(least=least, most=most):
            bounds = {"minimum": least, "maximum": most}
            return {"type": "integer", **{word: bound for word, bound in bounds.items() if bound is not None}}
        case Boolean():
            return {"type": "boolean"}
        case Word():
            return {"enum": list(shape.names)}
        case Name():
            return _name(shape.naming)
        case _:
            return {}


def _name(naming: Naming) -> Json:
    schema: Json = {"type": "string", "pattern": naming.pattern}
    if naming.id == "players":
        schema = {"type": ["string", "integer"], "pattern": naming.pattern, "minimum": 1, "maximum": 99}
    if naming.reserved:
        schema["not"] = {"enum": sorted(naming.reserved)}
    return schema


def _key(naming: Naming) -> Json:
    return {word: value for word, value in _name(naming).items() if word != "type"}


def _list(shape: ListOf) -> Json:
    schema: Json = {"type": "array", "items": _shape(shape.item)}
    if shape.least:
        schema["minItems"] = shape.least
    return schema


def _map(shape: MapOf) -> Json:
    schema: Json = {"type": "object", "additionalProperties": _shape(shape.value)}
    if shape.key.id != "any":
        schema["propertyNames"] = _key(shape.key)
    if shape.least:
        schema["minProperties"] = shape.least
    if shape.most is not None:
        schema["maxProperties"] = shape.most
    return schema


def _by_node(shape: ByNode) -> Json:
    """One schema for each kind of YAML node."""
    forms: list[tuple[list[str], Shape]] = []
    if shape.scalar is not None:
        forms.append((_SCALARS, shape.scalar))
    if shape.sequence is not None:
        forms.append((["array"], shape.sequence))
    if shape.mapping is not None:
        forms.append((["object"], shape.mapping))
    if len(forms) == 1:
        return _shape(forms[0][1])
    kinds = [kind for names, _ in forms for kind in names]
    rules = [{"if": {"type": _one_or_list(names)}, "then": _shape(form)} for names, form in forms]
    return {"type": kinds, "allOf": rules}


def _one_or_list(names: list[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else names


def _expression() -> Json:
    return {
        "description": "An expression. A list at its very start is written as a YAML list.",
        "type": [*_SCALARS, "array"],
        "items": {"$ref": "#/$defs/expression"},
    }


def _data() -> Json:
    return {
        "description": "An expression, or a table of them: a list by position, or a map by key.",
        "type": [*_SCALARS, "array", "object"],
        "items": {"$ref": "#/$defs/data"},
        "additionalProperties": {"$ref": "#/$defs/data"},
    }
