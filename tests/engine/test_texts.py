"""What people read while a game runs: values in words, prompts, options and log lines, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from interpreter.by_reference import ByReference
from interpreter.middle.facts import Facts
from interpreter.middle.pieces import copy_cells
from interpreter.reference.decisions import STOP
from interpreter.texts import Texts
from rulespec.build import build
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import engine_trees
from rulespec.lower.context import Context
from rulespec.lower.ir import NO_INTEGER
from rulespec.model.types import BOOLEAN, INTEGER, NONE, ListType, Member, Optional, Piece, SetType
from rulespec.overlay.merge import merge
from rulespec.source.nodes import Mapping, read_yaml
from rulespec.source.text import SourceFile
from tests.lengths import long_where

GAME = """
game: {id: demo, language: 1, title: {en: "Islands", fr: "Îles"}, players: 2, seats: [red, blue],
       options: {open_hands: {type: boolean, start: false, title: {en: "Open hands"}}}}
enums: {terrain: [hill, river, wood]}
boards: {map: {cell: {for: {col: 0..1, row: 0..1}}, port: {for: {number: 1..2}}}}
pieces:
  card: {attributes: {terrain: terrain, worth: 1..9}, back: [terrain],
         rows: [{terrain: hill, worth: 3, count: 2}, {terrain: wood, worth: 5}]}
zones:
  deck: {shape: stack, holds: card, front: nobody, back: top, start: true}
  player.hand: {shape: pool, holds: card, front: owner}
  open: {shape: pool, holds: card}
state: {player.coins: {type: 0..20, start: 5}}
effects: {rain: {params: {amount: 1..3}, do: [{gain: {coins: amount}}]}}
actions:
  pick:
    do:
      - choose: cell
      - choose: terrain
        id: what
      - gain: {coins: cell.col}
  lay:
    do:
      - choose: card
        from: me.hand
      - move: card
        to: open
  keep:
    do:
      - choose: marks
        up_to: 2
        each: {port: {}}
setup: [{for_each: player, do: [{draw: 1, from: deck, to: player.hand}]}]
flow:
  - turns: player
    do:
      - perform: pick
      - may: [{perform: lay}]
        id: second
      - perform: keep
      - for_each: port
        in: list(p for p in port)
        order: chosen
        optional: true
        do: [{score: 1, reason: ports}]
ranking: [{most: player.score}]
messages:
  player.red: {en: "Red", fr: "Rouge", ja: "赤"}
  player.blue: {en: "Blue", fr: "Bleu", ja: "青"}
  terrain.hill: {en: "hill", fr: "colline"}
  terrain.river: {en: "river", fr: "rivière"}
  terrain.wood: {en: "wood", fr: "bois"}
  cell.name: {en: "cell {cell.col + 1}/{cell.row + 1}"}
  card.name: {en: "{card.terrain} {card.worth}", fr: "{card.terrain}, {card.worth}"}
  card.back: {en: "some {card.terrain}"}
  card: {en: "card"}
  pick.prompt: {en: "{me} picks."}
  pick.what.prompt: {en: "What is on {cell}?"}
  pick.what.option: {en: "{terrain} on {cell}"}
  pick.log: {en: "{me}: {cell}, {terrain}."}
  lay.log: {en: "{me} lays {card}, worth {card.worth}."}
  second.prompt: {en: "Lay a card, {me}?"}
  second.accept: {en: "Lay one"}
  port.stop: {en: "No more ports"}
  state.player.coins: {en: "coins"}
  score.ports: {en: "ports"}
  engine.winner: {en: "Hail {player}!"}
"""


@dataclass
class Played:
    """A game at a decision."""

    machine: ByReference
    context: Context
    tree: Mapping
    cells: list[Any]
    options: list[Any]

    @property
    def at(self) -> int:
        return int(self.cells[0])

    @property
    def facts(self) -> Facts:
        return self.machine.facts

    def texts(self, language: str = "en") -> Texts:
        """The texts of the game in a language."""
        return Texts(self.facts, self.tree, engine_trees(Problems()), language, self.context)

    def take(self, number: int) -> list[Any]:
        """Takes an option; gives the events."""
        machine, sink = self.machine, list[Any]()
        self.options = machine.run(self.cells, machine.answer(self.cells, self.at, self.options[number]), sink) or []
        return sink

    def shown(self, language: str = "en") -> list[str]:
        """The texts of the options."""
        return [self.texts(language).option_text(self.cells, self.at, option) for option in self.options]


def read(text: str) -> Mapping:
    problems = Problems()
    tree = read_yaml(SourceFile.of("game.yaml", text), problems)
    assert problems.items == ()
    assert tree is not None
    return tree


def begun(tree: Mapping, players: int, seed: int = 1) -> Played:
    problems = Problems()
    built = build(tree, players, {}, problems)
    assert built is not None, [problem.message for problem in problems.items]
    machine = ByReference(Facts(built))
    cells = machine.begin(seed)
    return Played(machine, built.context, tree, cells, machine.run(cells, cells[0]) or [])


@pytest.fixture
def game() -> Played:
    return begun(read(GAME), 2)


# ---- values ----


def test_numbers_truth_and_none(game: Played) -> None:
    texts = game.texts("fr")
    assert texts.name(7, INTEGER) == "7"
    assert texts.name(-1, INTEGER) == "-1"
    assert texts.name(NO_INTEGER, Optional(INTEGER)) == "aucun"
    assert (texts.name(1, BOOLEAN), texts.name(0, BOOLEAN)) == ("oui", "non")
    assert texts.name(-1, NONE) == "aucun"
    assert texts.name(-1, Optional(Member("player"))) == "aucun"


def test_members_and_sites(game: Played) -> None:
    texts = game.texts("fr")
    assert texts.name(1, Member("terrain")) == "rivière"
    assert texts.name(1, Member("player")) == "Bleu"
    assert texts.name(2, Member("cell")) == "cell 2/1"  # French lacks it, English has it
    assert texts.name(0, Member("port")) == "port[1]"  # nothing names it


TRACK = """
tracks:
  player.climb: {space: stair, start: 0, spaces: [{}, {}, {}], past_top: [], past_bottom: []}
"""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("{}", "2"),
        ('{stair: {en: "stair"}}', "stair 2"),
        ('{stair: {en: "stair"}, stair.name: {en: "step {stair.place + 1}"}}', "step 3"),
    ],
)
def test_a_space_of_a_track_is_its_number_where_nothing_names_it(words: str, shown: str) -> None:
    tree = merge([read(GAME), read(f"{TRACK}messages: {words}" if words != "{}" else TRACK)], Problems())
    assert begun(tree, 2).texts().name(2, Member("stair")) == shown


def test_a_language_falls_back_on_its_base_then_on_english(game: Played) -> None:
    assert game.texts("fr-CA").name(0, Member("terrain")) == "colline"
    assert game.texts("pl").name(0, Member("terrain")) == "hill"
    assert game.texts("ja").name(0, Member("terrain")) == "hill"
    assert game.texts("fr").title() == "Îles"
    assert game.texts("ja").title() == "Islands"
    assert game.texts("fr").text("no.such.key") == "no.such.key"


def test_a_language_is_added_by_files_alone(game: Played) -> None:
    engine = read(
        "messages:\n"
        '  engine.points: {pl: {one: "{points} punkt", few: "{points} punkty", many: "{points} punktów", other: "?"}}\n'
        '  engine.and: {pl: "{one} i {other}"}\n'
        '  engine.comma: {pl: "{one}, {other}"}\n'
    )
    words = read('messages: {terrain.hill: {pl: "góra"}, terrain.river: {pl: "rzeka"}}')
    tree = merge([game.tree, words], Problems())
    texts = Texts(game.facts, tree, [*engine_trees(Problems()), engine], "pl", game.context)
    assert [texts.word("engine.points", points=n) for n in (1, 2, 5)] == ["1 punkt", "2 punkty", "5 punktów"]
    assert texts.name((0, 1), ListType(Member("terrain"), 2)) == "góra i rzeka"
    assert texts.name((0, 2), ListType(Member("terrain"), 2)) == "góra i wood"


def test_lists_and_sets(game: Played) -> None:
    terrains = ListType(Member("terrain"), 3)
    assert game.texts().name((), terrains) == "none"
    assert game.texts().name((2,), terrains) == "wood"
    assert game.texts().name((2, 0), terrains) == "wood and hill"
    assert game.texts().name((0, 1, 2), terrains) == "hill, river and wood"
    assert game.texts("fr").name((0, 1, 2), terrains) == "colline, rivière et bois"
    assert game.texts().name(0b101, SetType(Member("terrain"))) == "hill and wood"


def test_a_language_without_words_for_lists_has_those_of_cldr(game: Played) -> None:
    assert game.texts("de").name((0, 1, 2), ListType(Member("terrain"), 3)) == "hill, river und wood"


def test_pieces_are_shown_as_they_are_seen(game: Played) -> None:
    texts = game.texts()
    deck = game.facts.pieces.refs(game.cells, game.facts.world.zones["deck"].first)[0]
    hand = game.facts.pieces.refs(game.cells, game.facts.world.zones["player.hand"].first)[0]
    card = Piece("card")
    assert texts.name(deck, card, game.cells) == texts.name(deck, card) in {"hill 3", "wood 5"}
    assert texts.name(deck, card, game.cells, viewer=0) in {"some hill", "some wood"}
    assert texts.name(hand, card, game.cells, viewer=0) in {"hill 3", "wood 5"}
    assert texts.name(hand, card, game.cells, viewer=1) in {"some hill", "some wood"}
    assert game.texts("fr").name(hand, card, game.cells, viewer=0) in {"colline, 3", "bois, 5"}


def test_what_has_neither_front_nor_back_to_see_is_of_a_kind() -> None:
    game = begun(read(GAME.replace("front: nobody, back: top", "front: nobody, back: nobody")), 2)
    deck = game.facts.pieces.refs(game.cells, game.facts.world.zones["deck"].first)[0]
    assert game.texts().name(deck, Piece("card"), game.cells, viewer=0) == "card, face down"


def test_names_in_names_are_cut_off_where_they_grow_too_long() -> None:
    """Each name says the next one ten times; a person is shown a thousand names at most."""
    text = GAME
    for this, following in (("hill", "river"), ("river", "wood"), ("wood", "hill")):
        old = f"  terrain.{this}: {{en: "
        text = text.replace(old, old + '"' + f"{{terrain.{following}}}" * 10 + '", de: ')
    shown = begun(read(text), 2).texts().name(0, Member("terrain"))
    assert shown.count("…") > 0
    assert len(shown) < 10_000


def test_words_of_the_engine(game: Played) -> None:
    texts = game.texts()
    assert [texts.word("engine.points", points=n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [game.texts("fr").word("engine.points", points=n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]
    assert game.texts("ja").word("engine.points", points=1) == "1点"
    assert texts.word("engine.winner", player="Red") == "Hail Red!"
    assert game.texts("fr").word("engine.winner", player="Rouge") == "Rouge gagne."


def test_options_of_the_game(game: Played) -> None:
    texts = game.texts("fr")
    assert texts.option_title("open_hands") == "Open hands"
    assert texts.option_value("open_hands", True) == "oui"


# ---- decisions ----


def test_prompts_and_options(game: Played) -> None:
    texts = game.texts()
    assert texts.prompt(game.cells, game.at) == "Red picks."
    assert game.shown() == ["cell 1/1", "cell 1/2", "cell 2/1", "cell 2/2"]
    game.take(2)
    assert texts.prompt(game.cells, game.at) == "What is on cell 2/1?"
    assert game.shown() == ["hill on cell 2/1", "river on cell 2/1", "wood on cell 2/1"]


def test_what_may_be_done(game: Played) -> None:
    game.take(0), game.take(0)
    assert game.texts().prompt(game.cells, game.at) == "Lay a card, Red?"
    assert game.options == [1, 0]
    assert game.shown() == ["Lay one", "No, leave it"]
    game.take(0)
    assert game.texts("ja").prompt(game.cells, game.at) == "どれを選びますか？"  # nothing else is said of `lay`


def test_sets_and_chosen_loops(game: Played) -> None:
    game.take(0), game.take(0), game.take(1)
    assert game.shown() == ["port[1]", "port[2]", "Stop here"]
    game.take(2)
    assert game.options == [0, 1, STOP]
    assert game.shown() == ["port[1]", "port[2]", "No more ports"]


# ---- log lines ----


def lines(game: Played, before: list[Any], events: list[Any], viewer: int | None = None) -> list[str]:
    return game.texts().log_lines(events, viewer)


def test_what_happened(game: Played) -> None:
    game.take(3)
    before = copy_cells(game.cells)
    assert lines(game, before, game.take(1)) == ["Red: cell 2/2, river.", "Red, coins: +1"]


def test_a_card_that_is_laid_open_is_told_to_all(game: Played) -> None:
    for number in (0, 0, 0):
        game.take(number)
    before = copy_cells(game.cells)
    events = game.take(0)
    told = lines(game, before, events)
    assert told in (["Red lays hill 3, worth 3."], ["Red lays wood 5, worth 5."])
    assert lines(game, before, events, viewer=1) == told


def test_a_card_that_stays_hidden_is_told_by_its_back() -> None:
    game = begun(read(GAME.replace("to: open", "to: deck")), 2)
    for number in (0, 0, 0):
        game.take(number)
    before = copy_cells(game.cells)
    events = game.take(0)
    assert lines(game, before, events, viewer=0)[0] in ("Red lays hill 3, worth 3.", "Red lays wood 5, worth 5.")
    assert lines(game, before, events, viewer=1)[0] in ("Red: some hill", "Red: some wood")


# ---- plural forms of languages ----

FORMS = {
    "en": {0: "other", 1: "one", 2: "other", 21: "other"},
    "fr": {0: "one", 1: "one", 2: "other"},
    "ja": {0: "other", 1: "other", 2: "other"},
    "pl": {1: "one", 2: "few", 4: "few", 5: "many", 12: "many", 22: "few"},
    "ar": {0: "zero", 1: "one", 2: "two", 3: "few", 11: "many", 100: "other"},
}


@pytest.mark.parametrize("language", FORMS)
def test_plural_forms(language: str) -> None:
    words = " ".join(f'{form}: "{form}",' for form in sorted({*FORMS[language].values(), "other"}))
    text = GAME + f"  state.player.tolls: {{select: n, {language}: {{{words}}}}}\n"
    texts = begun(read(text), 2).texts(language)
    for number, form in FORMS[language].items():
        assert texts.text("state.player.tolls", {"n": (number, INTEGER)}) == form


def test_an_exact_number_comes_before_the_forms() -> None:
    text = GAME + '  state.player.tolls: {en: {0: "no toll", one: "{n} toll", other: "{n} tolls"}}\n'
    texts = begun(read(text), 2).texts()
    found = [texts.text("state.player.tolls", {"n": (n, INTEGER)}) for n in (0, 1, 2)]
    assert found == ["no toll", "1 toll", "2 tolls"]


# ---- the shipped games ----


def played(name: str, players: int, seed: int) -> Iterator[tuple[Played, list[Any], list[Any]]]:
    """A game played at random: at each decision the game, the cells before the last answer, and what it made happen."""
    from rulespec.game_source import read_game, resolve

    problems = Problems()
    source = read_game(name, problems)
    assert source is not None
    game = begun(resolve(source, [], problems), players, seed)
    random, before, events = Random(seed), copy_cells(game.cells), list[Any]()
    while game.options:
        yield game, before, events
        before = copy_cells(game.cells)
        events = game.take(random.randrange(len(game.options)))
    yield game, before, events


#: What no text shows: an id with an underscore, a site by its coordinates, a place that was not filled.
RAW = re.compile(r"[a-z]+_[a-z]+|[a-z]+\[|[{}]")
LATIN = re.compile(r"[A-Za-z]{2,}")

CLASSICS = [
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "reversi",
    "hex",
    "english_draughts",
    "go",
    "backgammon",
    "chess",
]
SHIPPED = [
    *((name, 2) for name in CLASSICS),
    ("spades", 4),
    ("liars_dice", 3),
    ("agora_barcelona", 3),
    ("agora_barcelona", 5),
    ("barcelona", 2),
]
each_shipped = pytest.mark.parametrize(
    ("name", "players"), long_where(lambda name, players: players == 5 or name == "chess", SHIPPED)
)


def texts_of_play(game: Played, before: list[Any], events: list[Any], texts: Texts) -> Iterator[str]:
    """Everything that is said at one decision."""
    for viewer in (None, *range(game.facts.world.players)):
        yield from texts.log_lines(events, viewer)
    if game.options:
        yield texts.prompt(game.cells, game.at)
        yield from (texts.option_text(game.cells, game.at, option) for option in game.options)


@each_shipped
def test_no_raw_id_is_shown_and_no_english_in_japanese(name: str, players: int) -> None:
    languages: dict[str, Texts] = {}
    for game, before, events in played(name, players, seed=5):
        languages = languages or {code: game.texts(code) for code in ("en", "fr", "ja")}
        said = {code: list(texts_of_play(game, before, events, texts)) for code, texts in languages.items()}
        assert [text for found in said.values() for text in found if RAW.search(text)] == []
        assert [text for text in said["ja"] if LATIN.search(text)] == []
        assert len(said["en"]) == len(said["fr"]) == len(said["ja"])
        assert [text for text in said["fr"] if text in said["en"] and " " in text and not is_the_same(text)] == []


def is_the_same(text: str) -> bool:
    """Whether a text is one name with signs and numbers, which English and French write alike."""
    return not re.search(r"\b(a|the|of|to|from|card|draws|plays|in|pile|row|column)\b", text)


@each_shipped
def test_options_differ_in_every_language(name: str, players: int) -> None:
    languages: dict[str, Texts] = {}
    for game, _, _ in played(name, players, seed=8):
        languages = languages or {code: game.texts(code) for code in ("en", "fr", "ja")}
        for texts in languages.values():
            said = [texts.option_text(game.cells, game.at, option) for option in game.options]
            assert len(set(said)) == len(said)


@pytest.mark.parametrize("name", sorted({name for name, _ in SHIPPED}))
def test_every_message_can_be_written_out(name: str) -> None:
    """The names of all things, in all languages; none of them is an id."""
    game, _, _ = next(iter(played(name, max(most for each, most in SHIPPED if each == name), seed=1)))
    world = game.facts.world
    for language in ("en", "fr", "ja"):
        texts = game.texts(language)
        shown = [key for key in world.states if texts.words.catalogue.find(f"state.{key}")]  # the others are not
        said = [texts.zone(key) for key in world.zones] + [texts.state(key) for key in shown]
        said += [texts.option_title(option) for option in world.options]
        for domain in world.domains.values():
            offered = (
                domain.form != "site" or None not in domain.members or texts.words.catalogue.find(f"{domain.name}.name")
            )
            said += [texts.name(i, Member(domain.name)) for i in range(domain.size)] if offered else []
        for kind in world.pieces.values():
            refs = [texts.words.sight.piece_of(kind.name, code) for code in range(kind.count)]
            said += [texts.words.piece_by(side, ref, kind.name) for ref in refs for side in ("front", "back", "hidden")]
        assert [text for text in said if RAW.search(text) or not text] == []
        assert language != "ja" or [text for text in said if LATIN.search(text)] == []


OUTSIDE = """
game: {id: outside, language: 1, title: {en: "Outside"}, players: 2, seats: [red, green]}
state: {height: {type: 0..9, start: 4}}
functions: {low: {params: {n: 0..9}, type: 0..3, is: n}}
flow: [{id: pick, choose: n, from: 1..2}]
ranking: [{most: player.score}]
messages: {pick.prompt: {en: "Height {low(height)}"}}
"""


def test_a_function_that_gives_what_its_type_does_not_hold_is_a_problem_of_the_content() -> None:
    """The text asks `low` for 4, which may be 3 at most: told at the function, as in play (RS801)."""
    game = begun(read(OUTSIDE), 2)
    with pytest.raises(ContentError) as raised:
        game.texts("en").prompt(game.cells, game.at)
    assert [(problem.code, problem.span.text) for problem in raised.value.problems] == [("RS801", "n")]
