"""Declarations that hang on one another, so many in a row: for each section of the registry.

LINKS["values"](100)          # the files of a game, by name
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.deep.islands import Tree, island, overlay
from bench.deep.nested import acted

Files = dict[str, Tree]
Link = Callable[[int], Tree | Files]
GAIN = {"gain": {"coins": 1}}


def _values(length: int) -> Tree:
    tree = island()
    tree["values"] |= {f"v{at}": f"v{at + 1}" for at in range(length)} | {f"v{length}": 1}
    tree["checks"].append("v0 == 1")
    return tree


def _tables(length: int) -> Tree:
    tree = island()
    for at in range(length):
        told = [f"t{at + 1}[{each}]" for each in range(3)]
        tree["values"][f"t{at}"] = {"type": "integer by 0..2", "is": told}
    tree["values"][f"t{length}"] = {"type": "integer by 0..2", "is": [1, 2, 3]}
    tree["checks"].append("t0[1] == 2")
    return tree


def _formulas(length: int) -> Tree:
    """Formulas kept as data, each of which needs that of the next row."""
    tree = island()
    told: Tree = {f"u{at}": {"f": f"u{at + 1}.f(player) + 1"} for at in range(length)}
    told[f"u{length}"] = {"f": "player.score"}
    tree["enums"]["chained"] = {"attributes": {"f": "(player) -> integer"}, "values": told}
    return acted(tree, [{"require": "u0.f(me) != 77777"}, GAIN])


def _enums(length: int) -> Tree:
    """Attributes of an enum, each found from the next; and values that give the effect of the next."""
    tree = island()
    found: Tree = {f"a{at}": {"type": "integer", "is": f"link.a{at + 1} + 1"} for at in range(length)}
    found[f"a{length}"] = {"type": "integer", "is": "link.index"}
    tree["enums"]["link"] = {"attributes": found, "values": ["la", "lb"]}
    tree["checks"].append("la.a0 >= 0")
    return tree


def _given_effects(length: int) -> Tree:
    tree = island()
    told: Tree = {f"u{at}": {"gives": f"give(u{at + 1})"} for at in range(length)}
    told[f"u{length}"] = {"gives": "nothing"}
    tree["enums"]["link"] = {"attributes": {"gives": "effect"}, "values": told}
    tree["effects"]["give"] = {"params": {"l": "link"}, "do": [{"perform": "l.gives"}]}
    return acted(tree, [{"perform": "u0.gives"}, GAIN])


def _attributes(length: int) -> Tree:
    tree = island()
    found = tree["boards"]["land"]["cell"]["attributes"]
    found |= {f"a{at}": {"type": "integer", "is": f"cell.a{at + 1} + 1"} for at in range(length)}
    found[f"a{length}"] = {"type": "integer", "is": "cell.col"}
    return acted(tree, [{"choose": "cell"}, {"require": "cell.a0 >= 0"}, GAIN])


def _lines(length: int) -> Tree:
    """Lines of kinds that are found by attributes of lines, one kind after the other."""
    tree = island()
    found = tree["boards"]["land"]
    for at in range(length):
        of = "cell" if at == 0 else f"line{at - 1}"
        found[f"line{at}"] = {"lines_of": of, "directions": [[1, 0]], "at_least": 2}
    return tree


def _relations(length: int) -> Tree:
    tree = island()
    for at in range(length):
        where = f"other in cell.r{at + 1} and cell.col >= 0"
        tree["relations"][f"cell.r{at}"] = {"to": "cell", "as": "other", "where": where}
    tree["relations"][f"cell.r{length}"] = {"to": "cell", "as": "other", "where": "cell.col == other.col"}
    return acted(tree, [{"choose": "cell"}, {"require": "not cell.r0.empty"}, GAIN])


def _inverses(length: int) -> Tree:
    """Ways back, each of which the next relation goes by."""
    tree = island()
    tree["relations"]["cell.r0"] = {"to": "cell", "as": "other", "where": "cell.col == other.col", "inverse": "i0"}
    for at in range(1, length):
        where = f"other in cell.i{at - 1}"
        tree["relations"][f"cell.r{at}"] = {"to": "cell", "as": "other", "where": where, "inverse": f"i{at}"}
    return tree


def _pieces(length: int) -> Tree:
    """Attributes of pieces that stand on the back, and kinds whose numbers are found from constants in a row."""
    tree = _values(length)
    tree["pieces"] |= {f"p{at}": {"count": f"v{max(0, length - at)}"} for at in range(length)}
    return tree


def _zones(length: int) -> Tree:
    """Zones each of which is renewed from the next."""
    tree = island()
    for at in range(length):
        tree["zones"][f"z{at}"] = {"shape": "stack", "holds": "card", "renew": f"z{at + 1}"}
    tree["zones"][f"z{length}"] = {"shape": "stack", "holds": "card"}
    return acted(tree, [{"draw": 1, "from": "z0", "to": "me.hand"}, {"move": "me.hand", "to": "discard"}, GAIN])


def _emptied(length: int) -> Tree:
    """Zones each of which is emptied when the one before is."""
    tree = island()
    tree = acted(tree, [{"move": "take(1, deck)", "to": "z0"}, {"move": "z0", "to": "discard"}, GAIN])
    for at in range(length):
        tree["zones"][f"z{at}"] = {"shape": "stack", "holds": "card"}
        steps = [{"move": "take(1, deck)", "to": f"z{at + 1}"}, {"move": f"z{at + 1}", "to": "discard"}]
        tree["triggers"][f"t{at}"] = {"when": {"emptied": f"z{at}"}, "do": steps}
    tree["zones"][f"z{length}"] = {"shape": "stack", "holds": "card"}
    return tree


def _state(length: int) -> Tree:
    """Values of players each of which follows the next."""
    tree = acted(island(), [{"set": "me.s0", "to": "1"}, GAIN])
    for at in range(length):
        tree["state"][f"player.s{at}"] = {"type": "0..1", "start": 0}
        when = {"becomes": f"player.s{at} > 0"}
        steps = [{"set": f"player.s{at + 1}", "to": "1"}]
        tree["triggers"][f"t{at}"] = {"when": when, "do": steps}
    tree["state"][f"player.s{length}"] = {"type": "0..1", "start": 0}
    return tree


def _tracks(length: int) -> Tree:
    """Tracks each of which goes on at the next."""
    tree = acted(island(), [{"advance": "me.k0", "by": 3}, GAIN])
    for at in range(length + 1):
        onward = [{"advance": f"me.k{at + 1}", "by": 2}] if at < length else []
        tree["tracks"][f"player.k{at}"] = {
            "space": f"kind{at}", "start": 0, "spaces": [{}, {}], "past_top": onward, "past_bottom": [],
        }  # fmt: skip
    return tree


def _stepped(length: int) -> Tree:
    """Triggers each of which waits for a step of a track and moves the next."""
    tree = acted(island(), [{"advance": "me.k0"}, GAIN])
    for at in range(length + 1):
        tree["tracks"][f"player.k{at}"] = {
            "space": f"kind{at}", "start": 0, "spaces": [{}, {}], "past_top": [], "past_bottom": [],
        }  # fmt: skip
        if at < length:
            steps = [{"advance": f"player.k{at + 1}"}]
            tree["triggers"][f"t{at}"] = {"when": {"stepped": f"player.k{at}"}, "do": steps}
    return tree


def _functions(length: int) -> Tree:
    tree = acted(island(), [{"require": "f0(me) != 77777"}, GAIN])
    for at in range(length):
        tree["functions"][f"f{at}"] = {"params": {"p": "player"}, "type": "integer", "is": f"f{at + 1}(p) + 1"}
    tree["functions"][f"f{length}"] = {"params": {"p": "player"}, "type": "integer", "is": "p.score"}
    return tree


def _effects(length: int) -> Tree:
    tree = acted(island(), [{"perform": "e0"}, GAIN])
    tree["effects"] |= {f"e{at}": {"do": [{"perform": f"e{at + 1}"}]} for at in range(length)}
    tree["effects"][f"e{length}"] = {"do": [GAIN]}
    return tree


def _handed(length: int) -> Tree:
    """An effect inside an effect's argument, through constants and functions."""
    tree = acted(island(), [{"perform": "over(0)"}, GAIN])
    tree["effects"] |= {f"over{at}": {"params": {"e": "effect"}, "do": [{"perform": "e"}]} for at in range(length)}
    tree["functions"] |= {
        f"f{at}": {"type": "effect", "is": f"over{at}(f{at + 1})"} for at in range(length)
    }  # fmt: skip
    tree["functions"][f"f{length}"] = {"type": "effect", "is": "nothing"}
    tree["actions"]["settle"]["do"][0] = {"perform": "f0"}
    return tree


def _actions(length: int) -> Tree:
    """Actions inside actions, each of which asks and may be declined."""
    tree = acted(island(), [{"choose": "cell"}, {"may": [{"perform": "a0"}]}, GAIN])
    for at in range(length):
        steps = [{"choose": "cell"}, {"may": [{"perform": f"a{at + 1}"}]}, GAIN]
        tree["actions"][f"a{at}"] = {"do": steps}
    tree["actions"][f"a{length}"] = {"do": [GAIN]}
    return _said(tree, "a", length)


def _nests(length: int) -> Tree:
    """An action inside itself."""
    tree = acted(island(), [{"perform": "again"}, GAIN])
    tree["actions"]["again"] = {"nests": length, "do": [GAIN, {"may": [{"perform": "again"}]}]}
    tree["messages"]["again.prompt"] = {"en": "Again."}
    return tree


def _nesting_effects(length: int) -> Tree:
    """An effect inside itself, twice each time."""
    tree = acted(island(), [{"perform": "again(0)"}, GAIN])
    steps = [{"if": "n < 9", "then": [{"perform": "again(n)"}]}, GAIN]
    tree["effects"]["again"] = {"params": {"n": "0..9"}, "nests": length, "do": steps}
    return tree


def _said(tree: Tree, prefix: str, length: int) -> Tree:
    tree["messages"] |= {f"{prefix}{at}.prompt": {"en": "What?"} for at in range(length + 1)}
    return tree


def _events(length: int) -> Tree:
    """Triggers each of which sets off the next."""
    tree = acted(island(), [{"emit": "n0"}, GAIN])
    tree["events"] |= {f"n{at}": {} for at in range(length + 1)}
    for at in range(length):
        tree["triggers"][f"t{at}"] = {"when": {"emitted": f"n{at}"}, "do": [{"emit": f"n{at + 1}"}]}
    return tree


def _chosen(length: int) -> Tree:
    """Decisions of one action, each about the one before."""
    steps: list[Any] = [{"choose": "x0", "from": "cell"}]
    steps += [{"choose": f"x{at}", "from": f"x{at - 1}.beside"} for at in range(1, length)]
    return acted(island(), [*steps, GAIN])


def _bound(length: int) -> Tree:
    """Names of one list of steps, each from the one before."""
    steps: list[Any] = [{"let": "x0", "be": "me.score"}]
    steps += [{"let": f"x{at}", "be": f"x{at - 1} + 1"} for at in range(1, length)]
    return acted(island(), [*steps, {"require": f"x{length - 1} != 77777"}, GAIN])


def _labels(length: int) -> Tree:
    """Conditions with labels, all of which a variant's action lifts."""
    steps: list[Any] = [{"require": "me.coins >= 0", "rule": f"l{at}"} for at in range(length)]
    tree = acted(island(), [*steps, GAIN])
    lifted = "".join(f" without l{at}" for at in range(length))
    tree["flow"] = [{"repeat": [{"try": [{"perform": f"settle{lifted}"}]}], "times": 3}]
    return tree


def _setup(length: int) -> Tree:
    """Decisions before the first turn."""
    tree = island()
    tree.pop("scenarios")
    tree["rules"]["bridge_cost"].pop("shown_by")
    tree["setup"] += [{"as": "red", "do": [{"choose": f"x{at}", "from": "cell"}, GAIN]} for at in range(length)]
    tree["messages"] |= {f"x{at}.prompt": {"en": "Where?"} for at in range(length)}
    return tree


def _flow(length: int) -> Tree:
    tree = acted(island(), [GAIN])
    tree["flow"] = [{"try": [{"perform": "settle"}]} for _ in range(length)]
    return tree


def _end(length: int) -> Tree:
    tree = acted(island(), [GAIN])
    tree["end"] = [{"for_each": f"x{at}", "in": "player", "do": [GAIN]} for at in range(length)]
    return tree


def _ranking(length: int) -> Tree:
    tree = island()
    tree["ranking"] = [{"most": f"player.score + {at}"} for at in range(length)]
    return tree


def _messages(length: int) -> Tree:
    """A text with figures, each of which is a function's of the next."""
    tree = _functions(length)
    tree["messages"]["settle.prompt"] = {"en": "{f0(me)} " * min(length, 500)}
    return tree


def _terms(length: int) -> Tree:
    tree = island()
    for at in range(length):
        tree["terms"][f"w{at}"] = {"en": f"thing {at}", "parent": f"w{at + 1}"}
    tree["terms"][f"w{length}"] = {"en": "thing"}
    return tree


def _rules(length: int) -> Tree:
    """Rules each of which names the term of the next, and all that carry them out."""
    tree = _terms(length)
    for at in range(length):
        tree["rules"][f"r{at}"] = {
            "text": {"en": f"A {{w{at}}} is no {{w{at + 1}}}.", "fr": "Non."},
            "kind": "effect", "binds": ["actions.settle", "values.bridge_cost"],
        }  # fmt: skip
    return tree


def _book(length: int) -> Tree:
    """Parts inside parts."""
    tree = island()
    part: Tree = {"title": {"en": "Last"}, "kinds": ["cost"]}
    for at in range(length):
        part = {"title": {"en": f"Part {at}"}, "parts": [part]}
    tree["book"]["parts"].append(part)
    return tree


def _addresses(length: int) -> Tree:
    tree = island()
    tree["rulebooks"] |= {f"b{at}": {"title": "Book", "about": f"https://example.org/{at}"} for at in range(length)}
    return tree


def _rulebooks(length: int) -> Tree:
    tree = island()
    tree["rulebooks"] |= {f"b{at}": {"title": f"Book {at}"} for at in range(length)}
    tree["values"] |= {
        f"v{at}": {"is": 1, "source": {"book": f"b{at}", "place": "there"}} for at in range(length)
    }  # fmt: skip
    return tree


def _scenarios(length: int) -> Tree:
    """Moves of one scenario, and what is given to each cell."""
    tree = island()
    told = tree["scenarios"]["a_bridge_is_paid"]
    told["play"] = [{"refused": "settle cell[1,2]"} for _ in range(length)] + told["play"]
    told["then"] = ["red.coins == 2"] * length
    return tree


def _given(length: int) -> Tree:
    """What lies in one zone, piece by piece."""
    tree = island()
    tree["pieces"]["token"]["count"] = min(length + 1, 4000)
    tree["scenarios"]["a_bridge_is_paid"]["given"]["red.stock"] = ["token(red)"] * length
    return tree


def _checks(length: int) -> Tree:
    tree = island()
    tree["checks"] = ["cell.count == 24"] * length
    return tree


def _always(length: int) -> Tree:
    tree = island()
    tree["always"] = ["all(p.coins <= 20 for p in player)"] * length
    return tree


def _hints(length: int) -> Tree:
    tree = _functions(length)
    tree["hints"]["worth"] |= {f"h{at}": "f0(player)" for at in range(min(length, 20))}
    return tree


def _icons(length: int) -> Tree:
    tree = island()
    tree["icons"] |= {chr(0x4E00 + at): "star" for at in range(length)}
    return tree


def _repetition(length: int) -> Tree:
    """Very many states that count."""
    tree = island()
    tree["state"] |= {f"r{at}": {"type": "0..3", "start": 0} for at in range(length)}
    tree["repetition"]["of"] = [f"r{at}" for at in range(length)]
    return tree


def _options(length: int) -> Tree:
    """Options each of which goes with the next."""
    tree = island()
    tree["game"]["options"] |= {
        f"o{at}": {"type": "boolean", "start": False, "constraint": f"not option.o{at} or option.o{at + 1}"}
        for at in range(length)
    }
    tree["game"]["options"][f"o{length}"] = {"type": "boolean", "start": False}
    return _named(tree, [f"option.o{at}" for at in range(length + 1)])


def _named(tree: Tree, keys: list[str]) -> Tree:
    tree["messages"] |= {key: {"en": key} for key in keys}
    return tree


def _variants(length: int, by: str = "requires") -> Files:
    """Variants each of which needs the next, or comes after it."""
    files: Files = {"game.yaml": island()}
    for at in range(length + 1):
        told = {"id": f"w{at}", "title": {"en": f"W {at}"}, "changes": [{"set": "values.bridge_cost", "to": 3}]}
        if at < length:
            told[by] = [f"w{at + 1}"]
        files[f"variants/w{at}.yaml"] = {"variant": told}
    return files


def _changes(length: int) -> Files:
    """Steps around steps around steps, by the changes of one variant."""
    files: Files = {"game.yaml": island(), "variants/floods.yaml": overlay()}
    wrap = {"wrap": "actions.settle.do", "before": [{"require": "me.coins >= 0"}], "after": [GAIN]}
    files["variants/floods.yaml"]["variant"]["changes"] = [wrap] * length
    return files


def _inserted(length: int) -> Files:
    """Steps inside steps that are inserted into steps that were inserted, each by another variant."""
    files: Files = {"game.yaml": island()}
    for at in range(length):
        path = "actions.settle.do" + "[if].then" * at
        change = {"insert": path, "steps": [{"if": "me.coins > 0", "then": [GAIN]}]}
        told = {"id": f"w{at}", "title": {"en": f"W {at}"}, "changes": [change]}
        if at:
            told["requires"] = [f"w{at - 1}"]
        files[f"variants/w{at}.yaml"] = {"variant": told}
    return files


def _packs(length: int) -> Files:
    files: Files = {"game.yaml": island()}
    for at in range(length):
        files[f"texts{at}.yaml"] = {"messages": {f"settle.note{at}": {"en": "X"}}}
    return files


#: How the declarations of each section hang on one another; a section may stand with several.
LINKS: dict[str, dict[str, Link]] = {
    "game": {"options": _options},
    "values": {"constants": _values, "tables": _tables},
    "enums": {"attributes": _enums, "formulas": _formulas, "effects": _given_effects},
    "boards": {"attributes": _attributes, "lines": _lines},
    "relations": {"where": _relations, "inverse": _inverses},
    "pieces": {"count": _pieces},
    "zones": {"renew": _zones, "emptied": _emptied},
    "state": {"becomes": _state},
    "tracks": {"past the top": _tracks, "stepped": _stepped},
    "functions": {"calls": _functions},
    "effects": {"perform": _effects, "arguments": _handed, "nests": _nesting_effects},
    "actions": {"perform": _actions, "nests": _nests, "choices": _chosen, "names": _bound, "labels": _labels},
    "events": {"emit": _events},
    "triggers": {"emitted": _events},
    "setup": {"decisions": _setup},
    "flow": {"actions": _flow},
    "end": {"loops": _end},
    "ranking": {"lines": _ranking},
    "messages": {"figures": _messages},
    "terms": {"parents": _terms},
    "rules": {"terms": _rules},
    "book": {"parts": _book},
    "rulebooks": {"sources": _rulebooks, "addresses": _addresses},
    "scenarios": {"moves": _scenarios, "given": _given},
    "checks": {"conditions": _checks},
    "always": {"conditions": _always},
    "hints": {"functions": _hints},
    "icons": {"signs": _icons},
    "repetition": {"states": _repetition},
    "pack": {"files": _packs},
    "variant": {
        "requires": _variants, "after": lambda length: _variants(length, "after"), "wraps": _changes,
        "inserts": _inserted,
    },
}  # fmt: skip
