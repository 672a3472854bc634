"""Steps of made games, by verb: each maker gives one step or some that belong together, and the names they bind.

Steps(made).block(Scope(...), depth=2, asks=True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bench.games.declared import Made, Tree, Zone
from bench.games.forms import NothingFits, Scope

Block = list[Tree]


@dataclass(frozen=True, slots=True)
class Place:
    """Where steps stand: how deep, whether they may ask, and may fail (not in the set-up)."""

    depth: int = 2
    asks: bool = True
    fails: bool = True
    effects: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    loops: int = 0
    #: whether nothing is written that a trigger may wait for
    mild: bool = False

    def inside(self, *, loops: int = 0) -> Place:
        """The place of steps in a step."""
        return replace(self, depth=self.depth - 1, loops=self.loops + loops)


class Steps:
    """A source of steps for one game."""

    def __init__(self, made: Made) -> None:
        self.made, self.random, self.words = made, made.random, made.words
        #: whether chance or what is hidden may have spoken in the unit being made: then nothing can be paid
        self.spoken = False

    # ---- what expressions say ----

    def of(self, wanted: str, scope: Scope, depth: int = 2) -> str:
        """An expression that decides nothing: it may read what is hidden, now and then."""
        return self.words.make(wanted, replace(scope, hides=self.made.chance(0.25)), self.random.randint(0, depth))

    def asked(self, wanted: str, scope: Scope, depth: int = 2) -> str:
        """An expression that decisions depend on: it reads what everybody sees."""
        return self.words.make(wanted, replace(scope, hides=False), self.random.randint(0, depth))

    def block(self, scope: Scope, place: Place, least: int = 1) -> Block:
        """Some steps; names that they bind are known in those behind them."""
        found: Block = []
        for _ in range(self.random.randint(least, max(least, 3 if place.depth > 0 else 2))):
            steps, names = self._step(scope, place)
            found += steps
            scope = scope.having(**names)
        return found

    def _step(self, scope: Scope, place: Place) -> tuple[Block, dict[str, str]]:
        makers = [(make, weight) for make, weight, needs in MAKERS if self._may(needs, place)]
        for make in self.random.choices([m for m, _ in makers], [w for _, w in makers], k=9):
            with suppress(NothingFits):
                found = make(self, scope, place)
                self.spoken = self.spoken or make in SPEAKING
                return found if isinstance(found, tuple) else (found, {})
        return score(self, scope, place), {}

    def _may(self, needs: str, place: Place) -> bool:
        return (
            ("asks" not in needs or place.asks)
            and ("deep" not in needs or place.depth > 0)
            and ("loop" not in needs or place.loops < 2)
            and ("fails" not in needs or place.fails)
            and not ("pays" in needs and self.spoken)
            and not ("writes" in needs and place.mild)
        )

    def any_place(self, kind: str, scope: Scope, *, own: bool = True) -> tuple[Zone, str]:
        """A zone for a kind, and a place of it in this scope."""
        zone = self.random.choice([z for z in self.made.zones if z.holds == kind])
        text = zone.own if own and self.made.chance(0.7) else zone.text
        return zone, self.fill(text, scope)

    def fill(self, text: str, scope: Scope) -> str:
        """A text whose holes are filled."""
        return self.words.fill(text, replace(scope, hides=False))

    def kind(self) -> str:
        return self.random.choice(("card", "card", "token"))


# ---- choices ---------------------------------------------------------------------------------------------------------


def _source(b: Steps, scope: Scope, name: str) -> tuple[Tree, str]:
    """Where one name's candidates come from, and the name's type; a condition on them."""
    of = b.random.choice(("cell", "cell", "player", "suit", "integer", "card", "card", "token"))
    fields: Tree
    visible = True
    if of == "integer":
        fields = {"from": f"0..{b.random.choice(('2', '3', 'player_count'))}"}
    elif of in ("card", "token"):
        zone, text = b.any_place(of, scope)
        if not (zone.is_seen or zone.backs):
            raise NothingFits(of)
        visible = zone.is_seen or (zone.front == "owner" and text.startswith("me."))
        fields = {"from": text}
        if b.made.chance(0.2) and visible:
            fields = {"from": b.asked(f"list {of}", scope)}
    else:
        fields = {"from": of if b.made.chance(0.5) else b.asked(f"many {of}", scope)}
    here = scope.having(**{name: of})
    for word, p in (("where", 0.5), ("if_possible", 0.15)):
        if b.made.chance(p) and visible:
            fields[word] = b.asked("boolean", here)
    return fields, of


def choose(b: Steps, scope: Scope, place: Place) -> tuple[Block, dict[str, str]]:
    """A choice of one thing, of several at once, or of a set; with all its fields."""
    name = b.words.fresh("a")
    how = b.random.random()
    names: dict[str, str]
    if how < 0.6:
        fields, of = _source(b, scope, name)
        step, names = {"choose": name, **fields}, {name: of}
    elif how < 0.75:
        step, names = _several(b, scope, "choose")
    else:
        step, names = _set(b, scope, name)
        if how < 0.85 and b.made.chance(0.5):
            return [step, *_use(b, scope.having(**names), place)], names
    if b.made.chance(0.15):
        step["who"] = "chance" if b.made.chance(0.5) else b.asked("player", scope, 1)
    if b.made.chance(0.1):
        step["id"] = b.words.fresh("pick")
    inner = scope.having(**names)
    if not place.fails or b.made.chance(0.3):
        step["then"] = b.block(inner, place.inside())
        step["else"] = b.block(scope, replace(place.inside(), asks=False)) if b.made.chance(0.7) else []
        if "exactly" not in step and "up_to" not in step:
            return [step], {}
        del step["then"], step["else"]
    return [step, *_use(b, inner, place)], names


def _several(b: Steps, scope: Scope, verb: str) -> tuple[Tree, dict[str, str]]:
    parts: Tree = {}
    names: dict[str, str] = {}
    for _ in range(2):
        name = b.words.fresh("a")
        parts[name], names[name] = _source(b, scope.having(**names), name)
    return {verb: parts}, names


def _set(b: Steps, scope: Scope, name: str) -> tuple[Tree, dict[str, str]]:
    word, amount = b.random.choice(("exactly", "up_to", "up_to")), b.asked("amount", scope, 0)
    if b.made.chance(0.3):
        step, _ = _several(b, scope, "each")
        return {"choose": name, word: amount, **step}, {}
    fields, of = _source(b, scope, name)
    return {"choose": name, **fields, word: amount}, {name: f"list {of}"}


def _use(b: Steps, scope: Scope, place: Place) -> Block:
    """Something done with the names at hand."""
    return b.block(scope, replace(place, depth=0)) if b.made.chance(0.6) else []


def roll(b: Steps, scope: Scope, place: Place) -> tuple[Block, dict[str, str]]:
    """Dice: one or two numbers by chance, thrown again while they are low, or as many as there are of a set."""
    names = [b.words.fresh("d") for _ in range(b.random.choice((1, 2)))]
    span = {"from": f"1..{b.random.choice((2, 4, 6))}"}
    step: Tree = {"choose": names[0], **span} if len(names) == 1 else {"choose": dict.fromkeys(names, span)}
    if len(names) == 1 and b.made.chance(0.3):
        step[b.random.choice(("exactly", "up_to"))] = b.random.choice((1, 2))
        return [step | {"who": "chance"}], {names[0]: "list integer"}
    step["who"] = "chance"
    if place.depth > 0 and place.loops < 2 and b.made.chance(0.3):
        inner = scope.having(**dict.fromkeys(names, "integer"))
        again = {"repeat": [step, *b.block(inner, place.inside(loops=1))], "times": 3}
        return [again | {"until": b.asked("boolean", scope)}], {}
    return [step], dict.fromkeys(names, "integer")


# ---- order -----------------------------------------------------------------------------------------------------------


def for_each(b: Steps, scope: Scope, place: Place) -> Block:
    name = b.words.fresh("m")
    of = b.random.choice(("player", "player", "cell", "suit", "card", "token", "integer"))
    step: Tree = {"for_each": name}
    step["in"] = "0..2" if of == "integer" else b.asked(f"many {of}", scope)
    here = scope.having(**{name: of})
    if b.made.chance(0.4):
        step["where"] = b.asked("boolean", here)
    if place.asks and b.made.chance(0.4):
        step["order"] = "chosen"
        if b.made.chance(0.3):
            step["alike"] = b.asked(b.random.choice(("integer", "suit", "boolean")), here, 1)
    elif b.made.chance(0.1):
        step["order"] = "given"
    if place.asks and b.made.chance(0.3):
        step["optional"] = b.made.chance(0.9)
    if b.made.chance(0.2):
        step["up_to"] = b.asked("amount", scope, 0)
    step["do"] = b.block(here, place.inside(loops=1))
    return [step]


def repeat(b: Steps, scope: Scope, place: Place) -> Block:
    step: Tree = {"repeat": b.block(scope, place.inside(loops=1)), "times": b.random.randint(1, 2)}
    if b.made.chance(0.3):
        step[b.random.choice(("until", "while"))] = b.asked("boolean", scope)
    return [step]


def condition(b: Steps, scope: Scope, place: Place) -> Block:
    step: Tree = {"if": b.asked("boolean", scope), "then": b.block(scope, place.inside())}
    if b.made.chance(0.4):
        step["else"] = b.block(scope, place.inside())
    return [step]


def let(b: Steps, scope: Scope, place: Place) -> tuple[Block, dict[str, str]]:
    name = b.words.fresh("v")
    of = b.random.choice(("integer", "player", "cell", "boolean", "suit", "list cell", "list player", "maybe cell"))
    return [{"let": name, "be": b.asked(of, scope)}, *_use(b, scope.having(**{name: _kept(of)}), place)], {
        name: _kept(of)
    }


def _kept(of: str) -> str:
    return f"{of[6:]}?" if of.startswith("maybe ") else of


def require(b: Steps, scope: Scope, place: Place) -> Block:
    return [_labelled(b, {"require": b.asked("boolean", scope)})]


def _labelled(b: Steps, step: Tree) -> Tree:
    if b.made.chance(0.4):
        step["rule"] = b.words.fresh("rule")
    return step


def perform(b: Steps, scope: Scope, place: Place) -> Block:
    if place.effects and b.made.chance(0.7):
        name = b.random.choice(place.effects)
        arguments = ", ".join(b.asked(of, scope, 1) for of in b.made.effects[name])
        text = f"{name}({arguments})" if arguments else name
        if b.made.labels[name] and b.made.chance(0.5):
            text += f" without {b.random.choice(b.made.labels[name])}"
        return [{"perform": text}]
    return [{"perform": b.asked("effect", scope, 1)}]


def may(b: Steps, scope: Scope, place: Place) -> Block:
    step: Tree = {"may": b.block(scope, place.inside())}
    if b.made.chance(0.4):
        step["else"] = b.block(scope, place.inside())
    return [step]


def attempt(b: Steps, scope: Scope, place: Place) -> Block:
    step: Tree = {"try": b.block(scope, replace(place.inside(), fails=True))}
    if b.made.chance(0.5):
        step["else"] = b.block(scope, replace(place.inside(), asks=False))
    return [step]


def together(b: Steps, scope: Scope, place: Place) -> Block:
    return [{"together": b.block(scope, place.inside(), 2)}]


def as_other(b: Steps, scope: Scope, place: Place) -> Block:
    return [{"as": b.asked("player", scope, 1), "do": b.block(scope, place.inside())}]


def turns(b: Steps, scope: Scope, place: Place) -> Block:
    step: Tree = {"turns": b.random.choice(("player", b.asked("list player", scope, 1)))}
    if b.made.chance(0.5):
        name = b.words.fresh("a")
        fields, of = _source(b, scope, name)
        step["at_once"] = True
        inner = replace(place.inside(loops=1), asks=False)
        step["do"] = [{"choose": name, **fields}, *b.block(scope.having(**{name: of}), inner)]
    else:
        step["do"] = b.block(scope, place.inside(loops=1))
    return [step]


# ---- deeds -----------------------------------------------------------------------------------------------------------


def move(b: Steps, scope: Scope, place: Place) -> Block:
    kind = b.kind()
    named = [name for name, of in scope.names.items() if of in (kind, f"list {kind}")]
    zone, goal = b.any_place(kind, scope)
    if named and b.made.chance(0.7):
        what = b.random.choice(named)
    else:
        source, text = b.any_place(kind, scope)
        amount = b.asked("small", scope, 0)
        ways = [text, f"take({amount}, {text})"] if source.shape != "slot" else [text]
        ways += [f"{text}.top", f"{text}.bottom"] if source.shape == "stack" else []
        what = b.random.choice(ways)
    goal = f"box.{kind}" if b.made.chance(0.05) else goal
    step: Tree = {"move": what, "to": goal}
    if zone.shape == "stack" and b.made.chance(0.3):
        step["at"] = b.random.choice(("bottom", "bottom", "top"))
    if kind == "token" and "faces" in b.made.tree["pieces"]["token"] and b.made.chance(0.3):
        step["face"] = "asleep"
    return [step]


def draw(b: Steps, scope: Scope, place: Place) -> Block:
    kind = b.kind()
    (_, source), (_, goal) = b.any_place(kind, scope), b.any_place(kind, scope)
    return [{"draw": b.of("amount", scope, 1), "from": source, "to": goal}]


def refill(b: Steps, scope: Scope, place: Place) -> Block:
    roomy = [zone for zone in b.made.zones if zone.room]
    if not roomy:
        return draw(b, scope, place)
    zone = b.random.choice(roomy)
    return [{"refill": b.fill(zone.text, scope), "from": b.any_place(zone.holds, scope)[1]}]


def shuffle(b: Steps, scope: Scope, place: Place) -> Block:
    zone = b.random.choice([zone for zone in b.made.zones if zone.shape == "stack"])
    return [{"shuffle": b.fill(zone.text, scope)}]


def flip(b: Steps, scope: Scope, place: Place) -> Block:
    if "faces" not in b.made.tree["pieces"]["token"]:
        return shuffle(b, scope, place)
    _, text = b.any_place("token", scope)
    face = b.random.choice(("awake", "asleep", f"if ({b.of('boolean', scope, 1)}) then awake else asleep"))
    return [{"flip": text, "face": face}]


def gain(b: Steps, scope: Scope, place: Place) -> Block:
    return [{"gain": {name: b.of("integer", scope) for name in _some(b)}}]


def pay(b: Steps, scope: Scope, place: Place) -> Block:
    return [_labelled(b, {"pay": {name: b.asked("amount", scope, 1) for name in _some(b)}})]


def _some(b: Steps) -> list[str]:
    return b.random.sample(b.made.counters, b.random.randint(1, len(b.made.counters)))


def store(b: Steps, scope: Scope, place: Place) -> Block:
    text, of, (low, high) = b.random.choice(b.made.cells)
    value = b.of(of.rstrip("?") if b.made.chance(0.8) else of, scope)
    if of.startswith("integer"):
        value = f"min({high}, max({low}, {b.of('integer', scope)}))"
    return [{"set": b.fill(text, scope), "to": value}]


def advance(b: Steps, scope: Scope, place: Place) -> Block:
    if not b.made.tracks:
        return gain(b, scope, place)
    step: Tree = {"advance": b.fill(b.made.tracks[0], scope)}
    if b.made.chance(0.6):
        step["by"] = f"min(3, max(-3, {b.of('integer', scope)}))"
    return [step]


def score(b: Steps, scope: Scope, place: Place) -> Block:
    step: Tree = {
        "score": f"min(50, max(-50, {b.of('integer', scope)}))",
        "reason": b.random.choice(("stairs", "work")),
    }
    if b.made.chance(0.3):
        step["for"] = b.asked("player", scope, 1)
    return [step]


def emit(b: Steps, scope: Scope, place: Place) -> Block:
    if not place.events:
        return score(b, scope, place)
    name = b.random.choice(place.events)
    arguments = ", ".join(b.asked(of, scope, 1) for of in b.made.events[name])
    return [{"emit": f"{name}({arguments})" if arguments else name}]


def finish(b: Steps, scope: Scope, place: Place) -> Block:
    if place.depth < 2 and b.made.chance(0.4):
        return [{"finish": "game"}]
    return [{"if": f"round > 1 and ({b.asked('boolean', scope, 1)})", "then": [{"finish": "game"}]}]


#: Steps with chance in them, or that may tell what is hidden.
SPEAKING = (roll, draw, refill, shuffle, flip, move, perform, choose, store, gain, score, emit)
Maker = Callable[[Steps, Scope, Place], Any]
#: How often each is taken, and what it needs of its place.
MAKERS: tuple[tuple[Maker, float, str], ...] = (
    (choose, 4, "asks"), (for_each, 1.5, "deep loop"), (repeat, 0.7, "deep loop"), (condition, 1.5, "deep"),
    (roll, 0.5, "asks"), (let, 1, ""), (require, 0.8, "fails"), (perform, 1.2, "fails writes"), (may, 1.2, "asks deep"),
    (attempt, 1.2, "deep"), (together, 0.5, "deep"), (as_other, 0.7, "deep"),
    (turns, 0.5, "asks deep loop writes"), (move, 2.5, "fails writes"), (draw, 1.2, "fails writes"),
    (refill, 0.5, "fails writes"), (shuffle, 0.3, "writes"), (flip, 0.5, "fails writes"), (gain, 1, "writes"),
    (pay, 1.5, "fails pays writes"), (store, 1.5, "writes"), (advance, 0.7, "writes"), (score, 1.2, ""),
    (emit, 1, ""), (finish, 0.1, "fails"),
)  # fmt: skip


# ---- the parts of a game that are steps ------------------------------------------------------------------------------


def add_steps(made: Made) -> None:
    """Effects, actions, events, triggers, set-up, flow, end and ranking."""
    b = Steps(made)
    _events(made)
    _effects(b)
    _triggers(b)
    _setup(b)
    _flow(b)
    made.tree["end"] = b.block(Scope(), Place(1, asks=made.chance(0.5), effects=tuple(made.effects)))
    made.tree["ranking"] = [
        {"most": "player.score"},
        {"least": made.words.make("integer", Scope({"player": "player"}, 1), 1)},
    ]


def _events(made: Made) -> None:
    for number in range(made.random.randint(0, 3)):
        params = {name: of for name, of in (("c", "cell"), ("p", "player"), ("n", "integer")) if made.chance(0.4)}
        made.tree.setdefault("events", {})[f"e{number}"] = {f"{name}_e{number}": of for name, of in params.items()}
        made.events[f"e{number}"] = list(params.values())


def _effects(b: Steps) -> None:
    made = b.made
    for section, names in (("effects", ("coins", "deed")), ("actions", ("act", "work"))):
        for name in names:
            if name != "act" and not made.chance(0.7):
                continue
            params = {f"{p}_{name}": of for p, of in (("n", "amount"), ("c", "cell")) if made.chance(0.3)}
            b.spoken = False
            place = Place(2, made.chance(0.8), True, tuple(made.effects), tuple(made.events)[:2])
            steps = b.block(Scope({p: _plain(of) for p, of in params.items()}), place)
            entry: Tree = {"do": steps}
            if params:
                entry["params"] = {p: "1..3" if of == "amount" else of for p, of in params.items()}
            if made.chance(0.15):
                entry["nests"] = 2
                entry["do"] = [*steps, {"may": [{"perform": name + _arguments(b, list(params.values()))}]}]
            made.tree.setdefault(section, {})[name] = entry
            made.effects[name] = list(params.values())
            made.labels[name] = list(_rules(steps))
            holes = ", ".join(f"<{of}>" for of in params.values())
            performed = f"{name}({holes})" if holes else name
            made.forms.add("effect", performed)
            for label in made.labels[name][:1]:  # a list of effects, of which one leaves a duty out
                made.forms.add("effect", f"[{performed} without {label}, <effect>]", weight=0.4)
    made.forms.add("effect", "nothing", weight=0.3)
    made.forms.add("effect", "if <boolean> then <effect> else <effect>", "[<effect>, <effect>]", weight=0.4)


def _rules(node: Any) -> Iterator[str]:
    """The labels in some steps."""
    if isinstance(node, dict):
        yield from ([node["rule"]] if "rule" in node else [])
        node = list(node.values())
    for each in node if isinstance(node, list) else ():
        yield from _rules(each)


def _plain(of: str) -> str:
    return "integer" if of == "amount" else of


def _arguments(b: Steps, wanted: list[str]) -> str:
    found = ", ".join(b.asked(of, Scope(), 0) for of in wanted)
    return f"({found})" if found else ""


def _triggers(b: Steps) -> None:
    made = b.made
    tree: Tree = {}
    for number in range(made.random.randint(0, 4)):
        when, names, events = _when(b)
        if not when:
            continue
        scope = Scope(names)
        entry: Tree = {"when": when}
        if made.chance(0.3):
            entry["where"] = b.asked("boolean", scope)
        if made.chance(0.2):
            entry["who"] = b.asked("player", replace(scope, level=1), 1)
        mild = next(iter(when)) in ("becomes", "emptied", "stepped")
        place = Place(1, made.chance(0.4), True, tuple(made.effects), events, mild=mild)
        b.spoken = True
        entry["do"] = b.block(scope, place)
        tree[f"t{number}"] = entry
    if tree:
        made.tree["triggers"] = tree


def _when(b: Steps) -> tuple[Tree, dict[str, str], tuple[str, ...]]:
    """What a trigger waits for, the names it binds, and the events that its steps may let happen."""
    made, how = (
        b.made,
        b.random.choice(("emitted", "emitted", "emptied", "stepped", "becomes", "becomes", "turn", "game")),
    )
    if how == "emitted" and made.events:
        name = b.random.choice(list(made.events))
        later = tuple(each for each in made.events if each > name)
        return {"emitted": name}, dict(made.tree["events"][name]), later
    if how == "emptied":
        zone = b.random.choice(made.zones)
        domain, _, _ = zone.key.rpartition(".")
        return {"emptied": zone.key}, {domain: domain} if domain else {}, ()
    if how == "stepped" and made.tracks:
        return {"stepped": "player.climb"}, {"player": "player"}, ()
    if how == "becomes":
        scope = Scope({"player": "player"} if made.chance(0.6) else {}, 1)
        text = b.asked("boolean", scope)
        speaks = re.search(r"(?<!in )\bplayer\b", text) is not None
        return {"becomes": text}, dict(scope.names) if speaks else {}, ()
    if how == "turn":
        return {"turn": b.random.choice(("begins", "ends"))}, {}, tuple(made.events)[:1]
    return ({"game": b.random.choice(("set_up", "ended"))}, {}, ()) if how == "game" else ({}, {}, ())


def _setup(b: Steps) -> None:
    made = b.made
    steps: Block = [{"shuffle": "deck"}]
    if made.tree["zones"]["player.hand"]["shape"] == "slot" or made.chance(0.3):
        steps.append({"for_each": "player", "do": [{"draw": 1, "from": "deck", "to": "player.hand"}]})
    else:
        steps.append(
            {"for_each": "player", "do": [{"draw": "each[player_count]", "from": "deck", "to": "player.hand"}]}
        )
    steps += b.block(Scope(), Place(1, made.chance(0.3), False), 0)
    made.tree["setup"] = steps


def _begin_anew(state: Tree) -> None:
    """What begins anew in each lap: one for all, on players and on sites; never what counts the laps."""
    for key in ("flag", "leader", "player.food", "player.place", "cell.heat", "gift"):
        if key in state:
            state[key]["anew"] = "lap"


def _flow(b: Steps) -> None:
    made = b.made
    place = Place(2, True, True, tuple(made.effects), tuple(made.events))
    b.spoken = False
    turn = b.block(Scope(), place)
    if made.chance(0.7):
        turn.append({"try": [{"perform": "act" + _arguments(b, made.effects["act"])}]})
    order = b.random.choice(
        ("player", "clockwise(red)", "clockwise(leader)" if "leader" in made.tree["state"] else "player")
    )
    again: Block = [{"turns": order, "do": turn}]
    if made.chance(0.5):
        again += turns(b, Scope(), Place(2, True, True, tuple(made.effects), tuple(made.events)))
    if made.chance(0.3):
        again += b.block(Scope(), replace(place, depth=1))
    again.append({"set": "round", "to": "min(9, round + 1)"})
    made.tree["flow"] = [{"repeat": again, "until": f"round >= {b.random.randint(1, 3)}"}]
    if len(again) % 2:  # no draw of chance: seeds stay
        made.tree["flow"][0]["round"] = "lap"
        _begin_anew(made.tree["state"])
    if made.chance(0.3):
        made.tree["flow"] += b.block(Scope(), replace(place, depth=1))
