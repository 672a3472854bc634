"""Whole games in every language that they have: everything that is printed is in that language."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from itertools import product

import pytest
import yaml

from interpreter.cli.new_language import engine_texts, game_texts
from interpreter.game import Game
from interpreter.play.session import Session
from interpreter.play.terminal import Terminal
from interpreter.table.seats import Seating
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.messages.needs import required_languages
from rulespec.source.shipped import content_root, games
from tests.lengths import long_where
from tests.play.table import AnyNumber, game_of

RAW_ID = re.compile(r"\b[a-z]+_[a-z_]+\b|\b[a-z]+\[|\bengine\.")
WORD = re.compile(r"[^\W\d_]{3,}")
#: The languages of the shipped games beside English; of those that are not named here French and Japanese.
LANGUAGES = {"agora_barcelona": ("fr", "ja", "es"), "metro": ("fr", "es")}
SPOKEN = [(name, language) for name in sorted(games()) for language in LANGUAGES.get(name, ("fr", "ja"))]
#: Their games are long: the quick tests have one language of Agora, and the long ones all.
DEAR = {("barcelona", "fr"), ("barcelona", "ja"), ("agora_barcelona", "fr"), ("agora_barcelona", "es")}
TYPED = ["?", "log", "undo", "1 000 000 000", "xyzzy", "why xyzzy", "save", "load", "load /no/such/file", "board"]


class Curious(AnyNumber):
    """Types a command now and then."""

    def readline(self, size: int = -1, /) -> str:
        return f"{self.dice.choice(TYPED)}\n" if self.dice.random() < 0.1 else super().readline(size)


Options = tuple[tuple[str, object], ...]


@lru_cache
def transcript(
    name: str, language: str, seats: tuple[str, ...], players: int | None = None, options: Options = ()
) -> str:
    """All that is printed in a whole game in which people choose at random."""
    game = game_of(name, players, **dict(options))
    person, output = Curious(5), io.StringIO()
    kinds = (*seats, *["random"] * game.players)[: game.players]
    session = Session(game, Seating(kinds, 11), Terminal(person, output, width=100), language=language)
    person.session = session
    assert session.run() == 0
    assert session.state.result is not None
    return output.getvalue()


@lru_cache
def words_in(name: str, language: str) -> frozenset[str]:
    """The words of a game's texts and of the engine's own, in one language."""
    found: set[str] = set()
    for folder in (content_root() / "engine", content_root() / name):
        for path in folder.rglob("*.yaml"):
            found |= _words(yaml.safe_load(path.read_text(encoding="utf-8")), language)
    return frozenset(found)


def _words(node: object, language: str) -> set[str]:
    """The words of everything that stands under the language's code."""
    if isinstance(node, list):
        return {word for item in node for word in _words(item, language)}
    if not isinstance(node, dict):
        return set()
    found: set[str] = set()
    for key, value in node.items():
        texts = value.values() if isinstance(value, dict) else [value]
        if key == language:
            plain = [re.sub(r"\{[^}]*\}", " ", text) for text in texts if isinstance(text, str)]
            found |= {word.casefold() for text in plain for word in WORD.findall(text)}
        found |= _words(value, language)
    return found


@pytest.mark.parametrize("name", sorted(games()))
def test_these_are_the_languages_of_the_game(name: str) -> None:
    wanted = {language for spoken, language in SPOKEN if spoken == name}
    assert set(required_languages(game_of(name).tree)) == {"en", *wanted}


@pytest.mark.parametrize("language", LANGUAGES["metro"])
def test_nothing_of_metro_is_left_to_translate(language: str) -> None:
    """Its rules and terms too, which `check` does not ask for."""
    source = read_game("metro", Problems())
    assert source is not None
    assert game_texts(source, language, is_pack=True) == {}


@pytest.mark.parametrize("language", sorted({language for _, language in SPOKEN}))
def test_the_engine_speaks_the_languages_of_the_games(language: str) -> None:
    assert engine_texts(language) == {}


@pytest.mark.parametrize("seats", [("human", "greedy"), ("human", "human")], ids=["alone", "together"])
@pytest.mark.parametrize(("name", "language"), long_where(lambda name, language: (name, language) in DEAR, SPOKEN))
def test_a_whole_game_is_in_its_language(name: str, language: str, seats: tuple[str, ...]) -> None:
    assert what_is_foreign(transcript(name, language, seats), game_of(name), name, language) == set()


#: Games of Metro with all of its modules.
MODULES = [
    {"stocks": True, "centre": "stations", "city": "paris"},
    {"stocks": True, "centre": "rails", "city": "new_york"},
    {"city": "stockholm", "stockholm_variant": True},
    {"city": "london", "free_rotation": True},
    {"city": "st_petersburg", "centre": "stations"},
    {"city": "berlin", "berlin_side": "mixed", "hand_size": 2},
    {"solo": "harder"},
]


def _in_turn(language: str, options: dict[str, object]) -> bool:
    """Whether the quick tests have these modules in this language: each in one."""
    return language == LANGUAGES["metro"][MODULES.index(options) % len(LANGUAGES["metro"])]


@pytest.mark.parametrize(
    ("language", "options"),
    long_where(lambda *case: not _in_turn(*case), product(LANGUAGES["metro"], MODULES)),
    ids=lambda each: each if isinstance(each, str) else "-".join(map(str, each.values())),
)
def test_a_game_with_modules_is_in_its_language(language: str, options: dict[str, object]) -> None:
    players = 1 if "solo" in options else 2
    text = transcript("metro", language, ("human",), players, tuple(options.items()))
    assert what_is_foreign(text, game_of("metro", players, **options), "metro", language) == set()


def what_is_foreign(text: str, game: Game, name: str, language: str) -> set[str]:
    """Ids, and words that stand in the English texts or in ids and not in those of the language."""
    text = text.replace("/no/such/file", "").replace("xyzzy", "")
    strange = (words_in(name, "en") | words_in_ids(game)) - words_in(name, language)
    return set(RAW_ID.findall(text)) | {word for word in WORD.findall(text) if word.casefold() in strange}


def words_in_ids(game: Game) -> set[str]:
    """The words of the ids of everything that has a name."""
    world = game.facts.world
    members = [member for domain in world.domains.values() for member in domain.members or ()]
    names = [*world.zones, *world.states, *world.domains, *world.pieces, *members]
    return {word.casefold() for name in names if isinstance(name, str) for word in WORD.findall(name)}


@pytest.mark.parametrize("name", long_where(lambda name: name == "barcelona", sorted(games())))
def test_no_id_is_shown_in_english(name: str) -> None:
    text = transcript(name, "en", ("human", "greedy")).replace("/no/such/file", "").replace("xyzzy", "")
    assert RAW_ID.findall(text) == []


@pytest.mark.parametrize(
    "name", long_where(lambda name: name == "barcelona", [name for name, language in SPOKEN if language == "ja"])
)
def test_no_latin_word_is_left_in_japanese(name: str) -> None:
    text = transcript(name, "ja", ("human", "greedy")).replace("/no/such/file", "").replace("xyzzy", "")
    own = {word for word in words_in(name, "ja") if word.isascii()}
    assert {word.casefold() for word in re.findall(r"[A-Za-z]{2,}", text)} - own == set()


def test_the_test_sees_english() -> None:
    """In a game that has texts in English alone, the engine's words are in the language and the game's are not."""
    text = transcript("probe", "fr", ("human",))
    assert "La partie est terminée." in text
    assert "Put a card." in text


@pytest.mark.parametrize("language", ["en", *LANGUAGES["agora_barcelona"]])
def test_no_line_is_too_wide(language: str) -> None:
    from interpreter.draw.ink import text_width

    lines = transcript("agora_barcelona", language, ("human", "greedy"), 5).splitlines()
    assert [line for line in lines if text_width(line.removeprefix("> ")) > 100] == []


def test_why_says_the_rule_in_the_language() -> None:
    """A move that would leave a shared majority is refused with that rule's words."""
    from interpreter.refusal import Raw
    from interpreter.table.reasons import why

    game = game_of("agora_barcelona", 3)
    texts, state = game.texts("fr"), game.start(5)
    words = {"enough_walkers": "réserve", "no_shared_majority": "à égalité"}
    told = set()
    for n in range(400):
        raw = Raw(state)
        for candidate in raw.candidates() if state.decision is not None else ():
            if candidate in state.options().candidates:
                continue
            rule = raw.refusal(candidate).rule
            text = texts.option_text(state.cells, state.cells[0], candidate)
            answers = why(texts, state, text)
            if rule in words:
                assert any(words[rule] in answer.text for answer in answers)
                assert all(answer.place is not None for answer in answers)
                told.add(rule)
            break
        if state.decision is None or "no_shared_majority" in told:
            break
        state = state.apply(state.options()[7 * n % len(state.options())])
    assert "no_shared_majority" in told
