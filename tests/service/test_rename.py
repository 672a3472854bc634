"""Renaming, as data on the small game, and of every name of the shipped games."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from rulespec.diagnostics.fixes import Edit, applied
from rulespec.diagnostics.model import Problem
from rulespec.lower.program import lower_program
from rulespec.service.game import Game
from rulespec.service.occurrences import Index
from rulespec.service.problems import problems_of, snapshot_of
from rulespec.service.rename import Refused, nameable, places_of, rename, rename_symbol, touched
from rulespec.service.step_names import Named, StepNames, taken_by
from rulespec.service.symbols import Symbol
from rulespec.service.workspace import Workspace
from rulespec.source.text import SourceFile, Span
from tests.service.programs import fingerprint, without_endings
from tests.service.spaces import CURSOR, ISLANDS, islands, shipped

CASES = yaml.safe_load(Path(__file__).with_name("renames.yaml").read_text(encoding="utf-8"))
NAME = "islands/game.yaml"
SMALL = ("breakthrough", "connect_four", "hex", "reversi", "tic_tac_toe")


@pytest.mark.parametrize("case", CASES, ids=[f"{case['at']} {case['to']}" for case in CASES])
def test_a_rename_touches_every_place_or_says_why_not(case: dict[str, object]) -> None:
    written = str(case["at"])
    assert ISLANDS.count(written.replace(CURSOR, "")) == 1
    at = ISLANDS.index(written.replace(CURSOR, "")) + written.index(CURSOR)
    space = islands()
    found = rename(space, NAME, at, str(case["to"]))
    if "why" in case:
        assert isinstance(found, Refused)
        assert found.why.startswith(str(case["why"]))
        return
    assert not isinstance(found, Refused)
    text = applied({NAME: ISLANDS}, found)[NAME]
    changed = [new for old, new in zip(ISLANDS.splitlines(), text.splitlines(), strict=True) if old != new]
    assert changed == case["lines"]
    if found:
        assert [edit.span for edit in found] == list(places_of(space, NAME, at))
        assert _codes(islands(text)) == _codes(space)


def test_a_name_can_be_asked_for_before_it_is_changed() -> None:
    space = islands()
    found = nameable(space, NAME, ISLANDS.index("{bridge_cost}") + 3)
    assert not isinstance(found, Refused)
    assert found.text == "bridge_cost"
    refused = nameable(space, NAME, ISLANDS.index("language: 1") + 11)
    assert isinstance(refused, Refused)


def test_nothing_is_renamed_while_a_file_cannot_be_read() -> None:
    space = islands(more="values: {a: [1")
    found = rename(space, NAME, ISLANDS.index("bridge_cost: 2"), "toll")
    assert isinstance(found, Refused)
    assert found.why == "islands/more.yaml cannot be read as it stands: mend it first."


def test_nothing_is_renamed_while_a_file_has_no_text() -> None:
    space = islands(more="values: {a: 1}")
    at = ISLANDS.index("bridge_cost: 2")
    assert not isinstance(rename(space, NAME, at, "toll"), Refused)
    file = SourceFile.of("islands/more.yaml", "")
    space.lose(file.name, (Problem("RS101", "error", "no UTF-8", Span(file, 0, 0)),))
    found = rename(space, NAME, at, "toll")
    assert found == Refused("islands/more.yaml cannot be read as it stands: mend it first.")
    space.put(file.name, "values: {a: bridge_cost}")
    again = rename(space, NAME, at, "toll")
    assert not isinstance(again, Refused)
    assert file.name in {edit.span.file.name for edit in again}


def test_messages_that_would_have_one_key_are_told() -> None:
    text = ISLANDS.replace("messages:\n", "messages:\n  found.prompt: {en: Here., fr: Ici.}\n")
    found = rename(islands(text), NAME, text.index("settle:\n    do"), "found")
    assert isinstance(found, Refused)
    assert found.why == "The message `settle.prompt` would be called `found.prompt`, as another one is."


def test_a_rule_is_renamed_where_the_book_places_it() -> None:
    book = "book:\n  parts:\n    - title: {en: Costs, fr: Coûts}\n      rules: [\n        bridges,\n      ]\n"
    space = islands(more=book)
    found = rename(space, NAME, ISLANDS.index("bridges:\n"), "tolls")
    assert not isinstance(found, Refused)
    texts = applied({name: space.text(name) for name in space.games[0].files}, found)
    assert texts["islands/more.yaml"] == book.replace("bridges", "tolls")


def _codes(space: Workspace) -> list[str]:
    return sorted(problem.code for problem in problems_of(snapshot_of(space.games[0])))


# ---- shipped content -------------------------------------------------------------------------------------------------


def _renamed_half(game: Game, part: int) -> dict[str, str]:
    """The texts of a game in which half of its names are others, each with an ending of its own."""
    index, chance = game.index(), random.Random(part)
    edits: dict[tuple[str, int], Edit] = {}
    done: set[Symbol] = set()
    for number, symbol in enumerate(sorted(index.declared, key=lambda each: (each.kind, each.name))):
        is_left = symbol.kind == "messages" or symbol in index.made or symbol in done or symbol in index.unsure
        if is_left or chance.random() < 0.5:
            continue
        old = index.plural(symbol) if symbol.kind == "plurals" else symbol.last
        found = rename_symbol(game, symbol, f"{old}_q{number}")
        assert not isinstance(found, Refused), (symbol, found)
        assert found, symbol
        edits |= {(edit.span.file.name, edit.span.start): edit for edit in found}
        done |= index.together(symbol)
    for number, named in enumerate(_of_steps(index)):
        if chance.random() < 0.5 and named.doubt is None:
            new = f"{named.places[0].text}_q{number}"
            assert taken_by(index, named, new) is None
            edits |= {(span.file.name, span.start): Edit(span, new) for span in named.places}
    return applied({name: game.space.text(name) for name in game.files}, edits.values())


def _of_steps(index: Index) -> list[Named]:
    """Each name that no section declares, once."""
    names, found = StepNames(index), dict[tuple[Span, ...], Named]()
    for word in index.free:
        named = names.named(word) if not word.is_inner else None
        if named is not None:
            found[named.places] = named
    return list(found.values())


def _game(space: Workspace, texts: dict[str, str], home: str) -> Game:
    other = Workspace(space.engine)
    for name, text in texts.items():
        other.put(name, text)
    return next(game for game in other.games if game.home == home)


def _told(game: Game) -> Counter[tuple[str, str, int]]:
    """The codes of what is wrong, with their lines: a name's length moves columns alone."""
    return Counter((each.code, each.span.file.name, each.span.line) for each in problems_of(snapshot_of(game)))


def _back(game: Game) -> dict[str, str]:
    """The texts of a game with the endings taken off its names again."""
    index = game.index()
    edits: dict[tuple[str, int], Edit] = {}
    for symbol in index.declared:
        if re.search("_q[0-9]+$", symbol.last) and symbol.kind not in ("messages", "plurals"):
            places = touched(index, symbol, re.sub("_q[0-9]+$", "", symbol.last))
            edits |= {(span.file.name, span.start): Edit(span, text) for span, text in places}
    for named in _of_steps(index):
        text = re.sub("_q[0-9]+$", "", named.places[0].text)
        edits |= {(span.file.name, span.start): Edit(span, text) for span in named.places}
    written = [each for each in index.declared if each.kind == "plurals" and each not in index.made]
    for symbol in written:
        places = touched(index, symbol, re.sub("_q[0-9]+$", "", index.plural(symbol)))
        edits |= {(span.file.name, span.start): Edit(span, text) for span, text in places}
    return applied({name: game.space.text(name) for name in game.files}, edits.values())


def _played(game: Game) -> dict[str, bytes]:
    """What a game does, apart from the endings of names."""
    declared = game.declared()
    assert declared is not None
    return fingerprint(lower_program(declared.context), without_endings)


def _check_half(home: str, part: int) -> None:
    space = shipped()
    game = next(each for each in space.games if each.home == home)
    texts = _renamed_half(game, part)
    other = _game(space, texts, home)
    before = {name: space.text(name) for name in game.files}
    assert sum(texts[name] != text for name, text in before.items()) > len(before) // 3
    assert _back(other) == before
    assert _told(other) == _told(game)
    assert _played(other) == _played(game)


@pytest.mark.parametrize("home", SMALL)
@pytest.mark.parametrize("part", [0, 1])
def test_half_of_a_small_game_renamed_is_the_same_game(home: str, part: int) -> None:
    _check_half(home, part)


@pytest.mark.long
@pytest.mark.parametrize("home", ["agora_barcelona", "barcelona", "metro"])
def test_half_of_a_large_game_renamed_is_the_same_game(home: str) -> None:
    _check_half(home, 0)


TWO = ISLANDS.replace("start: 4}\n", "start: 4}\n  player.gold: {type: 0..20, start: 4}\n")


@pytest.mark.parametrize(
    ("changes", "is_same"),
    [
        ([("coins", "coins_q1")], True),
        ([("most: player.coins", "most: player.gold")], False),
        ([("most: player.coins", "least: player.coins")], False),
        ([("bridge_cost: 2", "bridge_cost: 3")], False),
    ],
)
def test_what_is_played_tells_a_rename_from_another_game(changes: list[tuple[str, str]], is_same: bool) -> None:
    text = TWO
    for old, new in changes:
        text = text.replace(old, new)
    assert text != TWO
    assert (_played(islands(text).games[0]) == _played(islands(TWO).games[0])) is is_same


LOOPS = """\
functions:
  lonely:
    params: {p: player}
    type: boolean
    is: all(any(d in cell where d == c) for c in cell where not exists c.token) and count(c in cell) > 2
effects:
  tell:
    do:
      - let: far
        be: 3
      - if: far > 2
        then: [{perform: coins(far)}]
"""


@pytest.mark.parametrize(
    ("words", "ahead", "new", "lines"),
    [
        (
            "where d == c)",
            11,
            "s",
            ["    is: all(any(d in cell where d == s) for s in cell where not exists s.token) and "],
        ),
        ("let: far", 6, "few", ["      - let: few", "      - if: few > 2", "        then: [{perform: coins(few)}]"]),
    ],
)
def test_a_name_of_a_loop_or_of_steps_is_renamed_where_it_is_bound(
    words: str, ahead: int, new: str, lines: list[str]
) -> None:
    name, space = "islands/more.yaml", islands(more=LOOPS)
    at = LOOPS.index(words) + ahead
    found = rename(space, name, at, new)
    assert not isinstance(found, Refused)
    text = applied({name: LOOPS}, found)[name]
    changed = [one for old, one in zip(LOOPS.splitlines(), text.splitlines(), strict=True) if old != one]
    assert [line.removesuffix("count(c in cell) > 2") for line in changed] == lines
    assert _codes(islands(more=text)) == _codes(space)
    taken = rename(space, name, at, "cell")
    assert isinstance(taken, Refused)


STEPS = yaml.safe_load(Path(__file__).with_name("step_renames.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", STEPS["cases"], ids=[f"{case['at']} {case['to']}" for case in STEPS["cases"]])
def test_what_no_section_declares_is_renamed_in_every_place_or_it_is_said_why_not(case: dict[str, object]) -> None:
    beside, written = case.get("beside", []), str(case["at"])
    assert isinstance(beside, list)
    files = STEPS["files"] | {name: STEPS["beside"][name] for name in beside}
    (key,) = (key for key, text in files.items() if written.replace(CURSOR, "") in text)
    assert files[key].count(written.replace(CURSOR, "")) == 1
    at = files[key].index(written.replace(CURSOR, "")) + written.index(CURSOR)
    space, texts = islands(**files), {f"islands/{name}.yaml": text for name, text in files.items()}
    found = rename(space, f"islands/{key}.yaml", at, str(case["to"]))
    if "why" in case:
        assert isinstance(found, Refused)
        assert found.why.startswith(str(case["why"]))
        return
    assert not isinstance(found, Refused)
    made = applied(texts, found)
    pairs = [pair for name in texts for pair in zip(texts[name].splitlines(), made[name].splitlines(), strict=True)]
    assert [new for old, new in pairs if old != new] == case["lines"]
    assert [edit.span for edit in found] == list(places_of(space, f"islands/{key}.yaml", at))
    if beside:
        after = islands(**{name.removeprefix("islands/").removesuffix(".yaml"): text for name, text in made.items()})
        assert _told(after.games[0]) == _told(space.games[0])


BY_COLOUR = """\
game: {id: rows, language: 1, title: {en: Rows}, players: 1, seats: [red]}
enums: {colour: [gold, brown]}
pieces:
  board:
    attributes: {number: 1..8, worth: 0..4 by colour}
    rows: {one: {number: 1, worth: {gold: 3, brown: 1}}}
zones: {pile: {shape: pool, holds: board, start: true}}
flow: [{score: "sum(b.worth[brown] for b in pile)", reason: a}]
ranking: [{most: player.score}]
"""


def test_the_keys_of_a_map_in_a_row_of_pieces_are_renamed() -> None:
    """They are members of what the map is by, and no names of rows."""
    space = Workspace(shipped().engine)
    space.put("rows/game.yaml", BY_COLOUR)
    [game] = space.games
    symbol = next(each for each in game.index().declared if each.last == "brown")
    edits = rename_symbol(game, symbol, "bronze")
    assert not isinstance(edits, Refused)
    text = applied({"rows/game.yaml": BY_COLOUR}, edits)["rows/game.yaml"]
    assert text == BY_COLOUR.replace("brown", "bronze")
