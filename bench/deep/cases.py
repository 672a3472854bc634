"""All contents that are nested deep or repeated wide: one list, made from the registry.

for case in cases(): case.files()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.deep.islands import ASIDE, Tree, island, overlay, put, read, routes
from bench.deep.links import LINKS, Files
from bench.deep.nested import (
    Row,
    acted,
    chained,
    every_verb,
    expressed,
    holding,
    nested,
    repeated,
    rows,
    stepped,
    typed,
)
from bench.deep.shaped import deep, wide
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import Field, Form, Record

DEPTHS = (20, 100, 1_000, 20_000)
WIDTH = 10_000
CHAINS = (20, 100, 400, 900, WIDTH, 20_000)  #: how long chains of declarations are: a section has 1,000 at most
CHUNK = 2_000  #: entries of one section in one file


@dataclass(frozen=True, slots=True)
class Case:
    """A content: what it is made of, how often, and its trees by the names of files."""

    construct: str
    what: str
    size: int
    make: Callable[[int], Tree | Files]

    def __str__(self) -> str:
        return f"{self.construct}, {self.what} x {self.size}"

    def texts(self) -> dict[str, str]:
        """The files."""
        made = self.make(self.size)
        files = made if all("." in name for name in made) else {"game.yaml": made}
        return {name: "".join(written(tree)) for whole in files for name, tree in split(whole, files[whole])}


def split(name: str, tree: Tree) -> Iterator[tuple[str, Tree]]:
    """A file as several, so that none has more entries in a section than one file may have."""
    rest: Tree = {}
    for section, value in tree.items():
        entries = list(value.items()) if isinstance(value, dict) else []
        rest[section] = dict(entries[:CHUNK]) if len(entries) > CHUNK else value
        for at in range(CHUNK, len(entries), CHUNK):
            yield f"{section}_{at}_{name}", {section: dict(entries[at : at + CHUNK])}
    yield name, rest


def written(tree: Any) -> Iterator[str]:
    """A tree as JSON, however deep it is: what is still to come lies on a stack."""
    waiting: list[Any] = [(tree,)]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case (dict(pairs),):
                inner: list[Any] = ["{"]
                for at, (key, value) in enumerate(pairs.items()):
                    inner += [", " * (at > 0) + json.dumps(str(key), ensure_ascii=False) + ": ", (value,)]
                waiting += reversed([*inner, "}"])
            case (list(items),):
                inner = ["["]
                for at, value in enumerate(items):
                    inner += [", " * (at > 0), (value,)]
                waiting += reversed([*inner, "]"])
            case (leaf,):
                yield json.dumps(leaf, ensure_ascii=False)


def cases() -> Iterator[Case]:
    """Every case: of fields, of words of expressions and types, of verbs, of declarations that hang on one another."""
    yield from _of_fields()
    yield from _of_words()
    yield from _of_verbs()
    yield from _of_links()


def constructs() -> frozenset[str]:
    """All that the registry lists: what must have cases."""
    found = {f"{record.name}.{field.name}" for record in REGISTRY.records for field in record.all_fields()}
    for what, listed in (
        ("operator", REGISTRY.operators),
        ("builtin", REGISTRY.builtins),
        ("member", REGISTRY.members),
        ("type", REGISTRY.types),
    ):
        found |= {f"{what} {word.name}" for word in listed}
    return frozenset(found)


def _of_fields() -> Iterator[Case]:
    for record in REGISTRY.records:
        for field in {field.name: field for field in record.all_fields()}.values():
            yield from _of_field(record, field)


def _of_field(record: Record, field: Field) -> Iterator[Case]:
    construct = f"{record.name}.{field.name}"

    def holding(kind: Callable[[Field, int], Iterator[Any]], at: int) -> Callable[[int], Tree | Files]:
        return lambda size: _with(record, field, list(kind(field, size))[at].value)

    for at, made in enumerate(deep(field, 1)):
        yield from (Case(construct, made.what, depth, holding(deep, at)) for depth in (20, *DEPTHS[1:]))
    for at, made in enumerate(wide(field, 1)):
        yield Case(construct, made.what, WIDTH, holding(wide, at))


def _with(record: Record, field: Field, value: Any) -> Tree | Files:
    """The files of the game with a field."""
    if record.name == "file" and field.name not in ASIDE:
        return island() | {field.name: value}
    if record.name == "pack" or (record.name, field.name) == ("file", "pack"):
        return {"game.yaml": island(), "pack.yaml": put({"messages": {}}, record.name, field, value)}
    if any(hop.field is not None and hop.field.name == "variant" for hop in routes()[record.name]) or (
        field.name in ASIDE
    ):
        return {"game.yaml": island(), "variants/floods.yaml": put(overlay(), record.name, field, value)}
    return put(island(), record.name, field, value)


def _of_words() -> Iterator[Case]:
    for number, row in enumerate(rows()):
        what = f"{row.of} {number}"
        if row.of == "type":
            yield from (Case(row.word, what, depth, partial(_typed, row)) for depth in DEPTHS)
            continue
        yield from (Case(row.word, what, depth, partial(expressed, row)) for depth in (20, 50, *DEPTHS[1:]))
        if row.of == "integer":
            yield from (Case(row.word, f"calls {what}", depth, partial(chained, row)) for depth in DEPTHS)
        if row.of != "effect":
            yield Case(row.word, f"wide {what}", WIDTH, partial(repeated, row))


def _typed(row: Row, depth: int) -> Tree:
    return typed(nested(row, depth))


def _of_verbs() -> Iterator[Case]:
    for form, field in holding():
        for depth in DEPTHS:
            yield Case(f"step.{form.tag}", field.name, depth, partial(_in_action, form, field))
            yield Case(f"step.{form.tag}", f"flow {field.name}", depth, partial(_in_flow, form, field))
    for depth in DEPTHS:
        yield Case("step", "every verb", depth, lambda n: acted(island(), every_verb(n)))
    for form in REGISTRY.record("step").forms:
        yield Case(f"step.{form.tag}", "wide", WIDTH, partial(_in_a_row, form))


def _in_action(form: Form, field: Field, depth: int) -> Tree:
    return acted(island(), stepped(form, field, depth))


def _in_flow(form: Form, field: Field, depth: int) -> Tree:
    return island() | {"flow": stepped(form, field, depth)}


def _in_a_row(form: Form, width: int) -> Tree:
    """The example of a verb so many times, each with names of its own."""
    steps: list[Any] = read(form.example)
    return acted(island(), [{"if": "me.coins >= 0", "then": steps} for _ in range(width)])


def _of_links() -> Iterator[Case]:
    for section, ways in LINKS.items():
        for what, make in ways.items():
            yield from (Case(section, f"chain by {what}", length, make) for length in CHAINS)
