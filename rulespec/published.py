"""Data from elsewhere that a published schema describes: whether it has that form, and where it has not.

    fault = first_fault(json.loads(text), "log", "decision")
    fault.words                       # "`n` is a whole number"
    place_of(text, fault)             # where that stands in the text

The schemas are the files of `schemas/`. `jsonschema` is read when the first data come.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from rulespec.source.shipped import schemas_root

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_TYPES: Final = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "object": "a map",
    "array": "a list",
    "boolean": "true or false",
    "null": "null",
}
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, in words for a message, and the keys and numbers that lead to it.

    With `is_key` it is the last key itself that must not be there.
    """

    words: str
    path: tuple[str | int, ...]
    is_key: bool = False


def first_fault(data: Any, schema: str, part: str | None = None) -> Fault | None:
    """The fault of data that stands highest in them; None where they have the form.

    `schema` names a file `schemas/….schema.json`, `part` one of its `$defs`.
    """
    errors = list(_validator(schema, part).iter_errors(data))
    if not errors:
        return None
    return _fault(min(errors, key=lambda error: len(error.absolute_path)))


@cache
def _validator(schema: str, part: str | None) -> Validator:
    from jsonschema import Draft202012Validator, validators

    whole = json.loads((schemas_root() / f"{schema}.schema.json").read_text(encoding="utf-8"))
    if part is not None:
        whole = {"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]}
    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)  # and not 1.0
    strict: Any = validators
    made: Validator = strict.extend(Draft202012Validator, type_checker=checker)(whole)
    return made


def _fault(error: Any) -> Fault:
    """The words for an error: those of the schema where it has some, since they say what is meant."""
    path, schema, rule, wanted = tuple(error.absolute_path), error.schema, error.validator, error.validator_value
    owner = schema.get("title", "this map")
    if rule == "required":
        missing = next(each for each in wanted if each not in error.instance)
        return Fault(f"{owner} has a field `{missing}`", path)
    if rule == "additionalProperties":
        other = next(each for each in error.instance if each not in schema.get("properties", {}))
        return Fault(f"{owner} has no field `{other}`", (*path, other), is_key=True)
    said = _said(rule, wanted) or schema.get("description") or f"otherwise: {error.message}"
    return Fault(f"{f'`{_name(path)}`' if path else owner} is {said}", path)


def _said(rule: object, wanted: Any) -> str | None:
    """What a rule of the schema asks for, where it says that by itself."""
    if rule == "type":
        return " or ".join(_TYPES[each] for each in ([wanted] if isinstance(wanted, str) else wanted))
    if rule == "const":
        return json.dumps(wanted)
    return f"one of {', '.join(map(json.dumps, wanted))}" if rule == "enum" else None


def _name(path: tuple[str | int, ...]) -> str:
    """`seats[1]`, `result.scores`."""
    found = ""
    for step in path:
        found += f"[{step}]" if isinstance(step, int) else f".{step}"
    return found.removeprefix(".")


# ---- places in JSON --------------------------------------------------------------------------------------------------


def place_of(text: str, fault: Fault) -> tuple[int, int]:
    """Where a fault stands in the JSON text that was read: offsets of its beginning and end."""
    at = _skip(text, 0)
    end = _DECODER.raw_decode(text, at)[1]
    for number, step in enumerate(fault.path, 1):
        key, value = [(key, value) for name, key, value in _members(text, at) if name == step][
            -1
        ]  # the last one counts
        if fault.is_key and number == len(fault.path):
            return key
        at, end = value
    return at, end


def _members(text: str, at: int) -> Iterator[tuple[str | int, tuple[int, int], tuple[int, int]]]:
    """The members of an object or a list: name or number, place of the key, place of the value."""
    is_object = text[at] == "{"
    at, number = _skip(text, at + 1), 0
    while text[at] not in "]}":
        start, name = at, number
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
        key = start, at
        if is_object:
            at = _skip(text, _skip(text, at) + 1)
        value = at, _DECODER.raw_decode(text, at)[1]
        yield name, key, value
        at = _skip(text, value[1])
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()
