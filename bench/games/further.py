"""What made games declare beside what steps play with: pictures, words, scenarios, where facts come from.

further(made)       # after the steps; adds to made.tree
"""

from __future__ import annotations

from random import Random
from typing import Any

from bench.games.declared import RULE_KINDS, SUITS, Made, Tree
from bench.games.forms import PLAY, Scope
from bench.games.looks import looks

SOURCES: tuple[Tree, ...] = (
    {"book": "rulebook", "place": "scoring", "edition": "second", "lines": "lines 1-2"},
    {"public": "an interview"},
    {"inferred": "the sum of the rows"},
    {"reconstructed": "only the total is known"},
)
#: a source in one sentence
PLAINLY = "as it was printed on the box"
#: what a part of a declaration holds that are declarations again
_INNER = ("values", "rows", "options", "attributes", "spaces")


def further(made: Made) -> None:
    """Everything, each in some games."""
    for add, share in (
        (_pictures, 0.5), (_relations, 0.5), (_figures, 0.5), (_words, 0.4), (_rules, 0.4), (_scenarios, 0.5),
        (_sources, 0.4),
    ):  # fmt: skip
        if made.chance(share):
            add(made)
    _dice(made)
    _teams(made)
    _out(made)
    _truths(made)
    _forgetting(made)
    _looking(made)
    _repeated(made)
    _screens(made)
    looks(made)


# ---- boards and pieces -----------------------------------------------------------------------------------------------


_SHAPES = ("square", "hexagon", "octagon", "circle")


def _pictures(made: Made) -> None:
    tree, random = made.tree, made.random
    land = tree["boards"]["land"]
    price = "cell.price" if "price" in land["cell"]["attributes"] else "cell.x"
    draw: Tree = {"x": "cell.x", "y": "cell.y", "shows": [price, ["cell.y", price]]}
    if made.chance(0.5):
        draw |= {"width": "5 + cell.x", "height": "3", "frame": "cell.x > 0"}
    if made.chance(0.5):
        draw |= {"ports": 1, "joins": {0: "if cell.x > 0 then 2 else none", 1: 3}, "double": "cell.y > 0"}
    land["cell"]["draw"] = draw | {"shape": _SHAPES[len(str(tree)) % len(_SHAPES)]}  # no draw of chance: seeds stay
    land["cell"]["plural"] = "fields"
    if "line" in land:
        land["line"]["at_least"] = random.choice((1, 2, "1 + 2"))
    seats = tree["game"]["seats"][: made.players[0]]
    rows = {f"stall{number}": {"keeper": seat} for number, seat in enumerate(seats)}
    stall: Tree = {"attributes": {"keeper": "player"}, "rows": rows, "draw": {"beside": "stall.keeper"}}
    tree["boards"]["market"] = {"stall": stall}
    picture = {"ports": 1, "joins": {0: 2, 1: "none"}, "double": True, "width": 6, "height": 4}
    tree["pieces"][random.choice(("card", "token"))]["draw"] = picture
    if "tracks" in tree:
        tree["tracks"]["player.climb"]["draw"] = {"x": "stair.place", "y": 0}


def _own_chance(made: Made, what: str, one_in: int) -> Random | None:
    """Chance of its own for what one game in so many has, so that what else a seed makes stays; None in the others."""
    size = len(str(made.tree))
    return None if size % one_in else Random(f"{what} {size}")


#: One game in so many has dice.
_WITH_DICE = 3


def _dice(made: Made) -> None:
    """Dice of numbers or of an enum, open and under cups: at the end all are rolled, and some again."""
    tree = made.tree
    random = _own_chance(made, "dice", _WITH_DICE)
    if random is None:
        return
    low, high = random.choice(((1, 6), (0, 2), (-1, 1)))
    numbered = random.random() < 0.7
    tree["pieces"]["die"] = {"count": random.randint(1, 4), "faces": f"{low}..{high}" if numbered else "suit"}
    tree["zones"]["dice"] = {"shape": random.choice(("pool", "stack")), "holds": "die", "start": "true"}
    tree["zones"]["player.cup"] = {"shape": "pool", "holds": "die", "front": random.choice(("owner", "nobody", "all"))}
    face = str(high) if numbered else random.choice(SUITS)
    again: list[Tree] = [
        {"roll": "dice"},
        {"roll": "take(1, dice)"},
        {"for_each": "player", "do": [{"draw": 1, "from": "dice", "to": "player.cup"}, {"roll": "player.cup"}]},
        {"may": [{"choose": "dies", "from": "dice", "up_to": 2}, {"roll": "dies"}], "id": "rolling"},
        {"for_each": "dot", "in": "dice", "do": [{"flip": "dot", "face": face}]},
        {"try": [{"roll": "dice.first"}]},
        {"score": f"count(pip in dice where pip.face == {face})", "for": "red",
         "reason": "pips"},
    ]  # fmt: skip
    chosen = sorted(random.sample(range(len(again)), k=random.randint(3, len(again))))
    tree["end"] = [*(again[number] for number in chosen), *tree["end"]]
    tree["setup"] = [*tree.get("setup", []), {"roll": "dice"}]


#: One game in so many has teams.
_WITH_TEAMS = 4


def _teams(made: Made) -> None:
    """Teams by an expression, what is read of them, and a condition of winning."""
    tree = made.tree
    random = _own_chance(made, "teams", _WITH_TEAMS)
    if random is None:
        return
    first = tree["game"]["seats"][0]
    tree["game"]["teams"] = random.choice(("player.index % 2", "0", f"if player == {first} then sun else moon"))
    tree["end"] = [
        *tree["end"],
        {"if": "player_count > 1 and red.team == (red.partners.first otherwise red).team",
         "then": [{"score": "red.partners.count", "for": "red.partners.first otherwise red", "reason": "pips"}]},
    ]  # fmt: skip
    tree["ranking"].insert(random.randint(0, 2), {"won": "player.score > 0"})


#: In one game in so many a player goes out.
_WITH_OUT = 5


def _out(made: Made) -> None:
    """A player is out before the end, or in the middle of a loop of turns; those who are in are asked."""
    tree = made.tree
    random = _own_chance(made, "out", _WITH_OUT)
    if random is None:
        return
    steps: list[Tree] = [
        {"eliminate": random.choice(("red", "red.left"))},
        {"turns": "player", "do": [
            {"may": [{"score": 1, "reason": "pips"}], "id": "rolling", "else": [{"eliminate": "me"}]},
            {"choose": "pip", "from": "0..1", "then": [{"score": "pip", "reason": "pips"}], "else": []},
        ]},
        {"as": random.choice(("red", "red.left")), "do": [
            {"for_each": "pip", "in": "1..2", "order": random.choice(("given", "chosen")), "optional": "true",
             "do": [{"score": "pip", "reason": "pips"}]}]},
        {"score": "count(p in player where not p.out)", "for": "red", "reason": "pips"},
    ]  # fmt: skip
    tree["end"] = [*steps[random.randint(0, 1) :], *tree["end"]]


#: In one game in so many positions are recorded.
_WITH_REPETITION = 4


def _repeated(made: Made) -> None:
    """Positions are recorded in turns and at the end: some of what lies open counts, few or many are remembered."""
    tree = made.tree
    random = _own_chance(made, "repetition", _WITH_REPETITION)
    if random is None:
        return
    known = [key for key, zone in tree["zones"].items() if zone.get("front", "all") == "all"]
    known += [key for key, state in tree.get("state", {}).items() if state["type"].split()[0] != "effect"]
    values = ("active", "box.token.count", "exists deck.top", "any(p in player where p.score > 0)")
    of = [*random.sample(known, k=random.randint(0, len(known))), *random.sample(values[:4], k=random.randint(1, 3))]
    tree["repetition"] = {"of": of, "up_to": random.choice(("1", "3", "2 + player_count", "40"))}
    source = random.choice((PLAINLY, SOURCES[0], list(SOURCES)))
    tree["repetition"] |= {"about": "What makes two positions the same.", "source": source}
    counted: list[Tree] = [
        {"record": "position"},
        {"score": "position.repeated", "for": "red", "reason": "pips"},
        {"may": [{"require": "position.repeated > 1"}, {"record": "position"}], "id": "rolling"},
        {"turns": "player", "do": [{"record": "position"}, {"choose": "pip", "from": "0..position.repeated"},
                                   {"score": "pip", "reason": "pips"}]},
    ]  # fmt: skip
    tree["end"] = [*counted, *tree["end"]]
    tree["setup"] = [*tree.get("setup", []), {"record": "position"}]
    tree["flow"] = [{"record": "position"}, *tree["flow"], {"record": "position"}]


#: In one game in so many a truth value is chosen, and numbers out of a list.
_WITH_TRUTHS = 6


def _truths(made: Made) -> None:
    """Choices of truth values and of listed numbers, one by one, as a set and by chance."""
    tree = made.tree
    random = _own_chance(made, "truths", _WITH_TRUTHS)
    if random is None:
        return
    truths: Tree = {
        "choose": "bold",
        "from": random.choice(("boolean", "[true, false, true]", "[red in [red], false]")),
    }
    worth = {"score": "if bold then 3 else 1", "for": "red", "reason": "pips"}
    steps: list[list[Tree]] = [
        [truths | {"where": random.choice(("true", "bold or player_count > 1"))}, worth],
        [truths | {"who": "chance"}, worth],
        [{"choose": "bolds", "from": "[true, false, true]", "exactly": 2},
         {"score": "count(b in bolds where b)", "for": "red", "reason": "pips"}],
        [{"choose": {"bold": {"from": "boolean"}, "pip": {"from": "[0, 2, 3]", "where": "bold or pip > 0"}}},
         {"score": "pip", "for": "red", "reason": "pips"}],
    ]  # fmt: skip
    chosen = random.sample(steps, k=2)
    tree["end"] = [{"as": "red", "do": steps} for steps in chosen] + tree["end"]


#: In one game in so many players forget what went into some hidden zone.
_FORGETTING = 5


def _forgetting(made: Made) -> None:
    """Zones with `memory: none`, among those whose fronts not everybody sees."""
    random = _own_chance(made, "memory", _FORGETTING)
    hidden = [zone for zone in made.tree["zones"].values() if zone.get("front", "all") != "all"]
    if random is not None and hidden:
        random.choice(hidden)["memory"] = "none"


#: In one game in so many players are shown pieces.
_LOOKING = 2


def _looking(made: Made) -> None:
    """Pieces of zones whose fronts not everybody sees, shown in the set-up, before the flow and behind an action."""
    random = _own_chance(made, "look", _LOOKING)
    hidden = {key: zone for key, zone in made.tree["zones"].items() if zone.get("front", "all") != "all"}
    if random is None or not hidden:
        return
    tree = made.tree

    def look(seers: list[str]) -> Tree:
        key, zone = random.choice(sorted(hidden.items()))
        of, _, _ = key.rpartition(".")
        whats = [key] if zone["shape"] == "slot" else [key, f"take(2, {key})", f"list(x for x in {key})"]
        whats += [f"{key}.top"] * (zone["shape"] == "stack")
        what = random.choice(whats)
        step: Tree = {"look": what, "for": random.choice(seers)}
        missing = [step] if what in (key, whats[-1]) and zone["shape"] != "slot" else [{"try": [step]}]
        return {"for_each": of, "do": missing} if of else missing[0]

    seers = ["red", "red.left", "player", "[red, red.left]", "set(p for p in player where p.left == red)"]
    tree["setup"] = [*tree.get("setup", []), look(seers)]
    tree["flow"] = [look(seers), *tree["flow"]]
    act = tree["actions"]["act"]
    act["do"] = [*act["do"], look([*seers, "me.left", "list(p for p in player where p != me)"])]


#: In one game in so many players have something of which the others do not see how much.
_WITH_SCREENS = 3


def _screens(made: Made) -> None:
    """Pools that their owners alone count: chosen from by number or one by one, passed on, laid open, counted."""
    tree = made.tree
    random = _own_chance(made, "screens", _WITH_SCREENS)
    if random is None:
        return
    rows = [{"size": size, "count": random.randint(1, 6)} for size in range(1, random.randint(2, 4))]
    tree["pieces"]["bead"] = {"attributes": {"size": "1..3"}, "rows": rows}
    tree["zones"]["jar"] = {"shape": "pool", "holds": "bead", "start": True, "front": random.choice(("all", "nobody"))}
    tree["zones"]["jar"] |= {"count": "all"} if random.random() < 0.3 else {}
    tree["zones"]["player.purse"] = {"shape": "pool", "holds": "bead", "count": "owner"}
    tree["zones"]["player.pledge"] = {"shape": "pool", "holds": "bead", "count": "owner", "up_to": random.randint(1, 9)}
    tree["zones"]["player.shown"] = {"shape": "pool", "holds": "bead"}
    tree["setup"] = [*tree.get("setup", []), {"draw": random.randint(1, 9), "from": "jar", "to": "red.purse"}]
    deeds: list[Tree] = [
        {"choose": "pip", "from": "0..me.purse.count", "then": [{"move": "take(pip, me.purse)", "to": "me.pledge"}]},
        {"may": [{"choose": "bead", "from": "me.purse"}, {"move": "bead", "to": "me.pledge"}], "id": "pledging"},
        {"may": [{"choose": "beads", "from": "me.purse", "up_to": 2}, {"move": "beads", "to": "me.shown"}],
         "id": "laying"},
        {"may": [{"move": "me.pledge", "to": random.choice(("me.shown", "me.purse", "me.left.purse"))}],
         "id": "giving"},
        {"draw": 2, "from": "jar", "to": "me.purse"},
        {"try": [{"move": "me.purse.any" if len(rows) == 1 else "take(1, me.purse)", "to": "me.left.pledge"}]},
        {"look": random.choice(("me.left.purse", "me.purse")), "for": random.choice(("me", "player"))},
        {"score": "me.pledge.count", "reason": "pips"},
    ]  # fmt: skip
    do = [{"turns": "player", "do": random.sample(deeds, k=random.randint(2, 5))}]
    tree["flow"] = [*do, *tree["flow"]]
    tree["end"] = [*do, *tree["end"]] if made.tree["flow"] and random.random() < 0.4 else tree["end"]


def _relations(made: Made) -> None:
    tree = made.tree
    if "towns" not in tree["boards"]:
        return
    by_count = {count: {"north": ["south"]} for count in range(made.players[0], made.players[1] + 1)}
    tree.setdefault("relations", {}).update({
        "town.ways": {"to": "town", "pairs": {"north": ["south", "east"]}, "both_ways": made.chance(0.5)},
        "town.ferries": {"to": "town", "by": "player_count", "pairs": by_count, "both_ways": False,
                         "inverse": made.random.choice(("piers", {"pier": "town or none"}))},
    })  # fmt: skip


def _figures(made: Made) -> None:
    """Attributes by table, conditions on options, and what is read when the game is over."""
    tree, words = made.tree, made.words
    cell = tree["boards"]["land"]["cell"]
    fees = [0, 1, 2, 3][: _columns(cell)]
    cell["attributes"]["fee"] = {"type": "0..9", "by": "x", "values": fees}
    if made.chance(0.5):
        rows = int(cell["for"]["y"].split("..")[1]) + 1
        cell["attributes"]["toll"] = {"type": "0..9", "by": ["y", "x"], "values": [fees] * rows}
    for name, option in tree["game"].get("options", {}).items():
        option["title"] = {"en": name.title()}
        option["constraint"] = "option.speed == 1 or player_count > 0"
    worth = words.make("integer", Scope({"player": "player"}, PLAY), 1)
    tree["hints"] = {"horizon": 3, "unit": 1, "worth": {"end": f"box.token.count + {worth}"}}
    tree.setdefault("checks", []).append("count(p in player) == player_count and box.card.count >= 0")


def _columns(cell: Tree) -> int:
    return int(cell["for"]["x"].split("..")[1]) + 1


# ---- what people read ------------------------------------------------------------------------------------------------


def _words(made: Made) -> None:
    tree = made.tree
    label = next(iter(made.labels["act"]), None)
    lifted = f" {{if waived({label}) then 1 else 0}}" if label else ""
    also = {"text": "Card stock", "case": "any", "not_after": ["the", "a"], "not_before": "of"}
    tree["terms"] = {
        "card": {"en": {"one": "card", "other": "cards", "gender": "neuter", "also": ["sheet", also],
                        "second": ["leaf", {"text": "Leaflet", "case": "exact"}],
                        "avoid": ["crd", {"text": "Carton", "case": "exact", "not_after": "a", "not_before": ["of"]}]}},
        "token": {"en": {"one": "token", "other": "tokens"}, "parent": "card", "note": "A kind of card."},
        **{suit: {"en": suit.title()} for suit in SUITS},
    }  # fmt: skip
    tree["game"]["languages"] = ["en"]
    tree["messages"] = {
        "act.prompt": {"en": f"Act, {{me}}, in round {{round}}.{lifted}", "note": "Asked in each turn."},
        "act.log": {"select": "round", "en": {"one": "{me} acts once.", "other": "{me} acts in round {round}."}},
        "score.stairs": {"en": "Stairs", "suppress": [{"code": "RS543", "language": "en", "reason": "printed so"}]},
        "score.work": {"en": "Work"},
    }


def _rules(made: Made) -> None:
    tree = made.tree
    tree["rulebooks"] = {"rulebook": {"title": "Made, second printing", "language": "en", "about": "the book"}}
    tree["rules"] = {
        "rounds": {"text": {"en": "The figure is {figure}."}, "kind": made.random.choice(RULE_KINDS),
                   "binds": ["flow", "values.figure"], "ledger": ["MA-001"]},
        "deeds": {"text": {"en": "Work is done."}, "kind": made.random.choice(RULE_KINDS), "binds": ["actions.act"],
                  "title": {"en": "Work"}},
    }  # fmt: skip
    boards = [name for name in ("land", "towns") if name in tree["boards"]]
    shows: list[Tree] = [
        {"board": "land", "title": {"en": "Land"}},
        {"board": "land", "players": made.players[0]},
        {"board": boards},
        {"each": "suit", "where": "suit != sun", "columns": [{"title": {"en": "Suit"}, "is": "suit"}]},
        {"by_players": [{"title": {"en": "Cards"}, "is": "each[player_count]"}]},
    ]
    inner = {"title": {"en": "Deeds"}, "rules": ["deeds"], "about": "what is done"}
    tree["book"] = {
        "parts": [
            {"title": {"en": "Rules"}, "kinds": made.random.sample(RULE_KINDS, 4), "shows": shows, "parts": [inner]}
        ],
        "words": {"Rules": {"fr": "Règles"}},
        "without_rule": [{"path": "values.points", "reason": "printed on the board"}],
    }


def _scenarios(made: Made) -> None:
    """Scenarios of which some hold; each ends in what must hold and what was asked before."""
    tree, seats = made.tree, made.tree["game"]["seats"]
    place = tree["zones"]["player.hand"]["shape"]
    seats = seats[: made.players[0]]
    sees = {"zone": "red.hand", "seen_by": ["red"] if tree["zones"]["player.hand"].get("front") == "owner" else seats}
    card = "1 * card(sun, 1)" if len(str(tree)) % 2 else "card(sun, 1)"  # no draw of chance: seeds stay
    held = card if place == "slot" else [card]
    begun: Tree = {
        "players": made.players[0],
        "seed": 3,
        "start": "setup",
        "then": ["round >= 0", {"is": "not game_over"}],
    }
    if "options" in tree["game"]:
        begun["options"] = {"speed": 2}
    placed: Tree = {
        "start": "empty",
        "at": made.random.choice(("red act", "end")),
        "given": {"red.coins": 4, "red.hand": held},
    }
    placed |= {"play": [{"secret": sees}], "then": ["red.coins == 4 or winners.count > 0"]}
    played = {
        "play": [{"refused": {"option": "act nowhere", "rule": "no"}},
                 {"refused": [{"option": "act", "rule": "no"}, "act"]},
                 {"refused": "act east"}, {"offered": "decline"}, {"offered": ["decline", "act"]}, {"red": "decline"}],
        "then": ["box.token.count >= 0"],
    }  # fmt: skip
    if "round" in tree["flow"][0]:
        played["to_end_of"] = "lap"
    tree["scenarios"] = {"begun": begun, "placed": placed, "played": played}
    if "rules" in tree:
        begun["rules"] = ["rounds"]
        tree["rules"]["rounds"]["shown_by"] = ["begun"]
    if "book" in tree and tree["book"].get("parts"):
        tree["book"]["parts"][0]["shows"].append({"board": "land", "scenario": "placed"})


# ---- where facts come from -------------------------------------------------------------------------------------------


def _sources(made: Made) -> None:
    """What declarations say of themselves, in all sections."""
    tree = made.tree
    for name, section in list(tree.items()):
        if name in ("game", "book", "hints"):
            _tell(made, section)
        if name == "boards":
            for group in section.values():
                _tell(made, group)
                _all_told(made, {kind: of for kind, of in group.items() if kind not in ("about", "source")})
        elif name not in ("setup", "flow", "end", "events", "rulebooks", "book", "hints"):
            _all_told(made, section.get("options", {}) if name == "game" else section)
    for number, step in enumerate(tree["flow"][:2]):
        step["about"] = f"step {number}"


def _all_told(made: Made, section: Any) -> None:
    for entry in section.values() if isinstance(section, dict) else section:
        if not isinstance(entry, dict):
            continue
        for part in _INNER:
            inner = entry.get(part)
            each = list(inner.values()) if isinstance(inner, dict) else inner if isinstance(inner, list) else [""]
            if all(isinstance(one, dict) for one in each):
                _all_told(made, inner)
        if made.chance(0.5):
            _tell(made, entry)


def _tell(made: Made, entry: Tree) -> None:
    if "most" in entry or "least" in entry:
        entry["about"] = "a line of the ranking"
        return
    entry["about"] = "made by chance"
    entry["source"] = source_of(made.random)
    made.tree.setdefault("rulebooks", {"rulebook": {"title": "Made", "language": "en"}})


def source_of(random: Random) -> str | Tree | list[Tree]:
    """Where something comes from: a text, an entry, or two entries."""
    entries = random.sample(SOURCES, 2)
    return random.choice((PLAINLY, entries[0], entries))
