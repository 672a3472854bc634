"""Expressions, types and steps nested in themselves, from the rows of the registry and `forms.yaml`.

nested("boolean", "not ({})", 20)
stepped(form, field, 20)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.deep.islands import Tree, island, read, value_of
from rulespec.model.registry import REGISTRY
from rulespec.model.shapes import STEPS, Field, Form

#: the lists of words of the registry, by their names in `forms.yaml`
WORDS = {
    "operators": REGISTRY.operators,
    "builtins": REGISTRY.builtins,
    "members": REGISTRY.members,
    "types": REGISTRY.types,
}
#: what a step with a name of its own goes through, so that the name may be any
GONE_THROUGH = {"choose": ("from", "player"), "for_each": ("in", "player")}


@dataclass(frozen=True, slots=True)
class Row:
    """One way to put a word of the language into itself; `text` has `{}` for the inner one and `#` for the level."""

    word: str
    of: str
    text: str


@cache
def forms() -> dict[str, dict[str, Any]]:
    """What `forms.yaml` holds."""
    found: dict[str, dict[str, Any]] = read(Path(__file__).with_name("forms.yaml").read_text(encoding="utf-8"))
    return found


def rows() -> Iterator[Row]:
    """Every way to nest a word of an expression or a type."""
    for section in WORDS:
        for word, by_type in forms()[section].items():
            for of, texts in by_type.items():
                yield from (Row(f"{section[:-1]} {word}", of, text) for text in texts)


def nested(row: Row, depth: int) -> str:
    """A row's form inside itself so deep."""
    text: str = forms()["innermost"][row.of]
    for level in range(depth):
        text = row.text.replace("#", str(level)).replace("{}", text)
    return text


def as_integer(of: str, text: str) -> str:
    """A whole number that is found from an expression of a type."""
    form: str = forms()["as_integer"][of]
    return form.replace("{}", text)


def typed(text: str) -> Tree:
    """The game with a function, an attribute and a state of this type."""
    tree = island()
    tree["functions"]["typed"] = {"params": {"x": text}, "type": "boolean", "is": "true"}
    tree["state"]["typed"] = {"type": text, "start": "none"}
    return tree


def expressed(row: Row, depth: int) -> Tree:
    """The game with an expression in a function and in the steps of an action."""
    tree = island()
    tree["effects"]["over"] = {"params": {"e": "effect"}, "do": [{"perform": "e"}]}
    text = nested(row, depth)
    bound = [{"let": "p", "be": "me"}, {"choose": "c", "from": "cell"}]
    if row.of == "effect":
        steps = [*bound, {"perform": text}]
    else:
        found = as_integer(row.of, text)
        params = {"p": "player", "c": "cell"}
        tree["functions"]["deep"] = {"params": params, "type": "integer", "is": found}
        tree["hints"]["worth"]["deep"] = "sum(deep(player, z) for z in cell)"
        steps = [*bound, {"let": "n", "be": found}, {"require": "n + deep(p, c) != 77777"}]
    return acted(tree, [*steps, {"gain": {"coins": 1}}])


def chained(row: Row, length: int) -> Tree:
    """The same through functions, each of which has the form around the next one."""
    tree, params = island(), {"p": "player", "c": "cell"}
    inner = as_integer(row.of, nested(row, 0))
    for level in range(length):
        of = nested(Row(row.word, row.of, row.text.replace("#", str(level % 9))), 1)
        text = of.replace(forms()["innermost"]["integer"], f"f{level + 1}(p, c)", 1)
        tree["functions"][f"f{level}"] = {"params": params, "type": "integer", "is": as_integer(row.of, text)}
    tree["functions"][f"f{length}"] = {"params": params, "type": "integer", "is": inner}
    return acted(tree, [{"choose": "c", "from": "cell"}, {"require": "f0(me, c) != 77777"}, {"gain": {"coins": 1}}])


def repeated(row: Row, width: int) -> Tree:
    """The same in so many functions, each of which is called."""
    tree, params = island(), {"p": "player", "c": "cell"}
    text = as_integer(row.of, nested(row, 1))
    for at in range(width):
        tree["functions"][f"f{at}"] = {"params": params, "type": "integer", "is": text}
    return acted(tree, [{"choose": "c", "from": "cell"}, {"require": "f0(me, c) != 77777"}, {"gain": {"coins": 1}}])


def acted(tree: Tree, steps: list[Any]) -> Tree:
    """A game whose flow first offers an action with these steps."""
    tree["actions"]["settle"] = {"do": steps}
    turns = {"turns": "clockwise(first_player)", "do": [{"try": [{"perform": "settle"}]}]}
    tree["flow"] = [{"repeat": [turns], "times": 3}]
    tree["triggers"] = {}
    tree.pop("scenarios")
    tree["rules"]["bridge_cost"].pop("shown_by")
    tree["messages"].pop("settle.log", None)
    return tree


# ---- steps ----------------------------------------------------------------------------------------------------------


def holding() -> Iterator[tuple[Form, Field]]:
    """Each verb with each of its fields that hold steps."""
    for form in REGISTRY.record("step").forms:
        yield from ((form, field) for field in form.fields if field.shape == STEPS)


def step(form: Form, number: int = 0) -> Tree:
    """A smallest step of a verb; what it binds has the number in its name."""
    made = {field.name: value_of(field) for field in form.fields if field.required}
    if form.tag in GONE_THROUGH or form.tag == "let":
        made[form.tag] = f"x{number}"
    if form.tag in GONE_THROUGH:
        key, value = GONE_THROUGH[form.tag]
        made[key] = value
    if form.tag == "repeat":
        made["times"] = 2
    return made


def stepped(form: Form, field: Field, depth: int) -> list[Any]:
    """A verb inside itself so deep."""
    inner: list[Any] = [{"gain": {"coins": 1}}]
    for level in range(depth):
        inner = [step(form, level) | {field.name: inner}]
    return inner


def every_verb(depth: int) -> list[Any]:
    """Each verb that holds steps around the next one, in turn."""
    inner: list[Any] = [{"gain": {"coins": 1}}]
    ways = list(holding())
    for level in range(depth):
        form, field = ways[level % len(ways)]
        inner = [step(form, level) | {field.name: inner}]
    return inner
