"""The declarations of a made game: boards, pieces, zones, state and the like, and the forms of expressions they bring.

made = declare(Random(1))
made.tree["zones"], made.forms.of("zone card", scope)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from bench.games.forms import CONSTANT, PLAY, STEPS, Forms, Scope, Words, members, plain

Tree = dict[str, Any]
SUITS = ("sun", "moon", "star")
#: What rules can be about.
RULE_KINDS = ("component", "setup", "turn", "action", "effect", "cost", "scoring", "end", "example", "variant")
#: what functions give
GIVEN = ("integer", "boolean", "player", "cell?", "suit", "integer?", "list cell", "many suit", "many player")
SEATS = ("red", "green", "blue", "black")
#: what the back of a card may show
BACKS: tuple[list[str], ...] = (["suit"], [], ["suit", "worth"])


@dataclass(slots=True)
class Zone:
    """A zone: how it is read from anywhere (`text`), as `me` (`own`), and what is known of it."""

    key: str
    shape: str
    holds: str
    front: str
    text: str
    own: str
    room: bool = False
    #: whether everybody sees the backs: else nobody can choose there what lies face down
    backs: bool = True

    @property
    def is_seen(self) -> bool:
        return self.front == "all"


@dataclass(slots=True)
class Made:
    """A game being made: its tree, its forms, and what steps can use."""

    random: Random
    tree: Tree = field(default_factory=dict)
    forms: Forms = field(default_factory=Forms)
    zones: list[Zone] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    #: what can be set: a place's text with a hole, its type, and for numbers its range
    cells: list[tuple[str, str, tuple[int, int]]] = field(default_factory=list)
    tracks: list[str] = field(default_factory=list)
    events: dict[str, list[str]] = field(default_factory=dict)
    effects: dict[str, list[str]] = field(default_factory=dict)
    labels: dict[str, list[str]] = field(default_factory=dict)
    conditions: list[str] = field(default_factory=list)
    players: tuple[int, int] = (2, 3)

    words: Words = field(init=False)

    def __post_init__(self) -> None:
        self.words = Words(self.random, self.forms)

    def chance(self, p: float) -> bool:
        return self.random.random() < p


def declare(random: Random) -> Made:
    """A game's declarations without its steps."""
    made = Made(random)
    plain(made.forms)
    for section in (_game, _enums, _boards, _values, _pieces, _zones, _state, _tracks, _relations, _functions):
        section(made)
    return made


def _game(made: Made) -> None:
    random = made.random
    low = random.choice((1, 2, 2, 2))
    made.players = (low, low + random.choice((0, 1, 1)))
    seats = list(SEATS[: max(made.players)])
    count = made.players[0] if made.players[0] == made.players[1] else f"{made.players[0]}..{made.players[1]}"
    game: Tree = {"id": "made", "language": 1, "title": {"en": "Made"}, "players": count, "seats": seats}
    if made.chance(0.3):
        game["options"] = {"fast": {"type": "boolean", "start": False}, "speed": {"type": "1..2", "start": 1}}
        made.forms.add("boolean", "option.fast", weight=0.5)
        made.forms.add("integer", "option.speed", weight=0.5)
        made.forms.add("amount", "option.speed", weight=0.5)
    if made.chance(0.2):
        game["asks"] = random.choice(("what_matters", "everything"))
    made.tree["game"] = game


def _enums(made: Made) -> None:
    forms = made.forms
    made.tree["enums"] = {"suit": list(SUITS)}
    forms.add("suit", *SUITS)
    members(forms, "suit", "suit")
    if made.chance(0.5):
        made.tree["enums"]["level"] = {
            "attributes": {"cost": "0..3", "gives": "effect", "worth_of": "(player) -> integer"},
            "defaults": {"cost": made.random.randint(0, 3)},
            "values": {
                "low": {"gives": "nothing", "worth_of": "player.score + 1"},
                "high": {"cost": 2, "gives": "nothing", "worth_of": "count(p in player where p.score > player.score)"},
            },
        }
        forms.add("level", "low", "high")
        members(forms, "level", "level")
        forms.add("integer", "(<level>).cost")
        forms.add("effect", "(<level>).gives")
        forms.add("integer", "(<level>).worth_of(<player>)", level=PLAY, weight=0.5)
    if made.chance(0.4):
        pitch = {"type": "0..9", "is": f"tone.weight + {made.random.randint(0, 3)}"}
        made.tree["enums"]["tone"] = {
            "attributes": {"weight": "0..3", "pitch": pitch}, "defaults": {"weight": 2}, "values": ["loud", "soft"],
        }  # fmt: skip
        forms.add("tone", "loud", "soft")
        members(forms, "tone", "tone")
        forms.add("integer", "(<tone>).weight", "(<tone>).pitch")


# ---- boards ----------------------------------------------------------------------------------------------------------


def _boards(made: Made) -> None:
    random, forms = made.random, made.forms
    width, height = random.randint(1, 3), random.randint(0, 2)
    cell: Tree = {"for": {"x": f"0..{width}", "y": f"0..{height}"}}
    forms.add("integer", "(<cell>).x", "(<cell>).y")
    forms.add("integer?", "(<maybe cell>).x")
    forms.add("cell?", "cell[<integer>, <integer>]", weight=0.4)
    forms.add("cell", "cell[0, 0]")
    members(forms, "cell", "cell")
    if made.chance(0.4):
        here = Scope({"cell": "cell"}, CONSTANT)
        made.tree["boards"] = {}
        cell["where"] = f"(cell.x == 0 and cell.y == 0) or ({made.words.make('boolean', here, 1)})"
    cell["attributes"] = _attributes(made)
    if made.chance(0.5):
        cell["draw"] = {"x": "cell.x", "y": "cell.y"}
    land: Tree = {"cell": cell}
    if made.chance(0.4):
        land["line"] = {"lines_of": "cell", "directions": random.choice(([[1, 0]], [[1, 0], [0, 1], [1, 1]]))}
        members(forms, "line", "line")
        forms.by_type["line"] = []  # there may be none
        forms.add("list cell", "(<line>).cells", weight=0.5)
        forms.add("integer", "l:line|sum((<list cell ^l>).count for $l in line)", weight=0.3)
    made.tree["boards"] = {"land": land}
    if made.chance(0.5):
        rows = {"north": {"level": 1}, "south": {"level": 2}, "east": {"level": 0}}
        made.tree["boards"]["towns"] = {"town": {"attributes": {"level": "0..2"}, "rows": rows}}
        forms.add("town", "north", "south", "east")
        members(forms, "town", "town")
        forms.add("integer", "(<town>).level")


def _attributes(made: Made) -> Tree:
    """Attributes of the cells, computed from constants and the attributes before them."""
    words, forms = made.words, made.forms
    here = Scope({"cell": "cell"}, CONSTANT)
    found: Tree = {}
    for name, wanted, written in (
        ("price", "integer", "integer"),
        ("rim", "boolean", "boolean"),
        ("ground", "suit", "suit"),
        ("behind", "cell?", "cell or none"),
    ):
        if made.chance(0.6):
            value = words.make(wanted, here, 1)
            found[name] = {"type": written, "is": f"min(9, max(-9, {value}))" if wanted == "integer" else value}
    for name in found:
        of = {"price": "integer", "rim": "boolean", "ground": "suit", "behind": "cell?"}[name]
        forms.add(of, f"(<cell>).{name}")
    return found


def _values(made: Made) -> None:
    made.tree["values"] = {
        "figure": made.random.randint(0, 5),
        "points": {"type": "integer by 0..4", "is": [0, 1, 3, 6, made.random.randint(7, 12)]},
        "each": {"type": "1..3 by player_count", "is": {n: made.random.randint(1, 2) for n in _counts(made)}},
    }
    made.forms.add("table", "points[min(4, max(0, <integer>))]", "figure")
    made.forms.add("table", "(points[round] otherwise 0)", level=PLAY)
    made.forms.add("amount", "1", "2", "3", "min(3, max(1, <integer>))", "each[player_count]")


def _counts(made: Made) -> range:
    return range(made.players[0], made.players[1] + 1)


# ---- pieces and zones ------------------------------------------------------------------------------------------------


def _pieces(made: Made) -> None:
    random, forms = made.random, made.forms
    card: Tree = {"attributes": {"suit": "suit", "worth": "1..3"}}
    card["rows"] = [{"each": "suit", "worth": 1, "count": random.randint(1, 3)}, {"each": "suit", "worth": 3}]
    if made.chance(0.7):
        card["back"] = random.choice(BACKS)
    if made.chance(0.3):
        card["attributes"]["worth"] = {"type": "1..3", "about": "printed in the corner"}
    token: Tree = {"count": random.randint(2, 4)}
    if made.chance(0.7):
        token["per"] = "player"
    if made.chance(0.6):
        token["faces"] = ["awake", "asleep"]
    made.tree["pieces"] = {"card": card, "token": token}
    members(forms, "card", None)
    members(forms, "token", None)
    forms.add("integer", "(<card>).worth")
    forms.add("integer?", "(<maybe card>).worth")
    forms.add("suit", "(<card>).suit")
    forms.add("card", "card(sun, 1)", "card(moon, 3)", weight=0.3)
    if "per" in token:
        forms.add("player", "(<token>).owner")
        forms.add("player?", "(<maybe token>).owner")
    if "faces" in token:
        forms.add("boolean", "(<token>).face == asleep", weight=0.5)


def _zones(made: Made) -> None:
    random, tree = made.random, made.tree
    tree["zones"] = {}
    hidden = made.chance(0.5)

    def front(*others: str) -> str:
        return random.choice(("all", *others, *others)) if hidden else "all"

    deck = front("nobody", "top")
    _zone(made, "deck", "stack", "card", deck, {"start": True, "back": random.choice(("all", "top", "nobody"))})
    if made.chance(0.4):
        tree["zones"]["deck"]["renew"] = "discard"
    _zone(made, "discard", random.choice(("stack", "pool")), "card", front("top") if hidden else "all", {})
    _zone(made, "player.hand", random.choice(("pool", "pool", "stack", "slot")), "card", front("owner"), {})
    if made.chance(0.6):
        shape = random.choice(("pool", "stack"))
        _zone(made, "display", shape, "card", front("nobody", "top"), {"up_to": random.randint(1, 3)})
    if made.chance(0.5):
        shape = random.choice(("slot", "pool", "stack"))
        _zone(made, "cell.spot", shape, "card", front("nobody"), {} if shape == "slot" else {"up_to": 2})
    for kind in ("card", "token"):
        made.forms.add("integer", f"box.{kind}.count", level=PLAY, weight=0.2)
        made.forms.add(f"{kind}?", f"box.{kind}.top", level=PLAY, hides=True, weight=0.1)
    per = "per" in tree["pieces"]["token"]
    if per or made.chance(0.5):
        start = {"start": "token.owner == player"} if per else {}
        _zone(made, "player.stock", "pool", "token", "all", start)
    if not per:
        shape = random.choice(("pool", "stack"))
        _zone(made, "supply", shape, "token", "all", {"start": True})
        if shape == "pool" and "faces" not in tree["pieces"]["token"]:
            made.forms.add("token?", "supply.any", level=PLAY, weight=4)
            made.forms.add("boolean", "exists supply.any", level=PLAY)
    if (per or "faces" in tree["pieces"]["token"]) and made.chance(0.4):  # what `any` can be asked of
        tree["pieces"]["pebble"] = {"count": random.randint(2, 4)}
        tree["zones"]["heap"] = {"shape": "pool", "holds": "pebble", "start": True}
        made.forms.add("integer", "heap.count", level=PLAY, weight=0.3)
        made.forms.add("boolean", "exists heap.any", "heap.any in heap", level=PLAY)
    _more_pieces(made)
    _zone(made, "cell.mark", random.choice(("slot", "slot", "pool", "stack")), "token", front("owner", "nobody"), {})
    if "towns" in tree["boards"] and made.chance(0.6):
        _zone(made, "town.store", random.choice(("slot", "pool", "stack")), "token", "all", {})


def _more_pieces(made: Made) -> None:
    """Pieces whose rows have names, or are all combinations of two enums, each in a zone that is only read."""
    pieces, zones = made.tree["pieces"], made.tree["zones"]
    if made.chance(0.3):
        pieces["medal"] = {
            "attributes": {"worth": "1..5"},
            "rows": {"gold": {"worth": 5}, "tin": {"worth": 1, "count": 2}},
        }
        zones["medals"] = {"shape": "pool", "holds": "medal", "start": True, "front": "all"}
        made.forms.add("integer", "medals.count", "sum(m.worth for m in medals)", level=PLAY, weight=0.3)
    if "tone" in made.tree["enums"] and made.chance(0.6):
        rows = [{"each": ["suit", "tone"], "count": made.random.randint(1, 2)}]
        pieces["tile"] = {"attributes": {"suit": "suit", "tone": "tone"}, "rows": rows}
        zones["tiles"] = {"shape": "stack", "holds": "tile", "start": True, "front": "all"}
        made.forms.add("integer", "tiles.count", "sum(t.tone.weight for t in tiles)", level=PLAY, weight=0.3)


def _zone(made: Made, key: str, shape: str, holds: str, front: str, more: Tree) -> None:
    domain, _, name = key.rpartition(".")
    if front == "owner" and domain != "player":
        front = "nobody"
    if front == "top" and shape != "stack":
        front = "nobody"
    if domain == "player" and made.chance(0.15):
        more = {**more, "back": "owner"}
    if more.get("back") == "top" and shape != "stack":
        more = {**more, "back": "nobody"}
    made.tree["zones"][key] = {
        "shape": shape,
        "holds": holds,
        **more,
        **({} if front == "all" and made.chance(0.8) else {"front": front}),
    }
    text = f"(<{domain}>).{name}" if domain else name
    own = f"me.{name}" if domain == "player" else text
    zone = Zone(key, shape, holds, front, text, own, "up_to" in more, more.get("back", "all") == "all")
    made.zones.append(zone)
    _zone_forms(made.forms, zone)


def _zone_forms(forms: Forms, zone: Zone) -> None:
    kind, hides = zone.holds, not zone.is_seen
    forms.add("integer", f"{zone.text}.count", level=PLAY, weight=0.3)
    forms.add("boolean", f"{zone.text}.empty", f"not ({zone.text}.empty)", level=PLAY, weight=0.2)
    places = [(zone.text, PLAY, hides)]
    if zone.front == "owner":
        places.append((zone.own, STEPS, False))
    for text, level, secret in places:
        if zone.shape == "slot":
            forms.add(f"{kind}?", text, level=level, hides=secret, weight=2)
            forms.add("boolean", f"exists {text}", level=level, weight=0.5)
            if kind == "card":
                forms.add(
                    "integer", f"if exists {text} then {text}.worth else 0", level=level, hides=secret, weight=0.3
                )
            continue
        forms.add(f"zone {kind}", text, level=level, hides=secret)
        forms.add(f"many {kind}", text, level=level, hides=secret, weight=3)
        forms.add(f"{kind}?", f"{text}.first", f"{text}.last", level=level, hides=secret, weight=0.3)
        if zone.shape == "stack":
            forms.add(f"{kind}?", f"{text}.top", f"{text}.bottom", level=level, hides=secret)
            forms.add(f"list {kind}", f"take(<small>, {text})", level=level, hides=secret, weight=0.3)


# ---- state -----------------------------------------------------------------------------------------------------------


def _state(made: Made) -> None:
    forms, random = made.forms, made.random
    state: Tree = {
        "round": {"type": "0..9", "start": 0},
        "player.coins": {"type": "0..20", "start": random.randint(0, 5)},
    }
    forms.add("integer", "round", "(<player>).coins", level=PLAY)
    made.counters.append("coins")
    made.cells += [("round", "integer", (0, 9)), ("(<player>).coins", "integer", (0, 20))]
    for key, written, start, of, span in (
        ("player.food", "0..6", 1, "integer", (0, 6)),
        ("cell.heat", "0..5", "cell.x", "integer", (0, 5)),
        ("leader", "player", "red", "player", (0, 0)),
        ("player.place", "cell or none", "none", "cell?", (0, 0)),
        ("flag", "boolean", False, "boolean", (0, 0)),
        ("player.mood", "suit", "sun", "suit", (0, 0)),
        ("gift", "effect or none", "none", "effect?", (0, 0)),
        ("mind", "0..7 or none", "none", "integer?", (0, 7)),
    ):
        if not made.chance(0.6):
            continue
        state[key] = {"type": written, "start": start}
        domain, _, name = key.rpartition(".")
        text = f"(<{domain}>).{name}" if domain else name
        forms.add(of, text, level=PLAY)
        made.cells.append((text, of, span))
        if key == "player.food":
            made.counters.append("food")
        if of == "cell?":
            forms.add("cell", "if exists <player @a>.place then (@a).place else <cell>", level=PLAY, weight=0.3)
    if "gift" in state:
        forms.add("effect", "(gift otherwise <effect>)", level=PLAY, weight=0.5)
        forms.add("boolean", "exists gift", level=PLAY, weight=0.2)
    made.tree["state"] = state


def _tracks(made: Made) -> None:
    if not made.chance(0.5):
        return
    past: list[Tree] = [{"score": 1, "reason": "stairs"}]
    made.tree["tracks"] = {
        "player.climb": {
            "space": "stair",
            "attributes": {"factor": "0..2", "bonus": {"type": "0..9", "is": "stair.factor * 2"}},
            "start": made.random.randint(0, 1),
            "spaces": [{"factor": 0}, {"factor": 1}, {"factor": 2}],
            "past_top": past if made.chance(0.5) else [],
            "past_bottom": [],
        }
    }
    made.tracks.append("(<player>).climb")
    made.cells.append(("(<player>).climb", "stair", (0, 0)))
    made.forms.add("stair", "(<player>).climb", level=PLAY)
    made.forms.add("integer", "(<player>).climb.factor", "(<player>).climb.bonus", "(<player>).climb.place", level=PLAY)


def _relations(made: Made) -> None:
    forms, tree = made.forms, made.tree
    relations: Tree = {}
    if made.chance(0.6):
        beside: Tree = {"to": "cell", "as": "other", "where": "abs(cell.x - other.x) + abs(cell.y - other.y) == 1"}
        if made.chance(0.5):
            beside["order"] = made.words.make("integer", Scope({"other": "cell"}, CONSTANT), 1)
        relations["cell.beside"] = beside
        forms.add("many cell", "(<cell>).beside", weight=1.5)
        forms.add(
            "many cell",
            "x:cell|reach($x from <cell> via $x.beside cost max(0, <integer ^x>) within <small>)",
            weight=0.5,
        )
    if "towns" in tree["boards"] and made.chance(0.6):
        relations["town.roads"] = {"to": "town", "pairs": {"north": ["south"], "south": ["east"]}}
        forms.add("many town", "(<town>).roads")
    if relations:
        tree["relations"] = relations


def _functions(made: Made) -> None:
    tree: Tree = {}
    for number in range(made.random.randint(0, 3)):
        params = {
            name: of
            for name, of in (("p", "player"), ("c", "cell"), ("n", "integer"), ("s", "suit"))
            if made.chance(0.4)
        }
        gives = made.random.choice(GIVEN)
        names = {f"{name}{number}_": of for name, of in params.items()}
        written = gives.replace("?", " or none").replace("list ", "list of ").replace("many ", "set of ")
        body = made.words.make(gives, Scope(dict(names), PLAY), 2)
        if gives == "integer" and made.chance(0.3):  # what lies outside is found in play
            written = "-99..99"
        if gives.startswith("many "):
            body = f"set(x{number}_ for x{number}_ in {body})"
        tree[f"f{number}"] = {"params": names, "type": written, "is": body} if names else {"type": written, "is": body}
        arguments = ", ".join(f"<{of}>" for of in names.values())
        made.forms.add(gives, f"f{number}({arguments})" if names else f"f{number}", level=PLAY, weight=1.5)
    if tree:
        made.tree["functions"] = tree
