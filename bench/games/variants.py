"""Variants and language packs of made games: files beside the game's own one.

beside(made)        # after everything else; adds to made.tree["files"]
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bench.games.declared import SUITS, Made, Tree
from bench.games.files import FILES
from bench.games.forms import CONSTANT, PLAY, Scope
from bench.games.further import source_of
from bench.games.steps import Place, Steps

FIRST, SECOND, THIRD = "windy", "calm", "still"
Change = Callable[["Steps", str], list[Tree]]


def beside(made: Made) -> None:
    """Variants in half of the games, texts in another language in a third of them."""
    files: Tree = {}
    if made.chance(0.5):
        taken: set[str] = set()
        files[f"{FIRST}.yaml"] = _variant(made, FIRST, taken)
        if made.chance(0.5):
            files[f"{SECOND}.yaml"] = _second(made, taken)
        if made.chance(0.3):
            files[f"{THIRD}.yaml"] = _third(made, SECOND if f"{SECOND}.yaml" in files else FIRST)
        _switch(made, files)
    if made.chance(0.35):
        _pack(made, files)
    if files:
        made.tree[FILES] = files


# ---- variants --------------------------------------------------------------------------------------------------------


def _variant(made: Made, name: str, taken: set[str]) -> Tree:
    """A variant with changes of paths that none before it touches, and with sections of its own."""
    b = Steps(made)
    b.spoken = True
    changes: list[Tree] = []
    for change in made.random.sample(CHANGES, made.random.randint(1, 6)):
        found = [each for each in change(b, name) if _path(each) not in taken]
        taken.update(map(_path, found))
        changes += found
    head: Tree = {"id": name, "title": {"en": name.title()}, "changes": changes}
    if made.chance(0.3):
        head |= {"about": "made by chance", "source": source_of(made.random)}
        changes[:1] = [each | {"about": "a change"} for each in changes[:1]]
    return {"variant": head, **_added(b, name)}


def _second(made: Made, taken: set[str]) -> Tree:
    """A further variant, and how it stands to the first one."""
    found = _variant(made, SECOND, taken)
    for word in made.random.choice((["after"], ["requires"], ["conflicts"], ["after", "conflicts"], [])):
        found["variant"][word] = [FIRST]
    if made.chance(0.3):
        found["variant"]["group"] = "weather"
    return found


def _third(made: Made, other: str) -> Tree:
    """One that changes no more than texts, and stands to the others in all ways that there are."""
    found: Tree = {"variant": {"id": THIRD, "title": {"en": "Still"}, "changes": []}}
    for word in made.random.sample(("after", "requires", "conflicts"), made.random.randint(0, 2)):
        found["variant"][word] = [other]
    if made.chance(0.5):
        found["variant"]["group"] = "weather"
    found["terms"] = {"still_air": {"en": "air"}}
    return found


def _path(change: Tree) -> str:
    return str(next(change[verb] for verb in ("set", "replace", "remove", "wrap", "insert") if verb in change))


def _switch(made: Made, files: Tree) -> None:
    """An option that switches the first variant on, a source that names it, and a part of the book that has it on."""
    tree = made.tree
    if made.chance(0.5):
        both = [name for name in (FIRST, SECOND) if f"{name}.yaml" in files]
        switched = both if made.chance(0.4) else FIRST
        weather: Tree = {"type": "boolean", "start": False, "switches": {"true": switched}}
        tree["game"].setdefault("options", {})["weather"] = weather
    if made.chance(0.3):
        tree["values"]["gust"] = {"type": "integer", "is": 1, "source": {"variant": FIRST}}
    if made.chance(0.4):
        part = {"title": {"en": "Weather"}, "variants": [FIRST], "kinds": ["turn"], "shows": [{"board": "land"}]}
        tree.setdefault("book", {"parts": []}).setdefault("parts", []).append(part)
    if made.chance(0.4):
        blown = {"players": made.players[0], "seed": 2, "variants": [FIRST], "start": "setup", "then": ["round >= 0"]}
        tree.setdefault("scenarios", {})["blown"] = blown


def _added(b: Steps, name: str) -> Tree:
    """Sections of a variant's own: what it declares beside the game."""
    made, found = b.made, dict[str, Any]()
    for add, share in ((_values, 0.5), (_members, 0.3), (_trigger, 0.4), (_state, 0.3), (_texts, 0.3)):
        if made.chance(share):
            found |= add(b, name)
    return found


def _values(b: Steps, name: str) -> Tree:
    worth = b.words.make("integer", Scope({}, CONSTANT), 1)
    return {"values": {f"{name}_more": {"type": "integer", "is": worth}}}


def _members(b: Steps, name: str) -> Tree:
    if "level" not in b.made.tree["enums"]:
        return {"enums": {f"{name}_kind": ["one", "other"]}}
    gives = {"cost": 1, "gives": "nothing", "worth_of": "player.score"}
    return {"enums": {"level": {"values": {f"{name}_level": gives}}}}


def _trigger(b: Steps, name: str) -> Tree:
    steps = b.block(Scope(), Place(1, asks=False, effects=tuple(b.made.effects)))
    return {"triggers": {f"{name}_turn": {"when": {"turn": b.random.choice(("begins", "ends"))}, "do": steps}}}


def _state(b: Steps, name: str) -> Tree:
    kept = {f"player.{name}_held": {"type": "0..9", "start": 1}}
    added = b.words.make("integer", Scope({}, PLAY), 1)
    steps = [{"set": f"me.{name}_held", "to": f"min(9, max(0, {added}))"}]
    return {"state": kept, "effects": {f"{name}_deed": {"do": steps}}}


def _texts(b: Steps, name: str) -> Tree:
    rule = {"text": {"en": "The figure is {figure}, as it blows."}, "kind": "turn", "binds": ["values.figure"]}
    return {"rules": {f"{name}_rule": rule}, "terms": {f"{name}_wind": {"en": "wind"}}}


# ---- changes ---------------------------------------------------------------------------------------------------------


def _figure(b: Steps, name: str) -> list[Tree]:
    return [{"set": "values.figure", "to": b.random.randint(0, 5)}]


def _points(b: Steps, name: str) -> list[Tree]:
    return [{"set": "values.points", "to": [0, 2, 3, b.random.randint(4, 9), 9]}]


def _start(b: Steps, name: str) -> list[Tree]:
    return [{"set": "state.player.coins.start", "to": b.random.randint(0, 9)}]


def _body(b: Steps, name: str) -> list[Tree]:
    functions = b.made.tree.get("functions", {})
    plain = [key for key, entry in functions.items() if entry["type"] == "integer"]
    if not plain:
        return []
    key = b.random.choice(plain)
    worth = b.words.make("integer", Scope(dict(functions[key].get("params", {})), CONSTANT), 1)
    return [{"replace": f"functions.{key}.is", "is": worth}]


def _steps_of(b: Steps) -> list[tuple[str, list[Tree]]]:
    """The effects and actions with their steps."""
    tree = b.made.tree
    return [
        (f"{section}.{key}.do", entry["do"])
        for section in ("effects", "actions")
        for key, entry in tree.get(section, {}).items()
    ]


def _block(b: Steps, *, asks: bool = True) -> list[Tree]:
    return b.block(Scope(), replace(Place(1, asks=asks), effects=tuple(list(b.made.effects)[:1])))


def _other_steps(b: Steps, name: str) -> list[Tree]:
    path, _ = b.random.choice(_steps_of(b))
    return [{"replace": path, "steps": _block(b)}]


def _one_other_step(b: Steps, name: str) -> list[Tree]:
    path, steps = b.random.choice(_steps_of(b))
    single = _single(steps)
    return [{"replace": f"{path}[{b.random.choice(single)}]", "steps": _block(b)}] if single else []


def _single(steps: list[Tree]) -> list[str]:
    """The verbs of which a list has one step alone."""
    verbs = [next(iter(step)) for step in steps]
    return [verb for verb in verbs if verbs.count(verb) == 1]


def _around(b: Steps, name: str) -> list[Tree]:
    path, _ = b.random.choice(_steps_of(b))
    change: Tree = {"wrap": path}
    for word in ("before", "after"):
        if b.made.chance(0.7):
            change[word] = _block(b)
    return [change] if len(change) > 1 else []


def _more_steps(b: Steps, name: str) -> list[Tree]:
    path, steps = b.random.choice([*_steps_of(b), ("setup", b.made.tree["setup"])])
    single = _single(steps)
    change: Tree = {"insert": path, "steps": _block(b, asks=path != "setup")}
    if path == "setup":
        change["steps"] = [{"score": "figure", "for": "red", "reason": "work"}]
    if single and b.made.chance(0.7):
        change[b.random.choice(("before", "after"))] = b.random.choice(single)
    return [change]


def _more_rows(b: Steps, name: str) -> list[Tree]:
    rows: list[Any] = [{"suit": b.random.choice(SUITS), "worth": 2, "count": b.random.randint(1, 2)}]
    if "checks" in b.made.tree and b.made.chance(0.5):
        return [{"insert": "checks", "rows": ["figure < 99"]}]
    return [{"insert": "pieces.card.rows", "rows": rows}]


def _gone(b: Steps, name: str) -> list[Tree]:
    paths = [f"triggers.{key}" for key in b.made.tree.get("triggers", {})]
    paths += [f"rules.{key}" for key in b.made.tree.get("rules", {})]
    return [{"remove": b.random.choice(paths)}] if paths else []


def _said_otherwise(b: Steps, name: str) -> list[Tree]:
    messages = b.made.tree.get("messages", {})
    plain = [key for key, entry in messages.items() if isinstance(entry.get("en"), str)]
    return [{"replace": f"messages.{key}", "is": {"en": "Otherwise."}} for key in plain[:1]]


CHANGES: tuple[Change, ...] = (
    _figure, _points, _start, _body, _other_steps, _one_other_step, _around, _more_steps, _more_rows, _gone,
    _said_otherwise,
)  # fmt: skip


# ---- packs -----------------------------------------------------------------------------------------------------------


def _pack(made: Made, files: Tree) -> None:
    """All texts of the game in another language, and those of its first variant."""
    language = made.random.choice(("de", "fr", "ja"))
    head = {"game": "made", "about": "made by chance"} if made.chance(0.3) else {"game": "made"}
    sections: Tree = {}
    for name in ("game", "messages", "terms", "rules"):
        found = _translated(copy.deepcopy(made.tree.get(name, {})), language)
        if found:
            sections[name] = found
    files[f"made.{language}.yaml"] = {"pack": head, **sections}
    first = files.get(f"{FIRST}.yaml")
    if first is not None:
        inner = {name: _translated(first[name], language) for name in ("rules", "terms") if name in first}
        variant = {"id": FIRST, "title": {language: FIRST.title()}}
        files[f"made.{language}.windy.yaml"] = {"pack": {"game": "made"}, "variant": variant, **inner}


def _translated(node: Any, language: str) -> Any:
    """A tree with the same texts in another language, and nothing else."""
    if not isinstance(node, dict):
        return None
    if "en" in node:
        return {language: node["en"]}
    found = {key: inner for key, value in node.items() if (inner := _translated(value, language))}
    return found or None
