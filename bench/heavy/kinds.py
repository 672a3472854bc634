"""Large contents, a kind each: as much of one thing as the bounds of files and sections let in.

for name, files in contents(): ...            # the files' texts by path, at most eight million bytes together
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

Tree = dict[str, Any]
Files = dict[str, Tree]

LANGUAGES = ("en", "fr", "ja", "es", "de", "it", "pt", "nl", "pl", "ru")
SPOKEN = LANGUAGES[:3]
BYTES = 7_900_000  #: of one content
BYTES_OF_A_FILE = 950_000
VALUES_OF_A_FILE = 45_000
ENTRIES, LINES = 1_000, 10_000  #: of a section; of one of what people read
LONGEST_TEXT, LONGEST_EXPRESSION = 9_900, 3_900
SENTENCES = {
    "en": "Each player takes {} coins and may place {} tiles, but must not move more than {} cells. ",
    "fr": "Chaque joueur prend {} pièces et peut poser {} tuiles, mais ne doit pas bouger plus de {} cases. ",
    "ja": "各プレイヤーはコインを{}枚取り、タイルを{}枚置いてもよいが、{}マスより多く動かしてはならない。",
}


def game(seats: int = 2, **sections: Any) -> Tree:
    """A smallest game with these sections."""
    head = {
        "id": "heavy",
        "language": 1,
        "title": {"en": "Heavy"},
        "players": 2 if seats == 2 else f"2..{seats}",
        "seats": [f"s{at}" for at in range(seats)],
    }
    given = sections.pop("game", {})
    return {
        "game": head | given,
        "values": {"n": 3},
        "flow": [{"repeat": [{"score": "n", "reason": "x"}], "times": 3}],
        "ranking": [{"most": "player.score"}],
    } | sections


def names(count: int, letter: str = "e") -> Iterator[str]:
    """So many names."""
    return (f"{letter}{at}" for at in range(count))


def sentence(language: str, at: int) -> str:
    """A sentence of a rule; of a language without one of ours the English one."""
    return SENTENCES.get(language, SENTENCES["en"]).format(at % 7 + 2, at % 5 + 2, at % 9 + 2)


def long_text(language: str, at: int, length: int = LONGEST_TEXT) -> str:
    """Sentences up to a length."""
    one = sentence(language, at)
    return (one * (length // len(one))).strip()


# ---- texts ----------------------------------------------------------------------------------------------------------


def _rules(languages: tuple[str, ...], count: int, text: Callable[[str, int], str], **more: Any) -> Tree:
    bound = {"binds": ["values.n"]} | more
    rules = {f"r{at}": {"text": {each: text(each, at) for each in languages}} | bound for at in range(count)}
    return game(rules=rules)


def many_rules() -> Tree:
    """As many rules as there can be."""
    return many_rules_of(LINES)


def many_rules_of(count: int) -> Tree:
    """So many rules."""
    return _rules(SPOKEN, count, sentence)


def long_rules() -> Tree:
    """Rules as long as they can be."""
    return _rules(SPOKEN, 200, long_text)


def rules_of_numbers() -> Tree:
    """Nothing but numbers in words."""
    words = {"en": "two hundred and six thousand, ", "fr": "deux cent mille six ", "ja": "二十万六千枚 "}
    return _rules(SPOKEN, 200, lambda language, _: words[language] * (LONGEST_TEXT // len(words[language])))


def rules_that_differ() -> Tree:
    """Each language says something else, everywhere."""
    return _rules(SPOKEN, LINES, lambda language, at: sentence(language, at + 3 * SPOKEN.index(language)))


def rules_of_placeholders() -> Tree:
    """Nothing but placeholders."""
    return _rules(SPOKEN, 250, lambda *_: "{n} " * (LONGEST_TEXT // 4))


def rules_with_placeholders() -> Tree:
    """As many placeholders as there may be."""
    return _rules(SPOKEN, 50_000 // 60, lambda *_: "{n + 1} is as many. " * 20)


def wrong_marks() -> Tree:
    """Each third character is typographically wrong."""
    return _rules(SPOKEN, 250, lambda *_: "a ,  " * (LONGEST_TEXT // 5))


def rules_that_bind() -> Tree:
    """Each rule binds many values, whose figures it writes out."""
    values = {"n": 3} | {f"v{at}": at for at in range(999)}
    bound = [f"values.v{at}" for at in range(60)]
    return _rules(SPOKEN, 4_000, sentence, binds=bound) | {"values": values}


def messages() -> Tree:
    """As many messages as there can be, in many languages."""
    return game(messages={f"m{at}": dict.fromkeys(LANGUAGES, f"Take {{n}} of {at} now.") for at in range(LINES)})


def plural_messages() -> Tree:
    """Messages with forms for each number."""
    forms = {"one": "{n} coin, and 1", "other": "{n} coins and more"}
    return game(messages={f"m{at}": dict.fromkeys(("en", "fr"), forms) for at in range(LINES)})


def terms() -> Tree:
    """As many terms as there can be, and rules that say them."""
    every = {f"t{at}": {each: f"{each}word{at}" for each in SPOKEN} for at in range(LINES)}
    ruled = _rules(SPOKEN, 1_000, lambda language, at: " ".join(f"{language}word{at * 9 + n}" for n in range(20)))
    return ruled | {"terms": every}


def forms_of_terms() -> Tree:
    """Terms with very many forms, that all begin alike."""
    every = {
        f"t{at}": {each: [f"{each} tile of {at} and {n}" for n in range(100)] for each in SPOKEN} for at in range(400)
    }
    return _rules(SPOKEN, 1_000, lambda language, at: f"{language} tile of {at} and {at}, " * 20) | {"terms": every}


# ---- declarations ---------------------------------------------------------------------------------------------------


def scenarios() -> Tree:
    """As many scenarios as there can be."""
    one = {"players": 2, "about": "As it stands. " * 20, "then": ["n == 3"]}
    return game(scenarios=dict.fromkeys(names(LINES), one))


def rows_of_pieces() -> Tree:
    """A kind of pieces with very many rows."""
    row = {"cost": 3, "worth": 5, "about": "A tile. " * 20}
    tile = {"attributes": {"name": "1..900", "cost": "0..9", "worth": "0..9"}}
    rows = [row | {"name": at + 1, "count": 1} for at in range(4_096)]
    return game(pieces={"tile": tile | {"rows": rows[:900]}})


def kinds_of_pieces() -> Tree:
    """As many kinds as there can be."""
    return game(pieces={name: {"count": 3, "faces": ["front", "back"]} for name in names(ENTRIES)})


def options() -> Tree:
    """Very many options of very many values."""
    return game(game={"options": {name: {"type": "0..99", "start": 0} for name in names(ENTRIES)}})


def more_options() -> Tree:
    """Options beyond what a section may have."""
    return game(game={"options": {name: {"type": "0..99", "start": 0} for name in names(5_000)}})


def variants() -> Files:
    """As many variants as there can be, each of which changes a value."""
    return {"game.yaml": game()} | {
        f"variants/{name}.yaml": {
            "variant": {"id": name, "title": {"en": name}, "changes": [{"set": "values.n", "to": at % 90}]}
        }
        for at, name in enumerate(names(900, "v"))
    }


def variants_of_much() -> Files:
    """Many variants of a game that has much to be changed, and rules that say what they change."""
    values = {"n": 3} | {f"v{at}": at % 90 for at in range(999)}
    rules = {
        f"r{at}": {
            "text": {each: sentence(each, at) for each in SPOKEN},
            "binds": [f"values.v{n % 999}" for n in range(at, at + 9)],
        }
        for at in range(3_000)
    }
    changing = {
        f"variants/{name}.yaml": {
            "variant": {
                "id": name,
                "title": dict.fromkeys(SPOKEN, name),
                "changes": [{"set": f"values.v{(at + n) % 999}", "to": 91} for n in range(50)],
            }
        }
        for at, name in enumerate(names(300, "w"))
    }
    return {"game.yaml": game(values=values, rules=rules)} | changing


def zones() -> Tree:
    """As many zones as there can be."""
    kinds = {"shape": "pool", "holds": "stone"}
    return game(pieces={"stone": {"count": 3}}, zones=dict.fromkeys(names(ENTRIES), kinds))


def boards() -> Tree:
    """A board of as many sites as there can be, with attributes that look at the others, and a picture."""
    near = "set(c for c in cell where abs(c.x - cell.x) + abs(c.y - cell.y) == 1)"
    cell = {
        "for": {"x": "0..19", "y": "0..19"},
        "attributes": {
            "near": {"type": "set of cell", "is": near},
            "odd": {"type": "boolean", "is": "cell.x % 2 == 1"},
        },
    }
    zones = {"cell.on": {"shape": "slot", "holds": "stone"}}
    return game(boards={"map": {"cell": cell}}, pieces={"stone": {"count": 40}}, zones=zones)


def kinds_of_sites() -> Tree:
    """Very many kinds of sites."""
    return game(boards={name: {f"c{name}": {"for": {"x": "0..9"}}} for name in names(ENTRIES)})


def values() -> Tree:
    """As many values as there can be, each a table."""
    return game(values={"n": 3} | {name: {"type": "0..9 by 0..999", "is": [7] * 1_000} for name in names(400)})


def sourced() -> Tree:
    """Values whose sources are told at length."""
    one = {"book": "rules", "place": "Scoring. " * 900, "lines": "lines 3-5"}
    listed = {name: {"type": "0..9", "is": 4, "source": one} for name in names(ENTRIES - 1)}
    return game(rulebooks={"rules": {"title": "Rules"}}, values={"n": 3} | listed)


def enums() -> Tree:
    """As many values of enums as there can be."""
    return game(enums={name: [f"{name}m{at}" for at in range(20)] for name in names(ENTRIES)})


def more_enums() -> Tree:
    """Ten times as many."""
    return game(enums={name: [f"{name}m{at}" for at in range(200)] for name in names(ENTRIES)})


def functions() -> Tree:
    """As many functions as there can be, each as long as an expression can be."""
    body = "max(" + ", ".join(["n"] * (LONGEST_EXPRESSION // 3)) + ")"
    made = {name: {"type": "integer", "is": body} for name in names(ENTRIES)}
    return game(functions=made)


def calls() -> Tree:
    """Functions that call functions, as deep as may be, each several times."""
    made = {f"f{at}": {"type": "integer", "is": f"max(f{at + 1}, f{at + 1})"} for at in range(18)}
    return game(functions=made | {"f18": {"type": "integer", "is": "n"}})


def actions() -> Tree:
    """As many actions as there can be."""
    steps = [{"if": "n == 3", "then": [{"score": "n", "reason": "x"}]} for _ in range(10)]
    turns = {"turns": "active", "do": [{"may": [{"perform": name} for name in names(200)]}]}
    return game(actions={name: {"do": steps} for name in names(ENTRIES)}, flow=[{"repeat": [turns], "times": 9}])


def steps() -> Tree:
    """A flow of very many steps."""
    return game(flow=[{"if": "n == 3", "then": [{"score": "n", "reason": "x"}]} for _ in range(5_000)])


def tries() -> Tree:
    """Attempts inside attempts."""
    inner: list[Any] = [{"choose": "c", "from": "1..2"}, {"score": "c", "reason": "x"}]
    for _ in range(20):
        inner = [{"try": inner}]
    return game(flow=inner)


def effects() -> Tree:
    """As many effects as there can be."""
    return game(effects={name: {"do": [{"score": "n", "reason": "x"}] * 9} for name in names(ENTRIES)})


def triggers() -> Tree:
    """As many triggers as there can be, on one event."""
    made = {name: {"when": {"emitted": "told"}, "do": [{"score": "n", "reason": "x"}]} for name in names(ENTRIES)}
    return game(events={"told": {}}, triggers=made, flow=[{"emit": "told"}])


def state() -> Tree:
    """As many state values as there can be."""
    return game(state={name: {"type": "0..9", "start": 1} for name in names(ENTRIES)})


def tracks() -> Tree:
    """Tracks of very many spaces."""
    made = {
        f"player.{name}": {"space": f"s{name}", "start": 0, "spaces": [{}] * 100, "past_top": [], "past_bottom": []}
        for name in names(300)
    }
    return game(tracks=made)


def relations() -> Tree:
    """Relations of as many pairs as may be asked."""
    made = {f"cell.{name}": {"to": "cell", "as": "other", "where": "cell.x == other.x"} for name in names(100)}
    return game(boards={"map": {"cell": {"for": {"x": "0..499"}}}}, relations=made)


def books() -> Tree:
    """A book of very many parts, and rules in it."""
    parts = [{"title": dict.fromkeys(SPOKEN, f"Part {at}"), "rules": [f"r{at}"]} for at in range(5_000)]
    return _rules(SPOKEN, 3_000, sentence) | {"book": {"parts": parts[:3_000]}}


def files() -> Files:
    """Very many files with a line each."""
    return {"game.yaml": game()} | {f"notes/n{at}.yaml": {"values": {f"v{at}": at}} for at in range(900)}


def players() -> Tree:
    """As many players as there can be, with much of each."""
    zones = {f"player.{name}": {"shape": "pool", "holds": "stone"} for name in names(300)}
    counters = {f"player.c{name}": {"type": "0..99", "start": 1} for name in names(300)}
    return game(12, pieces={"stone": {"count": 30}}, zones=zones, state=counters)


KINDS: tuple[Callable[[], Tree | Files], ...] = (
    many_rules, long_rules, rules_of_numbers, rules_that_differ, rules_of_placeholders, rules_with_placeholders,
    wrong_marks, rules_that_bind,
    messages, plural_messages, terms, forms_of_terms, books, scenarios, rows_of_pieces, kinds_of_pieces, options,
    more_options, variants, variants_of_much, zones, boards, kinds_of_sites, values, sourced, enums, more_enums,
    functions, calls, actions, steps, tries, effects, triggers, state, tracks, relations, files, players,
)  # fmt: skip


def contents() -> Iterator[tuple[str, Callable[[], dict[str, str]]]]:
    """Each kind by its name, with what writes its files."""
    for kind in KINDS:
        yield kind.__name__, partial(_made, kind)


def _made(kind: Callable[[], Tree | Files]) -> dict[str, str]:
    return written(kind())


def written(made: Tree | Files) -> dict[str, str]:
    """The texts of files: a large section stands in several, and what would be too much in all is left out."""
    files = made if all("." in name for name in made) else {"game.yaml": made}
    texts: dict[str, str] = {}
    left = BYTES
    for name, tree in files.items():
        for part, text in _parts(name, tree, left):
            texts[part] = text
            left -= len(text.encode())
    return texts


def _parts(name: str, tree: Tree, left: int) -> Iterator[tuple[str, str]]:
    """A file, then one for each so many entries of its sections."""
    small: list[str] = []
    for section, value in tree.items():
        entries = [_pair(key, each) for key, each in value.items()] if isinstance(value, dict) else []
        if not entries or len(_map(entries)) < BYTES_OF_A_FILE // 20:
            small.append(f"{section}: {json.dumps(value, ensure_ascii=False)}\n")
            continue
        for at, part in enumerate(_portions(entries, left)):
            yield f"{section}{at}_{name.replace('/', '_')}", f"{section}: {_map(part)}"
            left -= len(_map(part).encode())
    yield name, "".join(small)


def _portions(entries: list[str], left: int) -> Iterator[list[str]]:
    """Entries in portions that a file can have, as long as there is room."""
    part: list[str] = []
    size = values = 0
    for entry in entries:
        length, inside = len(entry.encode()), 2 * (entry.count(",") + entry.count(":"))
        if part and (size + length > BYTES_OF_A_FILE or values + inside > VALUES_OF_A_FILE):
            yield part
            part, size, values = [], 0, 0
        left -= length + 2
        if left < BYTES_OF_A_FILE // 10:
            break
        part.append(entry)
        size, values = size + length + 2, values + inside
    if part:
        yield part


def _pair(key: str, value: Any) -> str:
    return f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"


def _map(entries: list[str]) -> str:
    return "{" + ",\n ".join(entries) + "}\n"
